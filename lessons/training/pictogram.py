"""Pictogram of the lesson: a falling loss curve with steps, and a rising accuracy curve."""

from lessons.kit.pictures.base import Canvas

AXES = "M10 6V80H154"
LOSS = "M12 12C40 14 44 66 84 70S130 74 152 75"
ACCURACY = "M12 76C60 74 66 18 110 14S140 12 152 12"
STEPS = ((13, 12), (35, 27), (50, 50), (72, 67), (104, 72), (140, 74.5))


def draw(canvas: Canvas) -> None:
    canvas.add("path", d=AXES, fill="none", stroke="var(--quiet)", stroke_width=1.2)
    canvas.add("path", d=LOSS, fill="none", stroke="var(--target)", stroke_width=2.4)
    for x, y in STEPS:
        canvas.add("circle", cx=x, cy=y, r=4, fill="var(--target)")
    canvas.add("path", d=ACCURACY, fill="none", stroke="var(--weight)", stroke_width=2.4)
