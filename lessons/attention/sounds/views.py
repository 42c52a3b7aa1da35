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
from lessons.kit.language import translate, translate_plural
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
    if sound not in SOUNDS:
        return sound
    return translate("{sound} as in {word}", sound=sound, word=SOUNDS[sound])


def alignment(run: Pronounced) -> Heatmap:
    return alignment_map(
        run.your_weights,
        tuple(map(name_sound, run.yours)),
        run.source,
        keys=("step", "source"),
        current_row=run.t - 1,
        changed=tuple((step - 1, i) for step in run.edited for i in range(len(run.source))),
        row_title=translate("writes"),
        column_title=translate("attends to"),
        wide=460,
        tall=400,
        title=translate("Attention weights: sounds and letters"),
    )


def row(run: Pronounced) -> Bars:
    return steer_views.row(run)


def outputs(run: Pronounced) -> Tokens:
    """The model's sounds, those with the learner's weights, and the right ones."""
    is_edited = bool(run.edited)
    lines = [
        TokenLine(
            translate("original" if is_edited else "it writes"),
            without_eos(run.plain),
            changed=frozenset(run.lost),
            right=run.right[0],
        )
    ]
    if is_edited:
        lines.append(
            TokenLine(
                translate("edited"), without_eos(run.yours), changed=frozenset(run.new), right=run.right[1]
            )
        )
    if False in run.right or len(run.accepted) > 1:
        lines += [
            TokenLine(translate("or" if n else "right is"), sounds, quiet=True)
            for n, sounds in enumerate(run.accepted[:MAX_PRONUNCIATIONS])
        ]
    return Tokens(
        tuple(lines),
        current=run.t - 1,
        wide=ASIDE_WIDTH_PX,
        tall=130,
        title=translate("The pronunciation, sound by sound"),
    )


def reading(run: Pronounced) -> str:
    written = run.yours[run.t - 1]
    letter = letter_at(run.source, int(run.row.argmax()))
    sentences = [
        translate(
            "Step {t} gives a weight of **{weight:.2f}** to {letter} and writes {sound} with P = {p:.2f}.",
            t=run.t,
            weight=run.row.max(),
            letter=letter,
            sound=bold_word(written),
            p=run.probability,
        )
    ]
    if run.edited:
        sentences.append(describe_effect(run))
    elif run.silent:
        letters = name_letters(run.source, run.silent)
        one = "{letters} does not have the largest weight for any sound."
        many = "{letters} do not have the largest weight for any sound."
        sentences.append(translate_plural(one, many, len(run.silent), letters=letters))
    if run.waiting:
        steps = steer_views.name_steps(run.waiting)
        template = "The word ends at step {t}, before your weights at {steps}."
        sentences.append(translate(template, t=len(run.yours), steps=steps))
    if run.unfit:
        steps = steer_views.name_steps(run.unfit)
        template = "Your weights at {steps} were made for a word of another length and are not used."
        sentences.append(translate(template, steps=steps))
    return " ".join([*sentences, describe_truth(run)])


def letter_at(letters: Words, position: int) -> str:
    """The letter at a position (from 0) in bold, numbered if it occurs more than once in the word."""
    letter = bold_word(letters[position])
    if letters.count(letters[position]) == 1:
        return letter
    return translate("{letter} (letter {n})", letter=letter, n=position + 1)


def name_letters(letters: Words, positions: tuple[int, ...]) -> str:
    """Name the letters at these positions; after the first few, only count them."""
    more = len(positions) - MAX_LETTERS_NAMED
    named = [letter_at(letters, i) for i in positions[:MAX_LETTERS_NAMED]]
    return join_with_and([*named, translate("{n} more", n=more)] if more > 0 else named)


def describe_effect(run: Pronounced) -> str:
    """Say which sounds the learner's weights remove and add."""
    template = {
        (False, False): "With your weights at {steps} the pronunciation **stays the same**.",
        (True, False): "With your weights at {steps} the pronunciation loses {lost}.",
        (False, True): "With your weights at {steps} the pronunciation gains {new}.",
        (True, True): "With your weights at {steps} the pronunciation loses {lost} and gains {new}.",
    }[bool(run.lost), bool(run.new)]
    changes = steer_views.name_changes(run, limit=len(run.lost) + len(run.new))
    return translate(template, steps=steer_views.name_steps(run.edited), **changes)


def describe_truth(run: Pronounced) -> str:
    """Say whether the model's pronunciation is right, or that the right one is not known."""
    verdict = translate(
        {
            None: "Not judged: we judge only dictionary words that no model was trained on.",
            True: "The model’s own pronunciation is right ✓.",
            False: "The model’s own pronunciation is wrong ✗.",
        }[run.right[0]]
    )
    figure = translate(
        "Of {n:,} words that no model was trained on, the model gets **{right}** right.",
        n=run.held_out_words,
        right=percent(run.exact_match),
    )
    return f"{verdict} {figure}"


def next_sounds(run: Pronounced) -> Bars:
    title = (
        translate("Next sound, after “{sound}”", sound=run.yours[run.t - 2])
        if run.t > 1
        else translate("Next sound, after the start")
    )
    original, edited = run.probabilities[:, :SHOWN_SOUNDS]
    return next_word_bars(
        tuple(map(name_sound, run.next_words[:SHOWN_SOUNDS])),
        edited,
        compare=original,
        compare_names=(translate("edited"), translate("original")),
        wide=560,
        title=title,
    )


def ask_chances(run: Pronounced) -> str:
    return translate("Which other sounds were probable at step {t}?", t=run.t)


def without_sound(run: Pronounced) -> Bars:
    """For each letter, how often no sound puts its largest weight on it."""
    counted = letters_without_sound()
    return Bars(
        np.array([fraction for fraction, _ in counted.values()]),
        tuple(map(translate, counted)),
        keys=tuple(f"letter:{letter}" for letter in counted),
        label_role="source",
        upright=True,
        wide=900,
        tall=260,
        title=translate(
            "How often a letter has the largest weight of no sound, in {n} held-out words", n=COUNTED_WORDS
        ),
    )


def describe_silent(run: Pronounced) -> str:
    counted = letters_without_sound()
    (last, n_last), (elsewhere, n_elsewhere) = counted["e at the end"], counted["e"]
    return translate(
        "An e at the end of a word has the largest weight of no sound in **{last}** of {n_last} cases, an e"
        " elsewhere in **{elsewhere}** of {n_elsewhere}. Letters that occur fewer than {least} times are left"
        " out.",
        last=percent(last),
        n_last=n_last,
        elsewhere=percent(elsewhere),
        n_elsewhere=n_elsewhere,
        least=MIN_OCCURRENCES,
    )
