"""Sentences of task `everyday` have known words, valid links and correct French; it has the course pairs."""

import random
import re
from collections import Counter
from itertools import pairwise

import pytest

from models.tasks import TASKS
from models.tasks.everyday import EVERYDAY
from models.tasks.everyday.__main__ import main
from models.tasks.everyday.unknown import IN_FULL, content_words, hide_words, one_to_one
from models.tasks.everyday.vocabulary import UNKNOWN
from models.tasks.task import Pair, split_of
from models.tasks.translation import TRANSLATION
from models.tasks.translation.lexicon import english_words, french_words
from models.vocabulary import InputError
from tests.says import assert_says

DRAWS = 4000
VOWEL = "[aeiouyàâéèêîôûœ]"
ALWAYS_WRONG = [  # French that must never appear in a sentence
    r"\b(de|à) (le|les) (?!\w+(er|ir|re|oir)\b)(?!l')",
    r"\bsi ils?\b",
    rf"(?<![-\w])(je|le|la|de|que|ne|me|se|ce) (?!onze|huit|yaourt|oui|haut|héros|hamburger){VOWEL}",
    r"\bde des\b",
    r"\bde du\b",
    r"\b(a|ai|ont|avons|avez) pas (?!parlé|joué|profité)\w+(é|u|is) (un|une|du|des) ",
    r"\bpas (pas|jamais|rien)\b",
    r"\bne (ne\b|n')",
    r"\b(je|j') (a|va|est|sont|ont|avez|êtes)\b",
    r"^(et |mais )?nous (a|ai|ont|avez|est|sont|suis)\b",
    r"\bils? (ai|avons|avez|suis|sommes|êtes)\b",
    r"(?<![\w'])(un|une|la|les|ce|cette) (un|une|le|les|ce|cette)\b",
    r"\b(ma|sa) [aeiouéèêîôœ]",
    r"\bl' [bcdfgjklmnpqrstvwxz]",
    r"  ",
]


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    rng = random.Random("everyday test")
    return [EVERYDAY.draw(rng, EVERYDAY.lengths) for _ in range(DRAWS)]


def test_every_word_is_in_the_vocabulary(pairs):
    for pair in pairs:
        assert EVERYDAY.source.ids(pair.source)
        assert EVERYDAY.target.ids(pair.target)


def test_links_are_in_range_and_every_content_word_has_one(pairs):
    content, unlinked = content_words(), Counter()
    for pair in pairs:
        assert all(t < len(pair.target) and i < len(pair.source) for t, i in pair.alignment)
        linked = {i for _, i in pair.alignment}
        unlinked.update(
            word for i, word in enumerate(pair.source) if i not in linked and content.get(word) == 1.0
        )
    assert not unlinked, unlinked


@pytest.mark.parametrize("pattern", ALWAYS_WRONG)
def test_no_french_that_is_always_wrong(pairs, pattern):
    wrong = [" ".join(pair.target) for pair in pairs if re.search(pattern, " ".join(pair.target))]
    assert not wrong, wrong[:3]


def test_ne_stands_with_its_other_half(pairs):
    """ne or n' always comes with pas, jamais, rien, plus or personne, and pas never occurs without ne."""
    for pair in pairs:
        text = " ".join(pair.target)
        if re.search(r"\b(ne|n')(?=\s)", text):
            assert re.search(r"\b(pas|jamais|rien|plus|personne)\b", text), text
        if re.search(r"\bpas\b", text):
            assert re.search(r"\b(ne|n')(?=\s)", text), text


def test_sentences_end_once_and_questions_ask(pairs):
    for pair in pairs:
        assert pair.source[-1] == pair.target[-1]
        assert pair.source[-1] in ".?!"
        assert not {".", "?", "!"} & set(pair.source[:-1])


def test_the_same_seed_draws_the_same_pairs():
    one, two = (EVERYDAY.draw(random.Random(7), EVERYDAY.lengths) for _ in range(2))
    assert one == two


def test_one_english_sentence_has_one_french(pairs):
    """Each English sentence has one translation, so that models need not guess (at most two exceptions)."""
    french: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for pair in pairs:
        french.setdefault(pair.source, set()).add(pair.target)
    several = {source for source, targets in french.items() if len(targets) > 1}
    assert len(several) <= 2, several


def test_the_grammar_of_the_small_world_is_included():
    """Every sentence of the small world can be drawn, unless the everyday grammar translates it otherwise."""
    rng, lengths = random.Random("small world"), range(3, 9)
    small = {pair.source: pair.target for pair in (TRANSLATION.draw(rng, lengths) for _ in range(DRAWS))}
    every = {pair.source: pair.target for pair in (EVERYDAY.draw(rng, lengths) for _ in range(DRAWS))}
    shared = small.keys() & every.keys()
    assert len(shared) > 20
    assert all(small[source] == every[source] for source in shared)


@pytest.mark.parametrize("length", [3, 5, 8, 12, 17, 21, 25, 30, 40])
def test_every_length_can_be_drawn(length):
    rng = random.Random(length)
    assert all(len(EVERYDAY.draw(rng, range(length, length + 1)).source) == length for _ in range(3))


def test_clauses_of_a_short_sentence_are_not_joined_by_a_comma_and_and(pairs):
    """Short sentences rarely join clauses with “, and”; only long ones that tell about a day do."""
    share = sum(" , and " in " ".join(pair.source) for pair in pairs if len(pair.source) < 13) / len(pairs)
    assert share < 0.005


def test_natural_lengths(pairs):
    lengths = [len(pair.source) for pair in pairs]
    assert 7.5 <= sum(lengths) / len(lengths) <= 10.5
    assert sum(12 <= n <= 20 for n in lengths) >= 0.1 * len(lengths)


# ---- the task ----


def test_sizes():
    assert 2000 <= len(EVERYDAY.source) <= 2700
    assert 2700 <= len(EVERYDAY.target) <= 3600


def test_all_words_of_the_small_world_are_known():
    assert english_words() <= set(EVERYDAY.source.words)
    assert french_words() <= set(EVERYDAY.target.words)


def test_the_lessons_sentences_are_the_same():
    assert TASKS["everyday"] is EVERYDAY
    assert EVERYDAY.course == TRANSLATION.course
    for pair in EVERYDAY.course:
        assert EVERYDAY.read(" ".join(pair.source)) == pair.source
        assert EVERYDAY.target.ids(pair.target)


@pytest.mark.parametrize(
    "words",
    [
        "with a pie",
        "kicked the bucket",
        "ran out of",
        "a piece of cake",
        "cats and dogs",
        "after crossing the river",
    ],
)
def test_the_lessons_patterns_are_drawn(pairs, words):
    """Each pattern that a lesson needs occurs at least once per 2,000 sentences."""
    assert sum(words in " ".join(pair.source) for pair in pairs) * 2000 >= DRAWS


def test_splits_do_not_share_sentences():
    splits = {split: {pair.source for pair in EVERYDAY.pairs(split, 60)} for split in ("validation", "test")}
    assert not splits["validation"] & splits["test"]
    assert all(split_of(source) == split for split, sources in splits.items() for source in sources)


def test_typed_text():
    assert EVERYDAY.read("It's raining!") == ("it", "is", "raining", "!")
    with pytest.raises(InputError):
        EVERYDAY.read("word " * 50)


# ---- commands ----


def run(monkeypatch, capsys, *arguments: str) -> str:
    monkeypatch.setattr("sys.argv", ["everyday", *arguments])
    main()
    return capsys.readouterr().out


def test_draw_prints_one_pair_per_line(monkeypatch, capsys):
    lines = run(monkeypatch, capsys, "draw", "7", "--seed", "3").splitlines()
    assert [line.count(" ||| ") for line in lines] == [1] * 7
    assert lines == run(monkeypatch, capsys, "draw", "7", "--seed", "3").splitlines()


def test_coverage_lists_unknown_words(monkeypatch, capsys, tmp_path):
    typed = tmp_path / "typed.txt"
    typed.write_text("I don't like quokkas.\n\nMy dog sees a quokka.\n", encoding="utf-8")
    assert_says(run(monkeypatch, capsys, "coverage", str(typed)), 2, 12, 10 / 12, "quokkas", "quokka")


# ---- unknown words ----


def test_hidden_words_are_linked_on_both_sides(pairs):
    rng = random.Random(0)
    hidden = [(pair, hide_words(pair, rng, 1.0)) for pair in pairs]
    changed = [(before, after) for before, after in hidden if before != after]
    assert len(changed) > 0.7 * len(pairs)
    for before, after in changed:
        source = [i for i, word in enumerate(after.source) if word == UNKNOWN]
        target = [t for t, word in enumerate(after.target) if word == UNKNOWN]
        assert 1 <= len(source) == len(target) <= 2
        assert sorted(i for t, i in one_to_one(after) if t in target) == source
        assert all(before.source[i] in content_words() for i in source)
        assert after.alignment == before.alignment


def test_training_hides_words_and_testing_does_not():
    train, test = EVERYDAY.pairs("train", 500), EVERYDAY.pairs("test", 50)
    share = [sum(UNKNOWN in pair.source for pair in pairs) / len(pairs) for pairs in (train, test)]
    assert 0.15 < share[0] < 0.35
    assert share[1] == 0


@pytest.mark.slow
def test_every_form_is_really_drawn():
    """At least 98% of the forms in both vocabularies appear in 120,000 sentences."""
    rng, source, target = random.Random("every form"), set(), set()
    for _ in range(120_000):
        pair = EVERYDAY.draw(rng, EVERYDAY.lengths)
        source.update(pair.source)
        target.update(pair.target)
    for vocabulary, found in ((EVERYDAY.source, source), (EVERYDAY.target, target)):
        missing = set(vocabulary.words[3:]) - found - {UNKNOWN}
        assert len(missing) < 0.02 * len(vocabulary), sorted(missing)


def test_words_before_hidden_words_are_written_in_full(pairs):
    """Elision depends on the hidden word, which the model cannot know; `de l'` stays as it is."""
    rng = random.Random(1)
    before = Counter()
    for pair in pairs:
        target = hide_words(pair, rng, 1.0).target
        before.update(a for a, word in pairwise(target) if word == UNKNOWN)
        assert not re.search(rf"(?<!de )(?<!à )\bl' {UNKNOWN}", " ".join(target)), target
        assert not re.search(rf"\b(de|à) le {UNKNOWN}", " ".join(target)), target
    assert {"de", "le", "la"} <= before.keys()
    assert not before.keys() & IN_FULL.keys()
