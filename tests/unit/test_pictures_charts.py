"""Bars, curves and the plane: any input can be drawn, nothing overlaps, and the numbers are right."""

import math
import re
from io import BytesIO
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Axis, Curves, Line, clip_line, extreme_points, short
from lessons.kit.pictures.label_placement import LABEL_GAP_PX, spread_heights
from lessons.kit.pictures.plane import Arrow, Dot, Plane, convex_hull

AWKWARD = (
    "<script>alert(1)</script>",
    "]]>",
    "\"quoted\" & 'so'",
    "👩‍🚀🦜",
    "שלום עולם",
    "",
    "$\\frac{$",
    "l’accord" * 20,
)
STEPS = np.arange(1, 31)


def parsed(picture, standalone=False):
    """Parse the SVG into a tree without namespaces, and check that it contains no NaN."""
    text = picture.svg(standalone)
    assert not re.search(r'[=" ]-?(nan|inf)\b', text), text
    return ElementTree.fromstring(text.replace(' xmlns="http://www.w3.org/2000/svg"', ""))


def size(tree):
    return [float(part) for part in tree.get("viewBox").split()[2:]]


def pairs(text):
    return [float(part) for part in text.split()]


def words(tree):
    return [text.text or "" for text in tree.iter("text")]


def bars(n, **more):
    values = np.linspace(0, 1, n)
    return Bars(values, tuple(f"token{i}" for i in range(n)), title="Weights", **more)


def curves(lines, **more):
    return Curves(tuple(lines), title="Curves", x_title="length", y_title="exact match", **more)


EVERY_KIND = [
    bars(5),
    bars(5, upright=True, compare=np.ones(5), handle="weights"),
    bars(5, role=None, changed=frozenset({1}), greyed=frozenset({2}), cut=3),
    curves(
        [Line("RNN", STEPS, 0.5**STEPS, low=0.4**STEPS, high=0.6**STEPS, points=True)],
        shaded=((20, 30, "longer"),),
        current=3,
    ),
    curves([Line("RNN", STEPS, 0.5**STEPS)], log_y=True, rules=((0.01, "one in a hundred"),), wide=860),
    Plane(
        (Arrow("query", 1, 0.5, "target", ("query", 0)), Arrow("key", -1, 1)),
        (Dot("value", 0, 1),),
        title="Plane",
        circle=1,
    ),
]


# ---- any words, any numbers ----


@pytest.mark.parametrize("standalone", [False, True])
def test_awkward_words_are_words(standalone):
    n = len(AWKWARD)
    x = np.arange(3)
    for picture in (
        *(Bars(np.ones(n), AWKWARD, title=AWKWARD[0], upright=up, handle="weights") for up in (False, True)),
        Bars(np.ones(2), ("a", "b"), title="]]>", compare=np.ones(2), compare_names=AWKWARD[:2]),
        curves(
            [Line(name, x, x) for name in AWKWARD], shaded=((0, 1, AWKWARD[0]),), rules=((1, AWKWARD[1]),)
        ),
        Curves((), title="", x_title=AWKWARD[0], y_title=AWKWARD[2]),
        Plane(
            tuple(Arrow(name, 1, 1) for name in AWKWARD),
            (Dot(AWKWARD[0], 0, 0),),
            title="",
            x_title=AWKWARD[0],
            y_title="]]>",
        ),
    ):
        tree = parsed(picture, standalone)
        assert not list(tree.iter("script"))


@pytest.mark.parametrize("upright", [False, True])
def test_a_shortened_label_is_whole_in_its_tip(upright):
    tree = parsed(Bars(np.ones(2), ("l’accord" * 20, "]]>"), title="", upright=upright))
    tips = [mark.get("data-tip") for mark in tree.iter() if mark.get("data-tip")]
    assert tips == ["l’accord" * 20 + ": 1.00", "]]>: 1.00"]
    assert any(word.endswith("…") for word in words(tree))


@pytest.mark.parametrize("handle", [None, "weights"])
@pytest.mark.parametrize("upright", [False, True])
def test_bars_of_nothing(upright, handle):
    odd = np.array([math.nan, math.inf, -math.inf, 0])
    tree = parsed(
        Bars(odd, tuple("abcd"), title="", role=None, upright=upright, handle=handle, compare=odd[::-1])
    )
    assert {"–", "∞", "−∞", "0.00"} <= set(words(tree))
    assert len([mark for mark in tree.iter("path") if mark.get("class") == "masked"]) == 1
    assert (
        len(parsed(Bars([], (), title="", upright=upright, handle=handle, compare=[])).findall(".//text"))
        == 1
    )


@pytest.mark.parametrize("log", [False, True])
def test_curves_of_nothing(log):
    none = np.full(3, math.nan)
    for lines in (
        (),
        [Line("a", [], [])],
        [Line("a", none, none, low=none, high=none, points=True)],
        [Line("a", [1], [math.inf])],
    ):
        tree = parsed(
            curves(lines, log_x=log, log_y=log, current=math.nan, rules=((math.nan, "rule"),), key="step")
        )
        assert "exact match" in words(tree)


def test_a_plane_of_nothing():
    nowhere = (math.nan, 1.0)
    tree = parsed(
        Plane(
            (Arrow("a", *nowhere), Arrow("b", 0, 0)),
            (Dot("c", *nowhere),),
            title="",
            hull=(nowhere,),
            path=(nowhere,),
        )
    )
    assert "b" in words(tree)
    assert not {"a", "c"} & set(words(tree))
    parsed(Plane((), title=""))


numbers = st.floats(width=32) | st.sampled_from([0.0, 1.0])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(numbers, numbers), max_size=12), st.booleans(), st.booleans())
def test_any_line_can_be_drawn(points, log_x, log_y):
    x, y = np.array(points, dtype=float).reshape(-1, 2).T
    tree = parsed(
        curves([Line("line", x, y, low=y, high=y, points=True)], log_x=log_x, log_y=log_y, key="step")
    )
    width, height = size(tree)
    for path in tree.iter("path"):
        for a, b in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path.get("d")):
            assert -5 <= float(a) <= width + 5
            assert -5 <= float(b) <= height + 5


# ---- bars ----


@pytest.mark.parametrize("n", [1, 2, 7, 20, 21, 40])
@pytest.mark.parametrize("upright", [False, True])
def test_bars_keep_apart_and_inside(n, upright):
    tree = parsed(bars(n, upright=upright, compare=np.ones(n), label_role="source"))
    width, height = size(tree)
    assert width <= (860 if upright else 420)
    labels = [text for text in tree.iter("text") if (text.text or "").startswith("token")]
    across = [float(label.get("x" if upright else "y")) for label in labels]
    assert len(across) == n
    assert all(b - a >= 16 for a, b in pairwise(across))
    for box in tree.iter("rect"):
        x, y, w, h = (float(box.get(name)) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + w <= width
        assert 0 <= y <= y + h <= height


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize(("n", "wide", "tall"), [(13, 300, 250), (5, 280, 185), (8, 460, 200)])
def test_bars_fit_their_room(n, wide, tall, upright):
    picture = bars(n, upright=upright, compare=np.ones(n), wide=wide, tall=tall)
    assert picture.fits(*size(parsed(picture)))


def test_a_plane_fits_its_room():
    picture = Plane((Arrow("a", 1.5, 1.5),), title="", x_title="x", wide=400, tall=300)
    tree = parsed(picture)
    assert size(tree)[1] == 300
    assert size(tree)[0] < 400
    assert all(0 <= part <= side for part, side in zip(picture.to_pixels(9, 9), size(tree), strict=True))


@pytest.mark.parametrize("upright", [False, True])
def test_a_bar_is_as_long_as_its_value(upright):
    tree = parsed(Bars(np.array([0.25, 0.5, 1, 7]), tuple("abcd"), title="", upright=upright))
    lengths = [
        float(box.get("height" if upright else "width"))
        for box in tree.iter("rect")
        if box.get("fill-opacity")
    ]
    np.testing.assert_allclose(np.array(lengths) / lengths[2], [0.25, 0.5, 1, 1], atol=1e-3)


def test_signed_bars_leave_zero_both_ways():
    up, down = (
        box
        for box in parsed(Bars([0.5, -0.5], ("a", "b"), title="", role=None)).iter("rect")
        if box.get("fill")
    )
    assert float(up.get("x")) == pytest.approx(float(down.get("x")) + float(down.get("width")), abs=0.02)
    assert (up.get("fill"), down.get("fill")) == ("var(--plus)", "var(--minus)")


def test_the_untouched_run_stays_beside():
    tree = parsed(
        Bars([0.2, 0.8], ("a", "b"), title="", compare=[0.5, math.nan], keys=("source:0", "source:1"))
    )
    assert {"yours", "untouched"} <= set(words(tree))
    told = {mark.get("data-at"): mark.get("data-tip") for mark in tree.iter("g") if mark.get("data-at")}
    assert told == {"source:0": "a: 0.20, untouched 0.50", "source:1": "b: 0.80"}


def test_the_same_shape_of_data_has_the_same_structure():
    one, other = (
        [
            mark.tag
            for mark in parsed(
                Bars(values, tuple("abc"), title="", handle="weights", compare=[0, 0, 1])
            ).iter()
        ]
        for values in ([0, 0, 1], [0.3, 0.3, 0.4])
    )
    assert one == other


# ---- draggable marks ----


def check_handles(tree, control, wanted):
    handles = [mark for mark in tree.iter("g") if mark.get("data-handle")]
    assert {mark.get("data-handle") for mark in handles} == {control}
    assert [int(mark.get("data-index")) for mark in handles] == list(wanted)
    for mark in handles:
        value = wanted[int(mark.get("data-index"))]
        unit, stem, knob = pairs(mark.get("data-unit")), mark.find("line"), mark.find("circle")
        start = float(stem.get("x1")), float(stem.get("y1"))
        assert unit.count(0) == 2 - len(value)
        both = value if len(value) == 2 else value * 2
        tip = [start[i] + both[i] * unit[i] for i in (0, 1)]
        np.testing.assert_allclose(tip, [float(knob.get("cx")), float(knob.get("cy"))], atol=0.05)
    return handles


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize(
    ("role", "low", "high"), [("weight", 0, 1), (None, -2, 2), (None, -3, 1), ("source", 0, 5)]
)
def test_a_dragged_bar_tells_the_page_where_it_is(role, low, high, upright):
    values = np.array([low, (low + high) / 2, high, 0.3, 0])
    tree = parsed(
        Bars(
            values, tuple("abcde"), title="", role=role, handle="weights", low=low, high=high, upright=upright
        )
    )
    handles = check_handles(tree, "weights", {i: (value,) for i, value in enumerate(values)})
    tracks = [box for box in tree.iter("rect") if box.get("class") == "ground"]
    for mark, track in zip(handles, tracks, strict=True):
        assert (float(mark.get("aria-valuemin", 0)), float(mark.get("aria-valuemax"))) == (low, high)
        unit = pairs(mark.get("data-unit"))
        assert [part == 0 for part in unit] == ([True, False] if upright else [False, True])
        along, length, knob = ("y", "height", "cy") if upright else ("x", "width", "cx")
        at = float(mark.find("circle").get(knob)) - float(track.get(along))
        assert -0.05 <= at <= float(track.get(length)) + 0.05  # the handle stays on its track


def test_a_dragged_arrow_tells_the_page_where_it_is():
    arrows = tuple(
        Arrow(f"k{i}", x, y, handle=("keys", i))
        for i, (x, y) in enumerate([(0.5, 1), (-1.5, 1.5), (0, 0), (3, -1.5)])
    )
    tree = parsed(Plane((*arrows, Arrow("fixed", 1, 0)), (Dot("same", 0.5, 1),), title="", span=1.5))
    first, *_ = check_handles(tree, "keys", {0: (0.5, 1), 1: (-1.5, 1.5), 2: (0, 0), 3: (1.5, -0.75)})
    knob, dot = first.find("circle"), tree.find("./circle")
    assert (knob.get("cx"), knob.get("cy")) == (dot.get("cx"), dot.get("cy"))
    assert float(knob.get("cy")) < float(first.find("line").get("y1"))  # dragging up increases the value


# ---- curves ----


@given(st.lists(st.floats(0, 300), max_size=18))
def test_names_keep_apart_in_order_and_near(heights):
    placed = spread_heights(heights, 20, 20 + LABEL_GAP_PX * 18)
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    for above, below in pairwise(order):
        assert placed[below] - placed[above] >= LABEL_GAP_PX - 1e-6
    assert all(20 - 1e-6 <= place <= 20 + LABEL_GAP_PX * 18 + 1e-6 for place in placed)


def test_names_move_no_more_than_they_must():
    assert spread_heights([200, 50, 100], 20, 300) == [200, 50, 100]
    assert spread_heights([100, 100, 250], 20, 300) == [100 - LABEL_GAP_PX / 2, 100 + LABEL_GAP_PX / 2, 250]
    assert spread_heights([0, 400], 20, 300) == [20, 300]


@pytest.mark.parametrize("n", [1, 8, 20])
@pytest.mark.parametrize("height", [0, 0.5, 1])
def test_lines_that_end_together_have_names_that_do_not(n, height):
    lines = [Line(f"model {i}", STEPS, np.full(30, height)) for i in range(n)]
    tree = parsed(curves(lines, y_range=(0, 1), rules=((height, "model chance"),)))
    names = sorted(
        float(text.get("y")) for text in tree.iter("text") if (text.text or "").startswith("model")
    )
    assert len(names) == n + 1
    assert all(b - a >= 13 for a, b in pairwise(names))
    assert 13 < names[0] <= names[-1] < size(tree)[1]


def falling(**more):
    """Lines that all start at 1 and end at 0."""
    x = np.arange(4, 41, 4)
    middles = {"vanilla RNN": 9, "GRU": 15, "LSTM": 20, "attention": 30}
    return curves(
        [Line(name, x, 1 / (1 + np.exp((x - middle) / 2))) for name, middle in middles.items()],
        y_range=(0, 1),
        **more,
    )


@pytest.mark.parametrize("wide", [420, 860])
def test_lines_that_end_together_are_named_where_they_are_apart(wide):
    picture = falling(wide=wide)
    _, _, names, placed = picture.plot_layout
    beside = [name for name in names if name.start is None]
    assert len(beside) >= 3
    trails = {line.name: there.trail for line, there in zip(picture.lines, placed, strict=True)}
    for name in beside:  # the nearest line must be the one that the name belongs to
        far = {
            line: min(
                abs(np.interp(at, *trail.T) - name.y) for at in np.linspace(name.x - 15, name.x + 15, 9)
            )
            for line, trail in trails.items()
        }
        assert min(far, key=far.get) == name.words
    boxes = [(name.x, name.y) for name in names]
    assert all(
        abs(a[1] - b[1]) >= 13 or abs(a[0] - b[0]) > 50 for i, a in enumerate(boxes) for b in boxes[:i]
    )


def test_lines_differ_by_dash_and_by_mark():
    lines = [Line(f"model {i}", STEPS, STEPS * i) for i in range(6)]
    assert len(set(curves(lines).styles)) == 6
    assert len({mark for _, mark in curves(lines).styles}) == 6
    tree = parsed(curves(lines[:3]))
    dashes = [path.get("stroke-dasharray") for path in tree.iter("path") if path.get("stroke-width") == "2.2"]
    assert len(set(dashes)) == len(dashes) == 3
    meant = curves(
        [Line("a", STEPS, STEPS), Line("b", STEPS, -STEPS), Line("untouched", STEPS, STEPS, dashed=True)]
    ).styles
    assert [bool(dash) for dash, _ in meant] == [False, False, True]


def test_curves_fill_their_room():
    for room in ((300, 150), (440, 200), (900, 260)):
        picture = falling(wide=room[0], tall=room[1])
        assert tuple(size(parsed(picture))) == room


def test_zeros_on_a_logarithmic_axis_are_a_gap_and_a_sign():
    y = np.array([1, 0.1, 0, 0, 0.01, -1])
    tree = parsed(curves([Line("RNN", np.arange(1, 7), y, "target")], log_x=True, log_y=True))
    line, below, _thread = (
        path.get("d")
        for path in tree.iter("path")
        if "var(--target)" in (path.get("stroke"), path.get("fill"))
    )
    assert line.count("M") == 2  # the line has one gap
    assert below.count("M") == 3


def test_logarithmic_ticks_are_read_at_a_glance():
    assert [text for _, text in Axis(1e-4, 100, True, 0, 1, 9, False).ticks()] == [
        "10⁻⁴",
        "10⁻³",
        "0.01",
        "0.1",
        "1",
        "10",
        "100",
    ]
    assert [text for _, text in Axis(1e-12, 1e4, True, 0, 1, 5, False).ticks()] == [
        "10⁻¹²",
        "10⁻⁸",
        "10⁻⁴",
        "1",
        "10⁴",
    ]
    assert [text for _, text in Axis(0.3, 3, True, 0, 1, 5, False).ticks()] == ["0.5", "1", "2"]


@given(st.floats(-1e4, 1e4), st.floats(1e-2, 1e6), st.booleans(), st.integers(3, 10))
def test_ticks_are_few_and_within(low, span, log, most):
    low = abs(low) + 1e-6 if log else low
    ticks = Axis(low, low + span, log, 0, 1, most, False).ticks()
    assert 1 <= len(ticks) <= (max(most + 1, 8) if log else most + 1)
    slack = 1e-6 * span + (1e-8 * low if log else 0)
    assert all(low - slack <= value <= low + span + slack for value, _ in ticks)
    assert len({text for _, text in ticks}) == len(ticks)  # no two tick labels are equal


def test_whole_numbers_are_ticked_by_whole_numbers():
    assert [text for _, text in Axis.covering(np.array([1, 2, 3]), None, False, 0, 1, 10).ticks()] == [
        "1",
        "2",
        "3",
    ]


def test_numbers_are_short():
    assert [short(value) for value in (0, -0.25, 1 / 3, 1234, 1.234e-7, 1e9)] == [
        "0",
        "−0.25",
        "0.333",
        "1,234",
        "1.23\u00a0·\u00a010⁻⁷",
        "10⁹",
    ]


def test_a_line_is_cut_where_it_leaves_the_plot():
    points = clip_line(np.array([[0.0, 0], [1, 20], [2, 0]]), 1, 0, 10)
    np.testing.assert_allclose(points, [[0, 0], [0.5, 10], [math.nan, math.nan], [1.5, 10], [2, 0]])


def test_long_lines_keep_their_extremes():
    y = np.random.default_rng(1).normal(size=3000)
    kept = extreme_points(y, 200)
    assert len(kept) <= 200
    assert {0, 2999, y.argmin(), y.argmax()} <= set(kept)
    assert extreme_points(y[:200], 200).tolist() == list(range(200))


def test_every_place_along_x_tells_its_values():
    lines = [Line("LSTM", [1, 2, 4], [0.5, 0.25, 0.125]), Line("RNN", [2, 4], [1e-5, 0])]
    tree = parsed(curves(lines, key="step"))
    strips = tree.find(".//g[@class='strips']").findall("rect")
    assert [(strip.get("data-at"), strip.get("data-tip")) for strip in strips] == [
        ("step:1", "length 1: LSTM 0.5"),
        ("step:2", "length 2: LSTM 0.25, RNN 10⁻⁵"),
        ("step:4", "length 4: LSTM 0.125, RNN 0"),
    ]
    edges = [(float(strip.get("x")), float(strip.get("x")) + float(strip.get("width"))) for strip in strips]
    assert all(a[1] == pytest.approx(b[0], abs=0.02) for a, b in pairwise(edges))


def test_too_many_places_are_thinned_to_those_that_most_lines_have():
    often, seldom = np.arange(1000), np.arange(0, 1000, 50)
    tree = parsed(curves([Line("train", often, often), Line("dev", seldom, seldom)]))
    tips = [strip.get("data-tip") for strip in tree.find(".//g[@class='strips']")]
    assert len(tips) <= 48
    assert sum("dev" in tip for tip in tips) == len(seldom)


# ---- the plane ----


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=3, max_size=12))
def test_the_hull_holds_every_point(points):
    corners = convex_hull(tuple(points))
    assert set(corners) <= {(float(x), float(y)) for x, y in points}
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        # all points lie on the left of each edge
        assert all((bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0 for x, y in points)


def test_names_in_the_plane_do_not_cover_each_other():
    turn = np.linspace(0, 2 * math.pi, 10, endpoint=False)
    tree = parsed(
        Plane(
            tuple(Arrow(f"key {i}", math.cos(a), math.sin(a)) for i, a in enumerate(turn)),
            (Dot("query", 1, 0),),
            title="",
        )
    )
    names = [
        (float(t.get("x")), float(t.get("y"))) for t in tree.iter("text") if (t.text or "")[:1] in ("k", "q")
    ]
    assert len(names) == 11
    for i, (x, y) in enumerate(names):
        assert all(abs(x - a) >= 30 or abs(y - b) >= 12 for a, b in names[:i])


def test_what_is_far_is_drawn_at_the_edge_and_told_as_it_is():
    tree = parsed(Plane((), (Dot("far", 30, -40),), title="", span=2))
    dot = tree.find(".//circle")
    assert dot.get("data-tip") == "far: (30.00, −40.00), length 50.00"
    assert all(0 <= float(dot.get(at)) <= limit for at, limit in zip(("cx", "cy"), size(tree), strict=True))


# ---- other formats ----


def test_frames_hold_the_values():
    frame = Bars([0.2, 0.8], ("a", "b"), title="", compare=[0.5, 0.5]).frame()
    assert frame.to_dict("list") == {"label": ["a", "b"], "yours": [0.2, 0.8], "untouched": [0.5, 0.5]}
    assert Bars([0.2], ("a",), title="").frame().to_dict("list") == {"label": ["a"], "value": [0.2]}
    frame = curves(
        [Line("RNN", [1, 2], [0.5, 0.25]), Line("LSTM", [1], [0.9], low=[0.8], high=[1.0])]
    ).frame()
    assert frame.columns.tolist() == ["line", "length", "exact match", "low", "high"]
    assert frame["line"].tolist() == ["RNN", "RNN", "LSTM"]
    assert frame["exact match"].tolist() == [0.5, 0.25, 0.9]
    assert frame["high"].tolist()[2] == 1.0
    frame = Plane((Arrow("q", 1, 2),), (Dot("v", 3, 4),), title="", path=((5, 6),)).frame()
    assert frame.to_numpy().tolist() == [["arrow", "q", 1, 2], ["dot", "v", 3, 4], ["path", "", 5, 6]]


HARD = [
    Bars([math.nan, 0.5], ("$\\frac{$", "<b>"), title="$x", role=None, compare=[0, math.nan]),
    Bars([], (), title="", upright=True),
    curves(
        [Line("a", STEPS, np.zeros(30), low=np.zeros(30), high=np.zeros(30)), Line("", [], [])],
        log_x=True,
        log_y=True,
    ),
    curves([Line(AWKWARD[6], STEPS, STEPS)], shaded=((2, 3, AWKWARD[6]),), rules=((2, AWKWARD[6]),)),
    Plane(
        (Arrow("a", math.nan, 0), Arrow("b", 9, 9, dashed=True)),
        (Dot("c", math.nan, 0),),
        title="",
        hull=((0, 0), (1, 0)),
    ),
]


@pytest.mark.parametrize("picture", EVERY_KIND + HARD)
def test_figures_render(picture):
    target = BytesIO()
    picture.figure().savefig(target, format="png", dpi=50)
    assert target.getvalue().startswith(b"\x89PNG")


@pytest.mark.parametrize("picture", EVERY_KIND)
def test_pictures_at_their_defaults_are_small(picture):
    assert len(picture.svg().encode()) <= 12_000


def test_the_largest_pictures_are_not_huge():
    steps, keys = np.arange(3000), tuple(f"source:{i}" for i in range(40))
    noise = np.random.default_rng(0).normal(size=(8, 3000))
    for picture in (
        bars(
            40,
            handle="weights",
            compare=np.ones(40),
            changed=frozenset(range(40)),
            keys=keys,
            label_role="source",
        ),
        bars(
            40,
            upright=True,
            handle="weights",
            compare=np.ones(40),
            changed=frozenset(range(40)),
            keys=keys,
            label_role="source",
        ),
        curves(
            [Line(f"model {i}", steps, y, low=y - 1, high=y + 1, points=True) for i, y in enumerate(noise)],
            wide=860,
            key="step",
        ),
        Plane(tuple(Arrow(f"key {i}", i / 40, 1, handle=("keys", i)) for i in range(40)), title=""),
    ):
        assert len(picture.svg().encode()) <= 40_000
