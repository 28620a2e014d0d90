"""Compare rules: what changes between two rulesets, and for whom."""

import comparisons
import streamlit as st
from components.chart import literal, show
from components.choose import choose, from_url
from components.download import Item, download_menu
from components.library import choose_log
from components.page import frame, note, show_error, show_html_table, show_list, show_note, verdict
from components.progress import progress_bar
from words import bold
from words import compare as say

import ofclab as ofc

TITLE = "Compare rules"
ICON = ":material/compare_arrows:"
SECTION = "Study"
ORDER = 2
MODES = {"Re-scored": "rescored", "Re-simulated": "resimulated"}

here = frame(TITLE, "What changes, and for whom?")
look = choose_log(here.context, with_rules=False)
names = look.rules_names()
a_name = from_url("compare_a", names, names[0], "ruleset")
b_name = from_url("compare_b", names, say.other_rules(a_name, names), "ruleset", always=True)
with st.container(horizontal=True, vertical_alignment="top", key="compare_choices"):
    choose("Rules A (now)", "compare_a", names, a_name, width=280)
    choose("Rules B (instead)", "compare_b", names, b_name, width=280)
    how = st.segmented_control(
        "Method", list(MODES), default="Re-scored", key="compare_how", bind="query-params", required=True,
        help=f"Re-scored: {ofc.analytics.define('rescored')} Re-simulated: {ofc.analytics.define('resimulated')}",
    )  # fmt: skip

a, b = look.load_rules(a_name), look.load_rules(b_name)
changes = ofc.diff_rules(a, b)
if not changes:
    verdict("Nothing differs.", f"{bold(a_name)} and {bold(b_name)} are the same rules.")
    st.stop()
players = look.strategies() or comparisons.PLAYERS
try:
    if MODES[how] == "rescored":
        comparison = comparisons.rescored(look.entry, a, b)
    else:
        with progress_bar("Playing both rulesets on the same shuffles", runs=2) as progress:
            comparison = comparisons.resimulated(a, b, players, progress)
except ValueError as error:
    show_list("What changes", say.of_parameters(changes), [change.text for change in changes])
    show_error("These rules cannot be compared this way.", str(error), "Choose other rules or the other method above.")
    st.stop()

everyone, gains = say.everyone(comparison.differences), say.gains(comparison.differences)
verdict(*say.rules_verdict(everyone, gains, a_name, b_name))
show_list("What changes", say.of_parameters(changes), [change.text for change in changes])

drawn = ofc.charts.difference_marks(literal(gains)), ofc.charts.relative_marks(literal(everyone))
height = max(figure.layout.height for figure in drawn)
left, right = st.columns([1.1, 1], gap="medium")
with left:
    st.subheader("Points per hand, B minus A", anchor=False)
    caption = (
        "Right of the line gains under B. The lines are 95\xa0% intervals of the paired difference; a hollow mark "
        "cannot be told from no change."
    )
    show(
        drawn[0].update_layout(height=min(height, 2 * drawn[0].layout.height)),
        caption,
        "difference",
        say.gains_alt(gains),
    )
with right:
    st.subheader("What moves, A to B", anchor=False)
    caption = f"All players together, the levels under each name. {say.basis(everyone)}; lines are 95\xa0% intervals."
    show(drawn[1].update_layout(height=height), caption, "relative", say.everyone_alt(everyone))

st.subheader("Levels", anchor=False)
show_html_table(*say.levels(everyone, gains, a_name, b_name))
note("≈ cannot be told from no change; pp: percentage points.")
for text in [*comparison.notes, *([f"Played by {' and '.join(players)}."] if MODES[how] == "resimulated" else [])]:
    show_note(text)
download_menu(
    here.menu,
    "compare",
    [
        Item("Differences", comparison.differences),
        Item("Points per hand", gains, "difference"),
        Item("What moves", everyone, "relative"),
        Item("Levels", comparison.levels),
    ],
)
