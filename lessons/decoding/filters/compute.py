"""Every stage from a model's logits to the sampled word."""

from dataclasses import dataclass

import numpy as np
import torch

from lessons.decoding.story_models import ONE_WORD_LEFT, SHOWN_WORDS, likeliest, next_logits, read_words
from lessons.kit.checkpoints import STORIES, Tokens, Words, story_words
from lessons.kit.contract import Result
from lessons.kit.notices import add_notice, name_vocabulary
from lessons.kit.typed_passage import tokenize
from lessons.kit.typed_text import list_words
from models import decoding
from models.decoding import Settings, Stage

MAX_EDITED_WORDS = 4  # maximum number of banned or boosted words shown in addition to the likeliest words


@dataclass(frozen=True)
class Filtered(Result):
    words: Words  # words shown: the likeliest after ban, boost and penalty, then the removed ones
    touched: tuple[int, ...]  # indices of shown words that were banned, boosted or penalised
    logits: np.ndarray  # (shown,) unedited logits of the model
    names: Words  # names of the stages, models.decoding.STAGES
    probabilities: np.ndarray  # (stages, shown)
    removed: np.ndarray  # (stages, shown) bool
    entropy: np.ndarray  # (stages,) bits
    live: tuple[int, ...]  # number of words left in each stage
    mass: np.ndarray  # (stages,) probability mass left: below 1 right after a filter removes words
    drawn: str
    drawn_at: int  # index of the sampled word among the shown words
    drawn_probability: float
    plain: str  # the word that the same random number selects without filters
    die: float  # the random number used for sampling
    seed: int
    vocabulary: int
    settings: Settings
    _history: Tokens

    def stage(self, name: str) -> int:
        return self.names.index(name)

    def idle(self) -> dict[str, str]:
        reasons = {} if self.settings.boost else {"by": "No word is boosted yet."}
        if not self._history:
            reasons["penalty"] = "The text has no words yet that could be penalised."
        if self.live[self.stage("tempered")] == 1:
            reasons["k"] = reasons["p"] = "At temperature 0 only one word is left."
        elif self.live[self.stage("top-k")] == 1:
            reasons["p"] = "Top-k has left one word."
        if self.live[-1] == 1:
            reasons["seed"] = ONE_WORD_LEFT
        return reasons


def read_word_list(text: str, control: str) -> Tokens:
    """Parse the words to ban or boost, without duplicates. Unknown words are left out."""
    known = STORIES.vocabulary
    name_vocabulary(control, STORIES.name)
    words = list(dict.fromkeys(tokenize(text, known.index)))
    if unknown := [word for word in words if word not in known]:
        add_notice(control, f"Left out, because the model cannot write it: {list_words(unknown)}.")
    return tuple(known.ids(word for word in words if word in known))


def compute(
    model: str,
    text: str,
    temperature: float,
    k: int,
    p: float,
    penalty: float,
    ban: str,
    boost: str,
    by: float,
    seed: int,
) -> Filtered:
    """Compute all stages. The logits depend only on the model and the text."""
    history = read_words(text)
    banned, boosted = read_word_list(ban, "ban"), read_word_list(boost, "boost")
    settings = Settings(temperature, k, p, penalty, 0, banned, tuple((word, by) for word in boosted))
    logits = next_logits(model, history)  # (V,)
    stages = decoding.stages(logits, settings, history)
    by_name = {stage.name: stage for stage in stages}
    u = decoding.uniforms(seed, 1)[None]  # (1, 1)
    drawn, plain = (
        int(decoding.sample_ids(by_name[name].probabilities[None], u)) for name in ("renormalised", "logits")
    )
    shown = choose_shown(by_name, (*banned, *boosted), drawn)
    penalised = history if penalty != 1 else ()
    edited = {*banned, *(boosted if by else ()), *penalised}
    return Filtered(
        words=story_words(shown),
        touched=tuple(place for place, word in enumerate(shown) if word in edited),
        logits=by_name["logits"].logits[shown].numpy(),
        names=tuple(by_name),
        probabilities=torch.stack([stage.probabilities[shown] for stage in stages]).numpy(),
        removed=torch.stack([stage.removed[shown] for stage in stages]).numpy(),
        entropy=np.array([decoding.entropy(stage.probabilities).item() for stage in stages]),
        live=tuple(int((~stage.removed).sum()) for stage in stages),
        mass=np.array([stage.probabilities.sum().item() for stage in stages]),
        drawn=story_words([drawn])[0],
        drawn_at=shown.index(drawn),
        drawn_probability=by_name["renormalised"].probabilities[drawn].item(),
        plain=story_words([plain])[0],
        die=u.item(),
        seed=seed,
        vocabulary=len(logits),
        settings=settings,
        _history=history,
    )


def choose_shown(stages: dict[str, Stage], edited: Tokens, drawn: int) -> list[int]:
    """Choose the words to show, ordered by penalised logit, so that removed words come last."""
    logits = stages["penalised"].logits  # (V,)
    model_favourites = likeliest(stages["logits"].probabilities, SHOWN_WORDS // 2)
    shown = {*likeliest(logits), *model_favourites, *edited[:MAX_EDITED_WORDS], drawn}
    order = logits.sort(descending=True, stable=True).indices.tolist()
    return [word for word in order if word in shown]
