"""What the trainer keeps: every judged decision in a file of the library, the rating they make, tricky spots."""

import json
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import evaluated
import loaders
import numpy as np
import polars as pl
import streamlit as st

import ofclab as ofc

START, RANDOM, K = 1200.0, 1000.0, 24.0
"""Rating to begin with, rating of a player who places at random, and how far one decision can move it."""
ZERO_AT = 2.0
"""Points of loss at which a decision scores nothing."""
MISTAKE = 0.5
"""Points of loss, beyond the noise, that make a decision a mistake."""
DEAREST = 200
"""Mistakes of a log that are asked again."""
MOST = 5000
"""Latest decisions that are read."""
ROUNDS = 2
"""Rounds of the search that judges a decision."""
CANDIDATES = 3
_lock = threading.Lock()


@dataclass(frozen=True)
class Judged:
    """One decision: the spot as text, what was played, what was best, what it cost, and the rating after it."""

    at: str
    mode: str
    rules: str
    ruleset: str
    against: str
    spot: str
    played: str
    best: str
    loss: float
    loss_se: float
    verdict: str
    score: float
    difficulty: float
    rating: float


def score_of(loss: float, loss_se: float) -> float:
    """What a decision scores: 1 within the noise of the best, falling to 0 at a loss of `ZERO_AT` points.

    >>> score_of(0.1, 0.2), score_of(0.5, 0.01), score_of(7.0, 0.1)
    (1.0, 0.75, 0.0)
    """
    return 1.0 if loss <= 2 * loss_se else max(0.0, 1 - loss / ZERO_AT)


def difficulty(losses: pl.Series, errors: pl.Series) -> float:
    """The rating of a spot: a player of rating `RANDOM` expects against it what random placements score on the mean.

    1000 + 400 log10((1 - e) / e), with e the mean score of all placements, kept within 600 and 2200.
    """
    scores = [score_of(loss, error) for loss, error in zip(losses, errors, strict=True)]
    e = min(max(sum(scores) / len(scores), 1e-3), 1 - 1e-3)
    return float(min(max(RANDOM + 400 * np.log10((1 - e) / e), 600), 2200))


def moved(rating: float, spot: float, score: float) -> float:
    """The rating after a decision: R + K (score - expected), expected = 1 / (1 + 10^((spot - R) / 400)).

    >>> round(moved(1200, 1200, 1), 1)
    1212.0
    """
    return rating + K * (score - 1 / (1 + 10 ** ((spot - rating) / 400)))


def history_file() -> Path:
    """Where the decisions are kept."""
    return loaders.runs_folder().parent / "trainer" / "history.jsonl"


def history() -> list[Judged]:
    """The latest decisions, oldest first; lines that cannot be read are left out."""
    try:
        lines = history_file().read_text(encoding="utf-8").splitlines()[-MOST:]
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            found.append(Judged(**json.loads(line)))
        except (ValueError, TypeError):
            continue
    return found


def judge(answer: ofc.SpotEvaluation, played: ofc.Placement, row: Mapping[str, Any], mode: str, against: str) -> Judged:
    """Keep a decision that was judged, and return it with the rating after it."""
    with _lock:
        before = history()
        rating = before[-1].rating if before else START
        spot = round(difficulty(answer.frame["loss"], answer.frame["loss_se"]), 1)
        score = score_of(row["loss"], row["loss_se"])
        judged = Judged(
            datetime.now(UTC).isoformat(timespec="seconds"), mode, answer.rules.name, answer.rules.id, against,
            " ".join(str(answer.spot).splitlines()), str(played), str(answer.best), round(row["loss"], 4),
            round(row["loss_se"], 4), row["verdict"], round(score, 4), spot,
            round(moved(rating, spot, score), 2),
        )  # fmt: skip
        file = history_file()
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(asdict(judged)) + "\n")
    return judged


def mistakes(rules: ofc.Rules) -> list[ofc.Spot]:
    """Spots under these rules that were played wrong, the latest first, each once."""
    spots: dict[str, ofc.Spot] = {}
    for judged in reversed(history()):
        if judged.ruleset == rules.id and judged.loss >= MISTAKE and judged.loss > 2 * judged.loss_se:
            try:
                spots.setdefault(judged.spot, ofc.Spot.parse(judged.spot))
            except ValueError:
                continue
    return list(spots.values())


def reviewed_logs(rules: ofc.Rules) -> dict[str, loaders.Entry]:
    """Logs of these rules alone that a review has judged."""
    found = {}
    for name, entry in loaders.library().items():
        if evaluated.decisions(entry) is not None and list(loaders.open_log(entry).rulesets) == [rules.id]:
            found[name] = entry
    return found


def mistake_of_log(entry: loaders.Entry, number: int) -> ofc.Spot | None:
    """One of the dearest mistakes a review found in a log; None where it found none."""
    judged = evaluated.decisions(entry)
    if judged is None:
        return None
    wrong = (pl.col("ev_loss") >= MISTAKE) & (pl.col("ev_loss") > 2 * pl.col("se")) & (pl.col("fl_cards") == 0)
    dearest = judged.filter(wrong).sort("ev_loss", descending=True).head(DEAREST)
    if dearest.is_empty():
        return None
    row = dearest.row(number % len(dearest), named=True)
    return loaders.open_log(entry).spot(row["hand_id"], row["seat"], row["street"])


def as_frame(judged: list[Judged]) -> pl.DataFrame:
    """The decisions as a table."""
    return pl.DataFrame([asdict(one) for one in judged])


class _Watching:
    """A strategy that notes what it saw, street by street."""

    def __init__(self, inner: Any) -> None:
        self.inner, self.label, self.views = inner, inner.label, list[ofc.View]()

    def prepare(self, rules: ofc.Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Prepare the strategy that plays."""
        self.inner.prepare(rules, fantasyland_values)

    def place(self, spots: ofc.Spots) -> Any:
        """Note what is seen, and let the strategy play."""
        self.views.append(spots.view(0))
        return self.inner.place(spots)


def _spot(rules: ofc.Rules, seed: int) -> ofc.Spot:
    """A spot from a hand that is played sensibly, on a street where there is a choice."""
    player = _Watching(ofc.strategies.get("never_bust_greedy"))
    other = ofc.strategies.get("never_bust_greedy")
    next(iter(ofc.play(rules, [player, other], [seed % 2**32], 1, seed % 2**64)))
    streets = player.views[1:-1] or player.views
    return ofc.Spot.of_view(Random(seed).choice(streets))


@st.cache_data(max_entries=128, show_spinner="Looking for a tricky spot")
def tricky_spot(number: int, rules_id: str, _rules: Any) -> str:
    """The spot of this number: of a few candidates the one where it is easiest to go wrong."""
    best, most = "", -1.0
    for seed in range(number * CANDIDATES, (number + 1) * CANDIDATES):
        spot = _spot(_rules, seed)
        frame = ofc.evaluate_spot(spot, _rules, samples=16).frame
        hard = difficulty(frame["loss"], frame["loss_se"])
        if hard > most:
            best, most = " ".join(str(spot).splitlines()), hard
    return best
