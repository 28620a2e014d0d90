"""The launcher of tournaments: who plays, by which rules, how many mirrored deals."""

import hashlib
import json
from typing import Any

import loaders
import streamlit as st
from words import strategies as say

import ofclab as ofc
from components.choose import choose, from_url
from components.download import Item
from components.field import draw_tournament, pick
from components.jobs import finished
from components.page import note, show_error
from components.run_form import PROCESSES

DEALS = (200, 1000, 5000, 20000)


def tournament() -> list[Item]:
    """Draw the choices and what they found, or the box that plays them."""
    names = loaders.rules_names()
    with st.container(horizontal=True, vertical_alignment="top", key="tournament_choices"):
        picks = pick(ofc.strategies.names())
        rules_name = from_url("strategies_rules", names, "american-pineapple", "ruleset")
        choose("Rules", "strategies_rules", names, rules_name, width=260)
        deals = st.segmented_control(
            "Deals", DEALS, default=DEALS[0], key="strategies_deals", bind="query-params", required=True,
            format_func=lambda number: f"{number:,}",
        )  # fmt: skip
    if len(picks) < 2:
        note("Choose two strategies or more.")
        return []
    try:
        rules = loaders.load_rules(rules_name)
    except ofc.RulesError as error:
        show_error("This ruleset cannot be used.", str(error), "Choose another one, or put the file right.")
        return []
    asked: dict[str, Any] = {"strategies": sorted(picks), "deals": int(deals or DEALS[0]), "seed": 1, "seats": 2}
    key = hashlib.sha256(json.dumps([rules.id, asked]).encode()).hexdigest()[:16]
    asked |= {"workers": PROCESSES, "rules_name": rules.name}
    sentence = say.not_played(picks, rules.name, asked["deals"])
    job = finished(f"tournament-{key}", "tournament", asked, {"rules": rules}, sentence, "Play the tournament")
    return draw_tournament(job) if job else []
