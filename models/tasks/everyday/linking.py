"""Links inside fixed phrases: a word with a counterpart of its own is linked to it, only the rest is linked all to all."""

from functools import cache

from models.tasks.everyday.tables import rows
from models.tasks.translation.phrase import Mot, Phrase, Word, leaf

OWN_PAIRS = """
    yesterday hier | morning matin | evening soir | night soir | this ce | this cet | this cette | tomorrow demain
    last dernière | last dernier | next prochaine | next prochain | week semaine | year année | month mois
    summer été | weekend week-end | afternoon après-midi | now maintenant | every tous | every toutes | day jours
    morning matins | evening soirs | week semaines | year ans | summer étés | breakfast petit-déjeuner
    shower douche | his ses | her ses | my mes | your vos | our nos | their leurs | homework devoirs | hands mains
    teeth dents | leg jambe | arm bras | dishes vaisselle | shopping courses | doctor médecin | the le | the la
    the l' | the les | a un | a une | some du | some de | some l' | some la | any d' | new new | york york
    very très | too trop | well bien | late tard | early tôt
    train train | horse cheval | dinner dîner | good bon | good bonne | luck chance | birthday anniversaire
    friend ami | my mon | noise bruit | happy bon | years ans | hundred cent | tomorrow demain | soon bientôt
    time longtemps | in en | in à | at à | on sur | with avec | and et | then puis
"""


@cache
def pairs() -> frozenset[tuple[str, str]]:
    """English and French words that mean the same: from the tables, where both are one word, and the list above."""
    found = {tuple(pair.split()) for pair in OWN_PAIRS.replace("\n", " | ").split("|") if pair.split()}
    found |= {(row["english"], row["french"]) for table in ("nouns", "names") for row in rows(table)}
    for row in rows("adjectives"):
        found |= {
            (row["english"], row[form]) for form in ("french_m", "french_f", "french_mpl", "french_fpl")
        }
    return frozenset(found)  # type: ignore[arg-type]


def align(words: tuple[Word, ...], french: tuple[str, ...]) -> tuple[Mot, ...]:
    """French words with the English words they come from."""
    if len(words) < 2 or not french:
        return tuple([Mot(text, words) for text in french])
    known = pairs()
    matched = [tuple([word for word in words if (word.text, text) in known]) for text in french]
    taken = {id(word) for found in matched for word in found}
    rest = tuple([word for word in words if id(word) not in taken])
    return tuple([Mot(text, found or rest) for text, found in zip(french, matched, strict=True)])


def fixed(english: str, french: str) -> Phrase:
    """A phrase of several words on both sides."""
    words = leaf(english, "").english
    return Phrase(words, align(words, tuple(french.split())))


def echo_words(phrase: Phrase, french: str) -> Phrase:
    """More French for English that is said already, linked word by word where that is possible."""
    return Phrase((), align(phrase.english, tuple(french.split()))) if french else Phrase()
