"""Typed English for the models of word senses: any sentence that contains a word with two senses is read."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.kit.notices import collect_notices
from lessons.kit.typed_text import UNKNOWN
from lessons.qkv import LESSON
from lessons.qkv.sense_models import CHECKPOINTS, TWO_SIDED
from lessons.qkv.typed_sentence import read_ambiguous, read_blank, read_words
from models.tasks.bank import BANK, BLANK
from models.tasks.blank import draw_blanks
from models.tasks.task import SPLITS
from models.vocabulary import InputError
from tests.says import assert_says

SENSE_SENTENCES = Path(__file__).parents[1] / "sense_sentences.tsv"
EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
EVERYDAY_SENTENCES = {
    "I need to go to the bank to get some money.": "bank",
    "We had a picnic on the bank of the river!": "bank",
    "MY DOG HAS A LOUD BARK": "bark",
    "Bats fly at night 🦇": "bat",
    "The cranes lifted 3 heavy boxes.": "crane",
    "I wrote a letter to Mr. Smith": "letter",
    "She won the tennis match; I'm happy": "match",
    "The mouse ate my cheese…": "mouse",
    "“Pour the juice into the pitcher”, he said.": "pitcher",
    "Don't feed the seals!": "seal",
    "The water from the spring is cold": "spring",
}


@pytest.mark.parametrize("split", SPLITS)
def test_every_sentence_of_the_task_is_read_as_it_is(split):
    for example in list(BANK.iterate_examples(split))[::50]:
        with collect_notices() as notices:
            sentence, position = read_ambiguous(" ".join(example.tokens).capitalize())
        assert (sentence.words, position) == (example.tokens, example.position)
        assert not notices
    for gap in draw_blanks(split, 60):
        sentence, position, place = read_blank(" ".join(gap.tokens).capitalize())
        assert (sentence.words, position, place) == (gap.tokens, gap.position, gap.place)


@pytest.mark.parametrize(("text", "word"), EVERYDAY_SENTENCES.items())
def test_everyday_sentences_are_read(text, word):
    sentence, position = read_ambiguous(text)
    assert sentence.words[position] == word
    assert set(sentence.words) <= set(BANK.vocabulary.words)
    for slug, state in (("bank", {"text": text}), ("mask", {"text": text, "word": "xylophones"})):
        result = EXPERIMENTS[slug].run(state)
        assert len(result.words) == len(sentence.words)
    assert EXPERIMENTS["bank"].run({"text": text}).word == word


def test_an_unknown_word_is_marked_and_named():
    with collect_notices() as notices:
        run = EXPERIMENTS["bank"].run({"text": "The bank gave me a xylophone near the brook."})
    assert run.words[2:7] == ("gave", "me", "a", "<xylophone>", "near")
    assert_says(notices["text"], "2 words", "xylophone", "brook")
    assert set(notices.offers["text"]) <= {"xylophone", "brook"}


def test_a_word_with_two_senses_is_not_offered_for_another_word():
    with collect_notices() as notices:
        sentence = read_words("My crocus and my debit are at the bank near the brook.")
    assert [word for word in sentence.words if word in BANK.scenes] == ["bank"]
    assert not {word for words in notices.offers["text"].values() for word in words} & {*BANK.scenes}


def read_typed_sentences(experiment: str) -> list[tuple[str, str]]:
    """The sentences of sense_sentences.tsv, written before the models were trained, with their senses."""
    rows = [row.split("\t") for row in SENSE_SENTENCES.read_text().splitlines() if not row.startswith("#")]
    return [(text, sense) for name, text, sense in rows[1:] if name == experiment]


def test_the_typed_sentences_are_accepted_and_nearly_all_their_words_are_known():
    everyday, gaps = read_typed_sentences("bank"), read_typed_sentences("blank")
    assert len(everyday) == len(gaps) == 30
    read = [read_ambiguous(text)[0] for text, _ in everyday] + [read_blank(text)[0] for text, _ in gaps]
    words = [word for sentence in read for word in sentence.words]
    assert sum(word != UNKNOWN for word in words) >= 0.85 * len(words)
    for slug, sentences in (("bank", everyday), ("blank", gaps)):
        for text, _ in sentences:
            assert EXPERIMENTS[slug].views[-1](EXPERIMENTS[slug].run({"text": text}))


def test_the_model_finds_the_sense_that_a_reader_is_sure_of():
    both = [*CHECKPOINTS].index(TWO_SIDED)
    sure = [row for name in ("bank", "blank") for row in read_typed_sentences(name) if row[1]]
    found = []
    for text, sense in sure:
        slug = "blank" if BLANK in text else "bank"
        run = EXPERIMENTS[slug].run({"text": text} | ({} if slug == "blank" else {"t": BANK.max_words - 1}))
        chances = run.sense[both] if slug == "blank" else run.now[both]
        found.append(run.senses[int(chances.argmax())] == sense)
    assert len(found) > 50
    assert sum(found) >= 0.9 * len(found)


@pytest.mark.parametrize(
    ("text", "is_season"),
    [
        ("Flowers bloom in spring.", True),
        ("Spring is my favourite season.", True),
        ("We drank cold water from the spring.", False),
    ],
)
def test_the_season_is_said_to_be_no_sense_of_spring(text, is_season):
    with collect_notices() as notices:
        read_ambiguous(text)
    assert ("season" in notices.get("text", "").partition("are unknown")[0]) == is_season


def test_the_first_of_several_ambiguous_words_is_followed_and_it_is_said():
    with collect_notices() as notices:
        sentence, position = read_ambiguous("the bank beside the seal")
    assert sentence.words[position] == "bank"
    assert_says(notices["text"], "bank", "seal")


@pytest.mark.parametrize("gap", ["___", "_", "__________", "___."])
def test_any_run_of_underscores_is_the_blank(gap):
    sentence, position, place = read_blank(f"I arrived at the bank after crossing the {gap}")
    assert sentence.words[:9] == (*"i arrived at the bank after crossing the".split(), BLANK)
    assert (position, place) == (4, 8)


@pytest.mark.parametrize(
    ("read", "text", "facts"),
    [
        (read_ambiguous, "", ("English",)),
        (read_ambiguous, "你好", ("English",)),
        (read_ambiguous, "🦇", ("English",)),
        (read_ambiguous, "My brother lost his phone.", tuple(BANK.senses)),
        (read_ambiguous, "x" * 10_000, (10_000, "24 words")),
        (read_blank, "", ("___",)),
        (read_blank, "i arrived at the bank after crossing the river", ("___",)),
        (read_blank, "i arrived at the bank after ___ the ___", ("2 blanks", "one")),
        (read_blank, "the ___ beside the river", tuple(BANK.senses)),
        (read_blank, f"the bank {'the ' * BANK.max_words}___", ("blank", f"first {BANK.max_words} words")),
    ],
)
def test_what_cannot_be_read_gets_one_clear_sentence(read, text, facts):
    with pytest.raises(InputError) as error:
        read(text)
    assert_says(str(error.value), *facts)
    assert error.value.control == "text"


def test_a_long_text_is_read_from_its_beginning():
    with collect_notices() as notices:
        assert len(read_words("the bank " + "the " * 60).words) == BANK.max_words
    assert_says(notices["text"], BANK.max_words, 62)


def test_only_the_first_new_word_replaces():
    with collect_notices() as notices:
        run = EXPERIMENTS["mask"].run({"word": "lake house"})
    assert run.yours[run.t - 1] == "lake"
    assert_says(notices["word"], "first", 2)


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused_with_a_sentence(text):
    try:
        words = read_words(f"bank {text}").words
    except InputError:
        return
    assert set(words) <= set(BANK.vocabulary.words)
    assert 1 <= len(words) <= BANK.max_words
