"""Tokenizers of pretrained models: byte-level byte-pair encoding and chat templates."""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from jinja2.sandbox import ImmutableSandboxedEnvironment
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from models.dynamic_types import Json
from models.pretrained.download import PretrainedError
from models.vocabulary import InputError

VISIBLE_SPACES = str.maketrans({" ": "␣", "\n": "⏎", "\r": "␍", "\t": "⇥"})
Message = Mapping[str, str]  # keys: `role` (system, user or assistant) and `content`


class PieceTokenizer:
    """The tokenizer of a pretrained model: ids and strings of pieces, special pieces, chat template."""

    def __init__(self, tokenizer: Tokenizer, chat_template: str | None = None):
        self.tokenizer, self.chat_template = tokenizer, chat_template

    @classmethod
    def read(cls, path: Path, chat_template: str | None = None) -> "PieceTokenizer":
        """Read a tokenizer.json; only the byte-level kind is supported."""
        settings: Json = json.loads(path.read_text(encoding="utf-8"))
        decoder = (settings.get("decoder") or {}).get("type")
        if decoder != "ByteLevel":
            raise PretrainedError(f"The tokenizer does not fit: its decoder is {decoder}, not ByteLevel.")
        return cls(Tokenizer.from_file(str(path)), chat_template)

    def __len__(self) -> int:
        return self.tokenizer.get_vocab_size()

    def encode(self, text: str) -> list[int]:
        """The ids of a text. A special piece's name in the text, such as “<|im_end|>”, becomes that piece."""
        return self.tokenizer.encode(text.encode(errors="replace").decode(), add_special_tokens=False).ids

    def decode(self, ids: Sequence[int]) -> str:
        """The text of these pieces, including special pieces."""
        return self.tokenizer.decode(list(ids), skip_special_tokens=False)

    def bytes_of(self, id: int) -> bytes:
        """The bytes of a piece. They may be part of a character: “é” has two bytes, an emoji four."""
        name = self.tokenizer.id_to_token(id)
        if name is None:
            raise InputError(f"There is no piece number {id}. Use 0 to {len(self) - 1}.")
        return name.encode() if id in self.specials.values() else bytes(BYTES[c] for c in name)

    def piece(self, id: int) -> str:
        """A piece in printable form: ␣ for a space, ⏎ for a line break, ⟨E2 82⟩ for part of a character."""
        data = self.bytes_of(id)
        as_bytes = f"⟨{data.hex(' ').upper()}⟩"
        try:
            text = data.decode().translate(VISIBLE_SPACES)
        except UnicodeDecodeError:
            return as_bytes
        return text if text.isprintable() else as_bytes

    def pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        return tuple(map(self.piece, ids))

    @cached_property
    def specials(self) -> dict[str, int]:
        """Special pieces, such as the end of a text or of a chat turn: name → id."""
        return {token.content: id for id, token in self.tokenizer.get_added_tokens_decoder().items()}

    def chat(self, messages: Sequence[Message], is_answer_next: bool = True) -> str:
        """Format a chat for the model, by default ending with the start of the assistant's turn."""
        if self.chat_template is None:
            raise InputError("This model has no chat template: it was not trained on chats.")
        environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
        return environment.from_string(self.chat_template).render(
            messages=messages, add_generation_prompt=is_answer_next
        )


def byte_level_bpe(words: Sequence[str], merges: Sequence[str], specials: Sequence[str]) -> Tokenizer:
    """Build a byte-level tokenizer from its words and merges. Each digit is a separate piece."""
    vocabulary = {word: id for id, word in enumerate(words)}
    pairs = [(left, right) for left, right in (merge.split(" ") for merge in merges)]
    tokenizer = Tokenizer(models.BPE(vocabulary, pairs))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(list(specials))
    return tokenizer


def _byte_names() -> dict[str, int]:
    """Character → byte in byte-level vocabularies: printable bytes map to themselves, others start at 256."""
    printable = [
        *range(ord("!"), ord("~") + 1),
        *range(ord("¡"), ord("¬") + 1),
        *range(ord("®"), ord("ÿ") + 1),
    ]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(256 + n): byte for n, byte in enumerate(others)}


BYTES = _byte_names()
