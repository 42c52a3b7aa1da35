"""Pictogram of the lesson: branches that were tried and dropped, and the path that was kept."""

from lessons.kit.pictures.base import Canvas


def draw(canvas: Canvas) -> None:
    levels = (
        (44,),
        (14, 44, 74),
        (8, 26, 44, 62, 80),
        (14, 36, 56, 78),
    )  # heights of the nodes at each step
    links = (
        ((0, 0), (0, 2), (0, 1)),
        ((0, 0), (0, 1), (1, 2), (2, 4), (1, 3)),
        ((1, 0), (1, 1), (3, 3), (3, 2)),
    )  # the kept path comes last
    xs = (8, 56, 104, 152)
    for step, pairs in enumerate(links):
        for i, j in pairs:
            x1, y1, x2, y2 = xs[step], levels[step][i], xs[step + 1], levels[step + 1][j]
            kept = (i, j) == pairs[-1]
            colour, thick = ("target", 3.0) if kept else ("quiet", 1.2)
            curve = f"M{x1} {y1}C{x1 + 22} {y1} {x2 - 22} {y2} {x2} {y2}"
            canvas.add("path", d=curve, fill="none", stroke=f"var(--{colour})", stroke_width=thick)
    for step, heights in enumerate(levels):
        for i, y in enumerate(heights):
            kept = step == 0 or i == links[step - 1][-1][1]
            canvas.add(
                "circle",
                cx=xs[step],
                cy=y,
                r=5.5 if kept else 3.5,
                fill=f"var(--{'target' if kept else 'quiet'})",
            )
