"""`ofclab solve` end to end."""

import json

from typer.testing import CliRunner

from ofclab.cli import app

SPOT = ["7c Ks / 2s 3c 3h / 4d 8d Qd Jd", "--dealt", "Tc 5d 2h", "--discards", "Th 7s"]


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["solve", *arguments])
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.output


def test_solve_prints_placements_best_first() -> None:
    text = run(*SPOT, "--fantasyland", "9")
    assert "+8.025" in text
    assert text.index("+8.025") < text.index("+5.560")
    assert "exact" in text
    assert "38 cards are unseen" in text


def test_solve_tells_json() -> None:
    told = json.loads(run(*SPOT, "--fantasyland", "14=9", "--json"))
    assert told["exact"] is True
    assert told["rules"] == "american-pineapple"
    assert told["placements"][0]["placement"] == "- / 2h / 5d, discard Tc"
    assert told["placements"][0]["verdict"] == "best"


def test_solve_against_opponents() -> None:
    arguments = ["--opponent", "Kd Ts / Ac Ad 7h / Jc Js Jh 9c", "--opponent", "Fantasyland 14", "--position", "2"]
    told = json.loads(run(*SPOT, *arguments, "--samples", "4", "--policy", "never_bust_greedy", "--json"))
    assert told["exact"] is False
    assert told["policy"] == "never_bust_greedy"
    assert told["spot"].count("opponent") == 2
    assert run(*SPOT, *arguments, "--samples", "4", "--policy", "never_bust_greedy", "--json") == run(
        *SPOT, *arguments, "--samples", "4", "--policy", "never_bust_greedy", "--json"
    )


def test_solve_tells_chances() -> None:
    told = json.loads(run("Ac 2h Ad / 9d 5h 5c 3d 9c / Ks Qs 8s", "--discards", "4c 6d 8h", "--chances", "--json"))
    assert {"row": "back", "category": "over the middle", "ways": 2276, "draws": 8436}.items() <= next(
        line for line in told if line["category"] == "over the middle"
    ).items()


def test_solve_says_what_is_wrong_in_one_line() -> None:
    for arguments, message in (
        ([*SPOT[:2], "Tc 5d"], "street 4 deals 3 cards"),
        ([*SPOT, "--opponent", "7c / 2c / 3s"], "7c stands twice"),
        ([*SPOT, "--fantasyland", "much"], "such as 9.6 or 14=9.6"),
        ([*SPOT, "--policy", "clairvoyant", "--samples", "1"], "no strategy 'clairvoyant'"),
    ):
        assert message in run(*arguments, code=2)


SETTING = ["fantasyland", "2c 2d 2h 2s Kc Kd Ks Qh Qd 9c 8d 7h 6s 5c", "--stay-value", "9.6"]


def test_fantasyland_against_boards_that_lie_open() -> None:
    board = "As Ah Jc / Ts Th Td 3d 3c / Js Jh Jd 4d 4c"
    result = CliRunner().invoke(app, [*SETTING, "--opponent", board, "--json"])
    told = json.loads(result.output)
    assert (told["board"], told["points"], told["exact"]) == ("Ks Kd Kc / 9c 8d 7h 6s 5c / Qh 2s 2h 2d 2c", 9.0, True)
    assert told["against"][0]["opponent"] == board
    assert told["candidates"][0]["verdict"] == "best"
    text = CliRunner().invoke(app, [*SETTING, "--opponent", board]).output
    assert "both are equal at" in text
    assert "every setting is searched" in text


def test_fantasyland_against_unknown_boards() -> None:
    arguments = [*SETTING, "--seats", "2", "--samples", "20", "--policy", "never_bust_greedy"]
    told = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).output)
    assert told["exact"] is False
    assert "never_bust_greedy" in told["information"]
    assert CliRunner().invoke(app, [*arguments, "--opponent", "2c / - / -"]).exit_code == 2
