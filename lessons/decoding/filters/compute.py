"""Every stage from a model's logits to the word drawn."""

from dataclasses import dataclass

import numpy as np
import torch

from lessons.decoding.story_models import ONE_WORD_LEFT, SHOWN_WORDS, likeliest, next_logits, read_words
from lessons.kit.checkpoints import Tokens, Words, story_words
from lessons.kit.contract import InputError, Result
from models import decoding
from models.decoding import Settings, Stage

MAX_EDITED_WORDS = 4  # banned or boosted words shown beyond the likeliest


@dataclass(frozen=True)
class Filtered(Result):
    words: Words  # shown: the likeliest after ban, boost and penalty, then those that were removed
    touched: tuple[int, ...]  # places of shown words that were banned, boosted or penalised
    logits: np.ndarray  # (shown,) of the model itself
    names: Words  # of the stages, models.decoding.STAGES
    probabilities: np.ndarray  # (stages, shown)
    removed: np.ndarray  # (stages, shown) bool
    entropy: np.ndarray  # (stages,) bits
    live: tuple[int, ...]  # words left, in each stage
    mass: np.ndarray  # (stages,) probability left: less than 1 right after a cut
    drawn: str
    drawn_at: int  # its place among the shown words
    drawn_probability: float
    plain: str  # the word drawn without filters, with the same random number
    die: float  # the random number
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
            reasons["k"] = reasons["p"] = "Temperature 0 has left one word."
        elif self.live[self.stage("top-k")] == 1:
            reasons["p"] = "Top-k has left one word."
        if self.live[-1] == 1:
            reasons["seed"] = ONE_WORD_LEFT
        return reasons


def read_word_list(text: str, control: str) -> Tokens:
    """Words to ban or boost, each once; an error names the control."""
    try:
        return tuple(dict.fromkeys(read_words(text, control)))
    except InputError as error:
        raise InputError(f"{control.capitalize()}: {error}", control) from None


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
    """The logits depend only on the model and the text; all stages are computed from them."""
    history = read_words(text)
    banned, boosted = read_word_list(ban, "ban"), read_word_list(boost, "boost")
    settings = Settings(temperature, k, p, penalty, 0, banned, tuple((word, by) for word in boosted))
    logits = next_logits(model, history)  # (V,)
    stages = decoding.stages(logits, settings, history)
    by_name = {stage.name: stage for stage in stages}
    u = decoding.uniforms(seed, 1)[None]  # (1, 1)
    drawn, plain = (
        int(decoding.draw(by_name[name].probabilities[None], u)) for name in ("renormalised", "logits")
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
    """The words to show, by penalised logit: then the words that a cut keeps come before those it removes."""
    logits = stages["penalised"].logits  # (V,)
    model_favourites = likeliest(stages["logits"].probabilities, SHOWN_WORDS // 2)
    shown = {*likeliest(logits), *model_favourites, *edited[:MAX_EDITED_WORDS], drawn}
    order = logits.sort(descending=True, stable=True).indices.tolist()
    return [word for word in order if word in shown]
