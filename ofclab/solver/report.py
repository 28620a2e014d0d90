"""The answer to a spot: placements as a frame, best first, and which information they rest on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.board import Placement
from ofclab.cards import format_cards
from ofclab.rules import Rules
from ofclab.solver.sampling import Sampled
from ofclab.spot import Spot


@dataclass(frozen=True, eq=False)
class SpotEvaluation:
    """The placements of a spot, best first, as a polars frame with a little around it.

    ``frame`` has a row per placement: placement, front, middle, back, discard (text); ev: points; se: its standard
    error (0 when exact); loss: points less than the best, loss_se; foul: chance of a foul; fantasyland: chance of
    Fantasyland, and fantasyland_14, ...: of each number of cards; exact; samples: futures seen; verdict: "best",
    "too close to call" (within two standard errors of the best) or what it loses.
    The object passes on to the frame what it does not know itself: ``evaluation["ev"]``, ``.to_pandas()``, ``.head()``.
    """

    spot: Spot
    rules: Rules
    frame: pl.DataFrame
    placements: tuple[Placement, ...]
    exact: bool
    policy: str
    information: str

    @property
    def best(self) -> Placement:
        """The placement with the greatest value."""
        return self.placements[0]

    def __getitem__(self, key: Any) -> Any:
        return self.frame[key]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "frame":
            raise AttributeError(name)
        return getattr(self.frame, name)

    def __len__(self) -> int:
        return len(self.frame)

    def __iter__(self) -> Iterator[pl.Series]:
        return iter(self.frame)

    def __repr__(self) -> str:
        return f"{self.spot}\n{self.frame}\n{self.information}"

    def _repr_html_(self) -> str:
        return f"<div>{self.spot._repr_html_()}{self.frame._repr_html_()}<div>{self.information}</div></div>"

    def as_dict(self) -> dict[str, Any]:
        """The answer as plain values: spot, rules, exact, policy, information, placements."""
        known = {"spot": str(self.spot), "rules": self.rules.name, "exact": self.exact, "policy": self.policy}
        return {**known, "information": self.information, "placements": self.frame.to_dicts()}


def report(
    spot: Spot,
    rules: Rules,
    placements: Sequence[Placement],
    answer: Sampled,
    fantasyland: Mapping[int, float],
    policy: str | None,
    how: str,
) -> SpotEvaluation:
    """Put an answer into words and a frame.

    ``fantasyland``: its points by number of cards; ``policy`` None = exact; ``how``: what was done beyond looking.
    """
    order = np.argsort(answer.loss, kind="stable")
    sorted_placements = tuple(placements[i] for i in order)
    columns: dict[str, Any] = {"placement": [str(placement) for placement in sorted_placements]}
    for name in ("front", "middle", "back", "discards"):
        columns[name.removesuffix("s")] = [format_cards(getattr(placement, name)) for placement in sorted_placements]
    columns |= {name: getattr(answer, name)[order] for name in ("ev", "se", "loss", "loss_se")}
    columns["foul"] = answer.chances[order, 0]
    columns["fantasyland"] = answer.chances[order, 1:].sum(axis=1)
    for i, cards in enumerate(fantasyland):
        columns[f"fantasyland_{cards}"] = answer.chances[order, 1 + i]
    columns["exact"] = [policy is None] * len(order)
    columns["samples"] = answer.samples[order]
    columns["verdict"] = _verdicts(answer.loss[order], answer.loss_se[order])
    return SpotEvaluation(
        spot,
        rules,
        pl.DataFrame(columns),
        sorted_placements,
        policy is None,
        policy or "none: exact",
        f"{_information(spot, rules)} {_worth(fantasyland)}{how}",
    )


def _verdicts(loss: NDArray[np.float64], loss_se: NDArray[np.float64]) -> list[str]:
    """A word for each placement, best first."""
    words = []
    for i, (points, error) in enumerate(zip(loss.tolist(), loss_se.tolist(), strict=True)):
        if i == 0 or (points == 0 and error == 0):
            words.append("best")
        else:
            words.append("too close to call" if points <= 2 * error else f"loses {points:.2f}")
    return words


def _worth(fantasyland: Mapping[int, float]) -> str:
    """What Fantasyland counts, in words."""
    told = ", ".join(f"{points:g} with {cards} cards" for cards, points in fantasyland.items())
    return f"Fantasyland counts {told}. " if told else ""


def _information(spot: Spot, rules: Rules) -> str:
    """What the player sees, in words."""
    own = len(spot.discards)
    missing = spot.own_discards(rules) - own
    seen = [f"own board, {len(spot.dealt)} dealt cards, {own} own discards"]
    seen[0] += f" ({missing} more not given)" if missing else ""
    for other, came_in in zip(spot.opponents, spot.opponents_fantasyland, strict=True):
        cards = len(other.cards)
        seen.append(
            f"an opponent in Fantasyland, {came_in} cards hidden" if came_in else f"an opponent's {cards} cards"
        )
    if spot.dead:
        seen.append(f"{len(spot.dead)} other dead cards")
    unknown = sum(spot.unknown_discards(rules))
    hidden = f" ({unknown} of them discarded by opponents)" if unknown else ""
    return f"Seen: {', '.join(seen)}. {len(spot.unseen(rules))} cards are unseen{hidden}, all equally likely anywhere."
