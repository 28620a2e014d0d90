"""The sentences of the Trainer."""

from collections.abc import Mapping, Sequence
from typing import Any

import ofclab as ofc
from words import TOO_CLOSE, bold, counted, signed
from words.spot import placement_html

QUESTION = "Can you beat it?"
MODES = ("Play hands", "Tricky spots", "Own mistakes")
RATING = (
    "A decision scores 1 within the noise of the best placement, falling to 0 at a loss of 2 points. A spot is as "
    "strong as random placements score badly on it: 1000 + 400·log₁₀((1 − e)/e), e their mean score. Your rating R "
    "moves by 24·(score − 1/(1 + 10^((spot − R)/400))). You start at 1200; who places at random has 1000."
)
KEYS = "Keys: 1 to 9 choose a card; F, M and B place it in front, middle or back; U undoes, Esc lets go."
OWN = "The trainer"
NO_MISTAKES = "No mistake is kept for these rules yet: play hands or tricky spots first, or review a log."


def seat_note(seat: int, button: int, seats: int) -> str:
    """Where a player sits."""
    return "dealer" if seat == button else "acts first" if seat == (button + 1) % seats else ""


def tray_label(decision: Any, keep: int) -> str:
    """What to do with the cards."""
    if decision.fantasyland:
        return f"Fantasyland: set 13 of your {decision.fantasyland} cards."
    return f"Place {keep} of {len(decision.dealt)}." if keep < len(decision.dealt) else f"Place all {keep} cards."


def told(answer: ofc.SpotEvaluation, row: Mapping[str, Any] | None) -> tuple[str, ...]:
    """The verdict on a decision, as HTML."""
    best = placement_html(answer.best, discards=True)
    if row is None:
        return (f"Best: {best}.",)
    if row["verdict"] == "best":
        return "✓ The best placement.", ""
    if row["verdict"] == TOO_CLOSE:
        return "≈ Within the noise of the best.", f"Nothing is lost; first in the table: {best}."
    error = f" (±{1.96 * row['loss_se']:.2f})" if row["loss_se"] else ""
    mark = "??" if row["loss"] >= 2 else "?"
    return f"{mark} That cost {row['loss']:.2f} points{error}.", f"Better: {best}."


def fantasyland_told(played: Any, best: Any, worth: float) -> tuple[str, str]:
    """The verdict on a Fantasyland hand, as HTML."""
    loss = best.value - worth
    if loss <= 1e-9:
        return "✓ Set as well as can be.", f"{counted(best.royalties, 'royalty point')}."
    stay = " and stays" if best.stays else ""
    return f"? That cost {loss:.2f} points.", f"Better: {counted(best.royalties, 'royalty point')}{stay}, {best.board}."


def rating_line(rating: float, change: float | None, decisions: int) -> str:
    """The rating with its last change, as HTML."""
    moved = f" ({signed(change, 1)})" if change is not None else ""
    return f"<b>Rating {rating:.0f}</b>{moved} · {counted(decisions, 'decision')}"


def hand_result(
    points: Sequence[int], names: Sequence[str], fouled: Sequence[bool], following: Sequence[int]
) -> tuple[str, str]:
    """Headline and sentence of a finished hand, as HTML, from the first player's side."""
    won = points[0]
    head = "The hand is level." if not won else f"You {'win' if won > 0 else 'lose'} {abs(won)} points."
    parts = [f"{bold(name)} fouled." for name, foul in zip(names, fouled, strict=True) if foul]
    parts += [
        f"{bold(name)} {'play' if name == 'You' else 'plays'} the next hand in Fantasyland with {cards} cards."
        for name, cards in zip(names, following, strict=True)
        if cards
    ]
    return head, " ".join(parts)


def score_line(hands: Sequence[Any]) -> str:
    """How the match stands, as HTML."""
    total = sum(hand.points[0] for hand in hands)
    return f"After {counted(len(hands), 'hand')}: <b>{signed(total)}</b> points."


HISTORY = {
    "at": "When (UTC)",
    "mode": "Mode",
    "rules": "Rules",
    "played": "Played",
    "best": "Best",
    "loss": "Loss, points",
    "verdict": "Verdict",
    "rating": "Rating",
}
"""Heads of the history."""
