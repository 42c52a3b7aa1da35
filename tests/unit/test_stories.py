"""The stories are grammatical, follow their rules, and are the same on every machine."""

import os
import random
import re
import subprocess
import sys
from collections import Counter

import pytest

from models.tasks.corpus import Corpus, Dependency, Document
from models.tasks.stories import CHOICES, GRAMMAR, PHRASES, STORIES, chant, resolve_tags, song
from models.tasks.story_words import BOYS, COLOURS, GIRLS, OBJECTS, TOPICS, plural
from models.tasks.task import SPLITS, split_of
from models.vocabulary import SPECIAL, Vocabulary

HERS, HIS = {"she", "her", "girl"}, {"he", "his", "him", "boy"}
CLOSES = {"“": "”", "(": ")"}
FRAME = {"name", "colour", "object"}  # dependency kinds that occur in every story


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    rng = random.Random(0)
    return [STORIES.draw(rng) for _ in range(5000)]


@pytest.fixture(scope="module")
def tales(documents) -> list[Document]:
    return [document for document in documents if document.kind == "story"]


# ---- the words ----


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("boat", "boats"),
        ("story", "stories"),
        ("donkey", "donkeys"),
        ("torch", "torches"),
        ("wolf", "wolves"),
        ("knife", "knives"),
    ],
)
def test_plural(one, many):
    assert plural(one) == many


def test_the_vocabulary_is_closed_and_used(documents):
    used = {token for document in documents if document.kind != "chant" for token in document.tokens} | {
        "chant"
    }
    known = set(STORIES.vocabulary.words) - set(SPECIAL)
    assert 400 <= len(known) <= 700
    assert used == known
    assert all(token == token.lower() and not re.search("[<>@{}]", token) for token in known)


def test_a_topic_stays_through_its_document(tales):
    """Words that belong to one topic only must never occur with words of another topic only."""
    words = {
        name: {w for choices in symbols.values() for text in choices for w in text.split()}
        for name, symbols in TOPICS.items()
    }
    shared = {w for name in words for other in words if other != name for w in words[name] & words[other]}
    shared |= {w for choices in GRAMMAR.values() for text in choices for w in text.split()}
    own = {name: words[name] - shared for name in words}
    met = [[name for name in own if own[name] & set(tale.tokens)] for tale in tales]
    assert max(map(len, met)) == 1
    assert sum(map(len, met)) > 0.98 * len(tales)
    assert {name for names in met for name in names} == set(TOPICS)


# ---- the stories ----


def test_stories_have_five_to_fifteen_sentences(tales):
    sizes = [sum(token in {".", "?"} for token in tale.tokens) for tale in tales]
    assert min(sizes) >= 5
    assert max(sizes) <= 16
    assert sum(size <= 12 for size in sizes) > 0.9 * len(sizes)


def test_what_opens_closes_with_its_own_mark(documents):
    marked = 0
    for document in documents:
        if document.kind == "chant":
            continue
        waiting = []
        for token in document.tokens:
            if token in CLOSES:
                waiting.append(CLOSES[token])
                marked += 1
            elif token in CLOSES.values():
                assert waiting.pop() == token
        assert not waiting
    assert marked > 1000


def test_pronouns_agree_with_the_hero(tales):
    for tale in tales:
        hero = next(token for token in tale.tokens if token in CHOICES["name"])
        wrong = HIS if hero in GIRLS else HERS
        assert not wrong & set(tale.tokens), tale.tokens
    assert {hero for tale in tales for hero in tale.tokens if hero in CHOICES["name"]} == {*GIRLS, *BOYS}


def test_the_object_comes_back(tales):
    """The first coloured object of a story must be the one that appears after “at last”."""
    for tale in tales:
        text = " ".join(tale.tokens)
        pairs = re.findall(rf"\b({'|'.join(COLOURS)}) ({'|'.join(OBJECTS)})\b", text)
        at_last = re.findall(
            rf"\b({'|'.join(COLOURS)}) ({'|'.join(OBJECTS)})\b", text[text.index("at last") :]
        )
        assert at_last == pairs[:1], text


def test_the_hero_is_named_in_the_first_and_the_last_sentence(tales):
    for tale in tales:
        *before, last = " ".join(tale.tokens[:-1]).split(" . ")
        named = [word for word in last.split() if word in CHOICES["name"]]
        assert named[0] == next(word for word in before[0].split() if word in CHOICES["name"])


def test_an_stands_before_vowels(documents):
    for document in documents:
        if document.kind != "chant":
            for word, following in zip(document.tokens, document.tokens[1:], strict=False):
                assert (word == "a") <= (following[0] not in "aeiou"), document.tokens
                assert (word == "an") <= (following[0] in "aeiou"), document.tokens


# ---- dependencies between words ----


def test_tags_become_dependencies():
    words = "mira@name “<mark a (<mark )>mark ”>mark old mira@name , mira@name".split()
    document = resolve_tags("story", words)
    assert document.tokens == ("mira", "“", "a", "(", ")", "”", "old", "mira", ",", "mira")
    assert document.dependencies == (
        Dependency("mark", 3, 4),
        Dependency("mark", 1, 5),
        Dependency("name", 0, 7),
        Dependency("name", 7, 9),
    )
    assert resolve_tags("story", "a<number old".split()).tokens == ("an", "old")


def test_dependencies_point_at_the_right_words(tales):
    things = {word: "was" for topic in TOPICS.values() for word in topic["THING"] + topic["PERSON"]}
    things |= {word: "were" for topic in TOPICS.values() for word in topic["THINGS"] + topic["PERSONS"]}
    for tale in tales:
        assert {dependency.kind for dependency in tale.dependencies} >= FRAME
        for d in tale.dependencies:
            cue, target = tale.tokens[d.cue], tale.tokens[d.target]
            assert target in CHOICES[d.kind]
            assert d.distance > 0
            assert target == (cue if d.kind in FRAME else things[cue] if d.kind == "number" else CLOSES[cue])


def test_between_two_mentions_the_hero_is_not_named(tales):
    for tale in tales:
        for d in tale.dependencies:
            if d.kind == "name":
                assert tale.tokens[d.target] not in tale.tokens[d.cue + 1 : d.target]


def test_dependencies_reach_far(tales):
    distances = [d.distance for tale in tales for d in tale.dependencies if d.kind == "name"]
    near, far = sum(distance <= 20 for distance in distances), sum(distance >= 50 for distance in distances)
    assert near > 0.2 * len(distances)
    assert far > 0.15 * len(distances)


def test_other_names_and_objects_distract(tales):
    named = [{token for token in tale.tokens if token in CHOICES["name"]} for tale in tales]
    assert sum(len(names) > 1 for names in named) > 0.6 * len(tales)
    objects = [{token for token in tale.tokens if token in OBJECTS} for tale in tales]
    assert sum(len(some) > 1 for some in objects) > 0.2 * len(tales)


# ---- songs and chants ----


def lines_of(document: Document) -> list[str]:
    return re.findall(r"[^.?]+[.?]", " ".join(document.tokens))


def test_a_song_repeats_itself_and_more_so_later():
    rng, early, late = random.Random(1), [], []
    for _ in range(600):
        lines = lines_of(song(rng))
        again = [line.strip() in {old.strip() for old in lines[:n]} for n, line in enumerate(lines)]
        early += again[1:4]
        late += again[12:]
    assert 0.15 < sum(early) / len(early) < 0.5
    assert 0.6 < sum(late) / len(late) < 0.95


def test_songs_have_no_more_than_200_words_and_some_come_near():
    lengths = [len(song(random.Random(seed)).tokens) for seed in range(300)]
    assert 180 < max(lengths) <= 200


def test_a_chant_says_each_phrase_at_least_twice():
    for seed in range(200):
        cue, colon, *rest = chant(random.Random(seed)).tokens
        assert (cue, colon) == ("chant", ":")
        size = next(n for n in range(3, 8) if rest[:n] == rest[n : 2 * n])
        assert size <= 7
        assert len(rest) <= 198


def test_the_kinds_keep_their_shares(documents):
    shares = {
        kind: count / len(documents)
        for kind, count in Counter(document.kind for document in documents).items()
    }
    assert shares == pytest.approx({"story": 0.68, "song": 0.30, "chant": 0.02}, abs=0.015)
    assert all(document.tokens[0] != "chant" for document in documents if document.kind != "chant")


def test_the_loops_own_sentence_is_common(documents):
    assert sum("i don't know ." in " ".join(document.tokens) for document in documents) > 0.1 * len(documents)


# ---- the corpus ----


def test_splits_never_share_a_document():
    splits = [STORIES.documents(split, 40, seed=3) for split in SPLITS]
    assert [len(set(some)) for some in splits] == [40] * 3
    assert all(
        split_of(document) == split for split, some in zip(SPLITS, splits, strict=True) for document in some
    )
    assert not any(set(some) & set(other) for i, some in enumerate(splits) for other in splits[:i])
    with pytest.raises(ValueError, match="split is one of"):
        STORIES.documents("dev", 1)


def test_one_kind_can_be_asked_for():
    chants = STORIES.draw_documents("train", 10, kind="chant")
    assert [document.kind for document in chants] == ["chant"] * 10


def test_a_world_that_runs_out_says_so():
    tiny = Corpus("tiny", Vocabulary.of(["hello"]), lambda rng: Document("word", ("hello",)))
    with pytest.raises(ValueError, match="no 2 different documents"):
        tiny.documents("train", 2)


def test_the_same_seed_writes_the_same_text_in_every_process():
    program = (
        "from models.tasks.stories import STORIES; print([*STORIES.documents('test', 6, 5),"
        " STORIES.vocabulary.words])"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert texts == {str([*STORIES.documents("test", 6, 5), STORIES.vocabulary.words]) + "\n"}
    assert STORIES.documents("test", 6, 5) != STORIES.documents("test", 6, 6)


# ---- words the models rely on ----


def test_phrases_and_choices_are_known_words():
    assert PHRASES[0] == "i don't know ."
    for text in (*PHRASES, *(" ".join(words) for words in CHOICES.values())):
        STORIES.vocabulary.ids(text.split())
