"""Sentences of one clause: statements, descriptions, questions, commands, weather, time, existence."""

from collections.abc import Callable

from models.tasks.everyday import adjuncts, conjugation
from models.tasks.everyday.actions import (
    HABIT,
    TIME_OF,
    Action,
    choose_mode,
    complete,
    other_person,
    say,
    some_verb,
    verbs_for,
    with_adjuncts,
)
from models.tasks.everyday.clauses import AM, POSSESSIVE, WAS, assemble, be_clause, command, infinitive, verb_clause
from models.tasks.everyday.lexicon import Adjective, Noun, Verb
from models.tasks.everyday.nominals import (
    CLITICS,
    NUMBERS,
    Draft,
    Nominal,
    nominal_for,
    noun_phrase,
    pronoun,
    proper,
    some_pronoun,
    which,
)
from models.tasks.translation.lexicon import Agreement
from models.tasks.translation.nominals import DeadEnd
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, echo, join, leaf

STOP, QUESTION, SHOUT = ".", "?", "!"
Sentence = tuple[Phrase, str]
COMMA = (",", ",")


# Subjects


def remembered(draft: Draft, subject: Nominal) -> Nominal:
    """Keep the first subject, so that the sentence can go on about it."""
    draft.topic = draft.topic or subject
    return subject


def any_subject(draft: Draft, asked: bool = False) -> Nominal:
    if draft.given:
        subject, draft.given = draft.given, None
        return subject
    return remembered(draft, _any_subject(draft, asked))


def _any_subject(draft: Draft, asked: bool) -> Nominal:
    x = draft.rng.random()
    if asked and x < 0.5:
        return some_pronoun(draft, ("you", "you", "you", "you", "he", "she", "they", "we", "i"))
    if x < 0.42:
        return some_pronoun(draft)
    if x < 0.86:
        return nominal_for(draft, draft.noun("family family person_name person_name adult profession child"), "def")
    spec = (
        "pet pet animal"
        if x < 0.93
        else "sun/sky_weather train bus shop/shop computer phone flower tree team police company film/media plane"
    )
    return nominal_for(draft, draft.noun(spec), "def")


def somebody(draft: Draft) -> Nominal:
    if draft.given:
        subject, draft.given = draft.given, None
        return subject
    return remembered(draft, _somebody(draft))


def _somebody(draft: Draft) -> Nominal:
    x = draft.rng.random()
    if x < 0.45:
        return some_pronoun(draft)
    return nominal_for(draft, draft.noun("family family person_name person_name adult profession child"), "def")


def third_person(draft: Draft) -> Nominal:
    return nominal_for(draft, draft.noun("family family person_name person_name adult profession child"), "def", deep=False)


# Simple clauses


def choose_adverb(draft: Draft, verb: Verb, mode: str) -> str:
    x = draft.rng.random()
    if x < 0.16:
        return "not"
    if mode in ("present", "past") and not verb.is_state and "moment" not in verb.traits:
        if x < 0.19:
            return "never"
        if x < 0.26 and mode == "present":
            return draft.pick(("often", "often", "always", "always", "sometimes", "sometimes", "usually", "rarely"))
        if x < 0.22:
            return draft.pick(("often", "always", "sometimes"))
    if mode == "perfect":
        return draft.pick(("never", "never", "already", "not", "")) if x < 0.6 else ""
    if x < 0.18 and mode in ("present", "now"):
        return draft.pick(("still", "also", "really") if mode == "present" else ("still",))
    return ""


def action_clause(
    draft: Draft, subject: Nominal, mode: str = "", asked: bool = False, opening: Phrase = NOTHING, plain: bool = False
) -> Phrase:
    """Somebody does something. `plain` leaves out negation, adverbs and times."""
    verb = some_verb(draft, subject)
    mode = mode or choose_mode(draft, subject, verb)
    adverb = "" if plain or asked else choose_adverb(draft, verb, mode)
    action = complete(draft, subject, verb, adverb in ("not", "never"), asked)
    phrase = say(draft, subject, action, mode, adverb, asked, opening)
    if plain:
        return phrase
    if adverb in ("not", "not yet") and mode not in ("past", "now"):
        mode = ""
    return with_adjuncts(draft, subject, action, "" if adverb in HABIT or adverb == "never" else mode, phrase, adverb == "not")


def statement(draft: Draft) -> Sentence:
    phrase = action_clause(draft, any_subject(draft))
    if draft.room >= 2 and draft.chance(0.06):
        opener = draft.pick(
            (
                ("yes", "oui"),
                ("no", "non"),
                ("unfortunately", "malheureusement"),
                ("luckily", "heureusement"),
                ("finally", "enfin"),
                ("maybe", "peut-être que"),
            )
        )
        comma = leaf(*COMMA) if opener[0] != "maybe" else NOTHING
        phrase = join(leaf(*opener), comma, phrase)
    return phrase, STOP


def yes_no_question(draft: Draft) -> Sentence:
    subject = any_subject(draft, asked=True)
    verb = some_verb(draft, subject)
    mode = choose_mode(draft, subject, verb)
    if mode in ("had", "might", "then") or (mode == "must" and draft.chance(0.7)):
        mode = "can"
    if subject.pronoun == "i":
        mode = draft.pick(("can", "can", "should", "must"))
    action = complete(draft, subject, verb, False, True)
    return with_adjuncts(draft, subject, action, mode, say(draft, subject, action, mode, "", True)), QUESTION


def polite_request(draft: Draft) -> Sentence:
    """can you help me: est-ce que vous pouvez m' aider."""
    you = pronoun("you")
    modal = draft.pick(("can", "can", "could", "will"))
    verb = command_verb(draft)
    action = complete(draft, you, verb)
    return say(draft, you, action, modal, "", True), QUESTION


def command_verb(draft: Draft) -> Verb:
    for _ in range(30):
        verb = draft.pick(draft.lexicon.verbs_of["adult"])
        if (
            not verb.is_state
            and verb.frame not in ("q", "a")
            and not {"nocommand", "noi", "pastonly", "state_present"} & verb.traits
        ):
            return verb
    raise DeadEnd


def giving_order(draft: Draft) -> Sentence:
    """open the window; do not touch that; let us go."""
    x = draft.rng.random()
    us = x < 0.12
    subject = pronoun("we" if us else "you")
    negated = "" if us or x < 0.75 else "not" if x < 0.95 else "never"
    action = complete(draft, subject, command_verb(draft), bool(negated))
    phrase = command(subject, action.verb, action.tail, negated, action.clitic)
    if draft.chance(0.25) and action.verb.where and not action.placed:
        phrase = join(phrase, adjuncts.place_of(draft, draft.pick(action.verb.where)))
    return polite(draft, phrase) if not us else phrase, STOP if draft.chance(0.85) else SHOUT


def polite(draft: Draft, phrase: Phrase) -> Phrase:
    x = draft.rng.random()
    if x > 0.35:
        return phrase
    please, comma = leaf("please", "s' il vous plaît"), leaf("," if x < 0.18 else "", ",")
    return arrange([please, phrase], [phrase, comma, please]) if x > 0.18 else join(phrase, comma, please)


# To be


def french_adjective(adjective: Adjective, subject: Nominal) -> str:
    return adjective.french(subject.agreement)


DEGREES = (
    ("very", "très"),
    ("very", "très"),
    ("very", "très"),
    ("too", "trop"),
    ("so", "si"),
    ("really", "vraiment"),
    ("quite", "assez"),
    ("a little", "un peu"),
)
ABSOLUTE = frozenset("red blue green yellow black white brown grey pink purple orange french english german italian spanish american chinese japanese russian european "
                     "dead married perfect wonderful terrible delicious huge tiny broken open closed first last next same other electric wild human blond economic "
                     "agricultural political alone sure ready asleep awake alive busy free right left true false wrong correct impossible amazing".split())  # fmt: skip
NO_DEGREE_FRENCH = ("en ", "bon marché")


def quality(draft: Draft, adjective: Adjective, subject: Nominal, degree: float = 0.3, denied: bool = False) -> Phrase:
    french = french_adjective(adjective, subject)
    said = leaf(adjective.english, french)
    if adjective.english in ABSOLUTE or french.startswith(NO_DEGREE_FRENCH) or not draft.chance(degree):
        return said
    return join(leaf(*draft.pick(DEGREES if not denied else DEGREES[:4])), said)


def predicate_adjectives(draft: Draft, subject: Nominal) -> list[Adjective]:
    if subject.noun is None:
        noun = draft.lexicon.noun("man")
        banned: tuple[str, ...] = ("beautiful", "old") if subject.pronoun == "i" else ()
    else:
        noun, banned = subject.noun, ()
    found = [
        a
        for a in draft.lexicon.adjectives_for(noun)
        if a.lasting != "attribute" and a.english not in banned and a.english != "little"
    ]
    return [a for a in found if a.english not in subject.traits and a.opposite not in subject.traits]


IDIOMS = (
    ("hungry", "faim"),
    ("hungry", "faim"),
    ("thirsty", "soif"),
    ("cold", "froid"),
    ("afraid", "peur"),
    ("right", "raison"),
    ("wrong", "tort"),
    ("sleepy", "sommeil"),
    ("hot", "chaud"),
)


def be_tense(draft: Draft) -> str:
    return draft.pick(("present",) * 10 + ("past",) * 6 + ("will",) + ("must",) * 0 + ("perfect",) * 0)


def description(draft: Draft, asked: bool = False) -> Sentence:
    """is tired, is hungry, is at home, is my brother."""
    x = draft.rng.random()
    if x < 0.5:
        subject = subject_to_describe(draft)
        return describe(draft, subject, be_tense(draft), asked), QUESTION if asked else STOP
    subject = somebody(draft)
    tense = be_tense(draft)
    adverb = "not" if not asked and draft.chance(0.14) else "always" if not asked and draft.chance(0.03) else ""
    if x < 0.68:
        return idiom(draft, subject, tense, adverb, asked), QUESTION if asked else STOP
    if x < 0.84:
        place = adjuncts.some_place(draft)
        phrase = be_clause(subject, tense, place, adverb, asked)
        return timed(draft, phrase, tense), QUESTION if asked else STOP
    return identity(draft, subject, "present" if tense == "will" else tense, adverb, asked), QUESTION if asked else STOP


def timed(draft: Draft, phrase: Phrase, tense: str, eager: float = 0.35) -> Phrase:
    """Add when, if there is room."""
    time = {"present": "now", "past": "past", "will": "future"}.get(tense)
    return join(phrase, adjuncts.when(draft, time)) if time and draft.afford(1, eager) else phrase


def subject_to_describe(draft: Draft) -> Nominal:
    if draft.given:
        subject, draft.given = draft.given, None
        return subject
    x = draft.rng.random()
    if x < 0.35:
        return some_pronoun(draft)
    if x < 0.55:
        return third_person(draft)
    noun = draft.noun(draft.pick(("clothing", "device", "vehicle", "building", "room", "food", "food_mass", "drink", "text", "media", "event", "idea", "work", "subject",
                                  "thing", "furniture", "animal pet", "outdoor", "shop", "nature", "body", "sky_weather", "tool part instrument", "game_sport language", "city country", "topic document institution money material")))  # fmt: skip
    return nominal_for(draft, noun, "def")


def describe(draft: Draft, subject: Nominal, tense: str, asked: bool = False, plain: bool = False) -> Phrase:
    options = predicate_adjectives(draft, subject)
    if not options or not subject.definite:
        raise DeadEnd
    adjective = draft.pick(options)
    if adjective.lasting == "yes" and tense == "will":
        tense = "present"
    adverb = "not" if not asked and not plain and draft.chance(0.14) else ""
    if adjective.comparative and not plain and not asked and not adverb and draft.chance(0.14):
        return comparison(draft, subject, adjective, "present" if tense == "will" else tense)
    said = quality(draft, adjective, subject, denied=bool(adverb))
    if not plain and adjective.lasting == "no" and draft.chance(0.06):
        second = draft.pick(options)
        if (
            second.lasting == "no"
            and second.english not in (adjective.english, adjective.opposite)
            and "en" not in second.forms[0].split()
        ):
            said = join(said, leaf("and", "et"), quality(draft, second, subject, 0))
    phrase = be_clause(subject, tense, said, adverb, asked)
    return timed(draft, phrase, tense, 0.3) if adjective.lasting == "no" and not plain else phrase


BETTER = {"better": "meilleur", "worse": "pire"}


def compared(adjective: Adjective, subject: Nominal, how: str) -> Phrase:
    """taller: plus grand; better: meilleur; as tall: aussi grand."""
    french = french_adjective(adjective, subject)
    if how == "as":
        return join(leaf("as", "aussi"), leaf(adjective.english, french))
    if adjective.comparative in BETTER:
        word = BETTER[adjective.comparative]
        ending = ("e" * (subject.agreement.gender == "f" and word == "meilleur")) + "s" * subject.agreement.plural
        return leaf(adjective.comparative, word + ending)
    if adjective.comparative.startswith("more "):
        return join(leaf("more", "plus"), leaf(adjective.english, french))
    return leaf(adjective.comparative, f"plus {french}")


def disjunctive(draft: Draft, subject: Nominal) -> Phrase:
    word = other_person(draft, subject)
    return leaf(word, CLITICS[word][2])


def comparison(draft: Draft, subject: Nominal, adjective: Adjective, tense: str) -> Phrase:
    how = "as" if draft.chance(0.2) else "more"
    if french_adjective(adjective, subject).startswith(NO_DEGREE_FRENCH):
        raise DeadEnd
    said = compared(adjective, subject, how)
    if subject.is_person and draft.chance(0.35):
        other = disjunctive(draft, subject)
    else:
        kind = (
            subject.noun.kind
            if subject.noun and subject.noun.kind not in ("adult", "child", "family", "profession", "person_name")
            else "family person_name"
        )
        draft.owner = {"i": "my", "you": "your", "he": "his", "she": "her", "we": "our", "they": "their"}.get(subject.pronoun, "")
        other = nominal_for(draft, draft.noun(kind), "def", deep=False).phrase
    return be_clause(subject, tense, join(said, leaf("as" if how == "as" else "than", "que"), other))


def idiom(draft: Draft, subject: Nominal, tense: str, adverb: str = "", asked: bool = False) -> Phrase:
    """is hungry: a faim; is ten years old: a dix ans."""
    if draft.chance(0.25) and subject.agreement.plural is False:
        return age(draft, subject, "present" if tense == "will" else tense, asked)
    english, french = draft.pick(IDIOMS)
    much = (
        leaf("very", "très")
        if english in ("hungry", "thirsty", "cold", "afraid", "hot") and adverb == "" and draft.chance(0.2)
        else NOTHING
    )
    phrase = be_clause(subject, tense, join(much, leaf(english, french)), adverb, asked, verb="avoir")
    if english == "afraid" and draft.chance(0.7):
        of = nominal_for(
            draft,
            draft.noun("spider snake dog dark/idea storm mouse/animal wolf lion death exam night/day_part bear thief dentist"),
            "generic",
            deep=False,
        )
        return join(phrase, leaf("of", "de"), of.phrase)
    return phrase


def number_word(draft: Draft, few: bool = False) -> tuple[str, str]:
    word = draft.pick(tuple(MORE_NUMBERS))
    return word, MORE_NUMBERS[word]


MORE_NUMBERS = NUMBERS | dict(
    zip(
        "eleven thirteen fourteen fifteen sixteen eighteen thirty forty fifty sixty".split(),
        "onze treize quatorze quinze seize dix-huit trente quarante cinquante soixante".split(),
        strict=True,
    )
)
DIGITS = tuple(str(n) for n in (3, 5, 8, 10, 12, 15, 18, 20, 25, 30, 40, 50))


def age(draft: Draft, subject: Nominal, tense: str, asked: bool) -> Phrase:
    number = leaf(*number_word(draft)) if draft.chance(0.75) else _same(draft.pick(DIGITS))
    years = leaf("years old", "ans")
    complement = join(number, years)
    return be_clause(subject, tense, complement, "", asked, verb="avoir")


def _same(text: str) -> Phrase:
    return leaf(text, text)


PROFESSIONS_NO_ARTICLE = "profession"


def identity(draft: Draft, subject: Nominal, tense: str, adverb: str, asked: bool) -> Phrase:
    """is a doctor: est médecin; is my friend: est mon ami; c'est un bon professeur."""
    if subject.plural or (subject.noun and subject.noun.kind in ("profession",)):
        raise DeadEnd
    female = subject.agreement.gender == "f"
    x = draft.rng.random()
    if x < 0.55:
        noun = sexed(draft, draft.noun("profession"), female)
        bare = leaf("a", "")
        return be_clause(subject, tense, join(bare, leaf(noun.english, noun.french)), adverb, asked)
    noun = sexed(
        draft,
        draft.noun("friend/adult friend/adult neighbour teacher doctor colleague/adult cousin boss")
        if x < 0.85
        else draft.noun("person/adult friend/adult teacher singer player student"),
        female,
    )
    if subject.noun and subject.noun.kind == "family" and noun.kind == "family":
        raise DeadEnd
    if x < 0.85:
        draft.owner = ""
        name = draft.pick(
            [
                own
                for own in ("my", "my", "our", "your", "his", "her", "their")
                if own != {"i": "my", "you": "your", "we": "our"}.get(subject.pronoun)
            ]
        )
        adjectives = [a for a in draft.lexicon.adjectives if a.english == "best"] if False else []
        complement = noun_phrase(draft, noun, name, adjectives=adjectives)
    else:
        suitable = [a for a in draft.lexicon.adjectives_for(noun) if a.lasting == "yes"]
        if not suitable:
            raise DeadEnd
        complement = noun_phrase(draft, noun, "a", adjectives=[draft.pick(suitable)])
    if subject.pronoun in ("he", "she") and subject.noun is None:
        subject = subject._replace(phrase=Phrase(subject.phrase.english, (subject.phrase.french[0]._replace(text="Ce"),)))
    return be_clause(subject, tense, complement.phrase, adverb, asked)


def sexed(draft: Draft, noun: Noun, female: bool) -> Noun:
    """The word for a man or a woman, where the subject says which."""
    return draft.lexicon.of_sex(noun, "f" if female else "m")


def ce(word: str, plural: bool = False) -> Nominal:
    """it, this and that as subjects of to be: ce."""
    return Nominal(leaf(word, "Ce"), Agreement("m", plural), plural, "it")


IT_IS = ("good", "bad", "great", "true", "false", "easy", "difficult", "important", "possible", "impossible", "strange", "normal", "beautiful", "perfect", "terrible", "fun", "hard",
         "interesting", "boring", "dangerous", "delicious", "expensive", "cheap", "wonderful", "useful", "simple", "complicated", "amazing", "different")  # fmt: skip


def it_is(draft: Draft, asked: bool = False) -> Sentence:
    """it is easy: c'est facile; this is my brother: c'est mon frère; it is important to sleep."""
    x = draft.rng.random()
    tense = draft.pick(("present",) * 5 + ("past",) * 2)
    adverb = "not" if not asked and draft.chance(0.15) else ""
    mark = QUESTION if asked else STOP
    if x < 0.35:
        adjective = draft.pick([a for a in draft.lexicon.adjectives if a.english in IT_IS])
        subject = ce(draft.pick(("it", "it", "it", "this", "that")))
        return be_clause(subject, tense, quality(draft, adjective, subject, denied=bool(adverb)), adverb, asked), mark
    if x < 0.6:
        adjective = draft.pick(
            [
                a
                for a in draft.lexicon.adjectives
                if a.english in ("important", "difficult", "easy", "possible", "impossible", "dangerous", "hard", "fun")
            ]
        )
        one = pronoun("you")
        verb = command_verb(draft)
        if verb.is_reflexive or "*" in verb.english:
            raise DeadEnd
        action = complete(draft, one, verb)
        rest = infinitive(one, verb, action.tail, "to", "de", action.clitic)
        it = Nominal(leaf("it", "il"), Agreement("m"), False, "it")
        return join(be_clause(it, tense, quality(draft, adjective, it, denied=bool(adverb)), adverb, asked), rest), mark
    plural = draft.chance(0.2)
    noun = draft.noun("family friend/adult thing device vehicle house/building text idea pet animal food media clothing event")
    style = "a" if draft.chance(0.3) and not noun.is_person and not noun.is_mass and not noun.number else "my"
    many = plural and bool(noun.english_plural)
    owners = draft.own()
    name = (
        "a"
        if style == "a" and not many
        else owners
        if noun.kind in ("family", "adult", "clothing", "thing", "pet", "device", "vehicle", "text")
        else "the"
    )
    if noun.number:
        raise DeadEnd
    thing = noun_phrase(draft, noun, name, many)
    subject = ce("these" if many and draft.chance(0.5) else "those" if many else draft.pick(("this", "that", "it")), many)
    return be_clause(subject, "present" if tense == "past" and draft.chance(0.6) else tense, thing.phrase, adverb, asked), mark


def name_is(draft: Draft) -> Sentence:
    """my name is peter: je m'appelle peter."""
    own, who = draft.pick((("my", "i"), ("my", "i"), ("my", "i"), ("his", "he"), ("her", "she"), ("your", "you")))
    name = draft.noun("person_name")
    subject = pronoun(who, "f" if who == "she" else "m")
    if who in ("he", "she") and name.gender != subject.agreement.gender:
        raise DeadEnd
    english = leaf(f"{own} name is", "")
    words = english.english
    forms = conjugation.present("appeler")[subject.agreement.speaker]
    reflexive = {"i": "me", "he": "se", "she": "se", "you": "vous"}[who]
    french = join(
        echo(Phrase(words[:1]), subject.phrase.french[0].text),
        echo(Phrase(words[1:2]), reflexive),
        echo(Phrase(words[1:]), forms),
        leaf(name.english, name.french),
    )
    phrase = Phrase((*words, *french.english), french.french)
    if draft.chance(0.2):
        phrase = join(leaf(*draft.pick((("hello", "bonjour"), ("hi", "salut")))), leaf(*COMMA), phrase)
    return phrase, STOP


def greeting(draft: Draft) -> Sentence:
    adverb = draft.pick([a for a in draft.lexicon.adverbs if a.role == "interjection"])
    phrase = leaf(adverb.english, adverb.french)
    if len(phrase.english) < 3 and draft.chance(0.45) and adverb.english not in ("ok", "welcome", "congratulations"):
        name = draft.noun("person_name") if draft.chance(0.7) else None
        who = leaf(name.english, name.french) if name else leaf("my friend", "mon ami")
        phrase = join(phrase, leaf("," if draft.chance(0.5) else "", ","), who)
    return phrase, STOP if draft.chance(0.7) else SHOUT


# Weather, time of day, existence

WEATHER = (
    ("cold", "froid"),
    ("cold", "froid"),
    ("hot", "chaud"),
    ("hot", "chaud"),
    ("warm", "chaud"),
    ("windy", "du vent"),
    ("sunny", "du soleil"),
    ("dark", "nuit"),
    ("nice", "beau"),
)
RAIN, SNOW = Verb("rain", "pleuvoir"), Verb("snow", "neiger")


def it_weather() -> Nominal:
    return Nominal(leaf("it", "il"), Agreement("m"), False, "it")


def weather(draft: Draft, tense: str = "", asked: bool = False) -> Phrase:
    """it is cold: il fait froid; it is raining: il pleut."""
    tense = tense or draft.pick(("present", "present", "present", "past", "will"))
    adverb = "not" if not asked and draft.chance(0.12) else ""
    if draft.chance(0.5):
        verb = RAIN if draft.chance(0.7) else SNOW
        action = Action(verb)
        mode = {
            "present": draft.pick(("now", "now", "present")),
            "past": draft.pick(("then", "past")),
            "will": draft.pick(("will", "going")),
        }[tense]
        return say(draft, it_weather(), action, mode, adverb, asked)
    english, french = draft.pick(WEATHER)
    if english == "warm" and adverb:
        adverb = ""
    if french.startswith("du "):  # il y a du vent
        past = tense == "past"
        auxiliary = leaf("was" if past else "is", "avait" if past else "a")
        french = "de " + french.removeprefix("du ") if adverb else french
        return assemble(
            it_weather(), auxiliary, NOTHING, auxiliary, NOTHING, leaf(english, french), adverb, asked, reflexive=leaf("", "y")
        )
    return be_clause(it_weather(), tense, leaf(english, french), adverb, asked, verb="faire")


def weather_sentence(draft: Draft) -> Sentence:
    asked = draft.chance(0.15)
    tense = draft.pick(("present", "present", "present", "past", "will"))
    phrase = weather(draft, tense, asked)
    x = draft.rng.random()
    if x < 0.2:
        phrase = join(phrase, leaf("outside", "dehors"))
    elif x < 0.4:
        phrase = join(phrase, adjuncts.name_place(draft, draft.noun("city country"), "in"))
    return timed(draft, phrase, tense), QUESTION if asked else STOP


def telling_time(draft: Draft) -> Sentence:
    x = draft.rng.random()
    it = it_weather()
    if x < 0.3:
        return be_clause(it, "present" if draft.chance(0.8) else "past", adjuncts.hour(draft)), STOP
    if x < 0.45:
        adverb = leaf(
            *draft.pick(
                (
                    ("late", "tard"),
                    ("late", "tard"),
                    ("early", "tôt"),
                    ("too late", "trop tard"),
                    ("very late", "très tard"),
                    ("too early", "trop tôt"),
                )
            )
        )
        return be_clause(it, draft.pick(("present", "present", "past")), adverb), STOP
    if x < 0.6:
        day = draft.noun("weekday")
        return be_clause(ce("it"), "present", leaf(day.english, day.french)), STOP
    if x < 0.75:
        one = pronoun("we")
        action = complete(draft, one, command_verb(draft))
        return join(
            be_clause(it, "present", leaf("time", "temps")), infinitive(one, action.verb, action.tail, "to", "de", action.clitic)
        ), STOP
    what = leaf("what time", "quelle heure")
    return arrange([what, leaf("is it", "")], [what, leaf("", "est -il")]) if False else _what_time(), QUESTION


def _what_time() -> Phrase:
    what, time, be, it = leaf("what", "quelle"), leaf("time", "heure"), leaf("is", "est"), leaf("it", "-il")
    return join(what, time, be, it)


def existence(draft: Draft) -> Sentence:
    """there is a dog in the garden: il y a un chien dans le jardin."""
    tense = draft.pick(("present", "present", "past"))
    x = draft.rng.random()
    asked, negated = x < 0.2, 0.2 <= x < 0.35
    noun = draft.noun(
        "adult child pet animal thing furniture food food_mass drink shop building people/adult hospital restaurant problem/idea park tree flower text device student"
    )
    if noun.is_mass:
        draft.room = 0
    thing = nominal_for(draft, noun, "indef", negated, asked, deep=False)
    if thing.definite:
        raise DeadEnd
    there = leaf("there", "il y")
    be = (AM if tense == "present" else WAS)[3, thing.plural]
    auxiliary = leaf(be, "a" if tense == "present" else "avait")
    extra = leaf("not" if negated else "", "")
    y = draft.rng.random()
    if noun.english == "problem":
        where = leaf("here", "ici") if y < 0.3 else NOTHING
    elif noun.kind in ("shop", "building") or noun.english in ("park", "tree"):
        where = (
            adjuncts.near(draft)
            if y < 0.4
            else adjuncts.name_place(draft, draft.noun("city"), "in")
            if y < 0.7
            else leaf("here", "ici")
            if y < 0.85
            else adjuncts.place_of(draft, draft.pick(("street", "village", "town", "park")))
        )
    elif noun.kind in ("food", "food_mass", "drink"):
        where = adjuncts.on_top(draft, draft.noun("table fridge cupboard box bag"))
    else:
        where = (
            adjuncts.place_of(draft, draft.pick(("garden", "kitchen", "room", "street", "park", "office", "classroom", "bedroom")))
            if y < 0.8
            else leaf("here", "ici")
        )
    if draft.chance(0.25) and len(thing.phrase.english) > 2:
        where = NOTHING
    ne, pas = echo(extra, "ne" if negated else ""), echo(extra, "pas" if negated else "")
    first = [auxiliary, there] if asked else [there, auxiliary]
    il, y_word = Phrase((), there.french[:1]), Phrase((), there.french[1:])
    return arrange(
        [*first, extra, thing.phrase, where],
        [leaf("", "est-ce que") if asked else NOTHING, il, ne, y_word, auxiliary, pas, thing.phrase, where],
    ), QUESTION if asked else STOP


# Questions with a question word


def wh_question(draft: Draft) -> Sentence:
    return draft.pick(WH)(draft), QUESTION


def where_is(draft: Draft) -> Phrase:
    thing = nominal_for(
        draft,
        draft.noun(
            "family thing device pet clothing station hospital bank/institution museum person_name text toilet hotel child vehicle restaurant supermarket"
        ),
        "def",
        deep=draft.chance(0.5),
    )
    be = conjugation.present("être") if draft.chance(0.8) else None
    past = be is None
    auxiliary = leaf(
        (WAS if past else AM)[3, thing.plural],
        (conjugation.imperfect if past else conjugation.present)("être")[3, thing.agreement.plural],
    )
    return join(leaf("where", "où"), auxiliary, thing.phrase)


def wh_action(draft: Draft) -> Phrase:
    """where do you live, when does she arrive, why are you laughing, how do you know him."""
    subject = any_subject(draft, asked=True)
    verb = some_verb(draft, subject)
    mode = choose_mode(draft, subject, verb)
    if mode not in ("present", "now", "past", "will", "going", "can", "should") or (verb.is_state and mode != "present"):
        mode = "past" if not verb.is_state else "present"
    if verb.frame == "l":
        word, action = ("where", "où"), Action(verb)
    elif verb.frame == "d":
        word, action = draft.pick((("where", "où"), ("where", "où"), ("when", "quand"), ("why", "pourquoi"))), None
        action = Action(verb) if word[0] == "where" else complete(draft, subject, verb, False, True)
    else:
        options = [("why", "pourquoi")] * 2
        if not verb.is_state and mode not in ("now", "can"):
            options += [("when", "quand"), ("when", "quand"), ("what time", "à quelle heure"), ("how", "comment")]
        if not verb.is_state and verb.where:
            options += [("where", "où"), ("where", "où")]
        word = draft.pick(options)
        action = complete(draft, subject, verb, False, True)
        if action.placed and word[0] == "where":
            word = ("why", "pourquoi")
    if verb.frame in ("h", "w", "c"):
        word, action = (
            {"c": ("how much", "combien")}.get(verb.frame, draft.pick((("when", "quand"), ("what time", "à quelle heure")))),
            Action(verb),
        )
    return say(draft, subject, action, mode, "", True, leaf(*word))


def what_action(draft: Draft) -> Phrase:
    """what do you want: qu'est-ce que vous voulez."""
    subject = any_subject(draft, asked=True)
    verb = draft.pick(draft.lexicon.select("what", asks_what)) if not draft.chance(0.3) else DO
    if subject.noun is not None and not subject.noun.is_person:
        raise DeadEnd
    mode = choose_mode(draft, subject, verb)
    if mode not in ("present", "now", "past", "will", "going", "can", "want to", "would like to", "should"):
        mode = "past"
    action = Action(verb)
    people = draft.chance(0.15) and "person_other" in verb.object.split()
    phrase = say(draft, subject, action, mode, "", True, leaf("who", "qui") if people else leaf("what", "que"))
    time = TIME_OF.get(mode)
    return join(phrase, adjuncts.when(draft, time)) if time and not verb.is_state and draft.afford(2, 0.3) else phrase


DO = Verb("do", "faire", "t", weight=5)


def asks_what(verb: Verb) -> bool:
    """Whether one asks what somebody does to a thing with it: not of people, and not connaître."""
    by_people = "person" in verb.subject.split() and "accident" not in verb.traits
    things = "person_other" not in verb.object.split() or verb.base in ("see", "look", "like", "hear")
    return verb.frame == "t" and not verb.link and by_people and things and verb.infinitive != "connaître"


def who_action(draft: Draft) -> Phrase:
    """who broke the window: qui a cassé la fenêtre."""
    who = Nominal(leaf("who", "qui"), Agreement("m"), False, "he")
    return action_clause(
        draft, who, draft.pick(("past", "past", "present", "now", "will", "can", "want to")), plain=draft.chance(0.6)
    )


def who_is(draft: Draft) -> Phrase:
    x = draft.rng.random()
    be = leaf("is", "est")
    if x < 0.4:
        person = nominal_for(draft, draft.noun("adult profession person_name child"), "def", deep=False)
        if person.plural:
            raise DeadEnd
        return join(leaf("who", "qui"), be, person.phrase)
    if x < 0.6:
        head = noun_phrase(draft, draft.lexicon.noun(draft.pick(("president", "king", "queen"))), "the", adjectives=())
        of = proper(draft, draft.noun("country"))
        return join(leaf("who", "qui"), be, head.phrase, leaf("of", "de"), country_after_de(of))
    word, gender = draft.pick((("he", "m"), ("she", "f"), ("it", "m")))
    if word == "it":
        return join(leaf("who", "qui"), leaf("is", "est"), leaf("it", "-ce"))
    subject = pronoun(word, gender)
    return (
        join(leaf("who", "qui"), arrange([be, subject.phrase], [leaf("", "est-ce"), subject.phrase]))
        if False
        else join(leaf("who", "qui"), be, leaf(word, "-il" if gender == "m" else "-elle"))
    )


def country_after_de(country: Nominal) -> Phrase:
    """de france, but du japon and des états-unis."""
    article, *rest = country.phrase.french
    return (
        Phrase(country.phrase.english, tuple(rest))
        if article.text == "la" or not rest or country.noun.preposition == "en"
        else country.phrase
    )


def what_is(draft: Draft) -> Phrase:
    x = draft.rng.random()
    if x < 0.3:
        return join(leaf("what", "que"), leaf("is", "est-ce que"), leaf(draft.pick(("this", "that", "it")), "c' est"))
    if x < 0.45:
        who = draft.pick((("your", "vous vous appelez"), ("his", "il s' appelle"), ("her", "elle s' appelle")))
        words = leaf(f"what is {who[0]} name", "").english
        return Phrase(words, (*echo(Phrase(words[:1]), "comment est-ce que").french, *echo(Phrase(words[1:]), who[1]).french))
    noun = draft.noun("problem/idea answer address number/idea colour dream name price job question plan difference")
    if draft.chance(0.5) and can_own(noun):
        thing = noun_phrase(draft, noun, draft.own(), adjectives=())
    else:
        head = noun_phrase(draft, noun, "the", adjectives=())
        thing = head
        if noun.english in ("colour", "price"):
            other = nominal_for(
                draft,
                draft.noun(
                    "dress ticket bag shirt coat hat" if noun.english == "price" else "car house/building dress bag shirt hair"
                ),
                "def",
                deep=False,
            )
            thing = head._replace(phrase=join(head.phrase, leaf("of", "de"), other.phrase))
    return join(leaf("what", which(thing.agreement)), leaf("is", "est"), thing.phrase)


def can_own(noun: Noun) -> bool:
    return noun.english in ("problem", "address", "dream", "job", "question", "plan", "answer", "number", "name")


def how_many(draft: Draft) -> Phrase:
    """how many books do you have: combien de livres est-ce que vous avez."""
    subject = any_subject(draft, asked=True)
    if not subject.is_person:
        raise DeadEnd
    verb = draft.pick(
        [
            v
            for v in draft.lexicon.verbs_of["adult"]
            if v.frame == "t"
            and not v.link
            and v.base in ("have", "buy", "eat", "read", "see", "want", "drink", "find", "sell", "know", "write")
        ]
    )
    noun = draft.noun(verb.object)
    how = join(leaf("how", "combien"))
    if (noun.is_person and noun.kind == "person_name") or noun.kind in ("city", "country"):
        raise DeadEnd
    if noun.is_mass and not noun.number:
        head = join(leaf("how much", "combien de"), leaf(noun.english, noun.french))
    elif noun.english_plural:
        head = join(leaf("how many", "combien de"), leaf(noun.english_plural, noun.french_plural))
    else:
        raise DeadEnd
    del how
    agreement = Agreement(noun.gender, not noun.is_mass)
    mode = "present" if verb.is_state else draft.pick(("past", "past", "present", "will"))
    if mode == "past":
        return verb_clause(subject, verb, "past", NOTHING, "", True, preceding=agreement, opening=head)
    return say(draft, subject, Action(verb), mode, "", True, head)


def which_one(draft: Draft) -> Phrase:
    """which book do you want: quel livre est-ce que vous voulez."""
    subject = any_subject(draft, asked=True)
    if not subject.is_person:
        raise DeadEnd
    verb = draft.pick(
        [
            v
            for v in draft.lexicon.verbs_of["adult"]
            if v.frame == "t"
            and not v.link
            and v.base in ("buy", "read", "prefer", "want", "choose", "watch", "take", "like", "wear", "visit", "know")
        ]
    )
    noun = draft.noun(verb.object)
    if noun.is_mass or noun.number or noun.kind in ("person_name", "city", "country", "language", "subject"):
        raise DeadEnd
    plural = bool(noun.english_plural) and draft.chance(0.2)
    head = noun_phrase(draft, noun, "which", plural, adjectives=())
    mode = "present" if verb.is_state else draft.pick(("past", "past", "present", "now", "want to", "will"))
    if mode == "past":
        return verb_clause(subject, verb, "past", NOTHING, "", True, preceding=head.agreement, opening=head.phrase)
    return say(draft, subject, Action(verb), mode, "", True, head.phrase)


def how_is(draft: Draft) -> Phrase:
    """how are you: comment allez-vous; how old is she: quel âge a-t-elle is said with est-ce que."""
    x = draft.rng.random()
    if x < 0.4:
        how = leaf("how", "comment")
        return join(how, leaf("are", "allez"), leaf("you", "-vous"))
    if x < 0.6:
        person = nominal_for(draft, draft.noun("family person_name"), "poss", deep=False)
        return join(
            leaf("how", "comment"),
            leaf("are" if person.plural else "is", conjugation.present("aller")[person.agreement.speaker]),
            person.phrase,
        )
    subject = (
        some_pronoun(draft, ("you", "you", "he", "she"))
        if draft.chance(0.5)
        else nominal_for(draft, draft.noun("family person_name"), "poss", deep=False)
    )
    be = leaf(AM[subject.who], conjugation.present("avoir")[subject.agreement.speaker])
    how_old = join(leaf("how", "quel"), leaf("old", "âge"))
    return arrange([how_old, be, subject.phrase], [how_old, leaf("", "est-ce que"), subject.phrase, be])


def how_much_is(draft: Draft) -> Phrase:
    thing = nominal_for(draft, draft.noun("thing clothing device vehicle food ticket house/building furniture"), "def", deep=False)
    cost = Verb("cost", "coûter")
    if draft.chance(0.25):
        thing = Nominal(leaf("this", "ça") if draft.chance(0.6) else leaf("it", "ça"), Agreement("m"), False, "it")
    if draft.chance(0.25):
        be = leaf("are" if thing.plural else "is", "")
        return arrange([leaf("how much", "combien")] if False else [], []) if False else _how_much_be(thing, be)
    return verb_clause(thing, cost, "present", NOTHING, "", True, opening=leaf("how much", "combien"))


def _how_much_be(thing: Nominal, be: Phrase) -> Phrase:
    much = leaf("how much", "combien")
    verb = echo(be, conjugation.present("coûter")[thing.agreement.speaker])
    return arrange([much, be, thing.phrase], [much, leaf("", "est-ce que"), thing.phrase, verb])


WH: tuple[Callable[[Draft], Phrase], ...] = (
    *(where_is,) * 3, *(wh_action,) * 7, *(what_action,) * 6, *(who_action,) * 4, who_is, *(what_is,) * 3, *(how_many,) * 3, *(which_one,) * 2, *(how_is,) * 2, how_much_is,
)  # fmt: skip


# All nouns and their qualities


HARD_TO_PLACE = frozenset("o'clock pair piece side way home thing person place part group".split())
OTHER_SENSES = frozenset("river water coil fire clock occasion count span land".split())
CONCRETE = frozenset(
    "adult child profession animal pet thing tool furniture device clothing vehicle text part food building shop nature room".split()
)
ABSTRACT = frozenset("topic idea subject language feeling_noun work money family institution media event material".split())


def any_noun_sentence(draft: Draft) -> Sentence:
    """A sentence around a noun of any kind, so that no word of the tables is rare."""
    noun = draft.pick(draft.lexicon.nouns)
    if not draft.lexicon.is_usual(noun) or noun.sense in OTHER_SENSES or noun.english in HARD_TO_PLACE:
        raise DeadEnd
    if noun.kind in ("time", "day_part", "month", "weekday", "season", "relation"):
        raise DeadEnd
    draft.nouns.add(noun.english)
    frames = [noun_described, noun_as_object, noun_as_object]
    if noun.kind in ABSTRACT or noun.is_mass:
        frames += [noun_talked_about, noun_asked_about, noun_important]
    if noun.kind in CONCRETE and noun.english_plural and not noun.is_mass and not noun.number:
        frames += [noun_counted, noun_counted]
    if noun.kind == "body":
        frames = [noun_described, noun_touched, noun_touched]
    for _ in range(3):
        try:
            return draft.pick(frames)(draft, noun)
        except DeadEnd:
            continue
    raise DeadEnd


def noun_described(draft: Draft, noun: Noun) -> Sentence:
    asked = draft.chance(0.12)
    return describe(draft, nominal_for(draft, noun, "def"), be_tense(draft), asked), QUESTION if asked else STOP


def noun_as_object(draft: Draft, noun: Noun) -> Sentence:
    """Somebody does to it what one does to such things."""
    name = noun.english.replace(" ", "_")
    tokens = {name, noun.kind, f"{name}/{noun.kind}", f"{name}/{noun.sense}"}
    options = draft.lexicon.select(("objects", id(noun)), lambda v: v.frame == "t" and bool(tokens & set(v.object.split())))
    if not options:
        return noun_talked_about(draft, noun)
    verb = draft.pick(options)
    subject = somebody(draft)
    if verb not in verbs_for(draft, subject):
        subject = nominal_for(draft, draft.noun(verb.subject), "def", deep=False)
    mode = choose_mode(draft, subject, verb)
    adverb = choose_adverb(draft, verb, mode)
    negated = adverb in ("not", "never")
    draft.owner = POSSESSIVE[subject.pronoun]
    style = next((s for s in ("generic", "indef", "poss", "def") if s in verb.traits), "mixed")
    if "plain" in verb.traits:
        draft.room = 0
    thing = nominal_for(draft, noun, "def" if noun.is_person or verb.link else style, negated and not verb.link)
    action = Action(verb, join(leaf("", verb.link), thing.phrase), None, thing)
    return with_adjuncts(draft, subject, action, "" if negated else mode, say(draft, subject, action, mode, adverb)), STOP


def noun_talked_about(draft: Draft, noun: Noun) -> Sentence:
    subject = somebody(draft)
    verb = draft.pick(
        draft.lexicon.select(
            "about", lambda v: v.english in ("talk about", "think about", "like", "love") and "person" in v.subject
        )
    )
    thing = nominal_for(draft, noun, "generic", deep=False)
    return say(draft, subject, Action(verb, join(leaf("", verb.link), thing.phrase)), choose_mode(draft, subject, verb)), STOP


def noun_asked_about(draft: Draft, noun: Noun) -> Sentence:
    """what is freedom: qu'est-ce que la liberté."""
    if noun.kind not in ("topic", "idea", "subject", "feeling_noun", "money", "media") or noun.number:
        raise DeadEnd
    thing = noun_phrase(draft, noun, "all" if noun.is_mass or noun.kind in ("topic", "feeling_noun") else "a", adjectives=())
    return join(leaf("what", "que"), leaf("is", "est-ce que"), thing.phrase), QUESTION


def noun_important(draft: Draft, noun: Noun) -> Sentence:
    thing = nominal_for(draft, noun, "generic" if noun.is_mass else "def", deep=False)
    ending = "e" * (thing.agreement.gender == "f") + "s" * thing.agreement.plural
    very = leaf("very", "très") if draft.chance(0.3) else NOTHING
    return be_clause(thing, draft.pick(("present", "present", "past")), join(very, leaf("important", "important" + ending))), STOP


def noun_counted(draft: Draft, noun: Noun) -> Sentence:
    thing = noun_phrase(draft, noun, draft.pick((*NUMBERS, "many", "a few", "several", "a lot of")), True, adjectives=())
    subject = some_pronoun(draft)
    verb = SEE
    if noun.kind in ("thing", "tool", "clothing", "furniture", "device", "text", "food"):
        verb = draft.pick((BUY, HAVE_VERB, SEE))
    return say(draft, subject, Action(verb, thing.phrase), "present" if verb is HAVE_VERB else "past"), STOP


def noun_touched(draft: Draft, noun: Noun) -> Sentence:
    """Parts of the body: she touched her nose."""
    subject = somebody(draft)
    draft.owner = POSSESSIVE[subject.pronoun]
    plural = bool(noun.english_plural) and draft.chance(0.3)
    part = noun_phrase(draft, noun, draft.owner, plural, adjectives=())
    verb = draft.pick((TOUCH, LOOK_AT, SHOW))
    return say(draft, subject, Action(verb, part.phrase), draft.pick(("past", "past", "now", "will"))), STOP


TOUCH, LOOK_AT, SHOW = Verb("touch", "toucher", "t"), Verb("look at", "regarder", "t"), Verb("show", "montrer", "t")


def any_verb_sentence(draft: Draft) -> Sentence:
    """A sentence with a verb of any weight, mostly in the third person present."""
    verb = draft.pick(draft.lexicon.verbs)
    subject = nominal_for(draft, draft.noun(verb.subject), "def", deep=False)
    if draft.chance(0.4) and subject.is_person:
        subject = some_pronoun(draft)
    mode = draft.pick(("present", "present", "present", "now", "past", "perfect"))
    if verb.is_state:
        mode = "present"
    if "pastonly" in verb.traits or (
        mode == "now" and ({"moment", "state_present", "accident"} & verb.traits or verb.frame == "s")
    ):
        mode = "past"
    return say(draft, subject, complete(draft, subject, verb), mode), STOP


def any_comparison(draft: Draft) -> Sentence:
    """Compare two things with an adjective of any frequency."""
    adjective = draft.pick([a for a in draft.lexicon.adjectives if a.comparative])
    tokens = [*adjective.kinds, *adjective.nouns]
    noun = draft.noun(draft.pick(sorted(tokens)))
    if not (noun.kind in adjective.kinds or noun.english in adjective.nouns):
        raise DeadEnd
    draft.room = 0
    subject = some_pronoun(draft) if noun.is_person and draft.chance(0.5) else nominal_for(draft, noun, "def", deep=False)
    return comparison(draft, subject, adjective, draft.pick(("present", "present", "past"))), STOP


SEE, BUY, HAVE_VERB = Verb("see", "voir", "t"), Verb("buy", "acheter", "t"), Verb("have", "avoir", "t", traits=frozenset({"state"}))


SIMPLE: tuple[Callable[[Draft], Sentence], ...] = (
    *(statement,) * 46, *(yes_no_question,) * 9, *(polite_request,) * 2, *(giving_order,) * 6, *(description,) * 14, *(it_is,) * 3, name_is, *(greeting,) * 1,
    *(weather_sentence,) * 3, *(telling_time,) * 2, *(existence,) * 4, *(wh_question,) * 12, *(any_noun_sentence,) * 12, *(any_verb_sentence,) * 5, *(any_comparison,) * 4,
)  # fmt: skip


def part(draft: Draft) -> Phrase:
    """A plain statement, to be joined with others."""
    x = draft.rng.random()
    if x < 0.75:
        return action_clause(draft, any_subject(draft))
    return weather(draft) if x < 0.8 else description(draft)[0]
