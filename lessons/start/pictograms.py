"""One small drawing a stop, in the colours of the course. They decorate: what they say stands beside them in words."""

from math import exp, sin

from lessons.kit.pictures.base import Canvas, element

WIDTH, HEIGHT = 160, 88


def pictogram(slug: str) -> str:
    canvas = Canvas(WIDTH, HEIGHT)
    DRAWINGS[slug](canvas)
    return element("svg", "".join(canvas.parts), class_="road-pictogram", viewBox=f"0 0 {WIDTH} {HEIGHT}", aria_hidden="true")


def recurrence(canvas: Canvas) -> None:
    """A state, and the next made from it and a word."""
    for t in range(4):
        x = 4 + 46 * t
        grid(canvas, x, 8, strip(t, 5), "source", size=(14, 9))
        canvas.add("circle", cx=x + 7, cy=80, r=4.5, fill="var(--source)")
        arrow(canvas, x + 7, 73, x + 7, 58, "source")
        if t:
            arrow(canvas, x - 29, 30.5, x - 4, 30.5, "source")


def bottleneck(canvas: Canvas) -> None:
    """Many vectors, squeezed through one."""
    canvas.add("path", d="M58 16L73 30V58L58 72z", fill="var(--source)", fill_opacity=0.14)
    canvas.add("path", d="M102 16L87 30V58L102 72z", fill="var(--target)", fill_opacity=0.14)
    for t in range(3):
        grid(canvas, 4 + 18 * t, 17, strip(t, 6), "source", size=(14, 9))
        grid(canvas, 106 + 18 * t, 17, strip(t + 4, 6), "target", size=(14, 9))
    grid(canvas, 74, 31, strip(3, 3), "context", size=(12, 9))


def attention(canvas: Canvas) -> None:
    """One place in the target looks at five in the source."""
    for i, weight in enumerate((0.08, 0.05, 0.04, 0.6, 0.23)):
        x = 4 + 34 * i
        look = {"stroke": "var(--weight)", "stroke_width": 1.2 + 9 * weight, "stroke_opacity": 0.35 + 0.65 * weight}
        canvas.add("path", d=f"M80 25C80 48 {x + 8} 36 {x + 8} 59", fill="none", stroke_linecap="round", **look)
        grid(canvas, x, 61, strip(i, 3), "source", size=(16, 8))
    grid(canvas, 72, 1, strip(6, 3), "target", size=(16, 8))


def scores(canvas: Canvas) -> None:
    """Five maps of the same sentence, some sharper than others."""
    for k, sharp in enumerate((0.5, 0.8, 1.2, 1.8, 3)):
        x, y = (4 + 57 * k, 4) if k < 3 else (32.5 + 57 * (k - 3), 48)
        grid(canvas, x, y, [[exp(-sharp * abs(i - j)) for j in range(4)] for i in range(4)], "weight", size=(9.5, 8.5))


def qkv(canvas: Canvas) -> None:
    """Three matrices: a tall one, a wide one, a tall one."""
    width, height = 14, 12
    matrices = ((4, 10, 4, 2, "target", "Q"), (52, 22, 2, 4, "source", "Kᵀ"), (128, 10, 4, 2, "context", "V"))
    for x, y, rows, columns, role, name in matrices:
        grid(canvas, x, y, [[tone(i + x, j) for j in range(columns)] for i in range(rows)], role, size=(width, height))
        canvas.text(x + columns * width / 2, 80, name, size=15, fill=f"var(--{role})", font_weight=700)
    for x in (42, 118):
        canvas.add("circle", cx=x, cy=34, r=2, fill="var(--quiet)")


def transformer(canvas: Canvas) -> None:
    """Two stacks of blocks, the right one looking at the left."""
    for y in (8, 36, 64):
        block(canvas, 20, y, "source")
        block(canvas, 102, y, "weight" if y == 36 else "target")
        if y < 64:
            arrow(canvas, 41, y + 27, y2=y + 18, x2=41, role="quiet")
            arrow(canvas, 123, y + 27, y2=y + 18, x2=123, role="quiet")
    canvas.add("path", d="M18 72C-2 72 -2 44 18 44", fill="none", stroke="var(--quiet)", stroke_width=1.4)  # the residual
    canvas.add("path", d="M64 16C88 16 78 44 100 44", fill="none", stroke="var(--weight)", stroke_width=2.4)


def block(canvas: Canvas, x: float, y: float, role: str) -> None:
    colour = f"var(--{role})"
    canvas.add("rect", x=x, y=y, width=42, height=16, rx=4, fill=colour, fill_opacity=0.3, stroke=colour, stroke_width=1.4)


def decoding(canvas: Canvas) -> None:
    """Branches tried and dropped, and the path that was kept."""
    levels = ((44,), (14, 44, 74), (8, 26, 44, 62, 80), (14, 36, 56, 78))  # heights of the nodes, step by step
    links = (
        ((0, 0), (0, 2), (0, 1)),
        ((0, 0), (0, 1), (1, 2), (2, 4), (1, 3)),
        ((1, 0), (1, 1), (3, 3), (3, 2)),
    )  # the kept one last
    xs = (8, 56, 104, 152)
    for step, pairs in enumerate(links):
        for i, j in pairs:
            x1, y1, x2, y2 = xs[step], levels[step][i], xs[step + 1], levels[step + 1][j]
            kept = (i, j) == pairs[-1]
            look = {"stroke": "var(--target)", "stroke_width": 3} if kept else {"stroke": "var(--quiet)", "stroke_width": 1.2}
            canvas.add("path", d=f"M{x1} {y1}C{x1 + 22} {y1} {x2 - 22} {y2} {x2} {y2}", fill="none", **look)
    for step, heights in enumerate(levels):
        for i, y in enumerate(heights):
            kept = step == 0 or i == links[step - 1][-1][1]
            canvas.add("circle", cx=xs[step], cy=y, r=5.5 if kept else 3.5, fill=f"var(--{'target' if kept else 'quiet'})")


def training(canvas: Canvas) -> None:
    """A loss that falls, with the noise of its batches."""
    canvas.add("path", d="M4 4V80H156", fill="none", stroke="var(--quiet)", stroke_width=1.4)
    for jitter, look in ((9, {"stroke_width": 1.4, "stroke_opacity": 0.45}), (0, {"stroke_width": 3})):
        heights = (70 - 58 * exp(-k / 7) + jitter * exp(-k / 16) * sin(2.6 * k) for k in range(31))
        path = "L".join(f"{10 + 4.8 * k:.1f} {y:.1f}" for k, y in enumerate(heights))
        canvas.add("path", d=f"M{path}", fill="none", stroke="var(--target)", **look)


DRAWINGS = {f.__name__: f for f in (recurrence, bottleneck, attention, scores, qkv, transformer, decoding, training)}


# ---- parts ----


def tone(i: int, j: int) -> float:
    """Values that look like activations."""
    return 0.2 + 0.75 * ((3 * i + 5 * j) % 7) / 6


def strip(t: int, cells: int) -> list[list[float]]:
    return [[tone(k, t)] for k in range(cells)]


def grid(canvas: Canvas, x: float, y: float, values: list[list[float]], role: str, size: tuple[float, float]) -> None:
    """Cells as opacities of the role's colour, in a frame."""
    width, height = size
    colour = f"var(--{role})"
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            cell = {"x": x + j * width, "y": y + i * height, "width": width, "height": height}
            canvas.add("rect", **cell, fill=colour, fill_opacity=value)
    frame = {"width": width * len(values[0]), "height": height * len(values), "rx": 2}
    canvas.add("rect", x=x, y=y, **frame, fill="none", stroke=colour, stroke_width=1.2)


def arrow(canvas: Canvas, x1: float, y1: float, x2: float, y2: float, role: str) -> None:
    """Straight, to the right or up."""
    wings = ((-4, -3.5), (-4, 3.5)) if y1 == y2 else ((-3.5, 4), (3.5, 4))
    (ax, ay), (bx, by) = ((x2 + dx, y2 + dy) for dx, dy in wings)
    path = f"M{x1} {y1}L{x2} {y2}M{ax} {ay}L{x2} {y2}L{bx} {by}"
    canvas.add("path", d=path, fill="none", stroke=f"var(--{role})", stroke_width=1.4)
