"""Subjects of a clause: somebody new, or a pronoun for something already mentioned."""

from models.tasks.translation import nominals as nom
from models.tasks.translation.clauses import about, with_relative
from models.tasks.translation.lexicon import NOUNS, PEOPLE, SENSES, Noun
from models.tasks.translation.nominals import Draft, Nominal, any_nominal


def recalled_subject(draft: Draft, event: bool = False) -> Nominal | None:
    """A pronoun for the subject or object of the previous clause, or None if it would be ambiguous."""
    known = [nominal for nominal in draft.salient if nominal.kind in (*PEOPLE, "animal") or not event]
    meant = draft.pick(known) if known else None
    return pronoun_for(draft, meant) if meant and nom.SAID_OF[meant.kind] else None


def pronoun_for(draft: Draft, meant: Nominal) -> Nominal | None:
    """The pronoun that refers to `meant` in the rest of the sentence, or None if it would be ambiguous."""
    if meant.agreement.person < 3:
        return nom.subject_pronoun(meant.pronoun, meant.agreement.gender, meant.kind)
    gender = meant.agreement.gender if meant.pronoun in ("he", "she") else draft.gender_of(meant.pronoun)
    return (
        nom.subject_pronoun(meant.pronoun, gender, meant.kind)._replace(traits=meant.traits)
        if gender
        else None
    )


def special_subject(draft: Draft) -> Nominal:
    """Draw a subject in which a later word decides the meaning of an earlier one."""
    x = draft.rng.random()
    if x < 0.25:
        return nom.noun_phrase(draft, SENSES["banque"], "the")
    if x < 0.42:
        return _of(draft, SENSES["rive"], NOUNS["river"])
    if x < 0.52:
        return _of(draft, SENSES["ressort"], NOUNS["watch"])
    if x < 0.64:
        return _of(draft, SENSES["eau"], SENSES["source"])._replace(kind="water")
    if x < 0.73:
        return _of(draft, SENSES["lumière"], draft.pick((NOUNS["room"], NOUNS["house"], NOUNS["station"])))
    if x < 0.93:
        return any_nominal(draft, ("game",), definite=True)
    return nom.noun_phrase(draft, SENSES["allumette"], "the", plural=draft.chance(0.5), adjectives=[])


def _of(draft: Draft, head: Noun, owner: Noun) -> Nominal:
    """Build a phrase such as: the bank of the river. Pronouns may refer to either noun."""
    one = nom.noun_phrase(draft, head, "the", adjectives=[])
    return nom.with_owner(one, nom.noun_phrase(draft, owner, "the"))


def any_subject(draft: Draft, tense: str, asked: bool, event: bool = False) -> Nominal:
    """Draw a new subject. In an event, it must be able to act or to be acted on."""
    if draft.room < 0 and draft.chance(0.4):
        return nom.named(draft, nom.any_noun(draft, ("name",)))
    x = draft.rng.random()
    if x < 0.36 or draft.room < 0:
        somebody = (
            ("you", "you", "we", "he", "she", "they")
            if asked
            else ("i", "i", "we", "we", "you", "you", "he", "she", "they")
        )
        return nom.pronoun_subject(draft, somebody)
    if x < 0.6 or (event and tense == "present" and x > 0.66):
        kinds: tuple[str, ...] = ("adult", "adult", "child", "child", "name")
    elif x < 0.66:
        kinds = ("animal",)
    elif event:
        kinds = ("document", "document", "letter", "book", "thing", "house")
    elif x < 0.86:
        kinds = (
            "document",
            "document",
            "book",
            "letter",
            "thing",
            "house",
            "house",
            "building",
            "room",
            "topic",
        )
    else:
        return special_subject(draft)
    alive = kinds[0] in ("adult", "animal")
    subject = any_nominal(draft, kinds, definite=not alive, subject=True)
    if subject.kind == "document" and draft.afford(3, 0.7):
        return about(draft, subject)
    return with_relative(draft, subject) if draft.afford(3, 0.4) else subject
