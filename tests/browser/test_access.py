"""Everything works without a mouse and without dragging, and a screen reader is told what happens."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from lessons import LESSONS
from lessons.attention import LESSON as ATTENTION
from lessons.kit.contract import DragHandles, RowEdits
from tests.browser.expected import text_of_reading
from tests.browser.test_layout import serious
from tests.chromium import wait_for, wait_until

DRAGGED = [
    (lesson, experiment, control)
    for lesson in LESSONS
    for experiment in lesson.experiments
    for control in experiment.controls
    if isinstance(control, DragHandles | RowEdits)
]


def open_experiment(page: Page, course: str, lesson: str, slug: str, query: str = "&guess=0") -> Locator:
    """Open an experiment and return its drawing."""
    page.goto(f"{course}/{lesson}?experiment={slug}{query}")
    page.wait_for_selector("html.live", state="attached")
    return page.locator(f"#{lesson}-{slug}-stage .drawing")


# ---- without dragging (2.5.7) ----


def test_a_click_in_its_track_sets_a_bar(page: Page, course: str):
    open_experiment(page, course, "attention", "steer")
    reading = page.locator("#attention-steer-reading")
    expect(reading).to_contain_text(text_of_reading(ATTENTION, "steer"))
    track = page.locator("#attention-steer-row .ground").nth(4).bounding_box()
    assert track
    page.mouse.click(track["x"] + 0.9 * track["width"], track["y"] + track["height"] / 2)
    expect(page).to_have_url(re.compile("weights=6"))
    moved = float(page.locator("#attention-steer-row .handle").nth(4).get_attribute("aria-valuenow") or 0)
    assert moved == pytest.approx(0.9, abs=0.03)
    expect(reading).not_to_contain_text(text_of_reading(ATTENTION, "steer"))


def test_two_clicks_move_an_arrow(page: Page, course: str):
    open_experiment(page, course, "scores", "plane")
    arrow, picture = (
        page.locator("#scores-plane-query_and_keys .handle").nth(1),
        "#scores-plane-query_and_keys svg",
    )
    before, knob, box = arrow.get_attribute("aria-valuetext"), arrow.locator(".knob").bounding_box(), None
    box = page.locator(picture).bounding_box()
    assert knob
    assert box
    free = box["x"] + 0.75 * box["width"], box["y"] + 0.85 * box["height"]
    page.mouse.click(*free)  # no arrow is chosen yet
    page.mouse.click(knob["x"] + 7, knob["y"] + 7)
    expect(page.locator(f"{picture} .handle.chosen")).to_have_count(1)
    expect(arrow).to_have_attribute("aria-valuetext", before or "")
    page.mouse.click(*free)
    expect(arrow).not_to_have_attribute("aria-valuetext", before or "")
    x, y = (
        float(part.replace("−", "-")) for part in (arrow.get_attribute("aria-valuetext") or "").split(", ")
    )
    assert x > 0 > y  # right of the middle and below it
    expect(page.locator(f"{picture} .handle.chosen")).to_have_count(0)


@pytest.mark.parametrize(
    ("lesson", "experiment", "control"),
    DRAGGED,
    ids=lambda part: getattr(part, "slug", None) or getattr(part, "name", None),
)
def test_every_dragged_mark_has_a_number_field(page: Page, course: str, lesson, experiment, control):
    acts = ".".join(act.slug for act in experiment.acts)
    drawing = open_experiment(page, course, lesson.slug, experiment.slug, f"&guess=0&acts={acts}")
    widget = page.locator(f'#{lesson.slug}-{experiment.slug} .widget[data-name="{control.name}"]')
    widget.get_by_role("button", name="type numbers").click()
    marks = page.locator(f'.handle[data-handle="{control.name}"]')
    places = {
        (mark.get_attribute("data-index"), mark.get_attribute("aria-valuetext")) for mark in marks.all()
    }
    fields = widget.locator(".fields input")
    expect(fields).to_have_count(sum(2 if text else 1 for _, text in places))
    expect(fields.first).to_be_focused()
    for field in fields.all():
        box = field.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 24
    before, value = drawing.get_attribute("data-link"), number_in(fields.first)
    fields.first.press("ArrowDown" if value > 0.5 else "ArrowUp")
    expect(drawing).not_to_have_attribute("data-link", before or "")
    assert abs(number_in(fields.first) - value) == pytest.approx(0.05, abs=0.002)
    fields.first.fill("9999")
    expect(widget.locator(".cell-wrong")).to_contain_text("a number between")
    expect(fields.first).to_have_attribute("aria-invalid", "true")


def number_in(field: Locator) -> float:
    return float(field.input_value().replace("−", "-"))


# ---- what a screen reader hears ----


def test_the_reading_is_announced_once_when_nothing_moves_any_more(page: Page, course: str):
    open_experiment(page, course, "attention", "step")
    heard = """() => { globalThis.heard = []; const place = document.querySelector(".announcer");
      new MutationObserver(() => heard.push(place.textContent)).observe(place, { childList: true }); }"""
    reading = page.locator("#attention-step-reading")
    expect(reading).to_contain_text(text_of_reading(ATTENTION, "step"))
    page.wait_for_timeout(1500)  # a page that opens does not announce anything
    page.evaluate(heard)
    assert page.evaluate("document.querySelector('.announcer').textContent") == ""
    slider = page.locator("#attention-step-t input")
    for _ in range(2):
        before = reading.text_content()
        slider.press("ArrowRight")
        expect(reading).not_to_have_text(before or "")
    wait_until(page, lambda: page.evaluate("heard.length") > 0)
    assert page.evaluate("heard") == [(reading.text_content() or "").strip()]
    assert page.locator("[aria-live=polite], [role=status]").filter(has=reading).count() == 0


def test_a_picture_is_told_in_words_and_as_a_table(page: Page, course: str):
    open_experiment(page, course, "attention", "align")
    wait_for(page, "document.querySelector('[data-numbers]')")
    picture = page.locator("#attention-align-alignment")
    said = picture.get_by_role("img").get_attribute("aria-label") or ""
    assert "Largest value of each row:" in said
    assert "zone: area" in said
    picture.locator(".frame").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("columnheader", name="value")).to_be_visible()
    expect(dialog.get_by_role("cell", name="zone", exact=True).first).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(picture.locator(".frame")).to_be_focused()
    page.keyboard.press("Tab")
    button = picture.get_by_role("button", name="Numbers as a table")
    expect(button).to_be_focused()
    assert (button.bounding_box() or {})["height"] >= 24  # visible while it has the focus
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("columnheader", name="value")).to_be_visible()


# ---- by keyboard alone ----

# The element with the focus: what it is, its name for a screen reader, and what is wrong with its focus.
FOCUSED = """() => {
  const e = document.activeElement;
  if (!e || e === document.body) return null;
  const shown = e.querySelector(":scope > .knob") ?? e.closest("label.pill, label.file") ?? e;
  const { left, top, width, height } = shown.getBoundingClientRect(), wrong = [];
  const isPart = (hit) => shown.contains(hit) || hit.contains(shown) || hit.closest("label")?.contains(e);
  const isHit = (hit) => hit && isPart(hit), shares = [0.1, 0.5, 0.9];
  const at = (x, y) => document.elementFromPoint(left + x * width, top + y * height);
  const isSeen = shares.some((x) => shares.some((y) => isHit(at(x, y))));
  if (!isSeen) wrong.push(`covered or out of view at ${Math.round(left)}, ${Math.round(top)}`);
  const kind = e.tagName + (e.getAttribute("class") ?? "") + (e.type ?? "");
  globalThis.checkedKinds ??= new Set();
  if (!checkedKinds.has(kind) && e.tabIndex >= 0) {
    checkedKinds.add(kind);
    const parts = [e, ...[...e.querySelectorAll("*")].slice(0, 12), e.nextElementSibling].filter(Boolean);
    const look = () => parts.map((part) => {
      const style = getComputedStyle(part);
      const names = ["outline", "stroke", "strokeWidth", "textDecoration", "borderColor", "backgroundColor"];
      return names.map((name) => style[name]).join();
    }).join("|");
    const focused = look();
    e.blur();
    const blurred = look();
    e.focus({ preventScroll: true });
    if (focused === blurred) wrong.push(`nothing shows that “${kind}” has the focus`);
  }
  const names = [e.getAttribute("aria-label"), e.labels?.[0]?.textContent, e.textContent, e.title];
  const name = names.map((name) => name?.trim()).find(Boolean) ?? "";
  if (!name) wrong.push(`no name: ${e.outerHTML.slice(0, 120)}`);
  return {
    wrong, name, tag: e.localName, type: e.type ?? "", role: e.getAttribute("role") ?? "",
    value: e.value ?? "", classes: [...e.classList], control: e.closest(".widget")?.dataset.name ?? "",
    exercise: e.closest(".exercise")?.id ?? "", answer: e.dataset.answer ?? null,
    act: e.dataset.act ?? null, part: e.dataset.part ?? null,
    isFoot: Boolean(e.closest(".foot")), isFixed: e.type === "range" && e.min === e.max,
  };
}"""
MAX_TABS = 400


class Keyboard:
    """Walk through an experiment with Tab and use everything on the way."""

    def __init__(self, page: Page, id: str):
        self.page, self.id, self.faults, self.used = page, id, [], set()

    @property
    def link(self) -> str:
        return self.page.locator(f"#{self.id} .drawing").get_attribute("data-link") or ""

    def press(self, key: str) -> dict:
        self.page.keyboard.press(key)
        focused = self.page.evaluate(FOCUSED)
        assert focused, f"{self.id}: {key} loses the focus"
        self.faults += [f"{focused['name'][:40]}: {fault}" for fault in focused["wrong"]]
        return focused

    def skip_to_the_guess(self) -> None:
        focused = self.press("Tab")
        assert focused["name"].startswith("Skip to the"), focused
        self.page.keyboard.press("Enter")

    def walk(self, is_using: bool = True) -> None:
        for _ in range(MAX_TABS):
            focused = self.press("Tab")
            if focused["isFoot"]:
                return
            if is_using:
                self.use(focused)
        raise AssertionError(f"{self.id}: the footer is not reached with {MAX_TABS} presses of Tab")

    def use(self, focused: dict) -> None:
        tag, type_, classes, control = (focused[name] for name in ("tag", "type", "classes", "control"))
        once = (tag, type_, tuple(classes), control, focused["act"], focused["part"])
        if focused["answer"] is not None and "answer" not in self.used:
            self.press("Enter")
            self.used.add("answer")
            expect(self.page.locator(f"#{self.id} .covered")).to_have_count(0)
        elif focused["act"]:
            self.press("Enter")
            expect(self.page.locator(f'#{self.id} [data-act="{focused["act"]}"]')).to_have_attribute(
                "aria-expanded", "true"
            )
            wait_until(self.page, lambda: focused["act"] in self.link)
            self.used.add(("act", focused["act"]))
        elif once in self.used:
            return
        elif (key := self.key_for(focused)) and control and not focused["isFixed"]:
            self.used.add(once)
            self.change(focused, key)
        elif focused["role"] == "button" and "chip" in classes:  # a preset
            self.press("Enter")
            expect(self.page.locator(f"#{self.id} .presets [aria-pressed=true]")).to_have_count(1)
            self.used.add(once)

    def key_for(self, focused: dict) -> str:
        if focused["tag"] == "select":
            return "ArrowDown"
        if focused["type"] == "range":
            return "ArrowRight"
        if focused["type"] == "radio":
            return "ArrowRight"
        return "Space" if focused["type"] == "checkbox" else ""

    def change(self, focused: dict, key: str) -> None:
        """Change a control and wait for its drawing."""
        before = self.link
        self.press(key)
        value = self.page.evaluate("document.activeElement.value")
        if focused["type"] == "range" and value == focused["value"]:  # it was at its end
            self.press("ArrowLeft")
        wait_until(self.page, lambda: self.link != before, what=f"{focused['control']} of {self.id}")


@pytest.mark.parametrize("experiment", ATTENTION.experiments, ids=lambda experiment: experiment.slug)
def test_an_experiment_can_be_done_with_the_keyboard_alone(page: Page, course: str, experiment):
    """Its guess, controls, presets and closer looks; the focus is always in view and never lost."""
    page.emulate_media(reduced_motion="reduce")  # how the focus is shown is compared at once
    page.goto(f"{course}/attention?experiment={experiment.slug}")
    page.wait_for_selector("html.live", state="attached")
    keyboard = Keyboard(page, f"attention-{experiment.slug}")
    keyboard.skip_to_the_guess()
    keyboard.walk()
    assert not keyboard.faults
    assert {("act", act.slug) for act in experiment.acts} <= keyboard.used
    assert "answer" in keyboard.used
    assert not serious(page, keyboard.id)  # all closer looks are open


@pytest.mark.parametrize("slug", ["steer", "picture"])
def test_on_a_phone_the_sticky_picture_never_covers_the_focus(page: Page, course: str, slug):
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(reduced_motion="reduce")
    acts = ".".join(act.slug for act in ATTENTION.experiment(slug).acts)
    open_experiment(page, course, "attention", slug, f"&guess=0&acts={acts}")
    keyboard = Keyboard(page, f"attention-{slug}")
    keyboard.skip_to_the_guess()
    keyboard.walk(is_using=False)
    assert not keyboard.faults


def test_the_exercises_can_be_done_with_the_keyboard_alone(page: Page, course: str):
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{course}/attention?experiment=check")
    page.wait_for_selector("html.live", state="attached")
    keyboard, verdicts, done = (
        Keyboard(page, "attention-check"),
        page.locator("#attention-check .verdict"),
        set(),
    )
    keyboard.press("Tab")
    page.keyboard.press("Enter")  # the skip link
    for _ in range(MAX_TABS):
        focused = keyboard.press("Tab")
        if focused["isFoot"]:
            break
        is_field, exercise = focused["tag"] == "input", focused["exercise"]
        if focused["tag"] == "summary":
            keyboard.press("Enter")
            expect(page.locator(f"#{exercise} details")).to_have_attribute("open", "")
        elif exercise not in done and (
            is_field or focused["answer"] is not None or focused["part"] == "settings"
        ):
            if is_field:
                page.keyboard.type("0.5")
            keyboard.press("Enter")
            expect(page.locator(f"#{exercise} .verdict")).to_contain_text(re.compile("[a-z]"))
            done.add(exercise)
    assert not keyboard.faults
    assert len(done) == len(ATTENTION.exercises) == verdicts.count()
    link = page.get_by_role("link", name="go there").first
    link.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".experiment:not([hidden]) h1")).to_be_focused()


# ---- contrast themes ----

# What must stay distinguishable where the system forces its own colours.
FORCED = """() => {
  const colour = (names, name = "backgroundColor") => getComputedStyle(document.querySelector(names))[name];
  return {
    dark: document.documentElement.classList.contains("dark"),
    paper: colour("body"),
    tabs: [colour(".tab-strip [aria-current]"), colour(".tab-strip a:not([aria-current])")],
    chips: [colour(".presets [aria-pressed=true]"), colour(".presets [aria-pressed=false]")],
    marks: [colour(".stem", "stroke"), colour(".knob", "stroke"), colour(".picture text", "fill")],
  };
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_themes_leave_covers_selection_and_bars_visible(page: Page, course: str, scheme):
    page.emulate_media(forced_colors="active", color_scheme=scheme)
    other = "light" if scheme == "dark" else "dark"
    page.add_init_script(f"localStorage.seq2see ??= JSON.stringify({{ theme: '{other}' }})")
    open_experiment(page, course, "attention", "steer", "")
    cover = page.locator("#attention-steer .cover").first
    expect(cover).to_have_css("border-top-style", "dashed")
    page.locator("#attention-steer-presets .chip").first.click()
    expect(page.locator("#attention-steer-presets [aria-pressed=true]")).to_have_count(1)
    expect(cover).to_have_count(0)
    seen = page.evaluate(FORCED)
    assert seen["dark"] == (scheme == "dark"), "the system's theme comes before the learner's"
    assert seen["paper"] not in seen["marks"]
    for selected, not_selected in (seen["tabs"], seen["chips"]):
        assert selected != not_selected
    page.goto(f"{course}/attention?experiment=caveat&guess=0")
    page.wait_for_selector("html.live", state="attached")
    pills = page.locator(".pill input:checked + span"), page.locator(".pill input:not(:checked) + span")
    selected, not_selected = (
        pill.first.evaluate("(pill) => getComputedStyle(pill).backgroundColor") for pill in pills
    )
    assert selected != not_selected
