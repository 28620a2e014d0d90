"""What each placement of a spot is worth, exactly where the streets to come can be summed, sampled before that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.board import Placement
from ofclab.cards import format_cards
from ofclab.engine import DEFAULT_FANTASYLAND_VALUES
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules
from ofclab.solver.opponents import Opponents, are_known, describe
from ofclab.solver.payoff import Valuation, value_rows
from ofclab.solver.playout import Continuation, board_array
from ofclab.solver.sampling import Futures, Sampled, halve
from ofclab.solver.spot import Spot, SpotError
from ofclab.solver.streets import Round, ToCome, value
from ofclab.strategies import get

DEFAULT_POLICY = "hindsight(samples=4)"
"""The strategy that carries on sampled streets: quick, and close to the full one."""
_EXACT_WITHIN = 2.0
"""Seconds an exact answer may take where the budget is given in samples."""
_TAIL_WITHIN = 1e-3
"""Seconds the exact end of one sampled future may take."""
_UNIT_WITHIN = 2e-3
"""Seconds one placement may take against one set of completed boards."""


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
        if name.startswith("__"):
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


def fantasyland_points(given: float | Mapping[int, float] | None) -> dict[int, float]:
    """Points by number of Fantasyland cards: one number for all, some of them, or the defaults."""
    if given is None:
        return dict(DEFAULT_FANTASYLAND_VALUES)
    if isinstance(given, Mapping):
        unknown = [cards for cards in given if not 13 <= cards <= 17]
        if unknown:
            raise ValueError(f"a Fantasyland hand has 13 to 17 cards, got a value for {unknown[0]}")
        return {**DEFAULT_FANTASYLAND_VALUES, **{cards: float(points) for cards, points in given.items()}}
    return dict.fromkeys(range(13, 18), float(given))


def evaluate_spot(
    spot: Spot | str,
    rules: Rules | None = None,
    fantasyland_values: float | Mapping[int, float] | None = None,
    budget: float = 1.0,
    policy: Any = DEFAULT_POLICY,
    seed: int = 0,
    samples: int | None = None,
    exact: bool = True,
) -> SpotEvaluation:
    """Value every legal placement of a spot in points.

    Alone (``seats`` 1): royalties plus the value of Fantasyland, less the penalty of a foul. Against opponents: the
    points won from each, and the value of own Fantasyland. Every card the player has seen is dead.

    Exact: the last two own streets of Pineapple, the last cards of one-card play, the last street of any variant, alone
    or against complete boards, where ``budget`` seconds allow. Else sampled: future cards are dealt from the unseen
    ones, the same for all placements; streets before the exact end are carried on by ``policy`` (a strategy's name or
    object), which also completes the opponents' boards; better placements get more samples until ``budget`` seconds are
    over, or until the last ones have seen ``samples`` futures: then the same ``seed`` gives the same answer on every
    machine.

    ``fantasyland_values``: points, one number or by number of cards (13..17). ``rules`` may come with the spot.
    ``exact`` False samples where an exact answer could be had.
    Raises SpotError, BoardError or CardError for a spot that cannot arise.

    >>> from ofclab.rules import load_rules
    >>> spot = Spot.parse("7c Ks / 2s 3c 3h / 4d 8d Qd Jd  dealt: Tc 5d 2h  discards: Th 7s")
    >>> evaluation = evaluate_spot(spot, load_rules("american-pineapple"), fantasyland_values=9)
    >>> evaluation["placement"][0], round(evaluation["ev"][0], 4)
    ('- / 2h / 5d, discard Tc', 8.025)
    """
    spot = Spot.parse(spot) if isinstance(spot, str) else spot
    rules = rules or spot.rules
    if rules is None:
        raise SpotError("no rules: give evaluate_spot rules, or the spot its own")
    street = spot.check(rules)
    if samples is not None and samples < 1:
        raise ValueError(f"want at least one sample, got {samples}")
    values = fantasyland_points(fantasyland_values)
    strategy = get(policy)
    strategy.prepare(rules, values)
    placements = spot.legal_placements(rules)
    boards = np.stack([board_array(spot.board.place(placement)) for placement in placements])
    opponents = Opponents(spot, rules, strategy, values)
    compiled = compile_rules(rules)
    rounds: tuple[Round, ...] = tuple((int(d), int(p), int(x)) for d, p, x in compiled.rounds[street:])
    unseen = np.array(spot.unseen(rules), np.uint8)
    jokers = 2 if ((boards >= 52) & (boards < 255)).any() else int((unseen >= 52).any())
    known = are_known(spot)
    valuation = value_rows(compiled, values, opponents.known()) if known else None
    rough = valuation or value_rows(compiled, values)
    ends = ToCome(rounds)
    limit = budget if samples is None else _EXACT_WITHIN
    if exact and valuation is not None and ends.seconds(len(unseen), valuation, jokers) * len(boards) <= limit:
        none = np.zeros((len(boards), 0), np.uint8)
        found = value(boards, none, np.tile(unseen, (len(boards), 1)), None, ends, valuation)
        chances = np.concatenate((found.foul[:, None], found.fantasyland), axis=1)
        best = found.units.max()
        loss = (best - found.units) / float(valuation.unit * ends.draws(len(unseen)))
        zero = np.zeros(len(boards))
        answer = Sampled(found.points, zero, loss, zero, chances, np.zeros(len(boards), np.int64))
        return _report(spot, rules, placements, answer, rough, True, "none: exact", _words(spot, rules, ""))
    played, decide, tail = _split(rounds, len(unseen), rough, jokers)
    at_once = ends.seconds(len(unseen), rough, jokers) * (1 if valuation is None else len(boards))
    if valuation is None and at_once <= _UNIT_WITHIN:
        played, decide, tail = (), None, ends
    seat = Continuation.of_seat(
        rules, strategy, values, spot.opponents, spot.opponents_fantasyland, spot.dead, spot.position
    )
    futures = Futures(
        boards, [(*spot.discards, *placement.discards) for placement in placements], unseen, street + 1, played, decide,
        tail, seat, valuation, opponents, seed,
    )  # fmt: skip
    answer = halve(futures, budget, samples)
    how = _how(strategy.label, played, decide, tail, known)
    return _report(spot, rules, placements, answer, rough, False, strategy.label, _words(spot, rules, how))


def _split(
    rounds: tuple[Round, ...], unseen: int, valuation: Valuation, jokers: int
) -> tuple[tuple[Round, ...], Round | None, ToCome]:
    """Own streets left to the policy, the street decided exactly, and what is summed exactly behind it."""
    for first in range(len(rounds)):
        behind = ToCome(rounds[first + 1 :])
        left = unseen - sum(deal for deal, _, _ in rounds[: first + 1])
        if behind.seconds(left, valuation, jokers) * 3 ** rounds[first][1] <= _TAIL_WITHIN:
            return rounds[:first], rounds[first], behind
    return rounds[:-1], rounds[-1] if rounds else None, ToCome(())


def _words(spot: Spot, rules: Rules, how: str) -> str:
    """Which information the answer used, and how."""
    seen = [f"own board, {len(spot.dealt)} dealt cards", f"{len(spot.discards)} own discards"]
    seen += describe(spot.opponents, spot.opponents_fantasyland)
    if spot.dead:
        seen.append(f"{len(spot.dead)} other dead cards")
    unknown = sum(spot.unknown_discards(rules))
    hidden = f", {unknown} of them discarded by opponents" if unknown else ""
    text = f"Seen: {', '.join(seen)}. {len(spot.unseen(rules))} cards are unseen{hidden} and equally likely anywhere."
    return f"{text} {how or 'Exact: every draw to come is summed.'}"


def _how(label: str, played: tuple[Round, ...], decide: Round | None, tail: ToCome, known: bool) -> str:
    parts = []
    if not known:
        parts.append(
            f"opponents' boards are completed by {label} (Fantasyland hands set exactly), apart from own draws"
        )
    if played:
        parts.append(f"the next {len(played)} own streets are played by {label}")
    if decide is not None:
        behind = f" with {len(tail.rounds)} exact behind it" if tail.rounds else ""
        parts.append(
            f"then one street is decided exactly{behind}" if played else f"the next is decided exactly{behind}"
        )
    elif tail.rounds:
        parts.append(f"the {len(tail.rounds)} own streets to come are exact")
    return f"Sampled: {'; '.join(parts)}."


def _report(
    spot: Spot, rules: Rules, placements: list[Placement], answer: Sampled, valuation: Valuation, exact: bool,
    policy: str, information: str,
) -> SpotEvaluation:  # fmt: skip
    order = np.argsort(answer.loss, kind="stable")
    texts = [placements[i] for i in order]
    columns: dict[str, Any] = {"placement": [str(placement) for placement in texts]}
    for name in ("front", "middle", "back", "discards"):
        columns[name.removesuffix("s")] = [format_cards(getattr(placement, name)) for placement in texts]
    columns |= {name: getattr(answer, name)[order] for name in ("ev", "se", "loss", "loss_se")}
    columns["foul"] = answer.chances[order, 0]
    columns["fantasyland"] = answer.chances[order, 1:].sum(axis=1)
    for i, cards in enumerate(valuation.cards):
        columns[f"fantasyland_{cards}"] = answer.chances[order, 1 + i]
    columns["exact"] = [exact] * len(order)
    columns["samples"] = answer.samples[order]
    columns["verdict"] = _verdicts(answer.loss[order], answer.loss_se[order])
    return SpotEvaluation(spot, rules, pl.DataFrame(columns), tuple(texts), exact, policy, information)


def _verdicts(loss: NDArray[np.float64], loss_se: NDArray[np.float64]) -> list[str]:
    """A word for each placement, best first."""
    words = []
    for i, (points, error) in enumerate(zip(loss.tolist(), loss_se.tolist(), strict=True)):
        if i == 0 or (points == 0 and error == 0):
            words.append("best")
        else:
            words.append("too close to call" if points <= 2 * error else f"loses {points:.2f}")
    return words
