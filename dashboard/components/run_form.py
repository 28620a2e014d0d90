"""The form of a new run: rules, a strategy a seat, size, seed and chips; checked and estimated as it is filled in."""

import os
from typing import Any

import jobs
import loaders
import streamlit as st
from words import run as say

import ofclab as ofc
from components.choose import choose, from_url
from components.page import note, show_error
from components.speed import hands_a_second

FIRST = ("never_bust_greedy", "random_legal", "cutoff_rows", "royalty_greedy")
"""Who sits in the seats as long as nobody chooses."""
MOST_HANDS = 50_000_000
PROCESSES = max(1, min(4, os.cpu_count() or 1))


def ask_for_run() -> None:
    """Draw the form; its button starts the run and goes to it."""
    names = loaders.rules_names()
    rules_name = from_url("run_rules", names, "american-pineapple", "ruleset")
    choose("Rules", "run_rules", names, rules_name, width="stretch")
    try:
        rules = loaders.load_rules(rules_name)
    except ofc.RulesError as error:
        show_error("This ruleset cannot be used.", str(error), "Choose another one, or put the file right.")
        return
    seats = st.segmented_control(
        "Seats", list(range(2, rules.players.max + 1)), default=2, key="run_seats", bind="query-params", required=True
    )
    strategies = ask_for_strategies(min(int(seats or 2), rules.players.max), "run")
    with st.container(horizontal=True, vertical_alignment="top"):
        tables = _number(
            "Tables",
            "run_tables",
            1000,
            1,
            1_000_000,
            "Tables play apart from each other: the more, the narrower the intervals.",
        )
        hands = _number(
            "Hands at each", "run_hands", 200, 1, 100_000, "Fantasyland carries over from hand to hand of a table."
        )
        seed = _number(
            "Seed",
            "run_seed",
            1,
            0,
            2**53 - 1,
            "The same seed gives the same cards, whatever the rules and the players.",
        )
        chips = _number("Chips each", "run_stacks", 0, 0, 10**9, "What every seat sits down with; 0: no end of chips.")
    name = st.text_input(
        "Name of the log", key="run_name", placeholder=jobs.free_name(f"{rules.name}-{seed}"), max_chars=80,
        help="Left empty it is called after its rules and seed.",
    )  # fmt: skip
    if strategies is None:
        return
    whole = tables * hands
    if whole > MOST_HANDS:
        show_error(
            "That is more than a run may have.",
            f"{whole:,} hands",
            f"Up to {MOST_HANDS:,} can be asked for here; the command line has no limit.",
        )
        return
    note(say.estimate(whole, hands_a_second(rules.id, strategies, rules)))
    asked = {"strategies": list(strategies), "tables": tables, "hands": hands, "seed": seed, "stacks": chips or None,
             "rules_name": rules.name, "workers": PROCESSES}  # fmt: skip
    at_work = len(jobs.active())
    full = at_work >= jobs.MOST_AT_ONCE
    if st.button("Play", type="primary", icon=":material/play_arrow:", key="run_play", disabled=full):
        _start(name.strip() or jobs.free_name(f"{rules.name}-{seed}"), asked, rules)
    if full:
        note(say.full(at_work))


def _number(label: str, key: str, value: int, least: int, most: int, help: str) -> int:
    return int(
        st.number_input(label, least, most, value, key=key, bind="query-params", help=help, width=140) or 0
    )  # fmt: skip


def ask_for_strategies(seats: int, page: str) -> tuple[str, ...] | None:
    """Draw the choice of a strategy for each seat; None, with the reason shown, when one is not there."""
    with st.container(horizontal=True, vertical_alignment="top"):
        labels = [
            st.selectbox(
                f"Seat {seat + 1}", ofc.strategies.names(), index=ofc.strategies.names().index(FIRST[seat]),
                key=f"{page}_seat_{seat + 1}", accept_new_options=True, width=240,
                help="Parameters can be typed: cutoff_rows(front_max=5)",
            )
            for seat in range(seats)
        ]  # fmt: skip
    try:
        return tuple(ofc.strategies.get(label or "").label for label in labels)
    except (ofc.UnknownStrategy, TypeError) as error:
        show_error("This strategy cannot play.", str(error), "Choose one of the list, or put its parameters right.")
        return None


def _start(name: str, asked: dict[str, Any], rules: ofc.Rules) -> None:
    try:
        out = loaders.runs_folder().resolve() / jobs.check_name(name)
        if out.exists() or name in jobs.every():
            raise jobs.JobError(f"{name} is taken; choose another name for the log")
        jobs.start("simulation", name, {**asked, "out": str(out)}, {"rules": rules})
    except jobs.JobError as error:
        show_error("This run cannot be started.", str(error))
        return
    st.query_params["run"] = name
    st.rerun()


def go_on(entry: loaders.Entry) -> None:
    """Go on with the log of a simulation that was broken off, whoever had started it."""
    log = loaders.open_log(entry)
    source = log.manifest["source"]
    asked = {
        name: source.get(name) for name in ("strategies", "tables", "hands", "seed", "stacks", "fantasyland_values")
    }
    rules = log.rules()
    asked |= {"out": str(entry.path.resolve()), "rules_name": rules.name, "workers": PROCESSES}
    try:
        jobs.start("simulation", jobs.free_job_name(entry.path.name), asked, {"rules": rules})
    except jobs.JobError as error:
        st.toast(str(error), icon=":material/error:")


def can_go_on(entry: loaders.Entry) -> bool:
    """Whether a log is an unfinished simulation nobody is at work on, played by strategies that are there."""
    try:
        log = loaders.open_log(entry)
        source = log.manifest["source"]
        if source.get("kind") != "simulation" or log.is_complete:
            return False
        for label in source["strategies"]:
            ofc.strategies.get(label)
    except (ValueError, KeyError, TypeError):
        return False
    return not any(job.log_folder and job.log_folder.resolve() == entry.path.resolve() for job in jobs.every().values())
