"""The scoreboard: rows agree with cards and measurements, and no heading is cut."""

import inspect
import re

import numpy as np
import pytest

import models.scoreboard
from lessons.kit.notices import collect_notices
from lessons.transformer import LESSON
from lessons.transformer.scoreboard import views as scoreboard_views
from lessons.transformer.scoreboard.compute import (
    COLUMNS,
    EVERYDAY,
    PRONUNCIATION,
    SATURATED_EXACT_MATCH,
    SMALL_WORLD,
    scoreboard,
)
from lessons.transformer.scoreboard.compute import TASKS as SCOREBOARD_TASKS
from lessons.transformer.scoreboard.exercises import exact_match_beyond
from models import export_script, train
from models.copying import load_copying
from models.recipes import seeds_of
from models.zoo import Card
from tests.says import assert_says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}


def test_the_scoreboard_agrees_with_cards_and_measurements():
    boards = [scoreboard("exact match", task) for task in SCOREBOARD_TASKS]
    names, rows = models.scoreboard.model_names(), [row for board in boards for row in board.rows]
    assert set(models.scoreboard.load_scoreboard()["ms"]) == set(names)
    assert {name.rpartition("-s")[0] for name in names} - {row.model for row in rows} == {
        "translation-slow-64",  # a model that no lesson shows
        "translation-wild-64",
    }
    for row in rows:
        cards = [Card.read(name) for name in seeds_of(row.model)]
        cards = [
            card for card in cards if card.recipe["steps"] == row.steps
        ]  # seeds trained for fewer steps are excluded from the mean
        assert row.seeds == len(cards)
        assert row.exact == pytest.approx(np.mean([card.metrics["natural"]["exact_match"] for card in cards]))
        assert row.parameters == cards[0].parameters
        assert row.steps == Card.read(f"{row.model}-s0").recipe["steps"]
    for board in boards:
        assert all(row.lesson in board.lessons for row in board.rows)
        assert all(len(row.by_length) == len(board.lengths) for row in board.rows)
        assert [row.exact for row in board.rows] == sorted((row.exact for row in board.rows), reverse=True)
    fastest = scoreboard("ms per sentence").rows
    assert fastest[0].ms == min(row.ms for row in fastest)
    assert scoreboard("AER").rows[-1].aer is None  # no AER without attention


def test_the_board_shows_seeds_as_ranges_and_what_separates_models():
    board = scoreboard("beyond training")
    beyond = [row.by_length[board.beyond] for row in board.rows]
    assert beyond == sorted(beyond, reverse=True)
    cells = {
        row.name: cells for row, cells in zip(board.rows, scoreboard_views.results(board).rows, strict=True)
    }
    for row in board.rows:
        cards = [Card.read(name).metrics for name in seeds_of(row.model)[: row.seeds]]
        exact = [card["natural"]["exact_match"] for card in cards]
        longer = [card["by_length"][board.beyond]["exact_match"] for card in cards]
        assert_says(cells[row.name][0].words, round(min(exact), 3), round(max(exact), 3))
        assert_says(cells[row.name][1].words, round(min(longer), 2), round(max(longer), 2))
        assert (cells[row.name][0].value, cells[row.name][1].value) == pytest.approx(
            (np.mean(exact), np.mean(longer))
        )
    near = [row for row in board.rows if row.exact >= SATURATED_EXACT_MATCH]
    spans = [
        max(of) - min(of)
        for of in ([row.exact for row in near], [row.by_length[board.beyond] for row in near])
    ]
    assert spans[1] > 10 * spans[0], "beyond training they differ"
    longer = [row.by_length[board.beyond] for row in near]
    steps, parameters = ([getattr(row, name) for row in near] for name in ("steps", "parameters"))
    said = scoreboard_views.reading(board)
    assert_says(said, len(near), len(board.rows), SATURATED_EXACT_MATCH, min(longer), max(longer))
    assert_says(said, min(steps), max(steps), min(parameters), max(parameters))


def test_the_board_of_everyday_english_shows_who_copies_unknown_names():
    """Only models with attention can copy a name that they do not know."""
    board = scoreboard("names copied", EVERYDAY)
    for row in board.rows:
        figures = load_copying()[row.file]
        assert (row.copied, row.correct) == (figures["copied"], figures["correct"])
        has_attention = Card.read(row.file).config.get("context") in ("attention", None)
        assert row.copied > 0.5 if has_attention else row.copied < 0.1
    assert board.rows[0].copied == max(row.copied for row in board.rows)
    assert "names copied" in scoreboard_views.results(board).headings
    best, worst = board.rows[0], board.rows[-1]
    assert_says(scoreboard_views.reading(board), best.copied, best.correct, worst.copied, board.hidden_names)


def test_the_board_of_pronunciation_shows_phoneme_errors_of_equal_steps():
    board = scoreboard("phoneme errors", PRONUNCIATION)
    table = scoreboard_views.results(board)
    column = table.headings.index("phoneme errors")
    for row, cells in zip(board.rows, table.rows, strict=True):
        cards = [card for card in map(Card.read, seeds_of(row.model)) if card.recipe["steps"] == row.steps]
        errors = [card.metrics["natural"]["error_rate"] for card in cards]
        assert_says(cells[column].words, round(min(errors), 3), round(max(errors), 3))
    assert [row.errors for row in board.rows] == sorted(row.errors for row in board.rows)
    assert_says(
        scoreboard_views.reading(board), *board.rows[0].errors_by_seed, *board.rows[-1].errors_by_seed
    )


@pytest.mark.parametrize(("sort", "task"), [("AER", PRONUNCIATION), ("names copied", SMALL_WORLD)])
def test_a_board_without_the_column_is_sorted_by_lesson(sort, task):
    with collect_notices() as notices:
        board = scoreboard(sort, task)
    assert board.rows == scoreboard("lesson", task).rows
    assert_says(notices["sort"], sort, task)


def test_a_model_with_attention_is_not_filed_under_the_bottleneck():
    board = scoreboard("lesson")
    for row in board.rows:
        config = Card.read(row.file).config
        if config.get("context") == "attention" or "d_fc" in config:
            assert board.lessons[row.lesson] > board.lessons["bottleneck"], row.name
        assert row.attends == (
            config.get("context") == "attention" and config["encoder"] == "recurrent" and row.aer < 0.9
        )


def test_the_guess_about_longer_sentences_can_be_won():
    """Exactly one option must be right, with every seed; uniform weights do not count as attention."""
    guess, board = EXPERIMENTS["scoreboard"].predict, scoreboard("lesson")
    verdicts = {option: guess.check(option, {}) for option in guess.answer.options}
    assert sorted(verdict.ok for verdict in verdicts.values()) == [False, False, True]
    ours, others = exact_match_beyond()
    assert len(ours) == 3 < len(others)
    assert 0 < max(ours) < min(others)
    uniform = next(row for row in board.rows if row.model == "translation-uniform-64")
    assert uniform.by_length[board.beyond] < min(ours)
    for verdict in verdicts.values():
        assert_says(verdict.message, min(ours), max(ours), min(others), max(others))
    [right] = [verdict for verdict in verdicts.values() if verdict.ok]
    card = Card.read("translation-transformer-s0")
    assert_says(
        right.message,
        card.recipe["steps"],
        card.parameters,
        Card.read("translation-additive-64-s0").recipe["steps"],
    )


def test_both_tables_of_the_board_have_the_same_rows():
    board = scoreboard("AER")
    made, does = scoreboard_views.board(board), scoreboard_views.results(board)
    assert (made.head_height, made.row_height) == (does.head_height, does.row_height)
    assert (
        list(made.frame()["model (download)"])
        == list(does.frame()["model"])
        == [row.name for row in board.rows]
    )
    assert all(f"{row.steps:,}" in made.svg() for row in board.rows)


@pytest.mark.parametrize("task", SCOREBOARD_TASKS)
@pytest.mark.parametrize("sort", COLUMNS)
def test_no_heading_of_the_board_is_cut(sort, task):
    board = scoreboard(sort, task)
    for table in (scoreboard_views.board(board), scoreboard_views.results(board)):
        assert "…" not in re.sub('aria-label="[^"]*"', "", table.svg())
        assert table.draw().width < table.wide + 1


@pytest.mark.parametrize("task", SCOREBOARD_TASKS)
def test_only_models_that_can_be_exported_are_links(task):
    board = scoreboard("lesson", task)
    linked = re.findall(r'href="home/([^"]+)\.zip"', scoreboard_views.board(board).svg())
    assert sorted(linked) == sorted(
        row.file for row in board.rows if row.file in export_script.exportable_names()
    )


def test_every_model_can_be_downloaded():
    board = scoreboard("lesson")
    linked = re.findall(
        r'href="home/([^"]+)\.zip"',
        scoreboard_views.board(board).svg() + scoreboard_views.others(board).svg(),
    )
    assert sorted(linked) == sorted(export_script.exportable_names())
    assert len(board.rows) > 20 < len(board.others)


def test_the_command_measures_again():
    shipped, again = (
        models.scoreboard.load_scoreboard(),
        models.scoreboard.measure(["translation-dot-64-s0", "translation-transformer-s0"], 2, 1),
    )
    assert again.keys() == shipped.keys()
    assert again["lengths"] == shipped["lengths"]
    assert all(0 < ms < 10_000 for ms in again["ms"].values())
    assert shipped["cores"] >= 1
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", shipped["date"])


def test_training_seconds_are_those_of_the_processor():
    """The lesson must say processor time, because the training code measures it."""
    words = LESSON.text.experiments["scoreboard"].after
    assert re.search(r"process_time\(\) - (self\.)?began", inspect.getsource(train))
    assert_says(words, "training seconds", "processor time")
