"""Heatmap, Tokens, Matrix, Table and Prose are complete, readable and small, and show the right numbers."""

import json
import re
from dataclasses import replace
from io import BytesIO
from itertools import chain, combinations, pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.kit.pictures import palette
from lessons.kit.pictures.base import FONT_PX, SMALL_FONT_PX, split_subscripts, text_width
from lessons.kit.pictures.heatmap import LABEL_SIN, MAX_ALL_NAMED, MAX_CELL_PX, MIN_LABEL_LINE_PX, Heatmap
from lessons.kit.pictures.matrix import Block, Edit, Matrix
from lessons.kit.pictures.prose import TEXT_FIT, Prose, Text
from lessons.kit.pictures.table import Bar, Link, Parts, Table, Tones
from lessons.kit.pictures.tokens import MAX_TINT_OPACITY, TokenLine, Tokens

AWKWARD = (
    "<script>alert(1)</script>",
    "]]>",
    "\"quoted\" & 'so'",
    "👩‍🚀🙂",
    "שלום עולם",
    "$\\frac$",
    "",
    "   ",
    "supercalifragilistic" * 4,
)
PICTURES = {
    "heatmap": Heatmap(
        np.eye(9), AWKWARD, AWKWARD, row_title=AWKWARD[0], column_title=AWKWARD[2], title=AWKWARD[0]
    ),
    "tokens": Tokens(
        (TokenLine(AWKWARD[0], AWKWARD, np.linspace(-1, 1, 9), AWKWARD), TokenLine("", AWKWARD)),
        title=AWKWARD[1],
    ),
    "matrix": Matrix(
        (
            *(Block(name, [[1.0, -2]], made=((name, name),), note=name) for name in AWKWARD),
            AWKWARD[0],
            Block("h_{t-1} $_{\\x}", [[0.5]]),
        ),
        title=AWKWARD[2],
    ),
}


def words_of(count: int, seed: int = 0) -> tuple[str, ...]:
    some = ["a", "the", "Economic", "internationalisation", ".", "MMMMMM", "telecommunications", "été"]
    return tuple(np.random.default_rng(seed).choice(some, count).tolist())


def texts(picture) -> list[ElementTree.Element]:
    return [
        node
        for node in ElementTree.fromstring(picture.svg()).iter("text")
        if "".join(node.itertext()).strip()
    ]


def lines_of_text(nodes) -> list[tuple[float, float, float, float]]:
    """Boxes (left, top, right, bottom) of horizontal texts. The anchor may be set on the parent group."""
    found = []
    for node, anchor, inherited in nodes:
        x, y, size = float(node.get("x")), float(node.get("y")), float(node.get("font-size", inherited))
        width = text_width("".join(node.itertext()), size)
        left = {"start": x, "middle": x - width / 2, "end": x - width}[node.get("text-anchor", anchor)]
        found.append((left, y - 0.75 * size, left + width, y + 0.2 * size))
    return found


def upright(picture):
    """All texts that are not rotated, each with the anchor and font size of its group."""
    root = ElementTree.fromstring(picture.svg())

    def walk(node, anchor, size):
        anchor, size = node.get("text-anchor", anchor), node.get("font-size", size)
        if node.tag == "text" and "transform" not in node.attrib and "".join(node.itertext()).strip():
            yield node, anchor, size
        for inner in node:
            yield from walk(inner, anchor, size)

    return list(walk(root, "start", FONT_PX))


def assert_apart(boxes, width: float) -> None:
    for a, b in combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (a, b)
    assert all(box[0] >= -0.5 and box[2] <= width + 0.5 for box in boxes)


def natural(picture) -> tuple[float, float]:
    return tuple(map(float, ElementTree.fromstring(picture.svg()).get("viewBox").split()[2:]))


# ---- all three ----


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("standalone", [False, True])
def test_what_is_typed_stays_text(name, standalone):
    root = ElementTree.fromstring(PICTURES[name].svg(standalone))
    assert not [node for node in root.iter() if "script" in node.tag]
    said = [value for node in root.iter() for value in (*node.attrib.values(), *node.itertext())]
    assert any("<script>" in words for words in said)


@given(st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="￾￿"), max_size=30))
def test_any_words_make_a_picture(words):
    for picture in (
        Heatmap([[0.5]], (words,), (words,), title=words),
        Tokens((TokenLine(words, (words,), [0.2]),), title=words),
        Matrix((words, Block(words, [[1.0]], note=words)), title=words),
    ):
        ElementTree.fromstring(picture.svg())


@pytest.mark.parametrize("name", PICTURES)
def test_figures_are_png(name):
    out = BytesIO()
    PICTURES[name].figure().savefig(out, format="png")
    assert out.getvalue().startswith(b"\x89PNG")


def test_words_can_be_read_on_any_ground():
    def luminance(colour):
        return np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4) @ (
            0.2126,
            0.7152,
            0.0722,
        )

    def tone(role, theme):
        return np.array([int(palette.ROLES[role][theme][i : i + 2], 16) / 255 for i in (1, 3, 5)])

    for theme in (0, 1):
        for role in ("source", "target", "weight", "context", "plus", "minus"):
            ground = MAX_TINT_OPACITY * tone(role, theme) + (1 - MAX_TINT_OPACITY) * tone("paper", theme)
            dark, light = sorted((luminance(ground), luminance(tone("ink", theme))))
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (theme, role)


# ---- Heatmap ----


@pytest.mark.parametrize(
    "shape", [(0, 0), (0, 3), (1, 1), (2, 40), (40, 2), (14, 14), (40, 40), (40, 128), (128, 40)]
)
@pytest.mark.parametrize("role", ["weight", None])
def test_heatmaps_of_every_shape(shape, role):
    values = np.random.default_rng(0).uniform(-1, 1, shape)
    picture = Heatmap(
        values,
        words_of(shape[0]),
        words_of(shape[1], 1),
        role=role,
        gold=((0, 0), (500, 1)),
        current_row=0,
        title="x",
    )
    root = ElementTree.fromstring(picture.svg())
    grid = json.loads(root.find("g").get("data-grid"))
    assert np.allclose(np.array(grid["values"]) * grid["unit"], values.ravel(), atol=0.006)
    assert (len(grid["rows"]), len(grid["columns"])) == shape
    width, height = natural(picture)
    assert width <= 860
    assert height <= 800
    assert grid["x"] + shape[1] * grid["w"] <= width
    assert grid["y"] + shape[0] * grid["h"] <= height
    assert_apart(lines_of_text(upright(picture)), width)


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 9), st.sampled_from([420, 860]))
def test_labels_never_overlap(rows, columns, seed, widest):
    picture = Heatmap(
        np.zeros((rows, columns)), words_of(rows, seed), words_of(columns, seed + 1), title="x", wide=widest
    )
    width, _ = natural(picture)
    grid = json.loads(ElementTree.fromstring(picture.svg()).find("g").get("data-grid"))
    assert width <= widest or grid["w"] == pytest.approx(MIN_LABEL_LINE_PX / LABEL_SIN, abs=0.01)
    assert_apart(lines_of_text(upright(picture)), width)
    leaning = [node for node in texts(picture) if "transform" in node.attrib]
    spots = sorted(float(re.match(r"translate\((\S+) ", node.get("transform"))[1]) for node in leaning)
    sizes = {float(node.get("font-size", FONT_PX)) for node in leaning}
    # rotated lines are parallel
    assert all((b - a) * LABEL_SIN >= max(sizes) - 0.02 for a, b in pairwise(spots))
    named = [node for node in ElementTree.fromstring(picture.svg()).iter("text") if "data-at" in node.attrib]
    assert min(float(node.get("font-size", FONT_PX)) for node in named) >= SMALL_FONT_PX
    if widest == 860 or max(rows, columns) <= MAX_ALL_NAMED:
        assert len(named) == rows + columns


@pytest.mark.parametrize(("rows", "columns"), [(14, 15), (8, 8), (24, 12), (3, 24)])
def test_heatmaps_fit_their_room(rows, columns):
    picture = Heatmap(
        np.zeros((rows, columns)), words_of(rows), words_of(columns, 1), title="x", wide=490, tall=420
    )
    assert picture.fits(*natural(picture))
    assert_apart(lines_of_text(upright(picture)), 490)


def test_shortened_labels_keep_the_whole_word():
    word = "telecommunications" * 3
    node = next(node for node in texts(Heatmap([[1]], (word,), ("b",), title="x")) if node.get("data-tip"))
    assert node.get("data-tip") == word
    assert node.text.endswith("…")


def test_masked_cells_are_hatched_and_have_no_value():
    picture = Heatmap([[1, np.nan], [-np.inf, 0.5]], ("a", "b"), ("c", "d"), title="x")
    root = ElementTree.fromstring(picture.svg())
    assert json.loads(root.find("g").get("data-grid"))["values"] == [100, None, None, 50]
    assert root.find(".//path[@class='masked']").get("d").count("M") == 2
    assert "masked" in [node.text for node in texts(picture)]
    assert picture.frame()["value"].isna().tolist() == [False, True, True, False]
    picture.figure().savefig(BytesIO(), format="png")


def test_marks_on_cells_are_where_the_cells_are():
    picture = Heatmap(
        np.zeros((3, 4)), tuple("abc"), tuple("defg"), gold=((2, 3), (9, 9)), changed=((0, 1),), title="x"
    )
    root = ElementTree.fromstring(picture.svg())
    grid = json.loads(root.find("g").get("data-grid"))
    gold, changed = (path.get("d") for path in root.findall("path")[:2])
    start = [float(part) for part in re.match(r"M(\S+) (\S+?)h", gold).groups()]
    assert gold.count("M") == changed.count("M") == 1
    assert start == pytest.approx([grid["x"] + 3 * MAX_CELL_PX, grid["y"] + 2.03 * MAX_CELL_PX], abs=0.01)
    assert root.findall("path")[0].get("stroke-dasharray")


def test_steps_have_keys_from_one_and_units_from_zero():
    picture = Heatmap(np.zeros((2, 2)), ("1", "2"), ("the", "cat"), keys=("unit", "step"), title="x")
    assert [node.get("data-at") for node in texts(picture) if node.get("data-at")] == [
        "unit:0",
        "unit:1",
        "step:1",
        "step:2",
    ]


def test_the_heatmaps_frame_is_tidy():
    values = np.arange(6).reshape(2, 3) / 10
    frame = Heatmap(
        values, ("the", "the"), tuple("abc"), keys=("target", "source"), gold=((1, 2),), title="x"
    ).frame()
    assert frame["value"].tolist() == values.ravel().tolist()
    assert frame.loc[frame["gold"], ["target", "target label", "source", "source label"]].values.tolist() == [
        [2, "the", 3, "c"]
    ]
    same = Heatmap(values, ("a", "b"), tuple("abc"), keys=("source", "source"), title="x").frame()
    assert same["source column"].tolist() == [1, 2, 3] * 2


def test_labels_must_fit_the_values():
    with pytest.raises(ValueError, match="2 × 1 labels"):
        Heatmap(np.zeros((1, 2)), ("a", "b"), ("c",), title="x").svg()


# ---- Tokens ----


@given(st.integers(0, 40), st.integers(0, 9), st.booleans())
def test_words_wrap_and_never_overlap(count, seed, coloured):
    values = np.linspace(-1, 1, count) if coloured else None
    lines = (
        TokenLine("untouched", words_of(count, seed), values),
        TokenLine("yours", words_of(count, seed + 1), values),
    )
    picture = Tokens(lines, title="x")
    width, height = natural(picture)
    boxes = lines_of_text(upright(picture))
    assert_apart(boxes, width)
    assert max(box[3] for box in boxes) <= height
    grounds = [
        [float(rect.get(side)) for side in ("x", "y", "width", "height")]
        for rect in ElementTree.fromstring(picture.svg()).iter("rect")
    ]
    assert len(grounds) == 2 * count * coloured
    assert_apart([(x, y, x + w, y + h) for x, y, w, h in grounds], width)


def test_lines_move_closer_where_there_is_little_room():
    lines = tuple(
        TokenLine(name, words_of(14, seed)) for seed, name in enumerate(("untouched", "yours", "reference"))
    )
    roomy, close = (Tokens(lines, title="x", wide=600, tall=tall) for tall in (None, 180))
    assert not close.fits(*natural(roomy))
    assert close.fits(*natural(close))
    assert_apart(lines_of_text(upright(close)), 600)


def test_words_carry_their_number_their_value_and_their_change():
    line = TokenLine("yours", ("a", "b", "c"), [0.25, -2, np.nan], changed=frozenset({1}))
    root = ElementTree.fromstring(Tokens((line,), current=0, title="x").svg())
    words = [group for group in root.iter("g") if "data-at" in group.attrib]
    assert [word.get("data-at") for word in words] == ["step:1", "step:2", "step:3"]
    assert [word.get("data-tip") for word in words] == ["a: 0.25", "b: −2.00", "c: masked"]
    assert [float(word.find("rect").get("fill-opacity")) for word in words] == pytest.approx(
        [0.25 * MAX_TINT_OPACITY, MAX_TINT_OPACITY, 0], abs=0.006
    )
    assert [word.find("rect").get("fill") for word in words[:2]] == ["var(--plus)", "var(--minus)"]
    assert [word.find("rect").get("stroke-width") for word in words] == ["1.5", "2.5", None]
    assert [word.find("text").get("text-decoration") for word in words] == [None, "underline", None]


def test_outputs_beside_their_truth():
    words = words_of(9)
    lines = (
        TokenLine("truth", words, quiet=True),
        TokenLine("A", words, right=True),
        TokenLine("B", (), right=False),
    )
    for wide in range(220, 900, 40):  # the mark stays inside the picture
        picture = Tokens(lines, title="x", wide=wide)
        marks = [node for node in texts(picture) if node.text in ("✓ correct", "✗ wrong")]
        assert [(node.text, node.get("data-tip")) for node in marks] == [
            ("✓ correct", "A: as the truth"),
            ("✗ wrong", "B: not as the truth"),
        ]
        assert all(float(node.get("x")) + 6 <= wide for node in marks)
    quiet = [node.text for node in texts(picture) if node.get("class") == "quiet"]
    assert set(words) <= set(quiet)
    assert picture.frame()["right"].tolist() == [None] * 9 + [True] * 9
    picture.figure().savefig(BytesIO(), format="png")


def test_the_tokens_frame_holds_both_lines():
    frame = Tokens(
        (TokenLine("untouched", ("a", "b"), [0.1, 0.2]), TokenLine("yours", ("c",), notes=("why",))),
        title="x",
        first=0,
    ).frame()
    assert frame["token"].tolist() == ["a", "b", "c"]
    assert frame["step"].tolist() == [1, 2, 1]
    assert frame["value"].tolist()[:2] == [0.1, 0.2]
    assert frame["note"].tolist() == ["", "", "why"]


# ---- Matrix ----


def product(rows: int, inner: int, columns: int) -> Matrix:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(rows, inner)), rng.normal(size=(inner, columns))
    made = tuple(tuple(f"row {r + 1} · column {c + 1}" for c in range(columns)) for r in range(rows))
    return Matrix(
        (Block("C", a @ b, made=made), "=", Block("A", a, "source"), Block("B", b, "target")),
        title="A product",
    )


@given(st.integers(1, 14), st.integers(1, 14), st.integers(1, 14))
def test_equations_wrap_and_never_overlap(rows, inner, columns):
    picture = product(rows, inner, columns)
    width, height = natural(picture)
    boxes = lines_of_text(upright(picture))
    assert width <= 860
    assert max(box[3] for box in boxes) <= height
    assert_apart(boxes, width)


def test_a_cell_says_its_number_and_how_it_was_made():
    picture = product(2, 3, 2)
    root = ElementTree.fromstring(picture.svg())
    tips = [cell.get("data-tip") for cell in root.iter("g") if cell.get("data-tip")]
    assert tips[:4] == ["row 1 · column 1", "row 1 · column 2", "row 2 · column 1", "row 2 · column 2"]
    assert tips[4].startswith("A, row 1, column 1: ")
    shown = [node.text.replace("−", "-") for node in texts(picture) if node.text and "." in node.text]
    numbers = np.concatenate([block.grid.ravel() for block in picture.terms if isinstance(block, Block)])
    assert np.allclose([float(number) for number in shown], numbers, atol=0.0051)
    assert {"2×3", "3×2", "2×2", "="} <= {node.text for node in texts(picture)}
    assert picture.frame()["value"].tolist() == numbers.tolist()
    assert picture.frame()["made"].tolist()[:4] == tips[:4]


def test_masked_infinite_and_changed_cells():
    block = Block("S", [[np.nan, -np.inf], [0, -1]], changed=frozenset({(1, 0)}))
    picture = Matrix((block,), title="x")
    root = ElementTree.fromstring(picture.svg())
    assert [node.text for node in root.iter("text")][-4:] == [None, "−∞", "0.00", "−1.00"]
    assert [rect.get("fill-opacity") for rect in root.iter("rect")] == ["0", "0", "0", ".5"]
    assert [rect.get("stroke-width") for rect in root.iter("rect")] == [None, None, "2.5", None]
    assert len(root.findall(".//path[@class='masked']")) == 1
    picture.figure().savefig(BytesIO(), format="png")


def test_cells_that_can_be_edited():
    block = Block("W_hh", [[0.5, -1], [0, 2]], edit=Edit("W", -3, 3, 0.5))
    root = ElementTree.fromstring(Matrix((block, Block("b", [[1.0]])), title="x").svg())
    cells = [group for group in root.iter("g") if group.get("role") == "spinbutton"]
    assert root.get("role") == "group"
    assert [
        (cell.get("data-row"), cell.get("data-column"), cell.get("aria-valuenow"), cell.find("text").text)
        for cell in cells
    ] == [
        ("0", "0", ".5", "0.50"),
        ("0", "1", "-1", "−1.00"),
        ("1", "0", "0", "0.00"),
        ("1", "1", "2", "2.00"),
    ]
    last = cells[-1].attrib
    assert {"class": "cell", "tabindex": "0", "aria-label": "Whh, row 2, column 2"}.items() <= last.items()
    assert {"data-cell": "W", "data-low": "-3", "data-high": "3", "data-step": ".5"}.items() <= last.items()
    assert all(cell.find("rect") is not None for cell in cells)


def test_a_matrix_fits_its_room():
    picture = product(6, 3, 6)
    closer = replace(picture, wide=760, tall=150)
    assert not closer.fits(*natural(picture))
    assert closer.fits(*natural(closer))
    assert_apart(lines_of_text(upright(closer)), 760)


def test_a_large_grid_shows_colour_instead_of_numbers():
    picture = Matrix((Block("E", np.ones((128, 40))),), title="x")
    grid = json.loads(
        next(
            node.get("data-grid")
            for node in ElementTree.fromstring(picture.svg()).iter("g")
            if "data-grid" in node.attrib
        )
    )
    assert len(grid["values"]) == 128 * 40
    assert natural(picture)[0] <= 860


def test_a_line_never_begins_with_what_closes():
    wide = Block("W", np.zeros((2, 8)))
    lines = Matrix(("tanh(", wide, "+", wide, ")", "+", wide), title="x").break_lines()
    assert [line[0] for line in lines] == ["tanh(", "+"]
    assert list(chain(*lines)) == ["tanh(", wide, "+", wide, ")", "+", wide]


def test_names_have_subscripts():
    assert split_subscripts("W_hh") == ["W", "hh", ""]
    assert split_subscripts("W_hh h_{t-1}") == ["W", "hh", " h", "t−1", ""]
    assert split_subscripts("scores") == ["scores"]
    assert split_subscripts("read_me, snake_case") == ["read_me, snake_case"], "only of one letter"


# ---- file size ----


def sized(rows: int, columns: int) -> Heatmap:
    values = np.tanh(np.random.default_rng(0).normal(size=(rows, columns)))
    return Heatmap(values, words_of(rows), words_of(columns), role=None, title="x")


@pytest.mark.parametrize(
    ("picture", "most"),
    [
        (sized(14, 14), 12),
        (sized(40, 40), 40),
        (sized(128, 40), 100),  # noise is the worst case: neighbouring cells never share a colour
        (
            Tokens(
                (TokenLine("untouched", words_of(16)), TokenLine("yours", words_of(16), np.ones(16))),
                title="x",
            ),
            12,
        ),
        (Tokens((TokenLine("", words_of(160), np.ones(160)),), title="x"), 40),
        (product(3, 3, 1), 8),
        (product(8, 8, 8), 40),
    ],
)
def test_payloads(picture, most):
    assert len(picture.svg().encode()) <= most * 1000


# ---- Table ----


def board(**more) -> Table:
    headings = (
        "model",
        "lesson",
        "exact match",
        Parts("by length", ("3–8", "9–12"), cut=1, about="longer than training"),
    )
    rows = tuple(
        (f"model <{n}>", Link("2 Bottleneck", "bottleneck?a=1&b=2"), Bar("0.5", 0.5), Tones((0.25, n / 20)))
        for n in range(20)
    )
    return Table(
        headings, rows, key="model", sorted_by="exact match", marked=frozenset({3}), title="Board", **more
    )


def test_a_table_lies_closer_where_there_is_little_room():
    close = board(wide=500, tall=380)
    assert close.fits(*natural(close))
    assert_apart(lines_of_text(upright(close)), 500)
    assert min(float(size) for _, _, size in upright(close)) >= SMALL_FONT_PX


def test_a_table_shows_bars_tones_and_links():
    root = ElementTree.fromstring(board().svg())
    assert [link.get("href") for link in root.iter("a")] == ["bottleneck?a=1&b=2"] * 20
    assert json.loads(root.find("g[@data-grid]").get("data-grid"))["values"][:4] == [25, 0, 25, 5]
    widths = [
        float(width) for width in re.findall(r"h([\d.]+)v", root.find(".//path[@class='bars']").get("d"))
    ]
    assert widths == pytest.approx([board().columns[2].width / 2] * 20, abs=0.01)
    assert "match ▾" in [node.text for node in texts(board())]
    frame = board().frame()
    assert frame.columns.tolist() == ["model", "lesson", "exact match", "by length, 3–8", "by length, 9–12"]
    assert frame.iloc[19].tolist() == ["model <19>", "2 Bottleneck", 0.5, 0.25, 0.95]
    board().figure().savefig(BytesIO(), format="png")


# ---- Prose ----

SONG = (
    "i love you .",
    "and you love me .",
    "i love you .",
    "i love you .",
    "the end of the long long road <is> here .",
)


def test_prose_is_whole_flush_left_and_marks_what_is_said_again():
    picture = Prose((Text.of("greedy", SONG), Text.of("true text", SONG[:2])), title="x", wide=460)
    root = ElementTree.fromstring(picture.svg())
    lines = [
        node for node in root.iter("text") if node.get("x") == f"{picture.left:.2f}".rstrip("0").rstrip(".")
    ]
    assert len(lines) >= 3
    said = " ".join(" ".join("".join(line.itertext()).split()) for line in lines)
    assert said == " ".join((*SONG, *SONG[:2]))
    marked = [span for span in root.iter("tspan") if span.get("text-decoration")]
    assert " ".join(span.text for span in marked) == "i love you . i love you ."
    assert {span.get("data-tip") for span in root.iter("tspan")} == {"written 3 times"}
    assert natural(picture)[0] == 460
    assert picture.frame()["marked"].tolist() == [False, False, True, True, False, False, False]
    picture.figure().savefig(BytesIO(), format="png")


def test_prose_on_the_page_is_text_that_finds_its_own_lines():
    width, html = Prose(
        (Text.of("greedy", SONG), Text.of("true", SONG * 9)), title="x", wide=460, tall=120
    ).page_html()
    root = ElementTree.fromstring(html)
    labels, texts = (list(root.iter(tag)) for tag in ("dt", "dd"))
    assert (width, [label.text for label in labels]) == (460, ["greedy", "true"])
    assert "".join(texts[0].itertext()) in " ".join(SONG) + " …"
    assert [part.text for part in texts[0] if part.get("style")] == ["i love you .", "i love you ."]
    assert (texts[1][-1].text, texts[1][-1].get("data-tip")[-6:]) == ("…", "here .")


@given(st.lists(st.sampled_from((*SONG, "w" * 200, "")), max_size=30), st.sampled_from([200, 460, 920]))
def test_prose_wraps_into_its_room(sentences, wide):
    picture = Prose((Text.of("label", sentences), Text.of("", sentences)), title="x", wide=wide)
    boxes = lines_of_text(upright(picture))
    assert all(left + TEXT_FIT * (right - left) <= wide for left, _, right, _ in boxes)
    assert max([foot for _, _, _, foot in boxes], default=0) <= natural(picture)[1]


def test_prose_that_has_no_room_ends_in_dots_that_say_the_rest():
    picture = Prose((Text.of("greedy", SONG * 9), Text.of("sampled", SONG)), title="x", wide=400, tall=100)
    assert picture.fits(*natural(picture))
    dots = [span for span in ElementTree.fromstring(picture.svg()).iter("tspan") if span.text == " …"]
    assert dots[0].get("data-tip").endswith("<is> here .")


def test_names_of_rows_and_columns_have_the_colour_of_their_role():
    drawn = Heatmap(
        np.eye(2),
        ("le", "chat"),
        ("the", "cat"),
        row_role="target",
        column_role="source",
        title="Who looks where",
    ).svg()
    groups = {
        element.get("style"): "".join(element.itertext())
        for element in ElementTree.fromstring(drawn).iter("g")
    }
    assert (groups["color:var(--target)"], groups["color:var(--source)"]) == ("lechat", "thecat")
