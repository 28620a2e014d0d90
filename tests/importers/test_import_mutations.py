"""Damaged files: never a traceback, never a card that cannot be, never one that the text does not name."""

import random
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from card_texts import AT_MOST, EXACT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from import_samples import ALL, ALL_IDS, IMPORTERS, samples

import ofclab as ofc
from ofclab.importers import Reject
from ofclab.importers.model import HandError, ImportedHand, check
from ofclab.importers.sessions import ImportedSession, fault
from ofclab.log.checks import faults

TEXTS = [(name, path) for name, path in ALL if path.suffix != ".db"]
TEXT_IDS = [f"{name}-{path.stem}" for name, path in TEXTS]
BOARDS = [(name, path) for name, path in TEXTS if name in ("flat13", "native_jsonl", "typed_boards")]
"""Samples in which a hand names each card once."""
TOKEN = re.compile(r"(?<![A-Za-z0-9])(?:10|[2-9TJQKA])[cdhs](?![A-Za-z0-9])")
JUNK = [
    "1z",
    "JK",
    "X",
    "X1",
    "Qh",
    "2c",
    "/",
    ":",
    "[",
    "]",
    '"',
    "\ufffd",
    "\ud800",
    "[[[[",
    "{",
    "99",
    "-1",
    "null",
    "",
]
relaxed = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
deep = settings(relaxed, max_examples=400)


def damage(content: bytes, rng: random.Random) -> bytes:
    """One to four random changes of bytes, tokens and lines."""
    for _ in range(rng.randint(1, 4)):
        kind = rng.randrange(9)
        at = rng.randrange(len(content) + 1)
        lines = content.splitlines(keepends=True) or [b""]
        line = rng.randrange(len(lines))
        if kind == 0:
            content = content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :]
        elif kind == 1:
            content = content[:at] + content[at + rng.randint(1, 40) :]
        elif kind == 2:
            content = content[:at]
        elif kind == 3:
            content = b"".join([*lines[:line], rng.choice(lines), *lines[line:]])
        elif kind == 4:
            content = b"".join([*lines[:line], *lines[line + 1 :]])
        elif kind == 5:
            other = rng.randrange(len(lines))
            lines[line], lines[other] = lines[other], lines[line]
            content = b"".join(lines)
        elif kind == 6:
            content = change_card(content, rng)
        elif kind == 7:
            content = content[:at] + rng.choice(JUNK).encode("utf-8", "surrogatepass") + content[at:]
        else:
            words = re.split(rb"(\W+)", content)
            i, j = rng.randrange(len(words)), rng.randrange(len(words))
            words[i] = words[j]
            content = b"".join(words)
    return content


def change_card(content: bytes, rng: random.Random) -> bytes:
    """One card, or a number that may be one, changed for another."""
    found = list(re.finditer(rb"(?:10|[2-9TJQKA])(?=[cdhs])|(?<=[;\"])\d{1,2}(?=[;-])", content))
    if not found:
        return content
    one = rng.choice(found)
    new = rng.choice(
        [b"2", b"9", b"10", b"T", b"A"] if content[one.end() : one.end() + 1].isalpha() else [b"7", b"43", b"99"]
    )
    return content[: one.start()] + new + content[one.end() :]


def damage_database(path: Path, rng: random.Random) -> None:
    """Change bytes of the file, or the content of a few cells."""
    if rng.random() < 0.4:
        content = bytearray(path.read_bytes())
        for _ in range(rng.randint(1, 30)):
            content[rng.randrange(20, len(content))] = rng.randrange(256)
        path.write_bytes(content[: rng.choice((len(content), rng.randrange(len(content))))])
        return
    with closing(sqlite3.connect(path)) as base:
        for _ in range(rng.randint(1, 3)):
            tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            table = rng.choice([name for name in tables if not name.startswith("sqlite_")])
            rows = [row for (row,) in base.execute(f"SELECT rowid FROM {table}")]
            if not rows:
                continue
            row = rng.choice(rows)
            columns = [name for _, name, *_ in base.execute(f"PRAGMA table_info({table})")]
            column = rng.choice(columns)
            (old,) = base.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", (row,)).fetchone()
            new = rng.choice(
                (damage(str(old).encode(), rng), damage(str(old).encode(), rng).decode("utf-8", "replace"), 7, None)
            )
            try:
                base.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (new, row))
            except sqlite3.IntegrityError:
                base.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))
        base.commit()


def accepted(items: Iterator[ImportedHand | ImportedSession | Reject]) -> Iterator[ImportedHand]:
    """The hands that would enter a log."""
    for item in items:
        if isinstance(item, Reject):
            assert item.reason
            continue
        if isinstance(item, ImportedSession):
            fault(item)
            continue
        try:
            check(item)
        except HandError:
            continue
        yield item


def assert_possible(hand: ImportedHand) -> None:
    cards = [card for seat in hand.seats for card in seat.cards if card != 255]
    assert len(set(cards)) == len(cards)
    assert all(0 <= card < 54 for card in cards)
    for seat in hand.seats:
        assert all(len(seat.row(row)) <= size for row, size in enumerate((3, 5, 5)))
        assert seat.placed == 13 or hand.completeness not in ("full", "own_discards", "final_boards")


def assert_as_told(name: str, hand: ImportedHand) -> None:
    """The hand holds the cards its text names, and no others."""
    cards = {card for seat in hand.seats for card in seat.cards if card != 255}
    if name in EXACT and not hand.raw.startswith('{"id"'):
        assert cards == EXACT[name](hand.raw), hand.raw
    elif name in AT_MOST:
        assert cards <= AT_MOST[name](hand.raw), hand.raw


def read_damaged(name: str, path: Path, folder: Path, how: settings) -> None:
    target = folder / path.name

    @how
    @given(st.integers(0, 2**32))
    def read(seed: int) -> None:
        rng = random.Random(seed)
        if path.suffix == ".db":
            shutil.copyfile(path, target)
            damage_database(target, rng)
        else:
            target.write_bytes(damage(path.read_bytes(), rng))
        # A list, so that the file is closed whatever happens.
        for hand in accepted(iter(list(IMPORTERS[name].read(target, "UTC")))):
            assert_possible(hand)
            assert_as_told(name, hand)

    read()


@pytest.mark.parametrize(("name", "path"), ALL, ids=ALL_IDS)
def test_a_damaged_file_gives_rejects(name: str, path: Path, tmp_path: Path) -> None:
    read_damaged(name, path, tmp_path, relaxed)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "path"), ALL, ids=ALL_IDS)
def test_a_badly_damaged_file_gives_rejects(name: str, path: Path, tmp_path: Path) -> None:
    read_damaged(name, path, tmp_path, deep)


@pytest.mark.parametrize(("name", "path"), ALL, ids=ALL_IDS)
def test_what_is_whole_holds_the_cards_of_its_text(name: str, path: Path) -> None:
    for hand in accepted(IMPORTERS[name].read(path, "UTC")):
        assert_as_told(name, hand)


@pytest.mark.parametrize(("name", "path"), ALL, ids=ALL_IDS)
def test_a_damaged_file_is_accounted_for(name: str, path: Path, tmp_path: Path) -> None:
    for seed in range(4):
        rng = random.Random(seed)
        target = tmp_path / f"{seed}{path.suffix}"
        if path.suffix == ".db":
            shutil.copyfile(path, target)
            damage_database(target, rng)
        else:
            target.write_bytes(damage(path.read_bytes(), rng))
        report = ofc.import_hands(target, format=rng.choice((name, "auto")), out=tmp_path / "log")
        assert report.read == report.new + report.duplicate + len(report.rejected)
        for number in report.log.parts:
            assert faults(*report.log.part(number)) == []


def change_token(text: str, rng: random.Random, kind: str) -> str | None:
    """A hand's text with one wrong card: a card twice, no card, a card too many; None where it has too few tokens."""
    whole = re.search(r'"cards":\s*"([^"]*)"', text)
    start, end = whole.span(1) if whole else (0, len(text))
    # What is discarded or still in the hand is no mistake when there is one more of it.
    places = [
        found for found in TOKEN.finditer(text, start, end)
        if not text[: found.start()].rpartition("\n")[2].lower().startswith(("discards", "draw", "#"))
    ]  # fmt: skip
    if len(places) < 2:
        return None
    one, other = rng.sample(places, 2)
    new = {"twice": other[0], "unknown": "1z", "too many": f"{one[0]} {other[0]}"}[kind]
    return text[: one.start()] + new + text[one.end() :]


@pytest.mark.parametrize("kind", ["twice", "unknown", "too many"])
@pytest.mark.parametrize(("name", "path"), BOARDS, ids=[f"{name}-{path.stem}" for name, path in BOARDS])
def test_a_wrong_card_costs_its_hand_and_no_other(name: str, path: Path, kind: str, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    target = tmp_path / path.name
    rng = random.Random(kind)
    right = {hand.raw for hand in accepted(IMPORTERS[name].read(path, "UTC"))}
    tried = 0
    for raw in sorted(right):
        changed = change_token(raw, rng, kind)
        if changed is None or text.count(raw) != 1:
            continue
        tried += 1
        target.write_text(text.replace(raw, changed), encoding="utf-8")
        found = {hand.raw for hand in accepted(IMPORTERS[name].read(target, "UTC"))}
        assert right - found == {raw}, changed
        assert found <= right
    assert tried


@pytest.mark.parametrize(("name", "path"), TEXTS, ids=TEXT_IDS)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-8 crlf"])
def test_encodings_that_announce_themselves_are_read(name: str, path: Path, encoding: str, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    target = tmp_path / path.name
    if encoding == "utf-8 crlf":
        target.write_bytes(text.replace("\n", "\r\n").encode())
    else:
        target.write_bytes(text.encode(encoding))
    hands = [list(accepted(IMPORTERS[name].read(file, "UTC"))) for file in (path, target)]
    assert hands[0] == hands[1]
    assert ofc.import_hands(target, out=tmp_path / "log").files[0].format == name


def test_bytes_that_are_no_text_cost_their_hand_only(tmp_path: Path) -> None:
    path = samples("flat13")[0]
    content = path.read_bytes()
    target = tmp_path / path.name
    target.write_bytes(content.replace(b"As Kd", b"As\xe9 Kd", 1))
    report = ofc.import_hands(target, out=tmp_path / "log")
    assert (report.new, len(report.rejected)) == (1, 1)
    assert "not UTF-8" in report.rejected[0].reason
