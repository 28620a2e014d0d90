"""Make the synthetic log of the web app: its schema and its defects, hands of our own.

    python tests/importers/make_twin.py data/samples/web_app_sqlite

Everything follows from the seed. The scores the file records are those of an app that changed its rules twice; those in
``expected_rescore.csv`` are the oracle's under today's rules.
"""

import csv
import json
import random
import sqlite3
import sys
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import oracle

SEED = 21
SCHEMA = """
CREATE TABLE sessions (session_id TEXT PRIMARY KEY, room_id TEXT NOT NULL, started_at TEXT NOT NULL, finished_at TEXT,
    player0_id TEXT NOT NULL, player1_id TEXT NOT NULL, initial_chips INTEGER NOT NULL DEFAULT 200,
    final_chips_p0 INTEGER, final_chips_p1 INTEGER, winner INTEGER, finish_reason TEXT, hands_played INTEGER DEFAULT 0);
CREATE TABLE hands (hand_id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(session_id),
    hand_number INTEGER NOT NULL, started_at TEXT NOT NULL, finished_at TEXT, btn INTEGER NOT NULL,
    chips_before TEXT NOT NULL, chips_after TEXT, raw_score TEXT, actual_score TEXT, result_detail TEXT);
CREATE TABLE turns (id INTEGER PRIMARY KEY AUTOINCREMENT, hand_id TEXT NOT NULL REFERENCES hands(hand_id),
    turn INTEGER NOT NULL, player INTEGER NOT NULL, board_self TEXT NOT NULL, board_opponent TEXT NOT NULL,
    dealt_cards TEXT NOT NULL, known_discards TEXT NOT NULL, action_placements TEXT NOT NULL, action_discard TEXT,
    think_time_ms INTEGER, timestamp TEXT NOT NULL, UNIQUE(hand_id, turn, player));
CREATE TABLE fantasyland (id INTEGER PRIMARY KEY AUTOINCREMENT, hand_id TEXT NOT NULL REFERENCES hands(hand_id),
    player INTEGER NOT NULL, card_count INTEGER NOT NULL, dealt_cards TEXT NOT NULL, solver_placement TEXT NOT NULL,
    solver_score REAL, fl_stay INTEGER NOT NULL, timestamp TEXT NOT NULL);
"""
PRESETS = json.loads((Path(__file__).parents[1] / "data" / "examples.json").read_text(encoding="utf-8"))["presets"]
TODAY = PRESETS["joker-progressive"]
NO_STAY = {"front": None, "middle": None, "back": None, "low_wheel": False}
APP_RULES = (
    {**TODAY, "jokers.reading": "strongest", "fantasyland.stay": NO_STAY},  # jokers foul legal boards, nobody stays
    {**TODAY, "fantasyland.stay_cards": 14},
    TODAY,
)
APP_ROWS = {"front": "top", "middle": "middle", "back": "bottom"}
SESSIONS = ((0, 6), (1, 5), (2, 5), (2, 4))
"""The app's rules in each session, and its hands."""
UNFINISHED = {(0, 6): 1, (1, 5): 2, (3, 4): 6}
"""Turns stored of the hands (session, number) without result."""
CAPPED_SESSION = 3
ALIKE = "JK"
COLUMNS = (
    "hand_id", "started_at_utc", "fl_dealt_p0", "fl_dealt_p1",
    "rec_foul_p0", "rec_foul_p1", "exp_foul_p0", "exp_foul_p1", "rec_roy_p0", "rec_roy_p1", "exp_roy_p0", "exp_roy_p1",
    "rec_score_p0", "exp_score_p0", "score_agrees",
    "rec_next_fl_p0", "rec_next_fl_p1", "exp_next_fl_p0", "exp_next_fl_p1", "next_fl_agrees",
)  # fmt: skip

Board = dict[str, list[str]]


@dataclass
class Player:
    """What one player does in a hand."""

    dealt: list[list[str]]
    board: Board
    came_in: int

    def row_of(self, card: str) -> str | None:
        return next((row for row, cards in self.board.items() if card in cards), None)


def choose(rng: random.Random, dealt: list[list[str]], tries: int) -> Board:
    """Climb from a random board by swaps of two cards; one card of each later street stays a discard."""
    kept = [rng.sample(cards, 13 if len(cards) > 12 else 5 if street == 0 else 2) for street, cards in enumerate(dealt)]
    best = [card for street in kept for card in street]
    most = -99.0
    for _ in range(tries):
        cards = list(best)
        if rng.random() < 0.3:
            street = rng.choice(dealt)
            inside = [card for card in street if card in cards]
            if len(inside) < len(street):
                new = rng.choice([card for card in street if card not in cards])
                cards[cards.index(rng.choice(inside))] = new
        i, j = rng.sample(range(13), 2)
        cards[i], cards[j] = cards[j], cards[i]
        board = in_rows(cards)
        seat = oracle.judge(board, TODAY)
        ranks = [seat["hands"][row][0] for row in oracle.ROWS]
        worth = sum(seat["royalties"].values()) + 9.0 * bool(seat["next_fantasyland"]) + 0.2 * sum(ranks)
        worth -= 8 if seat["fouled"] else 0
        if worth >= most:
            best, most = cards, worth
    return in_rows(best)


def in_rows(cards: list[str]) -> Board:
    return {"front": cards[:3], "middle": cards[3:8], "back": cards[8:]}


class Twin:
    """Writes the database, hand by hand."""

    def __init__(self, path: Path) -> None:
        self.rng = random.Random(SEED)
        self.now = datetime(2026, 2, 8, 20, 15)
        self.base = sqlite3.connect(path)
        self.base.executescript(f"PRAGMA page_size = 1024; {SCHEMA}")
        self.expected: list[dict[str, Any]] = []

    def identity(self) -> str:
        return str(uuid.UUID(int=self.rng.getrandbits(128), version=4))

    def time(self, seconds: int = 9) -> str:
        self.now += timedelta(seconds=self.rng.randint(2, 2 * seconds), microseconds=self.rng.randint(1, 999_999))
        return self.now.isoformat()

    def insert(self, table: str, values: Mapping[str, Any]) -> None:
        marks = ", ".join("?" * len(values))
        self.base.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))

    def session(self, number: int, app: int, hands: int) -> None:
        session = self.identity()
        names = [f"guest_{2 * number + i + 1:02d}" for i in (0, 1)]
        start = 8 if number == CAPPED_SESSION else 200
        self.insert(
            "sessions",
            {"session_id": session, "room_id": f"room_{number + 1:02d}", "started_at": self.time(),
             "player0_id": names[0], "player1_id": names[1], "initial_chips": start},
        )  # fmt: skip
        chips, came_in, button = [start, start], [0, 0], self.rng.randint(0, 1)
        for hand in range(1, hands + 1):
            if min(chips) <= 0:
                chips = [start, start]
            chips, came_in = self.hand(session, number, hand, app, button, chips, came_in)
            button = 1 - button

    def deal(self, came_in: list[int]) -> list[Player]:
        deck = [*oracle.DECK, "X1", "X2"]
        self.rng.shuffle(deck)
        players = []
        for count in came_in:
            streets = [count] if count else [5, 3, 3, 3, 3]
            dealt = [[deck.pop() for _ in range(cards)] for cards in streets]
            players.append(Player(dealt, choose(self.rng, dealt, self.rng.choice((1, 250, 250, 250, 250))), count))
        return players

    def hand(
        self, session: str, number: int, hand: int, app: int, button: int, chips: list[int], came_in: list[int]
    ) -> tuple[list[int], list[int]]:
        players = self.deal(came_in)
        identity, started = self.identity(), self.time()
        turns = self.turns(players)[: UNFINISHED.get((number, hand))]
        row: dict[str, Any] = {
            "hand_id": identity, "session_id": session, "hand_number": hand, "started_at": started, "btn": button,
            "chips_before": json.dumps(chips),
        }  # fmt: skip
        after, following = chips, [0, 0]
        if (number, hand) not in UNFINISHED:
            boards = [player.board for player in players]
            recorded = oracle.score(boards, APP_RULES[app], came_in)
            detail = self.detail(players, recorded, chips, capped=number == CAPPED_SESSION)
            after, following = detail["chips"], detail["fl_card_count"]
            row |= {
                "finished_at": self.time(), "chips_after": json.dumps(after),
                "raw_score": json.dumps(detail["raw_score"]), "actual_score": json.dumps(detail["actual_score"]),
                "result_detail": json.dumps(detail),
            }  # fmt: skip
            self.expect(identity, started, came_in, recorded, oracle.score(boards, TODAY, came_in))
        self.insert("hands", row)
        for turn in turns:
            self.insert("turns", {"hand_id": identity, **turn, "think_time_ms": 0, "timestamp": self.time()})
        return after, following

    def turns(self, players: list[Player]) -> list[dict[str, Any]]:
        """The rows of the table turns, the player first who happened to be first."""
        shown: list[Board] = [{row: [] for row in oracle.ROWS} for _ in players]
        discards: list[list[str]] = [[], []]
        rows = []
        for street in range(5):
            for who in self.rng.sample((0, 1), 2):
                player = players[who]
                if street >= len(player.dealt):
                    continue
                dealt = player.dealt[street]
                placed = [card for row in oracle.ROWS for card in player.board[row] if card in dealt]
                left = [card for card in dealt if card not in placed]
                before = json.dumps(app_board(shown[who]))
                for card in placed:
                    shown[who][str(player.row_of(card))].append(card)
                if not player.came_in:
                    discards[who] += left
                    placed = [card for card in dealt if card in placed]
                actions = [[card, "auto" if player.came_in else APP_ROWS[str(player.row_of(card))]] for card in placed]
                rows.append(
                    {"turn": street, "player": who, "board_opponent": json.dumps(app_board(shown[1 - who])),
                     # The app stores a Fantasyland board as it is afterwards.
                     "board_self": json.dumps(app_board(shown[who])) if player.came_in else before,
                     "dealt_cards": json.dumps(dealt), "known_discards": json.dumps(discards[who]),
                     "action_placements": json.dumps(actions),
                     "action_discard": left[0] if left and not player.came_in else None}
                )  # fmt: skip
        return rows

    def detail(self, players: list[Player], score: Mapping[str, Any], chips: list[int], capped: bool) -> dict[str, Any]:
        """The JSON of a result. With the cap a loser pays no more than he has, but the winner is paid in full."""
        points = score["points"]
        paid = [max(won, -stack) for won, stack in zip(points, chips, strict=True)] if capped else list(points)
        seats, rows = score["seats"], score["pairs"][0, 1]["rows"]
        return {
            "boards": [app_board(player.board) for player in players],
            "busted": [seat["fouled"] for seat in seats],
            "royalties": [
                {APP_ROWS[row]: points for row, points in seat["royalties"].items()}
                | {"total": sum(seat["royalties"].values())}
                for seat in seats
            ],
            "line_results": list(rows),
            "scoop": abs(sum(rows)) == 3,
            "raw_score": list(points),
            "actual_score": paid,
            "chips": [stack + won for stack, won in zip(chips, paid, strict=True)],
            "fl_entry": [bool(seat["next_fantasyland"]) for seat in seats],
            "fl_card_count": [seat["next_fantasyland"] for seat in seats],
        }  # fmt: skip

    def expect(
        self, identity: str, started: str, came_in: list[int], recorded: Mapping[str, Any], right: Mapping[str, Any]
    ) -> None:
        row: dict[str, Any] = {"hand_id": identity, "started_at_utc": started}
        for i in (0, 1):
            row[f"fl_dealt_p{i}"] = came_in[i]
            for name, score in (("rec", recorded), ("exp", right)):
                seat = score["seats"][i]
                row[f"{name}_foul_p{i}"] = seat["fouled"]
                row[f"{name}_roy_p{i}"] = sum(seat["royalties"].values())
                row[f"{name}_next_fl_p{i}"] = seat["next_fantasyland"]
        row["rec_score_p0"], row["exp_score_p0"] = recorded["points"][0], right["points"][0]
        row["score_agrees"] = row["rec_score_p0"] == row["exp_score_p0"]
        row["next_fl_agrees"] = all(row[f"rec_next_fl_p{i}"] == row[f"exp_next_fl_p{i}"] for i in (0, 1))
        self.expected.append(row)

    def forget_jokers(self) -> None:
        """Write JK for a joker of three hands: its deal names one, the other joker one, and nothing the third."""
        found = self.base.execute(
            "SELECT h.hand_id, t.id, t.dealt_cards, t.action_placements, t.action_discard FROM hands h "
            "JOIN turns t USING (hand_id) WHERE h.result_detail IS NOT NULL ORDER BY t.id"
        ).fetchall()  # fmt: skip
        dealt: dict[str, str] = {}
        for hand, _, cards, *_ in found:
            dealt[hand] = dealt.get(hand, "") + cards
        done: dict[str, str] = {}
        for hand, turn, cards, placed, discard in found:
            here = [joker for joker in ("X1", "X2") if joker in cards]
            if len(here) != 1 or here[0] not in placed or hand in done.values():
                continue
            both = "X1" in dealt[hand] and "X2" in dealt[hand]
            kind = "placed" if "auto" in placed and "placed" not in done else "dealt" if both else "unknown"
            if kind in done:
                continue
            done[kind] = hand
            changed = (
                cards if kind == "placed" else cards.replace(here[0], ALIKE),
                placed.replace(here[0], ALIKE),
                discard,
            )
            self.base.execute(
                "UPDATE turns SET dealt_cards = ?, action_placements = ?, action_discard = ? WHERE id = ?",
                (*changed, turn),
            )
            self.base.execute(
                "UPDATE hands SET result_detail = replace(result_detail, ?, ?) WHERE hand_id = ?",
                (here[0], ALIKE, hand),
            )
        assert set(done) == {"placed", "dealt", "unknown"}, done


def app_board(board: Board) -> Board:
    return {APP_ROWS[row]: list(board[row]) for row in oracle.ROWS}


def make_twin(folder: Path) -> None:
    """Write twin.db and expected_rescore.csv into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "twin.db"
    path.unlink(missing_ok=True)
    twin = Twin(path)
    for number, (app, hands) in enumerate(SESSIONS):
        twin.session(number, app, hands)
    twin.forget_jokers()
    twin.base.commit()
    twin.base.execute("VACUUM")
    twin.base.close()
    with (folder / "expected_rescore.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(twin.expected)


if __name__ == "__main__":
    make_twin(Path(sys.argv[1]))
