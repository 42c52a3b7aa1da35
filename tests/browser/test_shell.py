"""The page's interface in a real browser, on a toy lesson with every kind of control."""

import re
from html import unescape

import pytest
from playwright.sync_api import Page, expect

from tests.chromium import wait_for
from tests.toy import LESSON as TOY


@pytest.fixture
def sizes(page: Page, toy: str) -> Page:
    page.goto(f"{toy}/toy?experiment=sizes&guess=0")
    expect(page.locator("#toy-sizes-reading")).to_have_text("Word 1 is one, worth 0.30.")
    return page


@pytest.fixture
def opened(page: Page, toy: str) -> Page:
    """The toy's first experiment with both closer looks open."""
    page.goto(f"{toy}/toy?experiment=sizes&guess=0&acts=pulling.table")
    expect(page.locator("#toy-sizes-pulls .knob")).to_be_visible()
    return page


def reading(page: Page):
    return page.locator("#toy-sizes-reading")


def test_the_title_names_what_is_open(sizes, toy):
    """The first response must contain the title; Gradio's name must never stay, and each tab has its own."""
    first = TOY.text.experiments["sizes"].question
    served = re.findall("<title>(.*?)</title>", sizes.request.get(f"{toy}/toy?experiment=sizes").text())
    expect(sizes).to_have_title(f"{first} · {TOY.experiment('sizes').title} · Seq2See")
    assert [unescape(title) for title in served] == [sizes.title()]
    other = TOY.experiments[1]
    sizes.get_by_role("navigation", name="experiments").get_by_role(
        "link", name=other.title, exact=True
    ).click()
    expect(sizes).to_have_title(f"{TOY.text.experiments[other.slug].question} · {other.title} · Seq2See")
    sizes.get_by_role("navigation", name="experiments").get_by_role("link", name="Check yourself").click()
    expect(sizes).to_have_title(re.compile("Check yourself · Seq2See$"))


def test_the_keyboard_moves_a_slider_and_the_number_follows(sizes):
    sizes.locator("#toy-sizes-scale input[type=range]").press("ArrowRight")
    expect(reading(sizes)).to_have_text("Word 1 is one, worth 0.33.")
    expect(sizes).to_have_url(re.compile(r"\?experiment=sizes&scale=1\.1$"))


def test_choice_and_toggle(sizes):
    sizes.locator("#toy-sizes-sign").get_by_label("minus").check()
    expect(reading(sizes)).to_contain_text("worth -0.30")
    sizes.locator("#toy-sizes-loud input").check()
    expect(reading(sizes)).to_contain_text("worth -0.60")


def test_a_suggestion_is_one_click(sizes):
    sizes.get_by_role("button", name="a longer row of words").click()
    expect(reading(sizes)).to_contain_text("Word 1 is a")


def test_a_bar_can_be_chosen(sizes):
    sizes.locator("#toy-sizes-lengths .pick").last.click()
    expect(reading(sizes)).to_have_text("Word 1 is three, worth 0.50.")
    expect(sizes.locator("#toy-sizes-words textarea")).to_have_value("three")
    sizes.locator("#toy-sizes-words textarea").fill("a bcd")
    expect(reading(sizes)).to_contain_text("Word 1 is a,")
    sizes.locator("#toy-sizes-lengths .pick").last.press("Enter")
    expect(reading(sizes)).to_contain_text("Word 1 is bcd")


def test_steps_reach_as_far_as_the_result_and_play(sizes):
    step = sizes.locator("#toy-sizes-t")
    expect(step.locator("output")).to_have_text("1 of 2")
    step.locator("input").press("ArrowRight")
    expect(reading(sizes)).to_contain_text("Word 2 is three")
    sizes.get_by_role("button", name="a longer row of words").click()
    expect(step.locator("output")).to_have_text("2 of 5")
    step.locator("input").press("Space")
    expect(reading(sizes)).to_contain_text("Word 5 is words")
    expect(step.get_by_role("button")).to_have_attribute("aria-label", "play")  # playing stops at the end


def test_a_cell_by_keyboard_and_what_is_no_number(opened):
    sizes = opened
    cell = sizes.locator(".place td input").first
    cell.press("ArrowUp")
    expect(reading(sizes)).to_contain_text("worth 0.33")
    cell.fill("much")
    wrong = sizes.locator(".place .cell-wrong")
    expect(wrong).to_have_text("Row 1, column 1: a number between −9 and 9, please.")
    expect(cell).to_have_attribute("aria-invalid", "true")
    cell.fill("99")
    expect(wrong).to_contain_text("between −9 and 9")
    expect(reading(sizes)).to_contain_text("worth 0.33")  # the last valid picture stays
    cell.fill("0,5")
    expect(reading(sizes)).to_contain_text("worth 0.15")
    expect(wrong).to_be_empty()


def test_a_matrix_is_as_large_as_the_result_says(opened):
    cells = opened.locator(".place td input")
    expect(cells).to_have_count(1)
    opened.locator("#toy-sizes-loud input").check()
    expect(cells).to_have_count(4)


def test_dragging_moves_the_mark_at_once_and_the_answer_follows(opened):
    handle = opened.locator("#toy-sizes-pulls .handle")
    handle.scroll_into_view_if_needed()
    knob = handle.locator(".knob").bounding_box()
    x, y = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
    opened.mouse.move(x, y)
    opened.mouse.down()
    opened.mouse.move(x + 60, y, steps=6)
    opened.mouse.move(x + 120, y, steps=6)
    moved = handle.locator(".knob").bounding_box()
    assert moved["x"] > knob["x"] + 60
    opened.mouse.up()
    expect(reading(opened)).not_to_have_text("Word 1 is one, worth 0.30.")
    expect(opened).to_have_url(re.compile(r"pull=0\.\d+&acts=pulling.table"))
    wait_for(
        opened,  # the URL and the answer both reach the final position, in either order
        """said => {
            const pulled = Number(new URL(location).searchParams.get("pull"));
            return said.innerText.trim() === `Word 1 is one, worth ${(0.3 * (1 + pulled)).toFixed(2)}.`;
        }""",
        arg=reading(opened).element_handle(),
    )


def test_the_keyboard_moves_a_handle(opened):
    handle = opened.locator("#toy-sizes-pulls .handle")
    handle.press("ArrowRight")
    handle.press("ArrowRight")
    expect(opened).to_have_url(re.compile(r"pull=0\.1&"))
    handle.press("End")
    expect(opened).to_have_url(re.compile(r"pull=1&"))
    expect(handle).to_be_focused()


def test_presets_say_what_to_watch_and_reset_undoes(sizes):
    sizes.get_by_role("button", name="Upside down").click()
    expect(reading(sizes)).to_contain_text("worth -0.60")
    expect(sizes.locator("#toy-sizes-presets .watch")).to_have_text("Watch the bars turn.")
    expect(sizes.locator("#toy-sizes-scale input[type=range]")).to_have_value("2")
    expect(sizes.get_by_role("button", name="Upside down")).to_have_attribute("aria-pressed", "true")
    sizes.get_by_role("button", name="reset", exact=True).click()
    expect(reading(sizes)).to_contain_text("worth 0.30")


def test_a_preset_goes_out_when_something_is_changed(sizes):
    chip = sizes.get_by_role("button", name="Upside down")
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    sizes.locator("#toy-sizes-scale input").press("ArrowLeft")
    expect(chip).to_have_attribute("aria-pressed", "false")
    expect(sizes.locator("#toy-sizes-presets .watch")).to_be_empty()


def test_a_link_restores_everything(page, toy):
    page.goto(f"{toy}/toy?experiment=sizes&words=%C3%A9t%C3%A9+hiver&t=2&loud=1&scale=0.5&table=2,0;0,1")
    expect(reading(page)).to_have_text("Word 2 is hiver, worth 1.00.")
    expect(page.locator("#toy-sizes-words textarea")).to_have_value("été hiver")
    expect(page.locator("#toy-sizes-t input")).to_have_value("2")
    expect(page.locator("#toy-sizes-loud input")).to_be_checked()
    page.locator('[data-act="table"]').click()
    expect(page.locator(".place td input").first).to_have_value("2")


def test_a_link_to_the_second_experiment(page, toy):
    page.goto(f"{toy}/toy?experiment=again&scale=2")
    expect(page.locator("#toy-again-reading")).to_have_text("Word 1 is a, worth 0.20.")
    page.get_by_role("navigation", name="experiments").get_by_role(
        "link", name="Sizes"
    ).click()  # the other tabs are complete
    page.locator("#toy-sizes-t input").press("ArrowRight")
    expect(reading(page)).to_contain_text("Word 2 is three")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("experiment=sizes&scale=99", "between 0 and 2"),
        ("experiment=sizes&nothing=1", "which is not here"),
        ("experiment=nowhere", "no such experiment"),
        ("experiment=sizes&words=" + "a" * 5000, "too long"),
        ("experiment=sizes&table=1,2", "2 rows of 2 numbers"),
    ],
)
def test_a_bad_link_falls_back_and_says_so(page, toy, query, said):
    page.goto(f"{toy}/toy?{query}")
    expect(page.locator("#toy-sizes-stage .message")).to_contain_text(said)
    expect(reading(page)).to_contain_text("Word 1 is one, worth 0.30.")


@pytest.mark.parametrize(
    "words", ["<script>alert(1)</script>", "]]>\"'&", "😀 été", "שלום עולם", "<img src=x onerror=alert(1)>"]
)
def test_typed_words_are_shown_as_typed(sizes, words):
    sizes.on("dialog", lambda dialog: pytest.fail("a script ran"))
    sizes.locator("#toy-sizes-words textarea").fill(words)
    expect(reading(sizes)).to_contain_text(f"Word 1 is {words.split()[0]}")
    expect(sizes.locator(".drawing script, .drawing img")).to_have_count(0)


def test_words_that_cannot_be_read_mark_their_field_and_the_rest_goes_on(sizes):
    field, stage = sizes.locator("#toy-sizes-words textarea"), sizes.locator("#toy-sizes-stage .drawing")
    note, wrong = sizes.locator("#toy-sizes-stage .message"), sizes.locator("#toy-sizes-words .wrong")
    field.fill("   ")
    expect(wrong).to_have_text("Type at least one word.")
    expect(note).to_have_text(
        "The picture still shows your previous setting."
    )  # the reason is shown next to the field only
    expect(sizes.get_by_text("Type at least one word.")).to_have_count(1)
    expect(stage).to_have_class(re.compile("stale"))
    expect(reading(sizes)).to_have_text("Word 1 is one, worth 0.30.")
    sizes.locator("#toy-sizes-scale input").press("ArrowRight")  # other controls use the last valid words
    expect(reading(sizes)).to_have_text("Word 1 is one, worth 0.33.")
    expect(field).to_have_value("   ")
    # the drawing is that of the last valid text
    expect(note).to_have_text("The picture still shows your previous setting.")
    field.fill("x" * 10_000)
    expect(wrong).to_contain_text("at most 400 characters")
    field.fill("fine")
    expect(reading(sizes)).to_contain_text("Word 1 is fine")
    expect(wrong).to_be_empty()
    expect(note).to_have_count(0)
    expect(stage).not_to_have_class(re.compile("stale"))


def test_a_defect_of_ours_is_met_calmly(sizes):
    sizes.locator("#toy-sizes-words textarea").fill("boom")
    expect(sizes.locator("#toy-sizes-stage .message")).to_contain_text("went wrong on our side")
    expect(reading(sizes)).to_have_text("Word 1 is one, worth 0.30.")
    sizes.locator("#toy-sizes-words textarea").fill("crack")  # one view fails, the others are drawn
    expect(sizes.locator("#toy-sizes-lengths.view-error")).to_contain_text("went wrong on our side")
    expect(reading(sizes)).to_contain_text("Word 1 is crack")
    sizes.locator("#toy-sizes-words textarea").fill("fine")
    expect(sizes.locator("#toy-sizes-lengths .picture")).to_be_visible()


def test_a_control_without_effect_is_dimmed_and_says_why(sizes):
    idle = sizes.locator("#toy-sizes-loud .idle")
    expect(idle).to_be_hidden()
    sizes.locator("#toy-sizes-scale input").press("Home")
    expect(idle).to_have_text("Twice nothing is nothing.")
    sizes.locator("#toy-sizes-scale input").press("End")
    expect(idle).to_be_hidden()


# ---- closer looks ----


def test_an_act_is_drawn_when_it_is_opened_and_belongs_to_the_link(sizes):
    head = sizes.get_by_role("button", name="What pulls the words?")
    expect(sizes.locator("#toy-sizes-pulls")).to_have_count(0)
    expect(head).to_have_attribute("aria-expanded", "false")
    head.press("Enter")
    expect(sizes.locator("#toy-sizes-pulls .knob")).to_be_visible()
    expect(sizes.get_by_text("A bar to drag.")).to_be_visible()
    expect(head).to_have_attribute("aria-expanded", "true")
    expect(head).to_be_focused()
    expect(sizes).to_have_url(re.compile("acts=pulling$"))
    sizes.locator("#toy-sizes-scale input").press("ArrowRight")
    expect(sizes.locator("#toy-sizes-pulls .knob")).to_be_visible()
    sizes.reload()
    expect(sizes.locator("#toy-sizes-pulls .knob")).to_be_visible()
    head.click()
    expect(sizes.locator("#toy-sizes-pulls")).to_have_count(0)


def test_a_control_stands_in_its_act_and_waits_while_it_is_closed(opened):
    table = opened.locator(".place td input").first
    table.fill("2")
    expect(reading(opened)).to_contain_text("worth 0.60")
    opened.locator('[data-act="table"]').click()
    expect(opened.locator(".place")).to_have_count(0)
    opened.locator('[data-act="table"]').click()
    expect(table).to_have_value("2")


# ---- guess first ----


def test_what_a_guess_covers_is_shown_after_it(page, toy):
    page.goto(f"{toy}/toy")
    covers = page.locator("#toy-sizes .covered > .cover")
    expect(covers).to_have_count(2)
    expect(page.locator("#toy-sizes-lengths .picture")).to_be_hidden()
    expect(page.locator("#toy-sizes-reading b").first).to_be_hidden()
    # an opened closer look must not reveal the answer to the guess
    page.locator('[data-act="pulling"]').click()
    expect(page.locator("#toy-sizes-pulls")).to_be_visible()
    expect(covers).to_have_count(2)
    guess = page.locator("#toy-sizes-predict")
    guess.get_by_role("button", name="one").click()
    expect(guess.locator(".verdict")).to_contain_text("✗ No. It has three letters only. The answer: three.")
    expect(covers).to_have_count(0)
    expect(page.locator("#toy-sizes-lengths .picture")).to_be_visible()
    expect(guess.get_by_role("button", name="three")).to_be_hidden()  # the guess is collapsed to its verdict
    guess.locator(".fold").click()
    guess.get_by_role("button", name="three").click()
    expect(guess.locator(".verdict")).to_contain_text("✓ Yes. It has 5 letters.")
    expect(guess.locator(".fold")).to_contain_text("✓ right: three")
    page.reload()
    expect(reading(page)).to_be_visible()
    expect(covers).to_have_count(0)  # a guess is asked only once


@pytest.mark.parametrize("way", ["asks", "moves", "state", "says otherwise"])
def test_other_ways_to_lift_the_cover(page, toy, way):
    query = {"state": "?experiment=sizes&scale=2", "says otherwise": "?experiment=sizes&scale=2&guess=1"}.get(
        way, ""
    )
    page.goto(f"{toy}/toy{query}")
    covers = page.locator("#toy-sizes .covered > .cover")
    if way == "state":
        expect(reading(page)).to_contain_text("worth 0.60")
    else:
        expect(covers).to_have_count(2)
    if way == "asks":
        page.locator("#toy-sizes-predict").get_by_role("button", name="show me").click()
    elif way == "moves":
        page.locator("#toy-sizes-scale input").press("ArrowRight")
    elif way == "says otherwise":
        covers.last.get_by_role("button", name="show me").click()
    expect(covers).to_have_count(0)


def test_a_second_answer_counts_while_the_first_is_checked(sizes):
    buttons = sizes.locator("#toy-sizes-predict .chips button")
    sizes.evaluate(
        "document.querySelectorAll('#toy-sizes-predict .chips button').forEach((button) => button.click())"
    )
    expect(sizes.locator("#toy-sizes-predict .verdict")).to_contain_text("✓ Yes. It has 5 letters.")
    expect(buttons.last).to_have_attribute("aria-pressed", "true")


def test_exercises_guesses_and_progress_survive_a_reload(sizes):
    progress = sizes.locator("#header .progress")
    expect(progress).to_have_text("0/5 done")
    sizes.locator("#toy-sizes-predict .fold").click()
    sizes.locator("#toy-sizes-predict").get_by_role("button", name="three").click()
    expect(sizes.locator("#toy-sizes-predict .verdict")).to_contain_text("✓ Yes.")
    sizes.get_by_role("navigation", name="experiments").get_by_role("link", name="Check yourself").click()
    count = sizes.locator("#toy-check-count")
    count.get_by_role("textbox").fill("1,280")
    expect(count.locator(".parsed")).to_have_text("= 1280")
    count.get_by_role("textbox").fill("7")
    count.get_by_role("button", name="check").click()
    expect(count.locator(".verdict")).to_have_text("✗ Count again.")
    count.get_by_role("textbox").fill("2")
    count.get_by_role("textbox").press("Enter")
    expect(count.locator(".verdict")).to_have_text("✓ There are 2.")
    challenge = sizes.locator("#toy-check-loud")
    challenge.get_by_role("button", name="check my settings").click()
    expect(challenge.locator(".verdict")).to_have_text("✗ Not loud yet.")
    sizes.get_by_role("navigation", name="experiments").get_by_role("link", name="Sizes").click()
    sizes.locator("#toy-sizes-scale input").press("Home")  # a state in which the exercise could not be solved
    expect(sizes.locator("#toy-sizes-loud .idle")).not_to_be_empty()
    sizes.get_by_role("navigation", name="experiments").get_by_role("link", name="Check yourself").click()
    challenge.get_by_role("link", name="go there").click()
    expect(reading(sizes)).to_contain_text("0.30")  # the settings at which the exercise starts
    sizes.locator("#toy-sizes-loud input").check()
    expect(reading(sizes)).to_contain_text("0.60")
    sizes.get_by_role("navigation", name="experiments").get_by_role("link", name="Check yourself").click()
    challenge.get_by_role("link", name="go there").click()  # the second time the learner's settings are kept
    expect(sizes.locator("#toy-sizes-loud input")).to_be_checked()
    sizes.get_by_role("navigation", name="experiments").get_by_role("link", name="Check yourself").click()
    challenge.get_by_role("button", name="check my settings").click()
    expect(challenge.locator(".verdict")).to_have_text("✓ Loud.")
    expect(progress).to_have_text("3/5 done")
    sizes.reload()
    expect(progress).to_have_text("3/5 done")


def test_the_foot_gives_pictures_numbers_and_code(sizes):
    sizes.locator("#toy-sizes-scale input[type=range]").press("ArrowRight")
    expect(reading(sizes)).to_contain_text("0.33")
    tools = sizes.locator('.foot-tools[data-for="toy-sizes"]')
    tools.get_by_text("numbers").click()
    expect(tools.locator(".tables")).to_contain_text("0.33")
    expect(tools.locator(".tables")).to_contain_text("How long")
    tools.get_by_text("pictures").click()
    address = tools.get_by_role("link", name="SVG").first.get_attribute("href")
    assert address == "export/toy/sizes/lengths.svg?scale=1.1"
    found = sizes.request.get(f"{sizes.url.rsplit('/', 1)[0]}/{address}")
    assert found.ok
    assert "0.33" in found.text()
    tools.get_by_text("code").click()
    expect(tools.locator("pre").first).to_contain_text("def compute(")


def test_next_goes_on_and_the_address_names_the_tab(sizes):
    sizes.locator("#toy-sizes-scale input").press("ArrowRight")
    expect(sizes).to_have_url(re.compile(r"scale=1\.1$"))
    sizes.get_by_role("link", name="next →").click()
    expect(sizes.locator("#toy-again-reading")).to_be_visible()
    expect(sizes).to_have_url(re.compile(r"experiment=again$"))
    sizes.get_by_role("link", name="← previous").click()
    # with the value that the learner had set
    expect(sizes).to_have_url(re.compile(r"experiment=sizes&scale=1\.1$"))
    sizes.get_by_role("navigation", name="experiments").get_by_role("link", name="Check yourself").click()
    sizes.locator("#toy-check").get_by_role("link", name="← previous").click()
    expect(sizes.locator("#toy-steer-reading")).to_be_visible()


def test_a_word_of_the_text_leads_into_the_glossary(sizes):
    sizes.locator("#toy-sizes .term", has_text="softmax").click()
    expect(sizes.get_by_role("dialog").locator(".here")).to_contain_text("softmax")


def test_theme_and_panels(sizes):
    before = sizes.evaluate("getComputedStyle(document.body).backgroundColor")
    sizes.get_by_role("button", name="switch between light and dark").click()
    expect(sizes.locator("html")).to_have_class(re.compile("dark"))
    assert sizes.evaluate("getComputedStyle(document.body).backgroundColor") != before
    sizes.reload()
    expect(sizes.locator("html")).to_have_class(re.compile("dark"))
    sizes.get_by_role("link", name="notation").click()
    expect(sizes.get_by_role("dialog")).to_contain_text("Bahdanau")
    sizes.keyboard.press("Escape")
    sizes.get_by_role("link", name="glossary").click()
    expect(sizes.get_by_role("dialog")).to_contain_text("softmax")


def test_hovering_says_the_value(sizes):
    sizes.locator("#toy-sizes-lengths [data-tip]").last.hover()
    expect(sizes.locator(".tip")).to_contain_text("three")
    sizes.locator("#toy-sizes-lengths .frame").press("ArrowRight")
    expect(sizes.locator(".tip")).to_contain_text("one")


def test_a_click_leaves_no_old_tip(sizes):
    """After a click the tooltip must describe what is under the pointer now, or be hidden."""
    bars, tip = sizes.locator("#toy-sizes-lengths .pick"), sizes.locator(".tip")
    sizes.get_by_role("button", name="a longer row of words").click()
    expect(bars).to_have_count(5)
    box = bars.last.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    sizes.mouse.move(x, y)
    expect(tip).to_contain_text("words")
    sizes.mouse.click(x, y)  # this word becomes the whole text, with one bar higher up
    expect(bars).to_have_count(1)
    here = "([x, y]) => document.elementFromPoint(x, y)?.closest('[data-tip]')?.dataset.tip ?? null"
    shown = (
        "() => { const tip = document.querySelector('.tip'); return tip.hidden ? null : tip.textContent; }"
    )
    wait_for(sizes, f"(at) => ({here})(at) === ({shown})()", [x, y])
    sizes.get_by_role("navigation", name="experiments").get_by_role("link", name="Again").focus()
    box = bars.first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    sizes.mouse.move(x, y)
    expect(tip).to_contain_text("words")
    sizes.keyboard.press("Enter")  # another tab opens while the pointer does not move
    expect(sizes.locator("#toy-again-reading")).to_be_visible()
    wait_for(sizes, f"(at) => ({here})(at) === ({shown})()", [x, y])


def test_a_lit_word_is_underlined_and_a_lit_shape_glows(page, course):
    """Highlighted words must be underlined, not glow, because a glow would blur letters."""
    page.goto(f"{course}/attention?experiment=step&guess=0")
    page.locator("#attention-step .picture [data-at]").first.hover(force=True)
    expect(page.locator(".lit").first).to_be_attached()
    styles = page.evaluate("""[...document.querySelectorAll('.lit, .lit *')].map((mark) =>
        [mark.localName, getComputedStyle(mark).filter, getComputedStyle(mark).textDecorationLine])""")
    words = [style for style in styles if style[0] in ("text", "tspan")]
    assert words
    assert all(style[1:] == ["none", "underline"] for style in words)
    assert not [style for style in styles if style[0] == "g" and style[1] != "none"]


def test_a_redraw_changes_only_what_differs(page, toy):
    page.goto(f"{toy}/toy?experiment=steer")
    found, handle = page.locator("#toy-steer-reading"), page.locator("#toy-steer-shares .handle").first
    expect(found).to_have_text("Step 1: 0.50 0.30 0.20.")
    page.evaluate("document.querySelectorAll('#toy-steer-shares *').forEach((mark) => { mark.old = true; })")
    handle.focus()
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    expect(found).to_have_text("Step 1: 0.40 0.36 0.24.")
    expect(handle).to_be_focused()
    assert page.evaluate("[...document.querySelectorAll('#toy-steer-shares *')].every((mark) => mark.old)")


def test_marks_come_and_go(sizes):
    bars = sizes.locator("#toy-sizes-lengths .pick")
    for words, many in (("a longer row of words", 5), ("x", 1)):
        sizes.get_by_role("button", name=words, exact=True).click()
        expect(bars).to_have_count(many)
        expect(bars.last).to_contain_text(words.split()[-1])


def test_nothing_is_wider_than_a_phone(page, toy):
    page.set_viewport_size({"width": 390, "height": 844})
    for address in (toy, f"{toy}/toy", f"{toy}/toy?experiment=check"):
        page.goto(address)
        expect(page.locator("#header .progress")).to_contain_text("done")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_two_learners_never_meet(browser, toy):
    contexts = [browser.new_context() for _ in range(2)]
    pages = [context.new_page() for context in contexts]
    for page in pages:
        page.goto(f"{toy}/toy?guess=0")
    for page, words in zip(pages, ("alpha", "be"), strict=True):
        page.locator("#toy-sizes-words textarea").fill(words)
    for page, words in zip(pages, ("alpha", "be"), strict=True):
        expect(reading(page)).to_contain_text(f"Word 1 is {words}")
    for context in contexts:
        context.close()


def test_long_work_shows_how_far_it_is_and_can_be_stopped(page, toy):
    page.goto(f"{toy}/toy?experiment=again")
    job, found = page.locator("#toy-again-job"), page.locator("#toy-again-reading")
    expect(found).to_have_text("Word 1 is a, worth 0.10.")
    job.get_by_role("button", name="grow").click()
    expect(found).to_have_text(re.compile(r"worth 0\.[2-8]0"))
    job.get_by_role("button", name="stop").click()
    expect(job.get_by_role("progressbar")).to_be_hidden()
    expect(found).not_to_have_text("Word 1 is a, worth 1.00.")
    page.locator("#toy-again-scale input[type=range]").press("ArrowRight")
    expect(found).to_have_text("Word 1 is a, worth 0.11.")
    job.get_by_role("button", name="grow").click()
    expect(found).to_have_text("Word 1 is a, worth 1.10.")
    expect(job.get_by_role("progressbar")).to_be_hidden()


def test_what_long_work_has_found_stays_when_an_act_is_opened(page, toy):
    page.goto(f"{toy}/toy?experiment=again&scale=2")
    found, act = (
        page.locator("#toy-again-reading"),
        page.get_by_role("button", name="What of the first word?"),
    )
    page.locator("#toy-again-job").get_by_role("button", name="grow").click()
    expect(found).to_have_text("Word 1 is a, worth 2.00.")
    expect(page.locator("#toy-again-corner")).to_be_hidden()
    act.click()
    expect(act).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#toy-again-corner")).to_contain_text("2.00")
    expect(found).to_have_text("Word 1 is a, worth 2.00.")
    act.click()
    expect(page.locator("#toy-again-corner")).to_be_hidden()
    page.locator("#toy-again-scale input").press("ArrowLeft")
    expect(found).to_have_text("Word 1 is a, worth 0.19.")
    expect(page.locator("#toy-again-corner")).to_have_count(0)


def test_long_work_ends_when_its_settings_change(page, toy):
    page.goto(f"{toy}/toy?experiment=again")
    job, found = page.locator("#toy-again-job"), page.locator("#toy-again-reading")
    job.get_by_role("button", name="grow").click()
    expect(found).to_have_text(re.compile(r"worth 0\.[2-8]0"))
    page.locator("#toy-again-scale input").press("End")
    expect(found).to_have_text("Word 1 is a, worth 0.20.")
    expect(job.get_by_role("progressbar")).to_be_hidden()
    page.wait_for_timeout(1500)  # results that still arrive belong to other settings
    expect(found).to_have_text("Word 1 is a, worth 0.20.")


def test_rows_are_steered_step_by_step(page, toy):
    page.goto(f"{toy}/toy?experiment=steer")
    found = page.locator("#toy-steer-reading")
    expect(found).to_have_text("Step 1: 0.50 0.30 0.20.")
    page.locator("#toy-steer-shares .handle").first.press("Delete")
    expect(found).to_have_text("Step 1: 0.00 0.60 0.40.")
    page.locator("#toy-steer-t input").press("ArrowRight")
    expect(found).to_have_text("Step 2: 0.50 0.30 0.20.")
    page.get_by_role("button", name="even").click()
    expect(found).to_have_text("Step 2: 0.33 0.33 0.33.")
    expect(page.locator("#toy-steer-edits")).to_contain_text("You changed steps 1–2.")
    expect(page).to_have_url(re.compile("edits=1:0,0.6,0.4;2:"))
    address = page.url
    page.get_by_role("button", name="undo step").click()
    expect(found).to_have_text("Step 2: 0.50 0.30 0.20.")
    page.goto(address)
    expect(found).to_have_text("Step 2: 0.33 0.33 0.33.")
    page.locator("#toy-steer-t input").press("ArrowLeft")
    expect(found).to_have_text("Step 1: 0.00 0.60 0.40.")


@pytest.mark.parametrize(
    ("how", "said"), [("busy", "is busy; trying again"), ("gone", "does not answer; trying again")]
)
def test_a_busy_or_absent_server_is_asked_again(browser, toy, how, said):
    page = browser.new_context().new_page()
    page.goto(f"{toy}/toy?guess=0&experiment=sizes&scale=1.5")
    expect(reading(page)).to_have_text("Word 1 is one, worth 0.45.")
    refuse = {
        "busy": lambda route: route.fulfill(status=503, headers={"Retry-After": "1"}),
        "gone": lambda route: route.abort(),
    }[how]
    page.route("**/draw/**", refuse)
    page.locator("#toy-sizes-scale input").press("ArrowRight")
    expect(page.locator(".busy")).to_contain_text(said)
    expect(reading(page)).to_have_text("Word 1 is one, worth 0.45.")
    page.unroute("**/draw/**")
    # the page retries with the same settings
    expect(reading(page)).to_have_text("Word 1 is one, worth 0.48.")
    expect(page.locator(".busy")).to_be_hidden()
    page.context.close()


def test_a_finger_drags_a_mark_and_the_page_stays(browser, course):
    """Dragging a mark by touch must not scroll the page, because scrolling would cancel the drag."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{course}/scores?experiment=plane&guess=0")
    page.evaluate("window.taken = 0; addEventListener('pointercancel', () => { taken += 1; }, true)")
    box = page.locator("#scores-plane .knob").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = page.locator("#scores-plane-reading").inner_text()
    fingers = context.new_cdp_session(page)

    def touch(kind: str, *points: dict) -> None:
        fingers.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": list(points)})

    touch("Start", {"x": x, "y": y})
    for way in range(1, 11):
        touch("Move", {"x": x + 4 * way, "y": y + 4 * way})
    touch("End")
    expect(page.locator("#scores-plane-reading")).not_to_have_text(before)
    assert page.evaluate("taken") == 0
    context.close()
