"""The sentences of Score & settle: who pays whom, and why."""

from collections.abc import Sequence
from typing import Any, Literal

import ofclab as ofc
from words import bold, counted, signed

HINT = (
    "Choose a card, then a slot; or a slot first, and every card you choose goes there. Typing works too: Q then H "
    "chooses the queen of hearts, F, M and B place it, U undoes."
)
PASTE = "Ann: Qh Qd 2c / 8s 8d 5c 5h 2d / As Ks 9s 4s 2s\nBob: Ac Ad 6c / Jc Jh Ts Td 4h / 7h 7d 7s 3c 3h"
STACKS = "From the dealer’s left, the dealer last. With chips, payments are cut to what lies before each player."
ROWS = ("front", "middle", "back")


def as_text(boards: Sequence[ofc.Board]) -> str:
    """Boards as the address holds them."""
    return " | ".join(str(board) for board in boards)


def seat_note(seat: int, seats: int) -> str:
    """Where a player sits."""
    return "dealer" if seat == seats - 1 else "first to act" if seat == 0 else ""


def came_in(cards: int) -> str:
    """The Fantasyland cards a player came in with."""
    return f"Fantasyland {cards}" if cards else "a normal hand"


def pill(seat: Any, cards: int) -> tuple[str, Literal["", "good", "bad"]]:
    """The mark beside a player's name."""
    if seat is not None and seat.fouled:
        return "Fouled", "bad"
    if seat is not None and seat.next_fantasyland:
        return f"{'Stays in' if cards else 'To'} Fantasyland: {seat.next_fantasyland} cards", "good"
    return (came_in(cards), "") if cards else ("", "")


def missing(boards: Sequence[ofc.Board], names: Sequence[str]) -> str:
    """What is still to be put on the table."""
    open_boards = [
        f"{name} needs {counted(13 - len(board.cards), 'card')}"
        for name, board in zip(names, boards, strict=True)
        if not board.is_complete
    ]
    return f"{'; '.join(open_boards)}."


def verdict(points: Sequence[int], names: Sequence[str]) -> tuple[str, str]:
    """Headline and sentence: who wins, who loses, in points, as HTML."""
    ranked = sorted(zip(points, names, strict=True), key=lambda pair: -pair[0])
    if not any(points):
        return "Nobody wins anything.", "Every pair ends level."
    best = [name for won, name in ranked if won == ranked[0][0]]
    headline = f"{' and '.join(bold(name) for name in best)} win{'s' if len(best) == 1 else ''} {ranked[0][0]} points."
    return headline, " · ".join(f"{bold(name)} {signed(won)}" for won, name in ranked)


def pair_row(pair: Any, score: ofc.Score, names: Sequence[str]) -> list[str]:
    """One pair of the table in payment order: rows, bonuses, royalties and total, from the first player's side."""
    if score.seats[pair.a].fouled and score.seats[pair.b].fouled:
        return [f"{names[pair.a]} – {names[pair.b]}", "–", "–", "–", "0", "0", "0"]
    marks = {1: "✓\xa0won", 0: "=\xa0tied", -1: "✕\xa0lost"}
    numbers = [signed(pair.base), signed(pair.royalties), signed(pair.total)]
    return [f"{names[pair.a]} – {names[pair.b]}", *(marks[row] for row in pair.rows), *numbers]


PAIR_HEADS = ("Pair", "Front", "Middle", "Back", "Rows", "Royalties", "Points")


def why(pair: Any, score: ofc.Score, names: Sequence[str], rules: ofc.Rules) -> str:
    """Why one player pays another, in a sentence."""
    a, b = score.seats[pair.a], score.seats[pair.b]
    first, second = names[pair.a], names[pair.b]
    if a.fouled and b.fouled:
        return f"{first} and {second} both fouled: nothing is paid between them."
    if a.fouled or b.fouled:
        who, other, valid = (first, second, b) if a.fouled else (second, first, a)
        told = f"{who} fouled and pays {other} the penalty of {abs(pair.base)}"
        owed = abs(pair.royalties)
        return f"{told} and royalties of {owed}." if owed else f"{told}; {_no_royalty(valid, other)}."
    won = [row for row, result in zip(ROWS, pair.rows, strict=True) if result == 1]
    lost = [row for row, result in zip(ROWS, pair.rows, strict=True) if result == -1]
    rows = sum(pair.rows)
    parts = [f"{first} wins {_rows(won)} and loses {_rows(lost)}"]
    if len(won) == 3 or len(lost) == 3:
        parts = [f"{first if won else second} scoops {second if won else first}"]
    bonus = pair.base - rows
    parts.append(
        f"{signed(rows)} for rows" + (f" and {signed(bonus)} bonus" if bonus else "") if pair.base else "rows even"
    )
    if pair.royalties:
        parts.append(
            f"royalties {a.royalties.total} against {b.royalties.total}: {signed(pair.royalties)}"
            if rules.royalties.mode == "both"
            else f"royalties {signed(pair.royalties)}"
        )
    return f"{', '.join(parts)}. {_pays(pair, first, second)}"


def _pays(pair: Any, first: str, second: str) -> str:
    if not pair.total:
        return "Nobody pays."
    payer, payee = (second, first) if pair.total > 0 else (first, second)
    return f"{payer} pays {payee} {abs(pair.total)}."


def _no_royalty(seat: Any, name: str) -> str:
    return f"{name} holds no royalties" if not seat.royalties.total else "royalties are not paid"


def _rows(rows: Sequence[str]) -> str:
    return " and ".join(rows) if rows else "nothing"


STEP_HEADS = ("Payment", "Owed", "Paid", "Why")


def step_row(step: Any) -> list[str]:
    """One payment out of the stacks."""
    if not step.owed_chips:
        return [f"{step.pair[0]} and {step.pair[1]}", "0", "0", "level"]
    reason = "in full" if step.paid_chips == step.owed_chips else "cut to what may still be paid or won"
    if step.skipped_because_eliminated:
        reason = f"{', '.join(step.skipped_because_eliminated)} has no chips left"
    elif step.skipped_because_complete:
        reason = f"{', '.join(step.skipped_because_complete)} has won all that may be won"
    return [f"{step.payer} pays {step.payee}", f"{step.owed_chips:,}", f"{step.paid_chips:,}", reason]


def stacks_sentence(settled: Any) -> str:
    """The stacks after a settlement, as HTML."""
    each = " · ".join(f"{bold(name)} {chips:,}".replace("-", "−") for name, chips in settled.stacks.items())
    return each + (f" · rake {settled.rake:,}" if settled.rake else "")


def next_hand(score: ofc.Score, names: Sequence[str], rules: ofc.Rules) -> list[str]:
    """Who plays the next hand in Fantasyland, and who deals it."""
    earned = [name for name, seat in zip(names, score.seats, strict=True) if seat.next_fantasyland]
    said = [
        f"{name} plays the next hand in Fantasyland with {seat.next_fantasyland} cards."
        for name, seat in zip(names, score.seats, strict=True)
        if seat.next_fantasyland
    ]
    numbered = list(range(len(names)))
    going = [names.index(name) for name in earned]
    dealer = ofc.next_button(numbered, numbered[-1], rules, going)
    if dealer == numbered[-1]:
        said.append(f"The button stays with {names[dealer]} while Fantasyland is played.")
    else:
        said.append(f"The button moves to {names[dealer]}.")
    return said if earned else ["Nobody goes to Fantasyland.", *said]
