"""Self-attention as the encoder of a translator, with and without positions."""

from dataclasses import replace
from functools import partial

from lessons.qkv import (
    LESSON,
    between,
)
from models.zoo import Card
from tests import helpers
from tests.says import assert_says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
preset = partial(helpers.preset, LESSON)


def test_a_bag_of_words_may_hold_two_questions():
    run = preset("between", "A question")
    assert run.right == tuple(model != "no positions" for model in run.models)
    bag = run.outputs[run.models.index("no positions")]
    assert sorted(bag) == sorted(run.truth)


def test_encoder_without_positions_ignores_the_order():
    run = preset("between", "Sorted")
    same = {
        model for model, now, typed in zip(run.models, run.outputs, run.as_typed, strict=True) if now == typed
    }
    assert same == {"no positions"}
    assert run.words == tuple(sorted(run.words))
    one, other = (
        EXPERIMENTS["between"].run({"text": text}).outputs
        for text in ("the man sees the dog .", "the dog sees the man .")
    )
    assert one[1] == other[1]
    assert one[3] != other[3]


def test_accuracies_show_the_value_of_positions():
    run = EXPERIMENTS["between"].run()
    assert run.overall[1].max() < 0.7
    assert run.overall[2:].min() > 0.9
    assert run.has.sum(1).tolist() == [0, 2, 3, 5]
    assert run.by_length.shape == (4, run.seeds, len(run.lengths)) == (4, 3, len(run.lengths))
    assert_says(
        between.views.reading(run),
        *(fact for pair in zip(run.models, run.overall.mean(1), strict=True) for fact in pair),
    )


def test_between_reading_names_the_differences_of_its_models():
    run = EXPERIMENTS["between"].run()
    cards = [Card.read(names[0]) for names in between.compute.MODELS.values()]
    assert run.parameters == tuple(card.parameters for card in cards)
    assert run.steps == tuple(card.recipe["steps"] for card in cards)
    text = between.views.reading(run)
    assert_says(text, min(run.parameters), max(run.parameters), min(run.steps), max(run.steps))
    for (name, *figures), card in zip(between.views.sizes(run).rows, cards, strict=True):
        assert name in run.models
        assert_says(" ".join(figures), card.parameters, card.recipe["steps"])
    assert_says(between.views.describe_sizes(replace(run, steps=(3000,) * 4)), "all", 3000)


def test_sorting_sentence_agrees_in_number():
    run = preset("between", "Sorted")
    assert_says(between.views.reading(run), "still writes")
    two = replace(run, as_typed=(*run.as_typed[:2], *run.outputs[2:3], *run.as_typed[3:]))
    assert_says(between.views.reading(two), "“no positions” and “with positions” still write")
    none = replace(run, as_typed=(("rien",),) * 4)
    assert_says(between.views.reading(none), "every model")
    three = replace(run, as_typed=(("rien",), *run.outputs[1:]))
    assert_says(
        between.views.reading(three), "“no positions”, “with positions” and “Transformer” still write"
    )


def test_outputs_are_compared_with_the_reference_of_the_typed_sentence():
    run = EXPERIMENTS["between"].run({"text": "the old man kicked the bucket .", "alphabetical": True})
    assert " ".join(run.truth) == "le vieil homme est mort ."
    assert run.right == tuple(output == run.truth for output in run.outputs)
    assert run.right[-1] is False  # the Transformer reads the word order, which sorting has destroyed
    *_, truth = lines = between.views.outputs(run).lines
    assert [line.mark for line in lines] == [
        "",
        *("✓ correct" if right else "✗ wrong" for right in run.right),
        "",
    ]
    assert truth.words == run.truth
    unknown = EXPERIMENTS["between"].run({"text": "the dog ."})
    assert unknown.truth is None
    assert not any(line.mark for line in between.views.outputs(unknown).lines)
