"""Colours, marks and the plotly template of the lab, by day and by night."""

import hashlib
import re
from dataclasses import dataclass
from typing import Final

import plotly.graph_objects as go
import plotly.io as pio

TEMPLATE: Final = "ofclab"

LIGHT: Final = {
    "page": "#FBFAF7",
    "text": "#1B1F24",
    "muted": "#5C6370",
    "grid": "#E4E0D7",
    "border": "#DAD6CC",
    "primary": "#0B6E5F",
    "green": "#12734F",
    "red": "#B3261E",
    "blue": "#1457B5",
    "yellow": "#9A6700",
    "violet": "#6B3FA0",
}
DARK: Final = {
    "page": "#14171A",
    "text": "#E9E6DF",
    "muted": "#A2A8AE",
    "grid": "#2B3035",
    "border": "#383E44",
    "primary": "#1B8573",
    "green": "#5CC9A0",
    "red": "#FF8A80",
    "blue": "#86B4FF",
    "yellow": "#E5B84B",
    "violet": "#C3A5F5",
}
SERIES: Final = (
    "#3D9C8C", "#263A9E", "#985109", "#8A1268", "#AE850E", "#5C6370", "#9651CF", "#AE634E", "#35829C", "#434702",
)  # fmt: skip
SERIES_DARK: Final = (
    "#75F9D5", "#628EFE", "#F5900B", "#C9577A", "#FEDA4A", "#A2A8AE", "#9F7DC4", "#E06541", "#89D0F7", "#BCC98A",
)  # fmt: skip
DIVERGING: Final = (
    "#8C2F1B", "#B1563A", "#CF8263", "#E3AF95", "#F0DACB", "#D5E4E1", "#A6CAC3", "#6FABA0", "#38897C", "#0B6859",
)  # fmt: skip
DIVERGING_DARK: Final = (
    "#F0906F", "#D07253", "#A9583F", "#7F4534", "#53352C", "#29403C", "#2B5F57", "#338074", "#4FA294", "#86CFC1",
)  # fmt: skip
SEQUENTIAL: Final = (
    "#E6F1EE", "#CFE5DF", "#B5D7CF", "#98C8BD", "#79B7AA", "#5AA596", "#3B9282", "#1F7E6E", "#0B6859", "#054F43",
)  # fmt: skip
SEQUENTIAL_DARK: Final = (
    "#1A2A28", "#1E3834", "#224842", "#265A52", "#2B6D63", "#318276", "#3E988A", "#55AE9F", "#78C6B8", "#A8E0D5",
)  # fmt: skip

# The ends of the two scales share one light green; the diverging one decides what it becomes at night.
_AT_NIGHT: Final = {
    **dict(zip(SEQUENTIAL, SEQUENTIAL_DARK, strict=True)),
    **dict(zip(DIVERGING, DIVERGING_DARK, strict=True)),
    **dict(zip(SERIES, SERIES_DARK, strict=True)),
    **{LIGHT[name]: DARK[name] for name in LIGHT},
}
_HEX: Final = re.compile(r"#[0-9A-Fa-f]{6}\b")

_STRATEGIES: Final = {
    "hindsight": (1, "circle"),
    "anti_foul": (2, "square"),
    "fantasy_chaser": (3, "diamond"),
    "gamble": (4, "triangle-up"),
    "never_bust_greedy": (5, "cross"),
    "random_legal": (6, "x"),
    "random_fill": (8, "pentagon"),
    "royalty_greedy": (9, "triangle-down"),
}
_FREE_SLOTS: Final = (7, 10)
_HOUSE_RULE: Final = 6
# First match wins: a progressive preset is progressive whoever's it is.
_VARIANTS: Final = (
    (re.compile(r"\+"), _HOUSE_RULE),
    (re.compile(r"progressive|spartan|variable"), 9),
    (re.compile(r"deuce|2-7"), 8),
    (re.compile(r"regular|turbo|standard|tournament|pagat-(8|treble)"), 10),
    (re.compile(r"pineapple"), 7),
)


@dataclass(frozen=True)
class Look:
    """How one series is drawn: the colour of its line, the colour and shape of its mark."""

    line: str
    mark: str
    symbol: str = "circle"


PLAIN: Final = Look(LIGHT["muted"], LIGHT["text"])
"""A series that is neither a strategy nor a variant."""


def strategy_look(label: str) -> Look:
    """The colour and marker a strategy has in every chart; parameters do not count, a user's own gets a free slot.

    >>> strategy_look("gamble(p=0.3)").symbol
    'triangle-up'
    """
    name = label.partition("(")[0].strip()
    if name in _STRATEGIES:
        slot, symbol = _STRATEGIES[name]
    else:
        slot, symbol = _FREE_SLOTS[hashlib.sha256(name.encode()).digest()[0] % len(_FREE_SLOTS)], "star"
    return Look(SERIES[slot - 1], SERIES[slot - 1], symbol)


def variant_look(ruleset: str) -> Look:
    """The colour a ruleset has in every chart, by its family; the mark stays ink, for variants are lines and bars."""
    slot = next((slot for pattern, slot in _VARIANTS if pattern.search(ruleset)), _HOUSE_RULE)
    return Look(SERIES[slot - 1], LIGHT["text"])


def look_of(column: str, value: object) -> Look:
    """The look of one value of a group column."""
    if column in ("strategy", "player") and value is not None:
        return strategy_look(str(value))
    if column in ("ruleset", "rules") and value is not None:
        return variant_look(str(value))
    return PLAIN


def scale(colours: tuple[str, ...]) -> list[list[float | str]]:
    """A plotly colour scale from a row of colours."""
    last = len(colours) - 1
    return [[i / last, colour] for i, colour in enumerate(colours)]


def dark(figure: go.Figure) -> go.Figure:
    """The same figure in the colours of the night; every light token is swapped for its dark twin."""
    swapped = _HEX.sub(lambda found: _AT_NIGHT.get(found[0].upper(), found[0]), figure.to_json())
    return pio.from_json(swapped)


def _template() -> go.layout.Template:
    axis = {
        "gridcolor": LIGHT["grid"],
        "gridwidth": 1,
        "linecolor": LIGHT["grid"],
        "zeroline": False,
        "tickfont": {"size": 13, "color": LIGHT["muted"]},
        "title": {"font": {"size": 13, "color": LIGHT["muted"]}, "standoff": 8},
        "fixedrange": True,
        "automargin": True,
    }
    return go.layout.Template(
        layout={
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"size": 14, "color": LIGHT["text"], "family": "Source Sans, Source Sans Pro, sans-serif"},
            "colorway": list(SERIES),
            "colorscale": {"sequential": scale(SEQUENTIAL), "diverging": scale(DIVERGING)},
            "margin": {"l": 4, "r": 16, "t": 10, "b": 4},
            "showlegend": False,
            "dragmode": False,
            "hoverlabel": {
                "bgcolor": LIGHT["page"],
                "bordercolor": LIGHT["border"],
                "font": {"color": LIGHT["text"], "size": 13},
            },
            "separators": ".,",
            "xaxis": axis,
            "yaxis": axis,
        }
    )


pio.templates[TEMPLATE] = _template()
