"""The trainer's game, kept on disk so that a page that is loaded again goes on where it was."""

import json
from collections.abc import Sequence
from pathlib import Path

import training

import ofclab as ofc

_ROWS = tuple(ofc.Row)
Key = tuple[str, str, int]
"""Id of the rules, opponent, number of the deal."""


def game_file() -> Path:
    """Where the latest game is kept."""
    return training.history_file().with_name("game.json")


def save(key: Key, played: Sequence[ofc.Placement]) -> None:
    """Keep what was placed so far; a disk that cannot be written keeps nothing."""
    moves = [{str(card): _ROWS.index(row) for card, row in one.rows} for one in played]
    file = game_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_suffix(".tmp")
        fresh.write_text(json.dumps({"key": list(key), "moves": moves}), encoding="utf-8")
        fresh.replace(file)
    except OSError:
        return


def resume(rules: ofc.Rules, against: str, seed: int) -> tuple[ofc.Table, list[ofc.Placement]]:
    """A table for this game, with what was placed before where it is the one that was kept."""
    played: list[ofc.Placement] = []
    table = _deal(rules, against, seed)
    try:
        kept = json.loads(game_file().read_text(encoding="utf-8"))
        if tuple(kept["key"]) != (rules.id, against, seed):
            return table, played
        for move in kept["moves"]:
            if table.decision is None:
                table.deal()
            assert table.decision is not None
            rows = {ofc.Card.parse(card): _ROWS[row] for card, row in move.items()}
            dealt = table.decision.dealt
            placement = ofc.Placement(
                tuple((card, rows[card]) for card in dealt if card in rows),
                tuple(card for card in dealt if card not in rows),
            )
            table.decide(placement)
            played.append(placement)
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, AssertionError):
        # Nothing was kept, or it is no game of these rules: as far as it went, or a fresh one.
        return (table, played) if played else (_deal(rules, against, seed), [])
    return table, played


def _deal(rules: ofc.Rules, against: str, seed: int) -> ofc.Table:
    return ofc.Table(rules, [None, ofc.strategies.get(against)], seed)
