"""The sentences of runs and other work in the background."""

from collections.abc import Mapping, Sequence
from typing import Any

from words import counted

STATES = {
    "starting": ":gray[:material/hourglass_empty: starting]",
    "running": ":green[:material/play_arrow: playing]",
    "paused": ":gray[:material/pause: paused]",
    "done": ":green[:material/check: done]",
    "cancelled": ":gray[:material/stop: cancelled]",
    "failed": ":red[:material/error: failed]",
    "interrupted": ":red[:material/warning: interrupted]",
}
CANCEL = "What was played so far is lost."
CANCEL_LOG = (
    "Finished parts of the log are whole and can stay: the library calls such a log unfinished, and it can be resumed."
)
REMOVE = "Nothing of it is kept."
REMOVE_LOG = "The log of the parts that are finished can stay in the library, or go too."


def duration(seconds: float) -> str:
    """A length of time as people say it.

    >>> duration(4.2), duration(75), duration(7300)
    ('4\\xa0s', '1\\xa0min 15\\xa0s', '2\\xa0h 1\\xa0min')
    """
    whole = max(round(seconds), 1)
    if whole < 60:
        return f"{whole}\xa0s"
    if whole < 3600:
        return f"{whole // 60}\xa0min" + (f" {whole % 60}\xa0s" if whole % 60 else "")
    return f"{whole // 3600}\xa0h" + (f" {whole % 3600 // 60}\xa0min" if whole % 3600 // 60 else "")


def how_far(done: int, total: int, rate: float, state: str, units: str) -> str:
    """How far a job is, what it does a second, and how long it still takes."""
    if not total or not done:
        return "Getting ready"
    said = f"{done:,} of {total:,} {units}" if units == "hands" else f"{100 * done / total:.0f}\xa0%"
    if state == "paused":
        return f"{said}, paused"
    if rate > 0:
        speed = f", {rate:,.0f} {units} a second" if units == "hands" else ""
        said += f"{speed}, {duration((total - done) / rate)} left"
    return said


def how_it_ended(state: str, done: int, total: int, rate: float, units: str, *, nothing_left: bool) -> str:
    """What became of a job that is not at work."""
    if units != "hands":
        return "" if state == "done" else f"It was {100 * done / max(total, 1):.0f}\xa0% done."
    if state == "done":
        speed = f", {rate:,.0f} a second" if rate else ""
        return f"{counted(done, 'hand')}{speed}." if done else "Nothing was left to play."
    if nothing_left:
        return "No log of it was left behind; Resume plays it from the start."
    if not done:
        return "It had not begun to play."
    return f"{done:,} of {total:,} hands were played; finished parts are kept, and Resume plays the others."


def estimate(hands: int, rate: float) -> str:
    """How long so many hands take."""
    rate = float(f"{rate:.2g}")
    return f"{counted(hands, 'hand')} at about {rate:,.0f} a second: about {duration(hands / rate)}."


def plan(rules: str, strategies: Sequence[str], tables: int, hands: int, seed: int) -> str:
    """A run in one line."""
    return (
        f"{' v '.join(strategies)} under {rules}: {counted(tables, 'table')} of {counted(hands, 'hand')}, seed {seed}"
    )


def plan_of(asked: Mapping[str, Any]) -> str:
    """What a run was asked to play, in one line."""
    return plan(
        asked.get("rules_name") or "house rules", asked["strategies"], asked["tables"], asked["hands"], asked["seed"]
    )


def full(at_work: int) -> str:
    """Why no further job can be started now."""
    return f"{counted(at_work, 'job')} at work: no more can be started until one ends or is cancelled."
