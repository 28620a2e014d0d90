"""The answer of the Fantasyland setter: settings, what each wins from whom, and staying against not staying."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from ofclab.board import Board
from ofclab.cards import Card, format_cards

_ROWS = ("front", "middle", "back")


@dataclass(frozen=True)
class Against:
    """What a setting wins from one opponent in the mean over his boards: ``points`` = rows + scoop + royalties.

    ``rows``: points of the rows, or of a foul; ``scoop``: bonuses for all rows and for most rows; ``royalties``: own
    less theirs, as far as the rules pay them. ``wins`` and ``ties``: chances in front, middle, back; ``scoops`` and
    ``scooped``: chances that all three rows are won or lost between legal boards; ``fouls``: chance that he fouls.
    """

    opponent: str
    points: float
    rows: float
    scoop: float
    royalties: float
    wins: tuple[float, float, float]
    ties: tuple[float, float, float]
    scoops: float
    scooped: float
    fouls: float

    @property
    def is_certain(self) -> bool:
        """Tell whether no chance is involved."""
        return {*self.wins, *self.ties, self.fouls} <= {0.0, 1.0}

    def __str__(self) -> str:
        if self.is_certain:
            won = [row for row, chance in zip(_ROWS, self.wins, strict=True) if chance]
            tied = [row for row, chance in zip(_ROWS, self.ties, strict=True) if chance]
            lost = [row for row in _ROWS if row not in won + tied]
            rows = "; ".join(f"{word} {', '.join(rows)}" for word, rows in (("wins", won), ("ties", tied),
                             ("loses", lost)) if rows)  # fmt: skip
            rows += ", a scoop" if self.scoops or self.scooped else ", a foul" if self.fouls else ""
        else:
            chances = (f"{row} {chance:.0%}" for row, chance in zip(_ROWS, self.wins, strict=True))
            rows = f"wins {', '.join(chances)}, a scoop {self.scoops:.0%}, is scooped {self.scooped:.0%}"
            rows += f", he fouls {self.fouls:.0%}"
        return (
            f"{self.opponent}: {self.points:+.2f} (rows {self.rows:+.2f}, scoop {self.scoop:+.2f}, "
            f"royalties {self.royalties:+.2f}); {rows}"
        )


@dataclass(frozen=True)
class SettingOption:
    """One setting of a Fantasyland hand.

    ``royalties``: own royalty points; ``points``: what it wins this hand, alone its royalties, with ``se``, the
    standard error (0 = exact); ``value``: points plus the value of a stay where it stays; ``loss``: value less than the
    best, with ``loss_se``; ``verdict``: "best", "too close to call" (within two standard errors) or what it loses.
    """

    board: Board
    discards: tuple[Card, ...]
    royalties: int
    stays: bool
    fouled: bool
    points: float
    value: float
    se: float = 0.0
    loss: float = 0.0
    loss_se: float = 0.0
    against: tuple[Against, ...] = ()

    @property
    def verdict(self) -> str:
        """A word on how it compares with the best."""
        if self.loss == 0 and self.loss_se == 0:
            return "best"
        return "too close to call" if self.loss <= 2 * self.loss_se else f"loses {self.loss:.2f}"


@dataclass(frozen=True, repr=False)
class FantasylandSetting:
    """The best setting of a Fantasyland hand.

    Alone, ``value`` is the royalties plus the value of a stay where the board stays, 0 for a foul. Against opponents it
    is the points won from them in the mean plus the value of a stay; ``se``: its standard error, 0 = exact. A 2-7
    middle, or jokers that always read as strong as they can, may leave no legal setting: then ``fouled`` is true and
    the board holds the first 13 cards.

    ``staying`` and ``leaving``: the best setting that stays and the best that does not, None where there is none;
    ``candidates``: the settings compared, best first; ``information``: how. ``frame`` has a row for each of them.
    """

    board: Board
    discards: tuple[Card, ...]
    royalties: int
    stays: bool
    fouled: bool
    value: float
    stay_value: float = 0.0
    candidates: tuple[SettingOption, ...] = ()
    information: str = ""

    @classmethod
    def of(
        cls, candidates: tuple[SettingOption, ...], stay_value: float, information: str
    ) -> FantasylandSetting:  # fmt: skip
        """The answer whose candidates these are, best first."""
        best = candidates[0]
        return cls(
            best.board, best.discards, best.royalties, best.stays, best.fouled, best.value, stay_value, candidates,
            information,
        )  # fmt: skip

    @property
    def best(self) -> SettingOption:
        """The best setting, with what it wins from whom."""
        return self.candidates[0]

    @property
    def points(self) -> float:
        """What the best setting wins this hand, without the value of a stay."""
        return self.best.points

    @property
    def se(self) -> float:
        """Standard error of the points, 0 = exact."""
        return self.best.se

    @property
    def against(self) -> tuple[Against, ...]:
        """What the best setting wins from each opponent."""
        return self.best.against

    @property
    def exact(self) -> bool:
        """Tell whether nothing was sampled."""
        return all(option.loss_se == 0 and option.se == 0 for option in self.candidates)

    @property
    def staying(self) -> SettingOption | None:
        """The best setting that stays in Fantasyland."""
        return next((option for option in self.candidates if option.stays), None)

    @property
    def leaving(self) -> SettingOption | None:
        """The best legal setting that does not stay."""
        return next((option for option in self.candidates if not option.stays and not option.fouled), None)

    @property
    def stay_cost(self) -> float | None:
        """Points that staying costs now: the stay value at which staying and leaving are worth the same."""
        if self.staying is None or self.leaving is None:
            return None
        return self.leaving.points - self.staying.points

    @property
    def frame(self) -> pl.DataFrame:
        """The candidates as a frame, best first: cards, points and their parts over all opponents, verdict."""
        return pl.DataFrame(
            [
                {
                    **{row: format_cards(cards) for row, cards in zip(_ROWS, option.board.rows, strict=True)},
                    "discards": format_cards(option.discards),
                    "value": option.value,
                    "points": option.points,
                    "se": option.se,
                    "loss": option.loss,
                    "loss_se": option.loss_se,
                    "rows": sum((one.rows for one in option.against), 0.0),
                    "scoop": sum((one.scoop for one in option.against), 0.0),
                    "royalty_points": sum((one.royalties for one in option.against), 0.0),
                    "royalties": option.royalties,
                    "stays": option.stays,
                    "fouled": option.fouled,
                    "verdict": option.verdict,
                }
                for option in self.candidates
            ]
        )

    @property
    def explanation(self) -> str:
        """What the setting wins, and staying against not staying, in plain words."""
        if self.fouled and self.staying is None and self.leaving is None:
            return "Every setting fouls."
        lines = []
        if self.against:
            stay = f" and a stay worth {self.stay_value:g}" if self.stays else ""
            error = f" (standard error {self.se:.2f})" if self.se else ""
            lines.append(f"{self.value:+.2f} points in all{error}: {self.points:+.2f} this hand{stay}.")
            lines += [f"{one}." for one in self.against]
        return "\n".join([*lines, self._staying_or_not()])

    def _staying_or_not(self) -> str:
        staying, leaving = self.staying, self.leaving
        if staying is None:
            return "No legal setting stays in Fantasyland."
        if leaving is None:
            return "Every legal setting stays in Fantasyland."
        other = leaving if self.stays else staying
        cost = leaving.points - staying.points
        word = "costs" if cost > 0 else "gains"
        about = f" (standard error {other.loss_se:.2f})" if other.loss_se else ""
        first = (
            f"Staying {word} {abs(cost):.2f} points now{about}: {staying.points:+.2f} with {staying.board}, "
            f"{leaving.points:+.2f} with {leaving.board}. "
        )
        if cost == 0:
            first = f"Staying costs nothing: {staying.points:+.2f} with {staying.board}. "
        if other.loss_se and other.loss <= 2 * other.loss_se:
            return f"{first}A stay worth {self.stay_value:g} makes this too close to call."
        least = f"A stay is worth {self.stay_value:g}"
        if self.fouled:
            return f"{first}{least}; a foul is better than both."
        return f"{first}{least}, so {'stay' if self.stays else 'leave'}; both are equal at {cost:.2f}."

    def __repr__(self) -> str:
        discards = f", discards={format_cards(self.discards)!r}" if self.discards else ""
        foul = ", fouled=True" if self.fouled else ""
        points = f"points={self.points:.2f}, " if self.against else ""
        return (
            f"FantasylandSetting({str(self.board)!r}{discards}, royalties={self.royalties}, "
            f"stays={self.stays}{foul}, {points}value={round(self.value, 4):g})"
        )

    def _repr_html_(self) -> str:
        verdict = "every setting fouls" if self.fouled else "stays" if self.stays else "does not stay"
        discards = f"<div>discards {format_cards(self.discards)}</div>" if self.discards else ""
        words = "".join(f"<div>{line}</div>" for line in self.explanation.splitlines())
        table = self.frame._repr_html_() if self.against else ""
        return (
            f"<div>{self.board._repr_html_()}{discards}"
            f"<div>royalties {self.royalties}, {verdict}, value {round(self.value, 4):g}</div>{words}{table}</div>"
        )
