"""A page is complete HTML: it works without JavaScript, scripts make it interactive, and nothing jumps."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.toy import LESSON as TOY

SCRIPT = "**/static/*/page.js"
SHIFTS = """
    window.shifts = 0;
    const add = (list) => { for (const entry of list.getEntries()) window.shifts += entry.value; };
    new PerformanceObserver(add)
        .observe({ type: "layout-shift", buffered: true });
"""
SIZES = [(1280, 720), (1920, 1080), (390, 844)]


@pytest.fixture
def without_script(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, java_script_enabled=False)
    yield context.new_page()
    context.close()


def is_live(page: Page) -> None:
    page.wait_for_selector("html.live", state="attached")


# ---- without JavaScript ----


def test_without_javascript_a_page_reads_and_links(without_script, toy):
    page = without_script
    page.goto(f"{toy}/toy?experiment=sizes&pull=0.4")
    section = TOY.text.experiments["sizes"]
    expect(page.locator("h1")).to_have_text(section.question)
    expect(page.locator(".reading")).to_have_text("Word 1 is one, worth 0.42.")
    assert page.locator(".view svg").first.bounding_box()["height"] > 30
    expect(page.locator(".drawing > .words")).to_be_visible()
    other = TOY.experiments[1]
    page.locator(f'.tab-strip [data-tab="{other.slug}"]').click()
    expect(page.locator("h1")).to_have_text(TOY.text.experiments[other.slug].question)
    page.get_by_role("link", name="← previous").click()
    expect(page.locator("h1")).to_have_text(section.question)
    page.get_by_role("button", name="Upside down").click()  # a preset is a link to its state
    expect(page.locator(".reading")).to_have_text("Word 1 is one, worth -0.60.")
    page.get_by_role("link", name="glossary").click()
    expect(page.locator("h1")).to_have_text("Glossary")
    page.goto(f"{toy}/")
    expect(page.get_by_role("link", name=TOY.title).first).to_be_visible()


def test_without_javascript_the_form_shows_the_new_state(without_script, toy):
    page = without_script
    page.goto(f"{toy}/toy?experiment=sizes&guess=0")
    page.locator("#toy-sizes-words-field").fill("éa bcd")
    page.locator("#toy-sizes-t-field").press("ArrowRight")
    page.locator("#toy-sizes-scale-field").press("ArrowRight")
    page.get_by_label("minus").check(force=True)
    page.locator("#toy-sizes-loud-field").check()
    page.get_by_role("button", name="show", exact=True).click()
    expect(page.locator(".reading")).to_have_text("Word 2 is bcd, worth -0.66.")
    expect(page.locator("#toy-sizes-words-field")).to_have_value("éa bcd")
    expect(page.locator("#toy-sizes-t-field")).to_have_value("2")
    expect(page.locator("#toy-sizes-scale-field")).to_have_value("1.1")
    expect(page.get_by_label("minus")).to_be_checked()
    expect(page.locator("#toy-sizes-loud-field")).to_be_checked()
    expect(page.locator(".message")).to_have_count(0)
    page.locator("#toy-sizes-loud-field").uncheck()
    page.get_by_role("button", name="show", exact=True).click()
    expect(page.locator(".reading")).to_have_text("Word 2 is bcd, worth -0.33.")


def test_without_javascript_a_box_that_starts_checked_can_be_unchecked(without_script, course):
    page = without_script
    page.goto(f"{course}/qkv?experiment=mask&guess=0")
    before = page.locator(".reading").inner_text()
    page.locator("#qkv-mask-masked-field").uncheck()
    page.get_by_role("button", name="show", exact=True).click()
    expect(page.locator("#qkv-mask-masked-field")).not_to_be_checked()
    expect(page.locator(".reading")).not_to_have_text(before)


def test_the_asked_state_is_shown_with_what_was_wrong_with_it(without_script, toy):
    without_script.goto(f"{toy}/toy?experiment=sizes&pull=zzz&nosuch=1")
    expect(without_script.locator(".message")).to_contain_text("was left out")
    expect(without_script.locator(".reading")).to_have_text("Word 1 is one, worth 0.30.")


def test_a_state_that_is_refused_leaves_the_default_and_says_why(without_script, toy):
    """An empty value must show the default and the reason for the refusal."""
    without_script.goto(f"{toy}/toy?experiment=sizes&words=&guess=0")
    expect(without_script.locator(".message")).to_have_text("Type at least one word.")
    expect(without_script.locator(".reading")).to_have_text("Word 1 is one, worth 0.30.")


def test_a_cached_page_is_only_for_its_own_address(without_script, toy):
    """Each URL must get its own page, even if it sets a value without naming an experiment."""
    for more, said in (("?pull=0.4", "0.42"), ("", "0.30"), ("?pull=0.6", "0.48")):
        without_script.goto(f"{toy}/toy{more}")
        expect(without_script.locator(".reading > span").first).to_have_text(f"Word 1 is one, worth {said}.")


def test_what_the_guess_asks_for_is_covered_from_the_first_byte(without_script, toy):
    without_script.goto(f"{toy}/toy?experiment=sizes")
    expect(without_script.locator(".reading > span").first).to_be_hidden()
    for more in ("&guess=0", "&pull=0.4"):
        without_script.goto(f"{toy}/toy?experiment=sizes{more}")
        expect(without_script.locator(".reading > span").first).to_be_visible()


# ---- the page becomes live ----


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(
    "address", ["toy?experiment=sizes", "toy?experiment=steer&t=2", "toy?experiment=check", ""]
)
def test_nothing_jumps_when_the_script_comes(page, toy, address, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.add_init_script(SHIFTS)
    page.goto(f"{toy}/{address}")
    is_live(page)
    page.wait_for_timeout(300)
    assert page.evaluate("shifts") < 0.02


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(
    "address",
    [
        "qkv?experiment=layer",  # sliders inside the scene
        "transformer?experiment=ablate",  # many controls inside the scene, some idle
        "decoding?experiment=filters",
        "attention?experiment=steer&present=1",  # the layout depends on the controls
        "qkv?experiment=advice&guess=0",  # an experiment with equations, which are typeset late
    ],
)
def test_nothing_jumps_in_a_lesson_of_the_course(page, course, address, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.add_init_script(SHIFTS)
    page.goto(f"{course}/{address}")
    is_live(page)
    page.wait_for_timeout(300)
    assert page.evaluate("shifts") < 0.02


def test_a_linked_state_needs_no_request_for_a_drawing(page, toy):
    drawn = []
    page.on("request", lambda request: "/draw/" in request.url and drawn.append(request.url))
    page.goto(f"{toy}/toy?experiment=sizes&words=a+bcd&t=2&loud=1&table=2,0;0,1&acts=table")
    is_live(page)
    expect(page.locator("#toy-sizes-words-field")).to_have_value("a bcd")
    expect(page.locator("#toy-sizes-t-field")).to_have_value("2")
    expect(page.locator("#toy-sizes-loud-field")).to_be_checked()
    expect(page.locator(".place td input").first).to_have_value("2")
    expect(page.locator("#toy-sizes-reading")).to_have_text("Word 2 is bcd, worth 1.20.")
    expect(page.locator("#toy-sizes-corner")).to_be_visible()
    page.wait_for_timeout(800)
    assert drawn == []


def test_a_first_visit_asks_for_few_files_and_none_of_gradio(page, toy):
    asked = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(toy)))
    page.goto(f"{toy}/toy?guess=0")
    is_live(page)
    page.wait_for_load_state("networkidle")
    assert len(asked) <= 20
    assert [address for address in asked if re.match("/(assets|gradio|theme|config|svelte)", address)] == []


def test_a_link_never_shows_another_experiment(page, toy):
    """Only the question of the requested tab may ever be painted; later tabs show only their own."""
    page.add_init_script("""
        window.seen = new Set();
        const look = () => {
            const all = [...document.querySelectorAll(".question")];
            const here = all.filter((one) => one.checkVisibility({ visibilityProperty: true }));
            if (here.length) window.seen.add(here.map((one) => one.innerText).join(" + "));
            requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
    """)
    page.goto(f"{toy}/toy?experiment=steer")
    is_live(page)
    page.wait_for_timeout(300)
    asked = [TOY.text.experiments["steer"].question]
    assert page.evaluate("[...window.seen]") == asked
    for slug in ("again", "sizes", "again"):
        page.locator(f'.tab-strip [data-tab="{slug}"]').click()
        expect(page.locator(f"#toy-{slug}")).to_be_visible()
        page.wait_for_timeout(100)
    asked += [TOY.text.experiments[slug].question for slug in ("again", "sizes")]
    assert page.evaluate("[...window.seen]") == asked


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_has_the_right_theme_at_once(browser, toy, scheme):
    """The theme of the link, the learner or the system must apply before the script loads."""
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.route(SCRIPT, lambda route: route.fulfill(body="", content_type="text/javascript"))

    def paper(address: str) -> str:
        page.goto(address)
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    other = {"light": "dark", "dark": "light"}[scheme]
    by_system = paper(f"{toy}/toy")
    by_link = paper(f"{toy}/toy?__theme={other}")
    assert by_system != by_link
    page.evaluate("theme => localStorage.setItem('seq2see', JSON.stringify({ theme }))", other)
    assert paper(f"{toy}/toy") == by_link
    assert paper(f"{toy}/toy?__theme={scheme}") == by_system
    context.close()


def test_the_next_lesson_is_fetched_when_the_pointer_rests_on_its_name(page, toy):
    page.goto(f"{toy}/toy")
    with page.expect_request(lambda request: "prefetch" in request.headers.get("sec-purpose", "")):
        page.get_by_role("navigation", name="lessons").get_by_role("link", name="Map").hover()


# ---- actions before the script has loaded ----


class Early:
    """A page whose script is held back until it is released."""

    def __init__(self, page: Page, address: str):
        self.page, self.held = page, list[Route]()
        page.route(SCRIPT, lambda route: self.held.append(route))
        with page.expect_request(SCRIPT):
            page.goto(address, wait_until="commit")
        page.wait_for_selector(".foot")

    def let_in(self) -> None:
        self.held.pop().continue_()
        is_live(self.page)


@pytest.fixture
def early(page: Page, toy: str) -> Callable[[str], Early]:
    page.set_viewport_size({"width": 1000, "height": 500})
    return lambda address: Early(page, f"{toy}/{address}")


ANDROID = (
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile"
    " Safari/537.36"
)


def test_what_a_phone_moves_before_the_script_comes_counts(browser, toy):
    """On a phone the picture must be shown at once, and controls moved before the script runs must count."""
    with browser.new_context(
        viewport={"width": 390, "height": 844}, is_mobile=True, user_agent=ANDROID
    ) as context:
        drawn: list[str] = []
        context.on(
            "request", lambda r: "/draw/" in r.url and "x-ahead" not in r.headers and drawn.append(r.url)
        )
        at = Early(context.new_page(), f"{toy}/toy?experiment=sizes&guess=0&scale=0.5&t=2")
        at.page.locator("#toy-sizes-words-field").fill("a bcd")
        at.page.locator("#toy-sizes-scale-field").press("ArrowRight")
        at.page.get_by_label("minus").check(force=True)
        at.page.locator("#toy-sizes-loud-field").check()
        at.let_in()
        expect(at.page.locator("#toy-sizes-reading")).to_have_text("Word 2 is bcd, worth -0.36.")
        expect(at.page.locator("#toy-sizes-scale output")).to_have_text("0.6")
        expect(at.page.locator("#toy-sizes-words-field")).to_have_value("a bcd")
        expect(at.page).to_have_url(re.compile(r"words=a\+bcd&t=2&scale=0.6&sign=minus&loud=1$"))
        drawn.clear()
        at.page.unroute(SCRIPT)
        at.page.reload()  # an unchanged state is not drawn again
        is_live(at.page)
        at.page.wait_for_timeout(500)
        assert drawn == []


def test_no_control_can_be_moved_before_the_script_sees_it(early):
    """Controls must be hidden until the script runs; an unnoticed move would contradict the picture."""
    at = early("toy?experiment=sizes&guess=0")
    expect(at.page.locator("#toy-sizes-scale-field")).to_be_hidden()
    at.let_in()
    at.page.locator("#toy-sizes-scale-field").press("ArrowRight")
    expect(at.page.locator("#toy-sizes-reading")).to_have_text("Word 1 is one, worth 0.33.")


@pytest.mark.parametrize(
    ("name", "slug"),
    [("Again", "again"), ("next →", "again"), ("Check yourself", "check")],
    ids=["tab", "next", "check"],
)
def test_links_work_before_the_script_comes(early, name, slug):
    at = early("toy?experiment=sizes&guess=0")
    at.page.unroute(SCRIPT)
    at.page.locator(".tab-strip, .steps").get_by_role("link", name=name, exact=True).click()
    is_live(at.page)
    expect(at.page.locator(f"#toy-{slug}")).to_be_visible()
    expect(at.page).to_have_url(re.compile(f"experiment={slug}$"))


@pytest.mark.parametrize("here", ["Map", "Steer", "glossary", "next →"])
def test_focus_and_scrolling_stay_when_the_page_becomes_live(early, here):
    at = early("toy?experiment=sizes&guess=0")
    at.page.set_viewport_size({"width": 1000, "height": 300})
    at.page.locator("header, .tab-strip, .steps").get_by_role("link", name=here, exact=True).focus()
    at.page.evaluate("scrollTo(0, 100)")
    at.let_in()
    at.page.wait_for_timeout(200)
    assert at.page.evaluate("document.activeElement.innerText.replace(/^\\d\\s*/, '')") == here
    assert at.page.evaluate("scrollY") == 100


def test_another_tab_keeps_what_the_address_hides(page, toy):
    page.goto(f"{toy}/toy?experiment=sizes&hide=acts")
    page.locator('.tab-strip [data-tab="again"]').click()
    expect(page.locator("#toy-again-reading")).to_have_text("Word 1 is a, worth 0.10.")
    expect(page).to_have_url(re.compile("experiment=again&hide=acts$"))
    expect(page.locator("#toy-again .act")).to_be_hidden()


# ---- by keyboard ----

# The focused element: its text, and whether its focus is visible.
FOCUS = """() => {
  const here = document.activeElement, box = here.getBoundingClientRect();
  const marked = here.matches(".pill input") ? here.nextElementSibling : here;
  const inside = (selector) => getComputedStyle(here.querySelector(selector));
  const isMarked = here.matches(".handle") ? parseFloat(inside(".knob").strokeWidth) >= 5
    : here.matches(".pick") ? inside("text").textDecorationLine === "underline"
    : getComputedStyle(marked).outlineStyle !== "none";
  const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
  const isInView = x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight;
  return [here.getAttribute("aria-label") || here.textContent.trim() || here.id, isMarked && isInView];
}"""


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)], ids=str)
def test_the_keyboard_leads_from_the_skip_link_through_the_guess_to_the_next_tab(page, toy, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.goto(f"{toy}/toy")
    guess = page.locator("#toy-sizes-predict")
    expect(guess).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(guess).to_be_focused()
    expect(guess).to_be_in_viewport(ratio=1)
    page.keyboard.press("Tab")
    expect(guess.get_by_role("button", name="one")).to_be_focused()
    page.keyboard.press("Enter")
    expect(guess.locator(".verdict")).to_contain_text("It has three letters only.")
    # the option is hidden, so the folded verdict gets the focus
    expect(guess.locator(".fold")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#toy-sizes-words-field")).to_be_focused()
    page.get_by_role("link", name="next →").focus()
    page.keyboard.press("Enter")
    expect(
        page.locator("#toy-again h1")
    ).to_be_focused()  # the link has scrolled out of view, and a screen reader reads the question
    expect(page.locator("#toy-again-scale-field")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator("#toy-again-scale-field")).to_be_focused()


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)], ids=str)
def test_all_that_the_keyboard_reaches_shows_that_it_has_the_focus(page, toy, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.emulate_media(reduced_motion="reduce")  # highlights change at once
    page.goto(f"{toy}/toy?experiment=sizes&guess=0&acts=pulling.table")
    is_live(page)
    expect(page.locator("#toy-sizes-pulls .knob")).to_be_visible()
    seen: list[str] = []
    for _ in range(80):
        page.keyboard.press("Tab")
        name, is_shown = page.evaluate(FOCUS)
        if page.evaluate("document.activeElement === document.body") or name in seen[:1]:
            break
        seen.append(name)
        assert is_shown, name
    assert [name for name in seen if name.startswith("Skip")] == seen[:1]
    assert len(seen) > 25
    assert seen[-1] == "next →"
