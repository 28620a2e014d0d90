"""Decisions reviewed: what they lost, where the leaks are, what the cards had to do with it, the dearest ones."""

import hashlib
import json
from typing import Any

import jobs
import loaders
import polars as pl
import streamlit as st
from words import review as say

import ofclab as ofc
from components.chart import literal, show
from components.download import Item
from components.jobs import finished
from components.library import Look
from components.page import note, show_empty, show_html_table, show_note, unmarked, verdict
from components.run_form import PROCESSES

EVERYBODY = "Everybody"
LEVELS = ("quick", "standard", "deep")
MOST = 12


def draw_decisions(look: Look) -> list[Item]:
    """Whose decisions and how thoroughly; then what was found, or the box that judges them."""
    column = "player" if "player" in loaders.groups(look.entry) else look.who()
    names = loaders.groups(look.entry).get(column or "", [])
    with st.container(horizontal=True, vertical_alignment="top"):
        who = st.selectbox("Whose decisions", [EVERYBODY, *names], key="review_player", bind="query-params", width=280)
        level = st.segmented_control("How thoroughly", LEVELS, default="quick", key="review_level",
                                     bind="query-params", required=True, format_func=str.capitalize)  # fmt: skip
    player = None if who == EVERYBODY else who
    asked: dict[str, Any] = {"log": str(look.entry.path.resolve()), "player": player, "level": level}
    key = hashlib.sha256(json.dumps([asked, look.entry.stamp]).encode()).hexdigest()[:16]
    asked["workers"] = PROCESSES
    sentence = say.not_reviewed(unmarked(str(who)), look.facts.hands)
    job = finished(f"review-{key}", "review", asked, {}, sentence, "Review the decisions")
    return _draw(job, column or "player", look.entry.name) if job else []


@st.cache_resource(max_entries=16)
def _decisions(folder: str, stamp: float) -> pl.DataFrame:
    return pl.read_parquet(f"{folder}/decisions.parquet")


def _draw(job: jobs.Job, by: str, log: str) -> list[Item]:
    decisions = _decisions(str(job.folder), (job.folder / "decisions.parquet").stat().st_mtime)
    told = json.loads((job.folder / "notes.json").read_text(encoding="utf-8"))
    if decisions.is_empty():
        show_empty(say.nothing_to_review(told["player_hands"]))
        return []
    reports = ofc.analytics
    lost, right = (report(decisions, [by]).collect() for report in (reports.loss_per_100, reports.accuracy))
    whole, tricky = (report(decisions).collect() for report in (reports.loss_per_100, reports.accuracy))
    verdict(*say.decisions_verdict(whole.row(0, named=True), tricky.to_dicts(), len(decisions), told))
    show_html_table(*say.players(lost.to_dicts(), {row[by]: row for row in right.to_dicts()}, by))

    left, right_half = st.columns(2, gap="medium")
    with left:
        leaks = reports.leaks(decisions).collect()
        items = [_draw_leaks(leaks)]
    with right_half:
        items += _draw_luck(decisions, by)
    items += _draw_worst(decisions, log)
    show_note(told["information"])
    return [Item("Decisions", decisions), *items]


def _draw_leaks(leaks: pl.DataFrame) -> Item:
    st.subheader("Where the points go", anchor=False)
    there = set(leaks["theme"])
    themes = {theme: title for theme, title in say.THEMES.items() if theme in there}
    theme = st.segmented_control("Seen by", list(themes), format_func=themes.get, default=next(iter(themes), None),
                                 key="review_theme", bind="query-params", required=True)  # fmt: skip
    shown = leaks.filter(pl.col("theme") == theme).head(MOST)
    known = shown.drop_nulls("leaks")
    if known.is_empty():
        note("Nothing was lost this way.")
    else:
        figure = ofc.charts.leak_marks(literal(known.with_columns(pl.lit("").alias("theme"))))
        _clean_names(figure)
        show(figure, say.leaks_caption(), "leaks", say.leaks_alt(known))
    return Item("Leaks", leaks, "leaks")


def _clean_names(figure: Any) -> None:
    """Cut the separator off names whose theme the choice above says."""
    if figure.layout.yaxis.ticktext:
        figure.layout.yaxis.ticktext = [str(text).removeprefix(" · ") for text in figure.layout.yaxis.ticktext]
    for label in figure.layout.annotations:
        label.text = str(label.text).removeprefix(" · ")


def _draw_luck(decisions: pl.DataFrame, by: str) -> list[Item]:
    st.subheader("Adjusted for luck", anchor=False)
    luck = ofc.analytics.luck_adjusted(decisions, [by]).collect().drop_nulls("luck_adjusted")
    if luck.is_empty():
        note("Only hands of which every seat was reviewed can be adjusted: review everybody.")
        return []
    shown = luck.sort("hands", descending=True).head(MOST)
    show(ofc.charts.luck_adjusted_marks(literal(shown)), ofc.analytics.define("luck_adjusted"), "luck",
         say.luck_alt(shown, by))  # fmt: skip
    return [Item("Adjusted for luck", luck, "luck")]


def _draw_worst(decisions: pl.DataFrame, log: str) -> list[Item]:
    st.subheader("The dearest decisions", anchor=False)
    clear = decisions.filter(pl.col("verdict").cast(pl.String).is_in(["inaccuracy", "mistake", "blunder"]))
    worst = clear.sort("ev_loss", "hand_id", "street", descending=[True, False, False]).head(20)
    if worst.is_empty():
        note("None lost more than the noise.")
        return []
    show_html_table(*say.worst(worst.to_dicts()))
    note("Replay the dearest, street by street:")
    with st.container(horizontal=True):
        for number, row in enumerate(worst.head(5).to_dicts(), 1):
            address = {"replay_hand": row["hand_id"], "replay_seat": row["seat"], "replay_street": row["street"]}
            st.page_link(
                "views/replay.py",
                label=f"{number}. {row['ev_loss']:.2f} points",
                icon=":material/replay:",
                query_params={"log": log, **{name: str(value) for name, value in address.items()}},
            )
    return [Item("Dearest decisions", worst)]
