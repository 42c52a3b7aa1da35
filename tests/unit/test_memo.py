"""Memoized functions share one budget in bytes; every other cache is bounded by its arguments or a number."""

import ast
import gc
import os
import platform
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from types import MappingProxyType

import numpy as np
import pytest
import torch
from matplotlib import pyplot
from matplotlib.figure import Figure

from lessons.kit import checkpoints, memo
from lessons.kit.memo import ByteLRU, deep_bytes, memoize
from lessons.kit.pictures.files import figure_file, poster
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.web.cache import CACHES
from tests.helpers import WITHOUT_COURSE

KB = 1024
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Run:
    states: torch.Tensor
    values: MappingProxyType


@dataclass(frozen=True, slots=True)
class Node:
    row: np.ndarray


@pytest.fixture
def budget(monkeypatch) -> ByteLRU:
    """Give the functions of one test their own small cache budget."""
    cache = ByteLRU(100 * KB, memo.call_bytes)
    monkeypatch.setattr(memo, "COMPUTED", cache)
    return cache


def about(expected: int) -> object:
    return pytest.approx(expected, abs=3 * KB)


# ---- the size of a value ----


def test_tensors_and_arrays_weigh_what_they_hold():
    numbers = torch.zeros(64 * KB)
    assert deep_bytes(numbers) == about(256 * KB)
    assert deep_bytes(np.zeros(64 * KB)) == about(512 * KB)
    assert deep_bytes(numbers.numpy()) == about(256 * KB)  # the array shares the tensor's memory
    assert deep_bytes(np.zeros((8, KB))[0]) == about(64 * KB)  # a row keeps the whole array alive


def test_shared_memory_is_counted_once():
    numbers = torch.zeros(4, 16 * KB)
    assert deep_bytes([numbers, numbers]) == about(256 * KB)
    assert deep_bytes(tuple(numbers.unbind())) == about(256 * KB)
    assert deep_bytes(Run(numbers, MappingProxyType({"s": numbers.mT}))) == about(256 * KB)


@pytest.mark.parametrize(
    "value",
    [
        "x" * 64 * KB,
        b"x" * 64 * KB,
        ["x" * 32 * KB, {"key": ("y" * 32 * KB,)}],
        frozenset(["x" * 64 * KB]),
        Run(torch.zeros(8 * KB), MappingProxyType({"h": torch.zeros(8 * KB)})),
        Node(np.zeros(8 * KB)),
        torch.nn.Linear(128, 128, bias=False),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_holds_64_kb_weighs_64_kb(value):
    assert deep_bytes(value) == about(64 * KB)


def test_a_trace_weighs_at_least_its_tensors():
    trace = checkpoints.original_run("translation-transformer-s0", checkpoints.read_source("she is old ."))
    held = {
        value.untyped_storage().data_ptr(): value.untyped_storage().nbytes()
        for value in trace.values.values()
    }
    assert sum(held.values()) < deep_bytes(trace) < 2 * sum(held.values()) + 100 * KB


# ---- functions ----


def test_a_call_is_computed_once(budget):
    made = []

    @memoize
    def sum_of(a: int, b: int = 0) -> int | None:
        """Return the sum, or None if it is 0."""
        made.append((a, b))
        return a + b or None

    assert [sum_of(1, 2), sum_of(1, 2), sum_of(1, b=2), sum_of(1, b=2)] == [3] * 4
    assert [sum_of(0), sum_of(0)] == [None, None]  # None is cached like any other result
    assert made == [(1, 2), (1, 2), (0, 0)]
    assert (sum_of.__name__, sum_of.__doc__) == ("sum_of", "Return the sum, or None if it is 0.")


def test_an_error_is_raised_again_and_not_kept(budget):
    made = []

    @memoize
    def refuse(n: int) -> None:
        made.append(n)
        raise ValueError(f"not {n}")

    for _ in range(2):
        with pytest.raises(ValueError, match="not 3"):
            refuse(3)
    assert (made, budget.size, budget.pending) == ([3, 3], 0, {})


def test_clearing_one_function_leaves_the_others(budget):
    @memoize
    def one(n: int) -> int:
        return n

    @memoize
    def other(n: int) -> int:
        return -n

    assert (one(1), other(1)) == (1, -1)
    one.cache_clear()
    assert [key[0] for key in budget.values] == [other.__wrapped__]
    other.cache_clear()
    assert (budget.size, budget.sizes) == (0, {})


def test_all_functions_share_one_budget_and_the_oldest_goes_first(budget):
    made = []

    @memoize
    def text(name: str) -> str:
        made.append(name)
        return name * 10 * KB

    @memoize
    def tensor(name: str) -> torch.Tensor:
        made.append(name)
        return torch.zeros(10 * KB // 4)

    for n in range(20):
        text("a")  # requested in every round, so it stays cached
        tensor(f"t{n}")
        assert budget.size <= budget.max_bytes
    assert made.count("a") == 1
    assert [key[1] for key in budget.values][-2:] == [("a",), ("t19",)]
    assert len(budget.values) == 9
    assert budget.size == sum(budget.entries().values())


def test_a_value_larger_than_the_budget_drives_out_nothing(budget):
    @memoize
    def text(size: int) -> str:
        return "x" * size

    text(KB)
    assert len(text(200 * KB)) == 200 * KB
    assert [key[1] for key in budget.values] == [(KB,)]


def test_threads_that_ask_together_wait_for_one_computation(budget):
    made, begun, go = [], Event(), Event()

    @memoize
    def slow(n: int) -> int:
        made.append(n)
        begun.set()
        go.wait(10)
        return n

    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(slow, 7)]
        begun.wait(10)
        asked += [pool.submit(slow, 7) for _ in range(7)]
        go.set()
        assert {each.result() for each in asked} == {7}
    assert made == [7]


def test_many_threads_keep_the_sum_right(budget):
    @memoize
    def text(n: int) -> str:
        return "x" * (n % 7) * KB

    with ThreadPoolExecutor(8) as pool:
        assert [len(found) for found in pool.map(text, [n % 60 for n in range(3000)])] == [
            n % 60 % 7 * KB for n in range(3000)
        ]
    assert budget.size == sum(budget.entries().values()) <= budget.max_bytes
    assert budget.values.keys() == budget.sizes.keys()


# ---- the whole course ----


def test_the_caches_of_a_worker_have_their_share():
    assert sum(cache.max_bytes for cache in CACHES.values()) <= 96 << 20


# functions with arguments and `@cache`, grouped by the small set that their arguments come from
UNBOUNDED = {
    "names of checkpoints, tasks, lessons, settings and files": (
        "readers.offset_fractions attention.read_metrics kit.load_card jobs.open_queue kit.pairs_of"
        " web.answer_class"
        " web.compressed_katex modern.variant real.recordings gradient.unscaled_radius"
        " training.generated_dataset"
        " training.count_training_pairs film.load_recording own.sample_text norms.untrained_spread"
        " norms.load_trainings"
        " models.load models.load_copying models.load_gallery pretrained._load models.load_film"
        " models.load_scoreboard models.load_rounding tune.held_out_texts"
        " question_bank.lesson_questions start.terms_in_folder kit.lesson_text kit.catalog kit.script_words"
    ),
    "words and sizes of the grammars, and of the test sets": (
        "models._batches models.held_out models.held_out_evenly models.held_out_prompts"
        " tasks.telling_words tasks.words_by_sense blank.telling_by_sense tasks.frames"
        " tasks.words_with_length tasks.write_filler tasks.draw_recalls"
        " tasks.cumulative_weights translation._weights translation._split tasks.stencil kit.known_uses"
        " kit.words_by_field kit.has_place_names"
    ),
}
# functions in this folder are only called with words of its lexicon
GRAMMAR = ROOT / "models" / "tasks" / "everyday"


def test_a_cache_without_a_bound_has_few_arguments():
    """Every `@cache` must belong to one of these groups; any other function must use `@memoize`."""
    found = set()
    for path in [*(ROOT / "lessons").rglob("*.py"), *(ROOT / "models").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_cached = isinstance(node, ast.FunctionDef) and "cache" in map(ast.unparse, node.decorator_list)
            if is_cached and ast.unparse(node.args) not in ("", "self") and GRAMMAR not in path.parents:
                found.add(f"{path.parent.name}.{node.name}")
    assert found == set(" ".join(UNBOUNDED.values()).split())


# ---- freed memory ----

FREED = """
import ctypes
from pathlib import Path
if {tuned}:
    import lessons.kit.malloc
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
libc.free.argtypes = [ctypes.c_void_p]

def filled(size):
    block = libc.malloc(size)
    ctypes.memset(block, 1, size)
    return block

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 >> 20

libc.free(filled(16 << 20))  # as the buffer of a large picture
before, blocks = resident(), []
for _ in range(50):
    blocks.append(filled(2 << 20))
    filled(64 << 10)  # stays
for block in blocks:
    libc.free(block)
print(resident() - before)
"""


def left_resident(tuned: bool) -> int:
    """Resident megabytes of a process that has freed 100 MB and still uses 3 MB."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_COURSE + FREED.format(tuned=tuned)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


@pytest.mark.skipif(sys.platform != "linux" or "glibc" not in platform.libc_ver(), reason="of glibc")
def test_large_blocks_that_are_freed_go_back_to_the_system():
    assert left_resident(tuned=True) < 30
    assert left_resident(tuned=False) > 60  # glibc's default; if this fails, the tuning is no longer needed


def test_torch_keeps_few_kernels_unless_the_owner_says_otherwise():
    told = "import os, lessons.kit.memo; print(os.environ['ONEDNN_PRIMITIVE_CACHE_CAPACITY'])"
    without = {name: value for name, value in os.environ.items() if name != "ONEDNN_PRIMITIVE_CACHE_CAPACITY"}
    for given, expected in (({}, "128"), ({"ONEDNN_PRIMITIVE_CACHE_CAPACITY": "7"}, "7")):
        run = subprocess.run(
            [sys.executable, "-c", WITHOUT_COURSE + told],
            cwd=ROOT,
            env=without | given,
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == expected


def test_a_cache_that_has_dropped_much_returns_free_memory(monkeypatch):
    trims = []
    monkeypatch.setattr(memo.malloc, "trim", lambda: trims.append(1))
    cache = ByteLRU(100 * KB)
    for n in range(5 * memo.TRIM_BYTES // (100 * KB)):
        cache.put((n,), "x" * 50 * KB)
    assert len(trims) == 2


def test_figures_of_exports_are_not_kept():
    def alive() -> int:
        gc.collect()
        return sum(type(thing) is Figure for thing in gc.get_objects())

    picture = Heatmap(np.eye(3), ("a", "b", "c"), ("d", "e", "f"), title="Three")
    before = alive()
    for _ in range(3):
        for kind in ("png", "pdf"):
            assert len(figure_file(picture, kind)) > 1000
        assert len(poster((1200, 630), "Why?", "Seq2See", picture)) > 1000
    assert alive() == before
    assert pyplot.get_fignums() == []


def test_no_error_is_kept_and_raised_again():
    """Errors must not be cached: a shared exception would keep the frames of every request that raised it."""
    shared = [
        f"{name}.{attribute}"
        for name, module in list(sys.modules.items())
        if name.startswith(("lessons", "models"))
        for attribute, value in vars(module).items()
        if isinstance(value, BaseException)
    ]
    assert not shared
