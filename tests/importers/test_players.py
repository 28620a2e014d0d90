"""Pseudonyms stay the same, and names stay out of logs."""

import json
from pathlib import Path

import pytest

from ofclab.importers.players import Pseudonyms


def test_a_name_keeps_its_pseudonym(tmp_path: Path) -> None:
    first = Pseudonyms(tmp_path)
    names = {name: first.of("club", name) for name in ("Mara", "Jonas", "Mara")}
    first.save()
    again = Pseudonyms(tmp_path)
    assert {name: again.of("club", name) for name in names} == names
    assert len(set(names.values())) == 2
    assert names["Mara"] != again.of("other club", "Mara")


def test_another_salt_gives_other_pseudonyms(tmp_path: Path) -> None:
    names = [f"player {i}" for i in range(20)]
    first, second = Pseudonyms(tmp_path / "a"), Pseudonyms(tmp_path / "b")
    assert [first.of("club", name) for name in names] != [second.of("club", name) for name in names]


def test_pseudonyms_stay_and_never_collide(tmp_path: Path) -> None:
    players = Pseudonyms(tmp_path)
    assert players.of("club", "p-12ab") == "p-12ab"
    found = {players.of("club", f"player {i}") for i in range(5000)}
    assert len(found) == 5000
    assert min(map(len, found)) == 6


def test_the_side_file_is_private_and_says_who_is_who(tmp_path: Path) -> None:
    players = Pseudonyms(tmp_path / "logs")
    players.save()
    assert not (tmp_path / "logs").exists()
    pseudonym = players.of("club", "Zoë 🂡")
    players.save()
    path = tmp_path / "logs" / "players.json"
    assert json.loads(path.read_text(encoding="utf-8"))["players"] == {pseudonym: "club: Zoë 🂡"}
    assert path.stat().st_mode & 0o077 == 0
    assert [file.name for file in path.parent.iterdir()] == ["players.json"]


@pytest.mark.parametrize("text", ["", "[]", '{"salt": "x"}', '{"salt": "x", "players": []}'])
def test_a_side_file_that_is_none_is_left_alone(text: str, tmp_path: Path) -> None:
    (tmp_path / "players.json").write_text(text)
    with pytest.raises(ValueError, match=r"players\.json is not a file of players"):
        Pseudonyms(tmp_path)
    assert (tmp_path / "players.json").read_text() == text
