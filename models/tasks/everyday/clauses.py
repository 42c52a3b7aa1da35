"""Clauses in two languages: finite verbs with their auxiliaries, infinitives, commands, questions, negation."""

import re

from models.tasks.everyday import conjugation
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.linking import echo_words
from models.tasks.everyday.nominals import Clitic, Nominal
from models.tasks.translation import lexicon as small
from models.tasks.translation.lexicon import Agreement
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, echo, join, leaf

NEGATIVE = {"not": "pas", "never": "jamais", "no longer": "plus", "not yet": "pas encore"}
MIDDLE = {  # adverbs between subject and verb: after the finite verb in French
    "often": "souvent",
    "always": "toujours",
    "sometimes": "parfois",
    "usually": "d'habitude",
    "rarely": "rarement",
    "already": "déjà",
    "still": "encore",
    "also": "aussi",
    "really": "vraiment",
    "probably": "probablement",
    "almost": "presque",
    "only": "seulement",
}
REFLEXIVE = {(1, False): "me", (2, False): "vous", (3, False): "se", (1, True): "nous", (3, True): "se"}
POSSESSIVE = {"i": "my", "we": "our", "you": "your", "he": "his", "she": "her", "they": "their", "it": "its"}
AM, WAS = small.AM, small.WAS
HAVE = {who: "has" if who == (3, False) else "have" for who in small.WHO}
MODALS = {  # English modal: French verb, its tense
    "will": ("aller", "present"),
    "can": ("pouvoir", "present"),
    "could": ("pouvoir", "conditional"),
    "must": ("devoir", "present"),
    "should": ("devoir", "conditional"),
    "may": ("pouvoir", "present"),
    "might": ("aller", "present"),  # il va peut-être venir
}


def _own(text: str, subject: Nominal, french: bool) -> str:
    """Put the subject's possessive for `*`: wash * hands, faire *s devoirs."""
    if "*" not in text:
        return text
    english = POSSESSIVE[subject.pronoun]
    if not french:
        return text.replace("*", english)
    masculine, feminine, plural = small.POSSESSIVES.get(english, ("son", "sa", "ses"))
    return text.replace("*s", plural).replace("*f", feminine).replace("*m", masculine)


def _denied(rest: str, denied: bool) -> str:
    """Apply a negation to an object: after ne … pas, the articles du, des, un and une become de."""
    return re.sub(r"^(du|des|une?) ", "de ", rest) if denied else rest


def english_verb(verb: Verb, form: str, subject: Nominal) -> Phrase:
    rest = _own(verb.rest, subject, False)
    return leaf(f"{verb.english_form(form)} {rest}" if rest else verb.english_form(form), "")


def _lexical(meaning: Phrase, form: str, rest: str) -> Phrase:
    """The French verb and the words that belong to it: prendre from have, petit-déjeuner from breakfast."""
    if not rest:
        return echo(meaning, form)
    others = echo_words(meaning, rest)
    return join(echo(_without(meaning, others), form), others)


def _without(meaning: Phrase, others: Phrase) -> Phrase:
    """The English words that are not already the source of one French word alone."""
    taken = {id(mot.sources[0]) for mot in others.french if len(mot.sources) == 1}
    left = tuple([word for word in meaning.english if id(word) not in taken])
    return Phrase(left or meaning.english)


def _head(whole: Phrase, auxiliary: Phrase, spoken: Phrase, particle: Phrase, rest: str) -> Phrase:
    return _without(whole, echo_words(join(spoken, particle), rest)) if rest else whole


def object_agreement(
    verb: Verb, subject: Nominal, clitic: Clitic | None, preceding: Agreement | None
) -> Agreement | None:
    """What the French past participle agrees with."""
    if verb.is_reflexive:
        return (
            None
            if verb.french_rest and not verb.french_rest.startswith(("de ", "d' "))
            else subject.agreement
        )
    if verb.takes_etre:
        return subject.agreement
    return clitic.agreement if clitic else preceding


def _finite_english(verb: Verb, tense: str, subject: Nominal, helped: bool) -> tuple[Phrase, Phrase]:
    """The auxiliary, if English needs one, and the verb in the form that goes with it."""
    third = subject.who == (3, False)
    if tense in ("present", "past", "imperfect"):
        past = tense != "present"
        if helped:
            return leaf("did" if past else "does" if third else "do", ""), english_verb(verb, "base", subject)
        return NOTHING, english_verb(verb, "past" if past else "third" if third else "base", subject)
    if tense in ("now", "then"):
        return leaf((AM if tense == "now" else WAS)[subject.who], ""), english_verb(verb, "ing", subject)
    if tense in ("perfect", "had"):
        return leaf(HAVE[subject.who] if tense == "perfect" else "had", ""), english_verb(
            verb, "participle", subject
        )
    if tense == "would":
        return leaf("would", ""), english_verb(verb, "base", subject)
    raise ValueError(tense)


FRENCH_TENSE = {
    "present": conjugation.present,
    "now": conjugation.present,
    "then": conjugation.imperfect,
    "imperfect": conjugation.imperfect,
    "would": conjugation.conditional,
    "conditional": conjugation.conditional,
}


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
    """Subject, finite verb and what follows. `opening` is a question word, `preceding` the head of an object relative.

    Tenses: present, past, imperfect (a past that lasts), now (is reading), then (was reading), perfect, had (had read),
    would, when (a present that French puts in the future).
    """
    said = "present" if tense == "when" else tense
    auxiliary, spoken = _finite_english(verb, said, subject, adverb in ("not", "not yet") or asked)
    particle = leaf(verb.particle, "")
    key = subject.agreement.speaker
    meaning = join(spoken, particle)
    compound = tense in ("past", "perfect", "had")
    rest_text = _denied(_own(verb.french_rest, subject, True), adverb in NEGATIVE)
    tail = join(tail, echo_words(meaning, verb.after_object)) if verb.after_object else tail
    if compound:
        lifted = auxiliary if auxiliary.english else Phrase(spoken.english[:1])
        helper = "être" if verb.takes_etre else "avoir"
        forms = conjugation.imperfect(helper) if tense == "had" else conjugation.present(helper)
        finite = echo(lifted, forms[key])
        agreement = object_agreement(verb, subject, clitic, preceding)
        lexical = _lexical(meaning, verb.participle(agreement), rest_text)
    else:
        form = (conjugation.future if tense == "when" else FRENCH_TENSE[tense])(verb.infinitive)[key]
        whole = join(auxiliary, meaning) if tense in ("now", "then", "would") else meaning
        finite, lexical = (
            echo(_head(whole, auxiliary, spoken, particle, rest_text), form),
            echo_words(meaning, rest_text),
        )
    return assemble(
        subject, auxiliary, spoken, finite, lexical, tail, adverb, asked, clitic, opening, particle,
        reflexive=echo(meaning, REFLEXIVE[key]) if verb.is_reflexive else NOTHING,
        question=tense in ("present", "past", "imperfect"),
    )  # fmt: skip


def assemble(
    subject: Nominal,
    auxiliary: Phrase,
    spoken: Phrase,
    finite: Phrase,
    lexical: Phrase,
    tail: Phrase = NOTHING,
    adverb: str = "",
    asked: bool = False,
    clitic: Clitic | None = None,
    opening: Phrase = NOTHING,
    particle: Phrase = NOTHING,
    reflexive: Phrase = NOTHING,
    question: bool = False,
) -> Phrase:
    """The order of a finite clause in both languages; `question`: an English do belongs to est-ce que."""
    late = adverb in ("not yet",)
    extra = leaf("not" if late else adverb, "")
    yet = leaf("yet", "") if late else NOTHING
    both = join(extra, yet)
    ne = echo(both, "ne" if adverb in NEGATIVE else "")
    after = echo(both, NEGATIVE.get(adverb) or MIDDLE.get(adverb, ""))
    pronoun = clitic.phrase if clitic else NOTHING
    inverted = [opening, auxiliary, subject.phrase] if asked else [opening, subject.phrase, auxiliary]
    est_ce_que = echo(auxiliary if question else NOTHING, "est-ce que") if asked else NOTHING
    words = [extra, spoken, pronoun, particle] if clitic else [extra, spoken, particle]
    return arrange(
        [*inverted, *words, tail, yet],
        [opening, est_ce_que, subject.phrase, ne, reflexive, pronoun, finite, after, lexical, tail],
    )


def infinitive(
    subject: Nominal,
    verb: Verb,
    tail: Phrase = NOTHING,
    to: str = "",
    link: str = "",
    clitic: Clitic | None = None,
    form: str = "base",
    denied: bool = False,
) -> Phrase:
    """Build an infinitive with its object: to see her is la voir, de la voir. `denied`: the verb before it is negated."""
    spoken = english_verb(verb, form, subject)
    particle = leaf(verb.particle, "")
    meaning = join(spoken, particle)
    marker = leaf(to, link)
    tail = join(tail, echo_words(meaning, verb.after_object)) if verb.after_object else tail
    pronoun = clitic.phrase if clitic else NOTHING
    lexical = _lexical(meaning, verb.infinitive, _denied(_own(verb.french_rest, subject, True), denied))
    reflexive = echo(meaning, REFLEXIVE[subject.agreement.speaker]) if verb.is_reflexive else NOTHING
    words = [spoken, pronoun, particle] if clitic else [spoken, particle]
    return arrange([marker, *words, tail], [marker, reflexive, pronoun, lexical, tail])


def modal_clause(
    subject: Nominal,
    modal: str,
    rest: Phrase,
    adverb: str = "",
    asked: bool = False,
    opening: Phrase = NOTHING,
    french: tuple[str, str] | None = None,
) -> Phrase:
    """Build a phrase such as: can, must, will … and an infinitive. French pouvoir, devoir and aller are verbs like others."""
    verb, tense = french or MODALS[modal]
    word = leaf(modal, "")
    key = subject.agreement.speaker
    lexical = NOTHING
    if tense == "past":
        finite, lexical = (
            echo(word, conjugation.present("avoir")[key]),
            echo(word, conjugation.participle(verb)),
        )
    else:
        perhaps = " peut-être" if modal == "might" else ""
        finite = echo(word, FRENCH_TENSE[tense](verb)[key] + perhaps)
    return assemble(subject, word, NOTHING, finite, lexical, rest, adverb, asked, opening=opening)


def going_to(
    subject: Nominal,
    tense: str,
    rest: Phrase,
    adverb: str = "",
    asked: bool = False,
    opening: Phrase = NOTHING,
) -> Phrase:
    """Build a phrase such as: is going to see: va voir."""
    auxiliary, going = leaf((AM if tense == "now" else WAS)[subject.who], ""), leaf("going to", "")
    forms = conjugation.present("aller") if tense == "now" else conjugation.imperfect("aller")
    return assemble(
        subject,
        auxiliary,
        going,
        echo(join(auxiliary, going), forms[subject.agreement.speaker]),
        NOTHING,
        rest,
        adverb,
        asked,
        opening=opening,
    )


BE = {"present": (AM, conjugation.present), "past": (WAS, conjugation.imperfect)}


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
    """Build a form of to be: is tired is est fatigué; with verb=avoir, is hungry is a faim; was sold is a été vendu."""
    key = subject.agreement.speaker
    if tense in MODALS:
        marker, french = leaf(tense, ""), MODALS[tense]
        finite = echo(marker, FRENCH_TENSE[french[1]](french[0])[key])
        be = leaf("be", verb)
        return assemble(subject, marker, be, finite, be, complement, adverb, asked, opening=opening)
    if tense == "would":
        marker, be = leaf("would", ""), leaf("be", "")
        return assemble(
            subject,
            marker,
            be,
            echo(join(marker, be), conjugation.conditional(verb)[key]),
            NOTHING,
            complement,
            adverb,
            asked,
            opening=opening,
        )
    if tense in ("perfect", "had"):
        marker = leaf(HAVE[subject.who] if tense == "perfect" else "had", "")
        been = leaf("been", conjugation.participle(verb))
        forms = conjugation.present("avoir") if tense == "perfect" else conjugation.imperfect("avoir")
        return assemble(
            subject, marker, been, echo(marker, forms[key]), been, complement, adverb, asked, opening=opening
        )
    if tense == "when":
        auxiliary = leaf(AM[subject.who], conjugation.future(verb)[key])
    elif passive and tense == "past":
        auxiliary = leaf(WAS[subject.who], conjugation.present("avoir")[key])
        return assemble(
            subject,
            auxiliary,
            NOTHING,
            auxiliary,
            echo(auxiliary, "été"),
            complement,
            adverb,
            asked,
            opening=opening,
        )
    else:
        english, forms_of = BE[tense]
        auxiliary = leaf(english[subject.who], forms_of(verb)[key])
    return assemble(
        subject, auxiliary, NOTHING, auxiliary, NOTHING, complement, adverb, asked, opening=opening
    )


IMPERATIVE = {"être": "soyez", "avoir": "ayez", "savoir": "sachez"}
AFTER_VERB = {
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
    subject: Nominal, verb: Verb, tail: Phrase = NOTHING, negated: str = "", clitic: Clitic | None = None
) -> Phrase:
    """Build a phrase: open it: ouvrez -le; do not open it: ne l' ouvrez pas. `subject` is you; let us has we for a subject."""
    us = subject.pronoun == "we"
    form = (
        conjugation.present(verb.infinitive)[1, True]
        if us
        else IMPERATIVE.get(verb.infinitive) or conjugation.present(verb.infinitive)[2, False]
    )
    opener = leaf("let us" if us else "do" if negated == "not" else "", "")
    extra = leaf(negated, "")
    spoken, particle = english_verb(verb, "base", subject), leaf(verb.particle, "")
    meaning = join(opener, spoken, particle) if us else join(spoken, particle)
    finite = echo(meaning, form)
    tail = join(tail, echo_words(meaning, verb.after_object)) if verb.after_object else tail
    rest = echo_words(meaning, _denied(_own(verb.french_rest, subject, True), bool(negated)))
    own = REFLEXIVE[subject.agreement.speaker]
    pronoun = clitic.phrase if clitic else NOTHING
    words = (
        [opener, extra, spoken, pronoun, particle, tail]
        if clitic
        else [opener, extra, spoken, particle, tail]
    )
    if negated:
        reflexive = echo(meaning, own) if verb.is_reflexive else NOTHING
        return arrange(
            words, [echo(extra, "ne"), reflexive, pronoun, finite, echo(extra, NEGATIVE[negated]), rest, tail]
        )
    reflexive = echo(meaning, "-" + own) if verb.is_reflexive else NOTHING
    if clitic:
        pronoun = Phrase((), tuple([mot._replace(text=AFTER_VERB[mot.text]) for mot in pronoun.french]))
    return arrange(words, [finite, reflexive, pronoun, rest, tail])
