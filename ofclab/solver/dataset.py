"""Solved Fantasyland hands as a data set: the best board of random hands for several values of a stay."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.cards import format_cards
from ofclab.kernels.placement import deal, place_fantasyland
from ofclab.kernels.setter import set_hands_batch, setter_tables
from ofclab.rules import Rules, load_rules
from ofclab.rules.compiled import compile_rules
from ofclab.rules.write import rules_to_toml
from ofclab.scoring import read_codes, score_codes

STAY_BONUSES = (0.0, 5.0, 10.0, 20.0, 1000.0)
"""Points a stay is worth; with 1000 a hand that can stay does."""
_POINT = 10_000
_SEATS = 2


def solved_hands(
    cards: int = 14,
    hands: int = 2000,
    rules: Rules | str | Path = "american-pineapple",
    seed: int = 0,
    stay_bonuses: Sequence[float] = STAY_BONUSES,
) -> pl.DataFrame:
    """Random Fantasyland hands with their best boards, a row per hand and stay bonus.

    Columns: hand u32, cards (text, in deal order), stay_bonus f64, front, middle, back, discards (text), royalties i16,
    stays bool, fouled bool (no legal board exists), value f64 = royalties plus the bonus of a stay, 0 for a foul. The
    hands are those that seat 0 is dealt at tables 0, 1, ... of a simulation with this seed. Boards are exact.
    Raises ValueError for other than 13 to 17 cards or less than one hand.
    """
    if not 13 <= cards <= 17:
        raise ValueError(f"a Fantasyland hand has 13 to 17 cards, got {cards}")
    if hands < 1:
        raise ValueError(f"want at least one hand, got {hands}")
    ruleset = load_rules(rules)
    compiled = compile_rules(ruleset)
    dealt = np.full((hands, 17), 255, np.uint8)
    dealt[:, :cards] = deal(seed, np.arange(hands, dtype=np.uint64), 0, _SEATS, ruleset.deck.jokers)[:, 0, :cards]
    sizes = np.full(hands, cards, np.uint8)
    worth = compiled.paid.astype(np.int64) * _POINT
    tables = setter_tables(worth, compiled.stay, compiled.switches, compiled.cross)
    texts = [format_cards(hand[:cards].tolist()) for hand in dealt]
    paid = ruleset.royalties.mode != "off"
    frames = []
    for bonus in stay_bonuses:
        masks, _, _ = set_hands_batch(dealt, sizes, tables, np.full(hands, round(bonus * _POINT), np.int64))
        boards = np.full((hands, 1, 13), 255, np.uint8)
        placed = np.full((hands, 1, 17), 7, np.uint8)
        place_fantasyland(np.arange(hands), np.zeros(hands, np.int64), dealt[:, None], sizes, masks, boards, placed)
        codes = read_codes(boards[:, 0], compiled)
        scored = score_codes(codes[:, None], compiled, sizes[:, None])
        royalties, stays = scored.royalties[:, 0].sum(axis=1), scored.next_fantasyland[:, 0] > 0
        rows = {name: _texts(boards[:, 0, a:b]) for name, a, b in (("front", 0, 3), ("middle", 3, 8), ("back", 8, 13))}
        thrown = [
            format_cards(hand[:cards][row[:cards] == 3].tolist()) for hand, row in zip(dealt, placed[:, 0], strict=True)
        ]
        frames.append(
            pl.DataFrame(
                {
                    "hand": np.arange(hands, dtype=np.uint32),
                    "cards": texts,
                    "stay_bonus": np.full(hands, float(bonus)),
                    **rows,
                    "discards": thrown,
                    "royalties": royalties.astype(np.int16),
                    "stays": stays,
                    "fouled": scored.fouled[:, 0],
                    "value": royalties * paid + float(bonus) * stays,
                }
            )
        )
    return pl.concat(frames).sort("hand", "stay_bonus")


def write_solved_hands(
    out: str | Path,
    cards: int = 14,
    hands: int = 2000,
    rules: Rules | str | Path = "american-pineapple",
    seed: int = 0,
    stay_bonuses: Sequence[float] = STAY_BONUSES,
) -> pl.DataFrame:
    """Write `solved_hands` to a folder: ``hands.parquet``, ``rules.toml`` and a datasheet, ``README.md``."""
    folder, ruleset = Path(out), load_rules(rules)
    frame = solved_hands(cards, hands, ruleset, seed, stay_bonuses)
    folder.mkdir(parents=True, exist_ok=True)
    frame.write_parquet(folder / "hands.parquet", compression="zstd", compression_level=19, statistics=False)
    (folder / "rules.toml").write_text(rules_to_toml(ruleset), encoding="utf-8")
    (folder / "README.md").write_text(_datasheet(frame, cards, hands, ruleset, seed), encoding="utf-8")
    return frame


def _texts(rows: NDArray[np.uint8]) -> list[str]:
    """Rows of cards as text, highest card first."""
    return [format_cards(sorted(row.tolist(), reverse=True)) for row in rows]


def _version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} from source"


def _datasheet(frame: pl.DataFrame, cards: int, hands: int, rules: Rules, seed: int) -> str:
    summary = frame.group_by("stay_bonus").agg(
        pl.col("royalties").mean(), pl.col("stays").mean(), pl.col("fouled").mean(), pl.col("value").mean()
    ).sort("stay_bonus")  # fmt: skip
    lines = [
        f"| {bonus:g} | {royalties:.3f} | {stays:.2%} | {fouled:.2%} | {value:.3f} |"
        for bonus, royalties, stays, fouled, value in summary.iter_rows()
    ]
    name = rules.name or "house rules"
    used = ", ".join(_version(package) for package in ("numpy", "numba", "polars"))
    return f"""# {hands:,} solved Fantasyland hands of {cards} cards

**What.** Random hands of {cards} cards, each with the legal board that is worth most under `{name}` (ruleset id
`{rules.id}`, see `rules.toml`): royalties, plus a bonus when the board stays in Fantasyland. Every hand is solved for
{frame["stay_bonus"].n_unique()} values of the stay bonus.

**How.** Cards: the ones seat 0 is dealt at tables 0 to {hands - 1} with seed {seed}. Boards: an exact search over all
settings; of boards of equal value one that stays is taken. The opponent plays no part. Royalties, stays and fouls are
what the scorer says of the finished board; the tests of ofclab hold the search against trying every setting. Made
again by

    ofclab dataset fantasyland --cards {cards} --hands {hands} --rules {name} --seed {seed} --out DIR

with {_version("ofclab")} ({used}, Python {platform.python_version()}).

**Columns** of `hands.parquet`, {len(frame):,} rows, sorted by hand and stay bonus:

| column | type | meaning |
|---|---|---|
| hand | u32 | number of the hand, 0 to {hands - 1} |
| cards | text | the {cards} cards in deal order |
| stay_bonus | f64 | points a stay is worth |
| front, middle, back | text | the best board, highest card first |
| discards | text | cards left over, in deal order |
| royalties | i16 | points of the three rows, 0 for a foul |
| stays | bool | whether the board stays in Fantasyland |
| fouled | bool | true where no legal board exists (2-7 middle, some joker rules) |
| value | f64 | royalties plus the bonus of a stay |

**Counts.** Means over the {hands:,} hands:

| stay bonus | royalties | stays | forced fouls | value |
|---|---|---|---|---|
{chr(10).join(lines)}

**Use.** To check a setter of your own, or to learn one. The hands are independent; the rows of one hand are not. No
personal data. Licence: that of ofclab (MIT).
"""
