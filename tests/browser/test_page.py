"""The first view: the asked experiment in the asked state is seen before Gradio has started, and nothing jumps when it has."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.toy import LESSON as TOY

SHIFTS = """
    window.shifts = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifts += entry.value; })
        .observe({ type: "layout-shift", buffered: true });
"""
BOXES = """root => Object.fromEntries([".header", ".question", ".scene", ".view figcaption", ".reading"].map(name => {
    const found = [...document.querySelectorAll(`${root} ${name}`)].find(one => one.getClientRects().length);
    const box = found.getBoundingClientRect();
    return [name, [box.x, box.y, box.width, box.height]];
}))"""


@pytest.fixture
def without_script(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, java_script_enabled=False)
    yield context.new_page()
    context.close()


def before_gradio(other: Page, address: str) -> Page:
    """A page beside the other, to which Gradio's own script never comes; ours does."""
    page = other.context.new_page()
    page.set_viewport_size(other.viewport_size)
    page.route(re.compile(r"/assets/index-.*\.js"), lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(address)
    return page


def test_without_javascript_all_is_there_but_the_hand(without_script, toy):
    page = without_script
    page.goto(f"{toy}/toy?experiment=sizes&pull=0.4")
    section = TOY.words.sections["sizes"]
    expect(page.locator("h1")).to_have_text(section.question)
    expect(page.locator(".reading")).to_have_text("Word 1 is one, worth 0.42.")
    assert page.locator(".view svg").first.bounding_box()["height"] > 30
    expect(page.locator(".stage > .words")).to_be_visible()
    other = TOY.experiments[1]
    page.get_by_role("link", name=other.title, exact=True).click()
    expect(page.locator("h1")).to_have_text(TOY.words.sections[other.slug].question)
    page.goto(f"{toy}/")
    expect(page.get_by_role("link", name=TOY.title).first).to_be_visible()


def test_it_is_the_asked_state_and_says_what_was_wrong_with_it(without_script, toy):
    without_script.goto(f"{toy}/toy?experiment=sizes&pull=zzz&nosuch=1")
    expect(without_script.locator(".message")).to_contain_text("was left out")
    expect(without_script.locator(".reading")).to_have_text("Word 1 is one, worth 0.30.")


def test_a_state_that_is_refused_leaves_the_default_and_says_why(without_script, toy):
    """A value may be there and empty."""
    without_script.goto(f"{toy}/toy?experiment=sizes&words=&guess=0")
    expect(without_script.locator(".message")).to_have_text("Type at least one word.")
    expect(without_script.locator(".reading")).to_have_text("Word 1 is one, worth 0.30.")


def test_a_state_is_nobody_else_s(without_script, toy):
    """Also where the address sets something and names no experiment."""
    for more, said in (("?pull=0.4", "0.42"), ("", "0.30"), ("?pull=0.6", "0.48")):
        without_script.goto(f"{toy}/toy{more}")
        expect(without_script.locator(".reading > span").first).to_have_text(f"Word 1 is one, worth {said}.")


def test_what_the_guess_asks_for_is_covered_from_the_first_byte(without_script, toy):
    without_script.goto(f"{toy}/toy?experiment=sizes")
    expect(without_script.locator(".reading > span").first).to_be_hidden()
    for more in ("&guess=0", "&pull=0.4"):
        without_script.goto(f"{toy}/toy?experiment=sizes{more}")
        expect(without_script.locator(".reading > span").first).to_be_visible()


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (390, 844)], ids=str)
@pytest.mark.parametrize("address", ["toy?experiment=sizes", "toy?experiment=steer&t=2", "toy?experiment=check", ""])
def test_gradio_takes_over_without_a_jump(page, toy, address, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.add_init_script(SHIFTS)
    page.goto(f"{toy}/{address}")
    expect(page.locator("#first-view")).to_have_count(0)
    page.wait_for_timeout(300)
    assert page.evaluate("shifts") < 0.02


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (390, 844)], ids=str)
@pytest.mark.parametrize(
    "address",
    [
        "qkv?experiment=layer",  # sliders inside the scene
        "transformer?experiment=ablate",  # many controls inside it, some idle
        "decoding?experiment=filters",
        "attention?experiment=steer&present=1",  # what fits depends on the controls
        "qkv?experiment=advice&guess=0",  # equations, set late
    ],
)
def test_nothing_jumps_when_the_script_comes(page, course, address, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.add_init_script(SHIFTS)
    page.goto(f"{course}/{address}")
    page.wait_for_timeout(300)
    assert page.evaluate("shifts") < 0.02


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)], ids=str)
def test_it_stands_where_gradio_will_put_it(page, toy, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    first = before_gradio(page, f"{toy}/toy?experiment=sizes&guess=0")
    expect(first.locator("#first-view.fitted")).to_have_count(1)
    expect(first.locator("#first-view.live")).to_have_count(1)
    early = first.evaluate(BOXES, "#first-view")
    page.goto(f"{toy}/toy?experiment=sizes&guess=0")
    expect(page.locator("#first-view")).to_have_count(0)
    late = page.evaluate(BOXES, "gradio-app")
    for name, box in early.items():
        assert box == pytest.approx(late[name], abs=2), name


# ---- it moves, and then it moves in ----


class Early:
    """A page to which Gradio's script comes only when it is let in."""

    def __init__(self, page: Page, address: str):
        self.page, self.held, self.events = page, [], []
        page.on("request", lambda request: "/gradio_api/run/" in request.url and self.events.append(request))
        page.route(re.compile(r"/assets/index-.*\.js"), lambda route: self.held.append(route))
        with page.expect_request(re.compile(r"/assets/index-.*\.js")):
            page.goto(address, wait_until="commit")
        expect(page.locator("#first-view.live")).to_have_count(1)

    def let_in(self) -> None:
        self.held.pop().continue_()

    def let_in_and_wait(self) -> None:
        self.let_in()
        expect(self.page.locator("#first-view")).to_have_count(0)


@pytest.fixture
def early(browser: Browser, toy: str) -> Iterator[Callable[[str], Early]]:
    context = browser.new_context(viewport={"width": 1000, "height": 500})
    faults: list[str] = []
    context.on("weberror", lambda fault: faults.append(str(fault.error)))
    yield lambda address: Early(context.new_page(), f"{toy}/{address}")
    context.close()
    assert not faults


def test_the_hand_need_not_wait_for_gradio(early):
    at = early("toy?experiment=sizes&guess=0")
    at.page.locator("#toy-sizes-scale-field").press("ArrowRight")
    expect(at.page.locator("#toy-sizes-reading")).to_have_text("Word 1 is one, worth 0.33.")
    expect(at.page).to_have_url(re.compile("scale=1.1$"))
    at.page.get_by_role("button", name="Where is the table?").click()
    expect(at.page.locator("#toy-sizes-corner")).to_be_visible()
    at.let_in_and_wait()
    expect(at.page.locator("gradio-app #toy-sizes-reading")).to_have_text("Word 1 is one, worth 0.33.")
    expect(at.page.locator("#toy-sizes-scale-field")).to_have_value("1.1")
    expect(at.page.locator("#toy-sizes-corner")).to_be_visible()
    at.page.locator("#toy-sizes-scale-field").press("ArrowRight")
    expect(at.page.locator("#toy-sizes-reading")).to_have_text("Word 1 is one, worth 0.36.")


def test_a_linked_state_is_there_with_its_controls_and_nothing_is_asked_for(early):
    at = early("toy?experiment=sizes&words=a+bcd&t=2&loud=1&acts=table")
    for _ in range(2):
        expect(at.page.locator("#toy-sizes-words-field")).to_have_value("a bcd")
        expect(at.page.locator("#toy-sizes-t-field")).to_have_value("2")
        expect(at.page.locator("#toy-sizes-loud-field")).to_be_checked()
        expect(at.page.locator("#toy-sizes-reading")).to_have_text("Word 2 is bcd, worth 0.60.")
        expect(at.page.locator("#toy-sizes-corner")).to_be_visible()
        at.page.wait_for_timeout(500)
        assert not [event for event in at.events if "x-ahead" not in event.headers]
        if at.held:
            at.let_in_and_wait()


def test_a_guess_before_gradio_is_a_guess(early):
    at = early("toy?experiment=sizes")
    expect(at.page.locator("#toy-sizes-reading > span").first).to_be_hidden()
    at.page.locator("#toy-sizes").get_by_role("button", name="one", exact=True).first.click()
    expect(at.page.locator(".guess .verdict")).to_contain_text("It has three letters only.")
    expect(at.page.locator("#toy-sizes-reading > span").first).to_be_visible()
    at.let_in_and_wait()
    expect(at.page.locator(".guess .verdict")).to_contain_text("It has three letters only.")


def test_who_types_goes_on_typing(early):
    at = early("toy?experiment=sizes&guess=0")
    words = at.page.locator("#toy-sizes-words-field")
    words.fill("one three")
    words.press("Home")
    words.press_sequentially("x")
    at.let_in_and_wait()
    at.page.keyboard.type("y")
    expect(words).to_have_value("xyone three")
    expect(at.page.locator("#toy-sizes-reading")).to_contain_text("Word 1 is xyone")


def test_nothing_is_taken_out_of_a_hand(early):
    at = early("toy?experiment=steer")
    box = at.page.locator("#toy-steer-shares .knob").nth(1).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    at.page.mouse.move(x, y)
    at.page.mouse.down()
    at.page.mouse.move(x + 40, y, steps=4)
    expect(at.page.locator("#toy-steer-reading")).not_to_contain_text("0.50 0.30 0.20")
    before = at.page.locator("#toy-steer-reading").inner_text()
    at.let_in()
    at.page.locator("gradio-app .experiments").wait_for(state="attached")
    at.page.wait_for_timeout(300)
    expect(at.page.locator("#first-view")).to_have_count(1)
    at.page.mouse.move(x + 80, y, steps=4)
    expect(at.page.locator("#toy-steer-reading")).not_to_have_text(before)
    at.page.mouse.up()
    expect(at.page.locator("#first-view")).to_have_count(0)
    expect(at.page.locator("gradio-app #toy-steer-reading")).not_to_have_text(before)


def test_who_asks_for_another_tab_gets_it_with_what_the_address_hides(early):
    at = early("toy?experiment=sizes&hide=acts")
    at.page.get_by_role("link", name="Again", exact=True).click()
    at.let_in_and_wait()
    expect(at.page.locator("#toy-again-reading")).to_have_text("Word 1 is a, worth 0.10.")
    expect(at.page).to_have_url(re.compile("experiment=again&hide=acts$"))


def test_a_hand_is_quicker_than_the_picture_of_a_tab(page, toy):
    """What it has moved stays moved."""
    held = []
    page.goto(f"{toy}/toy?experiment=steer")
    page.route("**/gradio_api/run/**", lambda route: held.append(route))
    page.get_by_role("tab", name="Again").click()
    page.locator("#toy-again-scale-field").press("ArrowRight")
    while not held:
        page.wait_for_timeout(20)
    for route in held:
        route.continue_()
    page.unroute("**/gradio_api/run/**")
    expect(page.locator("#toy-again-reading")).to_have_text("Word 1 is a, worth 0.11.")
    expect(page.locator("#toy-again-scale-field")).to_have_value("1.1")


def test_on_stage_it_stays_arranged(browser, course):
    """What was taken away to make room does not come back."""
    with browser.new_context(viewport={"width": 1280, "height": 720}) as context:
        at = Early(context.new_page(), f"{course}/transformer?experiment=scoreboard&present=1&guess=0")
        arranged = "document.getElementById('transformer-scoreboard').dataset.without"
        before = at.page.evaluate(arranged)
        assert before
        at.let_in_and_wait()
        assert at.page.evaluate(arranged) == before


def test_a_panel_opens_when_it_has_come(early):
    at = early("toy?experiment=sizes&guess=0")
    at.page.get_by_role("button", name="glossary").click()
    at.let_in_and_wait()
    expect(at.page.get_by_role("dialog", name="Glossary")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_theme_chosen_early_stays(browser, toy, scheme):
    context = browser.new_context(color_scheme=scheme)
    at = Early(context.new_page(), f"{toy}/toy?experiment=sizes&guess=0")
    at.page.get_by_role("button", name="switch between light and dark").click()
    paper = "getComputedStyle(document.querySelector('.stage')).getPropertyValue('--paper')"
    chosen = at.page.evaluate(paper)
    at.let_in_and_wait()
    assert at.page.evaluate(paper) == chosen
    assert at.page.evaluate("document.body.classList.contains('dark')") == (scheme == "light")
    context.close()


@pytest.mark.parametrize("here", ["Map", "Steer", "present", "Upside down"])
def test_focus_and_scrolling_stay(early, here):
    at = early("toy?experiment=sizes&guess=0")
    at.page.set_viewport_size({"width": 1000, "height": 300})
    at.page.locator("#first-view").get_by_text(here, exact=True).focus()
    at.page.evaluate("scrollTo(0, 100)")
    at.let_in_and_wait()
    at.page.wait_for_function("here => document.activeElement.innerText === here", arg=here)
    assert at.page.evaluate("scrollY") == 100


def test_a_link_never_shows_another_experiment(page, toy):
    """Every question that is ever painted is the asked one."""
    page.add_init_script("""
        window.seen = new Set();
        const look = () => {
            for (const one of document.querySelectorAll(".question")) {
                if (one.checkVisibility({ visibilityProperty: true })) window.seen.add(one.innerText);
            }
            requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
    """)
    page.goto(f"{toy}/toy?experiment=steer")
    expect(page.locator("#first-view")).to_have_count(0)
    page.wait_for_timeout(300)
    assert page.evaluate("[...window.seen]") == [TOY.words.sections["steer"].question]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_has_the_right_theme_at_once(browser, toy, scheme):
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()

    def paper(address: str) -> str:
        first = before_gradio(page, address)
        return first.locator("#first-view").evaluate("one => getComputedStyle(one).backgroundColor")

    other = {"light": "dark", "dark": "light"}[scheme]
    by_system, by_link = (paper(f"{toy}/toy{more}") for more in ("", f"?__theme={other}"))
    assert by_system != by_link
    page.goto(f"{toy}/robots.txt")
    page.evaluate("theme => localStorage.setItem('seq2see', JSON.stringify({ theme }))", other)
    assert paper(f"{toy}/toy") == by_link
    context.close()


@pytest.mark.parametrize("address", ["/", "/toy"])
def test_all_that_gradio_will_ask_for_is_named_at_once(page, toy, address):
    """What the page names and what Gradio then asks for are the same files: none is found late, none comes in vain."""
    page.goto(toy + address)
    page.wait_for_load_state("networkidle")
    asked = page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    theirs = {name for name in asked if "/assets/" in name and "katex" not in name and "/assets/index-" not in name}
    page_itself = page.request.get(toy + address).text()  # Gradio's script adds links of its own
    named = {f"{toy}/{href}" for href in re.findall(r'crossorigin href="(assets/[^"]+)"', page_itself)}
    assert len(named) > 20
    assert named == theirs


def test_the_next_lesson_is_fetched_when_the_pointer_rests_on_its_name(page, toy):
    page.goto(f"{toy}/toy")
    with page.expect_request(lambda request: "prefetch" in request.headers.get("sec-purpose", "")):
        page.get_by_role("navigation", name="lessons").get_by_role("link", name="Map").hover()
