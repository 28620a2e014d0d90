"""Training: nets that learn, lessons that do not depend on threads, and runs that resume to the same bytes."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import ofclab as ofc
from ofclab.cli import app
from ofclab.kernels.expert_features import INPUTS
from ofclab.rules.compiled import compile_rules
from ofclab.strategies import get
from ofclab.strategies.base import values_array
from ofclab.strategies.expert import Expert
from ofclab.strategies.expert_payoff import NORMAL, row_payoff, worth_against
from ofclab.strategies.expert_streets import streets_of
from ofclab.strategies.expert_weights import FOLDER, Weights, load
from ofclab.training import laps
from ofclab.training.fit import fit, screen
from ofclab.training.laps import Course, Lap, Plan
from ofclab.training.lessons import Lessons, Teacher

PINEAPPLE = ofc.load_rules("american-pineapple")
STREETS = streets_of(PINEAPPLE)
assert STREETS is not None
TINY = Plan(
    12,
    (
        Lap((24, 24, 24), (1, 1, 1), epochs=2),
        Lap((24, 24, 24), (2, 2, 2), ahead=1, epochs=2),
        Lap((24, 24, 24), (1, 1, 1), ahead=1, epochs=2, keeps=True),
    ),
    widths=(8, 4),
    field_tables=60,
    chains=8,
)


def teacher(workers: int = 1, before: int = 1, after: int = 0) -> Teacher:
    weights = load(FOLDER / "american-pineapple.npz")
    compiled = compile_rules(PINEAPPLE)
    pay, unit = row_payoff(compiled, values_array({14: 9.6}), [worth_against(compiled, weights.field, NORMAL)])
    return Teacher(STREETS, -1, weights.nets, pay, unit, 3, before, after, workers)


def test_a_net_learns_what_is_there_to_learn() -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=(6000, 5)).astype(np.float32)
    labels = np.maximum(x[:, 0], 0) + x[:, 1] * 0.5 + 7
    net, error = fit(x, labels, (16, 8), 200, 1)
    assert error < 0.15
    assert abs(net(x) - labels).mean() < 0.1
    again, _ = fit(x, labels, (16, 8), 200, 1)
    assert (again.w1 == net.w1).all()
    weights = screen(x, net)
    assert weights[0] == pytest.approx(0.5, abs=0.1)
    assert weights[1] == pytest.approx(0.5, abs=0.05)
    assert abs(weights[2:]).max() < 0.05


def test_lessons_are_the_same_whatever_the_threads(tmp_path: Path) -> None:
    one, two = teacher(1), teacher(2)
    for street, until in ((3, 4), (2, 3), (1, 4)):
        roots, others = one.roots(street, 8, 1200), two.roots(street, 8, 1200)
        assert (roots.boards == others.boards).all()
        assert ((roots.boards != 255).sum(axis=1) == 3 + 2 * street).all()
        part = roots[:40]
        lessons, same = one.label(street, 8, part, 2, until), two.label(street, 8, part, 2, until)
        assert (lessons.labels == same.labels).all()
        lessons.save(tmp_path / "lessons.npz")
        kept = Lessons.load(tmp_path / "lessons.npz")
        assert (kept.inputs(STREETS) == lessons.inputs(STREETS)).all()
        assert (kept.labels == lessons.labels).all()
    assert len({board.tobytes() for board in roots.boards}) == 1200


@pytest.mark.parametrize(("before", "after", "shown"), [(0, 1, 0), (1, 0, 5), (0, 0, 0), (1, 1, 5)])
def test_opponents_are_as_many_cards_as_they_would_show(before: int, after: int, shown: int) -> None:
    made = teacher(1, before, after)
    assert (made.roots(1, 0, 8).sizes == 47 - shown).all()
    others = 5 * (before + after) + 2 * before
    assert (made.roots(2, 0, 8).sizes == 44 - others).all()


@pytest.mark.parametrize(
    ("preset", "streets"), [("american-regular", 7), ("deuce-pineapple", 3), ("turbo", 2), ("joker-progressive", 3)]
)
def test_other_deals_can_be_trained(preset: str, streets: int, tmp_path: Path) -> None:
    rules = ofc.load_rules(preset)
    weights = Course(rules, 2, tmp_path, Plan(12, TINY.laps[:2], (8, 4), 10, 8)).run()
    assert weights.streets == streets
    (batch,) = ofc.play(rules, [Expert.of_weights(weights)] * 2, range(4), 1, 1)
    assert batch.playing.all()


def files(folder: Path) -> dict[str, bytes]:
    """Arrays of all stage files, as bytes."""
    return {
        f"{path.name}/{name}": array.tobytes()
        for path in sorted(folder.glob("*.npz"))
        for name, array in np.load(path).items()
    }


def test_an_interrupted_run_ends_with_the_same_bytes(tmp_path: Path) -> None:
    whole = Course(PINEAPPLE, 2, tmp_path / "whole", TINY).run()
    told: list[tuple[int, int]] = []

    def stop(stage: str, done: int, total: int) -> None:
        told.append((done, total))
        if stage.startswith("lap 2: street 1, labels"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Course(PINEAPPLE, 2, tmp_path / "parts", TINY, told=stop).run()
    assert not (tmp_path / "parts" / "lap2.npz").exists()
    resumed = Course(PINEAPPLE, 2, tmp_path / "parts", TINY).run()
    assert files(tmp_path / "parts") == files(tmp_path / "whole")
    assert resumed.about == whole.about
    assert whole.about["rules"] == "american-pineapple"
    assert whole.about["seed"] == 1
    assert whole.values[14] != 9.6, "measured under the weights themselves"
    assert whole.nets.w1.shape == (3, INPUTS, 8)
    (batch,) = ofc.play(PINEAPPLE, [Expert.of_weights(whole)] * 2, range(4), 1, 1)
    assert (batch.placement < 4).sum() == 4 * 2 * 17
    assert isinstance(whole, Weights)


def test_train_refuses_rules_its_nets_do_not_fit(tmp_path: Path) -> None:
    rules = ofc.load_rules("american-regular").replace({"deal.rounds": [{"deal": 8, "place": 8, "discard": 0}]})
    (tmp_path / "two-streets.toml").write_text(rules.to_toml())
    found = CliRunner().invoke(app, ["train", str(tmp_path / "two-streets.toml")])
    assert found.exit_code == 2
    assert "nets are for deals of three streets or more, at most five cards each" in found.output
    wrong = CliRunner().invoke(app, ["train", "american-pineapple", "--plan", "long"])
    assert wrong.exit_code == 2


def test_train_writes_weights_that_expert_plays_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laps, "QUICK", TINY)
    out = tmp_path / "house.npz"
    options = ["--plan", "quick", "--folder", str(tmp_path / "stages"), "--out", str(out), "--deals", "0"]
    found = CliRunner().invoke(app, ["train", "spartan-1-6", *options])
    assert found.exit_code == 0, found.output
    assert load(out).about["rules"] == "spartan-1-6"
    rules = ofc.load_rules("spartan-1-6")
    (batch,) = ofc.play(rules, [get(f"expert(fast, weights={str(out)!r})")] * 2, range(3), 1, 1)
    assert (batch.placement < 4).sum() == 3 * 2 * 17
