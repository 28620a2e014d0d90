"""ofclab's own exchange format: one JSON object a line for one hand, holding every fact of the log.

    {"format": "ofclab-hand", "version": 1, "id": "9f..", "table": "41..", "match": "9f..", "hand_no": 3, "button": 1,
     "completeness": "full", "rules": {"name": "house", "preset": "turbo", "changes": {"scoring.sweep_bonus": 0}},
     "site": .., "site_hand_id": .., "source_file": .., "source_line": .., "seed_key": ..,
     "played_at": "2026-02-08T02:20:30Z", "point_value_minor": 1, "currency": "chips", "observer_seats": [0],
     "warnings": ["..", ".."],
     "seats": [{"seat": 0, "player": "p-1a2b", "position": 2, "fl_cards": 0, "cards": "Qh Qd 2c As Ks 9h 9s 3d",
                "placement": "ffmbb mmx", "discards_known": true, "strategy": .., "announced": .., "stack_before": ..,
                "stack_after": .., "points_recorded": .., "royalties_recorded": .., "foul_recorded": ..,
                "next_fl_recorded": ..}],
     "acts": [{"seat": 0, "street": 1, "seconds": 2.5, "auto": false}]}

What is not known is left out. Ids are 16 hexadecimal digits; a hand without one gets it from its content. ``cards``
stand in deal order (``??``: nobody saw it), ``placement`` has a letter for each: f front, m middle, b back, x
discarded, h still in the hand, u in a row that is not known; spaces part the streets for the eye and mean nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from ofclab.cards import DECK, UNSEEN, CardError, format_cards, parse_cards
from ofclab.importers._native_sessions import FORMAT as SESSION
from ofclab.importers._native_sessions import is_session, read_session, session_lines
from ofclab.importers.model import Act, HandError, ImportedHand, ImportedSeat, Reject
from ofclab.importers.reading import LONGEST_LINE, NOT_TEXT, as_utc, decode_head, read_lines
from ofclab.importers.rulesets import nearest_preset
from ofclab.importers.sessions import ImportedSession
from ofclab.kernels.placement import NO_CARD
from ofclab.log import Completeness, Log, open_log
from ofclab.log.arrays import card_array, placement_array
from ofclab.log.parts import part_name, put
from ofclab.rules import Rules, RulesError, load_rules, presets

FORMAT, VERSION = "ofclab-hand", 1
LETTERS = "fmbxhu"
_ELSEWHERE = frozenset(("seat", "position", "cards", "placement"))
_SEAT = {
    "seat": int, "player": str, "position": int, "fl_cards": int, "cards": str, "placement": str,
    "discards_known": bool, "strategy": str, "announced": bool, "stack_before": int, "stack_after": int,
    "points_recorded": int, "royalties_recorded": int, "foul_recorded": bool, "next_fl_recorded": int,
}  # fmt: skip
_HAND = {
    "format": str, "version": int, "id": str, "table": str, "match": str, "hand_no": int, "button": int,
    "completeness": str, "rules": dict, "site": str, "site_hand_id": str, "source_file": str, "source_line": int,
    "seed_key": str, "played_at": str, "point_value_minor": int, "currency": str, "observer_seats": list,
    "warnings": list, "seats": list, "acts": list,
}  # fmt: skip
_ACT = {"seat": int, "street": int, "seconds": float, "auto": bool}


def _checked(value: object, fields: Mapping[str, type], what: str) -> dict[str, Any]:
    """A JSON object whose fields are known and of their type; null counts as left out."""
    if not isinstance(value, dict):
        raise HandError(f"want an object for {what}, got {str(value)[:60]!r}")
    if unknown := [name for name in value if name not in fields]:
        raise HandError(f"{what} has no field {unknown[0]!r}; have {', '.join(fields)}")
    given = {name: found for name, found in value.items() if found is not None}
    for name, found in given.items():
        kind = fields[name]
        is_number = kind is float and type(found) is int
        if type(found) is not kind and not is_number:
            raise HandError(f"{name} of {what} is {str(found)[:60]!r}; want {kind.__name__}")
    return given


def _id(hand: Mapping[str, Any], name: str) -> int | None:
    if name not in hand:
        return None
    try:
        return int(hand[name], 16)
    except ValueError:
        raise HandError(f"{name} is {hand[name][:40]!r}; want 16 hexadecimal digits") from None


_IDS = {format_cards([card]): card for card in (*range(DECK + 2), UNSEEN)}
_PLACES = frozenset(f"{LETTERS} ")
_CODES = str.maketrans({letter: chr(code) for code, letter in enumerate(LETTERS)} | {" ": ""})


def _cards(text: str) -> tuple[int, ...]:
    """Card ids of a text; CardError for what is no card."""
    words = text.split()
    try:
        return tuple([_IDS[word] for word in words])
    except KeyError:
        # Not as this module writes them, but cards perhaps all the same.
        words = text.replace("??", " ?? ").split()
        return tuple(
            card for word in words for card in ((UNSEEN,) if word == "??" else tuple(map(int, parse_cards(word))))
        )


def _seat(given: Mapping[str, Any]) -> ImportedSeat:
    try:
        cards = _cards(given.get("cards", ""))
    except CardError as error:
        raise HandError(str(error)) from None
    letters = given.get("placement", "")
    if wrong := set(letters) - _PLACES:
        raise HandError(f"no place {min(wrong)!r} for a card; have {', '.join(LETTERS)}")
    return ImportedSeat(
        cards=cards,
        placement=tuple(map(ord, letters.translate(_CODES))),
        **{name: found for name, found in given.items() if name not in _ELSEWHERE},
    )


@lru_cache(maxsize=256)
def _rules(text: str) -> Rules:
    said = _checked(json.loads(text), {"name": str, "preset": str, "changes": dict}, "rules")
    if said.get("preset") not in presets():
        raise HandError(f"no preset {said.get('preset')!r}; have {', '.join(presets())}")
    try:
        base = load_rules(said["preset"])
        return base.replace(said["changes"], name=said.get("name")) if said.get("changes") else base
    except RulesError as error:
        raise HandError(f"its rules cannot be played: {error}") from None


def _time(text: str, zone: ZoneInfo) -> datetime:
    time = as_utc(text, zone)
    if time is None:
        raise HandError(f"played_at is no time: {text[:40]!r}")
    return time


def _hand(file: str, line: int, text: str, zone: ZoneInfo) -> ImportedHand:
    if NOT_TEXT in text:
        raise HandError("the line holds bytes that are not UTF-8 text")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise HandError(f"not a JSON object: {error}") from None
    hand = _checked(value, _HAND, "the hand")
    if hand.get("format") != FORMAT or hand.get("version") != VERSION:
        raise HandError(
            f"want format {FORMAT!r}, version {VERSION}; got {hand.get('format')!r}, {hand.get('version')!r}"
        )
    if hand.get("completeness") not in list(Completeness):
        raise HandError(f"no completeness {hand.get('completeness')!r}; have {', '.join(Completeness)}")
    if not hand.get("seats"):
        raise HandError("the hand has no seats")
    seats = [_checked(seat, _SEAT, "a seat") for seat in hand["seats"]]
    numbers = tuple(seat.get("seat", i) for i, seat in enumerate(seats))
    observers = hand.get("observer_seats")
    warnings = hand.get("warnings", [])
    if not all(isinstance(warning, str) for warning in warnings):
        raise HandError(f"want texts for warnings, got {warnings!r}")
    acts = [_checked(act, _ACT, "an act") for act in hand.get("acts", ())]
    if not all("seat" in act for act in acts):
        raise HandError("an act without a seat")
    if observers is not None and not all(type(seat) is int and 0 <= seat < 8 for seat in observers):
        raise HandError(f"want seat numbers for observer_seats, got {observers!r}")
    positions = [seat.get("position") for seat in seats]
    return ImportedHand(
        file=file,
        line=line,
        # A hand with an id comes from a log, and keeps the source it had there.
        source=(hand.get("source_file"), hand.get("source_line")) if "id" in hand else None,
        site=hand.get("site"),
        site_hand_id=hand.get("site_hand_id"),
        hand_no=hand.get("hand_no", 0),
        button=hand.get("button"),
        seats=tuple(_seat(seat) for seat in seats),
        completeness=Completeness(hand["completeness"]),
        played_at=_time(hand["played_at"], zone) if "played_at" in hand else None,
        point_value_minor=hand.get("point_value_minor"),
        currency=hand.get("currency"),
        observer_seats=None if observers is None else tuple(observers),
        acts=tuple(Act(**act) for act in acts),
        warnings=tuple(warnings),
        rules=_rules(json.dumps(hand["rules"])) if "rules" in hand else None,
        seat_numbers=numbers,
        positions=tuple(positions) if any(position is not None for position in positions) else (),
        seed_key=hand.get("seed_key"),
        hand_id=_id(hand, "id"),
        table_id=_id(hand, "table"),
        match_id=_id(hand, "match"),
        raw=text,
    )  # fmt: skip


class NativeJsonl:
    """The format of this module; the only one that can be written as well."""

    name = "native_jsonl"
    description = "ofclab's own exchange format: a JSON object a hand"
    rules = "american-pineapple"

    def detect(self, path: Path, head: bytes) -> str | None:
        """Files that name the format in one of the first lines."""
        text = decode_head(head).replace(" ", "")
        said = next((name for name in (FORMAT, SESSION) if f'"format":"{name}"' in text), None)
        return f"its lines say {said!r}" if said else None

    def read(self, path: Path, timezone: str) -> Iterator[ImportedHand | ImportedSession | Reject]:
        """Every line of the file that is not blank."""
        zone = ZoneInfo(timezone)
        for line in read_lines(path):
            if not line.text.strip():
                continue
            try:
                if line.is_cut:
                    raise HandError(f"the line has more than {LONGEST_LINE} characters")
                read = read_session if is_session(line.text) else _hand
                yield read(path.name, line.number, line.text, zone)
            except HandError as error:
                yield Reject(path.name, line.number, str(error), line.text)

    def write(self, log: Log | str | Path, path: Path) -> int:
        """Write every hand and session of a log and return how many; the file appears whole or not at all."""
        opened = log if isinstance(log, Log) else open_log(log)
        rules = {ruleset: _rules_text(played) for ruleset, played in opened.rulesets.items()}
        lines = [
            json.dumps(hand, ensure_ascii=False, separators=(",", ":"))
            for number in opened.parts
            for hand in _hands(opened, number, rules)
        ]
        lines += [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in session_lines(opened)]
        put(path, "".join(f"{line}\n" for line in lines).encode())
        return len(lines)


def _rules_text(rules: Rules) -> dict[str, Any]:
    """A ruleset as the preset next to it and what it changes there."""
    preset, changes = nearest_preset(rules)
    return {"name": rules.name, "preset": preset, **({"changes": changes} if changes else {})}


def _hands(log: Log, number: int, rules: Mapping[str, dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The hands of one part as JSON objects."""
    hands, seats = log.part(number)
    cards, codes = card_array(seats).tolist(), placement_array(seats).tolist()
    kept = [name for name in _SEAT if name not in ("cards", "placement")]
    seat_rows = seats.select(kept).iter_rows(named=True)
    acts = _acts(log, number)
    first = 0
    for hand in hands.iter_rows(named=True):
        found = []
        for i in range(first, first + hand["n_seats"]):
            dealt = [(card, code) for card, code in zip(cards[i], codes[i], strict=True) if code != NO_CARD]
            seat = {name: value for name, value in next(seat_rows).items() if value is not None}
            seat["cards"] = format_cards(card for card, _ in dealt)
            seat["placement"] = "".join(LETTERS[code] for _, code in dealt)
            found.append(seat)
        first += hand["n_seats"]
        mask, warnings, played_at = hand["observer_seats"], hand["warnings"], hand["played_at"]
        same = ("hand_no", "button", "completeness", "site", "site_hand_id", "source_file", "source_line", "seed_key",
                "point_value_minor", "currency")  # fmt: skip
        match = hand["match_id"]
        facts = {
            "format": FORMAT,
            "version": VERSION,
            "id": f"{hand['hand_id']:016x}",
            "table": f"{hand['table_id']:016x}",
            "match": None if match is None else f"{match:016x}",
            **{name: hand[name] for name in same},
            "rules": rules[hand["ruleset_id"]],
            "played_at": None if played_at is None else played_at.isoformat().replace("+00:00", "Z"),
            "observer_seats": None if mask is None else [seat for seat in range(8) if mask >> seat & 1],
            "warnings": warnings.split("\n") if warnings else None,
            "seats": found,
            "acts": acts.get(hand["hand_id"]),
        }
        yield {name: value for name, value in facts.items() if value is not None}


def _acts(log: Log, number: int) -> dict[int, list[dict[str, Any]]]:
    """The acts of each hand of a part, where the log has any."""
    if part_name(number) not in log.store.names("acts"):
        return {}
    acts: dict[int, list[dict[str, Any]]] = {}
    for act in log.read("acts", number).sort("hand_id", "act").iter_rows(named=True):
        facts = {name: act[name] for name in _ACT if act[name] is not None}
        acts.setdefault(act["hand_id"], []).append(facts)
    return acts


IMPORTER = NativeJsonl()
