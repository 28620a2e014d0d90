"""The real server in a real browser: both pages on a desk and on a phone, by day and by night."""

import re
from pathlib import Path

import pytest
from serving import overflow, settle

pytestmark = pytest.mark.browser

PAGES = {
    "compare": "compare?log=small&compare_b=house.toml",
    "fouls": "fouls?log=small",
}


INK = {"light": "rgb(92, 99, 112)", "dark": "rgb(162, 168, 174)"}
"""The colour of a chart's ticks."""


def wait_for_colors(page, colors: str) -> None:
    """Wait until every chart is drawn in the colours of the page."""
    page.wait_for_selector(".js-plotly-plot .xtick text", timeout=60_000)
    ticks = "[...document.querySelectorAll('.js-plotly-plot .xtick text')]"
    page.wait_for_function(f"{ticks}.every(tick => getComputedStyle(tick).fill === '{INK[colors]}')")


@pytest.mark.parametrize(("size", "colors"), [("desk", ("light", "dark")), ("phone", ("dark", "light"))])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_its_screen_in_both_colours(visit, name: str, size: str, colors: tuple[str, str]) -> None:
    page = visit(PAGES[name], size, colors[0])
    for now in colors:
        # The second time the system goes from day to night, or back, while the page is open.
        page.emulate_media(color_scheme=now)
        wait_for_colors(page, now)
        assert page.locator(".verdict h2").inner_text()
        assert page.locator(".st-key-error").count() == 0
        assert overflow(page) <= 0


def test_filters_are_in_the_address_and_a_link_shows_the_same(visit) -> None:
    page = visit(PAGES["fouls"])
    page.get_by_role("radio", name="All hands").click()
    page.wait_for_url(re.compile("fouls_by=All"))
    page.get_by_text("The players foul").wait_for()
    said = page.locator(".verdict").inner_text()
    link = page.url.split("/", 3)[3]
    assert visit(link).locator(".verdict").inner_text() == said


def test_rules_are_chosen_and_kept_in_the_address(visit) -> None:
    page = visit("compare?log=small")
    page.get_by_role("combobox", name=re.compile("Rules B")).click()
    page.get_by_role("option", name="american-pineapple", exact=True).click()
    page.wait_for_url(re.compile("compare_b=american-pineapple"))
    page.get_by_text("Nothing differs.").wait_for()


def test_the_log_travels_from_page_to_page(visit) -> None:
    page = visit("fouls?log=imported")
    page.get_by_text("Study").first.click()
    page.get_by_role("menuitem", name="Compare rules").click()
    page.wait_for_url(re.compile(r"compare\?.*log=imported"))
    settle(page)
    assert page.locator(".st-key-error").count() == 0


def test_a_table_is_downloaded_as_csv_without_formulas(visit) -> None:
    page = visit("fouls?log=imported")
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Table (CSV)").click()
    head, *rows = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert head.startswith("player,hands,foul_rate,foul_rate_low,foul_rate_high,entry_rate")
    assert [row.split(",")[0] for row in rows] == ["'=1+1 <b>Ann</b>", "Bob_*x*"]
    assert download.value.suggested_filename == "fouls-all-figures.csv"


def test_a_chart_is_downloaded_as_a_picture(visit) -> None:
    page = visit("fouls?log=small")
    page.wait_for_selector(".st-key-chart_foul_rate .modebar-btn", state="attached")
    page.get_by_role("button", name="Download", exact=True).click()
    page.get_by_role("combobox", name=re.compile("What")).click()
    page.get_by_role("option", name="Foul rate", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Picture (PNG)").click()
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")


def test_a_link_to_no_log_says_so_and_offers_those_there_are(visit) -> None:
    page = visit("fouls?log=..%2Fsmall", size="phone")
    page.get_by_text("There is no log of this name.").wait_for()
    page.get_by_role("combobox", name="Log instead").click()
    page.get_by_role("option", name="small").click()
    page.wait_for_url(re.compile(r"\?log=small"))
    page.wait_for_selector(".verdict h2")
    assert overflow(page) <= 0


def test_the_home_page_lists_the_logs_and_leads_to_them(visit) -> None:
    page = visit("")
    assert page.get_by_text("manifest.json is corrupt").count() == 1
    page.get_by_role("link", name="Fouls & Fantasyland").first.click()
    page.wait_for_url(re.compile(r"fouls\?.*log="))
    page.wait_for_selector(".verdict h2")
