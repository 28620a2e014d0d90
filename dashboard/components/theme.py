"""Light and dark: the page's own styles, and the watch that tells Python when the colours change."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

_CONFIG = Path(__file__).parents[1] / ".streamlit" / "config.toml"

_CSS = """
[data-testid=stMainBlockContainer] {max-width: 1208px; margin: 0 auto;}
[data-testid=stMain] {font-variant-numeric: tabular-nums;}
h1, h2, h3 {text-wrap: balance;}
p, li {text-wrap: pretty;}
button[aria-checked=true], button[aria-pressed=true], [data-testid=stSliderThumbValue] {color: inherit !important;}
[data-testid=stPopover] button {color: inherit !important;}
.js-plotly-plot .modebar-container {display: none !important;}
[data-testid=stElementToolbar] [aria-label^="Download"] {display: none;}
.st-key-theme_watch {display: none;}
.verdict h2 {font-family: inherit; font-size: 1.1875rem; margin: 0; padding: 0.25rem 0 0.5rem;}
.suit-h {color: var(--ofclab-red);} .suit-d {color: var(--ofclab-blue);} .suit-c {color: var(--ofclab-green);}
.muted {color: var(--ofclab-muted);}
.small {font-size: 0.875rem; margin: 0;}
.box-title {margin: 0 0 0.5rem;}
ul.plain {margin: 0; padding-left: 1.1rem;}
ul.plain li {margin: 0.1rem 0;}
.sideways {overflow-x: auto;}
table.figures {border-collapse: collapse; width: 100%; font-size: 0.9375rem;}
table.figures th, table.figures td {padding: 0.45rem 0.75rem 0.45rem 0; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--ofclab-border);}
table.figures thead th {font-size: 0.75rem; font-weight: 600; color: var(--ofclab-muted);}
table.figures th:first-child {text-align: left; white-space: normal; min-width: 8rem;}
table.figures tbody th {font-weight: 400;}
@media (max-width: 640px) {
  .stHorizontalBlock > .stElementContainer:has(.stSelectbox) {flex: 1 1 100% !important; max-width: none !important;}
}
[data-testid=stSliderThumbValue], [data-testid=stSliderThumbValue] * {white-space: nowrap !important;}
.st-key-answers {display: grid !important; grid-template-columns: repeat(auto-fit, minmax(160px, 1fr)); gap: 0.75rem;}
.st-key-answers > div {width: 100% !important;}
.verdict p {margin: 0 0 0.25rem; max-width: 100ch;}
"""

# A hidden part of the page that reads the page's colour and reports when it is not the one Python drew for: neither
# the theme menu nor the system's switch to night runs the page again by itself.
_WATCH = """
export default function({data, setStateValue, parentElement}) {
  const home = parentElement.host ?? parentElement
  let told = data.type
  clearInterval(home.ofclabWatch)
  home.ofclabWatch = setInterval(() => {
    const hex = getComputedStyle(home).getPropertyValue("--st-background-color").trim()
    const type = hex.toLowerCase() === data.dark.toLowerCase() ? "dark" : "light"
    if (!hex || type === told) return
    told = type
    setStateValue("type", type)
  }, 200)
  return () => clearInterval(home.ofclabWatch)
}
"""
_watch = st.components.v2.component("ofclab_theme_watch", js=_WATCH)


@cache
def _theme() -> dict[str, Any]:
    theme: dict[str, Any] = tomllib.loads(_CONFIG.read_text(encoding="utf-8"))["theme"]
    return theme


def is_dark() -> bool:
    """Whether the page is shown in the dark theme now."""
    return st.context.theme.type == "dark"


def page_color() -> str:
    """The colour of the page now."""
    return str(_theme()["dark" if is_dark() else "light"]["backgroundColor"])


def apply_theme() -> None:
    """Put the page's styles in, and run again when the colours change."""
    now = _theme()["dark" if is_dark() else "light"]
    named = {"muted": "grayTextColor", "border": "borderColor"}
    named |= {color: f"{color}TextColor" for color in ("red", "blue", "green")}
    colors = f":root {{{' '.join(f'--ofclab-{name}: {now[key]};' for name, key in named.items())}}}"
    st.html(f"<style>{colors}{_CSS}</style>")
    with st.container(key="theme_watch"):
        data = {"type": "dark" if is_dark() else "light", "dark": _theme()["dark"]["backgroundColor"]}
        _watch(data=data, key="theme", on_type_change=lambda: None)
