"""The card pages in a real browser: a spot built by clicks, a hand played with keys, boards pasted, a hand replayed."""

import re
from pathlib import Path

import pytest
from accessible import violations
from playwright.sync_api import Page, expect
from serving import overflow

import ofclab as ofc

pytestmark = pytest.mark.browser

BOARD = (("Kd", "2c", "3d"), ("8s", "8d", "5c", "5h"), ("As", "Ks", "9s", "4s"))
DEALT, DISCARDS = ("Kc", "7s", "6h"), ("3h", "4c", "9d")
SEEDS = {"desk": 7, "phone": 8}
BOARDS = "Ann: Qh Qd 2c / 8s 8d 5c 5h Kc / As Ks 9s 4s 2s\nBob: Ac Ad 6c / Jc Jh Ts Td 4h / 7h 7d 8c 3c 3h"


def deck(page: Page, card: str) -> None:
    page.locator(f".deck button[data-key='card:{card}']").click()


def slot(page: Page, where: str) -> None:
    page.locator(f"button[data-key^='slot:{where}']").first.click()


@pytest.mark.parametrize(("size", "colors"), [("desk", "light"), ("phone", "dark")])
def test_a_spot_is_built_by_clicks_valued_and_shared(visit, size: str, colors: str) -> None:
    page = visit("spot", size, colors)
    page.locator(".deck").wait_for()
    # A card, then a slot; after that a slot, then cards.
    deck(page, BOARD[0][0])
    slot(page, "row:0:0")
    slot(page, "row:0:0")
    for card in BOARD[0][1:]:
        deck(page, card)
    for row in (1, 2):
        page.keyboard.press("Escape")
        slot(page, f"row:0:{row}")
        for card in BOARD[row]:
            deck(page, card)
    page.keyboard.press("Escape")
    slot(page, "discards")
    for card in DISCARDS:
        deck(page, card)
    page.keyboard.press("Escape")
    slot(page, "tray")
    for card in DEALT:
        deck(page, card)
    page.locator(".verdict h2").filter(has_text="points").wait_for(timeout=60_000)
    rows = page.locator(".st-key-spot_rows tbody tr")
    expect(rows).to_have_count(6)
    assert overflow(page) <= 0
    # Place two of three with keys: the table marks them as the visitor's.
    page.locator(".tray button[data-key='card:6h']").click()
    page.keyboard.press("m")
    page.locator(".tray button[data-key='card:7s']").click()
    page.keyboard.press("b")
    page.locator("tr.yours").wait_for()
    page.locator("p").filter(has_text="Yours is the best").wait_for()
    assert violations(page) == []
    # A row of the table goes to the board.
    rows.first.click()
    expect(page.locator(".card.draft").first).to_have_attribute("aria-label", re.compile("draft"))
    expect(rows.first).to_have_class(re.compile("yours"))
    link = page.url.split("/", 3)[3]
    said = page.locator(".verdict h2").inner_text()
    other = visit(link, size, colors)
    other.locator(".verdict h2").filter(has_text="points").wait_for(timeout=60_000)
    assert other.locator(".verdict h2").inner_text() == said


@pytest.mark.parametrize(("size", "colors"), [("desk", "dark"), ("phone", "light")])
def test_a_hand_is_played_to_its_end_with_keys(visit, size: str, colors: str) -> None:
    # A game of its own: the one of the other size is kept and would go on.
    address = f"trainer?trainer_seed={SEEDS[size]}&trainer_vs=random_legal&trainer_judge=false"
    page = visit(address, size, colors)
    for street in range(5):
        page.locator(".tray").wait_for()
        cards = page.locator(".tray button.card")
        expect(cards).to_have_count(3 if street else 5)
        first = cards.first.get_attribute("data-key")
        for number in (1, 2) if street else (1, 2, 3, 4, 5):
            page.locator(".tray button.card").first.focus()
            page.keyboard.press(str(number))
            place = page.locator("button.slot.legal").first.get_attribute("data-key").split(":")[3]
            page.keyboard.press("fmb"[int(place)])
        page.locator("button[data-key='confirm']").click()
        page.wait_for_function(f"""() => {{
            const hosts = [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
            return !hosts.some(host => host.shadowRoot?.querySelector(".tray [data-key='{first}']"))
        }}""")
    page.get_by_role("button", name="Deal the next hand").wait_for()
    assert violations(page) == []
    assert re.search(r"You (win|lose) \d+ points|level", page.locator(".verdict h2").inner_text())
    assert overflow(page) <= 0
    said = page.locator(".verdict h2").inner_text()
    page.reload()
    page.locator(".verdict h2").filter(has_text=said).wait_for()
    page.get_by_role("button", name="Deal the next hand").click()
    page.locator(".tray").wait_for()


def test_boards_are_pasted_and_settled(visit) -> None:
    page = visit("score?score_stacks=200,12", "phone")
    page.get_by_role("button", name="Paste boards").click()
    page.get_by_role("textbox", name="Boards").fill(BOARDS)
    page.get_by_role("button", name="Put them on the table").click()
    page.get_by_text("Ann wins 17 points.").wait_for()
    page.get_by_text("Ann 212 · Bob 0").wait_for()
    page.keyboard.press("Escape")
    assert overflow(page) <= 0
    assert violations(page) == []
    # A card comes off, and the table asks for it again.
    page.locator("button[data-key='card:2s']").first.click()
    page.keyboard.press("Delete")
    page.get_by_text("When every board has its 13 cards").wait_for()
    page.keyboard.press("u")
    page.get_by_text("Ann wins 17 points.").wait_for()


@pytest.mark.parametrize("colors", ["light", "dark"])
def test_a_hand_is_found_and_replayed(visit, library: Path, colors: str) -> None:
    page = visit("hands?log=small&hands_result=Fouled", colors=colors)
    page.get_by_text("player-hands.").wait_for()
    page.locator("[data-testid=stDataFrame] table[role=grid] tr").nth(1).wait_for(state="attached")
    hand = ofc.open_log(library / "small").hands.select("hand_id").head(1).collect().item()
    page = visit(f"replay?log=small&replay_hand={hand}&replay_street=2", "phone", colors)
    page.locator(".st-key-replay_table .card.fresh").first.wait_for()
    assert page.locator(".st-key-replay_table .card.fresh").count() == 2
    assert violations(page) == []
    assert overflow(page) <= 0
    page.get_by_role("radio", name="End").click()
    page.get_by_text("under american-pineapple").wait_for()
    page.wait_for_url(re.compile("replay_street=end"))
