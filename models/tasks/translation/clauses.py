"""Clauses, with restrictions on subjects, verbs and objects so that sentences make sense."""

from models.tasks.translation import adjuncts
from models.tasks.translation import lexicon as lex
from models.tasks.translation import nominals as nom
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.lexicon import NOUNS, PEOPLE, SENSES, VERBS, Adjective, Noun, Verb
from models.tasks.translation.nominals import Clitic, Deed, Draft, Nominal, any_nominal
from models.tasks.translation.phrase import NOTHING, Phrase, join, leaf
from models.tasks.translation.verbs import NEGATIONS, be_clause, has_form, verb_clause


def choose_adverb(draft: Draft, verb: Verb | None, tense: str, asked: bool, plain: bool) -> str:
    """Choose not, never, often, always or no adverb. A verb without a base form cannot be negated."""
    adverb = _adverb(draft, verb, tense, asked, plain)
    draft.habitual = adverb in ("never", "often", "always")
    return adverb


def _adverb(draft: Draft, verb: Verb | None, tense: str, asked: bool, plain: bool) -> str:
    if asked or plain:
        return ""
    if (verb is None or verb.base != "-") and draft.afford(
        1 if verb is None or tense == "future" else 2, 0.2
    ):
        return "not"
    if draft.afford(1, 0.08):
        return "never"
    return draft.pick(("often", "always")) if tense == "present" and draft.afford(1, 0.2) else ""


# ---- objects ----


def going_on(draft: Draft, verb: Verb, tense: str, adverb: str) -> str:
    """Choose the tense: imperfect for the past of a state; other verbs may be progressive."""
    if tense == "past" and verb.is_state:
        return "then"
    if verb.ing == "-" or adverb not in ("", "not") or draft.punctual:
        return tense
    if tense == "past" and verb.imperfect != "-" and draft.chance(0.6):
        return "then"
    if tense == "present" and draft.chance(0.45):
        draft.ongoing = True
        return "now"
    return tense


TRANSITIVE = {  # verb: possible subjects, possible objects, relative weight
    "see": ((*PEOPLE, "animal"), (*PEOPLE, "animal", "thing", "house", "building", "game"), 4),
    "sign": (("adult", "name", "institution"), ("document", "document", "letter"), 3),
    "write": (PEOPLE, ("book", "letter"), 3),
    "buy": (PEOPLE, ("food", "mass", "thing", "thing", "book", "house", "animal", "tool"), 4),
    "eat": ((*PEOPLE, "animal"), ("food", "mass"), 4),
    "read": (PEOPLE, ("book", "letter", "document"), 4),
    "look_for": (PEOPLE, ("thing", "animal", "book", "letter", *PEOPLE), 4),
    "like": (PEOPLE, ("animal", "food", "mass", "book"), 4),
    "love": (PEOPLE, PEOPLE, 3),
    "know": (PEOPLE, PEOPLE, 5),
    "want": (PEOPLE, ("food", "mass", "thing", "book", "animal"), 6),
    "have": (PEOPLE, ("animal", "thing", "book", "house", "food"), 6),
    "cross": ((*PEOPLE, "animal"), ("ground",), 3),
    "win": (PEOPLE, ("game",), 3),
    "light_up": (PEOPLE, ("tool",), 1),
    "hit": (PEOPLE, PEOPLE, 4),
}
OBJECT_VERBS = ("see", "sign", "write", "buy")  # verbs whose participles may agree with an object
PASSIVES = {
    "document": ("sign",),
    "letter": ("sign", "write"),
    "book": ("write", "write", "buy"),
    "thing": ("buy",),
    "house": ("buy",),
    "food": ("buy",),
    "animal": ("see", "buy"),
}
STATES = tuple(name for name, verb in VERBS.items() if verb.is_state)
VERB_OF = VERBS | {"light_up": lex.LIGHT_UP}
WEIGHTED = {
    kind: tuple(
        name for name, (subjects, _, weight) in TRANSITIVE.items() if kind in subjects for _ in range(weight)
    )
    for kind in (*PEOPLE, "animal", "institution")
}
DEFINITE = ("know", "like", "love", "cross", "light_up", "hit", "sign")


def object_clitic(
    draft: Draft, subject: Nominal, verb: Verb, kinds: tuple[str, ...], tense: str
) -> Clitic | None:
    """An object pronoun that is not ambiguous here, or None. In the past the participle agrees with it."""
    agrees = tense != "past" or verb.agrees != "-"
    found = []
    if "adult" in kinds:
        found += [nom.clitic("he", "m")] + [nom.clitic("she", "f")] * agrees
        if subject.agreement.person > 1 and (agrees or draft.me != "f"):
            found += [nom.clitic("i", draft.speaker().agreement.gender)]
        if subject.agreement.person > 1:
            found += [nom.clitic("we", "m")] * agrees
        if subject.agreement.person != 2:
            found += [nom.clitic("you", "m")]
    for pronoun in ("it", "they") if agrees and verb is not VERBS["hit"] else ():
        gender = draft.gender_of(pronoun)
        meant = [mention for mention in draft.mentions if mention.pronoun == pronoun]
        fits = meant[-1].kind in kinds if meant else "adult" in kinds
        if gender and fits and subject.pronoun != pronoun:
            found += [nom.clitic(pronoun, gender)] * (3 if meant else 1)
    return draft.pick(found) if found else None


def transitive(draft: Draft, subject: Nominal, tense: str, asked: bool, plain: bool) -> Phrase | None:
    """Build a verb with an object: a pronoun, a generic plural, or a noun phrase (perhaps with a clause)."""
    name = draft.pick(WEIGHTED[subject.kind])
    verb, kinds = VERB_OF[name], TRANSITIVE[name][1]
    if (
        ((plain or draft.eventful) and verb.is_state)
        or (tense == "future" and verb.infinitive == "-")
        or not draft.may(name)
    ):
        return None
    draft.placed = name == "cross"
    draft.ongoing = False
    particle = "with a pie" if name == "hit" else ""
    if subject.kind == "animal" and name == "see":
        kinds = (*PEOPLE, "animal")
    adverb = choose_adverb(draft, verb, tense, asked, plain)
    if adverb and verb.is_state:
        adverb = "not"
    tense = going_on(draft, verb, tense, adverb)
    if not has_form(verb, tense, subject.agreement, asked):
        return None
    deed = draft.deed = Deed(name, adverb in NEGATIONS, subject)
    short = draft.chance(0.75 if name == "hit" else 0.6 if draft.room <= 0 else 0.4)
    clitic = object_clitic(draft, subject, verb, kinds, tense) if short else None
    draft.settled = verb.is_state
    if clitic:
        return verb_clause(subject, verb, tense, NOTHING, adverb, asked, clitic, particle=particle)
    if name == "like" and draft.chance(0.5):
        return verb_clause(subject, verb, tense, whole_kind(draft).phrase, adverb, asked)
    thing = any_nominal(draft, kinds, name in DEFINITE, adverb in NEGATIONS)
    if adverb not in NEGATIONS or thing.definite:  # a pronoun cannot refer to “no letter”
        draft.salient.append(thing)
        deed = deed._replace(object=thing)
    if thing.kind == "document" and draft.afford(3, 0.7):
        thing = about(draft, thing)
    elif adverb not in NEGATIONS and draft.afford(3, 0.4):
        thing = with_relative(draft, thing)
    draft.settled, draft.deed = verb.is_state, deed
    return verb_clause(subject, verb, tense, thing.phrase, adverb, asked, particle=particle)


def whole_kind(draft: Draft) -> Nominal:
    """Build a generic object: likes apples: aime les pommes."""
    noun = nom.any_noun(draft, ("animal", "food", "mass", "book", "child"))
    plural = noun.english_plural != "-"
    return nom.noun_phrase(draft, noun, "all", plural)


def about(draft: Draft, document: Nominal) -> Nominal:
    """Add a topic to a document, as in: the agreement on the european economic area."""
    noun = nom.any_noun(draft, ("topic",)) if draft.chance(0.85) else NOUNS["market"]
    outer = [draft.pick(nom.TOPIC_OUTER)] if draft.chance(0.7) else []
    inner = [draft.pick(nom.TOPIC_INNER)] if draft.chance(0.7) else []
    topic = nom.noun_phrase(draft, noun, "the", adjectives=outer + inner)
    draft.room -= len(outer + inner)
    return nom.with_topic(document, topic)


# ---- relative clauses ----


def with_relative(draft: Draft, head: Nominal) -> Nominal:
    """Add a relative clause with who or that (qui, que), or without a relative pronoun in English."""
    if head.kind == "name" or len(head.phrase.english) > 4 or head.phrase.english[0].text in nom.OWN:
        return head
    if head.kind in (*PEOPLE, "animal") and draft.chance(0.55):
        opener = leaf("who" if head.kind in PEOPLE else "that", "qui")
        inner = predicate(
            draft,
            head._replace(phrase=opener, definite=True),
            draft.pick(("past", "past", "present")),
            plain=True,
        )
        return head._replace(phrase=join(head.phrase, inner))
    return object_relative(draft, head)


def object_relative(draft: Draft, head: Nominal) -> Nominal:
    """Build a phrase such as: the letter (that) the queen wrote: la lettre que la reine a écrite."""
    names = [name for name in OBJECT_VERBS if head.kind in TRANSITIVE[name][1]]
    name = draft.pick(names) if names else ""
    if not names or not draft.may(name):
        return head
    if draft.chance(0.4):
        subject = nom.pronoun_subject(draft, ("i", "we", "he", "she"))
    else:
        subject = any_nominal(draft, ("adult", "name"), True, coordinate=False)
    opener = leaf("that" if draft.chance(0.6) else "", "que")
    inner = verb_clause(subject, VERBS[name], "past", preceding=head.agreement)
    return head._replace(phrase=join(head.phrase, opener, inner))


# ---- other predicates ----


ABSOLUTE = ("red", "black", "french", "european", "new")  # adjectives that do not take very


def copula(
    draft: Draft, subject: Nominal, tense: str, asked: bool = False, plain: bool = False
) -> Phrase | None:
    """Build a form of be with an adjective that neither repeats nor contradicts an earlier one."""
    kind, said = (
        subject.kind,
        {*subject.traits, *draft.described, *(lex.LASTING if tense == "future" else ())},
    )
    if not subject.definite:
        return None
    if len(subject.phrase.english) == 1:
        said.add("light")  # only a noun decides between léger and lumineux
    if (
        kind == "game"
        and not subject.agreement.plural
        and len(subject.phrase.english) > 1
        and draft.chance(0.5)
    ):
        draft.settled = True
        return piece_of_cake(subject, tense, asked)
    first = _say(draft, kind, said)
    if first is None:
        return None
    draft.settled = first.english not in lex.PASSING
    adverb = choose_adverb(draft, None, tense, asked, plain)
    if draft.settled and adverb:
        adverb = "not"
    complement = leaf(first.english, first.french(subject.agreement))
    draft.described.add(first.english)
    second = (
        _say(draft, kind, {*said, first.english})
        if draft.settled and not adverb and draft.afford(2, 0.3)
        else None
    )
    if second:
        draft.described.add(second.english)
        complement = join(
            complement, leaf("and", "et"), leaf(second.english, second.french(subject.agreement))
        )
    elif first.english not in ABSOLUTE and adverb in ("", "not") and draft.afford(1, 0.2):
        complement = join(leaf("very", "très"), complement)
    return be_clause(subject, tense, complement, adverb, asked)


def piece_of_cake(subject: Nominal, tense: str, asked: bool = False) -> Phrase:
    return be_clause(subject, tense, join(leaf("a", "un"), leaf("piece of cake", "jeu de enfant")), "", asked)


def _say(draft: Draft, kind: str, said: set[str]) -> Adjective | None:
    # exclude the opposites of these adjectives, too
    taken = said.union(*[group for group in lex.OPPOSED if group & said])
    choices = [adjective for adjective in nom.SAID_OF[kind] if adjective.english not in taken]
    return draft.pick(choices) if choices else None


def passive(draft: Draft, subject: Nominal, tense: str, asked: bool, plain: bool) -> Phrase | None:
    """Build a passive such as: the agreement was signed in august 1992: l'accord a été signé en août 1992."""
    if tense == "present":
        return None
    name = draft.pick(PASSIVES[subject.kind])
    if not draft.may(name):
        return None
    verb = VERBS[name]
    adverb = choose_adverb(draft, None, tense, asked, plain)
    draft.settled = False
    complement = leaf(verb.passive, verb.agreeing(subject.agreement))
    if draft.afford(3, 0.6):
        complement = join(
            complement,
            leaf("by", "par"),
            any_nominal(draft, ("adult", "name"), True, coordinate=False).phrase,
        )
    return be_clause(subject, tense, complement, adverb, asked, passive=True)


PROFESSIONS = {
    "m": ("doctor", "minister"),
    "f": ("nurse", "nurse", "doctor", "minister"),
}  # elle est médecin, without an article
ONESELF = {"m": ("man", "boy"), "f": ("woman", "woman", "girl")}  # nouns for the speaker: je suis une femme


def what_one_is(draft: Draft, subject: Nominal, tense: str, asked: bool, plain: bool) -> Phrase | None:
    """Build a clause such as: marie is a doctor: marie est médecin. After i am a woman, `i` is feminine."""
    if (
        subject.agreement.plural
        or subject.agreement.person == 2
        or plain
        or subject.kind == "child"
        or not draft.may("be")
    ):
        return None
    gender = subject.agreement.gender
    own = subject.agreement.person == 1 and draft.chance(0.5)
    noun = NOUNS[draft.pick((ONESELF if own else PROFESSIONS)[gender])]
    draft.settled, draft.ongoing = True, False
    adverb = "" if asked or not draft.afford(1, 0.1) else "not"
    complement = join(
        leaf("a", ("une" if gender == "f" else "un") if own else ""), leaf(noun.english, noun.french)
    )
    return be_clause(subject, "present" if own or tense == "future" else tense, complement, adverb, asked)


ANIMALS_DO = ("sleep", "arrive", "arrive")
PEOPLE_DO = ("sleep", "sleep", "work", "work", "go", "go", "arrive", "leave", "leave", "give_up")


def doing(draft: Draft, subject: Nominal, tense: str, asked: bool, plain: bool) -> Phrase | None:
    """Build a verb without an object: sleep, work, give up, and verbs that take être in French."""
    name = draft.pick(ANIMALS_DO if subject.kind == "animal" else PEOPLE_DO)
    verb = VERBS[name]
    if not draft.may(name) or (tense == "future" and verb.infinitive == "-"):
        return None
    draft.ongoing = False
    adverb = choose_adverb(draft, verb, tense, asked, plain)
    tense = going_on(draft, verb, tense, adverb)
    if not has_form(verb, tense, subject.agreement, asked):
        return None
    draft.deed = Deed(name, adverb in NEGATIONS, subject)
    tail = NOTHING
    if name == "go":
        tail = adjuncts.destination(draft)
        draft.placed = True
    elif name == "arrive" and draft.afford(3, 0.7):
        tail = adjuncts.arrival(draft)
        draft.placed = True
    elif name == "leave":
        draft.placed = True
    if subject.kind != "animal" and name in ("go", "arrive", "leave", "work") and draft.afford(3, 0.2):
        tail = join(tail, adjuncts.company(draft))
    draft.settled = False
    return verb_clause(subject, verb, tense, tail, adverb, asked)


def bank_after_crossing(
    draft: Draft, subject: Nominal, tense: str, asked: bool, plain: bool
) -> Phrase | None:
    """Build a clause such as: arrived at the bank after crossing the river: sur la rive."""
    if tense != "past" or plain or not draft.may("arrive") or not draft.afford(3, 1.2):
        return None
    crossed = draft.pick((NOUNS["river"], NOUNS["river"], NOUNS["street"], NOUNS["garden"], NOUNS["market"]))
    bank = nom.noun_phrase(
        draft, SENSES["rive" if crossed.english == "river" else "banque"], "the", adjectives=[]
    )
    draft.settled = True
    return crossing_to_the_bank(subject, bank, nom.noun_phrase(draft, crossed, "the"), asked)


def crossing_to_the_bank(subject: Nominal, bank: Nominal, crossed: Nominal, asked: bool = False) -> Phrase:
    where = join(leaf("at", "sur" if bank.kind == "place" else "à"), bank.phrase)
    across = join(leaf("after", "après"), leaf("crossing", "avoir traversé"), crossed.phrase)
    return verb_clause(subject, VERBS["arrive"], "past", join(where, across), asked=asked)


def giving(draft: Draft, subject: Nominal, tense: str, asked: bool, plain: bool) -> Phrase | None:
    """Build a verb with a recipient: gave her the book: lui a donné le livre; gave her book to paul."""
    name = "lend" if tense == "past" and draft.chance(0.4) else "give"
    verb = VERBS[name]
    if not draft.may(name) or not has_form(verb, tense, subject.agreement, asked):
        return None
    adverb = choose_adverb(draft, verb, tense, asked, plain)
    if subject.kind == "institution" or draft.chance(0.2):
        name = "the" if adverb in NEGATIONS else "some"
        gift = nom.noun_phrase(draft, SENSES["argent"], name, adjectives=[]).phrase
    else:
        gift = any_nominal(
            draft, ("book", "letter", "thing"), negated=adverb in NEGATIONS, coordinate=False
        ).phrase
    draft.settled = False
    if draft.chance(0.5):
        others = {
            1: ("you", "he", "she", "they"),
            2: ("i", "we", "he", "she", "they"),
            3: ("i", "we", "you", "he", "she", "they"),
        }
        pronoun = draft.pick(others[subject.agreement.person])
        return verb_clause(subject, verb, tense, gift, adverb, asked, nom.clitic(pronoun, "m", dative=True))
    to = join(leaf("to", "à"), any_nominal(draft, PEOPLE, True, coordinate=False).phrase)
    return verb_clause(subject, verb, tense, join(gift, to), adverb, asked)


def idiom(draft: Draft, subject: Nominal, tense: str, asked: bool, plain: bool) -> Phrase | None:
    """Build an idiom in which many English words become few French ones."""
    name = draft.pick(("run out of", "turn on", "die", "die", "die", "die", "die"))
    if tense != "past" or not draft.may(name):
        return None
    draft.settled, draft.ongoing = False, False
    if name == "turn on":
        light = nom.noun_phrase(draft, SENSES["lumière"], "the", adjectives=[])
        adverb = choose_adverb(draft, VERBS["turn_on"], tense, asked, plain)
        return verb_clause(subject, VERBS["turn_on"], tense, light.phrase, adverb, asked)
    if asked:
        return None
    if name == "run out of":
        short = draft.pick((SENSES["eau"], SENSES["argent"], NOUNS["bread"], NOUNS["soup"], NOUNS["fish"]))
        return ran_out_of(subject, short)
    if plain or not draft.mortal or subject.agreement.person < 3:
        return None
    return verb_clause(subject, draft.pick((lex.KICK_THE_BUCKET, lex.DIE)), tense)


def ran_out_of(subject: Nominal, short: Noun) -> Phrase:
    """Build a phrase such as: ran out of money: a été à court d'argent."""
    return verb_clause(
        subject, lex.RUN_OUT, "past", join(leaf("of", "de"), leaf(short.english, short.french))
    )


# ---- which predicates suit which subjects ----

PREDICATES = {
    "person": (
        (transitive,) * 9
        + (doing,) * 6
        + (bank_after_crossing,) * 2
        + (giving,) * 3
        + (copula,) * 3
        + (idiom,) * 4
        + (what_one_is,)
    ),
    "animal": (transitive,) * 4 + (doing,) * 3 + (copula,) * 2 + (passive,),
    "document": (passive,) * 3 + (copula,),
    "book": (passive,) * 2 + (copula,),
    "letter": (passive,) * 2 + (copula,),
    "thing": (passive,) * 2 + (copula,) * 3,
    "house": (passive,) + (copula,) * 2,
    "food": (passive,) + (copula,) * 2,
    "institution": (giving,) * 3 + (transitive,) + (copula,),
}


def predicate(
    draft: Draft, subject: Nominal, tense: str, asked: bool = False, plain: bool = False, event: bool = False
) -> Phrase:
    """Build a whole clause about this subject. Kinds that are not in PREDICATES can only be described."""
    choices = PREDICATES.get("person" if subject.kind in PEOPLE else subject.kind, (copula,))
    draft.eventful, draft.deed = event, None
    if event:
        choices = tuple(choice for choice in choices if choice not in (copula, what_one_is))
        if not choices:
            raise DeadEnd
    for _ in range(20):
        room, mentions = draft.room, len(draft.mentions)
        phrase = draft.pick(choices)(draft, subject, tense, asked, plain)
        if phrase is not None:
            return phrase
        draft.room = room
        del draft.mentions[mentions:]
    raise DeadEnd
