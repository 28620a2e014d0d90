"""Boards to learn from and what they are worth: made in threads, the same whatever their number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ofclab.engine import Spots, Strategy, play
from ofclab.kernels import expert_lessons, expert_play
from ofclab.kernels.expert_features import INPUTS, chance_table
from ofclab.kernels.expert_net import Nets, make_scratch
from ofclab.kernels.expert_play import Streets
from ofclab.kernels.judge import Payoff, make_work
from ofclab.rules import Rules
from ofclab.strategies.expert_streets import net_streets
from ofclab.strategies.random_legal import RandomLegal

_PIECE = 1000
Told = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Roots:
    """Boards after a street, u8 (n, 13); what is unseen then, u8 (n, 54) with 255 behind, and how much, i64 (n,)."""

    boards: NDArray[np.uint8]
    unseen: NDArray[np.uint8]
    sizes: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.boards)

    def __getitem__(self, part: slice) -> Roots:
        return Roots(self.boards[part], self.unseen[part], self.sizes[part])

    @classmethod
    def empty(cls, n: int) -> Roots:
        """Room for so many."""
        return cls(np.empty((n, 13), np.uint8), np.empty((n, 54), np.uint8), np.empty(n, np.int64))


@dataclass(frozen=True, eq=False)
class Lessons:
    """Roots of one street with their labels, f4 (n,), in points."""

    street: int
    roots: Roots
    labels: NDArray[np.float32]

    def inputs(self, streets: Streets, worst_low: int = -1) -> NDArray[np.float32]:
        """The nets' numbers, f4 (n, 183), of boards in such a deal."""
        x = np.empty((len(self.roots), INPUTS), np.float32)
        to_come = int(streets.to_come[self.street - 1])
        scratch = make_scratch(_no_nets(), worst_low)
        roots = self.roots
        expert_lessons.root_inputs(roots.boards, roots.unseen, roots.sizes, to_come, chance_table(), scratch, x)
        return x

    def save(self, path: Path) -> None:
        """Keep them in a file."""
        known = self.roots.unseen != 255
        bits = np.where(known, np.uint64(1) << np.where(known, self.roots.unseen, 0).astype(np.uint64), np.uint64(0))
        fresh = path.with_suffix(".tmp.npz")
        np.savez_compressed(
            fresh, street=self.street, boards=self.roots.boards, bits=np.bitwise_or.reduce(bits, axis=1),
            labels=self.labels,
        )  # fmt: skip
        fresh.replace(path)

    @classmethod
    def load(cls, path: Path) -> Lessons:
        """Take them from a file."""
        with np.load(path) as file:
            boards, bits, labels, street = file["boards"], file["bits"], file["labels"], int(file["street"])
        roots = Roots.empty(len(boards))
        roots.boards[:] = boards
        shown = (bits[:, None] >> np.arange(54, dtype=np.uint64)) & np.uint64(1) == 1
        order = np.argsort(~shown, axis=1, kind="stable")
        roots.sizes[:] = shown.sum(axis=1)
        roots.unseen[:] = np.where(np.arange(54) < roots.sizes[:, None], order, 255)
        return cls(street, roots, labels)

    @classmethod
    def join(cls, parts: list[Lessons]) -> Lessons:
        """All of several, of the same street."""
        boards, unseen, sizes = (
            np.concatenate([getattr(part.roots, name) for part in parts]) for name in ("boards", "unseen", "sizes")
        )
        return cls(parts[0].street, Roots(boards, unseen, sizes), np.concatenate([part.labels for part in parts]))


def _no_nets() -> Nets:
    shapes = [(3, INPUTS, 4), (3, 4), (3, 4, 4), (3, 4), (3, 4), (3,), (3,), (3, INPUTS)]
    return Nets(*(np.zeros(shape, np.float32) for shape in shapes))


@dataclass(frozen=True, eq=False)
class Teacher:
    """Nets and payoffs that make and value roots; ``before`` and ``after``: opponents who act before and after.

    ``worst_low``: as in `ofclab.strategies.expert_streets`. ``seed`` and the number of a root fix everything about it.
    """

    streets: Streets
    worst_low: int
    nets: Nets
    pay: Payoff
    unit: int
    seed: int
    before: int
    after: int
    workers: int = 1

    def roots(self, street: int, begin: int, n: int, told: Told | None = None) -> Roots:
        """Roots `begin` to `begin` + n of a street."""
        roots = Roots.empty(n)

        def make(part: slice) -> None:
            piece = roots[part]
            expert_lessons.make_roots(
                np.uint64(self.seed), begin + part.start, street, self.before, self.after, self.streets,
                chance_table(), self.nets, make_scratch(self.nets, self.worst_low), piece.boards, piece.unseen,
                piece.sizes,
            )  # fmt: skip

        self._share(make, n, told)
        return roots

    def label(self, street: int, begin: int, roots: Roots, times: int, until: int, told: Told | None = None) -> Lessons:
        """Value roots by so many play-outs up to street `until`."""
        labels = np.empty(len(roots), np.float32)

        def value(part: slice) -> None:
            piece = roots[part]
            expert_lessons.play_out(
                np.uint64(self.seed), begin + part.start, street, self.before, self.after, self.streets, times,
                until, chance_table(), self.nets, make_scratch(self.nets, self.worst_low), self.pay, self.unit,
                make_work(), piece.boards, piece.unseen, piece.sizes, labels[part],
            )  # fmt: skip

        self._share(value, len(roots), told)
        return Lessons(street, roots, labels)

    def _share(self, work: Callable[[slice], None], n: int, told: Told | None) -> None:
        pieces = [slice(first, min(first + _PIECE, n)) for first in range(0, n, _PIECE)]
        with ThreadPoolExecutor(self.workers) as pool:
            for done, _ in enumerate(pool.map(work, pieces), 1):
                if told is not None:
                    told(done, len(pieces))


class _Explorer:
    """Another strategy that now and then places at random, with every board it comes to on the first streets kept."""

    def __init__(self, base: Strategy, share: float, streets: Streets) -> None:
        self.base, self.share, self.label = base, share, "explorer"
        self.streets, self.deck_size = net_streets(streets), streets.deck_size
        self.random = RandomLegal()
        self.kept: dict[tuple[int, int], list[Roots]] = {}

    def prepare(self, rules: Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Prepare both."""
        self.base.prepare(rules, fantasyland_values)
        self.random.prepare(rules, fantasyland_values)

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        """The strategy's choice, or any."""
        choice = self.base.place(spots)
        if spots.street > self.streets:
            return choice
        departs = (spots.keys >> np.uint64(11)) % np.uint64(1000) < np.uint64(1000 * self.share)
        choice[departs] = self.random.place(spots)[departs]
        for position in np.unique(spots.position).tolist():
            where = np.flatnonzero(spots.position == position)
            roots = Roots.empty(len(where))
            roots.unseen[:] = 255
            for at, i in enumerate(where.tolist()):
                expert_play.put_dealt(spots.board[i], spots.dealt[i], choice[i], roots.boards[at])
                roots.sizes[at] = expert_play.list_unseen(
                    spots.board[i], spots.dealt[i], spots.discards[i], spots.opponents[i],
                    spots.opponents_discards[i], self.deck_size, roots.unseen[at],
                )  # fmt: skip
                roots.unseen[at, roots.sizes[at] :] = 255
            self.kept.setdefault((spots.street, position - 1), []).append(roots)
        return choice


def first_roots(
    rules: Rules, streets: Streets, base: Strategy, hands: int, seats: int, seed: int, told: Told
) -> dict[tuple[int, int], Roots]:
    """Roots of a strategy's play by (street, opponents who act before), with one placement in eight at random."""
    explorer = _Explorer(base, 0.125, streets)
    for first in range(0, hands, 500):
        until = min(first + 500, hands)
        list(play(rules, [explorer] * seats, range(first, until), 1, seed))
        told(until, hands)
    return {
        key: Roots(*(np.concatenate([getattr(each, name) for each in kept]) for name in ("boards", "unseen", "sizes")))
        for key, kept in explorer.kept.items()
    }
