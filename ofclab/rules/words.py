"""What each parameter says, in the words of the game."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from ofclab.rules.values import FRONT_HANDS, LOW_RANKS

RANK_NAMES: Final = {
    "2": "deuces",
    "3": "threes",
    "4": "fours",
    "5": "fives",
    "6": "sixes",
    "7": "sevens",
    "8": "eights",
    "9": "nines",
    "T": "tens",
    "J": "jacks",
    "Q": "queens",
    "K": "kings",
    "A": "aces",
}
LOW_NAMES: Final = {rank: RANK_NAMES[rank].removesuffix("s") for rank in LOW_RANKS}
CATEGORY_NAMES: Final = {
    "high_card": "a high card",
    "pair": "a pair",
    "two_pair": "two pair",
    "trips": "trips",
    "straight": "a straight",
    "flush": "a flush",
    "full_house": "a full house",
    "quads": "quads",
    "straight_flush": "a straight flush",
    "royal_flush": "a royal flush",
    "five_of_a_kind": "five of a kind",
}
PLURALS: Final = frozenset({"trips", "quads"})
ROW_PLACES: Final = {"front": "up front", "middle": "in the middle", "back": "in the back"}

_ALLOWED = {True: "allowed", False: "not allowed"}
_TIES = {"ge": "allowed", "gt": "a foul"}

# A sentence with a gap, and the words for values that are not simply written out. "3 instead of 0" fits every gap.
PHRASES: Final[Mapping[str, tuple[str, Mapping[Any, str]]]] = {
    "deck.cards": ("The deck has {} cards", {}),
    "deck.jokers": ("The deck has {} jokers", {0: "no"}),
    "players.max": ("A table seats at most {} players", {}),
    "deal.rounds": ("After the first five cards come {}", {}),
    "deal.last_face_down": (
        "Hidden until the showdown: {}",
        {0: "no placed card", 3: "each player's last three placed cards"},
    ),
    "visibility.draws": ("Drawn cards are {}", {"open": "open to all", "hidden_until_set": "hidden until set"}),
    "visibility.discards": (
        "Discards are {}",
        {"none": "not part of the game", "hidden": "face down", "revealed": "face up"},
    ),
    "ranking.middle": ("The middle is played {}", {"high": "high", "2-7": "as a deuce-to-seven low"}),
    "foul.back_over_middle": ("A back exactly as strong as the middle is {}", _TIES),
    "foul.middle_over_front": ("A middle exactly as strong as the front is {}", _TIES),
    "foul.back_over_front": ("A back exactly as strong as the front is {}", _TIES),
    "foul.cross_length_compare": (
        "Three cards against five: {}",
        {"missing_lowest": "missing cards rank below any card", "prefix_tie": "equal first ranks tie"},
    ),
    "foul.low_middle_worst": (
        "Allowed in the low middle: {}",
        {None: "any hand"} | {rank: f"{name}-low or better" for rank, name in LOW_NAMES.items()},
    ),
    "foul.penalty": ("A foul costs {} points against each opponent who does not foul", {}),
    "foul.pays_opponent_royalties": (
        "The opponents' royalties are {} by a fouler",
        {True: "paid", False: "not paid"},
    ),
    "scoring.per_row": ("A row won pays {} points", {}),
    "scoring.sweep_bonus": ("A scoop pays {} extra points", {}),
    "scoring.majority_bonus": ("Winning two rows or three pays {} extra points", {}),
    "royalties.mode": (
        "Royalties are collected by {}",
        {
            "both": "both players of a pair",
            "row_winner": "the winner of the row",
            "pair_winner": "the winner of the pair",
            "off": "nobody",
        },
    ),
    "fantasyland.enabled": ("Fantasyland is {}", {True: "played", False: "not played"}),
    "fantasyland.entry_low_wheel_cards": ("7-5-4-3-2 in the middle earns {} Fantasyland cards", {0: "no"}),
    "fantasyland.entry_both_cards": (
        "Front and 7-5-4-3-2 at once earn {} Fantasyland cards",
        {0: "the larger number of"},
    ),
    "fantasyland.stay_cards": (
        "A stay is dealt {}",
        {"same": "as many cards as before"} | {n: f"{n} cards" for n in range(13, 18)},
    ),
    "fantasyland.stay_must_announce": (
        "A stay counts {}",
        {True: "only if announced when setting", False: "without being announced"},
    ),
    "fantasyland.set_timing": (
        "A player in Fantasyland sets {}",
        {"before_play": "before anybody else acts", "in_turn": "in turn"},
    ),
    "fantasyland.button": ("For a Fantasyland hand the button is {}", {"frozen": "left in place", "moves": "moved on"}),
    "fantasyland.adds_hand": (
        "A Fantasyland hand is {}",
        {True: "an extra hand", False: "one of the hands of the game"},
    ),
    "game.end_when_one_stack": (
        "Once one player has every chip the game is {}",
        {True: "over", False: "still on"},
    ),
    "game.hands": (
        "Hands in a game: {}",
        {None: "as many as the players like", "players": "as many as there are players"},
    ),
    "game.join_midgame": ("Sitting down during a game is {}", _ALLOWED),
    "game.leave_during_hand": ("Leaving during a hand is {}", _ALLOWED),
    "stakes.unit": ("A point is worth {} chips", {}),
    "stakes.settle_when": (
        "Points are paid {}",
        {"each_hand": "after each hand", "end_of_game": "at the end of the game"},
    ),
    "stakes.table_stakes": (
        "Losses are {}",
        {True: "limited to the stack", False: "not limited by a stack"},
    ),
    "stakes.win_cap": (
        "Where stacks count, wins are limited by {}",
        {
            "own_start_stack": "the winner's starting stack",
            "current_stack": "both current stacks, payment by payment",
            "none": "the loser's stack only",
        },
    ),
    "stakes.win_cap_basis": ("The limit on wins counts {}", {"net": "the net gain", "gross": "everything received"}),
    "stakes.busted": (
        "In later payments a player without chips is {}",
        {"continues": "still in", "eliminated": "out"},
    ),
    "stakes.match_cap": ("A player can lose {} chips in one game", {None: "any number of"}),
    "stakes.buy_in": ("A player sits down with {} chips", {None: "any number of"}),
    "stakes.rebuy": (
        "Before each hand a player without chips {}",
        {"none": "sits out", "each_hand": "buys in again"},
    ),
    "stakes.rake": (
        "Rake is taken {}",
        {None: "at every settlement", "final_hand_when_one_stack": "only when one player has every chip"},
    ),
    "stakes.rake_percent": ("The house takes {} percent of the chips won", {}),
    "stakes.rake_cap": ("One settlement costs {} chips of rake", {None: "any number of"}),
    "timeout.clock": (
        "Clock: {}",
        {"none": "none", "per_street": "one for each street", "shared_per_hand": "one for the whole hand"},
    ),
    "timeout.autoplace": (
        "Out of time, cards are placed {}",
        {"back_middle_front_dealt_order": "as dealt in the back, then the middle, then the front", "none": "by nobody"},
    ),
    "jokers.may_copy": (
        "A joker may repeat {}",
        {"none": "no card of its board", "other_row": "a card of another row", "any": "any card"},
    ),
    "jokers.reading": (
        "Jokers read {}",
        {"strongest_legal": "as strong as the rows behind allow", "strongest": "as strong as can be, even into a foul"},
    ),
    "jokers.five_of_a_kind": ("Five of a kind is {}", {True: "the highest hand", False: "not a hand"}),
}


def phrase(name: str, after: object, before: object = None, compared: bool = False) -> str:
    """Say what a parameter is or, when compared, what it is instead of what it was.

    >>> phrase("scoring.sweep_bonus", 0, 3, compared=True)
    'A scoop pays 0 instead of 3 extra points'
    """
    sentence, _ = PHRASES[name]
    words = value_words(name, after)
    if compared:
        words = f"{words} instead of {value_words(name, before)}"
    return re.sub(r"\b1 ((?:extra )?)(point|card|joker|chip|hand)s\b", r"1 \1\2", sentence.format(words))


def value_words(name: str, value: object) -> str:
    """Return the words for one value of a parameter."""
    if name == "deal.rounds":
        return streets_words(value)
    _, words = PHRASES[name]
    return words[value] if value in words else str(value)


def streets_words(rounds: Any) -> str:
    """Return the streets after the first in words, equal neighbours together."""
    parts: list[tuple[int, str]] = []
    for street in rounds:
        one = f"{_count(street['deal'], 'card')}"
        if street["discard"]:
            one += f" ({street['place']} placed, {street['discard']} discarded)"
        if parts and parts[-1][1] == one:
            parts[-1] = (parts[-1][0] + 1, one)
        else:
            parts.append((1, one))
    return " and ".join(f"{_count(streets, 'street')} of {one}" for streets, one in parts)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def front_name(hand: str) -> str:
    """Return the name of a front hand: 'kings' for KK, 'trip kings' for KKK."""
    return f"{'trip ' if len(hand) == 3 else ''}{RANK_NAMES[hand[0]]}"


def front_range(low: str, high: str) -> str:
    """Return the name of the front hands from one to another.

    >>> front_range("QQ", "AAA"), front_range("222", "AAA"), front_range("KK", "KK")
    ('queens or better', 'trips', 'kings')
    """
    if low == high:
        return front_name(low)
    if high == FRONT_HANDS[-1]:
        return "trips" if low == "222" else f"{front_name(low)} or better"
    return f"{front_name(low)} to {front_name(high)}"


def low_name(low: str) -> str:
    """Return the name of a royalty low: '7-5-4-3-2' or 'an eight-low'."""
    if low == "75432":
        return "7-5-4-3-2"
    name = LOW_NAMES[low[0]]
    return f"{'an' if name[0] in 'ae' else 'a'} {name}-low"


def hand_name(row: str, hand: str) -> str:
    """Return a hand and its row in words: 'quads in the back', 'kings up front'."""
    if row == "front":
        return f"{front_name(hand)} up front"
    if row == "middle_low":
        return f"{low_name(hand)} in the middle"
    return f"{CATEGORY_NAMES[hand]} {ROW_PLACES[row]}"


def is_plural(row: str, hand: str) -> bool:
    """Tell whether a hand's name takes a plural verb."""
    return row == "front" or hand in PLURALS


def stay_name(row: str, hand: str) -> str:
    """Return the hands that stay by a row: 'trips up front', 'quads or better in the back'."""
    if row == "front":
        return f"{front_range(hand, FRONT_HANDS[-1])} up front"
    return f"{CATEGORY_NAMES[hand]} or better {ROW_PLACES[row]}"


def points_words(points: Sequence[int]) -> str:
    """Return points in words, short where they are equal or run in order.

    >>> points_words([20, 20, 20]), points_words([10, 11, 12]), points_words([1, 5, 6])
    ('20 each', '10 to 12', '1, 5, 6')
    """
    if len(points) == 1:
        return str(points[0])
    if len(set(points)) == 1:
        return f"{points[0]} each"
    if all(high - low == 1 for low, high in pairwise(points)):
        return f"{points[0]} to {points[-1]}"
    return ", ".join(map(str, points))


def sentence_case(text: str) -> str:
    """Return the text with its first letter large."""
    return text[:1].upper() + text[1:]
