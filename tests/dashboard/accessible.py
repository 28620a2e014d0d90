"""What axe finds wrong with a page that is open in a browser."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from serving import settle

RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]
NOT_OURS = [["[data-testid=stHeader]"], ["[data-testid=stSidebar]"]]
"""Streamlit's own menu: on a phone its list of pages is not made of list items."""


@cache
def _script() -> str:
    found = find_spec("axe_playwright_python")
    assert found is not None, "axe-playwright-python is not installed: it brings the script"
    assert found.origin is not None
    return (Path(found.origin).parent / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Any) -> list[str]:
    """Every violation of WCAG 2.2 AA, with the first place that shows it; what is being redrawn is faded until then."""
    settle(page)
    page.evaluate(_script())
    found = page.evaluate(
        "([exclude, values]) => axe.run({exclude}, {runOnly: {type: 'tag', values}}).then(all => all.violations)",
        [NOT_OURS, RULES],
    )
    return [f"{rule['id']}: {rule['help']}: {rule['nodes'][0]['html'][:200]}" for rule in found]
