"""Sentences of several clauses: joined by and, but, because, so, when, while, if, that; relative clauses; before and after."""

from collections.abc import Callable

from models.tasks.everyday import adjuncts, conjugation
from models.tasks.everyday.actions import Action, complete, object_word, say, some_verb, verbs_for, with_adjuncts
from models.tasks.everyday.clauses import POSSESSIVE, be_clause, english_verb, infinitive, verb_clause
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.nominals import Draft, Nominal, clitic, nominal_for, noun_phrase, pronoun, pronoun_for, some_pronoun
from models.tasks.everyday.reasons import FEELS, OF_SUBJECT, cause, explained, it
from models.tasks.everyday.simple import action_clause, describe, idiom, somebody, subject_to_describe, third_person
from models.tasks.translation.nominals import DeadEnd
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, echo, join, leaf

COMMA = (",", ",")
EVENT_MODES = ("present", "past", "past", "past", "will", "now")


def comma() -> Phrase:
    return leaf(*COMMA)


def deliberate(verb: Verb) -> bool:
    """Whether one can decide to do it: nobody plans to fall or to lose a key."""
    return not {"accident", "reaction"} & verb.traits


def because(draft: Draft, subject: Nominal | None = None) -> Phrase:
    subject = subject or somebody(draft)
    negated = draft.chance(0.35)
    action, tag = explained(draft, subject, verbs_for(draft, subject), negated)
    mode = "imperfect" if False else draft.pick(("past", "past", "past", "now", "present", "will", "want to", "can"))
    if action.verb.is_state:
        mode = draft.pick(("present", "past"))
    if mode not in ("past", "now", "present") and not deliberate(action.verb):
        mode = "past"
    if mode == "now" and ("state_present" in action.verb.traits or "moment" in action.verb.traits or action.verb.frame == "s"):
        mode = "past"
    if mode == "can" and not negated:
        mode = "past"
    main = say(draft, subject, action, mode, "not" if negated else "")
    if mode == "past" and not negated and draft.afford(2, 0.2):
        main = with_adjuncts(draft, subject, action, mode, main)
    why = cause(draft, tag, subject, action.object, "past" if mode == "past" else "present")
    return join(main, leaf("because", "parce que"), why)


def subject_cause(draft: Draft, subject: Nominal, negated: bool, verbs: tuple[Verb, ...] | None = None) -> tuple[Action, str]:
    """An action with a cause that lies in the subject or the weather, so that the cause can be said first."""
    for _ in range(8):
        action, tag = explained(draft, subject, verbs or verbs_for(draft, subject), negated)
        if tag in OF_SUBJECT or tag in FEELS or tag in ("rain", "nice", "late_night", "dark", "no_money", "money"):
            return action, tag
    raise DeadEnd


def cause_first(draft: Draft, tag: str, subject: Nominal, tense: str) -> tuple[Phrase, Nominal]:
    """The cause with the subject in full, and the pronoun with which the sentence goes on."""
    who = pronoun_for(subject)
    if tag not in OF_SUBJECT and tag not in FEELS:
        return cause(draft, tag, subject, None, tense), subject
    phrase = cause(draft, tag, subject, None, tense)
    full = Phrase(subject.phrase.english + phrase.english[1:], subject.phrase.french + phrase.french[1:])
    return full, who


def so(draft: Draft) -> Phrase:
    subject = somebody(draft)
    negated = draft.chance(0.3)
    action, tag = subject_cause(draft, subject, negated)
    if action.verb.is_state or not deliberate(action.verb):
        raise DeadEnd
    past = draft.chance(0.5)
    first, who = cause_first(draft, tag, subject, "past" if past else "present")
    mode = (
        "past"
        if past
        else draft.pick(("going", "will", "want to", "must", "would like to") if not negated else ("can", "want to", "will"))
    )
    comma_or_not = comma() if draft.chance(0.4) else NOTHING
    return join(first, comma_or_not, leaf("so", "donc"), say(draft, who, action, mode, "not" if negated else ""))


def as_cause(draft: Draft) -> Phrase:
    """as he was tired, he slept: comme il était fatigué."""
    subject = somebody(draft)
    action, tag = subject_cause(draft, subject, False)
    if action.verb.is_state or not deliberate(action.verb):
        raise DeadEnd
    first, who = cause_first(draft, tag, subject, "past")
    return join(leaf("as", "comme"), first, comma(), say(draft, who, action, "past"))


def if_present(draft: Draft) -> Phrase:
    """if it rains, we will stay at home; if you are tired, you should rest."""
    subject = (
        some_pronoun(draft, ("you", "you", "you", "i", "we", "he", "she", "they")) if draft.chance(0.75) else third_person(draft)
    )
    negated = draft.chance(0.25)
    action, tag = subject_cause(draft, subject, negated)
    if action.verb.is_state or not deliberate(action.verb):
        raise DeadEnd
    first, who = cause_first(draft, tag, subject, "present")
    mode = draft.pick(("will", "will", "should", "can", "must") if not negated else ("should", "will"))
    main = say(draft, who, action, mode, "not" if negated else "")
    if draft.chance(0.3):
        if who is not subject:
            raise DeadEnd
        return join(main, leaf("if", "si"), first)
    return join(leaf("if", "si"), first, comma(), main)


RICH = (
    ("had money", "avoir", "de l' argent"),
    ("had time", "avoir", "le temps"),
    ("had a car", "avoir", "une voiture"),
    ("were rich", "être", "riche"),
    ("were free", "être", "libre"),
)
WOULD = frozenset("buy go travel help eat live visit read learn sleep call come drink stay sell give".split())


def if_past(draft: Draft) -> Phrase:
    """if i had money, i would buy a car: si j'avais de l'argent, j'achèterais une voiture."""
    subject = some_pronoun(draft, ("i", "i", "i", "we", "he", "she", "you", "they"))
    verb = draft.pick(
        [v for v in draft.lexicon.verbs_of["adult"] if v.base in WOULD and "+" not in v.english and v.rest in ("", "home")]
    )
    action = complete(draft, subject, verb)
    condition, infinitive_word, rest = draft.pick(RICH)
    head, *words = condition.split()
    key = subject.agreement.speaker
    finite = leaf(head, conjugation.imperfect(infinitive_word)[key])
    if infinitive_word == "être":
        rest += "s" * subject.agreement.plural
    clause = join(subject.phrase, finite, leaf(" ".join(words), rest))
    again = pronoun(subject.pronoun, subject.agreement.gender)
    would = verb_clause(again, verb, "would", action.tail, "", False, action.clitic)
    if draft.chance(0.3):
        return join(would, leaf("if", "si"), clause)
    return join(leaf("if", "si"), clause, comma(), would)


INTERRUPTIONS = ("arrive", "come back", "go out", "fall", "leave", "come in")


def when_past(draft: Draft) -> Phrase:
    """i was reading when he arrived; when i came home, she was sleeping."""
    first = somebody(draft)
    verb = lasting_verb(draft, first)
    action = complete(draft, first, verb)
    during = say(draft, first, action, "then")
    if draft.chance(0.35):
        event = draft.pick(
            (
                ("the phone rang", "le téléphone a sonné"),
                ("it began to rain", "il a commencé à pleuvoir"),
                ("the light went out", "la lumière s' est éteinte"),
                ("the train left", "le train est parti"),
            )
        )
        english, french = event[0].split(), event[1].split()
        if event[0] == "the phone rang":
            happened = verb_clause(
                noun_phrase(draft, draft.lexicon.noun("phone"), "the", adjectives=()), Verb("ring", "sonner"), "past"
            )
        elif event[0] == "it began to rain":
            happened = verb_clause(
                it(), Verb("begin", "commencer"), "past", infinitive(it(), Verb("rain", "pleuvoir"), to="to", link="à")
            )
        else:
            happened = verb_clause(
                noun_phrase(draft, draft.lexicon.noun("train"), "the", adjectives=()), Verb("leave", "partir"), "past"
            )
        del english, french
    else:
        other = another(draft, first)
        happened = say(
            draft,
            other,
            Action(
                next(
                    v
                    for v in draft.lexicon.verbs
                    if v.english == draft.pick(("arrive", "come back", "go out", "leave", "come in")) or v.english == "arrive"
                )
            ),
            "past",
        )
    if draft.chance(0.5):
        return join(leaf("when", "quand"), happened, comma(), during)
    return join(during, leaf("when", "quand"), happened)


def another(draft: Draft, first: Nominal) -> Nominal:
    """Somebody who is not the first."""
    for _ in range(6):
        other = somebody(draft)
        if other.agreement.person != first.agreement.person or (
            other.agreement.person == 3 and other.noun and first.pronoun != other.pronoun
        ):
            return other
    raise DeadEnd


def lasting_verb(draft: Draft, subject: Nominal) -> Verb:
    for _ in range(12):
        verb = some_verb(draft, subject)
        if not ({"moment", "state_present"} & verb.traits) and not verb.is_state and verb.frame not in ("s", "q", "h", "c", "w"):
            return verb
    raise DeadEnd


def childhood(draft: Draft) -> Phrase:
    """when i was young, i lived in paris: imperfect on both sides."""
    subject = somebody(draft)
    if (subject.plural and subject.noun) or (subject.noun and subject.noun.kind == "child"):
        raise DeadEnd
    who = pronoun_for(subject)
    young = draft.pick(("young", "young", "small", "a child"))
    if young == "a child":
        complement = join(leaf("a", ""), leaf("child", "enfant" + "s" * subject.agreement.plural))
        if subject.plural:
            complement = leaf("children", "enfants")
    else:
        word = {"young": "jeune", "small": "petit"}[young]
        ending = "e" * (word == "petit" and subject.agreement.gender == "f") + "s" * subject.agreement.plural
        complement = leaf(young, word + ending)
    when = join(leaf("when", "quand"), be_clause(subject, "past", complement))
    verb = some_verb(draft, who)
    if {"moment", "pastonly", "state_present"} & verb.traits or verb.frame in ("s", "q") or verb.base in ("die", "drive", "work"):
        raise DeadEnd
    adverb = draft.pick(("", "often", "always")) if not verb.is_state else ""
    action = complete(draft, who, verb)
    main = verb_clause(who, verb, "imperfect", action.tail, adverb, False, action.clitic)
    return join(when, comma(), main) if draft.chance(0.7) or subject.noun else join(main, when)


def used_to(draft: Draft) -> Phrase:
    """used to play: jouait."""
    subject = somebody(draft)
    verb = some_verb(draft, subject)
    if {"moment", "pastonly", "state_present", "nocommand"} & verb.traits or verb.frame in ("s", "q", "h", "c", "w"):
        raise DeadEnd
    action = complete(draft, subject, verb)
    used = Verb(f"use to {verb.english}", verb.french, traits=verb.traits)
    phrase = verb_clause(subject, used, "imperfect", action.tail, "", False, action.clitic)
    return (
        join(phrase, adjuncts.place_of(draft, draft.pick(verb.where)))
        if verb.where and not action.placed and draft.afford(3, 0.4)
        else phrase
    )


def when_future(draft: Draft) -> Phrase:
    """when he arrives, we will eat: quand il arrivera, nous allons manger."""
    first = somebody(draft)
    verb = draft.pick([v for v in draft.lexicon.verbs if "future" in v.traits and v.frame in ("i", "a", "d")])
    if first.noun and verb not in draft.lexicon.done_by(first.noun):
        raise DeadEnd
    draft.verbs.add(verb.english)
    action = complete(draft, first, verb)
    clause = verb_clause(first, verb, "when", action.tail, "", False, action.clitic)
    main_subject = another(draft, first) if draft.chance(0.6) else pronoun_for(first)
    second = some_verb(draft, main_subject)
    if second.is_state or {"pastonly", "nocommand", "state_present"} & second.traits or second.frame in ("h", "w", "c", "q"):
        raise DeadEnd
    action = complete(draft, main_subject, second)
    main = say(draft, main_subject, action, "will")
    if draft.chance(0.5):
        return join(leaf("when", "quand"), clause, comma(), main)
    return (
        join(main, leaf("when", "quand"), clause)
        if main_subject.noun or main_subject.agreement.person < 3
        else join(leaf("when", "quand"), clause, comma(), main)
    )


def when_habit(draft: Draft) -> Phrase:
    """when it rains, we stay at home; when i am tired, i sleep."""
    subject = somebody(draft)
    action, tag = subject_cause(draft, subject, False)
    if action.verb.is_state or tag in ("old", "young", "clever", "late_night", "money", "no_money"):
        raise DeadEnd
    if tag == "rain":
        first, who = verb_clause(it(), Verb("rain", "pleuvoir"), draft.pick(("present", "now"))), subject
    else:
        first, who = cause_first(draft, tag, subject, "present")
    adverb = draft.pick(("", "", "always", "often", "never")) if "moment" not in action.verb.traits else ""
    main = say(draft, who, action, "present", adverb if not (adverb == "never") else "")
    return join(leaf("when", "quand"), first, comma(), main)


def while_clause(draft: Draft) -> Phrase:
    first = somebody(draft)
    second = another(draft, first)
    tense = draft.pick(("now", "then", "then"))
    one, two = lasting_verb(draft, first), lasting_verb(draft, second)
    left, right = say(draft, first, complete(draft, first, one), tense), say(draft, second, complete(draft, second, two), tense)
    if draft.chance(0.5):
        return join(left, leaf("while", "pendant que"), right)
    return join(leaf("while", "pendant que"), left, comma(), right)


SEQUENCES = tuple(  # what one does after what; a noun after the colon is the object
    tuple(line.split(","))
    for line in """wake up,get up|get up,wash|get up,have breakfast|wash,get dressed|get dressed,go out|open:door,go out|open:door,come in|open:window,sit down
    take:bus,go home|take:train,come back|sit down,read|sit down,wait|sit down,order:coffee|go home,rest|go home,have dinner|go home,go to bed|come back,sit down
    buy:bread,go home|buy:newspaper,sit down|cook:soup,eat:soup|cook:fish/food_mass,eat|eat,go to bed|finish:homework,go out|finish:work/work,go home|close:door,leave
    close:window,go to bed|turn+off:light,go to bed|turn+off:television,go out|take+off:coat,sit down|put+on:coat,go out|take:umbrella,go out|read,fall asleep
    have dinner,do the dishes|have lunch,rest|fall,cry|sit down,cry|sing,dance|eat,drink:water|drink:coffee,leave|take:key,leave|lock:door,leave|find:key,come in
    go out,take:taxi|buy:ticket,take:train|have breakfast,leave|rest,sleep|wait,leave|make:coffee,sit down|come in,sit down|turn+on:light,read|open:letter,cry
    open:gift,smile|wash,go to bed|make:cake/food,eat:cake/food|buy:flower,come back|turn+on:computer,write:email|open:book/text,read|run,fall|dance,laugh""".replace(
        "\n", "|"
    ).split("|")
)


def named_action(draft: Draft, subject: Nominal, token: str, said: str = "") -> Action:
    """The action that a sequence names; an object that was said before becomes a pronoun."""
    name, _, thing = token.strip().partition(":")
    found = draft.lexicon.select(
        name,
        lambda v: (
            v.english == name
            and v.subject in ("person", "", *PEOPLE_SUBJECTS)
            and (v.frame in ("t", "g") if thing else v.frame not in ("t", "g"))
        ),
    )
    if not found:
        found = draft.lexicon.select(("any", name), lambda v: v.english == name)
    verb = found[0]
    if not thing:
        return Action(verb)
    noun = draft.lexicon.named(thing)[0]
    if thing == said:
        return Action(verb, NOTHING, clitic("it", noun.gender))
    own = thing in ("coat", "homework", "key")
    mass = noun.is_mass
    plural = thing in ("flower", "key")
    draft.room = 0
    name = (
        (
            "some"
            if mass
            else "a"
            if thing in ("ticket", "taxi", "letter", "email", "cake/food", "newspaper", "soup", "gift")
            else "the"
        )
        if not own
        else POSSESSIVE[subject.pronoun]
    )
    if thing in ("work/work",):
        name = POSSESSIVE[subject.pronoun]
    if plural and not own:
        name = "some"
    nominal = noun_phrase(draft, noun, name, plural and bool(noun.english_plural), adjectives=())
    return Action(verb, nominal.phrase, None, nominal)


PEOPLE_SUBJECTS = ("person cat dog", "person baby", "person bird", "person animal baby", "person train bus plane")


def same_subject(draft: Draft) -> Phrase:
    """she opened the door and went out: two actions of one subject that follow one another."""
    subject = somebody(draft)
    first, second = draft.pick(SEQUENCES)
    one, two = named_action(draft, subject, first), None
    two = named_action(draft, subject, second, first.partition(":")[2])
    mode = draft.pick(("past", "past", "past", "past", "will", "present", "want to"))
    if not (deliberate(one.verb) and deliberate(two.verb)):
        mode = "past"
    left = say(draft, subject, one, mode)
    link = leaf("and", "et") if draft.chance(0.75) else join(leaf("and", "et"), leaf("then", "puis"))
    if mode in ("past", "present"):
        # a reflexive verb needs its subject again in French: et elle s'est assise
        again = Phrase((), pronoun_for(subject).phrase.french) if two.verb.is_reflexive else NOTHING
        bare = subject._replace(phrase=Phrase((), tuple([mot._replace(sources=subject.phrase.english) for mot in again.french])))
        return join(left, link, say(draft, bare, two, mode))
    return join(left, leaf("and", "et"), infinitive(subject, two.verb, two.tail, clitic=two.clitic))


def two_people(draft: Draft, first: Nominal | None = None) -> Phrase:
    """my brother plays football and my sister plays the piano: one field, one tense."""
    first = first or somebody(draft)
    second = another(draft, first)
    verb = some_verb(draft, first)
    mode = draft.pick(("present", "past", "past", "now", "will"))
    if verb.is_state:
        mode = draft.pick(("present", "past"))
    elif (
        {"pastonly", "accident"} & verb.traits
        or ("moment" in verb.traits and mode in ("now", "present"))
        or ("state_present" in verb.traits and mode == "now")
    ):
        mode = "past"
    options = [
        v
        for v in verbs_for(draft, second)
        if v.field == verb.field
        and v.is_state == verb.is_state
        and ("moment" in v.traits) == ("moment" in verb.traits)
        and not ({"pastonly", "state_present"} & v.traits)
    ]
    if not options:
        raise DeadEnd
    left = say(draft, first, complete(draft, first, verb), mode)
    right_verb = draft.pick(options)
    if right_verb is verb and verb.frame in ("i", "h"):
        raise DeadEnd
    but = draft.chance(0.25)
    right = say(draft, second, complete(draft, second, right_verb, but), mode, "not" if but else "")
    return join(left, leaf("but", "mais") if but else leaf("and", "et"), right)


OBSTACLES = ("tired", "sick", "busy", "rain", "no_money", "late_night")


def but_obstacle(draft: Draft) -> Phrase:
    """she wants to go out but she is tired."""
    subject = somebody(draft)
    for _ in range(10):
        verb = some_verb(draft, subject)
        tags = [
            tag for tag in verb.why_not if tag in OBSTACLES or tag in ("cold", "hot", "afraid", "expensive", "difficult", "closed")
        ]
        if tags and not verb.is_state and deliberate(verb):
            break
    else:
        raise DeadEnd
    action = complete(draft, subject, verb)
    past = draft.chance(0.4)
    main = say(draft, subject, action, draft.pick(("want to", "would like to", "have to")) if not past else "want to past")
    return join(main, leaf("but", "mais"), cause(draft, draft.pick(tags), subject, action.object, "past" if past else "present"))


LOOK_FOR, FIND = Verb("look for", "chercher", "t"), Verb("find", "trouver", "t")


def searched(draft: Draft) -> Phrase:
    subject = somebody(draft)
    action = complete(draft, subject, next(v for v in draft.lexicon.verbs if v.english == "look for"))
    if action.object is None or not action.object.definite:
        raise DeadEnd
    who = pronoun_for(subject)
    found = verb_clause(who, FIND, "past", adverb="not", clitic=object_word(action.object))
    return join(say(draft, subject, action, "past"), leaf("but", "mais"), found)


def two_states(draft: Draft) -> Phrase:
    """he is tired and he wants to sleep; the car is old but it is beautiful."""
    subject = subject_to_describe(draft)
    tense = draft.pick(("present", "past"))
    first = describe(draft, subject, tense, plain=True)
    who = pronoun_for(subject)
    said_first = first.english[-1].text
    second = describe(draft, who._replace(traits=(*subject.traits, said_first)), tense, plain=True)
    said_second = second.english[-1].text
    opposed = (said_first in BAD) != (said_second in BAD)
    if any({said_first, said_second} <= group for group in SAME_FIELD):
        raise DeadEnd
    if said_second == said_first or (opposed and not {said_first, said_second} & (GOOD | BAD)):
        raise DeadEnd
    return join(first, leaf("but", "mais") if opposed else leaf("and", "et"), second)


SAME_FIELD = tuple(
    frozenset(words.split())
    for words in (
        "big small little tall short huge tiny long high wide large",
        "new old young modern",
        "red blue green yellow black white brown grey pink purple orange blond",
        "french english german italian spanish american chinese japanese russian european",
    )
)
BAD = frozenset(
    """bad ugly mean terrible strange wrong late sad angry tired sick ill worried nervous jealous disappointed noisy stupid lazy weak poor
    crazy fat dangerous wet dirty empty closed broken hard slow dark expensive spicy difficult complicated boring old heavy small short""".split()
)
GOOD = frozenset(
    """good great beautiful pretty nice kind friendly perfect wonderful amazing important ready free happy glad calm quiet brave smart
    intelligent clever strong rich famous honest funny safe fresh clean open fast quick bright cheap delicious easy simple useful interesting fun
    popular comfortable new modern young light""".split()
)


# That


THINK = {  # English verb, its French, whether it may be denied
    "know": Verb("know", "savoir", traits=frozenset({"state"})),
    "think": Verb("think", "penser", traits=frozenset({"state"})),
    "believe": Verb("believe", "croire", traits=frozenset({"state"})),
    "hope": Verb("hope", "espérer", traits=frozenset({"state"})),
    "say": Verb("say", "dire"),
    "understand": Verb("understand", "comprendre"),
    "forget": Verb("forget", "oublier"),
    "see": Verb("see", "voir"),
}


def that(draft: Draft) -> Phrase:
    """i think that …, he said that he was tired."""
    subject = somebody(draft)
    name = draft.pick(("know", "know", "think", "think", "think", "believe", "hope", "say", "say", "say", "forget", "see"))
    verb = THINK[name]
    past = draft.chance(0.9 if name in ("say", "forget", "see") else 0.25)
    adverb = "not" if name in ("know", "say") and draft.chance(0.15) else ""
    main = verb_clause(subject, verb, ("imperfect" if verb.is_state else "past") if past else "present", adverb=adverb)
    word = leaf("that" if draft.chance(0.65) else "", "que")
    inner = subject_to_describe(draft) if draft.chance(0.4) else None
    if inner is None and draft.chance(0.4):
        inner = pronoun_for(subject)
    if past:
        inner = inner or third_person(draft)
        clause = (
            idiom(draft, inner, "past") if inner.is_person and draft.chance(0.25) else describe(draft, inner, "past", plain=True)
        )
        return join(main, word, clause)
    if inner is not None and not (inner.noun is None and draft.chance(0.5)):
        return join(main, word, describe(draft, inner, "present", plain=True))
    who = inner or another(draft, subject)
    mode = draft.pick(("will", "will", "going")) if name == "hope" else draft.pick(("present", "past", "will", "want to", "can"))
    return join(main, word, action_clause(draft, who, mode, plain=True))


def hope_well(draft: Draft) -> Phrase:
    subject = some_pronoun(draft, ("i", "i", "we"))
    main = verb_clause(subject, THINK["hope"], "present")
    other = some_pronoun(draft, ("you", "you", "he", "she", "they"))
    return join(
        main, leaf("that" if draft.chance(0.5) else "", "que"), be_clause(other, "present", leaf("well", "bien"), verb="aller")
    )


def indirect_question(draft: Draft) -> Phrase:
    """i do not know where he lives; do you know what she wants."""
    subject = some_pronoun(draft, ("i", "i", "i", "we", "he", "she", "they"))
    asked = draft.chance(0.4)
    subject = pronoun("you") if asked else subject
    x = draft.rng.random()
    if x < 0.3:
        thing = nominal_for(
            draft,
            draft.noun("thing device station hospital bank/institution person_name family pet museum toilet hotel"),
            "def",
            deep=False,
        )
        be = leaf("are" if thing.plural else "is", conjugation.present("être")[thing.agreement.speaker])
        where = leaf("where", "où")
        inner = arrange([where, thing.phrase, be], [where, be, thing.phrase])
    elif x < 0.5:
        other = another(draft, subject)
        verb = draft.pick(
            [
                v
                for v in draft.lexicon.verbs_of["adult"]
                if v.frame == "t"
                and not v.link
                and v.base in ("want", "buy", "eat", "drink", "like", "read", "choose", "make", "find", "see")
            ]
        )
        if verb.english in draft.verbs:
            raise DeadEnd
        mode = draft.pick(("present", "past"))
        inner = join(leaf("what", "ce que"), say(draft, other, Action(verb), mode))
    else:
        other = another(draft, subject)
        verb = some_verb(draft, other)
        if (
            (verb.is_state and verb.frame != "l")
            or {"pastonly", "nocommand", "state_present"} & verb.traits
            or verb.frame in ("q", "c")
        ):
            raise DeadEnd
        word, french = draft.pick((("why", "pourquoi"), ("if", "si"), ("when", "quand"), ("where", "où"), ("how", "comment")))
        if verb.frame == "l":
            word, french, action = "where", "où", Action(verb)
        elif word == "where" or verb.frame in ("h", "w"):
            word, french = "why", "pourquoi"
            action = complete(draft, other, verb)
        else:
            action = complete(draft, other, verb)
        mode = "present" if verb.is_state else draft.pick(("past", "past", "will", "want to"))
        if word == "when" and mode == "want to":
            mode = "will"
        inner = join(leaf(word, french), say(draft, other, action, mode))
    main = verb_clause(subject, THINK["know"], "present", adverb="" if asked else "not", asked=asked)
    return join(main, inner)


# Relative clauses


def subject_relative(draft: Draft) -> Phrase:
    """the dog that barked is brown; i know the man who lives here."""
    noun = draft.noun("adult child profession animal pet")
    if noun.english in ("people",):
        raise DeadEnd
    plural = bool(noun.english_plural) and draft.chance(0.2)
    head = noun_phrase(draft, noun, "the", plural, adjectives=() if draft.chance(0.7) else None)
    who = head._replace(phrase=leaf(draft.pick(("who", "who", "that")) if noun.is_person else "that", "qui"))
    inner = action_clause(draft, who, draft.pick(("past", "past", "present", "now")), plain=True)
    whole = head._replace(phrase=join(head.phrase, inner))
    draft.owner = ""
    if draft.chance(0.5):
        return describe(draft, whole, draft.pick(("present", "past")), plain=True)
    subject = some_pronoun(draft)
    verb = draft.pick(
        [
            v
            for v in draft.lexicon.verbs
            if v.english in ("see", "know", "meet", "look for", "look at", "hear") and v.frame == "t" and "person" in v.subject
        ]
    )
    if not noun.is_person and verb.base in ("meet", "know"):
        raise DeadEnd
    return say(draft, subject, Action(verb, whole.phrase, None, whole), "past" if not verb.is_state else "present")


MADE = frozenset("buy read see write find lose eat choose sell watch make wear take bring receive draw build paint visit".split())


def object_relative(draft: Draft) -> Phrase:
    """the book that i bought is interesting: le livre que j'ai acheté."""
    verb = draft.pick(
        [
            v
            for v in draft.lexicon.verbs_of["adult"]
            if v.frame == "t" and not v.link and v.base in MADE and not v.particle and not v.rest
        ]
    )
    noun = draft.noun(verb.object)
    if noun.kind in ("person_name", "city", "country", "family", "language", "subject") or noun.is_person:
        raise DeadEnd
    plural = bool(noun.english_plural) and not noun.is_mass and draft.chance(0.25)
    head = noun_phrase(draft, noun, "the", plural, adjectives=())
    who = somebody(draft)
    word = leaf("that" if draft.chance(0.6) else "", "que")
    mode = draft.pick(("past", "past", "past", "now")) if "moment" not in verb.traits else "past"
    inner = verb_clause(who, verb, mode, preceding=head.agreement)
    whole = head._replace(phrase=join(head.phrase, word, inner))
    if draft.chance(0.6):
        return describe(draft, whole, "present" if mode == "now" else draft.pick(("present", "past")), plain=True)
    subject = another(draft, who)
    other = draft.pick(
        [
            v
            for v in draft.lexicon.verbs
            if v.english in ("like", "see", "look for", "find", "want", "lose")
            and v.frame == "t"
            and "person" in v.subject
            and v.english != verb.english
        ]
    )
    return say(
        draft, subject, Action(other, whole.phrase, None, whole), draft.pick(("present", "past")) if other.is_state else "past"
    )


# Before, after, in order to

GOALS = {  # where: what one does there
    "bank/institution": (("get some money", "retirer de l' argent"),),
    "supermarket": (
        ("buy some bread", "acheter du pain"),
        ("buy some milk", "acheter du lait"),
        ("buy some food", "acheter de la nourriture"),
    ),
    "bakery": (("buy some bread", "acheter du pain"), ("buy a cake", "acheter un gâteau")),
    "market": (
        ("buy some fruit", "acheter des fruits"),
        ("buy some cheese", "acheter du fromage"),
        ("buy vegetables", "acheter des légumes"),
    ),
    "station": (("take the train", "prendre le train"), ("wait for my friend", "attendre mon ami")),
    "airport": (("take the plane", "prendre l' avion"),),
    "restaurant": (("eat", "manger"), ("have dinner", "dîner"), ("have lunch", "déjeuner")),
    "library": (("read", "lire"), ("study", "étudier"), ("borrow a book", "emprunter un livre")),
    "beach": (("swim", "nager"), ("rest", "se reposer")),
    "park": (("run", "courir"), ("play", "jouer"), ("go for a walk", "se promener")),
    "cinema": (("watch a film", "regarder un film"),),
    "post_office": (("send a letter", "envoyer une lettre"),),
    "hospital": (("see a doctor", "voir un médecin"), ("visit my grandmother", "rendre visite à ma grand-mère")),
    "school": (("learn french", "apprendre le français"), ("learn english", "apprendre l' anglais")),
    "kitchen": (("cook", "cuisiner"), ("make some coffee", "faire du café"), ("drink some water", "boire de l' eau")),
    "stadium": (("watch the match", "regarder le match"),),
}


def chunk(subject: Nominal, english: str, french: str, to: str, link: str) -> Phrase:
    """A fixed action as an infinitive, its verb and its object linked apart."""
    head, _, tail = english.partition(" ")
    words = french.split()
    cut = 2 if words[0] in ("se", "s'") or words[0] == "rendre" else 1
    if english in ("go for a walk", "have dinner", "have lunch", "see a doctor"):
        head, tail, cut = english, "", len(words)
    verb = Verb(head, " ".join(words[:cut]))
    if head == "wait":
        verb, tail = Verb("wait for", "attendre"), tail.removeprefix("for ")
    return infinitive(subject, verb, leaf(tail, " ".join(words[cut:])), to, link)


def purpose(draft: Draft) -> Phrase:
    """i went to the bank to get some money: pour retirer de l'argent."""
    subject = somebody(draft)
    place = draft.pick(tuple(GOALS))
    noun = draft.lexicon.named(place)[0]
    if place == "school" and draft.chance(0.5):
        goal = adjuncts.place_to_school()
    else:
        goal = adjuncts.noun_place(draft, noun, ("to",))
    english, french = draft.pick(GOALS[place])
    if "my" in english.split() and subject.pronoun != "i":
        raise DeadEnd
    mode = draft.pick(("past", "past", "past", "now", "will", "present", "want to"))
    go = next(v for v in draft.lexicon.verbs if v.english == "go")
    main = say(draft, subject, Action(go, goal), mode)
    return join(main, chunk(subject, english, french, "to", "pour"))


BEFORE_AFTER = frozenset("eat read write wash sleep work play cook leave watch drink call finish clean close open go".split())


def before_after(draft: Draft) -> Phrase:
    """before going out, she closed the door; after eating, we slept."""
    subject = somebody(draft)
    verbs = [
        v
        for v in verbs_for(draft, subject)
        if v.base in BEFORE_AFTER and not v.is_state and v.frame not in ("h", "g") and "state_present" not in v.traits
    ]
    if not verbs:
        raise DeadEnd
    first = draft.pick(verbs)
    draft.verbs.add(first.english)
    action = complete(draft, subject, first)
    before = draft.chance(0.6)
    if before:
        part = infinitive(subject, first, action.tail, "before", "avant de", action.clitic, "ing")
    else:
        if first.takes_etre or action.clitic:
            raise DeadEnd
        opener, spoken = leaf("after", "après"), english_verb(first, "ing", subject)
        rest = f"{first.participle(None)} {first.french_rest}".strip()
        part = join(opener, arrange([spoken], [echo(spoken, f"avoir {rest}")]), action.tail)
    second = some_verb(draft, subject)
    if second.is_state or {"pastonly", "state_present"} & second.traits or not deliberate(second):
        raise DeadEnd
    mode = draft.pick(("past", "past", "will", "present" if "moment" not in second.traits else "past"))
    who = pronoun_for(subject)
    if draft.chance(0.5):
        own_action = complete(draft, subject, second)
        return join(part, comma(), say(draft, subject, own_action, mode))
    del who
    return join(say(draft, subject, complete(draft, subject, second), mode), part)


def had_left(draft: Draft) -> Phrase:
    """when we arrived, the train had left."""
    first = somebody(draft)
    vehicle = (
        noun_phrase(draft, draft.lexicon.noun(draft.pick(("train", "bus", "plane"))), "the", adjectives=())
        if draft.chance(0.6)
        else another(draft, first)
    )
    leave = next(v for v in draft.lexicon.verbs if v.french == "partir")
    gone = verb_clause(vehicle, leave, "had", adverb=draft.pick(("", "already")))
    arrive = next(v for v in draft.lexicon.verbs if v.english == "arrive")
    came = say(draft, first, complete(draft, first, arrive), "past")
    x = draft.rng.random()
    if x < 0.4:
        return join(leaf("when", "quand"), came, comma(), gone)
    return join(gone, leaf("when", "quand"), came) if x < 0.7 else join(came, leaf("but", "mais"), gone)


COMPOUND: tuple[tuple[int, Callable[[Draft], Phrase]], ...] = (
    (9, because), (5, so), (2, as_cause), (4, if_present), (3, if_past), (5, when_past), (3, childhood), (2, used_to), (5, when_future), (3, when_habit),
    (3, while_clause), (8, same_subject), (7, two_people), (5, but_obstacle), (1, searched), (5, two_states), (8, that), (1, hope_well), (5, subject_relative),
    (6, object_relative), (5, purpose), (4, before_after), (2, had_left),
)  # fmt: skip
DRAWN = tuple(build for weight, build in COMPOUND for _ in range(weight))
