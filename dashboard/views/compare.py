"""Compare rules: what changes between two rulesets, and for whom."""

import comparisons
import streamlit as st
from components.choose import choose, from_url
from components.comparison import draw_comparison, draw_steps, draw_worth
from components.download import download_menu
from components.jobs import finished
from components.library import choose_log
from components.page import frame, show_error, show_list, verdict
from components.rules_editor import edit, edited
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
    choose("Rules A (now)", "compare_a", names, a_name, width=260)
    choose("Rules B (instead)", "compare_b", names, b_name, width=260)
    how = st.segmented_control(
        "Method", list(MODES), default="Re-scored", key="compare_how", bind="query-params", required=True,
        help=f"Re-scored: {ofc.analytics.define('rescored')} Re-simulated: {ofc.analytics.define('resimulated')}",
    )  # fmt: skip
    size = "Small"
    if MODES[how] == "resimulated":
        size = st.segmented_control("Size", list(comparisons.SIZES), default="Small", key="compare_size",
                                    bind="query-params", required=True)  # fmt: skip

a, base = look.load_rules(a_name), look.load_rules(b_name)
b = edited(base, b_name, "compare_edit")
if st.toggle("Edit B", key="compare_editor", bind="query-params", help="Change single rules, in a form or as text."):
    edit(base, b, b_name, "compare_edit")
changes, b_said = ofc.diff_rules(a, b), say.edited_name(b_name, base != b)
if not changes:
    verdict("Nothing differs.", f"{bold(a_name)} and {bold(b_said)} are the same rules.")
    st.stop()
players = look.strategies() or comparisons.PLAYERS
found = None
try:
    if MODES[how] == "rescored":
        found = comparisons.rescored(look.entry, a, b)
    else:
        name, asked = comparisons.comparison_job(a, b, players, size)
        sentence = say.not_played(players, *comparisons.SIZES[size])
        if job := finished(name, "comparison", asked, {"a": a, "b": b}, sentence, "Play both"):
            found = comparisons.played(job)
except ValueError as error:
    show_error("These rules cannot be compared this way.", str(error), "Choose other rules or the other method above.")
items = []
if found:
    verdict(*say.rules_verdict(say.everyone(found.differences), say.gains(found.differences), a_name, b_said))
show_list("What changes", say.of_parameters(changes), [change.text for change in changes])
if found is None:
    st.stop()
items += draw_comparison(found, a_name, b_said)
items += draw_worth(a, b, a_name, b_said)

if st.toggle("One change at a time", key="compare_steps", bind="query-params", help=say.STEPS):
    if MODES[how] == "rescored":
        items += draw_steps(comparisons.rescored_steps(look.entry, a, b))
    else:
        name, asked = comparisons.steps_job(a, b, players, size, len(changes))
        if job := finished(name, "comparison", asked, {"a": a, "b": b}, sentence, "Play every change"):
            items += draw_steps(comparisons.played_steps(job))
download_menu(here.menu, "compare", items)
