"""Sentences with best, most, more than, favourite, same and last."""

from models.tasks.everyday.actions import Action
from models.tasks.everyday.being import OWNERS_WITHIN, noun_of_sex
from models.tasks.everyday.clauses import be_clause, verb_clause
from models.tasks.everyday.determiners import RELATIONAL_ADULTS, which
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.linking import fixed
from models.tasks.everyday.modes import build_clause
from models.tasks.everyday.nominals import nominal_for, noun_phrase, plain_phrase, proper_name
from models.tasks.everyday.pronouns import CLITICS, OBJECT_OF, ce
from models.tasks.everyday.subjects import QUESTION, STOP, Sentence, draw_person
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.lexicon import Agreement
from models.tasks.translation.phrase import Mot, Phrase, arrange, join, leaf


def draw_best(draft: Draft) -> Sentence:
    """Draw a sentence such as: you are my best friend: vous êtes mon meilleur ami."""
    subject = draw_person(draft)
    if subject.plural or (subject.noun and subject.noun.kind in ("family", "profession")):
        raise DeadEnd
    female = subject.agreement.gender == "f"
    noun = noun_of_sex(
        draft, draft.noun("friend/adult friend/adult friend/adult student player teacher"), female
    )
    own = draft.pick(
        ("my", "my", "his", "her", "our") if noun.english in ("friend", "teacher", "student") else ("our",)
    )
    if own in OWNERS_WITHIN.get(subject.pronoun, ()):
        raise DeadEnd
    det = plain_phrase(draft, noun, own)
    word = leaf("best", "meilleure" if noun.gender == "f" else "meilleur")
    possessive, name = split_first(det.phrase)
    if female and noun.gender == "f":  # French has mon amie before a vowel, but ma meilleure amie
        possessive = leaf(own, {"my": "ma", "his": "sa", "her": "sa", "our": "notre"}[own])
    if subject.phrase.english[0].text in ("he", "she"):
        subject = subject._replace(
            phrase=Phrase(subject.phrase.english, (subject.phrase.french[0]._replace(text="Ce"),))
        )
    return be_clause(subject, draft.pick(("present", "present", "past")), join(possessive, word, name)), STOP


def split_first(phrase: Phrase) -> tuple[Phrase, Phrase]:
    return Phrase(phrase.english[:1], phrase.french[:1]), Phrase(phrase.english[1:], phrase.french[1:])


GROUPS_OF = (
    ("in", "the class", "de la", "classe"),
    ("in", "the world", "de le", "monde"),
    ("in", "the city", "de la", "ville"),
    ("in", "the country", "de le", "pays"),
)


SUPERLATIVE_KINDS = frozenset("building shop outdoor nature animal institution institution vehicle".split())


def draw_superlative(draft: Draft) -> Sentence:
    """Draw a sentence such as: she is the tallest girl in the class: c'est la plus grande fille."""
    adjective = draft.pick([a for a in draft.lexicon.adjectives if a.superlative and a.lasting == "yes"])
    noun = draft.noun(draft.pick(sorted([*adjective.kinds, *adjective.nouns])))
    if (
        noun.is_mass
        or noun.number
        or noun.kind in ("person_name", "city", "country", "family", "body", "sky_weather", "season")
    ):
        raise DeadEnd
    if not (noun.kind in adjective.kinds or noun.english in adjective.nouns):
        raise DeadEnd
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
    name = leaf(noun.english, noun.french)
    if before:
        phrase = arrange([the, middle, name], [the, middle, name])
    else:
        again = Phrase((), (Mot(the_fr, the.english),))
        phrase = arrange([the, middle, name], [the, name, again, middle])
    if draft.chance(0.5) and (noun.is_person or noun.kind in SUPERLATIVE_KINDS):
        young = noun.kind == "child" or noun.english in ("student", "pupil", "player")
        preposition, group, of, french_group = (
            GROUPS_OF[0 if young else 2] if young or noun.kind == "shop" else draft.pick(GROUPS_OF[1:])
        )
        phrase = join(
            phrase, leaf(preposition, of.split()[0]), fixed(group, f"{of.split()[1]} {french_group}")
        )
    x = draft.rng.random()
    if noun.is_person and x < 0.6:
        person = proper_name(draft, draft.noun("person_name"))
        if person.agreement.gender != noun.gender:
            raise DeadEnd
        return be_clause(person, "present", phrase), STOP
    subject = ce(draft.pick(("it", "this", "that")))
    if noun.is_person:
        subject = Nominal(leaf("she" if noun.gender == "f" else "he", "Ce"), Agreement("m"), False, "he")
    return be_clause(subject, draft.pick(("present", "present", "past")), phrase), STOP


def draw_more_than(draft: Draft) -> Sentence:
    """Draw a sentence such as: i like tea more than coffee: j'aime plus le thé que le café."""
    subject = draw_person(draft)
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
        words = [
            word
            for word in ("me", "you", "him", "her", "us", "them")
            if word != OBJECT_OF.get(subject.pronoun)
        ]
        word = draft.pick(words)
        right = right._replace(phrase=leaf(word, CLITICS[word][2]))
        if (
            subject.agreement.person == {"me": 1, "us": 1, "you": 2}.get(word, 3)
            and subject.agreement.person < 3
        ):
            raise DeadEnd
    tail = arrange([left.phrase, more, than, right.phrase], [more, left.phrase, than, right.phrase])
    return verb_clause(subject, like, "present", tail), STOP


FAVOURITES = (
    ("animal", "animal pet"),
    ("city/outdoor", "city"),
    ("sport", "game_sport -game/game_sport -match/sport -sport -cards"),
    ("colour", ""),
    ("film/media", ""),
    ("song", ""),
    ("book/text", ""),
    ("game/game_sport", ""),
    ("food/food_mass", ""),
    ("teacher", "person_name"),
    ("subject", ""),
    ("day/time", "weekday"),
    ("room", "kitchen bedroom"),
    ("word", ""),
    ("singer", ""),
    ("restaurant", ""),
)


def draw_favourite(draft: Draft) -> Sentence:
    """Draw a sentence such as: my favourite animal is the cat: mon animal préféré est le chat."""
    name, answers = draft.pick(FAVOURITES)
    nouns = draft.lexicon.named(name)
    if not nouns:
        raise DeadEnd
    adjective = draft.lexicon.adjective("favourite")
    own = draft.pick(("my", "my", "your", "his", "her", "our"))
    thing = noun_phrase(draft, nouns[0], own, adjectives=[adjective])
    if not answers or draft.chance(0.4):
        if own not in ("my", "our") and nouns[0].kind not in ("profession", "adult") and draft.chance(0.6):
            return join(leaf("what", which(thing.agreement)), leaf("is", "est"), thing.phrase), QUESTION
        subject = ce(draft.pick(("this", "that", "it")))
        return be_clause(subject, draft.pick(("present", "past")), thing.phrase), STOP
    answer = draft.noun(answers)
    if answer.kind in ("city", "person_name", "weekday"):
        said = leaf(answer.english, answer.french)
    elif answer.kind == "game_sport":
        said = nominal_for(draft, answer, "generic", deep=False).phrase
    else:
        said = plain_phrase(draft, answer, "the").phrase
    return be_clause(thing, "present", said), STOP


def draw_attribute(draft: Draft) -> Sentence:
    """Draw a sentence such as: the last train, the same book, the first lesson."""
    adjective = draft.pick(
        [a for a in draft.lexicon.adjectives if a.lasting == "attribute" and a.english != "favourite"]
    )
    noun = draft.noun(draft.pick(sorted(adjective.kinds | adjective.nouns)))
    if (
        noun.is_mass
        or noun.number
        or noun.sense == "fire"
        or noun.english in RELATIONAL_ADULTS
        or noun.kind in ("person_name", "family", "time", "day_part")
        or (noun.is_person and adjective.english == "real")
        or (noun.kind == "vehicle" and noun.english not in ("bus", "train", "plane", "taxi"))
    ):
        raise DeadEnd
    plural = bool(noun.english_plural) and adjective.english == "other" and draft.chance(0.5)
    side = noun.kind == "body"
    if side and (
        adjective.english not in ("left", "right") or noun.english not in ("arm", "leg", "hand", "foot")
    ):
        raise DeadEnd
    subject = draw_person(draft)
    if adjective.english == "same" and not subject.plural:
        raise DeadEnd
    name = (
        {"i": "my", "you": "your", "we": "our", "he": "his", "she": "her"}.get(subject.pronoun, "their")
        if side
        else "the"
    )
    thing = noun_phrase(draft, noun, name, plural, adjectives=[adjective])
    if side:
        return build_clause(draft, subject, Action(Verb("move", "bouger"), thing.phrase), "past"), STOP
    if noun.kind == "vehicle":
        take = draft.lexicon.verb("take")
        phrase = build_clause(
            draft, subject, Action(take, thing.phrase), draft.pick(("past", "past", "will", "want to"))
        )
        return phrase, STOP
    options = draft.lexicon.select(
        ("attribute", noun.kind),
        lambda v: (
            v.frame == "t" and not v.link and noun.kind in v.object.split() and "person" in v.subject.split()
        ),
    )
    if not options and (adjective.english == "next" or noun.kind == "event"):
        raise DeadEnd
    verb = (
        draft.pick(options)
        if options
        else draft.pick((Verb("see", "voir", "t"), Verb("remember", "se souvenir", "t", link="de")))
    )
    mode = "present" if verb.is_state else draft.pick(("past", "past", "will", "want to"))
    return build_clause(draft, subject, Action(verb, join(leaf("", verb.link), thing.phrase)), mode), STOP
