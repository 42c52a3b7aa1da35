"""Guesses before the hand moves, and "Check yourself". Every right answer is computed here, none is typed in."""

import math
from collections import Counter

import numpy as np

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import WHOLE, guess, number
from lessons.kit.pictures.numbers import percent, short
from lessons.training.compute import film, live, overfit, own, rate, training
from models.recipes import RECIPES

GOOD = film.FILMS["good"]
APART = 1.5  # so many times the steps, and it is not at the same time


# ---- one guess for each experiment ----


def order() -> str:
    """When attention finds its words, against the fall of the loss."""
    take = film.take(GOOD)
    ratio = take.emerged / take.fallen
    return "before" if ratio < 1 / APART else "after" if ratio > APART else "at the same time"


def halves() -> str:
    take = film.take(GOOD)
    return (
        f"Half of the loss is gone after {take.fallen:,} steps, and attention is half-way to gold after"
        f" {take.emerged:,.0f}."
    )


first = guess(
    "first",
    "In the good training, when is attention half-way to where it will look: before or after half of the loss"
    " is gone?",
    {
        "before": lambda: f"It would have to know where to look before it knows any word. {halves()}",
        "at the same time": lambda: f"They do overlap. {halves()}",
        "after": lambda: (
            f"{halves()} Which words are frequent is learned first, without a look at the source."
        ),
    },
    order,
    "What can a model learn about French without looking at the English at all?",
    covers=("loss", "exact", "gaze", "outputs"),
)

TEMPER = ("thirty times sooner there", "thrown about", "much the same")


def thirty() -> rate.Descent:
    return rate.rate(0.5, False, False, "tanh", 8, ((0.8, 0.8),), 0)


def ends() -> str:
    few, many = (
        rate.rate(power, False, False, "tanh", 8, ((0.8, 0.8),), 0).losses[-1] for power in (-1, 0.5)
    )
    return (
        f"After {rate.STEPS} steps the loss is {short(few, 2)} at a rate of 0.1, and {short(many, 2)} at 3.2."
    )


def temper() -> str:
    slow, fast = rate.rate(-1, False, False, "tanh", 8, ((0.8, 0.8),), 0), thirty()
    if not np.isfinite(fast.losses[-1]) or fast.losses[-1] > 10 * slow.losses[-1]:
        return TEMPER[1]
    return TEMPER[0] if fast.losses[2] <= slow.losses[-1] else TEMPER[2]


larger = guess(
    "larger",
    "The rate is 0.1, and training goes well. What would a rate of about 3 do?",
    {
        TEMPER[0]: lambda: f"A slope holds for a short step only. {ends()}",
        TEMPER[1]: lambda: (
            f"{ends()} Each step leaps over the valley; the slope over there knows nothing of here."
        ),
        TEMPER[2]: lambda: f"The gradient gives a direction; the rate says how far. {ends()}",
    },
    temper,
    "The gradient is the slope where you stand. How far away does it still hold?",
    covers=("sweep",),
)

enough = guess(
    "enough",
    "Thirty seconds to learn to write dates as numbers. How many new dates will be right?",
    {
        "few": "Thirty seconds are hundreds of steps, each over dozens of dates. Press “train”, and see.",
        "half": "For a while it is so. Press “train”, and see how long.",
        "most": "On a quiet machine it gets there. Press “train”, and see what it does on this one.",
    },
    lambda: None,
    "Ten characters, each of them to be found somewhere in the date: what has to be learned, but where to"
    " look?",
)

NO_RULE = ("nothing: the loss stays", "the loss falls, new pairs are wrong", "it finds a rule all the same")


def frequent() -> tuple[float, float, float]:
    """What the right sides alone tell: the loss of who knows nothing, of who knows how frequent each word is, and the share of new
    pairs for which the most frequent right side is right."""
    given = own.sampled("no rule", "words")
    [(most, _)] = Counter(pair.target for pair in given.pairs).most_common(1)
    counts = np.array([*Counter(word for pair in given.pairs for word in (*pair.target, "the end")).values()])
    shares = counts / counts.sum()
    right = np.mean([pair.target == most for pair in given.material.checked])
    return math.log(len(given.material.task.target)), -float(shares @ np.log(shares)), float(right)


def known() -> str:
    nothing, words, right = frequent()
    return (
        f"To know how frequent each word is takes the loss from {nothing:.2f} to {words:.2f}; one answer for"
        f" all would be right for {percent(right)} of the new pairs."
    )


def no_rule() -> str:
    nothing, words, right = frequent()
    if right > 0.5:
        return NO_RULE[2]
    return NO_RULE[1] if words < 0.9 * nothing else NO_RULE[0]


shuffled = guess(
    "shuffled",
    "Take a file of sentences with their translations, and shuffle the right sides. What will the"
    " training do?",
    {
        NO_RULE[0]: lambda: f"{known()} Choose “No rule”, and press “train”.",
        NO_RULE[1]: lambda: f"{known()} Then come pairs known by heart. Choose “No rule”, and press “train”.",
        NO_RULE[2]: lambda: f"There is none. {known()} Choose “No rule”, and press “train”.",
    },
    no_rule,
    "What can be learned of the right sides alone? And what for one sentence at a time?",
)


HUNDRED = 100, 0.1  # examples, fraction of wrong labels


def hundred() -> overfit.Learnt:
    return overfit.overfit(*HUNDRED, 0.0, 0.0, 0)


def shares() -> str:
    run = hundred()
    known, new = run.known[:, -1], run.new[:, -1]
    return (
        f"In the end {percent(known.mean())} of the hundred are right, and {percent(new.mean())} of unseen"
        f" examples: {percent(new.min())} to {percent(new.max())}, depending on the seed."
    )


def unseen() -> str:
    right = hundred().new[:, -1].mean()
    return (
        "as many"
        if right > 0.85
        else "fewer than by guessing"
        if right < 0.45
        else "few more than by guessing"
    )


by_heart = guess(
    "by-heart",
    f"Of {HUNDRED[0]} training examples {overfit.wrong_labels(*HUNDRED)} have a wrong label. In the end the"
    " network gives nearly all of their labels. How many unseen examples does it get right?",
    {
        "as many": lambda: f"Then it would have found the rule. {shares()}",
        "few more than by guessing": lambda: (
            f"{shares()} The network has enough parameters to memorise a hundred examples."
        ),
        "fewer than by guessing": lambda: f"What it memorised is not the opposite of the rule. {shares()}",
    },
    unseen,
    f"Which is easier for {overfit.PARAMETERS} parameters: the rule or a hundred answers?",
    covers=("gap", "heart"),
)


# ---- check yourself ----


def words() -> int:
    return RECIPES[GOOD].full_config()["target_words"]


def first_at(share: float, name: str = GOOD) -> int:
    take = film.take(name)
    return int(take.steps[np.flatnonzero(take.exact >= share)[0]])


def ended(model: str) -> str:
    return percent(film.take(film.MODELS[model]).exact[-1])


def survives(_: None, state: State) -> Verdict:
    if state["unit"] == "tanh" or state["power"] < -0.5:
        return Verdict(False, "Take the tanh away, and choose a rate of at least 0.3 (a power of −0.5).")
    run = rate.rate(**state)
    if run.lost is not None:
        return Verdict(False, f"The loss diverges at step {run.lost}. What keeps a step short?")
    last = float(run.losses[-1])
    if last >= 1:
        return Verdict(
            False,
            f"It is still a number, but the loss at the end is {short(last, 2)}. Move the start, or the"
            " rate.",
        )
    return Verdict(True, f"Yes. It ends at {short(last, 2)}.")


def quick(_: None, state: State) -> Verdict:
    found = live.kept(state["runs"])
    times = [time for run in found if (time := run.reached(0.9)) is not None]
    if times and min(times) < 45:
        return Verdict(True, f"Yes: 90% after {min(times):.0f} seconds.")
    if not found:
        return Verdict(False, "There is no run yet. Go there, and press “train”.")
    best = max(look.exact for run in found for look in run.looks)
    late = f" 90% were reached, but only after {min(times):.0f} seconds." if times else ""
    return Verdict(False, f"Not yet: the best of your runs reached {percent(best)}.{late}")


def yours(_: None, state: State) -> Verdict:
    found = [one for one in own.kept(state["runs"]) if one.given.called == own.YOURS]
    if not found:
        return Verdict(
            False, "There is no run on pairs of your own yet. Go there, choose a file, and press “train”."
        )
    best = max(look.exact for one in found for look in one.run.looks)
    if best < 0.5:
        return Verdict(False, f"Not yet: the best of your runs on your own pairs reached {percent(best)}.")
    return Verdict(True, f"Yes: {percent(best)}.")


CHECK_YOURSELF = (
    number(
        "nothing",
        f"A model that knows nothing gives each of its {words():,} words the same probability. What is its"
        " loss, in nats a word?",
        lambda: math.log(words()),
        "The loss of a word is −ln P of it, and P is one over the number of words.",
        "The film begins there: see its first step.",
        within=0.06,
    ),
    number(
        "ninety",
        f"In the film of the good rate: at which recorded step are {percent(0.9)} of the new sentences right"
        " for the first time?",
        lambda: first_at(0.9),
        "Move through the moments and read the share without a fault.",
        "By then the loss has been low for long: whole sentences come right last, since every word counts.",
        within=WHOLE,
        experiment="film",
    ),
    number(
        "half",
        "In the films of the models: at which recorded step has the Transformer half of the new ones right"
        " for the first time?",
        lambda: first_at(0.5, film.MODELS["Transformer"]),
        "Put models side by side, choose the Transformer, and move through the moments.",
        lambda: (
            f"In the end it is {ended('Transformer')}; without attention, after as many steps,"
            f" {ended('no attention')}."
        ),
        within=WHOLE,
        experiment="film",
    ),
    number(
        "clipped",
        "The gradient is 20 long, clipping is at 1, the rate is 0.1. How long is the step?",
        lambda: 0.1 * min(20, rate.CLIP),
        "Clipping shortens the gradient before the rate comes in.",
        "It keeps the direction, and loses the length.",
    ),
    number(
        "warming",
        "The full rate is 0.01, reached at step 10 of a warm-up by equal steps. What is the rate at step 3,"
        " in thousandths?",
        lambda: 1000 * 0.01 * 3 / rate.WARM,
        "Three tenths of the way.",
        "Adam’s steps do not grow with the gradient: it divides each gradient by an average of recent ones."
        " In the first steps that average rests on few batches, so its steps are kept small.",
    ),
    number(
        "dropped",
        "Dropout of 0.5 on a layer of 64 units: how many of them are there, on average, in a step?",
        lambda: overfit.WIDTH * (1 - 0.5),
        "A coin for every unit.",
        "And those that stay count double, so that the sum is the same on average.",
    ),
    number(
        "once",
        "Your file has 1,500 pairs. A tenth would be 150, but at most 60 are held back. How many batches of"
        " 60 pairs show each of the others once?",
        lambda: (1500 - min(training.CHECKED, round(own.HELD * 1500))) / 60,
        "What is held back is in no batch.",
        "And the model sees each pair as often as there is time: with few pairs, very often.",
        within=WHOLE,
    ),
    Exercise(
        "quick",
        "Reach 90% of new pairs without a fault in under 45 seconds of training, on any task.",
        quick,
        "Which task needs the least? And what helps more: a wider model, or more steps in the same time?",
        experiment="live",
    ),
    Exercise(
        "yours",
        "Bring a file of your own, and train until half of the new pairs are without a fault.",
        yours,
        "Short sides, few words that come again and again, and a rule from left to right. Numbers, plurals,"
        " verses of one song?",
        experiment="own",
    ),
    Exercise(
        "survive",
        "Without tanh and at a rate of at least 0.3: make training survive, with a loss below 1 at the end.",
        survives,
        "What makes a single step too long? There is a switch for that.",
        experiment="rate",
    ),
)
