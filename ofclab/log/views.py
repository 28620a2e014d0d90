"""Readable shapes of the seats table: boards as text, and a row per decision. Derived, never stored."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.cards import UNSEEN, format_cards
from ofclab.kernels.placement import BACK, DISCARD, FRONT, MIDDLE, NO_CARD
from ofclab.log import arrays
from ofclab.log.schema import CARD_COLUMNS
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules

_ALL = range(len(CARD_COLUMNS))
_ROWS = {"front": FRONT, "middle": MIDDLE, "back": BACK}
_ABSENT = 0xFFFF
_TEXT = np.zeros((256, 3), np.uint8)
"""Each card and the space behind it, as bytes."""
for _card in (*range(54), UNSEEN):
    _TEXT[_card] = np.frombuffer(f"{format_cards([_card])} ".encode(), np.uint8)


def _texts(cards: arrays.Cards, kept: NDArray[np.bool_], in_order: bool) -> pl.Series:
    """The kept cards of each seat as text, in the order they came or highest first; ``-`` for none."""
    n, width = cards.shape
    order = np.arange(width, dtype=np.uint16) if in_order else np.uint16(255) - cards
    keys = np.where(kept, order << np.uint16(8) | cards, np.uint16(_ABSENT))
    keys.sort(axis=1)
    text = _TEXT[(keys & np.uint16(255)).astype(np.uint8)]
    text[keys == _ABSENT] = 0
    words = np.ascontiguousarray(text).reshape(n, 3 * width).view(f"S{3 * width}").ravel().tolist()
    return pl.Series(words, dtype=pl.Binary).cast(pl.String).str.strip_chars_end().replace("", "-")


def _seat_text(seats: pl.Series, places: range, code: int | None) -> pl.Series:
    frame = seats.struct.unnest()
    cards, codes = arrays.card_array(frame)[:, places], arrays.placement_array(frame)[:, places]
    return _texts(cards, codes != NO_CARD if code is None else codes == code, in_order=True)


def _board_text(seats: pl.Series, places: range, face_down: int, rows: Iterable[int]) -> pl.Series:
    frame = seats.struct.unnest()
    cards, codes = arrays.card_array(frame), arrays.placement_array(frame)
    lies = np.isin(_ALL, places) & (np.cumsum(codes <= BACK, axis=1) <= 13 - face_down)
    texts = [_texts(cards, (codes == row) & lies, in_order=False) for row in rows]
    return pl.select(pl.concat_str(texts, separator=" / ")).to_series()


def _seats() -> pl.Expr:
    return pl.struct("placement", *CARD_COLUMNS)


def _cards(places: range, code: int | None = None) -> pl.Expr:
    """Cards at these places of the deal, in order: those with the placement code, or all that were dealt."""
    return _seats().map_batches(partial(_seat_text, places=places, code=code), pl.String, is_elementwise=True)


def _board(places: range, face_down: int = 0, rows: Iterable[int] = tuple(_ROWS.values())) -> pl.Expr:
    """``front / middle / back`` of the cards at these places; the last ``face_down`` of the 13 left out."""
    function = partial(_board_text, places=places, face_down=face_down, rows=rows)
    return _seats().map_batches(function, pl.String, is_elementwise=True)


def boards(lf: pl.LazyFrame) -> pl.LazyFrame:
    """The frame with ``front``, ``middle``, ``back`` and ``discards`` as text: ``Qh Qd 2c``, unseen cards ``??``.

    ``lf``: seats or results. Rows show the highest card first, discards the order they were thrown in; ``-`` is empty.
    """
    rows = {name: _board(_ALL, rows=(row,)) for name, row in _ROWS.items()}
    return lf.with_columns(**rows, discards=_cards(_ALL, DISCARD))


def decisions(lf: pl.LazyFrame, rules: Rules) -> pl.LazyFrame:
    """A row per decision: hand, seat, street, and as text the own board before it, what was dealt, placed (front /
    middle / back) and discarded, and what was visible of the others.

    ``lf``: seats (or results) of hands played under ``rules`` whose deal order is known; whole hands, so that the
    others are in it. A Fantasyland hand is one decision on street 1. ``visible``: ``seat: board`` of every opponent
    from the left, as it lay when the decision was made (those to the left of the button act first); ``hidden`` for a
    player in Fantasyland; discards follow where the rules reveal them.
    """
    rounds = compile_rules(rules).rounds[:, 0].tolist()
    columns = ["hand_id", "seat", "position", "fl_cards"]
    streets, first = [], 0
    for street, deal in enumerate(rounds, 1):
        before, dealt, after = range(first), range(first, first + deal), range(first + deal)
        # A Fantasyland hand comes at once, on the first street.
        own = [_street(lf.filter(pl.col("fl_cards") == 0), columns, street, before, dealt)]
        if street == 1:
            own.append(_street(lf.filter(pl.col("fl_cards") > 0), columns, street, before, _ALL))
        shown = lf.select(
            "hand_id",
            pl.col("seat").alias("other"),
            pl.col("position").alias("other_position"),
            pl.col("fl_cards").alias("other_fl"),
            earlier=_shown(before, rules),
            later=_shown(after, rules),
        )
        streets.append(_with_visible(pl.concat(own), shown, rules))
        first += deal
    return pl.concat(streets).sort("hand_id", "street", "position", "seat")


def _street(lf: pl.LazyFrame, columns: list[str], street: int, before: range, dealt: range) -> pl.LazyFrame:
    return lf.select(
        *columns,
        street=pl.lit(street, pl.UInt8),
        board=_board(before),
        dealt=_cards(dealt),
        placed=_board(dealt),
        discarded=_cards(dealt, DISCARD),
    )


def _shown(places: range, rules: Rules) -> pl.Expr:
    """What others see of a seat once the cards at these places lie."""
    board = _board(places, rules.deal.last_face_down)
    if rules.visibility.discards == "revealed" and places:
        return pl.concat_str([board, pl.lit(", discards "), _cards(places, DISCARD)])
    return board


def _with_visible(own: pl.LazyFrame, shown: pl.LazyFrame, rules: Rules) -> pl.LazyFrame:
    """Add what each seat sees of the others: those who act before it have placed this street already."""
    sets_first = (pl.col("fl_cards") > 0) & (rules.fantasyland.set_timing == "before_play")
    acted = (pl.col("other_position") < pl.col("position")) & ~sets_first
    board = pl.when(acted).then("later").otherwise("earlier")
    board = pl.when(pl.col("other_fl") > 0).then(pl.lit("hidden")).otherwise(board)
    from_left = (pl.col("other_position").cast(pl.Int16) - pl.col("position").cast(pl.Int16)) % 16
    visible = (
        own.select("hand_id", "seat", "position", "fl_cards")
        .join(shown, on="hand_id")
        .filter(pl.col("seat") != pl.col("other"))
        .select("hand_id", "seat", text=pl.concat_str([pl.col("other"), pl.lit(": "), board]), turn=from_left)
        .group_by("hand_id", "seat")
        .agg(pl.col("text").sort_by("turn"))
        .select("hand_id", "seat", visible=pl.col("text").list.join(" | "))
    )
    return own.join(visible, on=["hand_id", "seat"], how="left")
