"""Guesses before the hand moves, and "Check yourself". Every right answer is computed here, none is typed in."""

import math

import torch

from lessons.decoding.compute import gallery, loop, search, word
from lessons.decoding.compute.common import words_of
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number, one_of
from lessons.kit.pictures.numbers import compact, percent, signed
from models import decoding
from models.decoding import Settings

MARKET = "one day , mira walked to the"
HARBOUR = "one day , mira walked to the harbour ."
GAVE_UP = "you never gave up ."
CAR = "you gave him a car ."
FRANCE = "you saw him in france yesterday ."
LONDON = "the small girl goes to london ."
HOME = "i want to go home ."
PHRASES = ("i don't know .", "the boats were wet .", "my brave lamp sold seven swords .")
WEAK = "translator, one vector"
ROLLED, DIE = 3, 3  # words at the start, and the seed of their dice


# ---- one guess for each experiment ----

SIZES = {"1 in 10": 1e-1, "1 in 1,000": 1e-3, "1 in 1,000,000": 1e-6}


def first_text() -> word.Sampled:
    return word.sample("GRU", MARKET, "", "", ROLLED, DIE)


def probability_of_ten() -> str:
    total = first_text().log_product[-1]
    return min(SIZES, key=lambda size: abs(math.log(SIZES[size]) - total))


def mean_factor() -> float:
    """The geometric mean of the words' probabilities: multiplied by itself once per word it gives P of the text."""
    run = first_text()
    return math.exp(run.log_product[-1] / len(run.words))


def half_way() -> str:
    run = first_text()
    below = int((run.log_product < math.log(1e-3)).argmax())
    return (
        f"after {below + 1} of the {len(run.words)} words the product is already"
        f" {compact(math.exp(run.log_product[below]))}"
    )


how_probable = guess(
    "how-probable",
    f"At the start the text has {len(MARKET.split()) + ROLLED} words. About how probable is exactly this"
    " text, word for word?",
    {
        "1 in 10": lambda: (
            f"Even a single word has only {mean_factor():.2f} on average, about 1 in"
            f" {round(1 / mean_factor())}. All words must come true together, so their probabilities are"
            " multiplied."
        ),
        "1 in 1,000": lambda: f"Follow the lower line of the chain: {half_way()}.",
        "1 in 1,000,000": lambda: (
            f"It is {compact(math.exp(first_text().log_product[-1]))}: {len(first_text().words)} factors of"
            f" about {mean_factor():.2f} each. Any single text is improbable because there are very many"
            " texts. See the lower line."
        ),
    },
    probability_of_ten,
    "Each word is one throw. How probable is it that ten throws all come out as they did?",
    covers=("chain",),
)


def nucleus(text: str) -> int:
    """Words that hold 0.9, with nothing else in the way."""
    return word.filters("GRU", text, 1, 0, 0.9, 1, "", "", 0, 0).live[-1]


STOP, TO_THE, EQUAL = "after “… harbour .”", "after “… walked to the”", "equally many"


def kept() -> str:
    return f"With τ = 1 and no top-k: {nucleus(HARBOUR)} words {STOP}, {nucleus(MARKET)} {TO_THE}."


def broader() -> str:
    full_stop, to_the = nucleus(HARBOUR), nucleus(MARKET)
    return EQUAL if full_stop == to_the else STOP if full_stop > to_the else TO_THE


larger_nucleus = guess(
    "larger-nucleus",
    "Top-p 0.9 keeps the fewest words that hold 0.9 of the probability (τ = 1, top-k off). Where does it keep"
    " more?",
    {
        STOP: lambda: f"The model is surer there: one word alone has more than half. {kept()}",
        TO_THE: lambda: f"One can walk to many places, and each has a small share. {kept()}",
        EQUAL: lambda: (
            f"p fixes how much is held, not by how many; a fixed number is what top-k keeps. {kept()}"
        ),
    },
    broader,
    "Where could you yourself say more surely which word comes next?",
    covers=("after_top_p", "renormalised"),
)

CAN, ONLY, NEVER = "it can", "only with a length penalty", "never"


SEE = "Choose “One place more” to see it."


def two_by_two(penalty: float = 0.0) -> search.Searched:
    return search.beam(WEAK, FRANCE, "", 2, penalty)


def ever_worse() -> str:
    greedy, two = two_by_two().totals_of
    return CAN if two < greedy - search.SAME else NEVER


def worse() -> str:
    greedy, two = two_by_two().totals_of
    return f"On “{FRANCE}” greedy finds log P = {signed(greedy)}, a beam of two {signed(two)}"


never_worse = guess(
    "never-worse",
    "A beam of two keeps twice as much as greedy. Can its answer be less probable than greedy’s?",
    {
        CAN: lambda: (
            f"{worse()}: both places went to beginnings that were better so far and ended worse. {SEE}"
        ),
        ONLY: lambda: (
            f"{worse()}, without a length penalty: a beam prunes by log P so far, and nobody knows what will"
            f" come. {SEE}"
        ),
        NEVER: lambda: (
            f"It keeps more, but only by log P so far: greedy’s way can fall out of the beam. {worse()}."
            f" {SEE}"
        ),
    },
    ever_worse,
    "What is a beginning judged by when the beam has to choose: by what it is, or by what will come of it?",
)

TIMES = {"half as probable": 0.5, "twice as probable": 2.0, "a hundred times as probable": 100.0}


def said(times: int) -> float:
    return math.exp(loop.said_again("GRU", words_of(HOME))[times].sum())


def times_as_probable() -> str:
    ratio = math.log(said(3) / said(0))
    return min(TIMES, key=lambda times: abs(math.log(TIMES[times]) - ratio))


feeds_itself = guess(
    "feeds-itself",
    f"At the start the GRU has read “{HOME}” three times. Compared with the first time, how probable is it"
    " now?",
    {
        "half as probable": lambda: (
            f"The line goes up, not down: {', '.join(compact(said(r)) for r in range(3))} …"
        ),
        "twice as probable": lambda: (
            f"Look at the left end: {compact(said(0))} at first, {compact(said(1))} after it was said once."
        ),
        "a hundred times as probable": lambda: (
            f"From {compact(said(0))} to {compact(said(3))}: what was said may well be said again, which"
            " makes it likelier still."
        ),
    },
    times_as_probable,
    "Look at what greedy writes, which takes the likeliest word each time. What must the phrase have become?",
    covers=("again_and_again", "rare"),
)

WHOSE = {"the true text": gallery.HUMAN, "greedy’s text": "greedy", "what the dice write": "pure sampling"}


def perplexities() -> dict[str, float]:
    run = gallery.gallery("GRU", 1, "greedy", 1)
    return dict(zip(run.names, run.perplexity, strict=True))


def most_probable() -> str:
    found = perplexities()
    return min(WHOSE, key=lambda text: found[WHOSE[text]])


def perplexity_of(text: str) -> str:
    return f"{perplexities()[WHOSE[text]]:.2f}"


def different(text: str) -> str:
    """The share of two words in a row that were not there before, over many texts."""
    run = gallery.gallery("GRU", 1, "greedy", 1)
    return percent(run.distinct[run.names.index(WHOSE[text])][1])


whose_text = guess(
    "whose-text",
    "Which of these three texts does the GRU find the most probable (the lowest perplexity)?",
    {
        "the true text": lambda: (
            f"True text surprises now and then: its perplexity is {perplexity_of('the true text')}. See the"
            " reading."
        ),
        "greedy’s text": lambda: (
            f"It takes the likeliest word every time: {perplexity_of('greedy’s text')}. Of its pairs of words"
            f" {different('greedy’s text')} are different, of the true text’s {different('the true text')}."
        ),
        "what the dice write": lambda: (
            "Dice take unlikely words too, as often as the model says:"
            f" {perplexity_of('what the dice write')}."
        ),
    },
    most_probable,
    "Perplexity is low where every word was a likely one. How does each of the three come to its words?",
    covers=("figures", "agreement"),
)

DRAWS = {"200": 200, "400": 400, "10,000": 10_000}


def expected(draws: int) -> float:
    return word.expected_distance(word.distribution("GRU", words_of(MARKET), 1.0), draws)


def still_off(draws: int) -> str:
    return f"{expected(draws):.3f}"


def draws_for_half() -> str:
    wanted = next(n for n in range(100, word.MOST) if expected(n) <= expected(100) / 2)
    return min(DRAWS, key=lambda draws: abs(math.log(DRAWS[draws] / wanted)))


halve = guess(
    "halve",
    "At the start there are 100 draws. How many does it take until the distance is about half?",
    {
        "200": lambda: (
            f"100 draws leave {still_off(100)}, 200 still {still_off(200)}: chance evens out slowly. See the"
            " line “expected”."
        ),
        "400": lambda: (
            f"{still_off(100)} becomes {still_off(400)}: four times the draws for about half the distance."
            " See the line “expected”."
        ),
        "10,000": lambda: (
            f"That is far more than needed: the distance falls from {still_off(100)} to {still_off(10_000)}."
            f" A hundred times the draws bring it {expected(100) / expected(10_000):.1f} times closer, and"
            " not only twice."
        ),
    },
    draws_for_half,
    "Toss a coin n times: by how many heads is it usually off from n/2? Not by a share of n; by about its"
    " root.",
    covers=("distance", "settles"),
)


# ---- check yourself ----


def two_words_at_half() -> float:
    return decoding.temper(torch.tensor([2.0, 0.0]), 0.5).softmax(-1)[0].item()


def nucleus_of_five() -> float:
    z = torch.tensor([0.4, 0.3, 0.15, 0.1, 0.05], dtype=torch.float64).log()
    return float((decoding.top_p(z, 0.8) > -math.inf).sum())


def three_factors() -> float:
    return decoding.perplexity([math.log(p) for p in (0.5, 0.5, 0.25)])


def draws_for(distance: float, after: int, wanted: float) -> float:
    return after * (distance / wanted) ** 2


CHOOSERS = {
    "temperature 0": Settings(temperature=0),
    "top-k with k = 1": Settings(top_k=1),
    "top-p with p = 0": Settings(top_p=0),
    "temperature 1, nothing else": Settings(),
}


def not_greedy(given: str, _: State) -> Verdict:
    """Tries the answer on a distribution that is not clear at all."""
    left = int((~decoding.stages(torch.tensor([1.0, 0.9, 0.8, 0.7]), CHOOSERS[given])[-1].removed).sum())
    if left > 1:
        return Verdict(
            True, f"Yes: of four words all {left} are left, and the dice decide. The others leave one word."
        )
    return Verdict(False, "It leaves one word, the best: greedy. Try it in Filters and count the live words.")


DICE = range(10)  # seeds that are tried
CAUGHT = 1  # texts of them that may end in a loop
NARROW = 0.5  # the largest top-p that is allowed


def escapes(_: None, state: State) -> Verdict:
    """The settings count, not the luck of one seed: ten texts by the nucleus of the loop experiment."""
    if (state["model"], state["phrase"].split()) != ("GRU", HOME.split()) or state["r"] < 3:
        return Verdict(False, f"Take the GRU and “{HOME}”, said at least 3 times.")
    if state["p"] > NARROW:
        return Verdict(False, f"Top-p is {state['p']:g}. Leave it at {NARROW:g} or below.")
    runs = [loop.loop(**{**state, "seed": seed}) for seed in DICE]
    texts = [run.written[1] for run in runs]
    caught = sum(bool(text.loop) for text in texts)
    surprise = decoding.perplexity([logprob for text in texts for logprob in text.logprobs])
    found = (
        f"With {len(texts)} dice {caught} of the texts {'ends' if caught == 1 else 'end'} in a loop, at"
        f" perplexity {surprise:.2f}"
    )
    if caught > CAUGHT:
        return Verdict(
            False, f"{found}. The nucleus holds too few words: often only the next word of the phrase."
        )
    if surprise >= runs[0].perplexity:
        return Verdict(False, f"{found}, but held-out text has {runs[0].perplexity:.2f}. That is too wild.")
    return Verdict(
        True,
        f"Yes. {found}; held-out text has {runs[0].perplexity:.2f}. A flatter distribution has a wider"
        " nucleus.",
    )


def loses(_: None, state: State) -> Verdict:
    run = search.beam(**state)
    if run.width == 1:
        return Verdict(False, "Width 1 is the narrowest there is. Widen the beam.")
    now, before = run.by_width[run.width - 1], run.by_width[run.width - 2]
    if now < before - search.SAME:
        return Verdict(
            True,
            f"Yes: log P is {signed(now)} with width {run.width}, and {signed(before)} with one place less.",
        )
    return Verdict(
        False, f"The answer is not less probable than with width {run.width - 1}. Look along the widths."
    )


CHECK_YOURSELF = (
    number(
        "half-temperature",
        "Two words have logits 2 and 0. What is the probability of the first at temperature 0.5? (two"
        " decimals)",
        two_words_at_half,
        "Divide both logits by the temperature, then take the softmax.",
        "At temperature 1 it is 0.88: cold makes the likely likelier.",
    ),
    number(
        "nucleus",
        "Five words have probabilities 0.40, 0.30, 0.15, 0.10, 0.05. How many does top-p keep with p = 0.8?",
        nucleus_of_five,
        "Add them from the largest until 0.8 is reached.",
        "0.40 + 0.30 is not enough, 0.85 is.",
        0.1,
    ),
    Exercise(
        "not-greedy",
        "Three of these always choose the likeliest word. Which one does not?",
        not_greedy,
        "Greedy means that a single word is left.",
        one_of("Setting", CHOOSERS),
    ),
    number(
        "perplexity",
        "A text of three words has factors 0.5, 0.5 and 0.25. What is its perplexity? (two decimals)",
        three_factors,
        "Multiply the factors, take the third root, and one over it.",
        "As unsure as a choice between that many equal words.",
    ),
    number(
        "four-times",
        "After 500 draws the distance is 0.08. About how many draws for 0.02?",
        lambda: draws_for(0.08, 500, 0.02),
        "The distance falls like 1/√n: what must n become for a quarter of it?",
        "Precision is expensive: each further decimal digit takes a hundred times the draws.",
        draws_for(0.08, 500, 0.02) / 10,
    ),
    Exercise(
        "wider-is-worse",
        "In Beam search, find a sentence and a width whose answer is less probable than with one place less.",
        loses,
        "A weak model and a hard sentence help. Open “Does a wider beam always find more?” and look along the"
        " widths.",
        experiment="beam",
    ),
    Exercise(
        "break-the-loop",
        f"In Loops, with the GRU and “{HOME}” said at least 3 times, top-p must stay at {NARROW:g} or below."
        f" Set the rest so that the nucleus leaves the loop with at least {len(DICE) - CAUGHT} of {len(DICE)}"
        " dice, and its perplexity stays below that of held-out text.",
        escapes,
        "The filters work one after the other. Which one can make the nucleus wider before top-p cuts?",
        experiment="loop",
    ),
)
