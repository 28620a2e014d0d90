"""Fouls & Fantasyland: when it goes wrong, and what earns the good hands."""

import streamlit as st
from components.chart import draw, most_played
from components.download import Item, download_menu
from components.library import choose_groups, choose_log
from components.page import frame, note, show_empty, show_html_table, show_table, verdict
from words import FEW_TABLES, by_cards, side_by_side
from words import fouls as say

TITLE = "Fouls & Fantasyland"
ICON = ":material/warning:"
SECTION = "Study"
ORDER = 4

here = frame(TITLE, "When does it go wrong, and what earns Fantasyland?")
look = choose_log(here.context)
by, only = choose_groups(look, "fouls")
split = (by,) if by else ()

fouls = look.compute("foul_rate", split, only)
if not fouls["hands"].sum():
    show_empty("No hand of this choice shows its rows: the source tells points or cards only.")
    st.stop()
entry, earned, stay, share = (
    look.compute(metric, (), only) for metric in ("entry_rate", "entry_by", "stay_rate", "fantasyland_share")
)
in_fantasyland = say.fantasyland_sentence(entry, stay, share)
main = most_played("foul_rate", fouls)
answer = st.empty()
with answer:
    verdict(*say.foul_verdict(main, by), in_fantasyland)
# The street of every foul is found once a log, which takes a while for a million hands: the verdict does not wait.
hazard, hazard_of_all = look.compute("foul_hazard", split, only), look.compute("foul_hazard", (), only)
with answer:
    verdict(*say.foul_verdict(main, by), say.street_sentence(hazard_of_all), in_fantasyland)
if fouls["few_tables"].any():
    note(FEW_TABLES)

items: list[Item] = []
left, right = st.columns(2, gap="medium")
with left:
    items.append(draw("How often boards foul", "foul_rate", fouls, " ".join(say.foul_facts(main, by))))
    if hazard.is_empty():
        st.subheader("On which street", anchor=False)
        show_empty("The source does not tell the order of the cards, so no street can be named.")
    else:
        items.append(draw("On which street", "foul_hazard", hazard, say.street_sentence(hazard_of_all)))
with right:
    entries = look.compute("entry_rate", split, only)
    items.append(draw("How often Fantasyland is reached", "entry_rate", entries, in_fantasyland))
    if earned.is_empty():
        st.subheader("What earned it", anchor=False)
        show_empty(say.none_entered(entry.row(0, named=True)))
    else:
        items.append(draw("What earned it", "entry_by", earned, say.earned_alt(earned)))

stays = by_cards(look.compute("stay_rate", ("fl_cards",), only))
if not stays.is_empty():
    left, right = st.columns(2, gap="medium")
    with left:
        items.append(draw("Who stays, by cards dealt", "stay_rate", stays, in_fantasyland))
        shares = look.compute("fantasyland_share", split, only)
        items.append(draw("How much is played there", "fantasyland_share", shares, in_fantasyland))
    with right:
        chains = look.compute("chain_length", (), only)
        items.append(draw("How long it lasts", "chain_length", chains, say.chain_alt(chains)))
        inside = look.compute("fantasyland_points", (), only)
        if inside["fantasyland_points"].is_not_null().any():
            items.append(draw("What a hand there wins", "fantasyland_points", inside, say.inside_alt(inside)))

if by != "position":
    seats = {metric: look.compute(metric, ("position",), only) for metric in ("foul_rate", "entry_rate")}
    if table := say.by_position(seats):
        st.subheader("By position", anchor=False)
        show_html_table(*table)
        note("Position 1 is left of the button and acts first. ≈ marks a rate whose interval reaches the highest one.")

st.subheader("The figures", anchor=False)
metrics = ("foul_rate", "entry_rate", "stay_rate", "fantasyland_share")
figures = side_by_side({metric: look.compute(metric, split, only) for metric in metrics}, split)
show_table(figures, split, metrics)
download_menu(here.menu, "fouls", [Item("All figures", figures), *items])
