"""Files that are no hands at all: torn, empty, of another encoding, or a gigabyte of garbage in bounded memory."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from import_samples import ALL, ALL_IDS, IMPORTERS, samples

import ofclab as ofc
from ofclab.importers import Reject, detect
from ofclab.importers._rejects import MOST_IN_A_ROW, few
from ofclab.importers.reading import LONGEST_LINE, read_lines

TEXTS = [(name, path) for name, path in ALL if path.suffix != ".db"]
TEXT_IDS = [f"{name}-{path.stem}" for name, path in TEXTS]
NAMES = sorted(IMPORTERS)


@pytest.mark.parametrize(("name", "path"), ALL, ids=ALL_IDS)
def test_every_sample_is_told_by_its_own_format_alone(name: str, path: Path) -> None:
    found, reason = detect(path)
    assert found is IMPORTERS[name], reason
    head = path.read_bytes()[: 1 << 16]
    told = {other: importer.detect(path, head) for other, importer in IMPORTERS.items()}
    assert [other for other, why in told.items() if why] == [name]


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_file_is_a_reject(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    report = ofc.import_hands(tmp_path / "empty", format=name, out=tmp_path / "log")
    assert (report.read, report.new, len(report.rejected)) == (1, 0, 1)


@pytest.mark.parametrize(("name", "path"), TEXTS, ids=TEXT_IDS)
def test_a_torn_file_keeps_what_is_whole(name: str, path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    whole = ofc.import_hands(path, format=name, out=tmp_path / "whole")
    (tmp_path / path.name).write_bytes(content[: len(content) * 2 // 3])
    torn = ofc.import_hands(tmp_path / path.name, format=name, out=tmp_path / "torn")
    assert torn.read == torn.new + torn.duplicate + len(torn.rejected)
    assert torn.new <= whole.new
    assert all(reject.file == path.name and reject.reason for reject in torn.rejected)


@pytest.mark.parametrize(("name", "path"), TEXTS, ids=TEXT_IDS)
@pytest.mark.parametrize("encoding", ["utf-16-le", "cp500", "utf-32"])
def test_an_encoding_that_does_not_announce_itself_is_rejects(
    name: str, path: Path, encoding: str, tmp_path: Path
) -> None:
    (tmp_path / path.name).write_bytes(path.read_text(encoding="utf-8").encode(encoding, "replace"))
    report = ofc.import_hands(tmp_path / path.name, format=name, out=tmp_path / "log")
    assert report.new == 0
    assert report.rejected


@pytest.mark.parametrize(("name", "path"), TEXTS, ids=TEXT_IDS)
def test_a_name_in_latin_1_costs_its_hand_only(name: str, path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    at = content.find(b"layer1")
    if at < 0:
        pytest.skip("nobody is called player1 there")
    (tmp_path / path.name).write_bytes(content[: at + 6] + b"\xe9" + content[at + 6 :])
    report = ofc.import_hands(tmp_path / path.name, format=name, out=tmp_path / "log")
    assert report.new > 0
    assert any("not UTF-8" in reject.reason for reject in report.rejected)


def test_many_rejects_in_a_row_become_one() -> None:
    rejects = [Reject("f", line, f"reason {line}", "x") for line in range(1, 3 * MOST_IN_A_ROW)]
    told = list(few(rejects))
    assert len(told) == MOST_IN_A_ROW + 1
    assert told[-1].line == MOST_IN_A_ROW + 1
    assert told[-1].reason.startswith("1999 more like this up to line 2999, the first of them: reason 1001")


def test_a_line_without_end_is_cut(tmp_path: Path) -> None:
    (tmp_path / "long").write_text(
        "x" * (3 * LONGEST_LINE) + "\nshort\n" + "y" * LONGEST_LINE + "\n\n", encoding="utf-8"
    )
    lines = list(read_lines(tmp_path / "long"))
    assert [(line.number, len(line.text), line.is_cut) for line in lines] == [
        (1, LONGEST_LINE + 1, True), (2, 5, False), (3, LONGEST_LINE, False), (4, 0, False),
    ]  # fmt: skip


GROWTH = """
import resource, sys
import ofclab as ofc
format, small, big, out = sys.argv[1:]
ofc.import_hands(small, format=format, out=out + "-small")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
report = ofc.import_hands(big, format=format, out=out)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, report.read, report.new, len(report.rejected))
"""


def garbage(path: Path, kind: str, megabytes: int, sample: bytes) -> None:
    """A file of so much garbage with a sample behind it."""
    with path.open("wb") as file:
        if kind == "zeros":
            file.truncate(megabytes << 20)
            file.seek(0, os.SEEK_END)
        else:
            block = {
                "lines": b"dear diary, 2c 3d and so on {\n",
                "blank": b"no hand\n\n",
                "braces": b'{"gi": [{\n "a"\n',
            }[kind]
            chunk = block * ((1 << 20) // len(block))
            for _ in range(megabytes):
                file.write(chunk)
        file.write(b"\n\n---\n\n" + sample)


def grown(name: str, kind: str, megabytes: int, folder: Path) -> tuple[int, int, int, int]:
    """Kilobytes the process grew by, and what it read."""
    path = next(path for path in samples(name) if path.suffix != ".db")
    garbage(folder / "big", kind, megabytes, path.read_bytes())
    args = [sys.executable, "-c", GROWTH, name, str(path), str(folder / "big"), str(folder / "log")]
    told = subprocess.run(args, check=True, capture_output=True, text=True).stdout
    (folder / "big").unlink()
    growth, read, new, rejected = map(int, told.split())
    return growth, read, new, rejected


CASES = [
    ("native_jsonl", "zeros"),
    ("typed_boards", "blank"),
    pytest.param("swc_gamestate_json", "braces", marks=pytest.mark.slow),
    pytest.param("ofc_text_view", "lines", marks=pytest.mark.slow),
]


@pytest.mark.skipif(sys.platform != "linux", reason="kilobytes of ru_maxrss")
@pytest.mark.parametrize(("name", "kind"), CASES)
def test_garbage_is_passed_over_in_bounded_memory(name: str, kind: str, tmp_path: Path) -> None:
    growth, read, new, rejected = grown(name, kind, 3, tmp_path)
    assert new > 0, "the hands behind the garbage are read"
    assert 0 < rejected <= 2 * MOST_IN_A_ROW
    assert read >= new + rejected
    assert growth < 90_000


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="kilobytes of ru_maxrss")
@pytest.mark.parametrize("kind", ["zeros", "lines"])
@pytest.mark.parametrize("name", [name for name in NAMES if name != "web_app_sqlite"])
def test_a_gigabyte_of_garbage(name: str, kind: str, tmp_path: Path) -> None:
    growth, _, new, rejected = grown(name, kind, 1024, tmp_path)
    assert rejected > 0
    assert new > 0 or name in ("score_sheet", "flat13")
    assert growth < 120_000
