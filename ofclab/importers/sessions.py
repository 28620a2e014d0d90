"""One imported session known by its totals: what a score sheet yields and what must hold before a log takes it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal, InvalidOperation
from hashlib import blake2b

from ofclab.log.people import ME as ME

_NO_DECIMALS = frozenset({"CHIPS", "POINTS", "UNITS", "JPY", "KRW", "VND", "CLP", "ISK", "XAF", "XOF", "PYG", "UGX"})
_THREE_DECIMALS = frozenset({"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"})
_SIGNS = {"€": "EUR", "£": "GBP", "₽": "RUB", "₹": "INR"}
_MOST_MINOR = 10**15
_MOST_POINTS = 10**9


class SheetError(ValueError):
    """A number, date or name of a score sheet that says nothing certain."""


@dataclass(frozen=True)
class SessionResult:
    """What one player won (or, negative, lost): from one opponent where the source says so, else from everybody."""

    player: str
    points: int | None = None
    net_minor: int | None = None
    opponent: str | None = None


@dataclass(frozen=True)
class ImportedSession:
    """One session, or one hand of a score sheet, as a source tells it."""

    file: str
    line: int
    site: str
    results: tuple[SessionResult, ...]
    site_session_id: str | None = None
    played_at: datetime | None = None
    hands: int | None = None
    point_value_minor: int | None = None
    currency: str | None = None
    note: str | None = None
    session_id: int | None = None
    """The id it has in a log that it was exported from."""
    source: tuple[str | None, int | None] | None = None
    """File and line the log shall name; None: where the session was read."""
    warnings: tuple[str, ...] = ()
    raw: str = field(default="", compare=False, repr=False)

    @property
    def players(self) -> tuple[str, ...]:
        """The names the source prints, each once."""
        return tuple(dict.fromkeys(one.player for one in self.results))


def fault(session: ImportedSession) -> str | None:
    """What is wrong with a session; None when nothing is."""
    places = Counter((one.player, one.opponent) for one in session.results)
    if not places:
        return "no player has a result"
    for one in session.results:
        if not one.player.strip() or one.player == one.opponent:
            return f"{one.player!r} cannot play {one.opponent!r}" if one.player.strip() else "a player without a name"
        if one.points is None and one.net_minor is None:
            return f"{one.player} has neither points nor money"
        if abs(one.points or 0) > _MOST_POINTS or abs(one.net_minor or 0) > _MOST_MINOR:
            return f"{one.player} has {one.points} points and {one.net_minor} in minor units; nobody wins that much"
    (player, opponent), times = places.most_common(1)[0]
    if times > 1:
        return f"{player} stands twice" + (f" against {opponent}" if opponent else "")
    if session.hands is not None and not 0 <= session.hands < 2**32:
        return f"{session.hands} hands"
    value, line = session.point_value_minor or 0, (session.source or (None, None))[1] or 0
    if abs(value) > _MOST_MINOR or not 0 <= line < 2**32:
        return f"a point worth {value}, line {line}; no log holds such numbers"
    names = [name for one in session.results for name in (one.player, one.opponent)]
    file = (session.source or (None,))[0]
    for text in (session.site, session.site_session_id, session.currency, session.note, file, *names):
        try:
            (text or "").encode()
        except UnicodeEncodeError:
            return f"{text!r} is not text"
    for name in ("points", "net_minor"):
        given = [getattr(one, name) for one in session.results]
        if None in given and any(value is not None for value in given):
            silent = next(one.player for one in session.results if getattr(one, name) is None)
            return f"{silent} has no {'points' if name == 'points' else 'money'} and others have"
        if None not in given and sum(given):
            what = "points" if name == "points" else f"minor units of {session.currency}"
            shown = ", ".join(f"{one.player} {getattr(one, name):+d}" for one in session.results)
            return f"the nets do not cancel: they add up to {sum(given):+d} {what} ({shown})"
    return None


class SessionIds:
    """Ids of one source's sessions: of the source's own id where there is one, else of content and occurrence."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def of(self, session: ImportedSession) -> int:
        """The id of the next session of the source."""
        if session.session_id is not None:
            return session.session_id
        if session.site_session_id is not None:
            return content_hash("session", session.site, session.site_session_id)
        results = sorted(f"{r.player}|{r.opponent}|{r.points}|{r.net_minor}" for r in session.results)
        content = "\x1e".join(map(str, (*results, session.played_at, session.hands, session.currency, session.note)))
        self._seen[content] += 1
        return content_hash("session", session.site, content, self._seen[content])


def content_hash(*parts: object) -> int:
    """64 bits that stand for these values, the same on every machine."""
    text = "\x1f".join(map(str, parts))
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little")


def decimals(currency: str) -> int:
    """Decimals of a currency: 2, but 0 for chips, yen and won, 3 for dinars."""
    return 0 if currency.upper() in _NO_DECIMALS else 3 if currency.upper() in _THREE_DECIMALS else 2


def read_currency(text: str) -> str | None:
    """A currency's code; None for nothing. Raises SheetError for a sign that several currencies share."""
    text = text.strip()
    if not text:
        return None
    if text in _SIGNS:
        return _SIGNS[text]
    if text.upper() in _NO_DECIMALS and len(text) > 3:
        return text.lower()
    if not (len(text) == 3 and text.isascii() and text.isalpha()):
        raise SheetError(f"currency {text!r} is no code of three letters such as EUR, USD, SEK, nor chips")
    return text.upper()


def read_points(value: object) -> int:
    """A whole number of points. Raises SheetError for anything else."""
    number = _number(value, "points")
    if number != int(number):
        raise SheetError(f"points are whole numbers, got {value}")
    return int(number)


def read_money(value: object, currency: str | None) -> int:
    """Money in minor units. Raises SheetError without a currency, or for more decimals than it has."""
    if currency is None:
        raise SheetError(f"money {value} without a currency; name one, such as EUR")
    minor = _number(value, "money") * 10 ** decimals(currency)
    if minor != int(minor):
        raise SheetError(f"money {value} has more decimals than {currency} has ({decimals(currency)})")
    return int(minor)


def _number(value: object, what: str) -> Decimal:
    text = str(value).strip().replace("−", "-")
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise SheetError(f"{what} {text[:40]!r} is no number; write 12, -7 or 12.50") from None
    if isinstance(value, bool) or not number.is_finite() or abs(number) > _MOST_MINOR:
        raise SheetError(f"{what} {text[:40]!r} is no number somebody can win")
    return number
