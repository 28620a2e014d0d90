"""Write the samples of the tracker: its text view and its database."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from played_hands import ROWS, Hand, Seat, in_rows, played, put

import ofclab as ofc


def ten(cards: list[int]) -> str:
    return " ".join(str(ofc.Card(card)).replace("T", "10") for card in cards) or "-"


def tracked_rounds(hand: Hand, me: int) -> list[tuple[Seat, dict[str, list[int]], list[int], list[int]]]:
    rounds = []
    for street, i in hand.turns:
        dealt = hand.seats[i].deal(street)
        placed = {row: cards for row, cards in zip(ROWS, in_rows(dealt), strict=True) if cards}
        seen = [card for card, _ in dealt] if i == me else []
        rounds.append((hand.seats[i], placed, [card for card, code in dealt if code == 3] if i == me else [], seen))
    return rounds


def tracked_text(hand: Hand, number: int, variant: str, me: int, drop: int | None = None) -> str:
    lines = [
        f"OFC Hand #{number} - {variant}",
        "Table: table-a",
        f"Timestamp: 2026-07-0{number % 9 + 1}T20:15:00Z",
        "",
        "Players:",
    ]
    for i, seat in enumerate(hand.seats):
        won = max(seat.points, 0)
        lines.append(f"Seat {i}: {seat.name} stack={seat.before} points={seat.points} collected={won}")
        lines += [
            f"  {row.title()}: {ten(cards)}"
            for row, cards in zip(ROWS, in_rows(list(zip(seat.cards, seat.codes, strict=True))), strict=True)
        ]
    lines += ["", "Rounds:"]
    rounds = tracked_rounds(hand, me)
    if drop is not None:
        # A state that was missed: two placements of one player show as one.
        later = next(i for i in range(drop + 1, len(rounds)) if rounds[i][0] is rounds[drop][0])
        placed = {row: rounds[drop][1].get(row, []) + rounds[later][1].get(row, []) for row in ROWS}
        rounds[later] = (
            rounds[drop][0],
            {row: c for row, c in placed.items() if c},
            rounds[drop][2] + rounds[later][2],
            [],
        )
        del rounds[drop]
    for i, (seat, placed, thrown, _) in enumerate(rounds, 1):
        shown = "; ".join(f"{row}={ten(cards)}" for row, cards in placed.items()) or "no placement"
        lines.append(f"  {i}. {seat.name}: {shown}" + (f" discard={ten(thrown)}" if thrown else ""))
    if drop is not None:
        lines += ["", "Warnings:", f"  - a state of {rounds[drop][0].name} is missing"]
    return "\n".join(lines) + "\n"


def write_tracker(folder: Path) -> None:
    hands = played("american-pineapple", ["never_bust_greedy", "hindsight"], 29, 4, 12)
    normal = [hand for hand in hands if not any(seat.fl_cards for seat in hand.seats)]
    land = next(hand for hand in hands if hand.seats[0].fl_cards or hand.seats[1].fl_cards)
    texts = [tracked_text(normal[0], 880101, "ofcp", 0), tracked_text(normal[1], 880102, "ofcp", 1, drop=4),
             tracked_text(land, 880103, "ofcp", 0), tracked_text(normal[2], 880104, "ofcp", 0)]  # fmt: skip
    put(folder / "hands.txt", "\n".join(texts))
    path = folder / "tracker.db"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as base:
        base.executescript("""
            CREATE TABLE HttpOFCHands(id INTEGER PRIMARY KEY, site TEXT, siteHandNo TEXT, tableName TEXT,
                startTime TEXT, variant TEXT, pineapple INT, deuceToSeven INT, rounds INT, validationStatus TEXT,
                rawJson TEXT);
            CREATE TABLE HttpOFCPlayers(ofcHandId INT, playerName TEXT, seatNo INT, startStack REAL, points INT,
                collected REAL, topCards TEXT, middleCards TEXT, bottomCards TEXT);
            CREATE TABLE HttpOFCRounds(ofcHandId INT, roundNo INT, stepNo INT, playerName TEXT, dealt TEXT,
                placedJson TEXT, discarded TEXT);
        """)
        for key, hand in enumerate((normal[3], land, normal[4]), 1):
            rounds = tracked_rounds(hand, 0) if key != 3 else []
            base.execute("INSERT INTO HttpOFCHands VALUES(?,?,?,?,?,?,1,0,?,?,NULL)", (
                key, "tracker", str(880200 + key), "table-a", f"2026-07-1{key} 19:30:00", "ofcp", len(rounds),
                "valid" if key != 3 else "missing_states"))  # fmt: skip
            for i, seat in enumerate(hand.seats):
                boards = [ten(row) for row in in_rows(list(zip(seat.cards, seat.codes, strict=True)))]
                base.execute("INSERT INTO HttpOFCPlayers VALUES(?,?,?,?,?,?,?,?,?)",
                             (key, seat.name, i, seat.before, seat.points, max(seat.points, 0), *boards))  # fmt: skip
            for i, (seat, placed, thrown, dealt) in enumerate(rounds):
                told = json.dumps({row: ten(cards) for row, cards in placed.items()})
                base.execute("INSERT INTO HttpOFCRounds VALUES(?,?,?,?,?,?,?)", (
                    key, i // 2 + 1, i % 2 + 1, seat.name, ten(dealt) if dealt else None, told,
                    ten(thrown) if thrown else None))  # fmt: skip
        base.commit()
