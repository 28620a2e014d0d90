import errno
import os
from hashlib import sha256
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from synthetic import hand_of, random_batches

from ofclab.log import Log, LogError, LogWriter, open_log
from ofclab.log.arrays import card_array, pack_placement, placement_array, unpack_placement
from ofclab.log.batches import RunKey, part_frames
from ofclab.log.parts import encode, machine, part_name
from ofclab.rules import Rules, load_rules

RULES = load_rules("progressive-pineapple")
RUN = RunKey(2**64 - 3, 4, 9, RULES.id, ("a", "b(p=0.3)", "c"))


def write(path: Path, seed: int = 1) -> Log:
    LogWriter(path, {"kind": "simulation", "seed": seed}, [RULES]).write(0, *part_frames(random_batches(seed), RUN))
    return open_log(path)


@given(st.lists(st.lists(st.integers(0, 7), min_size=17, max_size=17), min_size=1, max_size=5))
def test_placements_pack_and_unpack(codes: list[list[int]]) -> None:
    array = np.array(codes, np.uint8)
    assert np.array_equal(unpack_placement(pack_placement(array)), array)


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_written_is_what_was_played(seed: int, seats: int, tmp_path: Path) -> None:
    batches = random_batches(seed, seats=seats, jokers=2)
    rules = load_rules("joker-progressive")
    run = RunKey(2**64 - 3, 4, 9, rules.id, ("a", "b", "c")[:seats])
    LogWriter(tmp_path / "log", {"kind": "simulation"}, [rules]).write(0, *part_frames(batches, run))
    hands, seat_rows = open_log(tmp_path / "log").part(0)
    assert hands["hand_no"].to_list() == [0, 1, 2, 3] * 5
    # Ids wrap: tables 3 and 4 have the ids 0 and 1, and the log stands in the order of ids.
    in_order = [3, 4, 0, 1, 2]
    assert hands["table_id"].unique(maintain_order=True).to_list() == [
        (2**64 - 3 + table) % 2**64 for table in in_order
    ]
    cards, codes = card_array(seat_rows), placement_array(seat_rows)
    row = 0
    for table in in_order:
        for batch in batches:
            for seat, rows in hand_of(batch, table).items():
                assert seat_rows["seat"][row] == seat
                assert seat_rows["strategy"][row] == run.labels[seat]
                assert seat_rows["position"][row] == batch.position[table, seat]
                assert seat_rows["fl_cards"][row] == batch.fantasyland[table, seat]
                assert [sorted(cards[row][codes[row] == code].tolist()) for code in range(4)] == rows
                row += 1
    assert row == seat_rows.height


def test_equal_frames_give_equal_bytes_in_any_order(tmp_path: Path) -> None:
    hands, seats = part_frames(random_batches(4), RUN)
    for name, shuffled in (("a", False), ("b", True)):
        writer = LogWriter(tmp_path / name, {"kind": "import"}, [RULES])
        frames = [frame.sample(fraction=1, shuffle=True, seed=3) if shuffled else frame for frame in (hands, seats)]
        writer.write(0, *frames)
    for table in ("hands", "seats"):
        first, second = (sha256((tmp_path / name / table / part_name(0)).read_bytes()) for name in "ab")
        assert first.digest() == second.digest()


def test_a_part_that_exists_is_skipped(tmp_path: Path) -> None:
    log = write(tmp_path / "log")
    writer = LogWriter(log.path)
    before = (tmp_path / "log/hands" / part_name(0)).stat().st_mtime_ns
    assert not writer.write(0, *part_frames(random_batches(2), RUN))
    assert (tmp_path / "log/hands" / part_name(0)).stat().st_mtime_ns == before
    assert writer.next_number() == 1


def spoil(seats: pl.DataFrame, row: int, **values: int) -> pl.DataFrame:
    here = pl.int_range(pl.len()) == row
    return seats.with_columns(
        pl.when(here).then(pl.lit(value)).otherwise(pl.col(name)).cast(seats.schema[name]).alias(name)
        for name, value in values.items()
    )


def test_hands_that_cannot_be_are_not_written(tmp_path: Path) -> None:
    hands, seats = part_frames(random_batches(3, tables=1, hands=1), RUN)
    codes, cards = placement_array(seats)[0], card_array(seats)[0]
    front, back = int(np.argmax(codes == 0)), int(np.argmax(codes == 2))
    packed = int(seats["placement"][0])
    wrong = {
        "stands twice": spoil(seats, 0, c01=int(cards[0])),
        "a dealt card that went nowhere": spoil(seats, 0, placement=packed | 7 << 3 * front),
        "rows that are not 3, 5 and 5": spoil(seats, 0, placement=packed & ~(7 << 3 * front) | 1 << 3 * front),
        "not placed": spoil(seats, 0, placement=packed & ~(7 << 3 * back) | 4 << 3 * back),
        "a card id above 53": spoil(seats, 0, c00=54),
        "a row with a card nobody saw": spoil(seats, 0, **{f"c{back:02d}": 255}),
        "seat rows where hands.n_seats says": seats[1:],
    }
    writer = LogWriter(tmp_path / "log", {}, [RULES])
    for what, frame in wrong.items():
        with pytest.raises(LogError, match=f"hand {hands['hand_id'][0]}.*{what}"):
            writer.write(0, hands, frame)
    with pytest.raises(LogError, match="rulesets the log does not hold: nobody-knows"):
        writer.write(0, hands.with_columns(ruleset_id=pl.lit("nobody-knows")), seats)
    with pytest.raises(LogError, match="no column 'colour'"):
        writer.write(0, hands, seats.with_columns(colour=1))
    with pytest.raises(LogError, match=r"seats.fl_cards may not be null"):
        writer.write(0, hands, seats.drop("fl_cards"))
    assert open_log(tmp_path / "log").n_hands == 0
    assert not list((tmp_path / "log").rglob("*.parquet"))


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = LogWriter(tmp_path / "log", {"kind": "import"}, [RULES])
    whole = os.write

    def full(descriptor: int, content: bytes) -> int:
        if len(content) > 3000:
            whole(descriptor, content[:1000])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return whole(descriptor, content)

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(LogError, match=r"cannot write .*part-000000.parquet: No space left on device"):
        writer.write(0, *part_frames(random_batches(1, tables=40), RUN))
    monkeypatch.undo()
    assert not list((tmp_path / "log").rglob("*.tmp"))
    assert open_log(tmp_path / "log").parts == []
    assert writer.write(0, *part_frames(random_batches(1, tables=40), RUN))
    assert open_log(tmp_path / "log").n_hands == 160


def test_a_folder_with_something_else_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(LogError, match=r"exists and is not a log \(it has no manifest.json\)"):
        LogWriter(tmp_path, {}, [RULES])
    log = write(tmp_path / "log")
    with pytest.raises(LogError, match="is another log"):
        LogWriter(log.path, key=7)


def test_temporary_files_of_killed_writers_are_swept(tmp_path: Path) -> None:
    log = write(tmp_path / "log")
    dead = tmp_path / "log/hands" / f".part-000001-{machine()}-{2**22 + 1}-{'0' * 32}.tmp"
    alive = tmp_path / "log/hands" / f".part-000001-{machine()}-{os.getpid()}-{'0' * 32}.tmp"
    elsewhere = tmp_path / "log/hands" / f".part-000001-01234567-{2**22 + 1}-{'0' * 32}.tmp"
    for path in (dead, alive, elsewhere):
        path.write_bytes(b"half")
    LogWriter(log.path).sweep()
    assert not dead.exists()
    assert alive.exists()
    assert elsewhere.exists()


def test_rejects_ledger_and_acts_have_their_files(tmp_path: Path) -> None:
    writer = LogWriter(tmp_path / "log", {"kind": "import"}, [RULES])
    writer.reject([{"file": "a.txt", "line": 3, "reason": "13 cards wanted", "raw": "Qh Qd"}])
    writer.reject([{"file": "a.txt", "line": 9, "reason": "13 cards wanted", "raw": "2♥"}])
    assert len((tmp_path / "log/rejects.jsonl").read_text(encoding="utf-8").splitlines()) == 2
    writer.write_ledger(pl.DataFrame({"session_id": [1, 1], "player": ["p1", "p2"], "points": [12, -12]}))
    hands, seats = part_frames(random_batches(1, tables=1, hands=1), RUN)
    act = pl.DataFrame({"hand_id": [hands["hand_id"][0]], "act": [0], "seat": [1], "street": [1], "seconds": [4.5]})
    writer.write(0, hands, seats, act)
    log = open_log(tmp_path / "log")
    assert log.ledger.collect()["points"].sum() == 0
    assert log.acts.collect()["seconds"].to_list() == [4.5]


def test_several_rulesets_are_kept_under_their_ids(tmp_path: Path, easy_rules: Rules) -> None:
    LogWriter(tmp_path / "log", {"kind": "import"}, [RULES, easy_rules])
    log = open_log(tmp_path / "log")
    assert {key: rules.name for key, rules in log.rulesets.items()} == {
        RULES.id: "progressive-pineapple", easy_rules.id: "easy-fantasyland",
    }  # fmt: skip
    with pytest.raises(LogError, match="holds 2 rulesets; say which"):
        log.rules()


def test_a_two_seat_hand_takes_at_most_41_bytes() -> None:
    hands, seats = part_frames(random_batches(1, tables=300, hands=20, seats=2), RUN)
    size = sum(len(encode(frame, {})) for frame in (hands, seats))
    assert size / hands.height < 41
