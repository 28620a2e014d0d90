"""Pictures of every page, on a desk and on a phone, by day and by night: `python tests/dashboard/screenshots.py`."""

import argparse
import tempfile
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Page, sync_playwright
from serving import ARGUMENTS, CHROMIUM, COLORS, SIZES, overflow, serving, settle, slug

import ofclab as ofc

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "data" / "samples" / "progressive"
SPOT = "Qh / 8s 8d / As Ks dealt: 2c Kc 5h"
EDIT = '{"scoring.sweep_bonus":6}'


def addresses() -> dict[str, str]:
    """The address of every page, on something worth looking at."""
    found = {page.stem: f"{page.stem}?log=progressive" for page in (ROOT / "dashboard" / "views").glob("*.py")}
    best = (
        ofc.open_log(SAMPLE)
        .results()
        .filter(fl_cards=0)
        .sort("points", descending=True)
        .first()
        .collect()
        .row(0, named=True)
    )
    hand = f"replay?log=progressive&replay_hand={best['hand_id']}&replay_seat={best['seat']}"
    compare = "compare?log=progressive&compare_b=american-pineapple"
    return found | {
        "home": "?log=progressive",
        "compare": compare,
        "compare-edit": f"{compare}&compare_editor=true&compare_edit={quote(EDIT)}&compare_steps=true",
        "spot": f"spot?spot_spot={quote(SPOT)}",
        "replay": f"{hand}&replay_street=4&replay_value=true",
        "tournament": "strategies?strategies_view=A+tournament",
        "ledger": "review?log=progressive&review_view=Ledger",
        "run": "run",
    }


README = {"compare": "light", "spot": "light", "replay": "dark"}
"""The pages of which the README has a picture, and by day or by night."""


def take(page: Page, address: str, file: Path, colors: str, whole: bool) -> int:
    """Take one picture, of the whole page or of the screen; return by how many pixels the page is too wide."""
    page.emulate_media(color_scheme=colors)
    page.goto(address)
    settle(page)
    page.wait_for_timeout(1200)
    # A spot is valued in rounds, until its Stop button goes.
    working = "[...document.querySelectorAll('button')].some(button => button.innerText.trim().endsWith('Stop'))"
    page.wait_for_function(f"!({working})", timeout=180_000)
    wide, size = overflow(page), page.viewport_size
    assert size is not None
    if whole:
        content = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
        page.set_viewport_size({**size, "height": min(max(content + 60, size["height"]), 6000)})
        page.wait_for_timeout(700)
    page.screenshot(path=file)
    page.set_viewport_size(size)
    return wide


def main() -> None:
    """Take the pictures; print those whose page is wider than its screen."""
    all_pages = addresses()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", help=f"pages or addresses; all without any: {', '.join(sorted(all_pages))}")
    parser.add_argument("--library", type=Path, default=ROOT, help="folder with data/samples and data/runs")
    parser.add_argument("--out", type=Path, default=Path("screenshots"))
    parser.add_argument("--sizes", nargs="*", default=list(SIZES))
    parser.add_argument("--colors", nargs="*", default=list(COLORS))
    parser.add_argument("--readme", action="store_true", help="only the pictures of the README, into docs/pictures")
    asked = parser.parse_args()
    out = ROOT / "docs" / "pictures" if asked.readme else asked.out
    out.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as place,
        sync_playwright() as playwright,
        serving(asked.library, Path(place, "server.txt")) as server,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        if asked.readme:
            page = browser.new_page(viewport={"width": 1280, "height": 860})
            for name, colors in README.items():
                take(page, f"{server}/{all_pages[name]}", out / f"{name}.png", colors, whole=False)
        for size in [] if asked.readme else asked.sizes:
            page = browser.new_page(viewport=dict(zip(("width", "height"), SIZES[size], strict=True)))
            for name in asked.pages or sorted(all_pages):
                for colors in asked.colors:
                    file = out / f"{slug(name)}-{size}-{colors}.png"
                    wide = take(page, f"{server}/{all_pages.get(name, name)}", file, colors, whole=True)
                    print(f"{name} {size} {colors}" + (f": {wide} pixels too wide" if wide > 0 else ""))
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
