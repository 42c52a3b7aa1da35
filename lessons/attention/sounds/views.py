"""The map of sounds and letters, the row to drag, both pronunciations, and letters without a sound."""

import numpy as np

from lessons.attention.pictures import next_word_bars
from lessons.attention.sounds.compute import (
    COUNTED_WORDS,
    MIN_OCCURRENCES,
    Pronounced,
    letters_without_sound,
)
from lessons.attention.steer import views as steer_views
from lessons.attention.translators import without_eos
from lessons.kit.checkpoints import Words
from lessons.kit.pictures.alignment import alignment_map
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent
from lessons.kit.pictures.phrases import bold_word, join_with_and
from lessons.kit.pictures.tokens import TokenLine, Tokens
from models.tasks.pronounce import SOUNDS

ASIDE_WIDTH_PX = 400
MAX_PRONUNCIATIONS = 3  # right pronunciations that are shown
SHOWN_SOUNDS = 6
MAX_LETTERS_NAMED = 4


def name_sound(sound: str) -> str:
    """A sound with its example word: AY as in my; `<eos>` has none."""
    return f"{sound} as in {SOUNDS[sound]}" if sound in SOUNDS else sound


def alignment(run: Pronounced) -> Heatmap:
    return alignment_map(
        run.your_weights,
        tuple(map(name_sound, run.yours)),
        run.source,
        keys=("step", "source"),
        current_row=run.t - 1,
        changed=tuple((step - 1, i) for step in run.edited for i in range(len(run.source))),
        row_title="writes",
        column_title="attends to",
        wide=460,
        tall=400,
        title="Attention weights: sounds and letters",
    )


def row(run: Pronounced) -> Bars:
    return steer_views.row(run)


def outputs(run: Pronounced) -> Tokens:
    """The model's sounds, those with the learner's weights, and the right ones."""
    is_edited = bool(run.edited)
    lines = [
        TokenLine(
            "original" if is_edited else "it writes",
            without_eos(run.plain),
            changed=frozenset(run.lost),
            right=run.right[0],
        )
    ]
    if is_edited:
        lines.append(
            TokenLine("edited", without_eos(run.yours), changed=frozenset(run.new), right=run.right[1])
        )
    if False in run.right or len(run.accepted) > 1:
        lines += [
            TokenLine("or" if n else "right is", sounds, quiet=True)
            for n, sounds in enumerate(run.accepted[:MAX_PRONUNCIATIONS])
        ]
    return Tokens(
        tuple(lines),
        current=run.t - 1,
        wide=ASIDE_WIDTH_PX,
        tall=130,
        title="The pronunciation, sound by sound",
    )


def reading(run: Pronounced) -> str:
    written = run.yours[run.t - 1]
    letter = letter_at(run.source, int(run.row.argmax()))
    sentences = [
        f"Step {run.t} gives a weight of **{run.row.max():.2f}** to {letter} and writes"
        f" {bold_word(written)} with P = {run.probability:.2f}."
    ]
    if run.edited:
        sentences.append(describe_effect(run))
    elif run.silent:
        letters = name_letters(run.source, run.silent)
        verb = "has" if len(run.silent) == 1 else "have"
        sentences.append(f"{letters} {verb} the largest weight of no sound.")
    if run.waiting:
        steps = steer_views.name_steps(run.waiting)
        sentences.append(f"The word ends at step {len(run.yours)}, before your weights at {steps}.")
    if run.unfit:
        steps = steer_views.name_steps(run.unfit)
        sentences.append(f"Your weights at {steps} were made for a word of another length and are not used.")
    return " ".join([*sentences, describe_truth(run)])


def letter_at(letters: Words, position: int) -> str:
    """The letter at a position (from 0) in bold, numbered if it occurs more than once in the word."""
    number = f" (letter {position + 1})" if letters.count(letters[position]) > 1 else ""
    return bold_word(letters[position]) + number


def name_letters(letters: Words, positions: tuple[int, ...]) -> str:
    """Name the letters at these positions; after the first few, only count them."""
    more = len(positions) - MAX_LETTERS_NAMED
    named = [letter_at(letters, i) for i in positions[:MAX_LETTERS_NAMED]]
    return join_with_and([*named, f"{more} more"] if more > 0 else named)


def describe_effect(run: Pronounced) -> str:
    """Say which sounds the learner's weights remove and add."""
    changes = [
        f"{verb} {join_with_and([bold_word(words[n]) for n in places])}"
        for verb, words, places in (("loses", run.plain, run.lost), ("gains", run.yours, run.new))
        if places
    ]
    effect = " and ".join(changes) or "**stays the same**"
    return f"With your weights at {steer_views.name_steps(run.edited)} the pronunciation {effect}."


def describe_truth(run: Pronounced) -> str:
    """Say whether the model's pronunciation is right, or that the right one is not known."""
    verdict = (
        "Not judged: we judge only dictionary words that no model was trained on."
        if run.right[0] is None
        else f"The model’s own pronunciation is {'right ✓' if run.right[0] else 'wrong ✗'}."
    )
    return (
        f"{verdict} Of {run.held_out_words:,} words that no model was trained on, the model gets"
        f" **{percent(run.exact_match)}** right."
    )


def next_sounds(run: Pronounced) -> Bars:
    previous = run.yours[run.t - 2] if run.t > 1 else "the start"
    original, edited = run.probabilities[:, :SHOWN_SOUNDS]
    return next_word_bars(
        tuple(map(name_sound, run.next_words[:SHOWN_SOUNDS])),
        edited,
        compare=original,
        compare_names=("edited", "original"),
        wide=560,
        title=f"Next sound, after “{previous}”",
    )


def ask_chances(run: Pronounced) -> str:
    return f"Which other sounds were probable at step {run.t}?"


def without_sound(run: Pronounced) -> Bars:
    """For each letter, how often no sound puts its largest weight on it."""
    counted = letters_without_sound()
    return Bars(
        np.array([fraction for fraction, _ in counted.values()]),
        tuple(counted),
        keys=tuple(f"letter:{letter}" for letter in counted),
        label_role="source",
        upright=True,
        wide=900,
        tall=260,
        title=f"How often a letter has the largest weight of no sound, in {COUNTED_WORDS} held-out words",
    )


def describe_silent(run: Pronounced) -> str:
    counted = letters_without_sound()
    (last, n_last), (elsewhere, n_elsewhere) = counted["e at the end"], counted["e"]
    return (
        f"An e at the end of a word has the largest weight of no sound in **{percent(last)}** of"
        f" {n_last} cases, an e elsewhere in **{percent(elsewhere)}** of {n_elsewhere}. Letters that occur"
        f" fewer than {MIN_OCCURRENCES} times are left out."
    )
