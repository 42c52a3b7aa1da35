"""The candidate beside its references, n-gram precisions, the scores, and the model's own probabilities."""

from lessons.decoding.bleu.compute import Graded
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import plural, scientific
from lessons.kit.pictures.phrases import join_with_and
from lessons.kit.pictures.table import Table
from lessons.kit.pictures.tokens import TokenLine, Tokens

NAMES = ("BLEU", "chrF", "exact match")
MAX_SHOWN = 8  # n-grams of one order listed in the table
MAX_QUOTED_WORDS = 4  # words without a match that the reading names


def sentences(run: Graded) -> Tokens:
    unmatched = frozenset(n for n, is_match in enumerate(run.matched) if not is_match)
    lines = [TokenLine("you wrote", run.candidate, changed=unmatched, right=run.is_exact or None)]
    lines += [
        TokenLine(f"reference {n}", words, quiet=True) for n, words in enumerate(run.references, start=1)
    ]
    return Tokens(
        tuple(lines), key="word", wide=560, tall=150, title="Your words (outlined: not in a reference)"
    )


def precisions(run: Graded) -> Table:
    """One row per order: matches, n-grams, precision."""
    rows = [
        (
            f"{n} {'word' if n == 1 else 'words'}",
            str(shared),
            str(total),
            f"{precision:.2f}" if total else "–",
        )
        for n, (shared, total, precision) in enumerate(
            zip(run.shared, run.totals, run.precisions, strict=True), 1
        )
    ]
    rows.append(
        ("brevity penalty", str(len(run.candidate)), str(run._bleu.reference_length), f"{run.brevity:.2f}")
    )
    headings = ("n-grams of", "in a reference (clipped)", "in your sentence", "factor")
    return Table(
        headings,
        tuple(rows),
        wide=900,
        tall=170,
        fill=True,
        title="The factors of BLEU (last row: your length and the reference’s)",
    )


def scores(run: Graded) -> Bars:
    return Bars(
        (run.bleu, run.chrf, 100.0 * run.is_exact),
        NAMES,
        role="weight",
        top=100,
        digits=1,
        wide=340,
        tall=150,
        title="Three grades, 0 to 100",
    )


def ngrams(run: Graded) -> Table:
    """The n-grams of each order that match, and those that do not."""
    rows = []
    for order in run._bleu.orders:
        missed = order.counts - order.clipped
        rows.append((str(order.n), list_ngrams(order.clipped), list_ngrams(missed)))
    return Table(
        ("n", "match", "do not match"),
        tuple(rows),
        fill=True,
        wide=900,
        title="Every n-gram of your sentence",
    )


def list_ngrams(counts: dict[tuple[str, ...], int]) -> str:
    shown = [f"“{' '.join(words)}”" + (f" × {count}" if count > 1 else "") for words, count in counts.items()]
    return (
        ", ".join(shown[:MAX_SHOWN])
        + (f" and {len(shown) - MAX_SHOWN} more" if len(shown) > MAX_SHOWN else "")
        or "–"
    )


def word_probabilities(run: Graded) -> Bars:
    return Bars(
        run.model_probabilities,
        run.model_words,
        role="target",
        upright=True,
        wide=900,
        tall=230,
        title="Probability that our translator gives to each of your words",
    )


def perplexity(run: Graded) -> str:
    return (
        f"The perplexity of your sentence is **{format_perplexity(run.perplexity)}**. On average, each word"
        " surprised the translator as much as a fair choice among that many words. Perplexity needs no"
        " reference, but it measures what the model expects, not what is correct."
    )


def format_perplexity(value: float) -> str:
    """Format with one decimal, or as 4.3 · 10⁹ if it is large."""
    return f"{value:,.1f}" if value < 10_000 else scientific(value, 1)


def reading(run: Graded) -> str:
    if run.is_exact:
        return (
            "Your sentence is a reference, word for word. So it is an exact match, with a BLEU of"
            f" **{run.bleu:.0f}** and a chrF of **{run.chrf:.0f}**."
        )
    missed = [word for word, is_match in zip(run.candidate, run.matched, strict=True) if not is_match]
    found = sum(run.matched)
    words = plural(len(run.candidate), "word")
    sentences = [f"**{found}** of your {words} {'matches' if found == 1 else 'match'} a reference."]
    if missed:
        quoted = [f"“{word}”" for word in dict.fromkeys(missed)]
        more = len(quoted) - MAX_QUOTED_WORDS
        if more > 1:
            quoted = [*quoted[:MAX_QUOTED_WORDS], f"{more} others"]
        what = "This word does not match" if len(missed) == 1 else "These words do not match"
        sentences.append(f"{what}: {join_with_and(quoted)}.")
    if run.bleu:
        sentences.append(f"So BLEU is **{run.bleu:.1f}** and chrF is **{run.chrf:.1f}**.")
    else:
        order = next(n for n, precision in enumerate(run.precisions, start=1) if not precision)
        what = "word" if order == 1 else f"{order} words in a row"
        sentences.append(
            f"No {what} match{'es' if order == 1 else ''}, so a factor is 0 and BLEU is **0**;"
            " chrF still gives"
            f" **{run.chrf:.1f}**."
        )
    if run.brevity < 1:
        sentences.append(f"Your sentence is short: the brevity penalty is {run.brevity:.2f}.")
    return " ".join(sentences)
