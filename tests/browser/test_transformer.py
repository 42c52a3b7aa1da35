"""Lesson `transformer` in a real browser: choose a block or a head, ablate a head, step through decoding."""

import re

from playwright.sync_api import expect


def test_choosing_a_block_in_the_diagram(page, course):
    page.goto(f"{course}/transformer?experiment=block&guess=0")
    said = page.locator("#transformer-block-reading")
    expect(said).to_contain_text("Self-attention")
    block = page.locator("#transformer-block-stage .pick").last
    block.click()
    expect(said).to_contain_text("Linear + softmax")
    expect(page.locator("#transformer-block-block select")).to_have_value(block.get_attribute("data-value"))


def test_a_small_map_sets_layer_and_head_together(page, course):
    page.goto(f"{course}/transformer?experiment=heads&guess=0")
    expect(page.locator("#transformer-heads-one")).to_contain_text("Layer 1, head 1")
    page.locator("#transformer-heads-maps [data-pick=layer][data-value='2'] .pick").nth(2).click()
    expect(page.locator("#transformer-heads-one")).to_contain_text("Layer 2, head 3")
    expect(page.locator("#transformer-heads-layer input:checked")).to_have_value("2")
    expect(page.locator("#transformer-heads-head input:checked")).to_have_value("3")


def test_a_part_is_switched_off_where_its_effect_is_seen(page, course):
    page.goto(f"{course}/transformer?experiment=ablate&guess=0")
    lines = page.locator("#transformer-ablate-translations")
    expect(lines).to_contain_text("encoder positions")
    page.locator("#transformer-ablate .scene select").select_option("all norms")
    expect(lines).to_contain_text(re.compile(r"\bnorm"))
    page.get_by_role("button", name="Four heads").click()
    expect(lines).to_contain_text("all heads of cross-attention, layer 2")


def test_stepping_back(page, course):
    page.goto(f"{course}/transformer?experiment=decode&t=3&guess=0")
    said = page.locator("#transformer-decode-reading")
    expect(said).to_contain_text(re.compile(r"ncoder layer 2\b"))
    page.locator("#transformer-decode .step input").first.press("ArrowLeft")
    expect(said).to_contain_text(re.compile(r"ncoder layer 1\b"))


def test_a_row_of_the_scoreboard_opens_its_lesson(page, course):
    page.goto(f"{course}/transformer?experiment=scoreboard")
    page.locator("#transformer-scoreboard-board a[href=scores]").first.click()
    expect(page.locator("h1:visible")).to_contain_text("key")


def test_a_number_moved_by_keyboard_changes_what_the_norm_says(page, course):
    page.goto(f"{course}/transformer?experiment=norms&guess=0")
    said = page.locator("#transformer-norms-reading")
    expect(said).to_contain_text("0.67")
    page.locator("#transformer-norms-stage .handle").first.press("End")
    expect(said).to_contain_text("1.08")  # the edited cell x₁ is now 4


def test_the_norm_moves_behind_the_block(page, course):
    page.goto(f"{course}/transformer?experiment=norms&acts=place&guess=0")
    said, parts = (
        page.locator("#transformer-norms-told_place"),
        page.locator("#transformer-norms-wiring svg text"),
    )
    expect(said).to_contain_text(re.compile("pre-norm.*post-norm"))

    def order() -> list[str]:
        return [word for word in parts.all_text_contents() if word in ("norm", "self-attention", "+")]

    assert order() == ["norm", "self-attention", "+"]
    page.locator("#transformer-norms .closer").get_by_role("radio", name="post-norm").check()
    expect(said).to_contain_text(re.compile("post-norm.*pre-norm"))
    assert order() == ["self-attention", "+", "norm"]


def test_another_rate_is_another_training(page, course):
    page.goto(f"{course}/transformer?experiment=norms&acts=training&guess=0")
    said, rates = page.locator("#transformer-norms-told_training"), page.locator("#transformer-norms .closer")
    expect(said).to_contain_text(re.compile(r"\b600\b.*0\.008\b"))
    rates.get_by_label("0.032", exact=True).check()
    expect(said).to_contain_text(re.compile(r"\b600\b.*0\.032\b"))
    expect(page.locator("#transformer-norms-loss")).to_contain_text("rate 0.032")
    rates.get_by_label("Moment of training", exact=True).press("ArrowLeft")
    expect(said).not_to_contain_text("600")


def test_a_bar_chooses_the_head_of_the_storyteller(page, course):
    page.goto(f"{course}/transformer?experiment=lm&guess=0")
    said = page.locator("#transformer-lm-reading")
    expect(said).to_contain_text("0.99")
    page.locator("#transformer-lm-on_cue [role=button]").nth(6).click()
    expect(said).not_to_contain_text("0.99")
    expect(page.locator("#transformer-lm-story")).to_contain_text("layer 2, head 3")


def test_a_name_of_the_scoreboard_takes_its_model_home(page, course):
    page.goto(f"{course}/transformer?experiment=scoreboard&acts=others")
    for picture, name, file in (
        ("board", "Transformer", "translation-transformer-s0"),
        ("others", "stories-lstm-1", "stories-lstm-1"),
    ):
        with page.expect_download() as taken:
            page.locator(f"#transformer-scoreboard-{picture} a", has_text=name).first.click()
        assert taken.value.suggested_filename == f"{file}.zip"
    # the download does not leave the page
    expect(page.locator("#transformer-scoreboard-board")).to_be_visible()


def test_a_word_gets_all_the_weight_and_the_distance_grows(page, course):
    page.goto(f"{course}/transformer?experiment=recurrent_lm&guess=0")
    said, story = (page.locator(f"#transformer-recurrent_lm-{name}") for name in ("reading", "story"))
    expect(said).to_contain_text("What if the weights are uniform?")
    expect(story).not_to_contain_text("bucket")
    page.locator("#transformer-recurrent_lm .scene select").select_option("all on the chosen word")
    expect(said).to_contain_text("With all weight on the state after “leo”")
    story.get_by_role("button").filter(has_text="flute").click()
    expect(said).to_contain_text("With all weight on the state after “flute”")
    page.locator("#transformer-recurrent_lm-gap input").press("ArrowRight")
    expect(story).to_contain_text("bucket")  # ten words were inserted
    expect(said).to_contain_text("With all weight on the state after “flute”")
