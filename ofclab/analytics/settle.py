"""Settle up: who pays whom so that everybody is even, with the fewest payments."""

import html
from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

MOST_EXACT = 14
"""Players up to whom the fewest payments are found exactly; above, the largest debts are paid first."""


@dataclass(frozen=True)
class Payment:
    """One payment in minor units of its currency."""

    payer: str
    payee: str
    amount_minor: int
    currency: str


@dataclass(frozen=True)
class SettlementPlan:
    """Who pays whom. ``exact`` names the currencies whose payments are the fewest there can be."""

    payments: tuple[Payment, ...]
    exact: Mapping[str, bool]

    @property
    def frame(self) -> pl.DataFrame:
        """A row per payment: payer, payee, amount_minor, currency."""
        names = ("payer", "payee", "amount_minor", "currency")
        rows = [tuple(getattr(one, name) for name in names) for one in self.payments]
        schema = dict(zip(names, (pl.String, pl.String, pl.Int64, pl.String), strict=True))
        return pl.DataFrame(rows, schema=schema, orient="row")

    @property
    def note(self) -> str:
        """Whether these are the fewest payments, in words."""
        rough = [currency for currency, exact in self.exact.items() if not exact]
        if not rough:
            return "these are the fewest payments"
        return f"more than {MOST_EXACT} players in {', '.join(rough)}: few payments, perhaps not the fewest"

    def __repr__(self) -> str:
        lines = [f"  {one.payer} pays {one.payee} {one.amount_minor} {one.currency}" for one in self.payments]
        return "\n".join([f"<SettlementPlan: {len(self.payments)} payments; {self.note}>", *lines])

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"


def settle_up(nets: Mapping[str, int] | pl.DataFrame | pl.LazyFrame, currency: str = "points") -> SettlementPlan:
    """Find who pays whom so that everybody is even, each currency by itself, with the fewest payments.

    ``nets``: what each player has won (negative: lost) in whole units of ``currency``, or a frame with the columns
    player, currency and net_minor (several rows of a player add up; null is nothing). With up to 14 players who are not
    even the number of payments is the least there is: k groups that cancel among themselves need n - k payments, and
    the most such groups are found by a search of all subsets. Raises ValueError naming a currency whose nets do not
    cancel.

    >>> settle_up({"ann": 7, "bob": -4, "cem": -3}).payments[0]
    Payment(payer='bob', payee='ann', amount_minor=4, currency='points')
    """
    if isinstance(nets, Mapping):
        by_currency = {currency: dict(nets)}
    else:
        sums = nets.lazy().drop_nulls("net_minor").group_by("currency", "player").agg(pl.col("net_minor").sum())
        by_currency = {}
        for name, player, net in sums.sort("currency", "player").collect().iter_rows():
            by_currency.setdefault(name or currency, {})[player] = net
    payments: list[Payment] = []
    exact: dict[str, bool] = {}
    for name, owed in by_currency.items():
        if sum(owed.values()):
            raise ValueError(
                f"the nets in {name} add up to {sum(owed.values()):+d}, not 0: somebody's are missing; have "
                + ", ".join(f"{player} {net:+d}" for player, net in sorted(owed.items()))
            )
        uneven = {player: net for player, net in sorted(owed.items()) if net}
        exact[name] = len(uneven) <= MOST_EXACT
        groups = _most_groups(uneven) if exact[name] else [uneven]
        payments += [Payment(*paid, name) for group in groups for paid in _pay(group)]
    return SettlementPlan(tuple(payments), exact)


def _most_groups(nets: Mapping[str, int]) -> list[dict[str, int]]:
    """The players in as many groups as can be whose nets cancel within each."""
    names, values = list(nets), list(nets.values())
    n = len(names)
    total, groups = [0] * (1 << n), [0] * (1 << n)
    for mask in range(1, 1 << n):
        low = mask & -mask
        total[mask] = total[mask ^ low] + values[low.bit_length() - 1]
        # Adding the players one by one, a group closes whenever the sum comes back to 0.
        best = max(groups[mask ^ 1 << i] for i in range(n) if mask >> i & 1)
        groups[mask] = best + (total[mask] == 0)
    found: list[dict[str, int]] = []
    mask, current = (1 << n) - 1, dict[str, int]()
    while mask:
        if total[mask] == 0 and current:
            found.append(current)
            current = {}
        closes = total[mask] == 0
        last = next(i for i in range(n) if mask >> i & 1 and groups[mask ^ 1 << i] + closes == groups[mask])
        current[names[last]] = values[last]
        mask ^= 1 << last
    return [*found, current] if current else found


def _pay(nets: Mapping[str, int]) -> list[tuple[str, str, int]]:
    """Pay the largest debt to the largest winner until all are even: at most one payment less than players."""
    left = dict(nets)
    paid = []
    while any(left.values()):
        payer = min(left, key=lambda name: (left[name], name))
        payee = max(left, key=lambda name: (left[name], name))
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        paid.append((payer, payee, amount))
    return paid
