"""The parts of Compare rules that are drawn: differences, levels, one change at a time, what Fantasyland is worth."""

import comparisons
import polars as pl
import streamlit as st
from words import compare as say

import ofclab as ofc
from components.chart import literal, show
from components.download import Item
from components.page import note, show_html_table, show_note


def draw_comparison(found: comparisons.Found, a: str, b: str) -> list[Item]:
    """Who gains beside what moves, then the levels; return what can be downloaded."""
    everyone, gains = say.everyone(found.differences), say.gains(found.differences)
    drawn = ofc.charts.difference_marks(literal(gains)), ofc.charts.relative_marks(literal(everyone))
    height = max(figure.layout.height for figure in drawn)
    left, right = st.columns([1.1, 1], gap="medium")
    with left:
        st.subheader("Points per hand, B minus A", anchor=False)
        figure = drawn[0].update_layout(height=min(height, 2 * drawn[0].layout.height))
        show(figure, say.GAINS, "difference", say.gains_alt(gains))
    with right:
        st.subheader("What moves, A to B", anchor=False)
        caption = (
            f"All players together, the levels under each name. {say.basis(everyone)}; lines are 95\xa0% intervals."
        )
        show(drawn[1].update_layout(height=height), caption, "relative", say.everyone_alt(everyone))
    st.subheader("Levels", anchor=False)
    show_html_table(*say.levels(everyone, gains, a, b))
    note("≈ cannot be told from no change; pp: percentage points.")
    for text in found.notes:
        show_note(text)
    return [
        Item("Differences", found.differences),
        Item("Points per hand", gains, "difference"),
        Item("What moves", everyone, "relative"),
        Item("Levels", found.levels),
    ]


def draw_steps(found: comparisons.Steps) -> list[Item]:
    """The way from A to B as a waterfall of one measure, and what each change does alone."""
    measures = found.measures()
    metric = st.selectbox(
        "Measure", list(measures), format_func=measures.get, key="compare_measure", bind="query-params", width=320
    )
    steps = found.waterfall(metric)
    figure = ofc.charts.change_waterfall(literal(steps.with_columns(say.short_change())))
    show(figure, say.STEPS, "steps", say.steps_alt(steps))
    alone = found.alone.filter((pl.col("metric") == metric) & (pl.col("of") == "all")).sort("number")
    show_html_table(*say.steps_table(steps, alone))
    for text in found.notes:
        show_note(text)
    return [Item("One change at a time", found.steps, "steps"), Item("Each change alone", found.alone)]


def draw_worth(a: ofc.Rules, b: ofc.Rules, a_name: str, b_name: str) -> list[Item]:
    """What a Fantasyland hand is worth under both rulesets, by its cards."""
    st.subheader("What Fantasyland is worth", anchor=False)
    with st.spinner("Playing Fantasyland hands to their end"):
        found = {"a": comparisons.worth(a), "b": comparisons.worth(b)}
    show_html_table(*say.worth_table(found, a_name, b_name))
    note(f"{ofc.analytics.define('fantasyland_value')} Here everybody plays {comparisons.PLAYERS[0]}, two at a table.")
    named = ((a_name, found["a"]), (b_name, found["b"]))
    frames = [frame.with_columns(pl.lit(name).alias("rules")) for name, frame in named if frame is not None]
    return [Item("Value of Fantasyland", pl.concat(frames))] if frames else []
