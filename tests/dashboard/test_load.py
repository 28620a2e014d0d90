"""Many visitors at once, and a log of a million hands: everybody is answered, with what he asked for."""

import asyncio
from pathlib import Path

import pytest
from serving import serving
from visitor import visit, visit_together

import ofclab as ofc

VISITORS = 10


def test_ten_visitors_at_once_are_answered_and_none_sees_what_another_asked(server: str) -> None:
    asked = [
        ("strategies", "log=small") if number % 2 else ("strategies", "log=imported") for number in range(VISITORS)
    ]
    seen = visit_together(server, asked)
    for (_, query), got in zip(asked, seen, strict=True):
        assert {"heading", "verdict", "end"} <= set(got.seconds)
        own, other = ("random_legal", "Ann") if query == "log=small" else ("Ann", "random_legal")
        assert own in got.text
        assert other not in got.text
        assert "This page has a fault" not in got.text


def test_two_visitors_with_other_filters_do_not_share_them(server: str) -> None:
    everyone, one = visit_together(
        server, [("fouls", "log=small"), ("fouls", "log=small&fouls_player=random_legal&fouls_by=All+hands")]
    )
    assert "The players foul" in one.text
    assert "The players foul" not in everyone.text


@pytest.mark.slow
def test_a_million_hands_are_answered_about_as_fast_as_the_sample(tmp_path: Path) -> None:
    """Heading and verdict within about 2 s, a filter within about 1 s: as printed ratios to the sample log."""
    players = ["never_bust_greedy", "random_legal"]
    for name, tables in (("warm", 15), ("sample", 15), ("million", 5000)):
        ofc.simulate("american-pineapple", players, tables=tables, hands=200, seed=1, out=tmp_path / name)
    filters = {"fouls": "fouls_by=All+hands&fouls_player=random_legal", "royalties": "royalties_by=Position",
               "strategies": "rules=american-pineapple"}  # fmt: skip
    with serving(tmp_path, tmp_path / "server.txt") as server:
        for page, further in filters.items():
            # The first visitor of all loads the modules.
            asyncio.run(visit(server, page, "log=warm"))
            times = {}
            for name in ("sample", "million"):
                [first] = asyncio.run(visit(server, page, f"log={name}"))
                [again] = asyncio.run(visit(server, page, f"log={name}&{further}"))
                times[name] = (first.seconds["heading"], first.seconds["verdict"], again.seconds["verdict"])
                said = "heading {:.2f} s, verdict {:.2f} s, with a filter {:.2f} s".format(*times[name])
                print(f"{page} {name}: {said}")
            ratios = [large / max(small, 0.05) for small, large in zip(*times.values(), strict=True)]
            print(f"{page}: million to sample {', '.join(f'{ratio:.1f}' for ratio in ratios)}")
            assert ratios[0] < 5
            assert max(ratios[1:]) < 60
