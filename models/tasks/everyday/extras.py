"""Everyday constructions with a French of their own: nobody, mine, hurts, just, for two years, the best, a cup of tea, passives."""

from collections.abc import Callable

from models.tasks.everyday import adjuncts, conjugation
from models.tasks.everyday.actions import Action, complete, say, some_verb, verbs_for, with_adjuncts
from models.tasks.everyday.clauses import HAVE, WAS, assemble, be_clause, infinitive, verb_clause
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.nominals import (
    CLITICS,
    NUMBERS,
    OBJECT_OF,
    Draft,
    Nominal,
    nominal_for,
    noun_phrase,
    pronoun,
    proper,
    some_pronoun,
)
from models.tasks.everyday.simple import (
    QUESTION,
    STOP,
    Sentence,
    action_clause,
    any_subject,
    describe,
    french_adjective,
    predicate_adjectives,
    sexed,
    somebody,
    third_person,
)
from models.tasks.translation.lexicon import Agreement
from models.tasks.translation.nominals import DeadEnd
from models.tasks.translation.phrase import NOTHING, Mot, Phrase, arrange, echo, join, leaf

# Nobody, everyone, something, nothing

ANYBODY = (("everyone", "tout le monde"), ("everybody", "tout le monde"), ("someone", "quelqu'un"), ("somebody", "quelqu'un"))


def everyone(draft: Draft) -> Sentence:
    """everyone likes him: tout le monde l'aime; somebody is here: quelqu'un est ici."""
    who = Nominal(leaf(*draft.pick(ANYBODY)), Agreement("m"), False, "they")
    if draft.chance(0.35):
        return describe(draft, who, draft.pick(("present", "past")), plain=True), STOP
    return action_clause(draft, who, draft.pick(("past", "past", "present", "now", "want to", "must")), plain=True), STOP


def nobody(draft: Draft) -> Sentence:
    """nobody knows the answer: personne ne sait la réponse."""
    word = leaf(draft.pick(("nobody", "nobody", "no one")), "personne")
    who = Nominal(word, Agreement("m"), False, "he")
    verb = some_verb(draft, who)
    mode = draft.pick(("present", "past", "past", "can", "want to"))
    if verb.is_state:
        mode = draft.pick(("present", "past"))
    phrase = say(draft, who, complete(draft, who, verb, True), mode)
    ne = Mot("ne", word.english)
    return Phrase(phrase.english, (phrase.french[0], ne, *phrase.french[1:])), STOP


def nothing(draft: Draft) -> Sentence:
    """i saw nothing, i did not see anything: je n'ai rien vu."""
    subject = somebody(draft)
    verb = draft.pick(
        draft.lexicon.select(
            "nothing",
            lambda v: (
                v.frame == "t" and not v.link and v.base in NOTHING_VERBS and "person" in v.subject and v.infinitive != "connaître"
            ),
        )
    )
    mode = "present" if verb.is_state else draft.pick(("past", "past", "present", "now"))
    if "moment" in verb.traits and mode == "now":
        mode = "past"
    if draft.chance(0.5):
        phrase = say(draft, subject, Action(verb), mode, "not")
        word = leaf("anything", "")
        english = (*phrase.english, *word.english)
        denied = next(w for w in phrase.english if w.text == "not")
        french = tuple(Mot("rien", word.english) if mot.text == "pas" and denied in mot.sources else mot for mot in phrase.french)
        return Phrase(english, french), STOP
    word = leaf("nothing", "")
    phrase = say(draft, subject, Action(verb), mode)
    start, end = len(subject.phrase.french), len(phrase.french)
    finite = start + (1 if verb.is_reflexive else 0)
    body = phrase.french[start:end]
    ne, rien = Mot("ne", word.english), Mot("rien", word.english)
    french = (*phrase.french[:finite], ne, body[0], rien, *body[1:])
    return Phrase((*phrase.english, *word.english), french), STOP


NOTHING_VERBS = ("see", "eat", "drink", "buy", "want", "hear", "find", "understand", "know", "do", "read", "have")


def something(draft: Draft) -> Sentence:
    """i want something to eat: quelque chose à manger."""
    subject = somebody(draft)
    verb = draft.pick(
        draft.lexicon.select(
            "something",
            lambda v: (
                v.frame == "t"
                and not v.link
                and v.base in ("want", "buy", "see", "find", "hear", "have", "look", "drink", "eat")
                and not v.rest
                and "person" in v.subject
            ),
        )
    )
    word = leaf("something", "quelque chose")
    tail = word
    if verb.base in ("want", "buy", "find", "have") and draft.chance(0.6):
        deed = draft.pick((Verb("eat", "manger"), Verb("drink", "boire"), Verb("read", "lire"), Verb("do", "faire")))
        tail = join(word, infinitive(subject, deed, to="to", link="à"))
    elif draft.chance(0.4):
        english, french = draft.pick(
            (("new", "nouveau"), ("good", "bon"), ("strange", "étrange"), ("important", "important"), ("beautiful", "beau"))
        )
        tail = join(word, echo(word, "de"), leaf(english, french))
    mode = draft.pick(("present", "past")) if verb.is_state else "past"
    return say(draft, subject, Action(verb, tail), mode), STOP


# Having, belonging, hurting


MINE = {"mine": "moi", "yours": "vous", "his": "lui", "hers": "elle", "ours": "nous", "theirs": "eux"}


def belongs(draft: Draft) -> Sentence:
    """the book on the table is mine: le livre sur la table est à moi."""
    noun = draft.noun("thing device car bike clothing book/text pet house/building tool instrument ticket")
    thing = nominal_for(draft, noun, "def", deep=False)
    if thing.owner:
        raise DeadEnd
    if draft.chance(0.3) and noun.kind in ("thing", "text", "device", "tool"):
        place = adjuncts.on_top(draft, draft.noun("table chair desk bed shelf"))
        thing = thing._replace(phrase=join(thing.phrase, place))
    word = draft.pick(tuple(MINE))
    asked = draft.chance(0.25)
    return be_clause(
        thing,
        draft.pick(("present", "present", "past")),
        leaf(word, f"à {MINE[word]}"),
        "" if asked or draft.chance(0.8) else "not",
        asked,
    ), QUESTION if asked else STOP


BODY_PAIN = "head leg foot arm hand stomach back throat tooth ear knee eye neck shoulder finger"


def hurts(draft: Draft) -> Sentence:
    """my leg hurts: j'ai mal à la jambe."""
    own, who = draft.pick((("my", "i"), ("my", "i"), ("his", "he"), ("her", "she"), ("your", "you")))
    noun = draft.noun(BODY_PAIN)
    plural = noun.english in ("foot", "eye", "tooth", "leg", "ear") and draft.chance(0.4)
    part = noun_phrase(draft, noun, "the", plural, adjectives=())
    subject = pronoun(who, "f" if who == "she" else "m")
    past = draft.chance(0.25)
    poss, body = leaf(own, ""), Phrase(part.phrase.english[1:])
    hurt = leaf("hurt" if plural or past else "hurts", "")
    forms = (conjugation.imperfect if past else conjugation.present)("avoir")
    french = join(
        echo(poss, subject.phrase.french[0].text),
        echo(hurt, f"{forms[subject.agreement.speaker]} mal à"),
        Phrase((), (part.phrase.french[0]._replace(sources=poss.english), *part.phrase.french[1:])),
    )
    if past and not plural:
        english = (*poss.english, *body.english, *hurt.english)
    else:
        english = (*poss.english, *body.english, *hurt.english)
    return Phrase(english, french.french), STOP


ILLNESSES = (("a cold", "un rhume"), ("a fever", "de la fièvre"), ("the flu", "la grippe"), ("a headache", "mal à la tête"))


def illness(draft: Draft) -> Sentence:
    subject = somebody(draft)
    have = Verb("have", "avoir", traits=frozenset({"state"}))
    english, french = draft.pick(ILLNESSES)
    article, noun = english.split()
    *det, word = french.split()
    tail = join(leaf(article, " ".join(det)), leaf(noun, word)) if word != "tête" else leaf(english, french)
    return verb_clause(subject, have, draft.pick(("present", "imperfect")), tail), STOP


LOOKS = (Verb("look", "avoir l' air", traits=frozenset({"state"})), Verb("seem", "sembler", traits=frozenset({"state"})))


def looks(draft: Draft) -> Sentence:
    """she looks tired: elle a l'air fatiguée."""
    subject = somebody(draft)
    adjective = draft.pick(
        [a for a in predicate_adjectives(draft, subject) if a.lasting == "no" and " " not in a.forms[0]] or [None]
    )
    if adjective is None or adjective.english in ("dead", "married", "free", "sure"):
        raise DeadEnd
    complement = leaf(adjective.english, french_adjective(adjective, subject))
    return verb_clause(subject, draft.pick(LOOKS), draft.pick(("present", "present", "imperfect")), complement), STOP


BECOME = Verb("become", "devenir")


def becomes(draft: Draft) -> Sentence:
    """she wants to become a doctor: elle veut devenir médecin; i want to be a pilot: je veux être pilote."""
    subject = somebody(draft)
    if subject.plural:
        raise DeadEnd
    noun = sexed(draft, draft.noun("profession"), subject.agreement.gender == "f")
    complement = join(leaf("a", ""), leaf(noun.english, noun.french))
    if draft.chance(0.6):
        verb = BECOME if draft.chance(0.5) else Verb("be", "être")
        return say(
            draft, subject, Action(verb, complement), draft.pick(("want to", "want to", "would like to", "want to past"))
        ), STOP
    return say(draft, subject, Action(BECOME, complement), draft.pick(("past", "will"))), STOP


# Time: just, ever, for and since


def just(draft: Draft) -> Sentence:
    """i have just eaten: je viens de manger."""
    subject = any_subject(draft)
    verb = some_verb(draft, subject)
    if verb.is_state or {"pastonly", "state_present"} & verb.traits or verb.frame in ("q", "c", "h", "w", "s"):
        raise DeadEnd
    action = complete(draft, subject, verb)
    auxiliary, word = leaf(HAVE[subject.who], ""), leaf("just", "")
    head = echo(join(auxiliary, word), f"{conjugation.present('venir')[subject.agreement.speaker]} de")
    rest = infinitive(subject, verb, action.tail, clitic=action.clitic, form="participle")
    return arrange([subject.phrase, auxiliary, word, rest], [subject.phrase, head, rest]), STOP


def been_to(draft: Draft) -> Sentence:
    """have you ever been to london: est-ce que vous êtes déjà allé à londres; i have never been to paris."""
    asked = draft.chance(0.5)
    subject = some_pronoun(draft, ("you", "you", "he", "she")) if asked else somebody(draft)
    word = draft.pick(("ever", "ever", "")) if asked else draft.pick(("never", "never", "already", "", "not"))
    french = {"ever": "déjà", "never": "jamais", "already": "déjà", "not": "pas", "": ""}[word]
    auxiliary = leaf(HAVE[subject.who], conjugation.present("être")[subject.agreement.speaker])
    been = leaf("been", conjugation.agreeing("allé", subject.agreement.gender, subject.agreement.plural))
    extra = leaf(word, "")
    ne = echo(extra, "ne" if word in ("never", "not") else "")
    place = adjuncts.name_place(draft, draft.noun("city country"), "to")
    english = [auxiliary, subject.phrase, extra, been, place] if asked else [subject.phrase, auxiliary, extra, been, place]
    french_order = [leaf("", "est-ce que") if asked else NOTHING, subject.phrase, ne, auxiliary, echo(extra, french), been, place]
    return arrange(english, french_order), QUESTION if asked else STOP


LASTING = frozenset("live work study know wait learn play".split())


def for_two_years(draft: Draft) -> Sentence:
    """i have lived here for two years: j'habite ici depuis deux ans; she has been waiting since six."""
    subject = somebody(draft)
    options = [
        v for v in verbs_for(draft, subject) if v.base in LASTING and v.frame in ("l", "t", "i", "v") and v.infinitive != "marcher"
    ]
    if not options:
        raise DeadEnd
    verb = draft.pick(options)
    action = complete(draft, subject, verb)
    progressive = not verb.is_state and draft.chance(0.5)
    auxiliary = leaf(HAVE[subject.who] + (" been" if progressive else ""), "")
    from models.tasks.everyday.clauses import english_verb

    spoken = english_verb(verb, "ing" if progressive else "participle", subject)
    finite = echo(join(auxiliary, spoken), conjugation.present(verb.infinitive)[subject.agreement.speaker])
    if draft.chance(0.6):
        time = join(
            leaf("for", "depuis"),
            adjuncts.amount_of_time(
                draft, ("year/count", "year/count", "month", "week", "day") if verb.base != "wait" else ("hour", "minute")
            ),
        )
    else:
        since = draft.pick(adjuncts.YEARS[-12:]) if verb.base != "wait" else ""
        time = (
            join(leaf("since", "depuis"), leaf(since, since))
            if since
            else join(leaf("since", "depuis"), leaf("this morning", "ce matin"))
        )
    return assemble(subject, auxiliary, spoken, finite, NOTHING, join(action.tail, time), clitic=action.clitic), STOP


# Comparing


def best(draft: Draft) -> Sentence:
    """you are my best friend: vous êtes mon meilleur ami."""
    subject = somebody(draft)
    if subject.plural or (subject.noun and subject.noun.kind in ("family", "profession")):
        raise DeadEnd
    female = subject.agreement.gender == "f"
    noun = sexed(draft, draft.noun("friend/adult friend/adult friend/adult student player teacher"), female)
    own = draft.pick(("my", "my", "his", "her", "our") if noun.english in ("friend", "teacher", "student") else ("our",))
    if {"i": "my", "we": "our", "he": "his", "she": "her"}.get(subject.pronoun) == own:
        raise DeadEnd
    det = noun_phrase(draft, noun, own, adjectives=())
    word = leaf("best", "meilleure" if noun.gender == "f" else "meilleur")
    possessive, name = split_first(det.phrase)
    if female and noun.gender == "f":  # mon amie, but ma meilleure amie
        possessive = leaf(own, {"my": "ma", "his": "sa", "her": "sa", "our": "notre"}[own])
    if subject.pronoun in ("he", "she") and subject.noun is None:
        subject = subject._replace(phrase=Phrase(subject.phrase.english, (subject.phrase.french[0]._replace(text="Ce"),)))
    return be_clause(subject, draft.pick(("present", "present", "past")), join(possessive, word, name)), STOP


def split_first(phrase: Phrase) -> tuple[Phrase, Phrase]:
    return Phrase(phrase.english[:1], phrase.french[:1]), Phrase(phrase.english[1:], phrase.french[1:])


GROUPS_OF = (
    ("in", "the class", "de la", "classe"),
    ("in", "the world", "de le", "monde"),
    ("in", "the family", "de la", "famille"),
    ("in", "the city", "de la", "ville"),
    ("in", "the country", "de le", "pays"),
)


def superlative(draft: Draft) -> Sentence:
    """she is the tallest girl in the class: c'est la plus grande fille de la classe; the most beautiful city."""
    adjective = draft.pick([a for a in draft.lexicon.adjectives if a.superlative and a.lasting == "yes"])
    noun = draft.noun(draft.pick(sorted([*adjective.kinds, *adjective.nouns])))
    if noun.is_mass or noun.number or noun.kind in ("person_name", "city", "country", "family", "body", "sky_weather", "season"):
        raise DeadEnd
    if not (noun.kind in adjective.kinds or noun.english in adjective.nouns):
        raise DeadEnd
    agreement = Agreement(noun.gender)
    french = adjective.french(agreement, noun.french if adjective.before else "")
    the_fr = "la" if noun.gender == "f" else "le"
    the = leaf("the", the_fr)
    if adjective.superlative in ("best", "worst"):
        word = {"best": "meilleur", "worst": "pire"}[adjective.superlative] + "e" * (
            noun.gender == "f" and adjective.superlative == "best"
        )
        marked = leaf(adjective.superlative, word)
        middle, before = marked, True
    else:
        parts = adjective.superlative.split()
        plain = adjective.forms[1] if noun.gender == "f" else adjective.forms[0]
        marked = (
            join(leaf("most", "plus"), leaf(adjective.english, plain))
            if parts[0] == "most"
            else leaf(adjective.superlative, f"plus {plain}")
        )
        middle, before = marked, adjective.before
    del french
    name = leaf(noun.english, noun.french)
    if before:
        phrase = arrange([the, middle, name], [the, middle, name])
    else:
        again = Phrase((), (Mot(the_fr, the.english),))
        phrase = arrange([the, middle, name], [the, name, again, middle])
    if draft.chance(0.5):
        preposition, group, of, french_group = draft.pick(GROUPS_OF)
        phrase = join(phrase, leaf(preposition, of.split()[0]), leaf(group, f"{of.split()[1]} {french_group}"))
    x = draft.rng.random()
    if noun.kind in ("child", "profession") and x < 0.6:
        person = proper(draft, draft.noun("person_name"))
        if person.agreement.gender != noun.gender:
            raise DeadEnd
        return be_clause(person, "present", phrase), STOP
    subject = Nominal(leaf(draft.pick(("it", "this", "that")), "Ce"), Agreement("m"), False, "it")
    if noun.kind in ("child", "profession"):
        subject = Nominal(leaf("she" if noun.gender == "f" else "he", "Ce"), Agreement("m"), False, "he")
    return be_clause(subject, draft.pick(("present", "present", "past")), phrase), STOP


def more_than(draft: Draft) -> Sentence:
    """i like tea more than coffee: j'aime plus le thé que le café."""
    subject = somebody(draft)
    like = Verb("like", "aimer", "t", traits=frozenset({"state"}))
    spec = draft.pick(("drink", "food_mass", "animal pet", "game_sport", "city", "subject", "season"))
    one, two = draft.noun(spec), draft.noun(spec)
    if any(noun.english in ("match", "game", "sport") for noun in (one, two)):
        raise DeadEnd
    left, right = (nominal_for(draft, noun, "generic", deep=False) for noun in (one, two))
    if not left.definite or left.phrase.english[0].text in ("this", "that", "these", "those", "the"):
        raise DeadEnd
    more, than = leaf("more", "plus"), leaf("than", "que")
    if draft.chance(0.3):
        words = [word for word in ("me", "you", "him", "her", "us", "them") if word != OBJECT_OF.get(subject.pronoun)]
        word = draft.pick(words)
        right = right._replace(phrase=leaf(word, CLITICS[word][2]))
        if subject.agreement.person == {"me": 1, "us": 1, "you": 2}.get(word, 3) and subject.agreement.person < 3:
            raise DeadEnd
    tail = arrange([left.phrase, more, than, right.phrase], [more, left.phrase, than, right.phrase])
    return verb_clause(subject, like, "present", tail), STOP


# Measures and contents

MEASURES = (
    ("glass/cup", "drink"), ("cup", "coffee tea milk"), ("bottle", "water wine milk beer juice oil"), ("piece", "bread cheese cake/food chocolate meat"),
    ("box", "chocolate"), ("pair", "shoe sock glove boot"), ("group", "student child/child tourist"),
)  # fmt: skip


def measure(draft: Draft) -> Nominal:
    """a cup of tea: une tasse de thé; a pair of shoes: une paire de chaussures."""
    head, content = draft.pick(MEASURES)
    noun = draft.lexicon.named(head)[0]
    inside = draft.noun(content)
    several = bool(noun.english_plural) and noun.english not in ("group", "pair") and draft.chance(0.25)
    name = draft.pick(tuple(NUMBERS)[:4]) if several else "a"
    quantity = noun_phrase(draft, noun, name, several, adjectives=())
    many = noun.english in ("pair", "group")
    what = leaf(inside.english_plural if many else inside.english, inside.french_plural if many else inside.french)
    return quantity._replace(phrase=join(quantity.phrase, leaf("of", "de"), what))


def measured(draft: Draft) -> Sentence:
    thing = measure(draft)
    text = " ".join(word.text for word in thing.phrase.english)
    subject = some_pronoun(draft) if draft.chance(0.6) else third_person(draft)
    names: tuple[str, ...] = (
        ("buy", "want")
        if "group" in text or "pair" in text or "bottle" in text or "box" in text
        else ("want", "order", "drink")
        if "glass" in text or "cup" in text
        else ("want", "eat", "buy")
    )
    if "group" in text:
        names = ("see",)
    verb = draft.pick(
        draft.lexicon.select(names, lambda v: v.english in names and v.frame == "t" and not v.link and "person" in v.subject)
    )
    mode = (
        draft.pick(("present", "past", "would like to"))
        if verb.is_state
        else draft.pick(("past", "past", "would like to", "want to", "will"))
    )
    if verb.is_state and mode == "would like to":
        return verb_clause(subject, Verb("like", "vouloir"), "would", thing.phrase), STOP
    asked = draft.chance(0.15)
    return say(draft, subject, Action(verb, thing.phrase), mode, "", asked), QUESTION if asked else STOP


FULL = (("street", "people/adult"), ("glass/cup", "water"), ("box", "book toy letter"), ("bag", "book money apple"), ("room", "flower people/adult"), ("bus", "people/adult student"),
        ("bottle", "milk water wine"), ("garden", "flower"), ("restaurant", "tourist people/adult"), ("park", "child/child tree"), ("sky", "star bird"))  # fmt: skip


def full_of(draft: Draft) -> Sentence:
    """the street is full of people: la rue est pleine de gens."""
    place, contents = draft.pick(FULL)
    subject = noun_phrase(draft, draft.lexicon.named(place)[0], draft.pick(("the", "the", "this")), adjectives=())
    noun = draft.noun(contents)
    inside = leaf(noun.english_plural or noun.english, noun.french_plural if noun.english_plural or noun.number else noun.french)
    full = leaf("full", "plein" + "e" * (subject.agreement.gender == "f"))
    return be_clause(subject, draft.pick(("present", "past")), join(full, leaf("of", "de"), inside)), STOP


# Passives


def passive(draft: Draft) -> Sentence:
    """the house was built in 1990: la maison a été construite en 1990."""
    verb = draft.pick(
        draft.lexicon.select(
            "passive",
            lambda v: (
                "passive" in v.traits
                and v.frame == "t"
                and not v.link
                and "person" in v.subject + " person"
                and v.base not in ("eat", "have")
            ),
        )
    )
    noun = draft.noun(verb.object)
    if noun.kind in ("person_name", "family") or noun.is_mass:
        raise DeadEnd
    subject = nominal_for(draft, noun, "def", deep=False)
    asked = draft.chance(0.12)
    done = leaf(
        " ".join([verb.english_form("participle"), verb.rest, verb.particle]).strip(),
        f"{verb.participle(subject.agreement)} {verb.french_rest}".strip(),
    )
    adverb = "" if asked else draft.pick(("", "", "", "", "not"))
    tense = draft.pick(("past", "past", "past", "past", "will"))
    phrase = be_clause(subject, tense, done, adverb, asked, passive=True)
    if draft.afford(2, 0.5) and not adverb:
        pool = {"adult person_name company": "family person_name adult"}.get(verb.subject, verb.subject)
        phrase = join(phrase, leaf("by", "par"), nominal_for(draft, draft.noun(pool), "def", deep=False).phrase)
    if tense == "past" and draft.afford(2, 0.5):
        phrase = join(
            phrase,
            adjuncts.date(draft, True)
            if verb.base in ("build", "sign", "write", "paint", "discover", "create", "elect")
            else adjuncts.when(draft, "past"),
        )
    return phrase, QUESTION if asked else STOP


# Small talk


FINE = (("well", "bien"), ("fine", "bien"), ("very well", "très bien"))


def fine(draft: Draft) -> Sentence:
    """i am fine: je vais bien."""
    subject = some_pronoun(draft) if draft.chance(0.7) else nominal_for(draft, draft.noun("family person_name"), "poss", deep=False)
    phrase = be_clause(subject, "present", leaf(*draft.pick(FINE)), draft.pick(("", "", "not")), verb="aller")
    if (
        phrase.english[-1].text == "well"
        and phrase.english[-2].text == "very"
        and any(word.text == "not" for word in phrase.english)
    ):
        raise DeadEnd
    return phrase, STOP


def thanks(draft: Draft) -> Sentence:
    """thank you for your help: merci pour votre aide."""
    spec = draft.pick(("help", "gift", "letter", "flower", "meal", "email", "message", "book", "advice", "coffee", "dinner"))
    noun = draft.lexicon.noun(spec)
    own = draft.pick(("your", "your", "the"))
    plural = noun.english == "flower"
    thing = noun_phrase(draft, noun, own, plural, adjectives=())
    thank = leaf(*draft.pick((("thank you", "merci"), ("thanks", "merci"))))
    return join(thank, leaf("for", "pour"), thing.phrase), STOP


def again(draft: Draft) -> Sentence:
    """the train is late again: le train est encore en retard."""
    word = leaf("again", "encore")
    if draft.chance(0.5):
        subject = (
            nominal_for(draft, draft.noun("train bus plane teacher boss person_name family"), "def", deep=False)
            if draft.chance(0.6)
            else some_pronoun(draft)
        )
        options = [
            a
            for a in predicate_adjectives(draft, subject)
            if a.english in ("late", "sick", "tired", "angry", "broken", "happy", "sad")
        ]
        if not options:
            raise DeadEnd
        adjective = draft.pick(options)
        quality = leaf(adjective.english, french_adjective(adjective, subject))
        return be_clause(subject, draft.pick(("present", "past")), arrange([quality, word], [word, quality])), STOP
    subject = it_weather_or_person(draft)
    verb = Verb("rain", "pleuvoir") if subject.noun is None and subject.pronoun == "it" else some_verb(draft, subject)
    if verb.is_state or {"pastonly", "state_present"} & verb.traits or verb.frame in ("t", "g", "p", "q", "h", "w", "c", "s"):
        raise DeadEnd
    action = complete(draft, subject, verb)
    if action.tail is not NOTHING:
        raise DeadEnd
    return join(say(draft, subject, action, "now" if draft.chance(0.7) and "moment" not in verb.traits else "present"), word), STOP


def it_weather_or_person(draft: Draft) -> Nominal:
    return Nominal(leaf("it", "il"), Agreement("m"), False, "it") if draft.chance(0.4) else somebody(draft)


def with_topic(draft: Draft) -> Sentence:
    """a book about history: un livre sur l'histoire; the end of the film: la fin du film."""
    if draft.chance(0.5):
        text = draft.noun("book film/media story song letter article text")
        head = noun_phrase(draft, text, draft.pick(("a", "a", "the", "this")), adjectives=())
        topic = nominal_for(
            draft,
            draft.noun("subject topic animal war life nature/nature love city country person_name history"),
            "generic",
            deep=False,
        )
        whole = head._replace(phrase=join(head.phrase, leaf("about", "sur"), topic.phrase))
        verb = draft.pick(
            draft.lexicon.select(
                "topic",
                lambda v: (
                    v.english in ("read", "write", "buy", "look for", "find", "like")
                    and v.frame == "t"
                    and "person" in v.subject + v.subject
                ),
            )
        )
        subject = somebody(draft)
        mode = (
            "present"
            if verb.is_state
            else draft.pick(("past", "past", "now" if "moment" not in verb.traits else "past", "want to", "will"))
        )
        return say(draft, subject, Action(verb, whole.phrase), mode), STOP
    part = draft.pick((("the end", "la", "fin", "f"), ("the beginning", "le", "début", "m"), ("the middle", "le", "milieu", "m")))
    of = nominal_for(
        draft,
        draft.noun(
            "film/media story book song night/day_part lesson week/time year/span holiday"
            if part[0] != "the middle"
            else "night/day_part street book room"
        ),
        "def",
        deep=False,
    )
    the, word = part[0].split()
    head = join(leaf(the, part[1]), leaf(word, part[2]), leaf("of", "de"), of.phrase)
    subject = somebody(draft)
    x = draft.rng.random()
    if x < 0.5 and part[0] != "the middle":
        verb = draft.pick(
            (
                Verb("like", "aimer", traits=frozenset({"state"})),
                Verb("know", "connaître", traits=frozenset({"state"})),
                Verb("remember", "se souvenir", link="de"),
            )
        )
        link = leaf("", verb.link)
        return verb_clause(subject, verb, "present", join(link, head), draft.pick(("", "", "not"))), STOP
    phrase = action_clause(draft, subject, draft.pick(("past", "past", "will")), plain=True)
    preposition = leaf("at" if part[0] != "the middle" else "in", "à")
    return join(phrase, preposition, head), STOP


def for_somebody(draft: Draft) -> Sentence:
    """i bought a book for my mother: pour ma mère."""
    subject = somebody(draft)
    verb = draft.pick(
        draft.lexicon.select(
            "for",
            lambda v: (
                v.frame == "t"
                and not v.link
                and v.base in ("buy", "make", "cook", "choose", "bring", "order", "prepare", "draw", "do")
                and "person" in v.subject
            ),
        )
    )
    mode = draft.pick(("past", "past", "will", "want to", "going"))
    action = complete(draft, subject, verb)
    phrase = say(draft, subject, action, mode)
    if draft.chance(0.4):
        words = [
            word
            for word in ("me", "you", "him", "her", "us", "them")
            if {"me": 1, "us": 1, "you": 2}.get(word, 3) != subject.agreement.person or subject.agreement.person == 3
        ]
        word = draft.pick(words)
        whom = leaf(word, CLITICS[word][2])
    else:
        whom = nominal_for(draft, draft.noun("family family person_name friend/adult child/child"), "poss", deep=False).phrase
    return with_adjuncts(draft, subject, action._replace(placed=True), mode, join(phrase, leaf("for", "pour"), whom)), STOP


def born(draft: Draft) -> Sentence:
    """he was born in japan in 1990: il est né au japon en 1990."""
    subject = somebody(draft)
    auxiliary = leaf(WAS[subject.who], conjugation.present("être")[subject.agreement.speaker])
    word = leaf("born", conjugation.agreeing("né", subject.agreement.gender, subject.agreement.plural))
    x = draft.rng.random()
    place = adjuncts.name_place(draft, draft.noun("city country"), "in") if x < 0.7 else NOTHING
    date = adjuncts.date(draft, True) if x > 0.55 else NOTHING
    asked = draft.chance(0.2)
    if asked:
        opening = draft.pick((leaf("where", "où"), leaf("when", "quand")))
        return assemble(subject, auxiliary, word, auxiliary, word, opening=opening, asked=True), QUESTION
    return assemble(subject, auxiliary, word, auxiliary, word, join(place, date)), STOP


def all_of(draft: Draft) -> Sentence:
    """every student reads: chaque étudiant lit; all the children: tous les enfants."""
    noun = draft.noun("student child/child teacher girl boy friend/adult animal tourist doctor player")
    if draft.chance(0.5) and noun.english_plural:
        subject = noun_phrase(draft, noun, "all the", True, adjectives=())
    else:
        subject = noun_phrase(draft, noun, "every", adjectives=())
    if draft.chance(0.3):
        return describe(draft, subject, draft.pick(("present", "past")), plain=True), STOP
    return action_clause(draft, subject, draft.pick(("past", "past", "present", "must", "will")), plain=True), STOP


def both_objects(draft: Draft) -> Sentence:
    """i bought bread and cheese: j'ai acheté du pain et du fromage; i like music and films."""
    subject = somebody(draft)
    verb = draft.pick(
        draft.lexicon.select(
            "both",
            lambda v: (
                v.frame == "t"
                and not v.link
                and v.english in ("buy", "eat", "drink", "like", "love", "want", "have", "see", "need")
                and "person" in v.subject
            ),
        )
    )
    if verb.base == "need":
        raise DeadEnd
    one = draft.noun(verb.object)
    if one.kind in ("person_name", "city", "country") or one.is_person:
        two = draft.noun("person_name family")
        one = draft.noun("person_name family")
    else:
        two = draft.noun(one.kind)
    style = "generic" if "generic" in verb.traits else "indef"
    left, right = (nominal_for(draft, noun, style, deep=False) for noun in (one, two))
    link = leaf("or", "ou") if draft.chance(0.15) else leaf("and", "et")
    mode = draft.pick(("present", "past")) if verb.is_state else draft.pick(("past", "past", "will", "want to"))
    asked = draft.chance(0.1)
    return say(draft, subject, Action(verb, join(left.phrase, link, right.phrase)), mode, "", asked), QUESTION if asked else STOP


def two_subjects(draft: Draft) -> Sentence:
    """tom and anna are playing; my brother and i went home."""
    one = nominal_for(draft, draft.noun("person_name family"), "poss", deep=False)
    two = nominal_for(draft, draft.noun("person_name family"), "poss", deep=False)
    me = draft.chance(0.2)
    gender = "f" if one.agreement.gender == two.agreement.gender == "f" and not me else "m"
    right = leaf("i", "moi") if me else two.phrase
    phrase = join(one.phrase, leaf("and", "et"), right)
    # mon frère et moi, nous: the verb is in the first person plural
    agreement = Agreement(gender, True, 1 if me else 3)
    subject = Nominal(phrase, agreement, True, "we" if me else "they", one.noun)
    if me:
        subject = subject._replace(phrase=Phrase(phrase.english, (*phrase.french, Mot("nous", phrase.english[-1:]))))
    if draft.chance(0.3):
        return describe(draft, subject, draft.pick(("present", "past"))), STOP
    return action_clause(draft, subject), STOP


EXTRAS: tuple[tuple[int, Callable[[Draft], Sentence]], ...] = (
    (3, everyone), (3, nobody), (3, nothing), (3, something), (2, belongs), (2, hurts), (1, illness), (2, looks), (2, becomes), (2, just), (2, been_to), (2, for_two_years),
    (1, best), (7, superlative), (2, more_than), (3, measured), (1, full_of), (5, passive), (1, fine), (1, thanks), (2, again), (2, with_topic), (3, for_somebody), (1, born),
    (2, all_of), (3, both_objects), (3, two_subjects),
)  # fmt: skip
DRAWN = tuple(build for weight, build in EXTRAS for _ in range(weight))


def extra(draft: Draft) -> Sentence:
    return draft.pick(DRAWN)(draft)
