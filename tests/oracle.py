"""A slow scorer in plain Python, written from the rules alone: the truth beside the fast code.

Cards are strings ("Qh", "X1"), a board is {"front": [...], "middle": [...], "back": [...]}, the rules are the
flat mapping of dotted parameters. Nothing here knows the package.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any

Params = Mapping[str, Any]
Cards = Sequence[str]
Hand = tuple[int, tuple[int, ...]]  # category, ranks in the order they are compared
BoardCards = Mapping[str, Cards]

RANKS = "23456789TJQKA"
DECK = tuple(rank + suit for rank in RANKS for suit in "cdhs")
ROWS = ("front", "middle", "back")
CATEGORIES = (
    "high_card", "pair", "two_pair", "trips", "straight", "flush", "full_house", "quads",
    "straight_flush", "royal_flush", "five_of_a_kind",
)  # fmt: skip
CATEGORY = {name: index for index, name in enumerate(CATEGORIES)}
SHAPES = {
    (1, 1, 1): "high_card", (2, 1): "pair", (3,): "trips",
    (1, 1, 1, 1, 1): "high_card", (2, 1, 1, 1): "pair", (2, 2, 1): "two_pair", (3, 1, 1): "trips",
    (3, 2): "full_house", (4, 1): "quads", (5,): "five_of_a_kind",
}  # fmt: skip
WHEEL = [12, 3, 2, 1, 0]
PERFECT_LOW: Hand = (0, (5, 3, 2, 1, 0))


def hand_rank(cards: Cards, wheel: bool = True) -> Hand:
    """Rank three or five natural cards as poker does; with wheel=False the ace is always high, as in 2-7."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda group: (-group[1], -group[0]))
    category, order = SHAPES[tuple(count for _, count in groups)], tuple(rank for rank, _ in groups)
    if len(cards) == 3 or category in ("full_house", "quads", "five_of_a_kind"):
        return CATEGORY[category], order
    suited = len({card[1] for card in cards}) == 1
    top = None
    if len(order) == 5 and ranks[0] - ranks[4] == 4:
        top = ranks[0]
    elif wheel and ranks == WHEEL:
        top = 3
    if top is not None and suited:
        return CATEGORY["royal_flush" if top == 12 else "straight_flush"], (top,)
    if suited:
        return CATEGORY["flush"], tuple(ranks)  # a joker may repeat a rank here
    if top is not None:
        return CATEGORY["straight"], (top,)
    return CATEGORY[category], order


def low_rank(cards: Cards) -> Hand:
    """Rank five cards for 2-7: the smallest is the best."""
    return hand_rank(cards, wheel=False)


def compare(a: Hand, b: Hand, cross_length: str = "missing_lowest") -> int:
    """Compare two high hands, of three or five cards each."""
    shorter = min(len(a[1]), len(b[1]))
    if cross_length == "prefix_tie" and a[0] == b[0] and a[1][:shorter] == b[1][:shorter]:
        return 0
    return (a > b) - (a < b)  # a missing rank is below any rank, as in Python's tuples


def is_low(p: Params) -> bool:
    return bool(p["ranking.middle"] == "2-7")


def readings(row: Cards, board: BoardCards, p: Params) -> Iterator[list[str]]:
    """Every hand the row's jokers may make."""
    naturals = [card for card in row if card[0] != "X"]
    wild = len(row) - len(naturals)
    copy = p["jokers.may_copy"]
    shown = {"none": {card for name in ROWS for card in board[name]}, "other_row": set(naturals), "any": set()}[copy]
    allowed = [card for card in DECK if card not in shown]
    choose = combinations_with_replacement if copy == "any" else combinations
    for cards in choose(allowed, wild):
        yield naturals + list(cards)


def hands(row: str, board: BoardCards, p: Params) -> list[Hand]:
    """Every distinct hand the row may be, strongest first (for a 2-7 middle: lowest first)."""
    low = row == "middle" and is_low(p)
    if not any(card[0] == "X" for card in board[row]):
        return [low_rank(board[row]) if low else hand_rank(board[row])]
    ranked = {low_rank(cards) if low else hand_rank(cards) for cards in readings(board[row], board, p)}
    if not p["jokers.five_of_a_kind"]:
        ranked = {hand for hand in ranked if hand[0] != CATEGORY["five_of_a_kind"]}
    return sorted(ranked, reverse=not low)


def above(stronger: Hand, weaker: Hand, order: str, p: Params) -> bool:
    """Tell whether one row may lie behind another; order is ge or gt."""
    return compare(stronger, weaker, p["foul.cross_length_compare"]) >= (1 if order == "gt" else 0)


def read_board(board: BoardCards, p: Params) -> dict[str, Hand]:
    """Choose each row's reading, from back to front."""
    options = {row: hands(row, board, p) for row in ROWS}
    chosen = {row: options[row][0] for row in ROWS}
    if p["jokers.reading"] == "strongest":
        return chosen
    if is_low(p):
        behind, bounds = {"front": "back"}, {"front": p["foul.back_over_front"]}
    else:
        behind = {"middle": "back", "front": "middle"}
        bounds = {"middle": p["foul.back_over_middle"], "front": p["foul.middle_over_front"]}
    for row in behind:
        legal = [hand for hand in options[row] if above(chosen[behind[row]], hand, bounds[row], p)]
        chosen[row] = legal[0] if legal else options[row][0]
    return chosen


def is_foul(hand: Mapping[str, Hand], p: Params) -> bool:
    """Tell whether the rows, as read, are out of order."""
    if is_low(p):
        worst = p["foul.low_middle_worst"]
        category, ranks = hand["middle"]
        if worst is not None and (category != 0 or ranks[0] > RANKS.index(worst)):
            return True
        return not above(hand["back"], hand["front"], p["foul.back_over_front"], p)
    return not (
        above(hand["back"], hand["middle"], p["foul.back_over_middle"], p)
        and above(hand["middle"], hand["front"], p["foul.middle_over_front"], p)
    )


def row_royalty(row: str, hand: Hand, p: Params) -> int:
    """Look up what one row pays."""
    category, ranks = hand
    name = CATEGORIES[category]
    if row == "front":
        size = {"pair": 2, "trips": 3}.get(name, 0)
        return int(p["royalties.front"].get(RANKS[ranks[0]] * size, 0))
    if row == "middle" and is_low(p):
        if category != 0:
            return 0
        key = "75432" if hand == PERFECT_LOW else f"{RANKS[ranks[0]]}-low"
        return int((p["royalties.middle_low"] or {}).get(key, 0))
    table = p[f"royalties.{row}"]
    if name == "five_of_a_kind" and name not in table:
        name = "quads"
    return int(table.get(name, 0))


def reaches_front(hand: Hand, minimum: str) -> bool:
    """Tell whether a front is at least the pair or trips named, such as QQ or 222."""
    return hand >= (CATEGORY["pair" if len(minimum) == 2 else "trips"], (RANKS.index(minimum[0]),))


def next_fantasyland(hand: Mapping[str, Hand], came_in_with: int, p: Params, announced: bool | None = None) -> int:
    """Cards of the next Fantasyland of a board that did not foul, 0 for none."""
    if not p["fantasyland.enabled"]:
        return 0
    wheel = is_low(p) and hand["middle"] == PERFECT_LOW
    if came_in_with:
        stay = p["fantasyland.stay"]
        stays = stay["front"] is not None and reaches_front(hand["front"], stay["front"])
        for row in ("back",) if is_low(p) else ("middle", "back"):
            stays |= stay[row] is not None and hand[row][0] >= CATEGORY[stay[row]]
        stays |= wheel and bool(stay.get("low_wheel"))
        if not stays or (p["fantasyland.stay_must_announce"] and announced is False):
            return 0
        return came_in_with if p["fantasyland.stay_cards"] == "same" else int(p["fantasyland.stay_cards"])
    by_front = 0
    for entry in p["fantasyland.entry_front"]:
        if reaches_front(hand["front"], entry["min"]):
            by_front = int(entry["cards"])
    by_low = int(p["fantasyland.entry_low_wheel_cards"]) if wheel else 0
    if by_front and by_low:
        return int(p["fantasyland.entry_both_cards"]) or max(by_front, by_low)
    return by_front or by_low


def judge(board: BoardCards, p: Params, came_in_with: int = 0, announced: bool | None = None) -> dict[str, Any]:
    """Everything one seat is worth by itself: hands, fouled, royalties by row, next Fantasyland."""
    hand = read_board(board, p)
    fouled = is_foul(hand, p)
    royalties = {row: 0 if fouled else row_royalty(row, hand[row], p) for row in ROWS}
    following = 0 if fouled else next_fantasyland(hand, came_in_with, p, announced)
    return {"hands": hand, "fouled": fouled, "royalties": royalties, "next_fantasyland": following}


def pair_points(a: Mapping[str, Any], b: Mapping[str, Any], p: Params) -> dict[str, Any]:
    """Rows, base points and royalty points of a against b."""
    if a["fouled"] and b["fouled"]:
        return {"rows": (0, 0, 0), "base": 0, "royalties": 0, "total": 0}
    mode = p["royalties.mode"]
    worth = [sum(seat["royalties"].values()) for seat in (a, b)]
    if a["fouled"] or b["fouled"]:
        sign = -1 if a["fouled"] else 1
        paid = worth[1 if a["fouled"] else 0] if mode != "off" and p["foul.pays_opponent_royalties"] else 0
        base, royalties, rows = sign * p["foul.penalty"], sign * paid, (sign,) * 3
        return {"rows": rows, "base": base, "royalties": royalties, "total": base + royalties}
    results = {row: compare(a["hands"][row], b["hands"][row]) for row in ROWS}
    if is_low(p):
        results["middle"] *= -1
    rows = tuple(results.values())
    base = p["scoring.per_row"] * sum(rows)
    for sign in (1, -1):
        if rows.count(sign) == 3:
            base += sign * p["scoring.sweep_bonus"]
        if rows.count(sign) >= 2:
            base += sign * p["scoring.majority_bonus"]
    if mode == "both":
        royalties = worth[0] - worth[1]
    elif mode == "row_winner":
        royalties = sum(a["royalties"][row] for row in ROWS if results[row] > 0)
        royalties -= sum(b["royalties"][row] for row in ROWS if results[row] < 0)
    elif mode == "pair_winner":
        royalties = worth[0] if base > 0 else -worth[1] if base < 0 else 0
    else:
        royalties = 0
    return {"rows": rows, "base": base, "royalties": royalties, "total": base + royalties}


def score(boards: Sequence[BoardCards], p: Params, came_in_with: Sequence[int] | None = None,
          announced: Sequence[bool | None] | None = None) -> dict[str, Any]:  # fmt: skip
    """Score two to four boards against each other: seats, pairs by (a, b), points."""
    count = len(boards)
    came_in_with = came_in_with or [0] * count
    announced = announced or [None] * count
    seats = [judge(*seat) for seat in zip(boards, [p] * count, came_in_with, announced, strict=True)]
    pairs = {(a, b): pair_points(seats[a], seats[b], p) for a, b in combinations(range(count), 2)}
    points = [0] * count
    for (a, b), pair in pairs.items():
        points[a] += pair["total"]
        points[b] -= pair["total"]
    return {"seats": seats, "pairs": pairs, "points": points}


def settle(points: Mapping[tuple[Any, Any], int], stacks: Mapping[Any, int | None], p: Params) -> dict[str, Any]:
    """Pay each pair in the order of the stacks, as far as stacks and caps allow; a stack of None has no end.

    The rake is worked out last, with each winner's share rounded down, and not yet taken.
    """
    start, now, received = dict(stacks), dict(stacks), dict.fromkeys(stacks, 0)
    net = dict.fromkeys(stacks, 0)
    endless = 10**9

    def room(seat: Any) -> int:
        if p["stakes.win_cap"] != "own_start_stack" or start[seat] is None:
            return endless
        return start[seat] - (net if p["stakes.win_cap_basis"] == "net" else received)[seat]

    steps = []
    for a, b in combinations(stacks, 2):
        won = points[a, b]
        payer, payee = (None, None) if won == 0 else (b, a) if won > 0 else (a, b)
        owed = abs(won) * p["stakes.unit"]
        eliminated = [seat for seat in (a, b) if p["stakes.busted"] == "eliminated" and now[seat] == 0]
        complete = [seat for seat in (a, b) if room(seat) <= 0 and seat not in eliminated]
        paid = 0
        if owed == 0:
            eliminated, complete = [], []
        elif not eliminated and not complete:
            limits = [owed, room(payee), endless if now[payer] is None else now[payer]]
            if p["stakes.match_cap"] is not None:
                limits.append(p["stakes.match_cap"] + net[payer])
            if p["stakes.win_cap"] == "current_stack" and now[payee] is not None:
                limits.append(now[payee])
            paid = max(0, min(limits))
            for seat, chips in ((payer, -paid), (payee, paid)):
                net[seat] += chips
                now[seat] = None if start[seat] is None else now[seat] + chips
            received[payee] += paid
        steps.append({"pair": [a, b], "points_for_first": won, "owed_chips": owed, "payer": payer, "payee": payee,
                      "paid_chips": paid, "complete": complete, "eliminated": eliminated})  # fmt: skip
    won_chips = sum(chips for chips in net.values() if chips > 0)
    rake = int(won_chips * p["stakes.rake_percent"] // 100)
    rake = rake if p["stakes.rake_cap"] is None else min(rake, p["stakes.rake_cap"])
    if p["stakes.rake"] == "final_hand_when_one_stack" and sum(chips != 0 for chips in now.values()) != 1:
        rake = 0
    winners = [seat for seat in stacks if net[seat] > 0]
    shares = {seat: rake * net[seat] // won_chips for seat in winners}
    after = {seat: net[seat] if start[seat] is None else now[seat] for seat in stacks}
    return {"steps": steps, "stacks": after, "rake": rake, "rake_shares": shares}
