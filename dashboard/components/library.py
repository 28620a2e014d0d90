"""What a page looks at: a log of the library, the rules it is scored under, whose hands of it."""

from dataclasses import dataclass
from typing import Any

import loaders
import streamlit as st

import ofclab as ofc
from components.choose import choose, from_url
from components.page import show_empty, show_error, unmarked
from components.progress import progress_bar

AS_PLAYED = "as played"
PAGES = (
    ("views/compare.py", "Compare rules", ":material/compare_arrows:"),
    ("views/strategies.py", "Strategies", ":material/groups:"),
    ("views/fouls.py", "Fouls & Fantasyland", ":material/warning:"),
    ("views/royalties.py", "Royalties & points", ":material/bar_chart:"),
    ("views/hands.py", "Hands", ":material/table_rows:"),
    ("views/review.py", "Review", ":material/rate_review:"),
)
"""Pages that look at a log, as the library links them."""


@dataclass(frozen=True)
class Look:
    """A log and the rules to score it under; None: the rules each hand was played under."""

    entry: loaders.Entry
    facts: loaders.Facts
    rules: ofc.Rules | None

    def compute(self, metric: str, by: tuple[str, ...] = (), only: loaders.Only = ()) -> Any:
        """One metric of the log under the rules, a DataFrame."""
        return loaders.compute(metric, self.entry, self.rules, by, only)

    def who(self) -> str | None:
        """The column that says who plays: strategy, else player; None where the source names nobody."""
        return next(iter(loaders.groups(self.entry)), None)

    def rules_names(self) -> list[str]:
        """Rulesets to choose from: those of the log, the presets, the library's files."""
        return list(dict.fromkeys([*loaders.rules_of_log(self.entry), *loaders.rules_names()]))

    def load_rules(self, name: str) -> ofc.Rules:
        """Load one of `rules_names`; a file that cannot be used stops the page and says why."""
        own = loaders.rules_of_log(self.entry)
        try:
            return own[name] if name in own else loaders.load_rules(name)
        except ofc.RulesError as error:
            show_error("This ruleset cannot be used.", str(error), "Choose another one, or put the file right.")
            st.stop()

    def strategies(self) -> tuple[str, ...] | None:
        """Who sat in the seats of a simulated log, if all of them are built in."""
        labels = loaders.open_log(self.entry).manifest["source"].get("strategies")
        try:
            for label in labels or ():
                ofc.strategies.get(label)
        except ValueError:
            return None
        return tuple(labels) if labels else None


def show_empty_library() -> None:
    """Say that there is no log yet, with the one button that makes one."""
    box = show_empty("There is no log here yet. A small one takes a few seconds to play.")
    if box.button("Play a sample", type="primary", icon=":material/playing_cards:"):
        players, out = ["never_bust_greedy", "random_legal"], loaders.runs_folder() / "sample"
        with progress_bar("Playing 2,000 hands") as progress:
            ofc.simulate("american-pineapple", players, tables=40, hands=50, seed=1, out=out, progress=progress)
        st.query_params["log"] = "sample"
        st.rerun()


def show_title(name: str, beside: str) -> None:
    """A name from a file in bold with something beside it."""
    st.markdown(f"**{unmarked(name)}** &nbsp; {beside}")


def choose_log(place: Any, *, with_rules: bool = True) -> Look:
    """Draw the popover that says what the page looks at, and return it; no log, or a bad one, stops the page."""
    entries = loaders.library()
    if not entries:
        show_empty_library()
        st.stop()
    name = from_url("log", list(entries), next(iter(entries)), "log", always=True)
    options = [AS_PLAYED, *loaders.rules_names()]
    ruleset = from_url("rules", options, AS_PLAYED, "ruleset") if with_rules else AS_PLAYED
    said = unmarked(name if ruleset == AS_PLAYED else f"{name} · {ruleset}")
    with place.popover(said, icon=":material/database:", type="tertiary"):
        choose("Log", "log", list(entries), name)
        if with_rules:
            choose("Scored under", "rules", options, ruleset, help=ofc.analytics.define("rescored"))
    try:
        facts = loaders.facts(entries[name])
        rules = None if ruleset == AS_PLAYED else loaders.load_rules(ruleset)
    except (ofc.LogError, ofc.RulesError) as error:
        what = "log" if isinstance(error, ofc.LogError) else "ruleset"
        show_error(f"This {what} cannot be read.", str(error), f"Choose another {what} at the top of the page.")
        st.stop()
    if not facts.hands:
        show_empty("This log holds no hand: everything its source had was rejected.")
        st.stop()
    return Look(entries[name], facts, rules)


def choose_groups(look: Look, page: str) -> tuple[str | None, loaders.Only]:
    """Draw the choices of how to split the hands and whose to keep; return the column and the filter."""
    names = loaders.groups(look.entry)
    splits = {**{column: column.capitalize() for column in names}, "position": "Position", "all": "All hands"}
    with st.container(horizontal=True, vertical_alignment="top"):
        by = st.segmented_control(
            "Split by", list(splits), format_func=splits.get, default=next(iter(splits)), key=f"{page}_by",
            bind="query-params", required=True,
        )  # fmt: skip
        column = by if by in names else next(iter(names), None)
        if column is None:
            return (None if by == "all" else by), ()
        only = st.multiselect(
            "Whose hands", names[column], key=f"{page}_player", bind="query-params", placeholder="Everyone's",
            format_func=str, width=420,
        )  # fmt: skip
    return (None if by == "all" else by), (((column, tuple(only)),) if only else ())
