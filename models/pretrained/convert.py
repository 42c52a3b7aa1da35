"""Convert weights and settings of Llama, GPT-2 and GGUF files to the names of models/modern.py."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from safetensors import safe_open
from torch import Tensor

from models.dynamic_types import Json, Setting
from models.modern import CausalLM, CausalLMConfig
from models.pretrained.download import PretrainedError
from models.pretrained.tokenizer import PieceTokenizer, byte_level_bpe

if TYPE_CHECKING:
    from gguf import GGUFReader

Weights = dict[str, Tensor]
Parts = tuple[CausalLMConfig, Weights, PieceTokenizer]
LAYER = re.compile(r"(?:layers|h|blk)\.(\d+)\.(.+)")
CONTROL_TOKEN = 3  # the type of special tokens in a GGUF file

LLAMA = {
    "embed_tokens.weight": "E",
    "norm.weight": "norm.γ",
    "lm_head.weight": "out.W",
    "input_layernorm.weight": "norm1.γ",
    "post_attention_layernorm.weight": "norm2.γ",
    **{f"self_attn.{part}_proj.weight": f"attention.{part}.W" for part in "qkvo"},
    **{f"mlp.{part}_proj.weight": f"fc.{part}.W" for part in ("gate", "up", "down")},
}
GGUF_LLAMA = {
    "token_embd.weight": "E",
    "output_norm.weight": "norm.γ",
    "output.weight": "out.W",
    "attn_norm.weight": "norm1.γ",
    "ffn_norm.weight": "norm2.γ",
    **{f"attn_{part}.weight": f"attention.{part}.W" for part in "qkv"},
    "attn_output.weight": "attention.o.W",
    **{f"ffn_{part}.weight": f"fc.{part}.W" for part in ("gate", "up", "down")},
}
GPT2 = {
    "wte.weight": "E",
    "wpe.weight": "P",
    **{
        f"{theirs}.{kind}": f"{ours}.{letter}"
        for theirs, ours in (("ln_1", "norm1"), ("ln_2", "norm2"), ("ln_f", "norm"))
        for kind, letter in (("weight", "γ"), ("bias", "β"))
    },
    **{
        f"{theirs}.{kind}": f"{ours}.{letter}"
        for theirs, ours in (("attn.c_proj", "attention.o"), ("mlp.c_fc", "fc.up"), ("mlp.c_proj", "fc.down"))
        for kind, letter in (("weight", "W"), ("bias", "b"))
    },
}


def from_folder(folder: Path) -> Parts:
    """Read a model in the hub's format: config.json, model.safetensors, tokenizer.json."""
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        if not (folder / name).exists():
            raise PretrainedError(f"The model does not fit: it has no {name}.")
    settings = _read_json(folder / "config.json")
    kind = settings.get("model_type")
    if kind not in ("llama", "gpt2"):
        raise PretrainedError(
            f"The model does not fit: its kind is {kind!r}, and only llama and gpt2 are known."
        )
    try:
        config = llama_config(settings) if kind == "llama" else gpt2_config(settings)
    except KeyError as missing:
        raise PretrainedError(f"The model does not fit: its config.json has no {missing}.") from None
    except ValueError as error:
        raise PretrainedError(f"The model does not fit: {error}.") from None
    with safe_open(folder / "model.safetensors", "pt") as file:
        # `file` is not a dict
        tensors = ((name, file.get_tensor(name)) for name in file.keys())  # noqa: SIM118
        weights = dict(llama_weights(tensors, LLAMA) if kind == "llama" else gpt2_weights(tensors))
    extra = folder / "tokenizer_config.json"
    template = _read_json(extra).get("chat_template") if extra.exists() else None
    return config, select_weights(config, weights), PieceTokenizer.read(folder / "tokenizer.json", template)


def from_gguf(path: Path) -> Parts:
    """Read a Llama model and its tokenizer from a GGUF file, dequantising the weights."""
    from gguf import GGUFReader  # slow to import, and needed only here
    from gguf.quants import dequantize

    reader = GGUFReader(path)
    pre = _gguf(reader, "tokenizer.ggml.pre")
    if _gguf(reader, "general.architecture") != "llama" or pre != "smollm":
        raise PretrainedError(
            f"{path.name} does not fit: only Llama models with SmolLM's tokenizer are known."
        )
    # unquantised weights are read-only views of the file, which torch cannot use: copy them
    numbers = (
        (t.name, np.require(dequantize(t.data, t.tensor_type), requirements="W")) for t in reader.tensors
    )
    tensors = ((name, torch.from_numpy(array)) for name, array in numbers)
    weights = dict(llama_weights(tensors, GGUF_LLAMA))
    words: list[str] = _gguf(reader, "tokenizer.ggml.tokens")
    config = CausalLMConfig(
        words=len(words),
        d=_gguf(reader, "llama.embedding_length"),
        heads=_gguf(reader, "llama.attention.head_count"),
        kv_heads=_gguf(reader, "llama.attention.head_count_kv"),
        layers=_gguf(reader, "llama.block_count"),
        d_fc=_gguf(reader, "llama.feed_forward_length"),
        max_length=_gguf(reader, "llama.context_length"),
        eps=_gguf(reader, "llama.attention.layer_norm_rms_epsilon"),
        pairing="neighbours",
        base=_gguf(reader, "llama.rope.freq_base"),
        tied="out.W" not in weights,
        bos=_gguf(reader, "tokenizer.ggml.bos_token_id"),
        eos=_gguf(reader, "tokenizer.ggml.eos_token_id"),
    )
    types = zip(words, _gguf(reader, "tokenizer.ggml.token_type"), strict=True)
    specials = [word for word, kind in types if kind == CONTROL_TOKEN]
    tokenizer = byte_level_bpe(words, _gguf(reader, "tokenizer.ggml.merges"), specials)
    template = _gguf(reader, "tokenizer.chat_template")
    return config, select_weights(config, weights), PieceTokenizer(tokenizer, template)


def llama_config(settings: Json) -> CausalLMConfig:
    """The configuration of a Llama model from its config.json; raises if a setting is not supported."""
    d, heads = settings["hidden_size"], settings["num_attention_heads"]
    rope = settings.get("rope_parameters") or settings.get("rope_scaling") or {}
    _demand(settings, "hidden_act", "silu")
    _demand(settings, "attention_bias", False)
    _demand(settings, "mlp_bias", False)
    _demand(settings, "head_dim", d // heads)
    _demand({"rope_type": rope.get("rope_type", rope.get("type"))}, "rope_type", "default")
    return CausalLMConfig(
        words=settings["vocab_size"],
        d=d,
        heads=heads,
        kv_heads=settings.get("num_key_value_heads") or heads,
        layers=settings["num_hidden_layers"],
        d_fc=settings["intermediate_size"],
        max_length=settings["max_position_embeddings"],
        eps=settings["rms_norm_eps"],
        base=float(settings.get("rope_theta") or rope.get("rope_theta", 10_000)),
        tied=settings.get("tie_word_embeddings", False),
        bos=_first(settings.get("bos_token_id")),
        eos=_first(settings.get("eos_token_id")),
    )


def gpt2_config(settings: Json) -> CausalLMConfig:
    """The configuration of a GPT-2 model from its config.json; raises if a setting is not supported."""
    _demand(settings, "activation_function", "gelu_new")
    _demand(settings, "scale_attn_by_inverse_layer_idx", False)
    _demand(settings, "tie_word_embeddings", True)
    return CausalLMConfig(
        words=settings["vocab_size"],
        d=settings["n_embd"],
        heads=settings["n_head"],
        kv_heads=settings["n_head"],
        layers=settings["n_layer"],
        d_fc=settings.get("n_inner") or 4 * settings["n_embd"],
        max_length=settings["n_positions"],
        norm="layer",
        eps=settings["layer_norm_epsilon"],
        positions="learned",
        activation="gelu",
        gated=False,
        bias=True,
        bos=_first(settings.get("bos_token_id")),
        eos=_first(settings.get("eos_token_id")),
    )


def llama_weights(
    tensors: Iterable[tuple[str, Tensor]], names: dict[str, str]
) -> Iterator[tuple[str, Tensor]]:
    """Llama's weights under our names. Llama's matrices are (out, in), ours (in, out)."""
    for name, tensor in tensors:
        ours = _our_name(name.removeprefix("model."), names)
        if ours:
            yield ours, tensor.T if ours.endswith(".W") else tensor


def gpt2_weights(tensors: Iterable[tuple[str, Tensor]]) -> Iterator[tuple[str, Tensor]]:
    """GPT-2's weights under our names. GPT-2 stores queries, keys and values in one matrix."""
    for name, tensor in tensors:
        name = name.removeprefix("transformer.")
        if fused := re.fullmatch(r"h\.(\d+)\.attn\.c_attn\.(weight|bias)", name):
            letter = "W" if fused[2] == "weight" else "b"
            for part, third in zip("qkv", tensor.chunk(3, dim=-1), strict=True):
                yield f"layers.{fused[1]}.attention.{part}.{letter}", third
        elif ours := _our_name(name, GPT2):
            yield ours, tensor


def select_weights(config: CausalLMConfig, weights: Weights) -> Weights:
    """The weights that this configuration needs, in single precision; raises if one is missing."""
    with torch.device("meta"):
        needed = CausalLM(config).state_dict()
    for name, tensor in needed.items():
        if name not in weights or weights[name].shape != tensor.shape:
            shape, expected = (
                tuple(weights[name].shape) if name in weights else "missing",
                tuple(tensor.shape),
            )
            raise PretrainedError(f"The weights do not fit: {name} should be {expected} and is {shape}.")
    return {name: weights[name].float().contiguous() for name in needed}


def _our_name(name: str, names: dict[str, str]) -> str | None:
    """Our name for a weight, or None for unused tensors, such as masks and angles."""
    if layer := LAYER.fullmatch(name):
        return f"layers.{layer[1]}.{names[layer[2]]}" if layer[2] in names else None
    return names.get(name)


def _demand(settings: Json, key: str, value: Setting) -> None:
    """Raise unless the setting is missing or has this value."""
    if settings.get(key) not in (None, value):
        given = f"{key} = {settings[key]!r}"
        raise PretrainedError(f"The model does not fit: it has {given}, and only {value!r} is known here.")


def _first(ids: int | list[int] | None) -> int:
    """The first of one or several token ids; 0 if there is none."""
    return ids[0] if isinstance(ids, list) else ids or 0


def _gguf(reader: "GGUFReader", key: str) -> Setting:
    field = reader.get_field(key)
    if field is None:
        raise PretrainedError(f"The GGUF file has no {key}.")
    return field.contents()


def _read_json(path: Path) -> Json:
    return json.loads(path.read_text(encoding="utf-8"))
