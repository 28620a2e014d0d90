"""Hands our own engine plays, for the samples of the formats that rooms and trackers have."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import ofclab as ofc
from ofclab.log.arrays import card_array, placement_array

ROWS = ("top", "middle", "bottom")
STREETS = (5, 3, 3, 3, 3)


@dataclass
class Seat:
    name: str
    cards: list[int]
    codes: list[int]
    fl_cards: int
    points: int
    royalties: int
    fouled: bool
    before: int
    after: int

    def deal(self, street: int) -> list[tuple[int, int]]:
        """Cards of a street with where they went; a Fantasyland hand comes on the first."""
        pairs = list(zip(self.cards, self.codes, strict=True))
        if self.fl_cards:
            return pairs if street == 0 else []
        start = sum(STREETS[:street])
        return pairs[start : start + STREETS[street]]


@dataclass
class Hand:
    seats: list[Seat]
    button: int

    @property
    def turns(self) -> Iterator[tuple[int, int]]:
        """Street and seat of every placement, in turn."""
        order = [(self.button + 1 + i) % len(self.seats) for i in range(len(self.seats))]
        yield from ((0, seat) for seat in order if self.seats[seat].fl_cards)
        for street in range(5):
            yield from ((street, seat) for seat in order if not self.seats[seat].fl_cards)


def played(preset: str, players: list[str], seed: int, tables: int, hands: int) -> list[Hand]:
    """Hands of the engine, table by table."""
    with tempfile.TemporaryDirectory() as folder:
        log = ofc.simulate(
            preset, players, tables=tables, hands=hands, seed=seed, stacks=20_000, out=Path(folder, "log")
        ).log
        rows = log.results().sort("table_id", "hand_no", "seat").collect()
    cards, codes = card_array(rows).tolist(), placement_array(rows).tolist()
    seats = []
    for i, row in enumerate(rows.iter_rows(named=True)):
        kept = [(card, code) for card, code in zip(cards[i], codes[i], strict=True) if code != 7]
        royalties = sum(row[f"royalty_{name}"] for name in ("front", "middle", "back"))
        seats.append(
            Seat(f"player{row['seat'] + 1}", [c for c, _ in kept], [w for _, w in kept], row["fl_cards"], row["points"],
                 royalties, row["fouled"], row["stack_before"], row["stack_after"])
        )  # fmt: skip
    n = len(players)
    starts = range(0, rows.height, n)
    return [Hand(seats[i : i + n], rows["button"][i]) for i in starts]


def in_rows(pairs: list[tuple[int, int]]) -> list[list[int]]:
    return [[card for card, code in pairs if code == row] for row in range(3)]


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
