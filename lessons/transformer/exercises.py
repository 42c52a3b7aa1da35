"""Guesses before the hand moves, and "Check yourself". Every right answer is computed here, none is typed in."""

from functools import cache

import numpy as np
import torch

from lessons.kit.checkpoints import read_source
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import WHOLE, Why, guess, number, one_of
from lessons.kit.pictures.numbers import percent
from lessons.kit.pictures.tokens import quoted
from lessons.transformer.compute import (
    ablate,
    block,
    decode,
    heads,
    lm,
    norms,
    placed,
    pointwise,
    scoreboard,
    trained,
)
from lessons.transformer.compute.sentence import model
from lessons.transformer.views.norms import right
from lessons.transformer.views.scoreboard import spread

RIVER = "i arrived at the bank after crossing the river ."
QUESTION = "is the bank of the small river beautiful ?"
BOX = (
    "last summer , a sad boy called sam went to the island . he had lost a white box behind the beach . after"
    " a while he sat down near the lighthouse and tied some pearls slowly . the boy was wise . it was quiet ."
    " nobody had seen the"
)
HOUSES = "were the big houses light ?"
SHORT = "the old man kicked the bucket ."
PIE = "he hit me with a pie ."
AGREEMENT = "the agreement on the european economic area was signed in august 1992 ."


# ---- one guess for each experiment ----

SHAPES = {
    "1 × 64": (
        "That was the bottleneck of lesson 2: one vector for the whole sentence. Here every word keeps a row"
        " of its own."
    ),
    "7 × 7": (
        "Those are the weights: who looks at whom. They mix the rows, and what comes out are rows again."
    ),
    "7 × 64": (
        "One row for each word, as wide as before. So one block can stand on another, as often as you like."
    ),
}


def shape_of_attention() -> str:
    return " × ".join(
        map(str, block.block(SHORT, "encoder: self-attention", "1").quantities[-1].values.shape)
    )


shape_out = guess(
    "shape-out",
    "At the start 7 words go into the encoder’s self-attention, 64 numbers each. What comes out?",
    SHAPES,
    shape_of_attention,
    "Another block of the same make stands on top, and wants to be fed. And the decoder will ask about single"
    " words.",
    covers=("tensors", "whole"),
)

POINTS = "looks at the gold word of the word it writes"  # as lessons/transformer/compute/heads.py says it


def pointing() -> list[float]:
    """Of the heads of cross-attention that have this habit: in which share of steps."""
    return [habit.share for layer in heads.habits()["cross"] for habit in layer if habit.says == POINTS]


POINTERS = {
    "none": lambda: (
        f"See the dark diagonals: {len(pointing())} of 8 do. To learn to translate was enough to learn this"
        " as well."
    ),
    "1 or 2": lambda: f"More: {len(pointing())} of 8. Point at a map to read in how many of its steps.",
    "5 or more": lambda: (
        f"{len(pointing())} of 8, the best in {percent(max(pointing()))} of its steps: "
        "to write a word it helps to look at the one it comes from."
    ),
}


def pointers() -> str | None:
    many = len(pointing())
    return "none" if not many else "1 or 2" if many < 3 else "5 or more" if many > 4 else None


aligner = guess(
    "aligner",
    "Nobody showed the 8 heads of cross-attention which word belongs to which. How many find the right one at"
    " least half the time?",
    POINTERS,
    pointers,
    "You have to write the next French word. Where would you look? And if eight of you were asked?",
    covers=("maps", "aligners"),
)

LOST: dict[str, Why] = {
    "nothing changes": "Compare the two lines: they differ. In a bag of words, who did what must be guessed.",
    "words are lost": lambda: (
        f"It writes “{' '.join(bag_of_words().yours)}”. The encoder cannot tell what came first."
    ),
    "a few words change place": (
        "The words that stay keep their order. The outlined ones stand in one line and not in the other."
    ),
}


def bag_of_words() -> ablate.Ablated:
    return ablate.ablate(RIVER, "encoder positions", "encoder self", "1", "1", 1)


def without_order() -> str:
    run, (nothing, lost, moved) = bag_of_words(), LOST
    if run.plain == run.yours:
        return nothing
    return moved if sorted(run.plain) == sorted(run.yours) else lost


no_positions = guess(
    "no-positions",
    "At the start the encoder has no positions: it sees a bag of words. What happens to the translation?",
    LOST,
    without_order,
    "Shuffle the English words. Which parts of the meaning can you still put together?",
    covers=("translations", "word_by_word"),
)

MOVES = {
    "0": "Then the FC would do nothing with its input. The changed word itself comes out changed.",
    "1": "The same small network reads every word by itself: only the row you changed has any colour.",
    "all of them": "That is the sheet of self-attention. The FC never sees two words together.",
}


def fc_moves() -> str:
    moved = int((np.abs(pointwise.pointwise(SHORT, "1", 3, 1.0).fc).max(1) > 0).sum())
    return str(moved) if moved < len(SHORT.split()) else "all of them"


moving = guess(
    "moving",
    "At the start one of seven words is changed before the point-wise FC. How many of its seven outputs"
    " move?",
    MOVES,
    fc_moves,
    "Read its name again. What else does this network look at while it works on one word?",
    covers=("changes", "sizes"),
)

PASSES = {
    "1": (
        "All right tokens are known, so all rows are computed together; the mask hides from each what comes"
        " after it."
    ),
    "5": "Leaving out the last one would still be one after the other. In training nothing has to wait.",
    "6": (
        "So it is when the model writes: each token must be there before the next. In training all of them"
        " are given."
    ),
}


def passes() -> str:
    run = decode.decode(PIE, 1)
    return "1" if run.difference < 1e-3 else str(len(run.writes))


training_passes = guess(
    "training-passes",
    "At the start: writing the 6 tokens takes 6 passes through the decoder. And training on the same"
    " sentence?",
    PASSES,
    passes,
    "A pass must wait for the one before it only if it needs a word that nobody knows yet.",
    covers=("training", "both", "agreement"),
)


def longer() -> tuple[list[float], list[float]]:
    """Exact match on the first lengths beyond training: seeds of the Transformer, seeds of recurrent models with attention.

    A model with fixed even weights does not count as attention.
    """
    board = scoreboard.scoreboard("lesson")
    ours = [
        figure for row in board.rows if row.lesson == "transformer" for figure in row.at_length(board.beyond)
    ]
    others = [figure for row in board.rows if row.attends for figure in row.at_length(board.beyond)]
    return ours, others


def goes_on() -> str | None:
    """Decided only where every seed of one side is above every seed of the other."""
    ours, others = longer()
    ours_wins, others_win, none = BEYOND
    if max(*ours, *others) < 0.05:
        return none
    return ours_wins if min(ours) > max(others) else others_win if max(ours) < min(others) else None


def shares() -> str:
    ours, others = (f"{percent(min(seeds))} to {percent(max(seeds))}" for seeds in longer())
    return f"the seeds of the Transformer get {ours} right, those of recurrent models with attention {others}"


def unequal() -> str:
    """In what the comparison is not fair, from the cards."""
    rows = scoreboard.scoreboard("lesson").rows
    ours, others = [row for row in rows if row.lesson == "transformer"], [row for row in rows if row.attends]
    return "; ".join(
        f"{name} {spread([row.steps for row in of])} steps, {spread([row.parameters for row in of])}"
        " parameters"
        for name, of in (("the Transformer", ours), ("the others", others))
    )


BEYOND = {
    "the Transformer": lambda: (
        f"It is strong up to the dashed line. Beyond it {shares()}. The Transformer has never met the"
        " positions that come then."
    ),
    "recurrent models with attention": lambda: (
        f"Beyond the dashed line {shares()}. A recurrent step is the same at every position. Training is not"
        f" equal: {unequal()}."
    ),
    "neither; both fail": lambda: f"Look right of the dashed line: {shares()}.",
}

beyond = guess(
    "beyond",
    "On sentences a little longer than any in training, which models get more right?",
    BEYOND,
    goes_on,
    "How does each of them know that a word stands at place 21, if no sentence in training was that long?",
    covers=("results",),
)


def shifted(by: float) -> float:
    """How far the numbers after a layer norm move at most when each number before it grows by so much."""
    before, after = (
        norms.norms(tuple((a + more,) for (a,) in norms.MINE), 1.0, 0.0, 1.0).out[0] for more in (0.0, by)
    )
    return float(np.abs(after - before).max())


SHIFTS = ("by 1.5 as well", "by less than 1.5", "not at all")
all_larger = guess(
    "all-larger",
    "You add 1.5 to all six numbers of the word. How do they change after the layer norm?",
    {
        SHIFTS[
            0
        ]: "The mean grows by 1.5 too, and it is taken away first. Try the first preset, and compare.",
        SHIFTS[1]: (
            "Less than 1.5, yes, but how much? The mean grows by just as much as each number. Try the first"
            " preset."
        ),
        SHIFTS[2]: lambda: (
            f"They move by {shifted(1.5):.2f}: mean and numbers grow alike, the spread stays. Try the first"
            " preset."
        ),
    },
    lambda: SHIFTS[2] if shifted(1.5) < 0.005 else SHIFTS[1] if shifted(1.5) < 1.5 else SHIFTS[0],
    "What happens to the mean, and what to the distance of each number from it?",
    covers=("layer_norm", "by_hand"),
)


def normed_five() -> float:
    return norms.Norm(3)(torch.tensor([1.0, 3.0, 5.0]))[2].item()


def less() -> lm.Looking:
    return lm.lm(BOX, "layer 2, head 1", lm.DEEDS[1])


def fall() -> str:
    return "P falls from {:.2f} to {:.2f}".format(*less().chance)


def what_is_left() -> str:
    was, now = less().chance
    return LEFT[0] if now > 0.8 * was else LEFT[1] if now > 0.2 * was else LEFT[2]


LEFT = ("nearly all of it", "about half of it", "next to nothing")
one_head_less = guess(
    "one-head-less",
    "A white box was lost 34 words ago. Layer 2, head 1 looks back at “white”, and P of “white” is high. You"
    " switch that head off. How much of P is left?",
    {
        LEFT[0]: lambda: f"{fall()}. See the bars: how much weight do other heads give to “white”?",
        LEFT[1]: lambda: f"{fall()}. Another head looks at “white”, too; see how much.",
        LEFT[2]: lambda: f"{fall()}. Open “Which heads does it need?”.",
    },
    what_is_left,
    "Eight heads, and nobody told them to share the work. Is this one alone?",
    covers=("on_cue", "every_head"),
)


# ---- check yourself ----


def fc_parameters() -> float:
    return block.block(SHORT, "encoder: point-wise FC", "1").parameters


def attention_maps() -> float:
    run = heads.heads(SHORT, "cross", "1", "1")
    return sum(len(of) * len(of[0]) for of in (run.encoder_self, run.decoder_self, run.cross))


def comes_from_encoder(given: str, _: State) -> Verdict:
    """Changes the encoder's output and looks which of q, k, v of the first cross-attention move."""
    source, moved = read_source(SHORT), []
    output = model().run(source).output
    another = {"encoder.norm.out": lambda value, step: value + 1}
    plain, other = (model().run(source, target=output, edits=edits).values for edits in ({}, another))
    for letter, name in (("q", "queries"), ("k", "keys"), ("v", "values")):
        if not torch.equal(plain[f"decoder.layer1.cross.{letter}"], other[f"decoder.layer1.cross.{letter}"]):
            moved.append(name)
    right = " and ".join(moved)
    if given == right:
        return Verdict(True, f"Yes: with another encoder output, {right} change and nothing else.")
    return Verdict(False, "Not yet. Who asks in cross-attention, and who is looked at?")


def breaks(_: None, state: State) -> Verdict:
    run = ablate.ablate(**state)
    if run.part != "one head":
        return Verdict(False, "Switch off one head, nothing else.")
    if run.plain == run.yours:
        return Verdict(
            False, "The translation is still the same. Try a question or a negation, and another head."
        )
    return Verdict(True, f"Yes: without this head the model writes “{' '.join(run.yours[:-1])}”.")


def spares(_: None, state: State) -> Verdict:
    run = ablate.ablate(**state)
    if run.part != "one head":
        return Verdict(False, "Switch off one head, nothing else.")
    if len(run.source) < 6:
        return Verdict(False, "Take a sentence of at least six words.")
    if run.plain != run.yours:
        return Verdict(
            False, "The translation changed. Most heads are not missed in most sentences: try another."
        )
    was, now = (f"{chance:.2f}" for chance in run.probabilities)
    moved = (
        f"even their probability stays at {was}"
        if was == now
        else f"only their probability moved, from {was} to {now}"
    )
    return Verdict(True, f"Yes: the same words; {moved}.")


def best_aligner(_: None, state: State) -> Verdict:
    run = heads.heads(**state)
    here, best = run.aer_test[run.layer - 1, run.head - 1], run.aer_test.min()
    if run.kind != "cross":
        return Verdict(False, "Only cross-attention looks from target to source.")
    if here > best:
        return Verdict(False, f"This one errs at a rate of {here:.2f}; another head does better.")
    return Verdict(True, f"Yes: {here:.2f}, and nobody ever showed it an alignment.")


@cache
def head_that_matters() -> tuple[str, str]:
    """For the houses: which attention's head decides whether they are bright or of little weight."""
    hits = []
    for kind in ("encoder self", "decoder self", "cross"):
        for layer in ("1", "2"):
            for head in ("1", "2", "3", "4"):
                run = ablate.ablate(HOUSES, "one head", kind, layer, head, 1)
                if "légères" in run.yours and "lumineuses" in run.plain:
                    hits.append((kind, layer))
    return hits[0] if len(set(hits)) == 1 else ("", "")


def light_head(given: str, _: State) -> Verdict:
    kind, layer = head_that_matters()
    if given == f"{kind}, layer {layer}":
        return Verdict(True, "Yes: without it “light” is about weight, as if no house had been named.")
    return Verdict(
        False,
        f"Not that one. In “{HOUSES}” switch off heads one by one until “lumineuses” becomes “légères”.",
    )


def another_word(_: None, state: State) -> Verdict:
    run = lm.lm(**state)
    said = run.next_words[int(run.next_probabilities[1].argmax())]
    if state["text"] == BOX:
        return Verdict(False, "Take another story: one of the suggestions, or your own.")
    if run.do == lm.DEEDS[0]:
        return Verdict(False, "All heads are as they were. Which one looks at the word that is due?")
    if said == run.due:
        return Verdict(
            False,
            f"{quoted(run.due)} is still the likeliest. Open “Which heads does it need?”: which one is missed"
            " most?",
        )
    return Verdict(
        True,
        f"Yes: now {quoted(said)} would be written in place of {quoted(run.due)}. You changed one head of"
        f" {run.on_cue.size}.",
    )


def parted(_: None, state: State) -> Verdict:
    """The learning rate at which the three kinds end furthest apart."""
    run = norms.norms(**state)
    ends = "; ".join(
        f"{placed.NAMES[norm]} {right(film.accuracy[run.rate, :, -1])}" for norm, film in run.films.items()
    )
    if run.rate == trained.apart().argmax():
        return Verdict(True, f"Yes. Words right at the end: {ends}.")
    return Verdict(False, f"At {state['lr']}: {ends}. At another rate they are further apart.")


CHECK_YOURSELF = (
    number(
        "layer-norm",
        "A word has the numbers 1, 3 and 5. What does a layer norm with γ = 1 and β = 0 make of the 5? (two"
        " decimals)",
        normed_five,
        "The mean is 3. The spread is the root of the mean square distance: √((4 + 0 + 4) / 3).",
        "2 / 1.63. With 10, 30 and 50 it would be the same.",
        experiment="norms",
    ),
    Exercise(
        "parted",
        "In Norms, open the trainings. At which learning rate do pre-norm, post-norm and no norm end furthest"
        " apart?",
        parted,
        "The table there shows all rates at once: where do the three rows part?",
        experiment="norms",
    ),
    Exercise(
        "another-word",
        "In Telling stories, take any story but the first, and make the model write another word by changing"
        " one head.",
        another_word,
        "Find the head that gives most weight to the outlined word, and let it look anywhere else.",
        experiment="lm",
    ),
    number(
        "fc-size",
        "How many numbers does one point-wise FC learn, with d = 64 and d_FC = 128? Count W_1, b_1, W_2 and"
        " b_2.",
        fc_parameters,
        "64 × 128 + 128 for the way up; what is the way down?",
        "And the number of words plays no part.",
        WHOLE,
        "block",
    ),
    number(
        "maps",
        "For one sentence, how many attention maps does this model make in all? (kinds × layers × heads)",
        attention_maps,
        "In Heads, count the small maps of one kind.",
        "Each word pair is weighed that many times, though not in every kind.",
        WHOLE,
        "heads",
    ),
    Exercise(
        "cross",
        "What does cross-attention make from the encoder’s output?",
        comes_from_encoder,
        "The decoder asks; the source is looked at.",
        one_of("From the encoder", ("queries", "queries and keys", "keys and values", "values")),
    ),
    Exercise(
        "best-aligner",
        "In Heads, choose the head that is the best aligner of all on the test set.",
        best_aligner,
        "The closer look in Heads has the error rate of every cross-attention head: lower is better.",
        experiment="heads",
    ),
    Exercise(
        "break",
        "In Without …, break a translation by switching off a single head.",
        breaks,
        "Take a question or a negation from those on offer, and switch off the heads of cross-attention one"
        " by one.",
        experiment="ablate",
    ),
    Exercise(
        "spare",
        "Now find a head that a sentence of six or more words does not need: the same translation"
        " without it.",
        spares,
        "Choose “one head” and a sentence of the course.",
        experiment="ablate",
    ),
    Exercise(
        "light-head",
        "In “were the big houses light ?” one head decides whether they are “lumineuses”, bright, or"
        " “légères”, of little weight. Where is it?",
        light_head,
        "Switch off heads one by one in that sentence. Which words must meet for “light” to be understood?",
        one_of(
            "The head is in",
            ("encoder self, layer 1", "encoder self, layer 2", "decoder self, layer 1", "cross, layer 2"),
        ),
        "ablate",
    ),
)
