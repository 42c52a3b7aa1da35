"""Guesses before the hand moves, and "Check yourself". Every right answer is computed here, none is typed in."""

import math
from typing import Any

import torch

from lessons.decoding.compute import gallery, loop, search, word
from lessons.decoding.compute.common import READERS, words_of
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, nearest, number, one_of
from lessons.kit.pictures.numbers import signed
from models import decoding
from models.decoding import Settings

MONEY = "i ran out of money ."
FISH = "they ran out of fish ."
PIERRE = "their friend pierre often writes the old book in the morning ."
CRISIS = "will the new laws on the french economic crisis be signed ?"
AGREEMENT = "the european agreement on the agricultural policy was signed ."
PHRASES = ("i don't know .", "the boats were wet .", "my brave lamp sold seven swords .")
WEAK = "translator, one vector"
TWENTY = 20  # words that must not repeat


# ---- one guess for each experiment ----

SIZES = {"about one in ten": 1e-2, "about one in a thousand": 1e-5, "less than one in a million": 0.0}


def probability_of_twenty() -> str:
    p = math.exp(word.sample("GRU", "", "", "", 20, 3).log_product[-1])
    return next(name for name, least in SIZES.items() if p >= least)


how_probable = guess(
    "how-probable",
    "The dice write 20 words, each one a likely word at its place. How probable is exactly this text?",
    SIZES,
    probability_of_twenty,
    "Choose “From nothing” and follow the product: it shrinks at every word.",
)

BROAD, NARROW = "one day , mira walked to the", "one day , mira walked to the harbour ."


def broader() -> str:
    live = {text: word.filters("GRU", text, 1, 0, 0.9, 1, "", "", 0, 0).live[-1] for text in (BROAD, NARROW)}
    return f"after “{max(live, key=live.get)}”"


larger_nucleus = guess(
    "larger-nucleus",
    "Top-p keeps the fewest words that hold 0.9 of the probability. Where does it keep more words?",
    (f"after “{NARROW}”", f"after “{BROAD}”"),
    broader,
    "Choose “A nucleus follows” and compare the number of live words.",
)


def ever_worse() -> str:
    greedy, two, *_ = search.beam(WEAK, AGREEMENT, "", 2, 0).by_width
    return "yes, it can" if two < greedy - search.SAME else "no, never"


never_worse = guess(
    "never-worse",
    "A beam of two keeps twice as much as greedy. Can its answer be less probable than greedy’s?",
    ("yes, it can", "no, never"),
    ever_worse,
    f"Try “{AGREEMENT}” with widths 1 and 2: both places can go to beginnings that turn out worse.",
)


def strongest_loop() -> str:
    ids = words_of("i don't know .")
    return max(READERS, key=lambda reader: loop.said_again(reader, ids)[50].sum())


who_loops = guess(
    "who-loops",
    "After “i don't know .” was said 50 times, which model finds it most probable to come once more?",
    READERS,
    strongest_loop,
    "Type that phrase and compare the lines at 50. Who can look back at every word it has read?",
)


SOME = ("greedy", "beam 16", "pure sampling", "top-k 40, τ 0.7")


def closest_to_true() -> str:
    run = gallery.gallery("GRU", 1, "greedy", 1)
    figures = dict(zip(run.names, run.perplexity, strict=True))
    return min(SOME, key=lambda way: abs(figures[way] - figures[gallery.HUMAN]))


most_human = guess(
    "most-human",
    "Whose perplexity comes closest to that of the true text?",
    SOME,
    closest_to_true,
    "Compare the bars with the first one. True text is not the most probable text: it surprises now and then.",
)


def draws_for_half() -> str:
    """n where C / √n is half of what it is at 100."""
    p = word.distribution("GRU", words_of(BROAD), 1.0)
    C = word.constant_of(p)
    return nearest(("200", "400", "10000"), (C / (C / math.sqrt(100) / 2)) ** 2)


halve = guess(
    "halve",
    "100 draws leave some distance to the distribution. How many draws to halve it?",
    ("200", "400", "10000"),
    draws_for_half,
    "On these axes 1/√n is a straight line: half the height is two steps of a factor 2 to the right.",
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
        return Verdict(True, f"Yes: of four words all {left} are left, and the dice decide. The others leave one word.")
    return Verdict(False, "It leaves one word, the best: greedy. Try it in Filters and count the live words.")


def escapes(_: None, state: dict[str, Any]) -> Verdict:
    """The nucleus line of the loop experiment: twenty words, no pair of words twice, less surprising than held-out text."""
    if state["r"] < 3:
        return Verdict(False, "Let the phrase be said at least 3 times first.")
    run = loop.loop(**state)
    nucleus = run.written[1]
    words, logprobs = nucleus.words[:TWENTY], nucleus.logprobs[:TWENTY]
    if len(words) < TWENTY:
        return Verdict(False, f"Its text ends after {len(words)} words. Try another seed.")
    if decoding.distinct(words, 2) < 1:
        return Verdict(False, "Two words in a row come twice among the first 20. More freedom, or another seed?")
    surprise = decoding.perplexity(logprobs)
    if surprise >= run.perplexity:
        bound = f"On held-out text the model has {run.perplexity:.2f}. Colder, or a smaller p?"
        return Verdict(False, f"Nothing repeats, but the perplexity of these 20 words is {surprise:.2f}. {bound}")
    return Verdict(True, f"Yes: 20 words, nothing twice, and a perplexity of {surprise:.2f}, below {run.perplexity:.2f}.")


def loses(_: None, state: dict[str, Any]) -> Verdict:
    run = search.beam(**state)
    if run.width == 1:
        return Verdict(False, "Width 1 is the narrowest there is. Widen the beam.")
    now, before = run.by_width[run.width - 1], run.by_width[run.width - 2]
    if now < before - search.SAME:
        return Verdict(True, f"Yes: log P is {signed(now)} with width {run.width}, and {signed(before)} with one place less.")
    return Verdict(False, f"The answer is not less probable than with width {run.width - 1}. Look along the widths.")


CHECK_YOURSELF = (
    number(
        "half-temperature",
        "Two words have logits 2 and 0. What is the probability of the first at temperature 0.5? (two decimals)",
        two_words_at_half,
        "Divide both logits by 0.5, then take the softmax: e⁴ / (e⁴ + e⁰).",
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
        "The distance falls like 1/√n: a quarter of it needs 4² as many draws.",
        "Exactness is dear: every further digit costs a hundred times the draws.",
        1.1,
    ),
    Exercise(
        "wider-is-worse",
        "In Beam search, find a sentence and a width whose answer is less probable than with one place less.",
        loses,
        "A weak model and a long sentence help. Look at the widths in the small picture.",
        experiment="beam",
    ),
    Exercise(
        "break-the-loop",
        "In Loops, after at least 3 repeats, set temperature, top-p and seed so that the nucleus writes 20 words without any two "
        "words in a row coming twice, and with a perplexity below that of held-out text.",
        escapes,
        "Too cold and it repeats, too hot and it is more surprising than real text. Between them a few seeds do it.",
        experiment="loop",
    ),
)
