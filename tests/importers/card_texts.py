"""The cards a text names, read without any of the importers' code: what a hand may hold at most."""

import json
import re

SIGNS = {"c": 0, "d": 1, "h": 2, "s": 3, "♣": 0, "♦": 1, "♥": 2, "♠": 3, "♧": 0, "♢": 1, "♡": 2, "♤": 3}
RANKS = "23456789TJQKA"
_SUIT_WORDS = re.compile(r"([cdhs])(?:lub|iamond|eart|pade)s?(?:[ -]suit)?", re.I)
ANY = re.compile(r"(10|[2-9TJQKA]|[tjqka](?=[cdhs♣♦♥♠]))[ -]?([cdhsCDHS♣♦♥♠♧♢♡♤])|[xX]([12])")


def card_id(rank: str, suit: str) -> int:
    return 4 * RANKS.index("T" if rank == "10" else rank.upper()) + SIGNS[suit.lower()]


def _named(text: str) -> set[int]:
    return {51 + int(joker) if joker else card_id(rank, suit) for rank, suit, joker in ANY.findall(text)}


def _words(text: str) -> set[int]:
    """Cards as one program writes them: whole words in lower-case suits."""
    found = re.findall(r"(?<![\w#])(10|[2-9TJQKA])([cdhs])(?!\w)", text)
    return {card_id(rank, suit) for rank, suit in found}


def _kkpoker(text: str) -> set[int]:
    normal = re.findall(r'"(?:card": *")?([2-9TJQKA])([cdhs])"', text)
    return {card_id(rank, suit) for rank, suit in normal} | {
        51 + int(joker) for joker in re.findall(r'"JK([12])"', text)
    }


def _swc(text: str) -> set[int]:
    ids: set[int] = set()
    for board in re.findall(r'"d": ?"([-\d;]*)-\d+-\d+-\d+"', text):
        ids |= {int(card) for card in board.split(";") if card and 0 <= int(card) < 52}
    return ids


def _native(text: str) -> set[int]:
    try:
        hand = json.loads(text)
        return set().union(*(_named(seat.get("cards") or "") for seat in hand["seats"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        return set()


def _lists(text: str) -> set[int]:
    return _named(re.sub(r"^[^:\[\](){}]*[:=](?!>)", "", text, flags=re.M))


EXACT = {
    "article_slash": lambda text: _named(text.partition("\n")[2]),
    "flat13": _lists,
    "kkpoker_state_json": _kkpoker,
    "native_jsonl": _native,
    "ofc_text_view": _words,
    "swc_gamestate_json": _swc,
}
"""Formats whose hands hold every card their text names."""
AT_MOST = {"typed_boards": lambda text: _named(_SUIT_WORDS.sub(r"\1", text))}
"""Formats whose text may name cards in words beside the boards."""
