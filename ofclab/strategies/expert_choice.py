"""Which weights Expert plays with under given rules: its own, or those of the nearest rules."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ofclab.kernels.jit import cache_root
from ofclab.rules import Rules, load_rules
from ofclab.strategies.expert_streets import net_streets, streets_of
from ofclab.strategies.expert_weights import Weights, WeightsError, load, load_shipped, shipped

_PLAY = ("deck.", "deal.", "ranking.", "jokers.", "scoring.", "foul.", "royalties.", "fantasyland.")
_NOT_PLAY = ("fantasyland.adds_hand",)
_SEATS = (2, 3, 4)
_ENTRY = "fantasyland.entry_front"
_ENTRY_COUNTS = 10


@dataclass(frozen=True)
class Found:
    """Weights and what is to be said of them; empty when they are of the very rules."""

    weights: Weights
    notice: str = ""


def has_nets(rules: Rules) -> bool:
    """Tell whether nets can play under these rules: a deal they fit, and weights for it in the package or trained."""
    fits = streets_of(rules) is not None
    return fits and (bool(_of_same_game(rules)) or any(trained_file(rules, seats).exists() for seats in _SEATS))


def _of_same_game(rules: Rules) -> list[str]:
    """Names of the shipped weights that fit the rules' deal, middle and deck."""
    return [name for name in shipped() if _game(_rules_of(name)) == _game(rules)]


def _game(rules: Rules) -> tuple[object, ...]:
    """What weights cannot bridge: the streets of a deal, a middle high or low, a deck with or without jokers."""
    return rules.deal.rounds, rules.ranking.middle, rules.deck.jokers > 0


def _rules_of(name: str) -> Rules:
    """The rules that weights in the package were trained for."""
    return load_rules(str(load_shipped(name).about["rules"]))


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
        if about["seats"] == seats and _of_play(_rules_of(name)) == mine:
            return name
    return None


def find_weights(rules: Rules, seats: int, file: str = "") -> Found:
    """The weights for rules and seats: a file's, the package's, the user's, the nearest rules'.

    Raises WeightsError when a file's nets are of another deal.
    """
    streets = streets_of(rules)
    if file:
        weights = load(Path(file))
        if streets is None or weights.streets != net_streets(streets):
            raise WeightsError(
                f"{file}: nets of {weights.streets} streets, trained for {weights.about['rules']}; {rules.name} wants "
                f"{0 if streets is None else net_streets(streets)}"
            )
        return Found(weights)
    own = shipped_name(rules, seats)
    if own is not None:
        return Found(load_shipped(own))
    trained = [count for count in _SEATS if trained_file(rules, count).exists()]
    if seats in trained:
        return Found(load(trained_file(rules, seats)))
    told = f"expert has no weights for {rules.name or 'these rules'} with {seats} seats: it plays with those "
    if not _of_same_game(rules):
        nearest_seats = min(trained, key=lambda count: abs(count - seats))
        return Found(
            load(trained_file(rules, nearest_seats)), f"{told}for {nearest_seats}; `ofclab train` makes its own"
        )
    nearest = nearest_weights(rules, seats)
    return Found(
        load_shipped(nearest),
        f"{told}of {nearest}, with the payoffs and the Fantasyland of {rules.name or 'these rules'}; `ofclab train` "
        "makes weights of their own",
    )


def nearest_weights(rules: Rules, seats: int) -> str:
    """The shipped weights of the same deal whose rules differ least, above all in who enters Fantasyland."""
    mine = _of_play(rules)

    def distance(name: str) -> tuple[int, int, str]:
        about, other = load_shipped(name).about, _of_play(_rules_of(name))
        apart = sum((_ENTRY_COUNTS if key == _ENTRY else 1) * (mine[key] != other[key]) for key in mine)
        return apart, abs(int(about["seats"]) - seats), name

    return min(_of_same_game(rules), key=distance)
