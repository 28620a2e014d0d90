"""The trainer's choices and its rating."""

import random
from collections.abc import Sequence

import streamlit as st
import training
from words import trainer as say

import ofclab as ofc
from components.choose import choose, from_url
from components.download import Item
from components.page import note
from components.positions import held, replace

OPPONENT = "hindsight"


def choose_opponent() -> tuple[str, str, int]:
    """Draw the mode, the opponent and the number of the deal, kept in the address; return them."""
    names = ofc.strategies.names()
    against = from_url("trainer_vs", names, OPPONENT if OPPONENT in names else names[0], "strategy")
    asked, _ = held("trainer_seed")
    if not asked.isdigit() or len(asked) > 9:
        asked = str(random.randrange(1, 1_000_000))
        replace("trainer_seed", asked)
    with st.container(horizontal=True, vertical_alignment="bottom", key="trainer_choices"):
        mode = st.segmented_control(
            "Mode", say.MODES, default=say.MODES[0], key="trainer_mode", bind="query-params", required=True
        )
        if mode == say.MODES[0]:
            choose("Against", "trainer_vs", names, against, width=220)
            st.button("New game", icon=":material/refresh:", on_click=forward, key="trainer_new")
    return str(mode), against, int(asked)


def choose_mistake(rules: ofc.Rules, number: int) -> ofc.Spot | None:
    """Draw whose mistakes are asked again, and return one of them; None where there is none."""
    logs = training.reviewed_logs(rules)
    where = say.OWN
    if logs:
        where = st.selectbox("Mistakes of", [say.OWN, *logs], key="trainer_from", bind="query-params", width=260)
    if where in logs:
        return training.mistake_of_log(logs[where], number)
    own = training.mistakes(rules)
    return own[number % len(own)] if own else None


def forward() -> None:
    """Go to the next deal."""
    asked, _ = held("trainer_seed")
    replace("trainer_seed", str(int(asked) + 1 if asked.isdigit() else 1))
    st.session_state["trainer_answer"] = None


def show_rating(judged: Sequence[training.Judged]) -> None:
    """Draw the rating with its last change."""
    rating = judged[-1].rating if judged else training.START
    before = judged[-2].rating if len(judged) > 1 else training.START
    st.html(f'<p class="small">{say.rating_line(rating, rating - before if judged else None, len(judged))}</p>')


def show_history(judged: Sequence[training.Judged]) -> list[Item]:
    """Draw how the rating is made and the latest decisions, folded away; return what can be downloaded."""
    with st.expander("Rating and history"):
        note(say.RATING)
        if not judged:
            return []
        frame = training.as_frame(list(judged))
        shown = frame.select(*say.HISTORY).reverse().head(50)
        st.dataframe(shown, hide_index=True, column_config=say.HISTORY, alt="The latest decisions, newest first")
        note(f"Kept in {training.history_file().name} beside the logs, on this machine only.")
    return [Item("Decisions", frame)]
