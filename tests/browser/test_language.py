"""Lesson 3 in French, in a real browser: page, drawing, guess, exercise and the way back to English."""

import re

from playwright.sync_api import expect

# English words that no French sentence of the interface contains
ENGLISH = re.compile(
    r"\b(the|weights?|which|words? it|your|shown|undo|step|guess|of the|why)\b", re.IGNORECASE
)
# words of the model's own data, and of the source code
DATA = "svg, .suggestions, textarea, option, .code, [lang=en], b, .watch"


def interface_words(page) -> str:
    return page.evaluate(
        """(data) => { const copy = document.querySelector(".experiment:not([hidden])").cloneNode(true);
        for (const one of copy.querySelectorAll(`${data}, script, .tex`)) one.remove();
        return copy.textContent.replace(/«[^»]*»/g, ""); }""",
        DATA,
    )


def test_an_experiment_speaks_french_after_every_change(page, course):
    page.goto(f"{course}/attention?experiment=step&lang=fr")
    expect(page.locator("h1:visible")).to_have_text("Que se passe-t-il dans une étape d’attention\u202f?")
    page.get_by_role("button", name="de 1 à 8", exact=True).click()
    expect(page.locator(".guess .fold b")).to_have_text("✓ juste\u202f: de 1 à 8")
    expect(page.locator("#attention-step-predict .verdict")).to_contain_text("Oui. L’avance est de")
    slider = page.locator("#attention-step-t input[type=range]")
    slider.press("ArrowRight")
    expect(page.locator("#attention-step-t output")).to_have_text(re.compile(r"5 sur \d+"))
    expect(page.locator("#attention-step-reading")).to_contain_text("La requête s₅ donne à")
    expect(page).to_have_url(re.compile("t=5.*lang=fr"))
    assert not ENGLISH.search(interface_words(page)), ENGLISH.findall(interface_words(page))


def test_tabs_and_verdicts_stay_french(page, course):
    page.goto(f"{course}/attention?experiment=align&lang=fr&guess=0")
    page.locator(".tab-strip").get_by_role("link", name="Testez-vous").click()
    expect(page).to_have_url(re.compile("experiment=check&lang=fr"))
    exercise = page.locator("#attention-check-softmax")
    exercise.locator("input").fill("0,67")
    exercise.get_by_role("button", name="vérifier").click()
    expect(exercise.locator(".verdict")).to_contain_text("Oui. Si vous ajoutez 5 aux trois scores")


def test_the_switch_keeps_the_state(page, course):
    page.goto(f"{course}/attention?experiment=align&score=dot")
    page.get_by_role("link", name="français").click()
    expect(page).to_have_url(re.compile(r"experiment=align&score=dot&lang=fr"))
    expect(page.locator("#attention-align-reading")).to_contain_text("Le plus grand poids de chaque mot")
    page.get_by_role("link", name="English").click()
    expect(page).to_have_url(re.compile(r"experiment=align&score=dot$"))
    expect(page.locator("#attention-align-reading")).to_contain_text("The largest weight of each word")
