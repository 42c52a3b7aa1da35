"""Story beginnings that ask for a word mentioned once: distance, answer, and how models are measured."""

import pytest
import torch

from models import measure, zoo
from models.tasks.stories import STORIES
from models.tasks.story_recall import DISTANCES, GENDERED, QUESTIONS, draw_recalls, write_filler

KINDS = tuple(QUESTIONS)
CUES = {"mark": "“"}  # where the cue is not the answer itself


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("distance", [DISTANCES[0], DISTANCES[-1]])
def test_the_only_mention_is_exactly_so_far_away(kind, distance):
    recalls = draw_recalls(kind, distance, 60)
    assert len({recall.tokens for recall in recalls}) == 60
    for recall in recalls:
        assert set(recall.tokens) <= set(STORIES.vocabulary.words)
        assert recall.answer in recall.choices
        if kind == "pronoun":
            between = recall.tokens[-distance + 1 :]
            assert not GENDERED & set(between)
            is_girl = "girl" in recall.tokens[:-distance]
            assert recall.answer == ("she" if is_girl else "he")
        else:
            cue = CUES.get(kind, recall.answer)
            assert recall.tokens.count(cue) == 1
            assert len(recall.tokens) - recall.tokens.index(cue) == distance


def test_every_answer_occurs_about_equally_often():
    for kind in ("name", "pronoun", "colour", "object"):
        answers = [recall.answer for recall in draw_recalls(kind, 40, 200)]
        assert set(answers) == set(QUESTIONS[kind].choices)
        assert max(map(answers.count, set(answers))) < 2 * 200 / len(set(answers))


@pytest.mark.parametrize("count", [0, 10, 60])
def test_a_filler_has_exactly_so_many_words_and_avoids_some(count):
    avoided = frozenset(("clock", "she"))
    words = write_filler(count, avoided)
    assert len(words) == count
    assert not avoided & set(words)
    assert not words or words[-1] == "."
    assert words == write_filler(count, avoided)


@torch.inference_mode()
@pytest.mark.parametrize("name", ["stories-gru-1", "stories-transformer"])
def test_the_measurement_is_that_of_single_runs(name):
    """Batches of beginnings of different lengths are padded; the model run on each alone is the oracle."""
    model = zoo.load(name)[0]
    recalls = draw_recalls("object", 20, 12)
    assert len({len(recall.tokens) for recall in recalls}) > 1
    expected = []
    for recall in recalls:
        P = model.run(STORIES.vocabulary.ids(recall.tokens)).probabilities[-1]
        P = P[STORIES.vocabulary.ids(recall.choices)]
        expected.append(P / P.sum())
    found = measure.answer_probabilities(model, recalls)
    torch.testing.assert_close(found, torch.stack(expected), atol=1e-5, rtol=0)


@torch.inference_mode()
def test_the_card_has_the_mean_of_the_right_words(monkeypatch):
    """With P = 0.7 for the right word everywhere, the mean is 0.7 and every answer is counted as right."""

    def know_everything(model, recalls):
        P = torch.full((len(recalls), len(recalls[0].choices)), 0.3 / (len(recalls[0].choices) - 1))
        for row, recall in zip(P, recalls, strict=True):
            row[recall.choices.index(recall.answer)] = 0.7
        return P

    monkeypatch.setattr(measure, "answer_probabilities", know_everything)
    found = measure.recall_metrics(None, count=5)
    assert found.keys() == QUESTIONS.keys()
    for rows in found.values():
        assert [row["distance"] for row in rows] == [*DISTANCES]
        assert all(row["probability"] == 0.7 and row["accuracy"] == 1 for row in rows)
