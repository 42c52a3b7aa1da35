"""Edits that switch off one part of the Transformer during a run."""

from collections import Counter, defaultdict
from functools import cache

import torch
from torch import Tensor

from lessons.transformer.translator import ATTENTION_PATHS, TRANSLATOR, load_transformer, original_trace
from models.batches import pair_batch
from models.trace import Edit, Tap
from models.vocabulary import Vocabulary

PARTS = (
    "nothing",
    "one head",
    "all heads of a layer",
    "encoder positions",
    "decoder positions",
    "residual",
    "norm",
    "all norms",
    "causal mask",
)
PARTS_OF_A_LAYER = ("one head", "all heads of a layer", "residual", "norm")
PARTS_WITH_OUTPUT = ("one head", "all heads of a layer", "encoder positions", "decoder positions", "residual")
REPLACEMENTS = ("zero", "mean")  # zero ablation, mean ablation
MEAN_SENTENCES = 200  # number of held-out sentences over which means are computed


def fill_zeros(value: Tensor, step: int) -> Tensor:
    return torch.zeros_like(value)


def fill_ones(value: Tensor, step: int) -> Tensor:
    return torch.ones_like(value)


def replace_output(path: str, by: str, head: int | None = None) -> Edit:
    """An edit that replaces a quantity, or one head of it, by zeros or by its mean."""

    def edit(value: Tensor, step: int) -> Tensor:  # (..., T, d) or (..., heads, T, d_head)
        replacement = (mean_outputs()[path] if by == "mean" else torch.zeros(())).expand_as(value).clone()
        if head is None:
            return replacement
        value[..., head - 1, :, :] = replacement[..., head - 1, :, :]
        return value

    return edit


@cache
@torch.no_grad()
def mean_outputs() -> dict[str, Tensor]:
    """Mean of each replaceable quantity, or head, over all positions of held-out sentences."""
    by_lengths = defaultdict(list)  # grouped by source and target length, so that no batch is padded
    for pair in TRANSLATOR.task.pairs("validation", MEAN_SENTENCES, lengths=range(4, 17)):
        by_lengths[len(pair.source), len(pair.target)].append(pair)
    totals: dict[str, Tensor] = {}
    positions: Counter[str] = Counter()
    for pairs in by_lengths.values():
        tap = Tap()
        load_transformer()(*pair_batch(pairs, TRANSLATOR.task).inputs, tap)
        for path in tap.quantities:
            if path.endswith((".heads", ".positions", ".residual1", ".residual2")):
                value = tap.last(path)
                if value.dim() == 2:  # positional encodings are the same for all sentences
                    value = value.expand(len(pairs), *value.shape[-2:])
                totals[path] = totals.get(path, torch.zeros(())) + value.sum(-2, keepdim=True).sum(0)
                positions[path] += len(pairs) * value.shape[-2]
    return {path: total / positions[path] for path, total in totals.items()}  # (1, d) or (heads, 1, d_head)


def disable_norms(*paths: str) -> dict[str, Edit]:
    """Edits that set mean to 0 and std to 1, so that a norm does not change the scale of its input."""
    return {
        f"{path}.{name}": edit for path in paths for name, edit in (("mean", fill_zeros), ("std", fill_ones))
    }


def ablation_edits(part: str, kind: str, layer: int, head: int, by: str = "zero") -> dict[str, Edit]:
    """Edits for a run with one part off. Residual and norm are the ones around the chosen attention."""
    attention_path = ATTENTION_PATHS[kind].format(layer=layer)
    layer_path, n = attention_path.rpartition(".")[0], 2 if kind == "cross" else 1
    output_paths = {
        "one head": f"{attention_path}.heads",
        "all heads of a layer": f"{attention_path}.heads",
        "encoder positions": "encoder.positions",
        "decoder positions": "decoder.positions",
        "residual": f"{layer_path}.residual{n}",
    }
    if part in output_paths:
        path = output_paths[part]
        return {path: replace_output(path, by, head if part == "one head" else None)}
    all_paths = original_trace((Vocabulary.eos,)).values  # the paths are the same for any source
    norm_paths = [path.removesuffix(".std") for path in all_paths if path.endswith(".std")]
    layers = range(1, load_transformer().config.layers + 1)
    edits: dict[str, dict[str, Edit]] = {
        "nothing": {},
        "norm": disable_norms(f"{layer_path}.norm{n}"),
        "all norms": disable_norms(*norm_paths),
        "causal mask": {f"decoder.layer{number}.self.mask": fill_ones for number in layers},
    }
    return edits[part]
