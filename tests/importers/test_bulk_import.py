"""Many hands go in with bounded memory."""

import subprocess
import sys
from pathlib import Path

import pytest

import ofclab as ofc

IMPORT = """
import resource, sys, time
import ofclab as ofc
from ofclab.importers import intake
small, big, out, part = sys.argv[1:]
intake.PART_HANDS = int(part)
ofc.import_hands(small, out=out + "-small")
before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
report = ofc.import_hands(big, out=out)
print(report.new, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, time.process_time() - begun)
"""


def grown(hands: int, part: int, folder: Path) -> tuple[int, int, float]:
    """Hands that went in, the kilobytes the process grew by meanwhile, CPU seconds."""
    players = ["random_legal", "random_legal"]
    log = ofc.simulate("american-pineapple", players, tables=hands // 10, hands=10, seed=3, out=folder / "played").log
    assert ofc.export_hands(log, folder / "big.jsonl") == hands
    with (folder / "big.jsonl").open(encoding="utf-8") as lines:
        (folder / "small.jsonl").write_text("".join(line for _, line in zip(range(part), lines, strict=False)))
    args = [
        sys.executable,
        "-c",
        IMPORT,
        *(str(folder / name) for name in ("small.jsonl", "big.jsonl", "log")),
        str(part),
    ]
    new, growth, seconds = subprocess.run(args, check=True, capture_output=True, text=True).stdout.split()
    return int(new), int(growth), float(seconds)


@pytest.mark.skipif(sys.platform != "linux", reason="kilobytes of ru_maxrss")
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    new, growth, _ = grown(3_000, 250, tmp_path)
    assert new == 3_000
    assert growth < 30_000
    assert len(ofc.open_log(tmp_path / "log").parts) == 12


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="kilobytes of ru_maxrss")
def test_a_hundred_thousand_hands(tmp_path: Path) -> None:
    new, growth, seconds = grown(100_000, 16_384, tmp_path)
    assert new == 100_000
    assert growth < 200_000
    assert seconds < 60
