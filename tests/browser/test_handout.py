"""Links that hide parts of a page, and an experiment embedded in another page."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.chromium import wait_until

PARTS = {"controls": "#toy-sizes-scale", "acts": ".act", "answers": "#toy-sizes-reading"}


@pytest.mark.parametrize("part", PARTS)
def test_a_link_can_leave_something_out(page: Page, toy: str, part: str):
    page.goto(f"{toy}/toy?experiment=sizes&hide={part}")
    for name, selector in PARTS.items():
        there = page.locator(f"#toy-sizes {selector}").first
        if name == part:
            expect(there).to_be_hidden()
        else:
            expect(there).to_be_visible()
    expect(page.locator("#toy-sizes-predict")).to_be_visible()


def test_where_answers_are_hidden_nobody_is_told(page: Page, toy: str):
    page.goto(f"{toy}/toy?experiment=sizes&hide=answers")
    page.locator("#toy-sizes-predict").get_by_role("button", name="three").click()
    scale = page.locator("#toy-sizes-scale input[type=range]")
    scale.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"scale=1\.1.*hide=answers"))  # the link keeps the parameter
    expect(page.locator("#toy-sizes-lengths")).to_have_class(re.compile("covered"))
    expect(page.locator("#toy-sizes-predict .verdict")).to_be_hidden()
    page.reload()
    expect(page.locator("#toy-sizes-lengths")).to_have_class(re.compile("covered"))
    expect(page.locator("#toy-sizes-reading")).to_be_hidden()


def test_an_experiment_in_another_page(page: Page, toy: str):
    page.goto(f"{toy}/toy?experiment=sizes")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".embeds summary").click()
    page.get_by_role("button", name="web page").click()
    expect(page.get_by_role("button", name="copied")).to_be_visible()
    code = page.evaluate("navigator.clipboard.readText()")
    assert re.match(r'<iframe src="[^"<>]*&amp;embed=1" title="Seq2See"[^<>]*></iframe>\n<script>', code)
    other = page.context.new_page()
    other.set_content(f"<h1>A course of somebody else</h1>{code}")
    frame = other.frame_locator("iframe")
    expect(frame.locator("#toy-sizes-predict")).to_be_visible()
    for around in (".header", ".tabs", ".foot-tools details"):
        expect(frame.locator(around).first).to_be_hidden()
    frame.locator("#toy-sizes-scale input[type=range]").press("ArrowRight")
    expect(frame.locator("#toy-sizes-reading")).to_contain_text("worth 0.33")
    inside = "Math.abs(document.querySelector('.gradio-container').offsetHeight - innerHeight) < 3"
    wait_until(other, lambda: other.frames[1].evaluate(inside))  # the frame has the height of its content


def test_texts_to_paste_and_a_notebook_follow_the_state(page: Page, toy: str):
    page.goto(f"{toy}/toy?experiment=sizes&guess=0")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#toy-sizes-scale input[type=range]").press("ArrowRight")
    notebook = page.get_by_role("link", name="notebook")
    expect(notebook).to_have_attribute("href", re.compile(r"^notebook/toy/sizes\.ipynb\?scale=1\.1$"))
    page.locator(".embeds summary").click()
    address = f"{toy}/toy?experiment=sizes&scale=1.1&embed=1"
    escaped = address.replace("&", "&amp;")
    for platform, start in {
        "Moodle": f'<p><iframe src="{escaped}"',
        "Quarto": f'```{{=html}}\n<iframe src="{escaped}"',
        "reveal.js": f'<section data-background-iframe="{escaped}" data-background-interactive></section>',
        "Jupyter Book": f":::{{iframe}} {address}\n:width: 100%\n:::",
    }.items():
        page.get_by_role("button", name=platform).click()
        expect(page.get_by_role("button", name="copied")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()").startswith(start)
        expect(page.get_by_role("button", name="copied")).to_be_hidden()
    with page.expect_download() as download:
        notebook.click()
    assert download.value.suggested_filename == "toy-sizes.ipynb"
    assert "'scale': 1.1" in download.value.path().read_text(encoding="utf-8")


def test_hidden_controls_leave_no_empty_column_and_hidden_answers_no_verdict(page: Page, toy: str):
    page.goto(f"{toy}/toy?experiment=sizes&hide=controls&guess=0")
    picture = page.locator("#toy-sizes .results").bounding_box()
    assert picture
    assert picture["width"] > 0.9 * 1280
    asked = []
    page.on("request", lambda request: "/check/" in request.url and asked.append(request.url))
    page.goto(f"{toy}/toy?experiment=sizes&hide=answers")
    chosen = page.locator("#toy-sizes-predict").get_by_role("button", name="one")
    chosen.click()
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(chosen).not_to_have_attribute("data-verdict", "no")
    assert not asked


# The labels of the printed pictures that are smaller than 9 pt (12 CSS pixels), subscripts aside.
SMALL_LABELS = """() => [...document.querySelectorAll("img.picture")].flatMap((img) => {
  const svg = new DOMParser().parseFromString(atob(img.src.split(",")[1]), "image/svg+xml").documentElement;
  const zoom = img.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  const fontSize = (label) => parseFloat(label.closest("[font-size]")?.getAttribute("font-size")) || 13;
  return [...svg.querySelectorAll("text")].map((label) => zoom * fontSize(label));
}).filter((size) => size < 11.9)"""


def test_nothing_on_paper_is_smaller_than_9_pt(page: Page, course: str):
    items = ["attention?experiment=step", "attention?experiment=steer", "recurrence?experiment=memory"]
    query = urlencode([("item", item) for item in items])
    page.set_viewport_size({"width": 673, "height": 1000})  # the printed part of A4
    page.emulate_media(media="print")
    page.goto(f"{course}/handout?{query}")
    expect(page.locator("img.picture")).not_to_have_count(0)
    assert page.evaluate(SMALL_LABELS) == []
    assert "drag" not in " ".join(page.locator(".handout .item").all_inner_texts()).lower()
    assert len(re.findall(rb"/Type /Page\b", page.pdf(prefer_css_page_size=True))) == len(items)


@pytest.mark.parametrize("paper", ["A4", "letter"])
def test_on_paper_an_experiment_has_a_page_and_the_form_stays_on_the_screen(page: Page, toy: str, paper: str):
    items = "&".join(f"item=toy%3Fexperiment%3D{slug}" for slug in ("sizes", "again", "steer"))
    page.goto(f"{toy}/handout?paper={paper}&{items}")
    expect(page.locator(".item")).to_have_count(3)
    expect(page.locator("form")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator("form")).to_be_hidden()
    for item in page.locator(".item").all():
        expect(item.locator(".qr")).to_be_visible()
        expect(item.locator(".picture, .sketch").first).to_be_visible()
    assert len(re.findall(rb"/Type /Page\b", page.pdf(prefer_css_page_size=True))) == 3
