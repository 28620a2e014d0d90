"""The sentences of Review."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ofclab.analytics import define
from ofclab.importers.sessions import decimals
from words import bold, counted, group_name, minus, percent

EMPTY = "Nothing has been imported yet: drop files below, or type a hand."
TYPED_EXAMPLE = (
    "Mara (Button):\nQh Qd 2c\n8s 8d 5c 5h Kc\nAs Ks 9s 4s 2s\n\nJonas:\nAc Ad 6c\nJc Jh Ts Td 4h\n7h 7d 7s 3c 3h"
)
NAMES = "Players appear under pseudonyms; players.json beside the log's folder holds the names."
LIMITS = (
    "Up to 64\xa0MB at a time; zip and gz archives are unpacked. Nothing leaves this machine, and what a source does "
    "not tell is never guessed."
)


def account(read: int, new: int, duplicate: int, rejected: int) -> tuple[str, str]:
    """What became of every hand of an import."""
    headline = f"{counted(new, 'new hand')} taken." if new else "No new hand was taken."
    return headline, f"{read:,} read = {new:,} new + {duplicate:,} duplicate + {rejected:,} rejected."


def known(completeness: Mapping[str, int], good_for: Mapping[str, str]) -> tuple[list[str], list[list[str]]]:
    """Heads and rows: hands by what their source tells."""
    rows = [
        [word.replace("_", " "), f"{hands:,}", good_for.get(word, "")]
        for word, hands in sorted(completeness.items(), key=lambda item: -item[1])
    ]
    return ["What the source tells", "Hands", "Good for"], rows


def rejects(found: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Heads and rows: each reject with its file, line and reason."""
    rows = [[f"{row['file']}:{row['line']}", _cut(row["reason"], 160), _cut(row.get("raw", ""), 60)] for row in found]
    return ["File and line", "Reason", "Text"], rows


def _cut(text: object, most: int) -> str:
    said = " ".join(str(text).split())
    return said if len(said) <= most else said[: most - 1] + "…"


THEMES = {"street": "Street", "row": "Row", "hand": "Broken hand", "fantasyland": "Fantasyland chase"}
BOARD = "Points of all sessions together; a session is a sheet, or the hands of a table."
PAIRS = "Points the player of a row has won from the player of a column; only what is known pair by pair."
RUNNING = "Points added up session after session, for the first six of the leaderboard."


def not_reviewed(who: str, hands: int) -> str:
    """What a review would do."""
    whose = "everybody" if who == "Everybody" else who
    return (
        f"The decisions of {whose} in {counted(hands, 'hand')} have not been judged at this level yet. It goes "
        "on in the background and can be interrupted: what was judged is kept in the log."
    )


def nothing_to_review(hands: int) -> str:
    """Why there is no decision to judge."""
    return f"None of {counted(hands, 'player-hand')} tells what was dealt, in which order: nothing to review."


def decisions_verdict(
    lost: Mapping[str, Any], tricky: Sequence[Mapping[str, Any]], decisions: int, told: Mapping[str, Any]
) -> tuple[str, str]:
    """What decisions lost, with interval and counts, as HTML."""
    headline = minus(f"Decisions lost {lost['loss_per_100']:,.0f} points per 100 hands.")
    said = [f"{decisions:,} decisions in {told['hands']:,} of {counted(told['player_hands'], 'player-hand')}"]
    if lost["low"] is not None:
        said.insert(0, minus(f"95\xa0% interval {lost['low']:,.0f} to {lost['high']:,.0f}"))
    if tricky and tricky[0]["spots"]:
        said.append(f"{percent(tricky[0]['accuracy'])} of {tricky[0]['spots']:,} tricky spots right")
    return headline, "; ".join(said) + "."


def players(
    lost: Sequence[Mapping[str, Any]], right: Mapping[Any, Mapping[str, Any]], by: str
) -> tuple[list[str], list[list[str]]]:
    """Heads and rows: what each player lost, and how many tricky spots were right."""
    rows = []
    for row in lost:
        spots = right.get(row[by])
        rows.append(
            [
                group_name(row[by], by),
                f"{row['hands']:,}",
                minus(f"{row['loss_per_100']:,.0f}"),
                "–" if row["low"] is None else minus(f"{row['low']:,.0f} to {row['high']:,.0f}"),
                percent(spots["accuracy"]) if spots and spots["spots"] else "–",
                f"{spots['spots']:,}" if spots else "0",
            ]
        )
    return ["Player", "Hands", "Lost per 100 hands", "95\xa0% interval", "Tricky spots right", "Tricky spots"], rows


def leaks_caption() -> str:
    """What the marks show."""
    return f"{define('leaks')} The lines are 95\xa0% intervals."


def leaks_alt(leaks: pl.DataFrame) -> str:
    """The dearest leaks in words."""
    rows = leaks.head(5).to_dicts()
    return minus(" ".join(f"{row['leak']}: {row['leaks']:.1f} points per 100 hands." for row in rows))


def luck_alt(luck: pl.DataFrame, by: str) -> str:
    """Points won and adjusted in words."""
    return minus(
        " ".join(
            f"{group_name(row[by], by)}: won {row['actual']:.2f}, adjusted {row['luck_adjusted']:.2f} points a hand."
            for row in luck.to_dicts()
        )
    )


def worst(rows: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Heads and rows: the decisions that lost most, with what was better."""
    cells = [
        [
            "Fantasyland" if row["fl_cards"] else f"Street {row['street']}",
            str(row["player"] or row["strategy"] or f"Seat {row['seat']}"),
            str(row["dealt"]),
            str(row["played"]),
            str(row["best"]),
            f"{row['ev_loss']:.2f} ± {row['se']:.2f}",
            {"blunder": "?? blunder", "mistake": "? mistake", "inaccuracy": "? inaccuracy"}[str(row["verdict"])],
        ]
        for row in rows
    ]
    return ["Street", "Player", "Dealt", "Played", "Better", "Loss, points", "Verdict"], cells


def board_verdict(board: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Who leads a season, as HTML."""
    first = next((row for row in board if row["points"] is not None), None)
    if first is None:
        return ("The sessions of this season have no points.",)
    sessions = counted(first["sessions"], "session")
    headline = minus(f"{bold(str(first['player']))} leads with {first['points']:+,} points in {sessions}.")
    if first["points_per_hand"] is None or first["low"] is None:
        return (headline,)
    ends = f"{first['low']:+.2f} to {first['high']:+.2f}"
    few = " Fewer than 10 sessions: the interval rests on too little." if first["few_sessions"] else ""
    return headline, minus(f"{first['points_per_hand']:+.2f} points a hand (95\xa0% interval {ends}).") + few


def board_alt(board: Sequence[Mapping[str, Any]]) -> str:
    """The leaderboard in words."""
    return minus(" ".join(f"{row['player']}: {row['points']:+,}." for row in board if row["points"] is not None))


def board_table(board: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of the leaderboard."""
    rows = []
    for row in board:
        mean = row["points_per_hand"]
        ends = "–" if row["low"] is None else minus(f"{row['low']:+.2f} to {row['high']:+.2f}")
        won = ", ".join(money(one["net_minor"], one["currency"]) for one in row["money"] or ())
        rows.append(
            [
                f"{row['rank'] or '–'}. {row['player']}",
                "–" if row["points"] is None else minus(f"{row['points']:+,}"),
                f"{row['sessions']:,}",
                "–" if row["hands"] is None else f"{row['hands']:,}",
                "–" if mean is None else minus(f"{mean:+.2f}"),
                ends,
                won or "–",
            ]
        )
    return ["Player", "Points", "Sessions", "Hands", "A hand", "95\xa0% interval", "Money"], rows


def pairs_alt(pairs: Sequence[Mapping[str, Any]]) -> str:
    """Every pair in words."""
    won = [row for row in pairs if row["points"] is not None and row["points"] >= 0]
    return " ".join(f"{row['player']} won {row['points']:,} from {row['opponent']}." for row in won)


def payments(rows: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Heads and rows: every payment."""
    cells = [[row["payer"], row["payee"], money(row["amount_minor"], row["currency"])] for row in rows]
    return ["Pays", "To", "Amount"], cells


def money(minor: int | None, currency: str | None) -> str:
    """Money as people write it."""
    if minor is None:
        return "–"
    places = decimals(currency) if currency else 0
    return minus(f"{minor / 10**places:,.{places}f} {currency or ''}".strip())
