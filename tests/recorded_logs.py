"""Logs whose sources recorded results: simulated hands told as a room would tell them, without saying its rules."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import ofclab as ofc

PLAYERS = ("never_bust_greedy", "cutoff_rows")


def told_hands(
    rules: ofc.Rules, folder: Path, tables: int, hands: int, seed: int, start: int = 0
) -> list[dict[str, Any]]:
    """Hands as JSON objects with recorded points, royalties, fouls and Fantasyland; no ids, rules or strategies."""
    log = ofc.open_log(
        ofc.simulate(rules, PLAYERS[: rules.players.max], tables=tables, hands=hands, seed=seed, out=folder).path
    )
    results = {(row["hand_id"], row["seat"]): row for row in log.results().collect().iter_rows(named=True)}
    path = folder.with_suffix(".jsonl")
    ofc.export_hands(log, path)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for number, hand in enumerate(lines):
        hand_id = int(hand.pop("id"), 16)
        for name in ("rules", "table", "match", "seed_key", "source_file", "source_line"):
            hand.pop(name, None)
        hand |= {"site": "room", "site_hand_id": f"{seed}-{number}", "hand_no": start + number}
        hand["played_at"] = (datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=start + number)).isoformat()
        for seat in hand["seats"]:
            row = results[hand_id, seat["seat"]]
            seat.pop("strategy")
            seat["player"] = f"player {seat['seat']}"
            royalties = row["royalty_front"] + row["royalty_middle"] + row["royalty_back"]
            seat |= {"points_recorded": row["points"], "royalties_recorded": royalties,
                     "foul_recorded": row["fouled"], "next_fl_recorded": row["next_fl"]}  # fmt: skip
    return lines


def import_told(
    hands: Sequence[dict[str, Any]], folder: Path, rules: str | ofc.Rules = "american-pineapple"
) -> ofc.Log:
    """A log of such hands, read under rules that need not be theirs."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "told.jsonl"
    path.write_text("".join(json.dumps(hand) + "\n" for hand in hands), encoding="utf-8")
    report = ofc.import_hands(path, rules=rules, out=folder / "log")
    assert report.rejected == []
    return report.log
