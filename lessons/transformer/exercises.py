"""Guesses before the hand moves, and "Check yourself". Every right answer is computed here, none is typed in."""

from functools import cache

import numpy as np
import torch

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import WHOLE, guess, number, one_of
from lessons.kit.translators import source_of
from lessons.transformer.compute import ablate, block, decode, heads, pointwise, scoreboard
from lessons.transformer.compute.sentence import card, model

RIVER = "i arrived at the bank after crossing the river ."
QUESTION = "is the bank of the small river beautiful ?"
SHORT = "the old man kicked the bucket ."
AGREEMENT = "the agreement on the european economic area was signed in august 1992 ."


# ---- one guess for each experiment ----

MIXERS = ("attention", "point-wise FC", "add & norm")


def mixer() -> str:
    """Change one row of each block's input: after which of them has another row moved?"""
    layer, x = model().encoder.layers[0], torch.randn(5, model().config.d, generator=torch.Generator().manual_seed(0))
    changed = x.clone()
    changed[2] += 1
    blocks = {
        "attention": lambda z: layer.self_attention(z, z),
        "point-wise FC": layer.fc,
        "add & norm": lambda z: z + layer.norms[0](z),
    }
    with torch.inference_mode():
        moved = [name for name, f in blocks.items() if not torch.allclose(f(x)[[0, 1, 3, 4]], f(changed)[[0, 1, 3, 4]], atol=1e-6)]
    return moved[0] if len(moved) == 1 else ""


mixing = guess(
    "mixing",
    "Only one kind of block lets a word learn anything about another word. Which?",
    MIXERS,
    mixer,
    "Choose self-attention, then the point-wise FC, and read what each does with the rows.",
)

ALIGNERS = ("layer 1", "layer 2")
aligner = guess(
    "aligner",
    "In which decoder layer is the cross-attention head that comes closest to the gold alignment?",
    ALIGNERS,
    lambda: ALIGNERS[int(np.unravel_index(np.argmin(card().metrics["aer_by_head"]), (2, 4))[0])],
    "Choose cross and compare the bars: the shortest is the best aligner.",
)

LOST = ("nothing changes", "a few words change place", "words are lost")


def without_order() -> str:
    run = ablate.ablate(RIVER, "encoder positions", "encoder self", "1", "1", 1)
    if run.plain == run.yours:
        return LOST[0]
    return LOST[1] if sorted(run.plain) == sorted(run.yours) else LOST[2]


no_positions = guess(
    "no-positions",
    f"“{RIVER}” Without positions the encoder sees a bag of words. What happens to the translation?",
    LOST,
    without_order,
    "Compare the two lines: outlined words are those that the other line does not have.",
)

MOVES = ("0", "1", "all of them")


def fc_moves() -> str:
    moved = int((np.abs(pointwise.pointwise(SHORT, "1", 3, 1.0).fc).max(1) > 0).sum())
    return str(moved) if moved < len(SHORT.split()) else MOVES[2]


moving = guess(
    "moving",
    "You change the vector of one of seven words before the point-wise FC. How many of the FC’s seven outputs move?",
    MOVES,
    fc_moves,
    "Look at the left sheet: which rows have any colour?",
)

PASSES = ("1", "13", "14")


def passes() -> str:
    run = decode.decode(AGREEMENT, 1)
    return "1" if run.difference < 1e-3 else str(len(run.writes))


training_passes = guess(
    "training-passes",
    "Writing 14 words takes one pass through the decoder for each token. How many passes does training on the same sentence take?",
    PASSES,
    passes,
    "The masked map holds all rows at once, and both ways give the same probabilities.",
)

WINNER = ("yes, the Transformer", "yes, another one", "no")


def wins_everywhere() -> str:
    best = {scoreboard.scoreboard(column).rows[0].name for column in scoreboard.COLUMNS[1:]}
    return WINNER[2] if len(best) > 1 else WINNER[0] if best == {"transformer"} else WINNER[1]


winner = guess(
    "winner",
    "Is one model of the course first in every column?",
    WINNER,
    wins_everywhere,
    "Sort by each column in turn and look at the first row.",
)


# ---- check yourself ----


def fc_parameters() -> float:
    return block.block(SHORT, "encoder: point-wise FC", "1").parameters


def attention_maps() -> float:
    run = heads.heads(SHORT, "cross", "1", "1")
    return sum(len(of) * len(of[0]) for of in (run.encoder_self, run.decoder_self, run.cross))


def comes_from_encoder(given: str, _: State) -> Verdict:
    """Changes the encoder's output and looks which of q, k, v of the first cross-attention move."""
    source, moved = source_of(SHORT), []
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
        return Verdict(False, "The translation is still the same. Try a question, a negation or a river, and another head.")
    return Verdict(True, f"Yes: without this head the model writes “{' '.join(run.yours[:-1])}”.")


def spares(_: None, state: State) -> Verdict:
    run = ablate.ablate(**state)
    if run.part != "one head":
        return Verdict(False, "Switch off one head, nothing else.")
    if len(run.source) < 6:
        return Verdict(False, "Take a sentence of at least six words.")
    if run.plain != run.yours:
        return Verdict(False, "The translation changed. Most heads are not missed in most sentences: try another.")
    was, now = run.probabilities
    return Verdict(True, f"Yes: the same words. Only their probability moved, from {was:.2f} to {now:.2f}.")


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
    """For the river: which attention's head decides between the two banks."""
    hits = []
    for kind in ("encoder self", "decoder self", "cross"):
        for layer in ("1", "2"):
            for head in ("1", "2", "3", "4"):
                run = ablate.ablate(RIVER, "one head", kind, layer, head, 1)
                if "banque" in run.yours and "banque" not in run.plain:
                    hits.append((kind, layer))
    return hits[0] if len(set(hits)) == 1 else ("", "")


def river_head(given: str, _: State) -> Verdict:
    kind, layer = head_that_matters()
    if given == f"{kind}, layer {layer}":
        return Verdict(True, "Yes: without it “bank” no longer hears of the river, and becomes “banque”.")
    return Verdict(False, f"Not that one. In “{RIVER}” switch off heads one by one until “rive” becomes “banque”.")


CHECK_YOURSELF = (
    number(
        "fc-size",
        "How many numbers does one point-wise FC learn, with d = 64 and d_FC = 128? Count W_1, b_1, W_2 and b_2.",
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
        "Count the small maps in the tab Heads.",
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
        "The bars show the alignment error rate of every cross-attention head: lower is better.",
        experiment="heads",
    ),
    Exercise(
        "break",
        "In Without …, break a translation by switching off a single head.",
        breaks,
        "Questions need a head of cross-attention in layer 1, negation one in layer 2. “Try this” has examples of sentences.",
        experiment="ablate",
    ),
    Exercise(
        "spare",
        "Now find a head that a sentence of six or more words does not need: the same translation without it.",
        spares,
        "Choose “one head” and a sentence of the course.",
        experiment="ablate",
    ),
    Exercise(
        "river-head",
        "One head decides whether the bank after crossing the river is “rive” or “banque”. Where is it?",
        river_head,
        "Switch off heads one by one in that sentence. Which words must meet for “bank” to be understood?",
        one_of("The head is in", ("encoder self, layer 1", "encoder self, layer 2", "decoder self, layer 1", "cross, layer 2")),
        "ablate",
    ),
)
