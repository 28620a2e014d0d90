"""The table of Score & settle: two to four boards, who sits behind them, and what is read from the address."""

from dataclasses import dataclass

import streamlit as st
from words import score as say

import ofclab as ofc
from components.card_table import Deck, Seat, card_table, draft_of, labels
from components.page import note, show_error
from components.positions import held, keep, read_boards, replace, rev_of, without_repeats

KEY = "score_boards"
MOST = 4
CAME_IN = (0, 13, 14, 15, 16, 17)
EXAMPLE = (
    "8d 8c 3s / Ts 9d Tc 9s Kd / Ah Kh Jh 4h 2h | Qs Qh 7d / Qd Qc 6s 5h 4d / Ac Kc Jc 9c 2c | "
    "As Ad 5s / Jd Js 7c 7s 3c / Td 6d 5d 3d 2d"
)


@dataclass(frozen=True)
class Player:
    """Who sits behind a board: a name, the Fantasyland cards it came in with, and its chips, None for any number."""

    name: str
    came_in: int = 0
    stack: int | None = None


def _listed(key: str) -> list[str]:
    return [part.strip() for part in st.query_params.get(key, "").split(",")] if key in st.query_params else []


def _numbers(key: str, seats: int) -> list[int | None]:
    found = [int(part) if part.isdigit() and len(part) < 12 else None for part in _listed(key)]
    return (found + [None] * seats)[:seats]


def read_position(rules: ofc.Rules) -> tuple[list[ofc.Board], str]:
    """The boards of the address and their `rev`; text that is no boards is said and leaves empty ones."""
    text, rev = held(KEY)
    try:
        boards = [board for _, board in read_boards(text)]
    except ValueError as error:
        show_error("The boards of this address cannot be read.", str(error), "Put the cards on the table below.")
        boards = []
    kept, twice = without_repeats(boards[:MOST])
    if twice:
        show_error("A card stands twice.", ofc.format_cards(twice), "It was left where it stood first.")
    most = min(MOST, rules.players.max)
    seats = max(2, len(kept))
    if seats > most:
        note(f"These rules seat at most {most} players; the boards beyond are scored all the same.")
    return kept + [ofc.Board()] * (seats - len(kept)), rev


def _drafted() -> None:
    draft = draft_of("score_table", rev_of(KEY))
    if draft is not None:
        keep(KEY, say.as_text(draft.boards))


def draw_table(
    boards: list[ofc.Board], players: list[Player], rules: ofc.Rules, rev: str, scored: ofc.Score | None
) -> None:
    """Draw the boards with the deck; every step is kept in the address."""
    seats = []
    for i, (board, player) in enumerate(zip(boards, players, strict=True)):
        seat = scored.seats[i] if scored else None
        pill, tone = say.pill(seat, player.came_in)
        seats.append(
            Seat(
                player.name,
                board,
                note=say.seat_note(i, len(boards)),
                pill=pill,
                tone=tone,
                edit=True,
                labels=labels(board, rules, fouled=bool(seat and seat.fouled)),
                size="m",
            )
        )
    deck = Deck("Cards", pick=True, jokers=rules.deck.jokers)
    card_table("score_table", seats, rev=rev, deck=deck, size="m", hint=say.HINT, on_draft=_drafted)


def choose_players(count: int) -> list[Player]:
    """Draw who sits where, with Fantasyland cards and chips, kept in the address; return them."""
    names, came_in, stacks = _listed("score_names"), _numbers("score_fl", count), _numbers("score_stacks", count)
    players = []
    with st.expander("Names, Fantasyland and chips", key="score_who"):
        note(say.STACKS)
        for i in range(count):
            usual = {
                f"score_name_{i}": (names[i] if i < len(names) else "") or f"Player {i + 1}",
                f"score_fl_{i}": came_in[i] if came_in[i] in CAME_IN else 0,
                f"score_stack_{i}": stacks[i],
            }
            for key, value in usual.items():
                st.session_state.setdefault(key, value)
            with st.container(horizontal=True, vertical_alignment="bottom"):
                name = st.text_input(f"Name {i + 1}", max_chars=24, key=f"score_name_{i}", width=150)
                cards = st.selectbox("Came in with", CAME_IN, format_func=say.came_in, key=f"score_fl_{i}", width=150)
                chips = st.number_input(
                    "Chips", 0, 10**9, step=1, key=f"score_stack_{i}", placeholder="any", width=150,
                    help="What lies before the player; empty: as much as it takes.", value=None,
                )  # fmt: skip
            players.append(Player(name.replace(",", " ").strip() or f"Player {i + 1}", cards, chips))
    _remember("score_names", [p.name for p in players], [f"Player {i + 1}" for i in range(count)])
    _remember("score_fl", [str(p.came_in) for p in players], ["0"] * count)
    _remember("score_stacks", ["" if p.stack is None else str(p.stack) for p in players], [""] * count)
    return players


def _remember(key: str, values: list[str], usual: list[str]) -> None:
    if values != usual:
        st.query_params[key] = ",".join(values)
    elif key in st.query_params:
        del st.query_params[key]


def draw_tools(boards: list[ofc.Board], most: int) -> None:
    """The buttons around the table: one more board, one fewer, paste, an example, clear."""
    with st.container(horizontal=True, key="score_tools"):
        with st.popover("Paste boards", icon=":material/content_paste:"):
            st.text_area("Boards", key="score_paste", height=160, placeholder=say.PASTE, max_chars=4000)
            st.button("Put them on the table", on_click=_pasted, type="primary")
            if problem := st.session_state.pop("score_problem", None):
                show_error("This cannot be read.", problem, "The boards on the table stay as they are.")
        if len(boards) < most:
            st.button("Add a player", on_click=_seats, args=(boards, len(boards) + 1), icon=":material/add:")
        if len(boards) > 2:
            st.button("Remove the last", on_click=_seats, args=(boards, len(boards) - 1), icon=":material/remove:")
        st.button("Example", on_click=replace, args=(KEY, EXAMPLE), icon=":material/playing_cards:")
        if any(board.cards for board in boards):
            empty = say.as_text([ofc.Board()] * len(boards))
            st.button("Clear", on_click=replace, args=(KEY, empty), icon=":material/delete:")


def _seats(boards: list[ofc.Board], count: int) -> None:
    replace(KEY, say.as_text([*boards, *[ofc.Board()] * count][:count]))


def _pasted() -> None:
    text = st.session_state["score_paste"]
    try:
        found = read_boards(text)
        if not 2 <= len(found) <= MOST:
            raise ofc.BoardError(f"want two to four boards, got {len(found)}")
        replace(KEY, " | ".join(str(board) for _, board in found))
    except ValueError as error:
        st.session_state["score_problem"] = str(error)
        return
    for i, (name, _) in enumerate(found):
        if name:
            st.session_state[f"score_name_{i}"] = name[:24]
