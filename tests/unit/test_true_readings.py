"""What readings and verdicts say agrees with their numbers, also in odd states."""

import re
from html import unescape

import pytest

from lessons import LESSONS
from lessons.basics.tokens.compute import split_words
from lessons.kit.contract import Experiment, InputError
from lessons.kit.exercises import number
from lessons.kit.references import count_word_changes
from lessons.real.modern.compute import PARTS
from lessons.training.rate.compute import rate
from tests.says import assert_says


def find(lesson: str, slug: str) -> Experiment:
    return next(each for each in LESSONS if each.slug == lesson).experiment(slug)


def read(lesson: str, slug: str, /, **state) -> str:
    """The reading of an experiment, without markup."""
    experiment = find(lesson, slug)
    view = next(view for view in experiment.views if view.__name__ == "reading")
    return view(experiment.run(state)).replace("**", "")


def verdict(lesson: str, slug: str, **state) -> str:
    """The message of a challenge for a state."""
    exercise = next(
        each
        for each in next(one for one in LESSONS if one.slug == lesson).exercises
        if each.slug == slug and each.experiment
    )
    return exercise.check(None, find(lesson, exercise.experiment).state(state)).message


# ---- basics ----


def test_a_loss_of_nearly_0_has_no_minus_sign():
    said = read("basics", "loss", text="max lived near the lighthouse .", t=1, steps=6, log_rate=1.8)
    assert "prediction is 0.00 bits" in said


def test_the_perplexity_of_a_single_word_is_that_of_this_word():
    assert_says(read("basics", "loss", text="max"), "perplexity of this word")
    assert_says(read("basics", "loss", text="max lived"), "perplexity of all 2 words")


def test_words_with_the_same_logit_share_the_largest_one():
    said = read("basics", "softmax", logits=((2.0,), (2.0,), (-4.0,), (-4.0,), (-4.0,)))
    assert_says(said, "tea and coffee have the same", 0.5)
    assert "the word tea has" in read("basics", "softmax")


def test_an_entropy_that_looks_the_same_neither_falls_nor_rises():
    said = read("basics", "softmax", tau=0.5, logits=((4.0,), (-4.0,), (-4.0,), (-4.0,), (-4.0,)))
    for before, after in re.findall(r"(?:falls|rises) from (\S+) to (\S+)", said):
        assert before != after


def test_a_skin_tone_belongs_to_its_emoji():
    assert split_words("👩‍🚀 👍🏽 ☕") == ("👩‍🚀", "👍🏽", "☕")


def test_the_challenge_counts_words_as_the_reading_does():
    hindi = "छोटी बिल्ली घर में सोती है।"
    assert "Use at least five" not in verdict("basics", "one-piece-each", text=hindi)
    said = verdict("basics", "one-piece-each", text="Küçük kedi evde uyuyor.")
    assert_says(said, 4, "without punctuation")
    assert_says(verdict("basics", "one-piece-each", text="hello"), "has 1 word. use")


# ---- recurrence ----


def test_an_edit_that_sets_the_value_a_unit_has_is_no_change():
    state = {"cell": "GRU", "text": "one day , leo went to the castle .", "t": 4, "action": "clamp it to"}
    experiment = find("recurrence", "edit")
    for rank in range(1, 129):
        run = experiment.run(state | {"rank": rank, "value": 1.0})
        before, after = run.memory[:, 3]
        said = read("recurrence", "edit", **state, rank=rank, value=1.0)
        if f"{before:.2f}" == f"{after:.2f}":
            assert "you leave" in said
            return
        assert "you change" in said
    pytest.fail("no unit is at 1.00")


def test_a_change_that_grows_does_not_still_differ():
    state = {"cell": "LSTM", "text": "one day , leo went to the castle . he saw the sword .", "only": True}
    experiment = find("recurrence", "edit")
    seen = set()
    for rank in range(1, 129, 3):
        state |= {"rank": rank, "t": 5, "action": "set it to 0"}
        first, *_, last = experiment.run(state).change_of_h[4:]
        assert ("h still differs" in read("recurrence", "edit", **state)) == bool(last < first)
        seen.add(bool(last < first))
    assert seen == {True, False}


# ---- other lessons ----


def test_every_word_without_a_match_is_counted():
    said = read("decoding", "bleu", candidate="the little cat sleeps in the house .")
    assert_says(said, 1, "others")
    named = said.split("do not match:")[1].count("“")
    assert_says(said, f"{len({'the', 'little', 'cat', 'sleeps', 'in', 'house'}) - named} others")


def test_one_number_is_no_plural():
    state = {"T_Q": 1, "d_Q": 2, "T": 4, "d_X": 2, "own": False, "wide_Q": 2, "wide_K": 2, "d_V": 1}
    assert_says(verdict("qkv", "taller", **state), "y has 1 number,")


def test_no_part_of_the_layer_has_a_shortened_label():
    experiment = find("transformer", "pointwise")
    [learned] = (view for view in experiment.all_views if view.__name__ == "learned")
    assert "…" not in learned(experiment.run()).svg()


def test_vectors_change_in_the_plural():
    said = read("transformer", "pointwise", text="he hit me with a pie .")
    assert_says(said, "the vector of 1 of 7 words changes", "the vectors of 7 of 7 words change,")


# ---- the learning rate ----


@pytest.mark.parametrize(
    "state",
    [
        {"power": 0.3, "unit": "tanh", "length": 8, "start": ((-0.5, -1.7),)},
        {"power": -0.1, "unit": "tanh", "length": 11, "start": ((0.6, -1.4),)},
        {"power": 0.0, "clip": True, "unit": "no tanh", "length": 12, "start": ((0.0, 1.0),)},
    ],
)
def test_a_descent_on_a_plateau_is_not_said_to_take_short_steps(state):
    experiment = find("training", "rate")
    run = experiment.run(state)
    assert run.diverged_at is None
    said = read("training", "rate", **state)
    assert run.losses[-1] == pytest.approx(run.zero_loss, abs=1e-3)
    assert run.gradients[-1] < 0.01
    assert_says(said, "flat")
    assert "too short" not in said


def test_short_steps_are_steps_that_never_raise_the_loss():
    blamed = 0
    for power in (-2.0, -1.5, -1.0, 0.0, 0.5):
        for start in ((-1.5, 1.2), (1.0, -1.0), (0.5, 0.5), (0.9, 0.9)):
            for length in (2, 6, 11):
                run = rate(power, False, False, "tanh", length, (start,), 0)
                said = read("training", "rate", power=power, unit="tanh", length=length, start=(start,))
                if "too short" in said:
                    blamed += 1
                    assert (run.losses[1:] <= run.losses[:-1]).all()
                    assert abs(run.losses[-1] - run.zero_loss) > 1e-3
    assert blamed


# ---- answers that are typed ----


@pytest.mark.parametrize("typed", ["0.67", "0,67", ".67", "2/3", "67%", "67 %", " 66.5% "])
def test_a_fraction_is_accepted_in_every_spelling(typed):
    exercise = number("slug", "question", lambda: 0.6652, "hint", "why")
    assert exercise.check(exercise.answer.check(typed), {}).ok


def test_a_percentage_is_accepted_with_and_without_its_sign():
    exercise = number("slug", "What percentage?", lambda: 51.0, "hint", "why", within=0.5)
    assert all(exercise.check(exercise.answer.check(typed), {}).ok for typed in ("51", "51%"))
    assert not exercise.check(exercise.answer.check("0.51"), {}).ok


@pytest.mark.parametrize("typed", ["%", "1/0", "1/", "/3", "1/2/3", "two thirds", "1/0%"])
def test_what_is_no_number_is_refused(typed):
    with pytest.raises(InputError):
        number("slug", "question", lambda: 1.0, "hint", "why").answer.check(typed)


# ---- words that are lost, new, or only somewhere else ----


def test_swapped_words_are_neither_lost_nor_new():
    said = read("transformer", "ablate", text="is the bank of the small river beautiful ?")
    assert_says(said, "2 of its 12 words change place")
    assert "new" not in said
    assert count_word_changes(("la", "petite", "rive"), ("la", "rive", "petite")) == (0, 0, 1)
    assert count_word_changes(("la", "petite", "rive"), ("la", "rive")) == (1, 0, 0)


def test_a_mean_stands_in_for_one_thing_or_for_many():
    for part in ("encoder positions", "all heads of a layer", "one head"):
        assert_says(read("transformer", "ablate", part=part, by="mean"), "with the mean in place of")


def test_a_single_word_without_a_match_is_one_word():
    assert_says(read("decoding", "bleu"), "this word does not match: un.")


def test_a_single_claim_holds():
    scores = find("scores", "referee").predict
    messages = [scores.check(option, {}).message for option in scores.answer.options]
    assert any("1 of 4 claims holds" in message for message in messages)


def test_one_bit_more_or_less_is_not_rounded_to_once():
    said = [
        view(find("bottleneck", "bits").run({"text": text, "code": code}))
        for text in ("hello", "the beautiful house was bought .")
        for code in ("8", "128")
        for act in find("bottleneck", "bits").acts
        for view in act.views
        if view.__name__ == "sentence_total"
    ]
    assert said
    for text in said:
        ratio = re.search(r"\*\*([\d.,]+)\*\* times as many", text)
        assert ratio is None or float(ratio[1].replace(",", "")) not in (0, 1)


# ---- notes, tooltips ----


def test_the_reason_of_an_unused_control_has_no_raw_subscript():
    idle = find("qkv", "layer").run({"own": True}).idle()
    assert {"T_Q", "d_Q"} <= idle.keys()
    assert not [reason for reason in idle.values() if "_" in reason]


def test_a_sentence_without_a_reference_ends_without_a_space():
    experiment = find("transformer", "block")
    diagram = next(view for view in experiment.views if view.__name__ == "diagram")
    svg = diagram(experiment.run({"text": "hello"})).svg()
    assert "<eos>" in unescape(svg)
    assert not re.search(r'data-tip="[^"]*\s"|data-tip=\'[^\']*\s\'', svg)


# ---- the real model ----


def test_as_many_key_heads_as_query_heads_leave_nothing_to_compare(real_weights):
    assert_says(read("real", "cache", T=24, kv_heads=9), "each query head has its own")
    assert "would" not in read("real", "cache", T=24, kv_heads=9)
    assert_says(read("real", "cache", T=24, kv_heads=3), "would")


def test_min_p_itself_must_leave_the_one_piece(real_weights):
    text = "The capital of France is"
    assert_says(verdict("real", "one-left", text=text, p=0.05), "not yet", "top-p")
    assert_says(verdict("real", "one-left", text=text, min_p=0.8), "yes", 0.8)


def test_the_challenge_of_parts_says_more_less_or_diverged(real_weights):
    said = [
        verdict("real", "ruin", text=text, part=option)
        for option in PARTS
        for text in ("the the the", "hello", "The capital of France is Paris.")
    ]
    assert not [text for text in said if re.search(r"-\d|inf|nan", text)]
    assert any("bits less" in text for text in said)
    assert any("no longer finite" in text for text in said)


def test_a_probability_that_looks_the_same_stays(real_weights):
    state = {"text": "The trophy did not fit because it was too big", "change": "switch this head off"}
    said = [
        read("real", "heads", **state, layer=layer, head=head) for layer in (1, 12, 29) for head in (1, 5)
    ]
    for before, after in (
        found for text in said for found in re.findall(r"changes from (\S+) to (\S+) ", text)
    ):
        assert before != after
    assert any("stays at" in text for text in said)


def test_a_small_probability_is_not_0(real_weights):
    said = verdict("real", "break-the-loop", phrase="The boats left the harbour.", copies=29, penalty=1.9)
    assert_says(said, "yes")
    assert "to 0.00" not in said
