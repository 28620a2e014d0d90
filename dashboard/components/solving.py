"""Evaluations that get better while somebody looks: in threads of the server, with more futures at every round.

A search is known by what it is asked (spot, rules, values), so that two visitors with one question share the answer and
nobody sees another's. It goes on while it is watched: a page that is closed or stopped lets it end.
"""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

import ofclab as ofc

ROUNDS = (32, 128, 512, 2048)
"""Futures of the placements that stay to the end, round by round; the same question has the same answers."""
UNWATCHED = 4.0
"""Seconds after which nobody is looking."""
MOST_SECONDS = 40.0
"""No round is begun that would end later."""
KEPT = 64
AT_ONCE = 2
"""Searches that may compute at once; the others wait for their turn."""


@dataclass
class Search:
    """One question and the best answer so far. `round`: rounds done; `error`: why there is no answer."""

    spot: ofc.Spot
    rules: ofc.Rules
    values: Mapping[int, float]
    rounds: int = len(ROUNDS)
    answer: ofc.SpotEvaluation | None = None
    round: int = 0
    error: str = ""
    is_done: bool = False
    watched: float = field(default_factory=time.monotonic)
    thread: threading.Thread | None = None

    @property
    def is_running(self) -> bool:
        """Tell whether it is being worked on."""
        return self.thread is not None and self.thread.is_alive()

    @property
    def progress(self) -> float:
        """The part of the rounds that is done."""
        return 1.0 if self.is_done else self.round / self.rounds


@dataclass
class _Office:
    searches: dict[tuple[object, ...], Search] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    turns: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(AT_ONCE))


@st.cache_resource(show_spinner=False)
def _office() -> _Office:
    return _Office()


def search(
    spot: ofc.Spot, rules: ofc.Rules, values: Mapping[int, float], *, go_on: bool = True, rounds: int = len(ROUNDS)
) -> Search:
    """The search for a question, begun or gone on with where it is not done; `go_on` False only looks."""
    office, key = _office(), (str(spot), rules.id, tuple(sorted(values.items())), rounds)
    with office.lock:
        found = office.searches.pop(key, None) or Search(spot, rules, dict(values), rounds)
        office.searches[key] = found
        while len(office.searches) > KEPT:
            office.searches.pop(next(iter(office.searches)))
        if go_on:
            found.watched = time.monotonic()
            if not found.is_done and not found.is_running:
                found.thread = threading.Thread(target=_work, args=(found, office), daemon=True)
                found.thread.start()
    return found


def _work(found: Search, office: _Office) -> None:
    begun, last = time.monotonic(), 0.0
    while found.round < found.rounds:
        with office.turns:
            now = time.monotonic()
            late = found.round and now - begun + 4 * last > MOST_SECONDS
            # A short search is finished for its own sake: somebody counts on its answer.
            if now - found.watched > UNWATCHED and found.rounds == len(ROUNDS):
                return
            if late:
                break
            try:
                found.answer = ofc.evaluate_spot(found.spot, found.rules, found.values, samples=ROUNDS[found.round])
            except (ValueError, MemoryError) as error:
                found.error = str(error) or type(error).__name__
                break
            last = time.monotonic() - now
        found.round += 1
        if found.answer.exact:
            break
    found.is_done = True
