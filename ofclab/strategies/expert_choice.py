"""Which weights Expert plays with under given rules: its own, or those of the nearest rules."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ofclab.kernels.jit import cache_root
from ofclab.rules import Rules, load_rules
from ofclab.strategies.expert_weights import Weights, load, load_shipped, shipped

_STREETS = [(3, 2, 1)] * 4
_PLAY = ("deck.", "deal.", "ranking.", "jokers.", "scoring.", "foul.", "royalties.", "fantasyland.")
_NOT_PLAY = ("fantasyland.adds_hand",)
_ENTRY = "fantasyland.entry_front"
_ENTRY_COUNTS = 10


@dataclass(frozen=True)
class Found:
    """Weights and what is to be said of them; empty when they are of the very rules."""

    weights: Weights
    notice: str = ""


def has_nets(rules: Rules) -> bool:
    """Tell whether nets can play under these rules: Pineapple's deal, 52 cards, three high rows, and weights exist."""
    flat = rules.flat()
    deal = [(each.deal, each.place, each.discard) for each in rules.deal.rounds]
    return deal == _STREETS and rules.deck.jokers == 0 and flat["ranking.middle"] != "2-7"


def _of_play(rules: Rules) -> dict[str, Any]:
    """The parameters that tell how to play a hand: not the stakes, nor when a game ends or who deals."""
    return {key: value for key, value in rules.flat().items() if key.startswith(_PLAY) and key not in _NOT_PLAY}


def trained_file(rules: Rules, seats: int) -> Path:
    """Where training keeps weights of a user's own rules."""
    told = json.dumps(_of_play(rules), sort_keys=True, default=str)
    return cache_root() / "weights" / f"{hashlib.blake2b(told.encode(), digest_size=8).hexdigest()}-{seats}.npz"


def shipped_name(rules: Rules, seats: int) -> str | None:
    """Name of these rules' weights in the package: ``american-pineapple``, with more seats ``american-pineapple-3``."""
    mine = _of_play(rules)
    for name in shipped():
        about = load_shipped(name).about
        if about["seats"] == seats and _of_play(load_rules(str(about["rules"]))) == mine:
            return name
    return None


def find_weights(rules: Rules, seats: int, file: str = "") -> Found:
    """The weights for rules and seats: a file's, the package's, the user's, the nearest rules'."""
    if file:
        return Found(load(Path(file)))
    own = shipped_name(rules, seats)
    if own is not None:
        return Found(load_shipped(own))
    if trained_file(rules, seats).exists():
        return Found(load(trained_file(rules, seats)))
    nearest = nearest_weights(rules, seats)
    told = rules.name or "these rules"
    return Found(
        load_shipped(nearest),
        f"expert has no weights for {told} with {seats} seats: it plays with those of {nearest}, with the payoffs and "
        f"the Fantasyland of {told}; `ofclab train` makes weights of their own",
    )


def nearest_weights(rules: Rules, seats: int) -> str:
    """The shipped weights whose rules differ least: royalties, fouls, scoring and above all who enters Fantasyland."""
    mine = _of_play(rules)

    def distance(name: str) -> tuple[int, int, str]:
        about = load_shipped(name).about
        other = _of_play(load_rules(str(about["rules"])))
        apart = sum((_ENTRY_COUNTS if key == _ENTRY else 1) * (mine[key] != other[key]) for key in mine)
        return apart, abs(int(about["seats"]) - seats), name

    return min(shipped(), key=distance)
