"""Clauses in both languages: finite verbs with auxiliaries, infinitives, modals, to be, commands."""

import re

from models.tasks.everyday import conjugation
from models.tasks.everyday.draft import Nominal
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.linking import echo_words
from models.tasks.everyday.pronouns import Clitic
from models.tasks.translation.lexicon import AM, POSSESSIVES, WAS, WHO, Agreement
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, echo, join, leaf
from models.tasks.translation.verbs import NEGATIONS, arrange_clause

REFLEXIVE = {(1, False): "me", (2, False): "vous", (3, False): "se", (1, True): "nous", (3, True): "se"}
POSSESSIVE = {"i": "my", "we": "our", "you": "your", "he": "his", "she": "her", "they": "their", "it": "its"}
HAVE = {who: "has" if who == (3, False) else "have" for who in WHO}
MODALS = {  # English modal → French verb and its tense
    "will": ("aller", "present"),
    "can": ("pouvoir", "present"),
    "could": ("pouvoir", "conditional"),
    "must": ("devoir", "present"),
    "should": ("devoir", "conditional"),
    "may": ("pouvoir", "present"),
    "might": ("aller", "present"),  # French adds peut-être: il va peut-être venir
}
FRENCH_TENSE = {
    "present": conjugation.present,
    "now": conjugation.present,
    "then": conjugation.imperfect,
    "imperfect": conjugation.imperfect,
    "would": conjugation.conditional,
    "conditional": conjugation.conditional,
    "when": conjugation.future,
}
PROGRESSIVE_BE = {"now": AM, "then": WAS}


# ---- the words of one verb ----


def fill_possessive(text: str, subject: Nominal, french: bool) -> str:
    """Replace `*` by the subject's possessive: wash * hands, faire *s devoirs."""
    if "*" not in text:
        return text
    english = POSSESSIVE[subject.pronoun]
    if not french:
        return text.replace("*", english)
    masculine, feminine, plural = POSSESSIVES.get(english, ("son", "sa", "ses"))
    return text.replace("*s", plural).replace("*f", feminine).replace("*m", masculine)


def french_complement(verb: Verb, subject: Nominal, negated: bool) -> str:
    """The French words that belong to the verb. After ne … pas, du, des, un and une become de."""
    rest = fill_possessive(verb.french_rest, subject, True)
    return re.sub(r"^(du|des|une?) ", "de ", rest) if negated else rest


def english_verb(verb: Verb, form: str, subject: Nominal) -> Phrase:
    rest = fill_possessive(verb.rest, subject, False)
    return leaf(f"{verb.english_form(form)} {rest}" if rest else verb.english_form(form), "")


def lexical_verb(meaning: Phrase, form: str, complement: str) -> Phrase:
    """Link the French verb and its complement: prendre from have, petit-déjeuner from breakfast."""
    if not complement:
        return echo(meaning, form)
    others = echo_words(meaning, complement)
    return join(echo(words_left(meaning, others), form), others)


def words_left(meaning: Phrase, others: Phrase) -> Phrase:
    """The English words that are not the only source of a French word in `others`."""
    taken = {id(mot.sources[0]) for mot in others.french if len(mot.sources) == 1}
    left = tuple([word for word in meaning.english if id(word) not in taken])
    return Phrase(left or meaning.english)


def end_with_object(verb: Verb, meaning: Phrase, tail: Phrase) -> Phrase:
    """Add the French words that follow the object: fermer la porte à clé."""
    return join(tail, echo_words(meaning, verb.after_object)) if verb.after_object else tail


def participle_agreement(
    verb: Verb, subject: Nominal, clitic: Clitic | None, preceding: Agreement | None
) -> Agreement | None:
    """The features that the French past participle agrees with, or None."""
    if verb.is_reflexive:
        has_object = verb.french_rest and not verb.french_rest.startswith(("de ", "d' "))
        return None if has_object else subject.agreement
    if verb.takes_etre:
        return subject.agreement
    return clitic.agreement if clitic else preceding


# ---- finite clauses ----


def finite_english(verb: Verb, tense: str, subject: Nominal, with_do: bool) -> tuple[Phrase, Phrase]:
    """The English auxiliary, if one is needed, and the verb in the matching form."""
    third = subject.who == (3, False)
    if tense in ("present", "past", "imperfect"):
        past = tense != "present"
        if with_do:
            return leaf("did" if past else "does" if third else "do", ""), english_verb(verb, "base", subject)
        return NOTHING, english_verb(verb, "past" if past else "third" if third else "base", subject)
    if tense in PROGRESSIVE_BE:
        return leaf(PROGRESSIVE_BE[tense][subject.who], ""), english_verb(verb, "ing", subject)
    if tense in ("perfect", "had"):
        auxiliary = HAVE[subject.who] if tense == "perfect" else "had"
        return leaf(auxiliary, ""), english_verb(verb, "participle", subject)
    if tense == "would":
        return leaf("would", ""), english_verb(verb, "base", subject)
    raise ValueError(tense)


def verb_clause(
    subject: Nominal,
    verb: Verb,
    tense: str,
    tail: Phrase = NOTHING,
    adverb: str = "",
    asked: bool = False,
    clitic: Clitic | None = None,
    preceding: Agreement | None = None,
    opening: Phrase = NOTHING,
) -> Phrase:
    """Build a clause from a subject, a finite verb and its complements.

    `opening` is a question word, `preceding` the head of an object relative. Tenses: present, past, imperfect
    (a lasting past), now (is reading), then (was reading), perfect, had, would, when (French future).
    """
    with_do = adverb in ("not", "not yet") or asked
    auxiliary, spoken = finite_english(verb, "present" if tense == "when" else tense, subject, with_do)
    particle = leaf(verb.particle, "")
    key = subject.agreement.speaker
    meaning = join(spoken, particle)
    complement = french_complement(verb, subject, adverb in NEGATIONS)
    if tense in ("past", "perfect", "had"):
        helper = "être" if verb.takes_etre else "avoir"
        forms = conjugation.imperfect(helper) if tense == "had" else conjugation.present(helper)
        finite = echo(auxiliary if auxiliary.english else Phrase(spoken.english[:1]), forms[key])
        agreement = participle_agreement(verb, subject, clitic, preceding)
        lexical = lexical_verb(meaning, verb.participle(agreement), complement)
    else:
        head = join(auxiliary, meaning) if tense in ("now", "then", "would") else meaning
        lexical = echo_words(meaning, complement)
        finite = echo(
            words_left(head, lexical) if complement else head, FRENCH_TENSE[tense](verb.infinitive)[key]
        )
    return arrange_clause(
        subject.phrase,
        auxiliary,
        spoken,
        finite,
        lexical,
        end_with_object(verb, meaning, tail),
        adverb,
        asked,
        clitic.phrase if clitic else NOTHING,
        opening,
        particle,
        reflexive=echo(meaning, REFLEXIVE[key]) if verb.is_reflexive else NOTHING,
        question=tense in ("present", "past", "imperfect"),
    )


def infinitive(
    subject: Nominal,
    verb: Verb,
    tail: Phrase = NOTHING,
    to: str = "",
    link: str = "",
    clitic: Clitic | None = None,
    form: str = "base",
    negated: bool = False,
) -> Phrase:
    """Build an infinitive with its object: to see her: la voir. `negated`: the verb before it is negated."""
    spoken, particle = english_verb(verb, form, subject), leaf(verb.particle, "")
    meaning = join(spoken, particle)
    marker = leaf(to, link)
    tail = end_with_object(verb, meaning, tail)
    pronoun = clitic.phrase if clitic else NOTHING
    lexical = lexical_verb(meaning, verb.infinitive, french_complement(verb, subject, negated))
    reflexive = echo(meaning, REFLEXIVE[subject.agreement.speaker]) if verb.is_reflexive else NOTHING
    return arrange([marker, spoken, pronoun, particle, tail], [marker, reflexive, pronoun, lexical, tail])


def modal_clause(
    subject: Nominal,
    modal: str,
    rest: Phrase,
    adverb: str = "",
    asked: bool = False,
    opening: Phrase = NOTHING,
    french: tuple[str, str] | None = None,
) -> Phrase:
    """Build can, must, will … with an infinitive. French pouvoir, devoir and aller are ordinary verbs."""
    verb, tense = french or MODALS[modal]
    word = leaf(modal, "")
    key = subject.agreement.speaker
    lexical = NOTHING
    if tense == "past":
        finite = echo(word, conjugation.present("avoir")[key])
        lexical = echo(word, conjugation.participle(verb))
    else:
        finite = echo(word, FRENCH_TENSE[tense](verb)[key] + " peut-être" * (modal == "might"))
    return arrange_clause(
        subject.phrase, word, NOTHING, finite, lexical, rest, adverb, asked, opening=opening
    )  # fmt: skip


def going_to(
    subject: Nominal, rest: Phrase, adverb: str = "", asked: bool = False, opening: Phrase = NOTHING
) -> Phrase:
    """Build a phrase such as: is going to see: va voir."""
    auxiliary, going = leaf(AM[subject.who], ""), leaf("going to", "")
    finite = echo(join(auxiliary, going), conjugation.present("aller")[subject.agreement.speaker])
    return arrange_clause(
        subject.phrase, auxiliary, going, finite, NOTHING, rest, adverb, asked, opening=opening
    )  # fmt: skip


def be_clause(
    subject: Nominal,
    tense: str,
    complement: Phrase,
    adverb: str = "",
    asked: bool = False,
    opening: Phrase = NOTHING,
    verb: str = "être",
    passive: bool = False,
) -> Phrase:
    """Build a form of to be: is tired: est fatigué; verb="avoir": is hungry: a faim; passive: a été vendu."""
    key = subject.agreement.speaker
    be = lexical = NOTHING
    if tense in MODALS:
        auxiliary, (modal, modal_tense) = leaf(tense, ""), MODALS[tense]
        finite = echo(auxiliary, FRENCH_TENSE[modal_tense](modal)[key])
        be = lexical = leaf("be", verb)
    elif tense == "would":
        auxiliary, be = leaf("would", ""), leaf("be", "")
        finite = echo(join(auxiliary, be), conjugation.conditional(verb)[key])
    elif tense in ("perfect", "had"):
        auxiliary = leaf(HAVE[subject.who] if tense == "perfect" else "had", "")
        helper = conjugation.present("avoir") if tense == "perfect" else conjugation.imperfect("avoir")
        finite = echo(auxiliary, helper[key])
        be = lexical = leaf("been", conjugation.participle(verb))
    elif tense == "past" and passive:
        auxiliary = finite = leaf(WAS[subject.who], conjugation.present("avoir")[key])
        lexical = echo(auxiliary, "été")
    else:
        forms = {"present": conjugation.present, "past": conjugation.imperfect, "when": conjugation.future}
        auxiliary = finite = leaf((WAS if tense == "past" else AM)[subject.who], forms[tense](verb)[key])
    return arrange_clause(
        subject.phrase, auxiliary, be, finite, lexical, complement, adverb, asked, opening=opening
    )  # fmt: skip


# ---- commands ----

IMPERATIVE = {"être": "soyez", "avoir": "ayez", "savoir": "sachez"}
PRONOUN_AFTER_VERB = {
    "me": "-moi",
    "Le": "-le",
    "La": "-la",
    "Les": "-les",
    "lui": "-lui",
    "leur": "-leur",
    "nous": "-nous",
    "vous": "-vous",
}


def command(
    subject: Nominal, verb: Verb, tail: Phrase = NOTHING, negation: str = "", clitic: Clitic | None = None
) -> Phrase:
    """Build a command such as: open it: ouvrez -le. The subject is you, or we for let us."""
    let_us = subject.pronoun == "we"
    present = conjugation.present(verb.infinitive)
    form = present[1, True] if let_us else IMPERATIVE.get(verb.infinitive) or present[2, False]
    opener = leaf("let us" if let_us else "do" if negation == "not" else "", "")
    extra = leaf(negation, "")
    spoken, particle = english_verb(verb, "base", subject), leaf(verb.particle, "")
    meaning = join(opener, spoken, particle) if let_us else join(spoken, particle)
    finite = echo(meaning, form)
    tail = end_with_object(verb, meaning, tail)
    complement = echo_words(meaning, french_complement(verb, subject, bool(negation)))
    own = REFLEXIVE[subject.agreement.speaker]
    pronoun = clitic.phrase if clitic else NOTHING
    english = [opener, extra, spoken, pronoun, particle, tail]
    if negation:
        reflexive = echo(meaning, own) if verb.is_reflexive else NOTHING
        ne, pas = echo(extra, "ne"), echo(extra, NEGATIONS[negation])
        return arrange(english, [ne, reflexive, pronoun, finite, pas, complement, tail])
    reflexive = echo(meaning, "-" + own) if verb.is_reflexive else NOTHING
    after = Phrase((), tuple([mot._replace(text=PRONOUN_AFTER_VERB[mot.text]) for mot in pronoun.french]))
    return arrange(english, [finite, reflexive, after, complement, tail])
