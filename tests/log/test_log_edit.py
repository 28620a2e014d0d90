"""Taking hands, files and sessions out of a log: all or nothing, and what is left is whole."""

from pathlib import Path

import polars as pl
import pytest

import ofclab as ofc
from ofclab.log import edit, forget, merge_players, part_players, set_me

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data" / "samples"
FILES = [
    SAMPLES / "flat13" / "match.txt",
    SAMPLES / "typed_boards" / "spots.txt",
    SAMPLES / "score_sheet" / "sessions.csv",
]


@pytest.fixture
def log(tmp_path: Path) -> ofc.Log:
    return ofc.import_hands(FILES, out=tmp_path / "log").log


def contents(log: ofc.Log) -> dict[str, object]:
    """What a log holds, in an order that does not depend on parts."""
    again = ofc.open_log(log.path)
    frames = {"hands": again.hands, "seats": again.seats, "acts": again.acts, "ledger": again.ledger}
    return {name: frame.collect().sort(pl.all()).rows() for name, frame in frames.items()}


def files(log: ofc.Log) -> set[str]:
    found = ofc.open_log(log.path)
    sources = [found.hands.select("source_file"), found.ledger.select("source_file")]
    return set(pl.concat(sources).collect()["source_file"].drop_nulls())


def test_a_file_is_forgotten_and_comes_back_when_it_is_imported_again(log: ofc.Log) -> None:
    before = contents(log)
    log.results().collect()
    gone = forget(log, source_file="match.txt")
    assert gone.hands > 0
    assert gone.sessions == 0
    assert files(log) == {"spots.txt", "sessions.csv"}
    opened = ofc.open_log(log.path)
    assert "match.txt" not in [file["file"] for file in opened.manifest["source"]["files"]]
    assert ofc.verify(opened).ok
    assert opened.results().collect().height == opened.n_player_hands
    again = ofc.import_hands(FILES, out=log.path)
    assert again.new == gone.hands
    assert contents(log) == before


def test_sessions_are_forgotten_with_their_file_or_alone(log: ofc.Log) -> None:
    sessions = log.ledger.collect()["session_id"].unique().to_list()
    assert forget(log, session_id=sessions[0]).sessions == 1
    assert forget(log, source_file="sessions.csv").sessions == len(sessions) - 1
    assert ofc.open_log(log.path).ledger.collect().is_empty()
    assert ofc.import_hands(FILES[2], out=log.path).new == len(sessions)


def test_one_hand_and_the_last_hand_of_a_part(log: ofc.Log) -> None:
    for hand in log.hands.collect()["hand_id"].to_list():
        left = ofc.open_log(log.path)
        forget(left, hand_id=hand)
        assert hand not in ofc.open_log(log.path).hands.collect()["hand_id"].to_list()
    opened = ofc.open_log(log.path)
    assert opened.n_hands == 0
    assert opened.parts == []
    assert opened.results().collect().is_empty()


def test_what_is_not_there_is_an_error_that_says_what_is(log: ofc.Log, tmp_path: Path) -> None:
    with pytest.raises(
        ofc.LogError, match=r"nothing of source_file 'x\.txt'; its files: match\.txt, sessions\.csv, spots"
    ):
        forget(log, source_file="x.txt")
    with pytest.raises(ofc.LogError, match="nothing of hand_id 5"):
        forget(log, hand_id=5)
    with pytest.raises(ofc.LogError, match="say one of"):
        forget(log)
    with pytest.raises(ofc.LogError, match="say one of"):
        forget(log, hand_id=1, source_file="match.txt")
    run = ofc.simulate("american-pineapple", ["random_legal"] * 2, tables=1, hands=1, out=tmp_path / "run")
    with pytest.raises(ofc.LogError, match="a log of simulated hands"):
        forget(ofc.open_log(run.path), hand_id=1)


class Killed(BaseException):
    """What stands for a process that ends at once."""


def test_a_kill_at_any_point_leaves_the_old_log_or_the_new_one(
    log: ofc.Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil

    log.results().collect()
    before = contents(log)
    shutil.copytree(log.path, tmp_path / "done")
    forget(ofc.open_log(tmp_path / "done"), source_file="match.txt")
    after = contents(ofc.open_log(tmp_path / "done"))
    left = 0

    def dying(function):
        def call(*arguments, **named):
            nonlocal left
            left -= 1
            if left < 0:
                raise Killed
            return function(*arguments, **named)

        return call

    seen = set()
    for steps in range(200):
        folder = tmp_path / f"at-{steps}"
        shutil.copytree(log.path, folder)
        left = steps
        with monkeypatch.context() as patch:
            patch.setattr(edit, "put", dying(edit.put))
            patch.setattr(edit.os, "replace", dying(edit.os.replace))
            patch.setattr(Path, "unlink", dying(Path.unlink))
            try:
                forget(ofc.open_log(folder), source_file="match.txt")
                finished = True
            except Killed:
                finished = False
        now = contents(ofc.open_log(folder))
        assert now in (before, after)
        seen.add(now == after)
        assert not (folder / edit.PENDING).exists()
        assert ofc.verify(ofc.open_log(folder)).ok
        if finished:
            break
        # Done again, whatever was left lying about.
        if now == before:
            forget(ofc.open_log(folder), source_file="match.txt")
        assert contents(ofc.open_log(folder)) == after
        assert not list(folder.glob(".edit-*"))
    assert seen == {True, False}
    assert steps > 5


def test_a_log_that_may_not_be_written_says_that_a_change_was_cut_off(
    log: ofc.Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    (Path(log.path) / edit.PENDING).write_text('{"rename": {}, "remove": []}')
    monkeypatch.setattr("ofclab.log.store.Store.is_writable", property(lambda _: False))
    with pytest.raises(ofc.LogError, match=r"a change of .* was cut off"):
        ofc.open_log(log.path)


def test_aliases_are_one_player_everywhere_and_can_be_parted(log: ofc.Log) -> None:
    known = log.players
    first, second = known.filter(pl.col("sessions") > 0, pl.col("player") != "me")["player"].to_list()[:2]
    me_before = known.filter(player="me").row(0, named=True)["sessions"]
    merge_players(log, first, into=second)
    opened = ofc.open_log(log.path)
    assert first not in opened.ledger.collect()["player"].to_list()
    assert first not in opened.ledger.collect()["opponent"].to_list()
    row = opened.players.filter(player=second).row(0, named=True)
    assert row["aliases"] == first
    assert row["sessions"] == me_before
    with pytest.raises(ofc.LogError, match="is merged into"):
        merge_players(opened, first, into="me")
    part_players(opened, first)
    assert ofc.open_log(log.path).players.equals(known)
    with pytest.raises(ofc.LogError, match="merged with nobody"):
        part_players(opened, first)


def test_two_who_played_each_other_are_two_people(log: ofc.Log) -> None:
    other = log.players.filter(pl.col("sessions") > 0, pl.col("player") != "me")["player"][0]
    with pytest.raises(ofc.LogError, match=r"both play in session .*: they are two people"):
        merge_players(log, "me", into=other)
    with pytest.raises(ofc.LogError, match="no player 'nobody'"):
        merge_players(log, "nobody", into="me")


def test_me_takes_the_sessions_of_the_keeper(log: ofc.Log) -> None:
    seated = log.seats.filter(pl.col("player").is_not_null()).collect()["player"][0]
    assert log.me is None
    set_me(log, seated)
    opened = ofc.open_log(log.path)
    assert opened.me == seated
    assert "me" not in opened.ledger.collect()["player"].to_list()
    assert opened.players.filter(pl.col("me"))["player"].to_list() == [seated]
    # What is imported later knows it, too.
    path = Path(log.path).parent / "more.csv"
    path.write_text("date,opponent,points\n2026-09-01,Ines,5\n")
    more = ofc.import_hands(path, out=log.path).log
    assert more.ledger.filter(points=5, source_file="more.csv").collect()["player"].to_list() == [seated]
    assert more.results().collect().height == more.n_player_hands
    set_me(more, None)
    assert ofc.open_log(log.path).me is None
