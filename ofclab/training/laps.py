"""The course of training: laps of self-play, labels and nets, each step kept in a file so that it can be resumed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ofclab.engine import DEFAULT_FANTASYLAND_VALUES, play
from ofclab.kernels.expert_features import INPUTS
from ofclab.kernels.expert_net import Nets
from ofclab.rules import Rules, RulesError
from ofclab.rules.compiled import compile_rules
from ofclab.solver.values import fantasyland_cards, fantasyland_value
from ofclab.strategies import get
from ofclab.strategies.base import values_array
from ofclab.strategies.expert import Expert
from ofclab.strategies.expert_payoff import IN_FANTASYLAND, NORMAL, Field, row_payoff, worth_against
from ofclab.strategies.expert_streets import net_streets, streets_of, worst_low
from ofclab.strategies.expert_weights import Weights, load
from ofclab.training.fit import Net, fit, screen
from ofclab.training.lessons import Lessons, Roots, Teacher, first_roots

Told = Callable[[str, int, int], None]

_FIRST_BASE = "hindsight(samples=2)"
_AWAY_SHARE = 0.18
"""Part of the roots that face an opponent in Fantasyland."""
_FIELD_HANDS = 10
_ROUND = 4
"""Roots are made in fours."""


@dataclass(frozen=True)
class Lap:
    """Roots and play-outs of the first street, of those between, of the last that nets play; epochs of a fit.

    ``ahead``: streets until a play-out ends in that street's net, where no exact street comes before; 0: all end in the
    exact value. ``keeps``: the lessons of the lap before count too.
    """

    roots: tuple[int, int, int]
    times: tuple[int, int, int]
    ahead: int = 0
    epochs: int = 16
    keeps: bool = False


@dataclass(frozen=True)
class Plan:
    """How much is done: hands of the first policy, laps, widths of the nets, tables that measure the field, chains of
    hands that measure what Fantasyland is worth.
    """

    first_hands: int
    laps: tuple[Lap, ...]
    widths: tuple[int, int] = (64, 32)
    field_tables: int = 1500
    chains: int = 2000


FULL = Plan(
    8_000,
    (
        Lap((16_000, 16_000, 16_000), (8, 8, 8)),
        Lap((200_000, 300_000, 300_000), (8, 6, 4), ahead=1, epochs=20),
        Lap((200_000, 300_000, 300_000), (8, 6, 4), ahead=1, keeps=True),
    ),
)
QUICK = Plan(
    2_000,
    (Lap((4_000, 4_000, 4_000), (8, 8, 8)), Lap((60_000, 80_000, 80_000), (4, 4, 4), ahead=1, epochs=20)),
    field_tables=500,
    chains=500,
)


# Rough CPU seconds, for the estimate of what is left.
_A_FIRST_HAND, _A_FIELD_HAND, _A_CHAIN, _A_FIT = 3e-3, 5e-4, 5e-3, 3e-6
_A_ROOT, _A_STREET, _AN_EXACT_ONE = 7e-5, 2.5e-5, 2.5e-5
_WITH_JOKERS = 12
"""So many times as long exact ends and Fantasyland take with jokers in the deck."""


class Course:
    """Training of one ruleset in a folder of stage files; the same seed and plan give the same weights.

    ``values``: points of Fantasyland by cards, None: what it is worth among players with the weights themselves,
    measured after every lap; ``start``: weights to go on from, in place of the first lap; ``told``: called with the
    stage, the work done and all work, in rough CPU seconds.
    """

    def __init__(
        self, rules: Rules, seats: int, folder: Path, plan: Plan, seed: int = 1,
        values: Mapping[int, float] | None = None, start: Weights | None = None, workers: int = 1,
        told: Told | None = None,
    ) -> None:  # fmt: skip
        self.rules, self.seats, self.folder, self.plan, self.seed = rules, seats, folder, plan, seed
        self.values = None if values is None else {**DEFAULT_FANTASYLAND_VALUES, **values}
        self.start, self.workers, self.told = start, workers, told
        streets = streets_of(rules)
        if streets is None:
            raise RulesError(
                f"{rules.name or 'these rules'}: nets are for deals of three streets or more, at most five cards each; "
                "expert plays other rules as exact_endgame does"
            )
        self.streets, self.nets = streets, net_streets(streets)
        self._compiled = compile_rules(rules)
        self._done = 0.0
        slower = _WITH_JOKERS if rules.deck.jokers else 1
        self._an_exact_one, self._a_chain = slower * _AN_EXACT_ONE, slower * _A_CHAIN
        folder.mkdir(parents=True, exist_ok=True)

    def run(self) -> Weights:
        """Do what is not done yet, and return the weights."""
        laps = list(enumerate(self.plan.laps, 1))
        done = [number for number, _ in laps if self._lap_file(number).exists()]
        weights = load(self._lap_file(done[-1])) if done else self._first()
        for number, lap in laps[: done[-1] if done else 0]:
            self._done += self._cost(number, lap)
        for number, lap in laps[done[-1] if done else 0 :]:
            if self.start is None or number > 1:
                weights = self._lap(number, lap, weights)
        return weights

    def _lap_file(self, number: int) -> Path:
        return self.folder / f"lap{number}.npz"

    def _cost(self, number: int, lap: Lap) -> float:
        total = self.plan.field_tables * _FIELD_HANDS * _A_FIELD_HAND + self.plan.chains * self._a_chain
        total += self.plan.first_hands * _A_FIRST_HAND * (number == 1)
        for street in range(1, self.nets + 1):
            n, times, until = self._size(lap, street)
            total += n * (_A_ROOT * (number > 1) + times * self._of_future(street, until))
            total += n * lap.epochs * (1 + lap.keeps) * _A_FIT
        return total

    def _size(self, lap: Lap, street: int) -> tuple[int, int, int]:
        """Roots of a street, play-outs of each, and where they end."""
        which, exact = 0 if street == 1 else 2 if street == self.nets else 1, self.nets + 1
        return lap.roots[which], lap.times[which], min(street + lap.ahead, exact) if lap.ahead else exact

    def _of_future(self, street: int, until: int) -> float:
        return (until - street) * _A_STREET + (until > self.nets) * self._an_exact_one

    def _tell(self, stage: str, cost: float) -> Callable[[int, int], None]:
        """A callback that moves the whole of the work on by the cost of a stage."""
        whole = sum(self._cost(number, lap) for number, lap in enumerate(self.plan.laps, 1))
        before = self._done

        def tell(done: int, parts: int) -> None:
            self._done = before + cost * done / parts
            if self.told is not None:
                self.told(stage, round(self._done), round(whole) or 1)

        tell(0, 1)
        return tell

    def _first(self) -> Weights:
        """The weights training starts from: those given, or nets that know nothing and the field of a first policy."""
        path = self.folder / "field-0.npz"
        if self.start is not None:
            return self._measured(path, self.start)
        if path.exists():
            return load(path)
        values = self.values or dict(DEFAULT_FANTASYLAND_VALUES)
        field = self._field(get("exact_endgame(base='never_bust_greedy')"), values)
        weights = Weights(_blank(self.nets, self.plan.widths, self._foul(field)), field, self._about(0, values))
        weights.save(path)
        return weights

    def _lap(self, number: int, lap: Lap, weights: Weights) -> Weights:
        nets, about = weights.nets, self._about(number, weights.values)
        for street in range(self.nets, 0, -1):
            path = self.folder / f"lap{number}-net{street}.npz"
            if path.exists():
                nets = load(path).nets
                continue
            lessons = self._lessons(number, lap, street, Weights(nets, weights.field, about))
            x = lessons.inputs(self.streets, worst_low(self._compiled))
            cost = len(lessons.labels) * lap.epochs * _A_FIT
            tell = self._tell(f"lap {number}: fit street {street}", cost)
            net, _ = fit(x, lessons.labels, self.plan.widths, lap.epochs, self.seed + 10 * number + street, tell)
            nets = _with_net(nets, street, net, screen(x, net))
            Weights(nets, weights.field, about).save(path)
            # As they are in the file, so that a resumed run goes on from the same numbers.
            nets = load(path).nets
        return self._measured(self._lap_file(number), Weights(nets, weights.field, about))

    def _measured(self, path: Path, weights: Weights) -> Weights:
        """The same nets with the field of their own play and what Fantasyland is then worth, as when loaded."""
        if not path.exists():
            field = self._field(Expert.of_weights(weights.rounded()), weights.values)
            foul = np.full(self.nets, self._foul(field), np.float32)
            fresh = Weights(weights.nets._replace(foul=foul), field, weights.about)
            values = self.values or self._worth(fresh.rounded())
            Weights(fresh.nets, field, {**fresh.about, "values": _as_told(values)}).save(path)
        return load(path)

    def _worth(self, weights: Weights) -> dict[int, float]:
        """Points of Fantasyland among players with these weights, by cards."""
        if not fantasyland_cards(self.rules):
            return weights.values
        tell = self._tell("what Fantasyland is worth", self.plan.chains * self._a_chain)
        found = fantasyland_value(
            self.rules, Expert.of_weights(weights), self.seats, self.plan.chains, seed=self.seed + 55, cache=False,
            progress=tell,
        )  # fmt: skip
        return {**weights.values, **{cards: round(points, 2) for cards, points in found.values.items()}}

    def _lessons(self, number: int, lap: Lap, street: int, weights: Weights) -> Lessons:
        path = self.folder / f"lap{number}-street{street}.npz"
        if not path.exists():
            self._new_lessons(number, lap, street, weights).save(path)
        lessons = Lessons.load(path)
        older = self.folder / f"lap{number - 1}-street{street}.npz"
        return Lessons.join([lessons, Lessons.load(older)]) if lap.keeps and older.exists() else lessons

    def _new_lessons(self, number: int, lap: Lap, street: int, weights: Weights) -> Lessons:
        n, times, until = self._size(lap, street)
        stage, parts = f"lap {number}: street {street}", []
        for before, after, begin, size, roots in self._given_roots(number, street, n):
            teacher = self._teacher(number, weights, before, after)
            if roots is None:
                tell = self._tell(f"{stage}, boards", size * _A_ROOT)
                roots = teacher.roots(street, begin, size, tell)
            tell = self._tell(f"{stage}, labels", size * times * self._of_future(street, until))
            parts.append(teacher.label(street, begin, roots, times, until, tell))
        return Lessons.join(parts)

    def _given_roots(self, number: int, street: int, n: int) -> list[tuple[int, int, int, int, Roots | None]]:
        """(before, after, first number, how many, roots if they are there) for each kind of table."""
        others = self.seats - 1
        if number == 1:
            kept = self._kept_roots()
            return [
                (before, others - before, 0, len(kept[street, before][:n]), kept[street, before][:n])
                for before in range(self.seats)
            ]
        away = n * _AWAY_SHARE
        pieces = [(before, others - before, (n - away) / self.seats) for before in range(self.seats)]
        pieces += [(before, others - 1 - before, away / others) for before in range(others)]
        sizes = [_ROUND * max(1, round(size / _ROUND)) for _, _, size in pieces]
        begins = np.cumsum([0, *sizes]).tolist()
        return [
            (before, after, begin, size, None)
            for (before, after, _), begin, size in zip(pieces, begins, sizes, strict=False)
        ]

    def _kept_roots(self) -> dict[tuple[int, int], Roots]:
        keys = [(street, before) for street in range(1, self.nets + 1) for before in range(self.seats)]
        paths = {key: self.folder / f"first-street{key[0]}-{key[1]}.npz" for key in keys}
        if not all(path.exists() for path in paths.values()):
            tell = self._tell(f"first hands, {_FIRST_BASE}", self.plan.first_hands * _A_FIRST_HAND)
            found = first_roots(
                self.rules, self.streets, get(_FIRST_BASE), self.plan.first_hands, self.seats, self.seed, tell
            )
            for key, path in paths.items():
                Lessons(key[0], found[key], np.zeros(len(found[key]), np.float32)).save(path)
        return {key: Lessons.load(path).roots for key, path in paths.items()}

    def _teacher(self, number: int, weights: Weights, before: int, after: int) -> Teacher:
        away = self.seats - 1 - before - after
        kinds = [NORMAL] * (before + after) + [IN_FANTASYLAND] * away
        worths = [worth_against(self._compiled, weights.field, kind) for kind in kinds]
        pay, unit = row_payoff(self._compiled, values_array(weights.values), worths)
        return Teacher(
            self.streets, worst_low(self._compiled), weights.nets, pay, unit, 1000 * self.seed + number, before, after,
            self.workers,
        )  # fmt: skip

    def _foul(self, field: Field) -> float:
        return (self.seats - 1) * worth_against(self._compiled, field, NORMAL).foul

    def _field(self, player: Any, values: Mapping[int, float]) -> Field:
        """The boards that a strategy ends with against itself, and those of its Fantasyland hands."""
        codes: tuple[list[NDArray[np.uint16]], ...] = ([], [])
        fouled: tuple[list[NDArray[np.bool_]], ...] = ([], [])
        tables = self.plan.field_tables
        tell = self._tell("boards opponents end with", tables * _FIELD_HANDS * _A_FIELD_HAND)
        hands = play(
            self.rules, [player] * self.seats, range(tables), _FIELD_HANDS, self.seed + 77,
            fantasyland_values=values,
        )  # fmt: skip
        for number, batch in enumerate(hands, 1):
            for kind, mask in ((NORMAL, batch.fantasyland == 0), (IN_FANTASYLAND, batch.fantasyland > 0)):
                seen = mask & batch.playing
                codes[kind].append(batch.codes[seen])
                fouled[kind].append(batch.fouled[seen])
            tell(number, _FIELD_HANDS)
        return Field.of_boards([np.concatenate(c) for c in codes], [np.concatenate(f) for f in fouled])

    def _about(self, lap: int, values: Mapping[int, float]) -> dict[str, Any]:
        return {
            "rules": self.rules.name, "ruleset": self.rules.id, "seats": self.seats, "seed": self.seed, "lap": lap,
            "plan": repr(self.plan), "values": _as_told(values),
        }  # fmt: skip


def _as_told(values: Mapping[int, float]) -> dict[str, float]:
    """Points by cards as `Weights.about` holds them."""
    return {str(cards): points for cards, points in values.items()}


def _blank(streets: int, widths: tuple[int, int], foul: float) -> Nets:
    a, b = widths
    shapes = [(INPUTS, a), (a,), (a, b), (b,), (b,), (), (), (INPUTS,)]
    nets = Nets(*(np.zeros((streets, *shape), np.float32) for shape in shapes))
    return nets._replace(foul=np.full(streets, foul, np.float32))


def _with_net(nets: Nets, street: int, net: Net, linear: NDArray[np.float32]) -> Nets:
    """The nets with another one for a street, and its screen."""
    fresh = {name: getattr(nets, name).copy() for name in Nets._fields}
    for name in ("w1", "b1", "w2", "b2", "w3", "b3"):
        fresh[name][street - 1] = getattr(net, name)
    fresh["screen"][street - 1] = linear
    return Nets(**fresh)
