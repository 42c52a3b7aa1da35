"""Clauses built around a verb: tenses and auxiliaries, negation, questions, object pronouns."""

from models.tasks.translation import lexicon as lex
from models.tasks.translation.lexicon import Agreement, Verb
from models.tasks.translation.nominals import Clitic, Nominal
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, echo, join, leaf

NEGATIONS = {"not": "pas", "never": "jamais", "no longer": "plus", "not yet": "pas encore"}
ADVERBS = {  # before the verb in English, after the finite verb in French
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


def arrange_clause(
    subject: Phrase,
    auxiliary: Phrase,
    spoken: Phrase,
    finite: Phrase,
    lexical: Phrase,
    tail: Phrase = NOTHING,
    adverb: str = "",
    asked: bool = False,
    pronoun: Phrase = NOTHING,
    opening: Phrase = NOTHING,
    particle: Phrase = NOTHING,
    reflexive: Phrase = NOTHING,
    question: bool = False,
) -> Phrase:
    """Order the parts of a finite clause for both languages.

    English has an `auxiliary` and a `spoken` verb, French a `finite` and a `lexical` verb. `pronoun` is an
    object, `opening` a question word. With `question`, an English do is linked to est-ce que.
    """
    before, after = ("not", "yet") if adverb == "not yet" else (adverb, "")
    english_adverb, english_end = leaf(before, ""), leaf(after, "")
    meaning = join(english_adverb, english_end)
    ne = echo(meaning, "ne" if adverb in NEGATIONS else "")
    french_adverb = echo(meaning, NEGATIONS.get(adverb) or ADVERBS.get(adverb, ""))
    est_ce_que = echo(auxiliary if question else NOTHING, "est-ce que") if asked else NOTHING
    start = [auxiliary, subject] if asked else [subject, auxiliary]
    return arrange(
        [opening, *start, english_adverb, spoken, pronoun, particle, tail, english_end],
        [opening, est_ce_que, subject, ne, reflexive, pronoun, finite, french_adverb, lexical, tail],
    )


def has_form(verb: Verb, tense: str, subject: Agreement, asked: bool = False) -> bool:
    """Whether the lexicon contains this verb form, and the English form is unambiguous."""
    if tense == "past":
        return verb.past != "-" and verb.participle != "-" and not (asked and verb.base == "-")
    if tense == "future":
        return "-" not in (verb.base, verb.infinitive)
    if tense == "then":
        return verb.imperfect != "-"
    # an ambiguous form counts as past: they read
    clear = tense == "now" or subject.speaker == (3, False) or verb.base != verb.past
    return verb.present(subject.speaker) != "-" and clear


def _english_verb(
    verb: Verb, tense: str, subject: Agreement, adverb: str, asked: bool
) -> tuple[Phrase, Phrase]:
    """The English auxiliary, if there is one, and the English verb in the matching form."""
    third = subject.speaker == (3, False)
    past = tense == "past" or (tense == "then" and verb.is_state)
    if tense == "future":
        auxiliary, form = "will", verb.base
    elif tense in ("now", "then") and not verb.is_state:
        auxiliary, form = (lex.AM if tense == "now" else lex.WAS)[subject.speaker], verb.ing
    elif adverb == "not" or asked:
        auxiliary, form = ("did" if past else "does" if third else "do"), verb.base
    else:
        auxiliary, form = "", (verb.past if past else verb.third if third else verb.base)
    return leaf(auxiliary, ""), leaf(form.replace("_", " "), "")


def verb_clause(
    subject: Nominal,
    verb: Verb,
    tense: str,
    tail: Phrase = NOTHING,
    adverb: str = "",
    asked: bool = False,
    clitic: Clitic | None = None,
    preceding: Agreement | None = None,
    particle: str = "",
) -> Phrase:
    """Build a clause from a subject, a verb and its complements.

    Tenses: past, present, future, now (is sleeping), then (was sleeping). `preceding` is the head of an
    object relative; `particle` ends an idiom after its object.
    """
    who = subject.agreement
    auxiliary, spoken = _english_verb(verb, tense, who, adverb, asked)
    ending = leaf(particle, "")
    meaning = join(spoken, ending)  # all English words that carry the verb's meaning
    head = auxiliary if auxiliary.english else Phrase(spoken.english[:1])
    pronoun = clitic.phrase if clitic else NOTHING
    lexical = NOTHING
    if tense == "past":
        finite = echo(head, (lex.AVOIR if verb.auxiliary == "avoir" else lex.ETRE)[who.speaker])
        agreement = who if verb.auxiliary == "être" else clitic.agreement if clitic else preceding
        lexical = echo(meaning, verb.agreeing(agreement) if agreement else verb.participle)
    elif tense == "future":
        finite = echo(head, lex.ALLER[who.speaker])
        # object pronouns precede the infinitive: il va la voir
        lexical = join(Phrase((), pronoun.french), echo(meaning, verb.infinitive))
        pronoun = Phrase(pronoun.english)
    elif tense == "present":
        finite = echo(meaning, verb.present(who.speaker))
    else:
        form = verb.lasting(who.speaker) if tense == "then" else verb.present(who.speaker)
        finite = echo(join(auxiliary, meaning), form)
    has_do = tense in ("past", "present") or (tense in ("now", "then") and verb.is_state)
    tail = join(tail, ending)
    return arrange_clause(
        subject.phrase, auxiliary, spoken, finite, lexical, tail, adverb, asked, pronoun, question=has_do
    )


def be_clause(
    subject: Nominal,
    tense: str,
    complement: Phrase,
    adverb: str = "",
    asked: bool = False,
    passive: bool = False,
) -> Phrase:
    """Build a form of to be: was tired: était fatigué; was signed: a été signé; will be: va être."""
    who = subject.agreement.speaker
    be = NOTHING
    if tense == "future":
        auxiliary, be = leaf("will", lex.ALLER[who]), leaf("be", "être")
    elif tense == "present":
        auxiliary = leaf(lex.AM[who], lex.ETRE[who])
    elif passive:
        auxiliary = leaf(lex.WAS[who], lex.AVOIR[who])
        be = echo(auxiliary, "été")
    else:
        auxiliary = leaf(lex.WAS[who], lex.ETAIT[who])
    return arrange_clause(subject.phrase, auxiliary, be, auxiliary, be, complement, adverb, asked)
