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
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules
from ofclab.strategies import get
from ofclab.strategies.base import values_array
from ofclab.strategies.expert import Expert
from ofclab.strategies.expert_payoff import IN_FANTASYLAND, NORMAL, Field, row_payoff, worth_against
from ofclab.strategies.expert_weights import STREETS, Weights, load
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
    """Roots, play-outs and where they end for streets 1, 2, 3; epochs of a fit; whether older lessons count.

    ``until`` 4 ends in the exact value of street 4, less in the value of the next street's net.
    """

    roots: tuple[int, int, int]
    times: tuple[int, int, int]
    until: tuple[int, int, int] = (4, 4, 4)
    epochs: int = 16
    keeps: bool = False


@dataclass(frozen=True)
class Plan:
    """How much is done: hands of the first policy, laps, widths of the nets, tables that measure the field."""

    first_hands: int
    laps: tuple[Lap, ...]
    widths: tuple[int, int] = (64, 32)
    field_tables: int = 1500


FULL = Plan(
    8_000,
    (
        Lap((16_000, 16_000, 16_000), (8, 8, 8)),
        Lap((200_000, 300_000, 300_000), (8, 6, 4), (2, 3, 4), epochs=20),
        Lap((200_000, 300_000, 300_000), (8, 6, 4), (2, 3, 4), keeps=True),
    ),
)
QUICK = Plan(
    2_000,
    (Lap((4_000, 4_000, 4_000), (8, 8, 8)), Lap((60_000, 80_000, 80_000), (4, 4, 4), (2, 3, 4), epochs=20)),
    field_tables=500,
)


# Rough CPU seconds, for the estimate of what is left.
_A_FIRST_HAND, _A_FIELD_HAND, _A_FIT = 3e-3, 5e-4, 3e-6
_A_ROOT = (1e-4, 6e-5, 7e-5)
_A_FUTURE = {(1, 2): 2.5e-5, (2, 3): 2.5e-5, (3, 4): 5e-5, (2, 4): 8e-5, (1, 4): 1e-4}


class Course:
    """Training of one ruleset in a folder of stage files; the same seed and plan give the same weights.

    ``values``: points of Fantasyland by cards; ``start``: weights to go on from, in place of the first lap; ``told``:
    called with the stage, the work done and all work, in rough CPU seconds.
    """

    def __init__(
        self, rules: Rules, seats: int, folder: Path, plan: Plan, seed: int = 1,
        values: Mapping[int, float] | None = None, start: Weights | None = None, workers: int = 1,
        told: Told | None = None,
    ) -> None:  # fmt: skip
        self.rules, self.seats, self.folder, self.plan, self.seed = rules, seats, folder, plan, seed
        self.values = {**DEFAULT_FANTASYLAND_VALUES, **(values or {})}
        self.start, self.workers, self.told = start, workers, told
        self._done = 0.0
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
        total = self.plan.field_tables * _FIELD_HANDS * _A_FIELD_HAND
        total += self.plan.first_hands * _A_FIRST_HAND * (number == 1)
        for street, (n, times, until) in enumerate(zip(lap.roots, lap.times, lap.until, strict=True), 1):
            total += n * (_A_ROOT[street - 1] * (number > 1) + times * _A_FUTURE[street, until])
            total += n * lap.epochs * (1 + lap.keeps) * _A_FIT
        return total

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
        field = self._field(get("exact_endgame(base='never_bust_greedy')"))
        weights = Weights(_blank(self.plan.widths, self._foul(field)), field, self._about(0))
        weights.save(path)
        return weights

    def _lap(self, number: int, lap: Lap, weights: Weights) -> Weights:
        nets = weights.nets
        for street in (3, 2, 1):
            path = self.folder / f"lap{number}-net{street}.npz"
            if path.exists():
                nets = load(path).nets
                continue
            lessons = self._lessons(number, lap, street, Weights(nets, weights.field, {}))
            x, cost = lessons.inputs(), len(lessons.labels) * lap.epochs * _A_FIT
            tell = self._tell(f"lap {number}: fit street {street}", cost)
            net, _ = fit(x, lessons.labels, self.plan.widths, lap.epochs, self.seed + 10 * number + street, tell)
            nets = _with_net(nets, street, net, screen(x, net))
            Weights(nets, weights.field, self._about(number)).save(path)
            # As they are in the file, so that a resumed run goes on from the same numbers.
            nets = load(path).nets
        return self._measured(self._lap_file(number), Weights(nets, weights.field, self._about(number)))

    def _measured(self, path: Path, weights: Weights) -> Weights:
        """The same nets with the field of their own play, as they are when loaded."""
        if not path.exists():
            field = self._field(Expert.of_weights(weights.rounded()))
            foul = np.full(STREETS, self._foul(field), np.float32)
            Weights(weights.nets._replace(foul=foul), field, weights.about).save(path)
        return load(path)

    def _lessons(self, number: int, lap: Lap, street: int, weights: Weights) -> Lessons:
        path = self.folder / f"lap{number}-street{street}.npz"
        if not path.exists():
            self._new_lessons(number, lap, street, weights).save(path)
        lessons = Lessons.load(path)
        older = self.folder / f"lap{number - 1}-street{street}.npz"
        return Lessons.join([lessons, Lessons.load(older)]) if lap.keeps and older.exists() else lessons

    def _new_lessons(self, number: int, lap: Lap, street: int, weights: Weights) -> Lessons:
        n, times, until = lap.roots[street - 1], lap.times[street - 1], lap.until[street - 1]
        stage, parts = f"lap {number}: street {street}", []
        for before, after, begin, size, roots in self._given_roots(number, street, n):
            teacher = self._teacher(number, weights, before, after)
            if roots is None:
                tell = self._tell(f"{stage}, boards", size * _A_ROOT[street - 1])
                roots = teacher.roots(street, begin, size, tell)
            tell = self._tell(f"{stage}, labels", size * times * _A_FUTURE[street, until])
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
        keys = [(street, before) for street in (1, 2, 3) for before in range(self.seats)]
        paths = {key: self.folder / f"first-street{key[0]}-{key[1]}.npz" for key in keys}
        if not all(path.exists() for path in paths.values()):
            tell = self._tell(f"first hands, {_FIRST_BASE}", self.plan.first_hands * _A_FIRST_HAND)
            found = first_roots(self.rules, get(_FIRST_BASE), self.plan.first_hands, self.seats, self.seed, tell)
            for key, path in paths.items():
                Lessons(key[0], found[key], np.zeros(len(found[key]), np.float32)).save(path)
        return {key: Lessons.load(path).roots for key, path in paths.items()}

    def _teacher(self, number: int, weights: Weights, before: int, after: int) -> Teacher:
        away = self.seats - 1 - before - after
        kinds = [NORMAL] * (before + after) + [IN_FANTASYLAND] * away
        compiled = compile_rules(self.rules)
        worths = [worth_against(compiled, weights.field, kind) for kind in kinds]
        pay, unit = row_payoff(compiled, values_array(self.values), worths)
        return Teacher(weights.nets, pay, unit, 1000 * self.seed + number, before, after, self.workers)

    def _foul(self, field: Field) -> float:
        return (self.seats - 1) * worth_against(compile_rules(self.rules), field, NORMAL).foul

    def _field(self, player: Any) -> Field:
        """The boards that a strategy ends with against itself, and those of its Fantasyland hands."""
        codes: tuple[list[NDArray[np.uint16]], ...] = ([], [])
        fouled: tuple[list[NDArray[np.bool_]], ...] = ([], [])
        tables = self.plan.field_tables
        tell = self._tell("boards opponents end with", tables * _FIELD_HANDS * _A_FIELD_HAND)
        hands = play(
            self.rules, [player] * self.seats, range(tables), _FIELD_HANDS, self.seed + 77,
            fantasyland_values=self.values,
        )  # fmt: skip
        for number, batch in enumerate(hands, 1):
            for kind, mask in ((NORMAL, batch.fantasyland == 0), (IN_FANTASYLAND, batch.fantasyland > 0)):
                seen = mask & batch.playing
                codes[kind].append(batch.codes[seen])
                fouled[kind].append(batch.fouled[seen])
            tell(number, _FIELD_HANDS)
        return Field.of_boards([np.concatenate(c) for c in codes], [np.concatenate(f) for f in fouled])

    def _about(self, lap: int) -> dict[str, Any]:
        return {
            "rules": self.rules.name, "ruleset": self.rules.id, "seats": self.seats, "seed": self.seed, "lap": lap,
            "plan": repr(self.plan), "values": {str(cards): points for cards, points in self.values.items()},
        }  # fmt: skip


def _blank(widths: tuple[int, int], foul: float) -> Nets:
    a, b = widths
    shapes = [(INPUTS, a), (a,), (a, b), (b,), (b,), (), (), (INPUTS,)]
    nets = Nets(*(np.zeros((STREETS, *shape), np.float32) for shape in shapes))
    return nets._replace(foul=np.full(STREETS, foul, np.float32))


def _with_net(nets: Nets, street: int, net: Net, linear: NDArray[np.float32]) -> Nets:
    """The nets with another one for a street, and its screen."""
    fresh = {name: getattr(nets, name).copy() for name in Nets._fields}
    for name in ("w1", "b1", "w2", "b2", "w3", "b3"):
        fresh[name][street - 1] = getattr(net, name)
    fresh["screen"][street - 1] = linear
    return Nets(**fresh)
