"""Experiment `tune` of lesson `real`: questions about stories, instruction tuning, and saved runs."""

import pytest
import torch

from lessons.kit.checkpoints import STORIES, load_model
from lessons.kit.jobs import artifacts
from lessons.kit.jobs.queue import JobQueue
from lessons.real import LESSON
from lessons.real.tune import tuning
from lessons.real.tune.compute import continue_greedily, read_prompt
from lessons.real.tune.exercises import answers_and_remembers
from models.batches import IGNORE
from models.tasks.story_questions import beginning, draw_questions, make_prompt, questions_about
from models.vocabulary import InputError
from tests.says import assert_says

TUNE = LESSON.experiment("tune")
STORY = "one day , sam walked to the river . he had lost a blue kite . max had a black map ."


def questions_in(story: str) -> dict[str, str]:
    return {" ".join(q.question): " ".join(q.answer) for q in questions_about(story.split(), STORIES.choices)}


# ---- questions ----


def test_questions_and_answers_by_hand():
    assert questions_in(STORY) == {
        "who walked to the river ?": "sam .",
        "who had a black map ?": "max .",
        "what was blue ?": "the kite .",
        "what was black ?": "the map .",
        "what was the kite like ?": "blue .",
        "what was the map like ?": "black .",
    }


def test_a_doubtful_question_is_not_asked():
    doubtful = questions_in("sam had a red kite . max had a red map . sam was sad . max was sad .")
    assert "what was red ?" not in doubtful
    assert doubtful["what was the map like ?"] == "red ."
    assert questions_in("sam and max walked home slowly .") == {}
    assert questions_in("sam said : “ come with me . ” the king saw max .") == {}


def test_a_beginning_ends_with_a_sentence_and_closes_its_marks():
    words = "sam was sad . max said : “ i am sad . come with me . ” sam was happy .".split()
    assert beginning(words) == tuple(words)
    assert beginning(words[:12]) == tuple(words[:4])
    assert all(len(q.story) <= 40 for q in draw_questions(STORIES, "test", 5))


def test_every_question_can_be_read_and_its_answer_is_in_the_story():
    for question in draw_questions(STORIES, "validation", 60):
        assert STORIES.vocabulary.ids([*question.prompt, *question.answer])
        assert set(question.answer) - {"the", "."} <= set(question.story)


# ---- data and measurements ----


def test_only_the_answer_is_learned():
    question = draw_questions(STORIES, "test", 3)[0]
    batch = tuning.question_batch([question])
    targets = batch.targets[0][batch.targets[0] != IGNORE].tolist()
    assert STORIES.vocabulary.tokens(targets) == (*question.answer, "<eos>")
    assert batch.inputs[0].shape == batch.targets.shape


@pytest.mark.parametrize(("mix", "share"), [(0, 0), (50, 0.5), (75, 0.75)])
def test_the_mix_is_the_share_of_story_batches(mix, share):
    batches = tuning.mixed_batches(mix)
    stories = sum(bool((batch.targets[:, 0] != IGNORE).all()) for batch in batches)
    assert stories / len(batches) == pytest.approx(share, abs=0.01)


def test_an_answer_counts_as_right_if_greedy_decoding_writes_it():
    questions, _ = tuning.held_out_questions()
    model = load_model(tuning.BASE)
    right = tuning.answered_right(model)
    for question, is_right in list(zip(questions, right, strict=True))[:5]:
        written = continue_greedily(model, question.prompt, len(question.answer) + 1)
        assert (written == question.answer) == is_right


def test_perplexity_agrees_with_a_single_text(monkeypatch):
    [document] = STORIES.draw_documents("test", 1, seed=5, kind="story")
    ids = STORIES.vocabulary.ids(document.tokens)[:100]
    monkeypatch.setattr(tuning, "held_out_texts", lambda kind: tuning.text_batches([ids], 1, 128))
    model = load_model(tuning.BASE)
    log_p = model.run(ids).logits.log_softmax(-1)
    following = torch.tensor([*ids, STORIES.vocabulary.eos])
    expected = torch.exp(-log_p[torch.arange(len(following)), following].mean())
    assert tuning.perplexity(model, "story") == pytest.approx(expected.item(), rel=1e-4)


# ---- the experiment ----


def test_before_a_run_there_is_no_tuned_answer():
    result = TUNE.run()
    assert (result.tuned_answer, result.tuned_p, result.runs) == (None, None, ())
    assert result.base_answer
    assert result.expected == ("max", ".")
    assert "not tuned yet" in TUNE.views[1](result).svg()


@pytest.fixture
def store(tmp_path):
    queue = JobQueue(str(tmp_path / "work.db"))
    artifacts.attach(queue)
    yield queue
    artifacts.detach(queue.store)


def test_tuning_teaches_answers_and_is_saved(store, monkeypatch):
    monkeypatch.setattr(tuning, "MAX_STEPS", 40)
    monkeypatch.setattr(tuning, "TRAINING_STORIES", 80)
    before = {name: tensor.clone() for name, tensor in load_model(tuning.BASE).state_dict().items()}
    *_, (share, result) = TUNE.job.run(**TUNE.state() | {"power": -2.0, "budget": 60})
    last = result.run.last
    assert last.step == 40
    assert share <= 1
    assert last.right > result.base.right + 0.2
    assert last.perplexity[0] > 2 * result.base.perplexity[0]  # the tuned model forgets how to write stories
    assert result.tuned_p.argmax() != result.base_p.argmax()
    assert all(
        torch.equal(tensor, before[name]) for name, tensor in load_model(tuning.BASE).state_dict().items()
    )

    again = TUNE.run({"runs": result.names})
    assert again.tuned_answer == result.tuned_answer
    assert again.run == result.run
    assert again.limits()["runs"][0][0] == result.run.name
    state = TUNE.state() | {"runs": result.names}
    # refused, because the tuned model forgot too much
    assert answers_and_remembers.check(None, state).ok is False
    monkeypatch.setattr(tuning, "load_card", lambda name: type("Card", (), {"sha256": "another"}))
    assert tuning.load_saved_runs(result.names) == []  # no saved run fits a base model that was trained again


# ---- what is typed ----


@pytest.mark.parametrize("text", ["", "   ", "👩‍🚀", "你好"])
@pytest.mark.parametrize("control", ["story", "question"])
def test_bad_texts_get_a_sentence(control, text):
    with pytest.raises(InputError) as refused:
        TUNE.run({control: text})
    assert refused.value.control == control
    assert str(refused.value)


def test_a_question_mark_is_added_and_long_questions_are_refused():
    story, question = read_prompt(STORY, "what was blue")
    assert make_prompt(story, question)[-3:] == ("blue", "?", "”")
    with pytest.raises(InputError, match="12"):
        read_prompt(STORY, "who was sad and " * 5)


def test_the_reading_names_both_figures():
    result = TUNE.run()
    assert_says(TUNE.views[-1](result), f"{result.base.perplexity[0]:.2f}", "0%")
