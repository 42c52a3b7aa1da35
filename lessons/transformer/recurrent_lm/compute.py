"""A GRU with attention over its own past: where it looks, and what it remembers at a growing distance."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import (
    STORIES,
    Tokens,
    Words,
    load_card,
    load_model,
    most_probable,
    original_run,
    read_shown_story,
    story_words,
)
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.transformer.lm.compute import OPENING_MARKS, find_cue
from lessons.transformer.recurrent_lm.stories import GAPS, inserted_words, insertion_point
from models.batches import pad_rows
from models.language_model import AttentionLanguageModel, LanguageModelTrace
from models.tasks.story_recall import QUESTIONS, draw_recalls
from models.tasks.story_words import GIRLS
from models.trace import Edits, Tap
from models.vocabulary import Vocabulary

PLAIN, ATTENTIVE, TRANSFORMER = "GRU", "GRU with attention", "Transformer"
UNIFORM, SHORT_TRANSFORMER = "GRU with uniform weights", "Transformer, fewer steps"
MODELS = {PLAIN: "stories-gru-1", ATTENTIVE: "stories-gru-attention", TRANSFORMER: "stories-transformer"}
MEASURED_MODELS = {  # name → checkpoints or cards, one per seed
    PLAIN: ("stories-gru-1", "stories-gru-1-s1", "stories-gru-1-s2"),
    ATTENTIVE: ("stories-gru-attention", "stories-gru-attention-s1", "stories-gru-attention-s2"),
    UNIFORM: ("stories-gru-uniform",),
    TRANSFORMER: ("stories-transformer",),
    SHORT_TRANSFORMER: ("stories-transformer-short",),
}
INTERVENTIONS = ("no change", "uniform weights", "all on the chosen word", "none on the chosen word")
KEEP, EVEN, ONLY, WITHOUT = INTERVENTIONS
MIN_KIND_SHARE = 0.5  # probability of all words of a kind from which this kind is expected
FIRST_STATES = 2  # h_0, and the state after <bos>; they belong to no word of the text
NEXT_WORDS = 5  # number of next words shown
LOOKS_COUNTED, LOOKS_DISTANCE = 100, 40  # measured beginnings, and the distance of the mention in them


@dataclass(frozen=True)
class Measured:
    """P of the right word among the words of its kind, by distance, over seeds."""

    distances: np.ndarray  # (n,) words since the only mention
    probabilities: np.ndarray  # (seeds, n)


@dataclass(frozen=True)
class Training:
    """How a model was trained, and its perplexity on unseen texts."""

    parameters: int
    steps: int
    rate: float
    perplexity: np.ndarray  # (seeds,)


@dataclass(frozen=True)
class Looks:
    """Where the largest weight was, in texts that mention a word once."""

    texts: int
    distance: int  # words since the mention
    at: tuple[tuple[str, int], ...]  # the words with the largest weight and how often, most frequent first
    on_mention: int  # how often it was the mention itself


@dataclass(frozen=True)
class LookBack(Result):
    """One text in three models. The original run, and one with the chosen change of the last weights."""

    _tokens: Tokens
    gap: int
    do: str
    chosen: int  # the chosen word, 0-based
    words: Words  # (T) with the inserted ones
    inserted: tuple[int, int]  # begin and end of the inserted words
    can_insert: bool
    kind: str | None  # the kind of word that is expected, if it is one that depends on an earlier word
    due: str  # the right word; without a kind, the likeliest word of the GRU with attention
    cue: int | None  # the word that tells, 0-based
    row: np.ndarray  # (T,) weights of the last step; NaN for the last word, whose state is the query
    own_row: np.ndarray  # (T,) the same in the original run
    on_start: float  # weight on the states before the first word, in the original run
    chances: dict[str, np.ndarray]  # model → (gaps,) P of the right word with 0, 10, … inserted words
    chance: tuple[float, float]  # P of the right word: original, edited
    next_words: Words  # (5)
    next_probabilities: np.ndarray  # (2, 5) original, edited

    def limits(self) -> dict[str, int]:
        return {"word": len(self.words) - 1}

    def idle(self) -> dict[str, str]:
        idle = {}
        if not self.can_insert:
            idle["gap"] = "There is no sentence before the last one, so nothing can be inserted."
        if self.do in (KEEP, EVEN):
            idle["word"] = "No weight is moved to or from a single word."
        return idle

    @property
    def back(self) -> int | None:
        """Distance in words from the word that tells."""
        return None if self.cue is None else len(self.words) - self.cue

    @property
    def strongest(self) -> int | None:
        """The word with the largest weight in the original run; None if it is on the states before."""
        best = int(np.nanargmax(self.own_row)) if len(self.words) > 1 else None
        return None if best is None or self.own_row[best] < self.on_start else best

    @property
    def counted(self) -> str:
        """The kind of word whose measurements are shown; "name" if no kind is expected."""
        return self.kind or "name"

    @cached_property
    def by_state(self) -> np.ndarray:
        """(T,) P of the right word if all weight is on the state after a word; NaN for the last word."""
        model, h = load_model(MODELS[ATTENTIVE]), original_trace(self._tokens).h[-1]
        due = STORIES.vocabulary.ids([self.due])[0]
        P = probabilities_by_state(model, h)[1:, due]  # without h_0
        return np.append(P[FIRST_STATES - 1 :].numpy(), np.nan)

    @cached_property
    def measured(self) -> dict[str, Measured]:
        return {name: read_measured(models, self.counted) for name, models in MEASURED_MODELS.items()}

    @property
    def clearly_above(self) -> int:
        """At how many distances every seed with attention is above every seed without."""
        return int(compare_seeds(self.counted).sum())

    @cached_property
    def training(self) -> dict[str, Training]:
        return {name: read_training(models) for name, models in MEASURED_MODELS.items()}

    @cached_property
    def looks(self) -> Looks:
        return count_looks(self.counted)

    @cached_property
    def guessing(self) -> float:
        """P of the right word if all words of its kind are equally likely."""
        return 1 / len(QUESTIONS[self.counted].choices)


def compute(text: str, gap: int, do: str, word: int) -> LookBack:
    typed, (_, *shown) = read_shown_story(text)
    kind, due, cue = find_due(typed, tuple(shown))
    place = insertion_point(tuple(shown))
    gap = gap if place else 0
    tokens, words = insert(typed, place, gap, kind), insert_words(tuple(shown), place, gap, kind)
    cue = cue + gap if cue is not None and cue >= place else cue
    original = original_trace(tokens)
    chosen = choose_word(word, cue, last_weights(original))
    edited = edited_trace(tokens, do, chosen)
    due_id = STORIES.vocabulary.ids([due])[0]
    P, Q = original.probabilities[-1], edited.probabilities[-1]
    best = most_probable(P, Q, shown=NEXT_WORDS)
    own = original.values["weights"][-1]
    return LookBack(
        _tokens=tokens,
        gap=gap,
        do=do,
        chosen=chosen,
        words=words,
        inserted=(place, place + gap),
        can_insert=place > 0,
        kind=kind,
        due=due,
        cue=cue,
        row=last_weights(edited),
        own_row=last_weights(original),
        on_start=float(own[:FIRST_STATES].sum()),
        chances={
            name: distributions_by_gap(model, typed, place, kind)[:, due_id].numpy()
            for name, model in MODELS.items()
        },
        chance=(float(P[due_id]), float(Q[due_id])),
        next_words=story_words(best),
        next_probabilities=torch.stack([P, Q])[:, best].numpy(),
    )


# ---- the text ----


def insert_words(words: Words, place: int, gap: int, kind: str | None) -> Words:
    return (*words[:place], *inserted_words(gap, kind), *words[place:])


def insert(tokens: Tokens, place: int, gap: int, kind: str | None) -> Tokens:
    return (*tokens[:place], *STORIES.vocabulary.ids(inserted_words(gap, kind)), *tokens[place:])


def choose_word(word: int, cue: int | None, weights: np.ndarray) -> int:
    """The position of the chosen word: 0 stands for the word that tells or, if none does, the strongest.

    The last word cannot be chosen: its state is the query.
    """
    last = len(weights) - 2
    if word:
        return max(0, min(word - 1, last))
    if cue is not None and cue <= last:
        return cue
    return int(weights[:-1].argmax()) if last >= 0 else 0


def find_due(tokens: Tokens, words: Words) -> tuple[str | None, str, int | None]:
    """The kind of word expected after a text, the right word, and the position of the word that tells.

    In these stories the first name is the hero's, and the first colour and thing are those of the lost thing.
    """
    P = original_trace(tokens).probabilities[-1]
    for kind, question in QUESTIONS.items():
        if float(P[STORIES.vocabulary.ids(question.choices)].sum()) >= MIN_KIND_SHARE:
            found = find_mention(kind, words)
            if found is not None:
                return kind, *found
    due = story_words([int(P.argmax())])[0]
    return None, due, next(iter(find_cue(due, words)[-1:]), None)


def find_mention(kind: str, words: Words) -> tuple[str, int] | None:
    """The right word of this kind, and the position of the word that tells."""
    if kind == "mark":
        closing = {opening: mark for mark, opening in OPENING_MARKS.items()}
        opened: list[int] = []
        for i, word in enumerate(words):
            if word in closing:
                opened.append(i)
            elif opened and word == closing[words[opened[-1]]]:
                opened.pop()
        return (closing[words[opened[-1]]], opened[-1]) if opened else None
    if kind == "pronoun":
        first = find_first(words, PRONOUNS)
        return None if first is None else (PRONOUNS[words[first]], first)
    first = find_first(words, QUESTIONS[kind].choices)
    return None if first is None else (words[first], first)


PRONOUNS = {  # a word that tells → the pronoun of the hero
    **dict.fromkeys(("she", "her", "girl"), "she"),
    **dict.fromkeys(("he", "his", "him", "boy"), "he"),
    **{name: "she" if name in GIRLS else "he" for name in QUESTIONS["name"].choices},
}


def find_first(words: Words, wanted: Iterable[str]) -> int | None:
    searched = frozenset(wanted)
    return next((i for i, word in enumerate(words) if word in searched), None)


# ---- runs ----


def original_trace(tokens: Tokens) -> LanguageModelTrace:
    return original_run(MODELS[ATTENTIVE], tokens)


def last_weights(trace: LanguageModelTrace) -> np.ndarray:
    """(T,) weights of the last step on the states after each word; NaN for the last word, the query."""
    weights = trace.values["weights"][-1, FIRST_STATES:].numpy()
    return np.append(weights, np.nan)


@memoize
def edited_trace(tokens: Tokens, do: str, word: int) -> LanguageModelTrace:
    """The run with the weights of the last step changed; `word` is 0-based."""
    edits = weight_edits(do, word)
    with torch.inference_mode():
        return load_model(MODELS[ATTENTIVE]).run(tokens, edits) if edits else original_trace(tokens)


def weight_edits(do: str, word: int) -> Edits:
    """Edits that even out the weights of the last step, or move them to or away from one word."""
    column = word + FIRST_STATES

    def even_out(weights: Tensor, step: int) -> Tensor:
        weights[-1] = 1 / weights.shape[-1]
        return weights

    def look_only_there(weights: Tensor, step: int) -> Tensor:
        weights[-1] = torch.arange(weights.shape[-1]) == column
        return weights

    def look_away(scores: Tensor, step: int) -> Tensor:
        scores[-1, column] = -torch.inf
        return scores

    if do == WITHOUT:
        return {"scores": look_away}
    return {} if do == KEEP else {"weights": even_out if do == EVEN else look_only_there}


@memoize
def distributions_by_gap(model: str, tokens: Tokens, place: int, kind: str | None) -> Tensor:
    """(gaps, V) P of the next word with 0, 10, 20, … inserted words."""
    rows = [[Vocabulary.bos, *insert(tokens, place, gap if place else 0, kind)] for gap in GAPS]
    last = [len(row) - 1 for row in rows]
    with torch.inference_mode():
        logits = load_model(model)(pad_rows(rows, Vocabulary.pad))  # padding comes after the last word
        return logits[torch.arange(len(rows)), last].softmax(-1)


def probabilities_by_state(model: AttentionLanguageModel, h: Tensor) -> Tensor:
    """P of the next word (T, V) after h (T, m) if all weight of the last step is on h_0, …, h_{T-1}."""
    with torch.inference_mode():
        earlier = torch.cat([torch.zeros_like(h[:1]), h[:-1]])  # (T, m)
        return model.out(torch.cat([earlier, h[-1:].expand_as(earlier)], -1)).softmax(-1)


# ---- measurements ----


def read_measured(models: Iterable[str], kind: str) -> Measured:
    seeds = [load_card(model).metrics["recall"][kind] for model in models]
    return Measured(
        np.array([row["distance"] for row in seeds[0]]),
        np.array([[row["probability"] for row in rows] for rows in seeds]),
    )


def compare_seeds(kind: str) -> np.ndarray:
    """(n,) for each distance: whether P of every seed with attention is above every seed without."""
    plain, attentive = (
        read_measured(MEASURED_MODELS[name], kind).probabilities for name in (PLAIN, ATTENTIVE)
    )
    return attentive.min(0) > plain.max(0)


def read_training(models: Iterable[str]) -> Training:
    cards = [load_card(model) for model in models]
    return Training(
        cards[0].parameters,
        cards[0].recipe["steps"],
        cards[0].recipe["lr"],
        np.array([card.metrics["natural"]["perplexity"] for card in cards]),
    )


@memoize
def count_looks(kind: str) -> Looks:
    """Count the words that get the largest weight when a word mentioned once is due."""
    recalls = draw_recalls(kind, LOOKS_DISTANCE, LOOKS_COUNTED)
    model, words = load_model(MODELS[ATTENTIVE]), Counter[str]()
    texts = [[Vocabulary.bos, *STORIES.vocabulary.ids(recall.tokens)] for recall in recalls]
    tap, rows = Tap(), torch.arange(len(texts))
    with torch.inference_mode():
        h, _ = model.rnn(model.embed(pad_rows(texts, Vocabulary.pad)), model.rnn.initial_state(len(texts)))
        model.predict(h, tap)
    weights = tap.value("weights")[rows, [len(text) - 1 for text in texts]]  # (texts, columns)
    on_mention = 0
    for recall, best in zip(recalls, weights.argmax(-1).tolist(), strict=True):
        words[("h₀", "<bos>", *recall.tokens)[best]] += 1
        on_mention += best - FIRST_STATES == len(recall.tokens) - recall.distance
    return Looks(len(texts), LOOKS_DISTANCE, tuple(words.most_common(8)), on_mention)
