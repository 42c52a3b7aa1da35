"""States that French expresses differently: pain, illness, looks, becoming, small talk."""

from models.tasks.everyday import conjugation
from models.tasks.everyday.actions import Action, complete_action, draw_verb
from models.tasks.everyday.being import noun_of_sex
from models.tasks.everyday.clauses import be_clause, verb_clause
from models.tasks.everyday.describing import french_adjective, predicate_adjectives
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.linking import fixed
from models.tasks.everyday.modes import build_clause
from models.tasks.everyday.nominals import draw_nominal, plain_phrase
from models.tasks.everyday.pronouns import draw_pronoun, impersonal_it, pronoun
from models.tasks.everyday.subjects import STOP, Sentence, draw_person
from models.tasks.everyday.tables import word_group
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, echo, join, leaf

LOOK_STATES = word_group("look_states")
BODY_PAIN = "head leg foot arm hand stomach back throat tooth ear knee eye neck shoulder finger"


def draw_pain(draft: Draft) -> Sentence:
    """Draw a sentence such as: my leg hurts: j'ai mal à la jambe."""
    own, who = draft.pick((("my", "i"), ("my", "i"), ("his", "he"), ("her", "she"), ("your", "you")))
    noun = draft.noun(BODY_PAIN)
    plural = noun.english in (
        "foot",
        "eye",
        "tooth",
        "leg",
        "ear",
        "arm",
        "finger",
        "knee",
        "hand",
    ) and draft.chance(0.4)
    part = plain_phrase(draft, noun, "the", plural)
    subject = pronoun(who, "f" if who == "she" else "m")
    past = not plural and draft.chance(0.25)
    poss, body = leaf(own, ""), Phrase(part.phrase.english[1:])
    hurt = leaf("hurt" if plural or past else "hurts", "")
    forms = (conjugation.imperfect if past else conjugation.present)("avoir")
    french = join(
        echo(poss, subject.phrase.french[0].text),
        echo(hurt, f"{forms[subject.agreement.speaker]} mal à"),
        Phrase((), (part.phrase.french[0]._replace(sources=poss.english), *part.phrase.french[1:])),
    )
    english = (*poss.english, *body.english, *hurt.english)
    return Phrase(english, french.french), STOP


ILLNESSES = (
    ("a cold", "un rhume"),
    ("a fever", "de la fièvre"),
    ("the flu", "la grippe"),
    ("a headache", "mal à la tête"),
)


def draw_illness(draft: Draft) -> Sentence:
    subject = draw_person(draft)
    have = Verb("have", "avoir", traits=frozenset({"state"}))
    english, french = draft.pick(ILLNESSES)
    article, noun = english.split()
    *det, word = french.split()
    tail = join(leaf(article, " ".join(det)), leaf(noun, word)) if word != "tête" else leaf(english, french)
    return verb_clause(subject, have, draft.pick(("present", "imperfect")), tail), STOP


LOOKS = (
    Verb("look", "avoir l' air", traits=frozenset({"state"})),
    Verb("seem", "sembler", traits=frozenset({"state"})),
)


def draw_looks(draft: Draft) -> Sentence:
    """Draw a sentence such as: she looks tired: elle a l'air fatiguée."""
    subject = draw_person(draft)
    adjective = draft.pick(
        [a for a in predicate_adjectives(draft, subject) if a.english in LOOK_STATES] or [None]
    )
    if adjective is None:
        raise DeadEnd
    complement = leaf(adjective.english, french_adjective(adjective, subject))
    phrase = verb_clause(
        subject, draft.pick(LOOKS), draft.pick(("present", "present", "imperfect")), complement
    )
    return phrase, STOP


BECOME = Verb("become", "devenir")


def draw_becoming(draft: Draft) -> Sentence:
    """Draw a sentence such as: she wants to become a doctor: elle veut devenir médecin."""
    subject = draw_person(draft)
    if subject.plural:
        raise DeadEnd
    noun = noun_of_sex(draft, draft.noun("profession"), subject.agreement.gender == "f")
    complement = join(leaf("a", ""), leaf(noun.english, noun.french))
    if draft.chance(0.6):
        verb = BECOME if draft.chance(0.5) else Verb("be", "être")
        phrase = build_clause(
            draft,
            subject,
            Action(verb, complement),
            draft.pick(("want to", "want to", "would like to", "want to past")),
        )
        return phrase, STOP
    return build_clause(draft, subject, Action(BECOME, complement), draft.pick(("past", "will"))), STOP


FINE = (("well", "bien"), ("fine", "bien"), ("very well", "très bien"))


def draw_well_being(draft: Draft) -> Sentence:
    """Draw a sentence such as: i am fine: je vais bien."""
    subject = draw_pronoun(draft) if draft.chance(0.7) else draw_nominal(draft, "family person_name", "poss")
    phrase = be_clause(
        subject, "present", fixed(*draft.pick(FINE)), draft.pick(("", "", "not")), verb="aller"
    )
    if (
        phrase.english[-1].text == "well"
        and phrase.english[-2].text == "very"
        and any(word.text == "not" for word in phrase.english)
    ):
        raise DeadEnd
    return phrase, STOP


def draw_thanks(draft: Draft) -> Sentence:
    """Draw a sentence such as: thank you for your help: merci pour votre aide."""
    spec = draft.pick(
        ("help", "gift", "letter", "flower", "meal", "email", "message", "book", "advice", "coffee", "dinner")
    )
    noun = draft.lexicon.noun(spec)
    own = draft.pick(("your", "your", "the"))
    plural = noun.english == "flower"
    thing = plain_phrase(draft, noun, own, plural)
    thank = leaf(*draft.pick((("thank you", "merci"), ("thanks", "merci"))))
    return join(thank, leaf("for", "pour"), thing.phrase), STOP


def draw_again(draft: Draft) -> Sentence:
    """Draw a sentence such as: the train is late again: le train est encore en retard."""
    word = leaf("again", "encore")
    if draft.chance(0.5):
        subject = (
            draw_nominal(draft, "train bus plane teacher boss person_name family", "def")
            if draft.chance(0.6)
            else draw_pronoun(draft)
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
        phrase = be_clause(
            subject, draft.pick(("present", "past")), arrange([quality, word], [word, quality])
        )
        return phrase, STOP
    subject = it_weather_or_person(draft)
    verb = (
        Verb("rain", "pleuvoir")
        if subject.noun is None and subject.pronoun == "it"
        else draw_verb(draft, subject)
    )
    if (
        verb.is_state
        or {"pastonly", "state_present"} & verb.traits
        or verb.frame in ("t", "g", "p", "q", "h", "c", "s")
    ):
        raise DeadEnd
    action = complete_action(draft, subject, verb)
    if action.tail is not NOTHING:
        raise DeadEnd
    phrase = join(
        build_clause(
            draft,
            subject,
            action,
            "now" if draft.chance(0.7) and "moment" not in verb.traits else "present",
        ),
        word,
    )
    return phrase, STOP


def it_weather_or_person(draft: Draft) -> Nominal:
    return impersonal_it() if draft.chance(0.4) else draw_person(draft)
