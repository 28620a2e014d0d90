"""Rows of the kernels: ranks, the setter, exact last streets, re-scoring."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ofclab.bench import baselines, loops, polars_scorer
from ofclab.bench.measure import Effort, Work, process_clock, times
from ofclab.bench.row import Bench, Measured
from ofclab.bench.spots import SEED, boards, compiled, deals, late_boards, pineapple, valuation
from ofclab.cards import Card
from ofclab.engine import DEFAULT_FANTASYLAND_VALUES
from ofclab.kernels import rescore, setter, tails
from ofclab.kernels.judge import FOUL, OUTCOMES, make_work
from ofclab.kernels.rowstate import rank_fives, rank_fronts
from ofclab.scoring import read_codes
from ofclab.strategies.base import placement_table

_MILLION, _MICRO, _MILLI = 1e6, 1e-6, 1e-3
_HANDS = 1 << 18
_LOOPED = 2_000
"""Hands that an evaluator ranks in a Python loop, and Fantasyland hands that are set, in a call."""
_POINT = 10_000


def _missing(name: str) -> str:
    return f"{name} is not installed; pip install 'ofclab[bench]'"


def _evaluators() -> dict[str, Callable[[NDArray[np.uint8]], Work]]:
    """Other evaluators that are installed: a loop over five-card hands for each."""

    def loop(evaluate: Callable[..., Any], hands: list[Any]) -> Work:
        def rank_all() -> None:
            for hand in hands:
                evaluate(hand)

        return rank_all

    def with_eval7(hands: NDArray[np.uint8]) -> Work:
        import eval7

        cards = [eval7.Card(str(Card(i))) for i in range(52)]
        return loop(eval7.evaluate, [[cards[i] for i in hand] for hand in hands.tolist()])

    def with_treys(hands: NDArray[np.uint8]) -> Work:
        import treys

        cards, evaluate = [treys.Card.new(str(Card(i))) for i in range(52)], treys.Evaluator().evaluate
        return loop(lambda hand: evaluate(hand, []), [[cards[i] for i in hand] for hand in hands.tolist()])

    def with_phevaluator(hands: NDArray[np.uint8]) -> Work:
        from phevaluator import evaluate_cards

        return loop(lambda hand: evaluate_cards(*hand), hands.tolist())

    return {"eval7": with_eval7, "treys": with_treys, "phevaluator": with_phevaluator}


def five_card_ranks(effort: Effort) -> Measured:
    """Ranks a second, beside the evaluators of other packages called in a loop."""
    hands = np.ascontiguousarray(deals(_HANDS, 2)[:, 0, :5])
    works: dict[str, Work] = {"": lambda: rank_fives(hands)}
    for name, make in _evaluators().items():
        try:
            works[name] = make(hands[:_LOOPED])
        except ImportError:
            continue
    seconds = dict(zip(works, times(list(works.values()), effort), strict=True))
    rates = {name: (_LOOPED if name else _HANDS) / taken / _MILLION for name, taken in seconds.items()}
    others = ", ".join(f"{name} {rate:.2g}" for name, rate in rates.items() if name not in ("", "eval7"))
    note = others if "eval7" in rates else "; ".join(filter(None, (_missing("eval7"), others)))
    return Measured(rates[""], rates.get("eval7"), note)


def front_ranks(effort: Effort) -> Measured:
    """Front ranks a second, beside five-card ranks."""
    fives = np.ascontiguousarray(deals(_HANDS, 2)[:, 0, :5])
    fronts = np.ascontiguousarray(fives[:, :3])
    front, five = times([lambda: rank_fronts(fronts), lambda: rank_fives(fives)], effort)
    return Measured(_HANDS / front / _MILLION, _HANDS / five / _MILLION)


class Fantasyland:
    """Fantasyland hands to set, and how."""

    def __init__(self, hands: int, n: int) -> None:
        rules, self.n = compiled(), n
        self.cards = np.full((hands, 17), 255, np.uint8)
        self.cards[:, :n] = deals(hands)[:, 0, :n]
        self.worth = rules.paid.astype(np.int64) * _POINT
        self.stay = rules.stay
        self.bonus = round(DEFAULT_FANTASYLAND_VALUES[14] * _POINT)
        self.tables = setter.setter_tables(self.worth, rules.stay, rules.switches, rules.cross)

    def set(self, first: int = 0, last: int | None = None) -> Any:
        """Set hands exactly."""
        cards = self.cards[first:last]
        m = len(cards)
        return setter.set_hands_batch(cards, np.full(m, self.n, np.uint8), self.tables, np.full(m, self.bonus))

    def try_all(self, hand: int = 0) -> int:
        """The value of a hand by every setting there is."""
        codes = np.zeros(1 << self.n, np.int64)
        return int(
            baselines.every_setting(
                self.cards[hand, : self.n], *baselines.subsets(self.n), self.worth, self.stay, self.bonus, codes
            )
        )


def setter_14(effort: Effort) -> Measured:
    """Microseconds to set 14 cards, beside every setting."""
    hands = Fantasyland(_LOOPED, 14)
    turn = iter(range(1 << 62))
    fast, naive = times([hands.set, lambda: hands.try_all(next(turn) % _LOOPED)], effort)
    return Measured(fast / _LOOPED / _MICRO, naive / _MICRO)


def setter_17(effort: Effort) -> Measured:
    """Microseconds to set 17 cards, beside 14."""
    many, few = Fantasyland(_LOOPED, 17), Fantasyland(_LOOPED, 14)
    slow, fast = times([many.set, few.set], effort)
    # One by one for the slow ones among them; what a call costs beside the work is taken away.
    alone = [_timed(partial(many.set, hand, hand + 1)) for hand in range(min(_LOOPED, 100 * effort.rounds))]
    call = float(np.median([_timed(partial(many.set, 0, 0)) for _ in range(100)]))
    p99 = (np.percentile(alone, 99) - call) / _MICRO
    return Measured(slow / _LOOPED / _MICRO, fast / _LOOPED / _MICRO, f"p99 {p99:.0f} us")


def _timed(work: Work) -> float:
    begun = time.thread_time()
    work()
    return time.thread_time() - begun


def last_streets(effort: Effort) -> Measured:
    """Microseconds a board, all draws of the last street."""
    n, payoff, work = 256, valuation().payoff, make_work()
    kept, unseen = late_boards(n, 2, 27)
    turn = iter(range(1 << 62))

    def naive() -> int:
        i = next(turn) % n
        return int(baselines.every_finish(kept[i].copy(), unseen[i], payoff.rows, np.int64(payoff.scalars[FOUL])))

    fast, slow = times([lambda: loops.last_streets(kept, unseen, payoff, work), naive], effort)
    return Measured(fast / n / _MICRO, slow / _MICRO)


def street_4(effort: Effort) -> Measured:
    """Microseconds a decision on the street before the last."""
    n, payoff, work = 64, valuation().payoff, make_work()
    kept, cards = late_boards(n, 4, 30)
    dealt, unseen = np.ascontiguousarray(cards[:, ::10]), np.ascontiguousarray(np.delete(cards, (0, 10, 20), axis=1))
    choices, start = placement_table(3, 2, 9)
    none, no_start = np.zeros((1, 0), np.uint8), np.zeros(145, np.int64)
    worths, counts, picks = np.zeros(n, np.int64), np.zeros((n, OUTCOMES), np.int64), np.zeros(n, np.int64)
    turn = iter(range(1 << 62))

    def exact() -> None:
        tails.decide_boards(
            kept, dealt, unseen, choices, start, tails.THREE_CARDS, 1, 3, none, no_start, payoff, work,
            worths, counts, picks,
        )  # fmt: skip

    def naive() -> int:
        i = next(turn) % n
        foul = np.int64(payoff.scalars[FOUL])
        return int(baselines.every_decision(kept[i].copy(), dealt[i], unseen[i], payoff.rows, foul))

    fast, slow = times([exact, naive], effort)
    return Measured(fast / n / _MICRO, slow / _MICRO)


def two_streets(effort: Effort) -> Measured:
    """Milliseconds a board with two streets to come."""
    n, payoff, work, sampled = 8, valuation().payoff, make_work(), 2
    kept, unseen = late_boards(n, 4, 32)
    draws = np.sort(np.argsort(np.random.default_rng(SEED).random((64, 32)), axis=1)[:, :3], axis=1)
    turn = iter(range(1 << 62))

    def naive() -> int:
        i = next(turn)
        chosen = draws[(i * sampled) % 64 : (i * sampled) % 64 + sampled]
        foul = np.int64(payoff.scalars[FOUL])
        return int(baselines.some_draws(kept[i % n].copy(), unseen[i % n], chosen, payoff.rows, foul))

    def exact() -> None:
        i = next(turn) % n
        tails.two_streets(kept[i], unseen[i], False, False, payoff, work)

    fast, slow = times([exact, naive], effort)
    scale = comb(32, 3) / sampled
    return Measured(fast / _MILLI, slow * scale / _MILLI, f"the baseline from {sampled} of {comb(32, 3):,} draws")


def rescore_codes(effort: Effort) -> Measured:
    """Hands a second from row codes, beside polars expressions."""
    rules = compiled()
    codes = np.ascontiguousarray(read_codes(boards(_HANDS), rules).transpose(1, 2, 0))
    tables = rescore.rescore_tables(rules.royalty, rules.switches, rules.cross)
    polars = polars_scorer.scorer(codes, pineapple(), rules.royalty)
    fast, slow = times([lambda: rescore.rescore_codes(codes, tables), polars], effort, process_clock)
    return Measured(_HANDS / fast / _MILLION, _HANDS / slow / _MILLION)


def rescore_cards(effort: Effort) -> Measured:
    """Hands a second from 26 cards, beside the scoring batch's codes re-scored."""
    rules, cards = compiled(), boards(_HANDS)
    tables = rescore.rescore_tables(rules.royalty, rules.switches, rules.cross)

    def through_codes() -> object:
        codes = read_codes(cards, rules)
        return rescore.rescore_codes(np.ascontiguousarray(codes.transpose(1, 2, 0)), tables)

    fast, slow = times([lambda: rescore.rescore_boards(cards, tables), through_codes], effort)
    return Measured(_HANDS / fast / _MILLION, _HANDS / slow / _MILLION)


RANKS = (
    Bench("5-card ranks, batch", "M/s", "eval7 in a loop", 60, 150, five_card_ranks),
    Bench("front ranks, batch", "M/s", "5-card ranks", 1.2, 1.8, front_ranks),
)
EXACT = (
    Bench("setter, 14 cards", "us", "naive kernel", 80, 200, setter_14, less_is_better=True),
    Bench("setter, 17 cards", "us", "setter, 14 cards", 0.5, 1, setter_17, less_is_better=True),
    Bench("last street exact, 27 unseen", "us", "naive kernel", 20, 40, last_streets, less_is_better=True),
    Bench("street-4 decision exact", "us", "naive kernel", 20, 60, street_4, less_is_better=True),
    Bench("two streets exact, 32 unseen", "ms", "naive kernel, sampled and scaled", 100, 300, two_streets,
          less_is_better=True),
    Bench("re-score from codes", "M hands/s", "polars expressions", 4, 8, rescore_codes),
    Bench("re-score from cards", "M hands/s", "through codes of the scoring batch", 1, 2, rescore_cards),
)  # fmt: skip
