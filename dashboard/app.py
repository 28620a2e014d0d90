"""The router: every file in views/ is a page, described by the constants at its top."""

import ast
import logging
from base64 import b64encode
from pathlib import Path

import components.chart  # noqa: F401
import streamlit as st
from components.page import show_error
from components.theme import apply_theme

VIEWS = Path(__file__).parent / "views"
SECTIONS = ("", "Study", "Play", "Mine")


def describe(file: Path) -> dict[str, object]:
    """The constants TITLE, ICON, SECTION, ORDER and HIDDEN of a page, read without running it."""
    said: dict[str, object] = {"TITLE": file.stem.capitalize(), "ICON": None, "SECTION": "Study", "ORDER": 99}
    said["HIDDEN"] = False
    for node in ast.parse(file.read_text(encoding="utf-8"), filename=str(file)).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in said:
            said[node.targets[0].id] = ast.literal_eval(node.value)
    return said


def pages() -> dict[str, list[st.Page]]:
    """The pages by menu section, in their order; the first of all opens at the root."""
    found = sorted(((describe(file), file) for file in VIEWS.glob("*.py")), key=lambda page: page[0]["ORDER"])
    sections: dict[str, list[st.Page]] = {section: [] for section in SECTIONS}
    for number, (said, file) in enumerate(found):
        visibility = "hidden" if said["HIDDEN"] else "visible"
        page = st.Page(file, title=said["TITLE"], icon=said["ICON"], default=number == 0, visibility=visibility)
        sections.setdefault(said["SECTION"], []).append(page)
    return {section: members for section, members in sections.items() if members}


# Inside the page: a file is forgotten by the server when a run is cut short by the next, and its address then leads to
# nothing.
ICON = "data:image/png;base64," + b64encode(Path(__file__).with_name("icon.png").read_bytes()).decode()
st.set_page_config(page_title="ofclab", page_icon=ICON, layout="wide")
chosen = st.navigation(pages(), position="top")
apply_theme()
try:
    chosen.run()
except (ValueError, OSError) as error:
    show_error("This page cannot be shown.", str(error), "Change what the page was asked for, or go back to Home.")
except Exception as error:
    logging.getLogger("ofclab.dashboard").exception("the page %s failed", chosen.title)
    show_error(
        "This page has a fault.", type(error).__name__, "The details are in the terminal that runs the dashboard."
    )
