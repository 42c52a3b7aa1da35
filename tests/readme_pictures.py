"""Take the README's pictures from the app: `python -m tests.readme_pictures`.

They are an animation of dragging an attention weight, one thumbnail per lesson, and a list of the lessons. A
test compares that list with the current lessons.
"""

import io
import json
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect

from lessons import LESSONS
from tests.chromium import chromium
from tests.conftest import served

FOLDER = Path(__file__).parents[1] / "assets" / "readme"
TAKEN = FOLDER / "lessons.json"
VIEWPORT = {"width": 1280, "height": 790}
ANIMATION_WIDTH, THUMBNAIL_WIDTH = 960, 320
FRAMES, FRAME_MS, LAST_FRAME_MS = 16, 160, 2500


def lesson_names() -> list[str]:
    return [lesson.title for lesson in LESSONS]


def screenshot(page: Page, width: int) -> Image.Image:
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)


def take_animation(page: Page, address: str) -> None:
    """Record “Steer”: drag the weight of step 6 to “european”, a little in each frame."""
    page.goto(f"{address}/attention?experiment=steer&guess=0")
    handle = page.locator("#attention-steer-stage .handle").nth(4)
    expect(handle).to_be_visible()
    page.wait_for_timeout(500)
    box = handle.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    frames = [screenshot(page, ANIMATION_WIDTH)]
    page.mouse.move(x, y)
    page.mouse.down()
    for n in range(1, FRAMES + 1):
        page.mouse.move(x, y - 8 * n)
        page.wait_for_timeout(250)
        frames.append(screenshot(page, ANIMATION_WIDTH))
    page.mouse.up()
    page.wait_for_timeout(500)
    frames.append(screenshot(page, ANIMATION_WIDTH))
    durations = [LAST_FRAME_MS // 2, *[FRAME_MS] * FRAMES, LAST_FRAME_MS]
    frames[0].save(
        FOLDER / "steer.webp", save_all=True, append_images=frames[1:], duration=durations, loop=0, quality=60
    )


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with contextmanager(served)(LESSONS) as address, chromium() as browser:
        page = browser.new_page(viewport=VIEWPORT)
        take_animation(page, address)
        for lesson in LESSONS:
            page.goto(f"{address}/{lesson.slug}?experiment={lesson.core[0].slug}&guess=0")
            page.wait_for_timeout(800)
            screenshot(page, THUMBNAIL_WIDTH).save(FOLDER / f"{lesson.slug}.webp", quality=70)
    TAKEN.write_text(json.dumps(lesson_names(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
