"""Main paths in a real browser: edit house rules into a fault and back, import, run, follow a link."""

import re
from pathlib import Path

import pytest
from accessible import violations
from serving import overflow, settle

pytestmark = pytest.mark.browser

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
ADDRESSES = {
    "home": "?log=small",
    "compare": "compare?log=small&compare_b=house.toml&compare_editor=true&compare_steps=true",
    "strategies": "strategies?log=small",
    "tournament": "strategies?strategies_view=A+tournament",
    "royalties": "royalties?log=small",
    "review": "review?log=typed",
    "run": "run",
}
PLACES = {"home": ("desk", "light"), "compare": ("phone", "dark"), "strategies": ("phone", "light"),
          "tournament": ("desk", "dark"), "royalties": ("phone", "dark"), "review": ("phone", "light"),
          "run": ("phone", "dark")}  # fmt: skip
"""Each page on one screen in the default run; all four combinations are slow."""


def _fits(visit, name: str, size: str, colors: str) -> None:
    page = visit(ADDRESSES[name], size, colors)
    assert page.locator("h1").inner_text()
    # The home page lists the broken log of the library, with its reason.
    assert page.locator(".st-key-error").count() == 0
    assert page.locator("text=Traceback").count() == 0
    assert overflow(page) <= 0
    assert violations(page) == []


@pytest.mark.parametrize("name", ADDRESSES)
def test_a_page_fits_its_screen(visit, name: str) -> None:
    _fits(visit, name, *PLACES[name])


@pytest.mark.slow
@pytest.mark.parametrize("colors", ["light", "dark"])
@pytest.mark.parametrize("size", ["desk", "phone"])
@pytest.mark.parametrize("name", ADDRESSES)
def test_a_page_fits_every_screen(visit, name: str, size: str, colors: str) -> None:
    _fits(visit, name, size, colors)


def test_a_house_rule_is_edited_into_a_fault_and_back_and_the_link_shows_it(visit) -> None:
    page = visit("compare?log=small&compare_a=american-pineapple&compare_b=american-pineapple&compare_editor=true")
    page.get_by_text("Nothing differs.").wait_for()
    area = page.get_by_label("Changes as TOML")
    area.fill("scoring.sweep_bonus = 6")
    page.get_by_text("A scoop pays 6 instead of 3 extra points").first.wait_for()
    area.press("End")
    area.press_sequentially("x\nfoul.penalty = 9")
    page.get_by_text("Line 1: this is not TOML").wait_for()
    page.get_by_text("The last valid rules stay in use.").wait_for()
    assert page.get_by_text("A scoop pays 6 instead of 3 extra points").count()
    assert area.input_value() == "scoring.sweep_bonus = 6x\nfoul.penalty = 9"
    area.fill("scoring.sweep_bonus = 5\nfoul.penalty = 9")
    page.get_by_text("A scoop pays 5 instead of 3 extra points").first.wait_for()
    page.wait_for_url(re.compile("compare_edit=.*sweep_bonus"))
    # The form says the same as the text.
    assert page.locator("input[aria-label='Sweep bonus']").input_value() == "5"
    settle(page)
    said, link = page.locator(".verdict").inner_text(), page.url.split("/", 3)[3]
    other = visit(link)
    other.get_by_text("A scoop pays 5 instead of 3 extra points").first.wait_for()
    assert other.locator(".verdict").inner_text() == said
    assert other.get_by_label("Changes as TOML").input_value() == "foul.penalty = 9\nscoring.sweep_bonus = 5\n"


def test_samples_are_dropped_and_accounted_for(visit) -> None:
    page = visit("review?log=typed")
    page.get_by_text("Import hands").first.click()
    files = [SAMPLES / "flat13" / "match.txt", SAMPLES / "native_jsonl" / "mixed.jsonl"]
    page.locator("input[type=file]").first.set_input_files(files)
    page.get_by_text("mixed.jsonl").first.wait_for()
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text(re.compile(r"new hands? taken")).wait_for(timeout=60_000)
    page.wait_for_url(re.compile("log=import"))
    settle(page)
    assert page.locator(".st-key-error").count() == 0
    assert re.search(r"[\d,]+ read = [\d,]+ new", page.locator(".verdict").inner_text())


def test_a_run_survives_a_reload_and_a_second_tab_and_is_cancelled(visit) -> None:
    page = visit("run?run_tables=2000&run_hands=2000")
    page.get_by_role("textbox", name="Name of the log").fill("browser")
    page.get_by_role("textbox", name="Name of the log").press("Enter")
    page.get_by_test_id("stMain").get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url(re.compile("run=browser"))
    page.get_by_text(re.compile(r"hands a second")).first.wait_for(timeout=90_000)
    page.reload()
    settle(page)
    page.get_by_text(re.compile(r"[\d,]+ of 4,000,000 hands")).first.wait_for()
    second = visit("run?run=browser", "phone", "dark")
    second.get_by_role("button", name="Pause").click()
    second.get_by_text(re.compile("hands, paused")).wait_for()
    page.get_by_text(re.compile("hands, paused")).wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Remove the log").click()
    second.get_by_text("No log of it was left behind").wait_for(timeout=30_000)
    assert second.locator(".st-key-error").count() == 0
