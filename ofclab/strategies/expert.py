"""The strongest player of the library: nets trained by self-play for the early streets, the late ones exactly."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing import parent_process

import numpy as np
from numpy.typing import NDArray

from ofclab.engine import DEFAULT_FANTASYLAND_VALUES, Spots
from ofclab.kernels import expert_play, expert_rollouts, expert_tail
from ofclab.kernels.expert_features import chance_table
from ofclab.kernels.expert_net import Scratch, make_scratch
from ofclab.kernels.expert_play import Streets
from ofclab.kernels.expert_tail import Prior
from ofclab.kernels.judge import Payoff, make_work
from ofclab.kernels.tails import FINISHED
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules
from ofclab.strategies import get
from ofclab.strategies.base import BuiltIn, placement_table, values_array
from ofclab.strategies.expert_choice import Found, find_weights, has_nets
from ofclab.strategies.expert_payoff import IN_FANTASYLAND, NORMAL, prior_of, row_payoff, worth_against
from ofclab.strategies.expert_streets import completions, net_streets, streets_of, worst_low
from ofclab.strategies.expert_weights import Weights

_EMPTY = 255
LEVELS = ("fast", "standard", "deep")
COMPLETIONS = {"fast": 24, "standard": 48, "deep": 192}
"""Boards an opponent may end with, drawn for every decision of the last two streets."""
Choices = NDArray[np.uint8]


@dataclass(frozen=True)
class Search:
    """Roll-outs on a street: of the net's best, at most ``most`` within ``margin`` points, half are dropped after
    ``draws`` futures, half of the rest after twice as many more, and so on.

    ``ahead``: streets until a future ends, valued by that street's net; 0: where it is exact. ``net_draws``: futures
    that the net's value counts for. ``most_draws``: futures of the last two while they are too close to call.
    ``exactly``: sum over all futures instead (before the first exact street).
    """

    most: int
    margin: float
    draws: int = 0
    ahead: int = 0
    net_draws: int = 0
    most_draws: int = 0
    exactly: bool = False


_ONE_AHEAD, _TO_THE_END = Search(6, 2.0, 24, ahead=1, net_draws=84), Search(6, 2.0, 12, net_draws=42)
_DEEP_OPENING = Search(6, 1.5, 1024, net_draws=2000, most_draws=1 << 16)
_DEEP, _DEEP_EXACTLY = Search(8, 3.0, 128, net_draws=2000, most_draws=1 << 13), Search(10, 4.0, exactly=True)


def search_of(level: str, street: int, nets: int) -> Search | None:
    """The roll-outs of a level on a street, of ``nets`` that are played by nets; None: the net decides."""
    if level == "deep":
        return _DEEP_EXACTLY if street == nets else _DEEP_OPENING if street == 1 else _DEEP
    if level == "standard" and street > 1:
        return _TO_THE_END if street == nets else _ONE_AHEAD
    return None


class ExpertNotice(UserWarning):
    """Expert plays with weights of other rules, or without any."""


@dataclass
class Expert(BuiltIn):
    """Small nets value the boards of the first streets, the last two streets are summed over all draws.

    ``level``: ``fast`` plays the nets' choice, ``standard`` compares their best few by roll-outs, ``deep`` by more of
    them; ``expert(fast)`` may be written for ``expert(level='fast')``. ``weights``: a file that `train` wrote, empty:
    those of the package or the user's own for these rules, else those of the nearest rules, which ``notice`` tells.
    Fantasyland is worth what the engine hands over, and where that is its default, what the weights were trained with.
    Rows are worth the points they win from the boards opponents end with; on the last street, against boards that lie
    open, a board is worth the points it wins.

    Where no nets fit (a deal no weights are of) it plays as ``exact_endgame`` does.
    """

    level: str = "standard"
    weights: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.level not in LEVELS:
            raise ValueError(f"level = {self.level!r}; have {', '.join(LEVELS)}")
        self._given: Weights | None = None
        self._base = get("exact_endgame")

    @classmethod
    def of_weights(cls, weights: Weights, level: str = "fast") -> Expert:
        """An Expert with weights in memory, as training plays it."""
        expert = cls(level)
        expert._given = weights
        return expert

    @property
    def label(self) -> str:
        """``expert``, ``expert(fast)``, ``expert(deep, weights='house.npz')``."""
        told = [self.level] if self.level != "standard" else []
        told += [f"weights={self.weights!r}"] if self.weights else []
        return f"expert({', '.join(told)})" if told else "expert"

    @property
    def notice(self) -> str | None:
        """What is to be said of the weights under the rules prepared for; None when they are of these very rules."""
        return self._notice

    def prepare(self, rules: Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Take the rules and the value of Fantasyland; the weights follow with the seats."""
        self._values, self._rules, self._compiled = values_array(fantasyland_values), rules, compile_rules(rules)
        self._are_defaults = dict(fantasyland_values) == dict(DEFAULT_FANTASYLAND_VALUES)
        self._found: dict[int, Found] = {}
        self._tails: dict[int, tuple[Prior, Payoff, Payoff]] = {}
        self._notice: str | None = None
        streets = streets_of(rules) if self._given is not None or self.weights or has_nets(rules) else None
        self._streets = streets
        if streets is None:
            self._base.prepare(rules, fantasyland_values)
            self._say(f"expert has no nets for {rules.name or 'these rules'}: it plays as exact_endgame does")

    def place(self, spots: Spots) -> Choices:
        """The row of each dealt card, u8 (n, k)."""
        streets = self._streets
        if streets is None:
            return self._base.place(spots)
        if spots.street > net_streets(streets):
            return self._exactly(spots, streets)
        search = search_of(self.level, spots.street, net_streets(streets))
        return self._by_net(spots, streets) if search is None else self._by_rollouts(spots, streets, search)

    def _scratch(self, weights: Weights) -> Scratch:
        return make_scratch(weights.nets, worst_low(self._compiled))

    def _weights(self, spots: Spots) -> Weights:
        seats = _seats(spots)
        if seats not in self._found:
            given = self._given
            self._found[seats] = Found(given) if given is not None else find_weights(self._rules, seats, self.weights)
            if self._found[seats].notice:
                self._say(self._found[seats].notice)
        return self._found[seats].weights

    def _fantasyland(self, spots: Spots) -> NDArray[np.float64]:
        """What Fantasyland is worth: as handed over, or where that is the engine's rough default, as trained with."""
        return values_array(self._weights(spots).values) if self._are_defaults else self._values

    def _say(self, text: str) -> None:
        """Keep a notice, and show it once where somebody may read it."""
        self._notice = text
        if parent_process() is None:
            warnings.warn(text, ExpertNotice, stacklevel=4)

    def _by_net(self, spots: Spots, streets: Streets) -> Choices:
        """The placement the net of this street values most."""
        weights = self._weights(spots)
        out = np.empty(spots.dealt.shape, np.uint8)
        expert_play.decide_by_net(
            spots.board, spots.counts, spots.dealt, spots.discards, spots.opponents, spots.opponents_discards,
            streets, spots.street, chance_table(), weights.nets, self._scratch(weights), out,
        )  # fmt: skip
        return out

    def _by_rollouts(self, spots: Spots, streets: Streets, search: Search) -> Choices:
        """The best of the net's best few on the same futures."""
        weights = self._weights(spots)
        out: Choices = np.empty(spots.dealt.shape, np.uint8)
        exact = int(streets.exact[0])
        until = min(spots.street + search.ahead, exact) if search.ahead else exact
        inside = ((spots.opponents_fantasyland > 0) & (spots.opponents_fantasyland != _EMPTY)).sum(axis=1)
        normal = (spots.opponents_fantasyland == 0).sum(axis=1)
        kinds: list[list[int]] = np.unique(np.stack((normal, inside), axis=1), axis=0).tolist()
        for open_handed, hidden in kinds:
            where = np.flatnonzero((normal == open_handed) & (inside == hidden))
            mine = np.empty((len(where), out.shape[1]), np.uint8)
            against = [NORMAL] * open_handed + [IN_FANTASYLAND] * hidden
            worths = [worth_against(self._compiled, weights.field, kind) for kind in against]
            pay, unit = row_payoff(self._compiled, self._fantasyland(spots), worths)
            expert_rollouts.decide_by_rollouts(
                spots.keys[where], spots.board[where], spots.counts[where], spots.dealt[where], spots.discards[where],
                spots.opponents[where], spots.opponents_fantasyland[where], spots.opponents_discards[where],
                spots.street, until, search.most, np.float32(search.margin), search.draws, search.net_draws,
                search.most_draws, search.exactly, streets, chance_table(), weights.nets, self._scratch(weights), pay,
                unit, make_work(), mine,
            )  # fmt: skip
            out[where] = mine
        return out

    def _exactly(self, spots: Spots, streets: Streets) -> Choices:
        """The last streets, over all draws, against what these opponents' boards may become."""
        field, others = self._weights(spots).field, spots.opponents.shape[1]
        if others not in self._tails:
            values = self._fantasyland(spots)
            prior = prior_of(self._compiled, values, field, others)
            usual = row_payoff(self._compiled, values, [worth_against(self._compiled, field, NORMAL)])[0]
            self._tails[others] = (prior, usual, usual._replace(rows=usual.rows.copy(), scalars=usual.scalars.copy()))
        prior, usual, own = self._tails[others]
        out, rules = np.empty(spots.dealt.shape, np.uint8), spots.compiled
        choices, start = placement_table(spots.dealt.shape[1], spots.place, spots.placed)
        kind = FINISHED if spots.street == spots.streets else int(streets.exact[1])
        expert_tail.decide_tail(
            spots.keys, spots.board, spots.counts, spots.dealt, spots.discards, spots.opponents,
            spots.opponents_fantasyland, spots.opponents_discards, streets.deck_size, choices, start, kind,
            COMPLETIONS[self.level], completions(streets), prior, usual, own, make_work(), self._fantasyland(spots),
            rules.paid, rules.entry, rules.stay, out,
        )  # fmt: skip
        return out


def _seats(spots: Spots) -> int:
    """Seats the weights are to be of: alone at the table one plays as heads-up."""
    return max(2, 1 + int(spots.opponents.shape[1]))


STRATEGY = Expert
