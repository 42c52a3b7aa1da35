"""Verbs in two languages: tenses and their auxiliaries, negation, questions, and pronouns that French puts before the verb."""

from models.tasks.translation import lexicon as lex
from models.tasks.translation.lexicon import Agreement, Verb
from models.tasks.translation.nominals import Clitic, Nominal
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, echo, join, leaf

ADVERBS = {"not": "pas", "never": "jamais", "often": "souvent", "always": "toujours"}
NEGATIVE = ("not", "never")


def has_form(verb: Verb, tense: str, subject: Agreement, asked: bool = False) -> bool:
    """Whether the lexicon has this verb in this tense and person, and English says it in one way only."""
    if tense == "past":
        return verb.past != "-" and verb.participle != "-" and not (asked and verb.base == "-")
    if tense == "future":
        return "-" not in (verb.base, verb.infinitive)
    if tense == "then":
        return verb.imperfect != "-"
    third = subject.speaker == (3, False)
    return verb.present(subject.speaker) != "-" and (
        tense == "now" or third or verb.base != verb.past
    )  # `they read` is past


def _auxiliary(verb: Verb, tense: str, subject: Agreement, adverb: str, asked: bool) -> tuple[Phrase, Phrase]:
    """The English auxiliary, if there is one, and the English verb in the form that goes with it."""
    third = subject.speaker == (3, False)
    past = tense == "past" or (tense == "then" and verb.state)
    if tense == "future":
        auxiliary, form = "will", verb.base
    elif tense in ("now", "then") and not verb.state:
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
    """Subject, verb, and what follows. Tenses: past, present, future; now (is sleeping: dort) and then (was sleeping: dormait).

    `preceding` is the head of an object relative; `particle` ends an idiom after its object.
    """
    who = subject.agreement
    auxiliary, spoken = _auxiliary(verb, tense, who, adverb, asked)
    ending = leaf(particle, "")
    meaning = join(spoken, ending)  # all the English words that carry the verb's meaning
    head = auxiliary if auxiliary.english else Phrase(spoken.english[:1])
    key = who.speaker
    going_on = tense in ("now", "then") and not verb.state

    if tense == "past":
        finite = echo(head, (lex.AVOIR if verb.auxiliary == "avoir" else lex.ETRE)[key])
        agreement = who if verb.auxiliary == "être" else clitic.agreement if clitic else preceding
        lexical = echo(meaning, verb.agreeing(agreement) if agreement else verb.participle)
    elif tense == "future":
        finite, lexical = echo(head, lex.ALLER[key]), echo(meaning, verb.infinitive)
    else:
        form = verb.lasting(key) if tense == "then" else verb.present(key)
        finite, lexical = (
            echo(join(auxiliary, meaning) if tense in ("now", "then") else meaning, form),
            NOTHING,
        )

    extra = leaf(adverb, "")
    ne = echo(extra, "ne" if adverb in NEGATIVE else "")
    after = echo(extra, ADVERBS.get(adverb, ""))
    pronoun = clitic.phrase if clitic else NOTHING
    early, late = (NOTHING, pronoun) if tense == "future" else (pronoun, NOTHING)  # il la voit, il va la voir
    question = (
        echo(NOTHING if going_on or tense == "future" else auxiliary, "est-ce que") if asked else NOTHING
    )
    opening = [auxiliary, subject.phrase] if asked else [subject.phrase, auxiliary]
    return arrange(
        [*opening, extra, spoken, pronoun, tail, ending],
        [question, subject.phrase, ne, early, finite, after, late, lexical, tail],
    )


def be_clause(
    subject: Nominal,
    tense: str,
    complement: Phrase,
    adverb: str = "",
    asked: bool = False,
    passive: bool = False,
) -> Phrase:
    """was tired: était fatigué. was signed: a été signé. will be: va être."""
    who = subject.agreement
    key = who.speaker
    extra = leaf(adverb, "")
    ne = echo(extra, "ne" if adverb in NEGATIVE else "")
    after = echo(extra, ADVERBS.get(adverb, ""))
    bare = NOTHING
    if tense == "future":
        auxiliary, bare = leaf("will", lex.ALLER[key]), leaf("be", "être")
    elif tense == "present":
        auxiliary = leaf(lex.AM[key], lex.ETRE[key])
    elif passive:
        auxiliary = leaf(lex.WAS[key], lex.AVOIR[key])
        bare = echo(auxiliary, "été")
    else:
        auxiliary = leaf(lex.WAS[key], lex.ETAIT[key])
    question = leaf("", "est-ce que") if asked else NOTHING
    opening = [auxiliary, subject.phrase] if asked else [subject.phrase, auxiliary]
    return arrange(
        [*opening, extra, bare, complement],
        [question, subject.phrase, ne, auxiliary, after, bare, complement],
    )
