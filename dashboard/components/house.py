"""The rules of a page that looks at no log: a preset or a rules file of the library, chosen at its top right."""

from typing import Any

import loaders
import streamlit as st

import ofclab as ofc
from components.choose import choose, from_url
from components.library import AS_PLAYED
from components.page import show_error, unmarked

DEFAULT = "american-pineapple"


def choose_rules(place: Any) -> ofc.Rules:
    """Draw the popover that says by which rules the page plays, and return them; bad ones stop the page."""
    options = loaders.rules_names()
    # On the pages that look at a log this key may say so.
    if st.query_params.get("rules") == AS_PLAYED:
        del st.query_params["rules"]
    name = from_url("rules", options, DEFAULT, "ruleset")
    with place.popover(unmarked(name), icon=":material/gavel:", type="tertiary"):
        choose("Rules", "rules", options, name)
    try:
        return loaders.load_rules(name)
    except ofc.RulesError as error:
        show_error("This ruleset cannot be used.", str(error), "Choose another one at the top of the page.")
        st.stop()
