"""Subjects of a clause, and the punctuation at the end of a sentence."""

from models.tasks.everyday.draft import THIRD_PERSON, Draft, Nominal
from models.tasks.everyday.nominals import draw_nominal, nominal_for
from models.tasks.everyday.pronouns import draw_pronoun
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.phrase import Phrase

STOP, QUESTION, SHOUT = ".", "?", "!"

Sentence = tuple[Phrase, str]

COMMA = (",", ",")

NO_RULERS = (  # excludes people who seldom do chores
    " -king -queen -prince -princess -president -minister -hero -enemy -thief -soldier"
)
PEOPLE = (
    "family family person_name person_name adult profession child -baby -tourist -customer -guest" + NO_RULERS
)


def draw_subject(draft: Draft, asked: bool = False) -> Nominal:
    x = draft.rng.random()
    if asked and x < 0.5:
        return draw_pronoun(draft, ("you", "you", "you", "you", "he", "she", "they", "we", "i"))
    if x < 0.42:
        return draw_pronoun(draft)
    if x < 0.86:
        return nominal_for(draft, draft.noun(PEOPLE), "def")
    spec = (
        "pet pet animal"
        if x < 0.93
        else (
            "sun/sky_weather train bus shop/shop computer phone flower tree team police company film/media"
            " plane"
        )
    )
    thing = nominal_for(draft, draft.noun(spec), "def")
    if asked and thing.owner in ("my", "our"):
        raise DeadEnd
    return thing


def draw_person(draft: Draft) -> Nominal:
    x = draft.rng.random()
    if x < 0.45:
        return draw_pronoun(draft)
    return nominal_for(draft, draft.noun(PEOPLE), "def")


def draw_third_person(draft: Draft) -> Nominal:
    return draw_nominal(draft, PEOPLE, "def")


def draw_another_person(draft: Draft, first: Nominal) -> Nominal:
    """Draw a person other than `first`."""
    for _ in range(6):
        draft.owner = ""
        other = draw_person(draft)
        if other.owner in THIRD_PERSON and first.agreement.person == 3:
            continue  # excludes: my wife and her husband
        if other.agreement.person != first.agreement.person or (
            other.agreement.person == 3 and other.noun and first.pronoun != other.pronoun
        ):
            return other
    raise DeadEnd


CIRCLE = ("family", "person_name")


def belong_together(first: Nominal, second: Nominal) -> bool:
    """Whether two subjects can be joined: pronouns, names and family, or two nouns of one kind."""
    kinds = ["family" if n.noun is None or n.noun.kind in CIRCLE else n.noun.kind for n in (first, second)]
    return kinds[0] == kinds[1]
