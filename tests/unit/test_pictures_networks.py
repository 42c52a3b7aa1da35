"""The unrolled network and the search tree are complete, nothing overlaps, and any input can be drawn."""

import io
import math
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.kit.pictures.base import FONT_PX, SMALL_FONT_PX, text_width
from lessons.kit.pictures.sketch import Label
from lessons.kit.pictures.tree import ROOMY, Branch, Tree, place_in_order
from lessons.kit.pictures.unrolled import FAINT_OPACITY, MIN_DRAWN_WEIGHT, Chain, Stroke, Unrolled, pool_units

AWKWARD = (
    "<script>alert(1)</script>",
    "]]>",
    "\"quoted\" & 'so'",
    "🙂👩‍🚀",
    "שלום",
    "$x_1$",
    "",
    " ",
    "a" * 300,
)
SOURCE = tuple("the agreement on the European Economic Area was signed in August 1992 . <eos>".split())
TARGET = tuple("l' accord sur la zone économique européenne a été signé en août 1992 .".split())


def states(steps: int, units: int, seed: int = 0) -> np.ndarray:
    return np.tanh(2 * np.random.default_rng(seed).normal(size=(steps, units)))


def attention(source=SOURCE, target=TARGET, units=64, **more) -> Unrolled:
    weights = np.random.default_rng(1).dirichlet(np.full(len(source), 0.5))
    below = Chain("encoder reads", source, states(len(source), units), key="source", first=0)
    above = Chain("decoder writes", target, states(len(target), units, 1), "target", key="target", first=0)
    return Unrolled(
        (below, above), title="Attention", **({"weights": weights, "current": len(target) // 3} | more)
    )


def one(words=SOURCE, units=4, **more) -> Unrolled:
    seen = {
        name: more.pop(name)
        for name in ("start", "inputs", "outputs", "fed_back", "used", "role")
        if name in more
    }
    return Unrolled((Chain("hidden state", words, states(len(words), units), **seen),), title="One", **more)


def parsed(picture) -> ElementTree.Element:
    return ElementTree.fromstring(picture.svg())


def boxes(picture) -> list[tuple[float, float, float, float, str]]:
    """Left, top, right, bottom and text of every label."""
    found = []

    def walk(node, anchor, size):
        anchor, size = node.get("text-anchor", anchor), float(node.get("font-size", size))
        if node.tag == "text":
            wide = text_width(node.text or "", size) + sum(
                text_width(part.text, float(part.get("font-size"))) for part in node
            )
            left = float(node.get("x")) - wide * {"start": 0, "middle": 0.5, "end": 1}[anchor]
            base = float(node.get("y"))
            found.append(
                (left, base - 0.76 * size, left + wide, base + 0.24 * size, "".join(node.itertext()))
            )
        for child in node:
            walk(child, anchor, size)

    walk(parsed(picture), "start", FONT_PX)
    return [box for box in found if box[4]]


def check_labels(picture) -> None:
    labels, canvas = boxes(picture), picture.draw()
    for left, top, right, bottom, words in labels:
        assert left >= 0, words
        assert top >= 0, words
        assert right <= canvas.width, words
        assert bottom <= canvas.height, words
    for a, b in combinations(labels, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (a, b)


def tipped(picture, start: str) -> list[ElementTree.Element]:
    return [node for node in parsed(picture).iter() if node.get("data-tip", "").startswith(start)]


# ---- unrolled ----


def test_awkward_words_stay_words():
    picture = attention(AWKWARD, AWKWARD, 8, context=states(1, 8)[0])
    assert not {"script"} & {node.tag for node in parsed(picture).iter()}
    assert any(box[4].startswith("<script>") for box in boxes(picture))
    assert any(box[4] == "␣" for box in boxes(picture))
    ElementTree.fromstring(picture.svg(standalone=True))
    check_labels(picture)


word = st.sampled_from(
    ("a", "the", "agreement", "Economic", "européenne", "<eos>", "WWWWWWWWWWWWWWW", "文字", ".", " ", "")
)
sentence = st.lists(word, min_size=1, max_size=40).map(tuple)


@given(sentence, sentence, st.integers(1, 128), st.booleans(), st.data())
@settings(max_examples=40, deadline=None)
def test_labels_of_two_chains_never_touch(source, target, units, context, data):
    more = {"context": states(1, units)[0]} if context else {}
    tall = data.draw(st.sampled_from((None, 200, 300)))
    check_labels(
        attention(
            source, target, units, current=data.draw(st.integers(0, len(target) - 1)), tall=tall, **more
        )
    )


@given(sentence, st.integers(1, 6), st.booleans(), st.booleans(), st.booleans())
@settings(max_examples=40, deadline=None)
def test_labels_of_one_chain_never_touch(words, units, named, fed_back, numeric):
    more = {"inputs": states(len(words), 2)} if numeric else {}
    arrows = ("W_hh", "W_xh") if named else None
    check_labels(
        one(
            words, units, start=np.zeros(units), outputs=words[::-1], fed_back=fed_back, arrows=arrows, **more
        )
    )


@pytest.mark.parametrize("words", [SOURCE[:1], SOURCE[:5], SOURCE])
def test_up_to_fourteen_tokens_fit(words):
    assert (
        one(words, start=np.zeros(4), arrows=("W_hh", "W_xh"), inputs=states(len(words), 3)).draw().width
        <= 860
    )
    assert attention(words, context=states(1, 64)[0]).draw().width <= 860


@pytest.mark.parametrize("tall", [200, 240, 300])
def test_fifteen_and_fourteen_steps_fit_a_low_room(tall):
    picture = attention((*SOURCE, "again"), context=states(1, 64)[0], wide=920, tall=tall)
    canvas = picture.draw()
    assert picture.fits(canvas.width, canvas.height)
    assert canvas.height > 0.8 * tall, "and use it"
    check_labels(picture)
    assert min(label.size for label in picture.sketch().marks if isinstance(label, Label)) >= SMALL_FONT_PX


def test_who_reads_both_ways_has_arrows_both_ways():
    def along(both_ways):
        chain = Chain("encoder reads", SOURCE[:5], states(5, 4), both_ways=both_ways)
        picture = Unrolled((chain,), title="")
        level = [stroke.points for stroke in picture.sketch().marks if isinstance(stroke, Stroke)]
        check_labels(picture)
        ways = [points[1][0] > points[0][0] for points in level if points[0][1] == points[1][1]]
        return ways.count(True), ways.count(False), " ".join(box[4] for box in boxes(picture))

    assert along(False)[:2] == (4, 0)
    right, left, words = along(True)
    assert (right, left) == (4, 4)
    assert words.endswith("encoder reads both ways")


def test_forty_tokens_keep_their_distance():
    picture = attention(SOURCE * 3, TARGET * 3)
    strips = sorted(float(node.get("x")) for node in tipped(picture, "h"))
    assert len(strips) == 42
    assert min(np.diff(strips)) >= 40


def test_the_picture_stays_small():
    assert len(attention().svg().encode()) <= 16_500
    assert len(attention(SOURCE[:1] * 40, TARGET[:1] * 40, 128).svg().encode()) <= 42_000
    assert len(one(arrows=("W_hh", "W_xh"), start=np.zeros(4)).svg().encode()) <= 12_000


@pytest.mark.parametrize("units", [1, 2, 7, 8, 9, 128])
def test_a_strip_says_what_it_shows(units):
    picture = one(("on",), units)
    (strip,) = tipped(picture, "h₁ after “on”")
    numbers = strip.get("data-tip").partition(": ")[2].partition(" (")[0].split()
    shown = pool_units(picture.chains[0].vectors, 8)[0]
    assert [float(number.replace("−", "-")) for number in numbers] == pytest.approx(shown, abs=0.0051)
    assert (f"means of {units}" in strip.get("data-tip")) == (units > 8)
    assert (f"{units} numbers," in {box[4] for box in boxes(picture)}) == (units > 8)
    assert (f"stands for {units} numbers" in parsed(picture).get("aria-label")) == (units > 8)
    assert strip.get("data-at") == "step:1"


def test_many_units_are_averaged_in_groups():
    assert pool_units(np.arange(20.0)[None], 8).tolist() == [[1, 4, 7, 10, 12.5, 14.5, 16.5, 18.5]]


def test_tones_follow_the_fixed_scale():
    def tones(values, top):
        chain = Chain("", ("a",), np.array([values]))
        cells = (
            node
            for node in parsed(Unrolled((chain,), title="", top=top)).iter("path")
            if set(node.keys()) == {"d", "stroke-opacity"}
        )
        return [float(node.get("stroke-opacity")) for node in cells]

    assert tones([0.5, -1.0, 0.0], 1.0) == [0.5, 1.0]
    assert tones([0.5, -1.0, 0.0], 2.0) == [0.25, 0.5]
    assert tones([9.0, -np.inf], 2.0) == [1.0, 1.0]


def test_no_number_is_hatched():
    values = states(3, 4)
    values[1] = np.nan
    picture = Unrolled(
        (Chain("", ("a", "b", "c"), values),),
        title="",
        context=values[1],
        weights=np.array([0.5, np.nan, 0.5]),
    )
    (hatch,) = (node for node in parsed(picture).iter() if node.get("class") == "masked")
    assert hatch.get("d").count("M") == 4
    assert "nan" not in picture.svg()
    two = replace(
        attention(SOURCE[:3], TARGET[:3]), weights=np.array([0.5, np.nan, 0.5]), context=np.full(8, np.nan)
    )
    assert len(tipped(two, "α")) == 2


@pytest.mark.parametrize(
    "picture",
    [
        Unrolled((), title=""),
        Unrolled((Chain("", (), np.zeros((0, 4))),), title=""),
        Unrolled((Chain("", (), np.array([]), start=np.array([])),), title="", current=0),
        Unrolled((Chain("", ("a",), np.zeros((1, 0))),), title=""),
        attention((), (), 4, weights=np.array([]), context=np.array([]), current=None),
        attention(("a",), ("b",), 1, current=7),
        Tree((), title=""),
        Tree((Branch(0, None, "", math.nan),), title=""),
    ],
)
def test_little_or_nothing_is_no_trouble(picture):
    parsed(picture)
    picture.frame()
    picture.figure()


def test_curves_are_as_wide_as_the_weights():
    picture = attention()
    unseen = picture.weights < MIN_DRAWN_WEIGHT
    assert unseen.any()
    hair = next(node.get("d") for node in parsed(picture).iter("path") if node.get("stroke-width") == ".75")
    assert hair.count("M") == unseen.sum()  # one hairline per weight that rounds to 0.00
    picture = attention(weights=np.where(unseen, MIN_DRAWN_WEIGHT, picture.weights))
    curves = tipped(picture, "α")
    for look in ("stroke-width", "stroke-opacity"):
        sizes = np.array([float(curve.get(look)) for curve in curves])
        assert (np.diff(sizes[np.argsort(picture.weights)]) >= 0).all()
        assert sizes[picture.weights.argmax()] > 2 * sizes[picture.weights.argmin()]
    assert [curve.get("data-at") for curve in curves] == [f"source:{i}" for i in range(len(SOURCE))]
    assert f"{picture.weights[6]:.2f} for “Area”" in curves[6].get("data-tip")


def test_time_is_marked_in_the_chain_that_writes():
    picture = attention(current=4)
    writes, reads = tipped(picture, "s"), tipped(picture, "h")
    assert [strip.get("opacity") for strip in writes] == [None] * 5 + [str(FAINT_OPACITY).lstrip("0")] * 9
    assert [t for t, strip in enumerate(writes) if strip.get("stroke-width")] == [4]
    assert not any(strip.get("opacity") or strip.get("stroke-width") for strip in reads)


def test_layers_share_time_and_words():
    words = SOURCE[:6]
    lower, upper = (
        Chain("lower", words, states(6, 8)),
        Chain("upper", (), states(6, 8, 1), outputs=TARGET[:6]),
    )
    picture = Unrolled((lower, upper), title="", upward=True, current=2)
    faint = [strip.get("data-at") for strip in parsed(picture).iter("rect") if strip.get("opacity")]
    assert faint == ["step:4", "step:5", "step:6"] * 2
    upright = [
        mark
        for mark in picture.sketch().marks
        if isinstance(mark, Stroke) and mark.points[0][0] == mark.points[-1][0]
    ]
    assert len(upright) == 3 * 6  # from the words, between layers, and to the outputs
    labels = {box[4]: box[1] for box in boxes(picture)}
    assert all(
        labels[written] < labels["upper"] < labels["lower"] < labels[read]
        for written, read in zip(TARGET[:6], words, strict=True)
    )
    check_labels(picture)


def test_states_that_are_not_used_are_faint():
    strips = tipped(one(SOURCE[:5], used=frozenset({4})), "h")
    assert [strip.get("opacity") is None for strip in strips] == [False] * 4 + [True]


def test_the_same_weights_at_every_step():
    names = [node.get("data-at") for node in parsed(one(SOURCE[:5], arrows=("W_hh", "W_xh"))).iter("text")]
    assert (names.count("weight:W_hh"), names.count("weight:W_xh")) == (4, 5)
    names = [
        node.get("data-at")
        for node in parsed(one(SOURCE[:5], arrows=("W_hh", "W_xh"), start=np.zeros(4))).iter("text")
    ]
    assert (names.count("weight:W_hh"), names.count("weight:W_xh")) == (5, 5)


def test_one_context_stands_between_the_last_state_and_the_first():
    picture = attention(weights=None, context=states(1, 8)[0])
    marked = [node.get("d") for node in parsed(picture).iter("path") if node.get("stroke-width") == "2.5"]
    (context,) = tipped(picture, "Context")
    middle, last, first = (
        float(context.get("x")) + 10,
        *(float(tipped(picture, name)[0].get("x")) + 10 for name in ("h₁₄", "s₁ ")),
    )
    assert first < middle < last
    assert {path.split()[0] for path in "".join(marked).replace("M", "\nM").split("\n") if path} == {
        f"M{middle:g}",
        f"M{last:g}",
    }
    every = attention(weights=None, context=states(1, 8)[0], every=True)
    groups = (group for group in parsed(every).iter("g") if group.get("stroke") == "var(--context)")
    drawn = "".join(node.get("d") for group in groups for node in group.iter("path"))
    assert drawn.count(f"M{middle:g}") == len(TARGET)


@pytest.mark.parametrize("written", [{"outputs": TARGET[:5]}, {"role": "target"}])
def test_what_was_written_is_read_next(written):
    dashed = [
        node
        for node in parsed(one(SOURCE[:5], fed_back=True, **written)).iter("g")
        if node.get("stroke-dasharray")
    ]
    assert sum(path.get("d").count("M") for group in dashed for path in group) == 4


def test_frame_holds_every_number():
    picture = replace(attention(SOURCE, TARGET, 5), context=np.arange(5.0))
    frame = picture.frame()
    assert list(frame.columns) == ["chain", "quantity", "step", "word", "output", "unit", "value"]
    kept = frame[(frame.quantity == "state") & (frame.chain == "decoder writes")].pivot(
        index="step", columns="unit", values="value"
    )
    assert np.array_equal(kept.to_numpy(), picture.chains[1].states)
    assert frame[frame.quantity == "weight"].value.to_numpy() == pytest.approx(picture.weights)
    assert tuple(frame[frame.quantity == "weight"].word) == SOURCE
    assert frame[frame.quantity == "context"].value.tolist() == [0, 1, 2, 3, 4]
    seen = one(("a", "b"), 2, start=np.ones(2), inputs=np.eye(2)).frame()
    assert seen[seen.step == 0].value.tolist() == [1, 1]
    assert seen[seen.quantity == "input"].value.tolist() == [1, 0, 0, 1]


# ---- tree ----


def searched(width: int = 3, steps: int = 7, pruned: int = 3, seed: int = 0) -> Tree:
    """A tree like that of a beam search: `width` hypotheses kept and `pruned` dropped at every step."""
    random = np.random.default_rng(seed)
    branches, live = [Branch(0, None, "<bos>", 0.0)], [0]
    for _ in range(steps):
        parents = random.choice(live, size=width + pruned)
        falls = np.sort(random.exponential(size=width + pruned))
        live = []
        for rank, (parent, fall) in enumerate(zip(parents, falls, strict=True)):
            kept = rank < width
            reason = "" if kept else f"Ranked {rank + 1} at this step; the beam had room for {width}."
            label = str(random.choice(SOURCE + AWKWARD[:4]))
            branches.append(
                Branch(len(branches), int(parent), label, branches[parent].score - fall, kept, reason)
            )
            live += [len(branches) - 1] if kept else []
    branches[live[-1]] = replace(branches[live[-1]], best=True, ended=True)
    return Tree(tuple(branches), title="Beam")


@given(st.integers(1, 8), st.integers(1, 20), st.integers(0, 8), st.integers(0, 9))
@settings(max_examples=25, deadline=None)
def test_labels_of_a_tree_never_touch(width, steps, pruned, seed):
    check_labels(searched(width, steps, pruned, seed))


def laid(tree: Tree) -> Tree:
    """The tree with the spacing used when there is plenty of room."""
    return replace(tree, spacing=ROOMY)


def test_a_tree_lies_closer_where_there_is_little_room():
    tree = replace(searched(3, 7), wide=620, tall=230)
    roomy = laid(tree)._sketch()
    assert not tree.fits(roomy.width, roomy.height)
    assert tree.fits(tree.draw().width, tree.draw().height)
    check_labels(tree)


def test_children_stand_in_the_order_of_their_parents():
    tree = laid(searched(8, 20, 8))
    parents = {branch.id: branch.parent for branch in tree.branches}
    for column in tree.columns[1:]:
        heights = [tree.ys[parents[branch.id]] for branch in column]
        assert heights == sorted(heights)
        assert [tree.ys[branch.id] for branch in column] == sorted(tree.ys[branch.id] for branch in column)


def test_the_answer_is_a_straight_bold_line():
    tree = laid(searched())
    path = [next(branch for branch in tree.branches if branch.best)]
    while path[-1].parent is not None:
        path.append(tree.branches[path[-1].parent])
    assert tree.best == {branch.id for branch in path}
    assert max(tree.ys[id] for id in tree.best) - min(tree.ys[id] for id in tree.best) <= 1
    bold = [node.text for node in parsed(tree).iter("text") if node.get("font-weight")]
    assert sorted(bold) == sorted(map(tree.shown_word, path))


def test_a_pruned_branch_says_why():
    tree = searched()
    given_up = [branch for branch in tree.branches if not branch.kept]
    grey = [group for group in parsed(tree).iter("g") if group.get("style") == "color:var(--quiet)"]
    tips = [node.get("data-tip") for group in grey for node in group if node.get("data-tip")]
    assert len(tips) == len(given_up)
    assert all(any(branch.reason in tip for tip in tips) for branch in given_up)


def test_tree_frame_and_size():
    tree = searched()
    frame = tree.frame()
    assert len(frame) == len(tree.branches)
    assert frame["log P"].tolist() == [branch.score for branch in tree.branches]
    assert frame.step.max() == 7
    last = frame[frame.best].iloc[-1]
    assert last.ended
    assert last.text.startswith("<bos> ")
    assert len(tree.svg().encode()) <= 12_000
    assert len(searched(8, 20, 8).svg().encode()) <= 60_000


@given(
    st.lists(st.tuples(st.floats(-100, 100), st.floats(0, 30), st.floats(0.01, 100)), min_size=1, max_size=20)
)
def test_settled_places_keep_their_gaps(wishes):
    wanted, gaps, weights = zip(*wishes, strict=True)
    places = place_in_order(wanted, gaps[1:], weights)
    assert all(b - a >= gap - 1e-6 for a, b, gap in zip(places, places[1:], gaps[1:], strict=False))
    assert np.average(np.subtract(places, wanted), weights=weights) == pytest.approx(
        0, abs=1e-6
    )  # the weighted mean of all shifts is 0


def test_settled_leaves_alone_what_has_room():
    assert place_in_order([0, 50, 100], [20, 20], [1, 1, 1]) == [0, 50, 100]
    assert place_in_order([0, 0], [20], [1, 1]) == [-10, 10]


# ---- slides ----


@pytest.mark.parametrize(
    "picture",
    [
        attention(context=states(1, 8)[0]),
        one(
            ("<b>", "$x_1$", "שלום"),
            start=np.zeros(4),
            inputs=states(3, 2),
            arrows=("W_hh", "W_xh"),
            fed_back=True,
            outputs=SOURCE[:3],
        ),
        one(("a",), 1),
        Tree(tuple(replace(branch, label="word") for branch in searched().branches), title="Beam"),
    ],
)
def test_figures_can_be_printed_and_say_the_same(picture):
    figure, page = picture.figure(), io.BytesIO()
    figure.savefig(page, format="png", dpi=60)
    assert page.getvalue().startswith(b"\x89PNG")
    said = [text.get_text().replace("$W_{", "W").replace("h}$", "h") for text in figure.axes[0].texts]
    assert [words for words in said if words] == [box[4] for box in boxes(picture)]
