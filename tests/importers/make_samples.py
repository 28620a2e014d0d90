"""Write the samples of the formats that rooms and trackers have, from hands our own engine plays.

Run it:  python tests/importers/make_samples.py

The hands are played by bots; the players are called player1, player2. Each file has the defects its format is known
for: states that are missing, slots that change places, a hand that is not finished, a line that is torn.
"""

import json
import random
from pathlib import Path

from played_hands import ROWS, Hand, Seat, in_rows, played, put
from tracker_samples import write_tracker

import ofclab as ofc

SAMPLES = Path(__file__).parents[2] / "data" / "samples"


# The web client's states.


def d_string(lying: list[tuple[int, int]], held: list[int], rng: random.Random) -> str:
    rows = in_rows(lying)
    for row in rows:
        rng.shuffle(row)
    ids = [card for row in rows for card in row] + held
    return f"{';'.join(map(str, ids))}-{'-'.join(str(len(row)) for row in rows)}"


def swc_states(hand: Hand, number: int, game: int, table: str, rng: random.Random, me: int | None = 0) -> list[dict]:
    """All states of a hand as player ``me`` sees them, None: as somebody who only watches."""
    lying: list[list[tuple[int, int]]] = [[] for _ in hand.seats]
    states = []

    def state(held: dict[int, list[int]], over: bool = False) -> dict:
        seats = []
        for i, seat in enumerate(hand.seats):
            chips, points = (seat.after, seat.points) if over else (seat.before, 0)
            told = {"n": seat.name, "c": chips * 100, "b": 0, "p": points}
            told["d"] = d_string(lying[i], held.get(i, []), rng)
            if over:
                rows = [{"h": row, "b": seat.royalties if row == 2 else 0} for row in range(3)]
                told["chihr"] = [{"e": seat.points, "h": rows}] * (len(hand.seats) - 1)
            seats.append(told)
        shown = "\n".join("High Card" if s.fouled else "High Card\tPair\tTwo Pair" for s in hand.seats)
        told = {"gi": number, "gt": game, "ti": table, "ts": 0 if over else 2}
        told |= {"m": {"di": hand.button, "sb": -1, "bb": -1}, "d": {"c": "", "p": 0}, "s": seats}
        return {**told, "ss": {"hc": shown}} if over else told

    for street, seat in hand.turns:
        dealt = hand.seats[seat].deal(street)
        held = [card for card, _ in dealt] if seat == me else [99] * len(dealt)
        states.append(state({seat: held}))
        lying[seat] += [(card, code) for card, code in dealt if code < 3]
        states.append(state({}))
    states.append(state({}, over=True))
    return states


def write_swc(folder: Path) -> None:
    rng = random.Random(5)
    flat = played("american-pineapple", ["never_bust_greedy", "hindsight"], 17, 4, 12)
    progressive = played("progressive-pineapple", ["never_bust_greedy", "hindsight"], 17, 4, 12)
    three = played("american-pineapple", ["never_bust_greedy", "cutoff_rows", "random_legal"], 3, 1, 1)
    normal = [hand for hand in flat if not any(seat.fl_cards for seat in hand.seats)]
    mine = next(hand for hand in progressive if hand.seats[0].fl_cards or hand.seats[1].fl_cards)
    theirs = next(hand for hand in flat if hand.seats[1].fl_cards)
    lines: list[str] = []

    def add(states: list[dict]) -> None:
        lines.extend(json.dumps(state) for state in states)

    add(swc_states(normal[0], 880001, 74, "table-a", rng))
    watched = swc_states(normal[1], 880002, 74, "table-a", rng, me=None)
    add([watched[5], watched[-1]])
    add(swc_states(mine, 880003, 75, "table-b", rng, me=0 if mine.seats[0].fl_cards else 1))
    add(swc_states(theirs, 880004, 74, "table-a", rng))
    whole = swc_states(three[0], 880005, 74, "table-c", rng, me=2)
    for one in whole:
        one["s"].insert(1, None)
        one["m"]["di"] += one["m"]["di"] > 0
        one["d"]["r"] = 12
    add([*whole, whole[-1]])
    lines.append(lines[-1][: len(lines[-1]) // 2])
    add(swc_states(normal[2], 880006, 77, "table-a", rng)[:9])
    put(folder / "states.jsonl", "".join(f"{line}\n" for line in lines))


# The dealer's chat.


def write_chat(folder: Path) -> None:
    lines: list[str] = []
    for seed in (1, 2, 3):
        hands = played("american-pineapple", ["never_bust_greedy", "hindsight"], seed + 40, 1, 5)
        names = [seat.name for seat in hands[0].seats]
        planned = sum(not any(seat.fl_cards for seat in hand.seats) for hand in hands)
        lines.append(f"New game started ({planned} hands)")
        for number, hand in enumerate(hands, 1):
            lines += [
                f"{seat.name} is in fantasy land. The button will not be moved" for seat in hand.seats if seat.fl_cards
            ]
            lines.append(f"New hand started ({number} of {len(hands)})")
            scores = ", ".join(f"{s.name}: {s.points:+d}" if s.points else f"{s.name}: 0" for s in hand.seats)
            lines.append(f"Hand #{number} finished - {scores}")
        total = [sum(hand.seats[i].points for hand in hands) for i in range(2)]
        shown = ", ".join(
            f"{name}: {points:+d}" if points else f"{name}: 0" for name, points in zip(names, total, strict=True)
        )
        lines.append(f"TOTAL - {shown}")
        lines.append(f"{names[total.index(max(total))]} wins {abs(max(total)) * 0.95:.2f}")
        lines.append(f"Game complete, {len(hands)} hands played")
    put(folder / "games.txt", "".join(f"{line}\n" for line in lines))


# KKPoker's states.


def kk(cards: list[int]) -> list[str]:
    return [{"X1": "JK1", "X2": "JK2"}.get(str(ofc.Card(card)), str(ofc.Card(card))) for card in cards]


def kk_frames(hand: Hand, hero: int, name: str) -> list[dict]:
    lying: list[list[tuple[int, int]]] = [[] for _ in hand.seats]
    thrown: list[list[int]] = [[] for _ in hand.seats]
    frames = []

    def frame(turn: int, street: int, pending: bool, over: bool = False) -> dict:
        in_fantasyland = any(seat.fl_cards for seat in hand.seats)
        held = [] if over else hand.seats[hero].deal(street)
        if len(lying[hero]) >= (5, 7, 9, 11, 13)[street] or (hand.seats[hero].fl_cards and lying[hero]):
            held = []
        players = []
        for chair, seat in enumerate(hand.seats):
            rows = in_rows(lying[chair])
            told = {"chair": chair, "name": "hero" if chair == hero else f"villain{chair}",
                    "board": {row: kk(cards) for row, cards in zip(ROWS, rows, strict=True)}}  # fmt: skip
            if in_fantasyland:
                told["fantasy"] = bool(seat.fl_cards)
            if chair != hero:
                told["hidden_discard_count"] = len(thrown[chair])
                told["hidden_incoming_count"] = len(seat.deal(street)) if chair == turn and not over else 0
            players.append(told)
        laid = [{"card": kk([card])[0], "row": ROWS[code]} for card, code in held if code < 3] if pending else []
        state = {"mode": "joker_ultimate", "players": players, "hero_chair": hero, "dealer_chair": hand.button,
                 "acting_chair": turn, "round_index": -1 if in_fantasyland else street,
                 "hero_incoming": kk([card for card, _ in held]), "hero_discards": kk(thrown[hero]),
                 "hero_pending": laid, "hero_can_prepare": True, "hero_can_confirm": bool(laid),
                 "action_required": turn == hero}  # fmt: skip
        number = f"{name}{len(frames):03d}"
        return {
            "schema_version": 1,
            "frame": number,
            "frame_kind": "played_by_bots",
            "table_label": "Joker",
            "state": state,
        }

    for street, seat in hand.turns:
        frames.append(frame(seat, street, pending=seat == hero))
        dealt = hand.seats[seat].deal(street)
        lying[seat] += [(card, code) for card, code in dealt if code < 3]
        thrown[seat] += [card for card, code in dealt if code == 3]
    frames.append(frame(hero, 4, pending=False, over=True))
    return frames


def joker_fantasyland() -> Hand:
    """A normal hand against a Fantasyland hand with both jokers, as the setter sets it."""
    rules = ofc.load_rules("joker-progressive")
    hand = next(
        hand for hand in played("joker-progressive", ["never_bust_greedy", "cutoff_rows"], 12, 4, 6)
        if not any(card >= 52 for card in hand.seats[0].cards) and not any(seat.fl_cards for seat in hand.seats)
    )  # fmt: skip
    rng = random.Random(3)
    free = [card for card in range(52) if card not in hand.seats[0].cards]
    cards = [52, 53, *rng.sample(free, 13)]
    board = ofc.set_fantasyland(cards, rules).board
    rows = [board.front, board.middle, board.back]
    codes = [next((row for row in range(3) if ofc.Card(card) in rows[row]), 3) for card in cards]
    hand.seats[1] = Seat("player2", cards, codes, 15, 0, 0, False, 0, 0)
    hand.button = 0
    return hand


def write_kk(folder: Path) -> None:
    hands = played("joker-progressive", ["never_bust_greedy", "cutoff_rows"], 11, 4, 6)
    with_jokers = [hand for hand in hands if any(card >= 52 for seat in hand.seats for card in seat.cards)]
    frames = kk_frames(with_jokers[0], 0, "a")
    # As a screen is looked at now and then: the states between are missing.
    put(folder / "capture.jsonl", "".join(f"{json.dumps(one)}\n" for one in (
        *frames, *kk_frames(with_jokers[1], 1, "b")[::3], *kk_frames(joker_fantasyland(), 1, "c")[:-1],
        *kk_frames(with_jokers[2], 0, "d")[:4],
    )))  # fmt: skip
    for one in kk_frames(with_jokers[3], 1, "e")[:-1]:
        put(folder / "frames" / f"{one['frame']}.json", json.dumps(one, indent=1))


# Annotated rounds.


def article(cards: list[int], fresh: set[int]) -> str:
    glyph = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
    names = {card: str(ofc.Card(card)).replace("T", "10") for card in cards}
    shown = {card: name[:-1] + glyph[name[-1]] for card, name in names.items()}
    new = "".join(shown[card] for card in cards if card in fresh)
    return "".join(shown[card] for card in cards if card not in fresh) + (f"({new})" if new else "")


def write_article(folder: Path) -> None:
    hands = played("american-pineapple", ["never_bust_greedy", "cutoff_rows"], 23, 1, 6)
    normal = [hand for hand in hands if not any(seat.fl_cards for seat in hand.seats)]
    blocks = []
    for number, hand, streets in ((101, normal[0], 6), (102, normal[1], 3), (103, normal[2], 2)):
        order = [1 - hand.button, hand.button]
        lines = [f"Round {number} (button)" if number != 103 else f"Round {number} (button, a small pot)"]
        for street in range(streets):
            boards = []
            for place, i in enumerate(order):
                seat = hand.seats[i]
                ends = min(street + (1 if place == 0 else (street == 0)), 5)
                pairs = [pair for k in range(ends) for pair in seat.deal(k)]
                new = {card for card, code in seat.deal(street) if code < 3} if 0 < street < 5 and place == 0 else set()
                board = "/".join(article(row, new) for row in in_rows(pairs))
                if place == 0 and 0 < street < 5:
                    board += "/[x]"
                if place == 1 and 0 < street < 5:
                    board += "/" + article([card for card, _ in seat.deal(street)], set())
                boards.append(board)
            lines.append(f"{street + 1}. {', '.join(boards)}")
        blocks.append("\n".join(lines))
    put(folder / "rounds.txt", "\n\n".join(blocks) + "\n")


if __name__ == "__main__":
    write_swc(SAMPLES / "swc_gamestate_json")
    write_chat(SAMPLES / "swc_dealer_chat")
    write_kk(SAMPLES / "kkpoker_state_json")
    write_article(SAMPLES / "article_slash")
    write_tracker(SAMPLES / "ofc_text_view")
