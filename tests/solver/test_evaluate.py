"""Evaluations of whole spots: exact against plain Python, sampled against exact, and what the answer says of itself."""

import random
from itertools import combinations

import naive
import numpy as np
import polars as pl
import pytest

import ofclab as ofc
from ofclab.solver.evaluate import evaluate_spot, fantasyland_points
from ofclab.solver.report import SpotEvaluation
from ofclab.spot import Spot, SpotError

PINEAPPLE = ofc.load_rules("american-pineapple")
STREET_3 = "Qc Ks / 2s 3c 3h / 4d 8d  dealt: Tc 5d Qh  discards: Th"
STREET_4 = "7c Ks / 2s 3c 3h / 4d 8d Qd Jd  dealt: Tc 5d 2h  discards: Th 7s"
OPPONENT = "opponent: Kd Ts / Ac Ad 7h / Jc Js Jh 9c"
VALUES = {13: 6.5, 14: 9.6, 15: 13.5, 16: 17.5, 17: 21.5}


def last_street_spot(rules: ofc.Rules, rng: random.Random, opponents: int) -> Spot:
    """A spot on the last street, with finished opponents."""
    full = naive.legal_board(rules, rng)
    deal, place, _ = (rules.deal.rounds[-1].deal, rules.deal.rounds[-1].place, 0)
    gone = rng.sample(full.cards, place)
    board = ofc.Board(*(tuple(card for card in row if card not in gone) for row in full.rows))
    seen = set(full.cards)
    others = []
    for _ in range(opponents):
        others.append(naive.legal_board(rules, rng, tuple(seen)))
        seen |= set(others[-1].cards)
    free = [card for card in map(ofc.Card, range(52 + rules.deck.jokers)) if card not in seen]
    dealt = (*gone, *rng.sample(free, deal - place))
    return Spot(board, dealt, rules=rules, opponents=tuple(others))


@pytest.mark.parametrize(
    "name", ["american-pineapple", "deuce-pineapple", "turbo", "american-regular", "joker-progressive"]
)
@pytest.mark.parametrize("opponents", [0, 1, 2])
def test_the_last_placement_is_scored_exactly(name: str, opponents: int) -> None:
    rules, rng = ofc.load_rules(name), random.Random(f"{name} {opponents}")
    for _ in range(3):
        spot = last_street_spot(rules, rng, opponents)
        reference = naive.Naive(rules, VALUES, [[other] for other in spot.opponents])
        found = evaluate_spot(spot, fantasyland_values=VALUES)
        assert found.exact
        for placement, row in zip(found.placements, found.frame.iter_rows(named=True), strict=True):
            points, earned = reference.finish(spot.board.place(placement).rows)
            assert row["ev"] == pytest.approx(float(points), abs=1e-9)
            assert (row["foul"], row["fantasyland"]) == (earned < 0, earned > 0)
            if earned > 0:
                assert row[f"fantasyland_{earned}"] == 1


def within(evaluation: SpotEvaluation, exact: SpotEvaluation, errors: float = 3.0) -> list[bool]:
    """For each placement, whether the sampled value lies within so many standard errors of the exact one."""
    truth = dict(zip(exact["placement"], exact["ev"], strict=True))
    rows = evaluation.frame.iter_rows(named=True)
    return [abs(row["ev"] - truth[row["placement"]]) <= errors * row["se"] + 1e-9 for row in rows]


SPOTS = [STREET_3, STREET_4, f"{STREET_4} opponent: Kd Ts 7d / Ac Ad 7h 6h 6s / Jc Js Jh 9c 9h"]


@pytest.mark.parametrize("text", SPOTS)
def test_sampled_values_lie_within_their_errors(text: str) -> None:
    exact = evaluate_spot(text, PINEAPPLE, budget=30)
    sampled = evaluate_spot(text, PINEAPPLE, samples=400, exact=False, seed=2)
    assert exact.exact
    assert not sampled.exact
    assert np.mean(within(sampled, exact)) >= 0.95
    assert sampled.frame.head(1)["loss"][0] == 0
    best = exact["placement"][0]
    assert sampled.frame.filter(pl.col("placement") == best)["verdict"][0] in ("best", "too close to call")


def test_an_opponents_last_draw_is_averaged() -> None:
    """Both boards have one street to go: every draw of the opponent, played as the policy plays it, by enumeration."""
    rules = PINEAPPLE
    spot = Spot.parse(
        "7c Ks / 2s 3c 3h 2h / 4d 8d Qd Jd 5d  dealt: 3d Ah Kh  discards: Th 7s Tc "
        "opponent: Kd Ts 7d / Ac Ad 7h 6h / Jc Js Jh 9c",
        rules,
    )
    other, mine = spot.opponents[0], [spot.board.place(p) for p in spot.legal_placements(rules)]
    finals = []
    for dealt in combinations(spot.unseen(rules), 3):
        ways = [ofc.Board(*after) for after in naive.placed(other.rows, dealt, 2)]
        cards = np.array([one.front + one.middle + one.back for one in ways], np.uint8)
        alone = ofc.score_boards(np.repeat(cards[:, None], 2, axis=1), rules)
        worth = alone.royalties[:, 0].sum(axis=1) + 9.6 * (alone.next_fantasyland[:, 0] > 0) - 6 * alone.fouled[:, 0]
        finals.append(cards[int(np.argmax(worth))])
    truth = {}
    for placement, board in zip(spot.legal_placements(rules), mine, strict=True):
        own = np.tile(np.array(board.front + board.middle + board.back, np.uint8), (len(finals), 1))
        scored = ofc.score_boards(np.stack((own, np.stack(finals)), axis=1), rules)
        truth[str(placement)] = scored.points[:, 0].mean() + 9.6 * scored.next_fantasyland[0, 0].astype(bool)
    found = evaluate_spot(spot, fantasyland_values=9.6, samples=120, policy="hindsight(samples=4)")
    assert not found.exact
    assert "hindsight" in found.information
    for row in found.frame.iter_rows(named=True):
        assert abs(row["ev"] - truth[row["placement"]]) <= 4 * row["se"] + 0.02
        assert row["se"] < 0.4


def test_an_answer_says_what_it_is() -> None:
    found = evaluate_spot(f"{STREET_4} {OPPONENT}", PINEAPPLE, fantasyland_values={14: 9}, samples=8)
    assert found.frame.columns == [
        "placement", "front", "middle", "back", "discard", "ev", "se", "loss", "loss_se", "foul", "fantasyland",
        "fantasyland_14", "exact", "samples", "verdict",
    ]  # fmt: skip
    assert found["ev"].is_sorted(descending=True)
    assert found["verdict"][0] == "best"
    assert set(found["verdict"]) <= {"best", "too close to call"} | {f"loses {loss:.2f}" for loss in found["loss"]}
    assert str(found.best) == found["placement"][0]
    assert found.policy == "expert(fast)"
    for words in (
        "own board",
        "2 own discards",
        "an opponent's 9 cards",
        "2 of them discarded",
        "expert(fast)",
    ):
        assert words in found.information
    assert len(found.to_pandas()) == len(found) == 21
    assert found.head(3).height == 3
    assert "8d" in repr(found)
    assert "best" in found._repr_html_()
    assert [row["ev"] for row in found.as_dict()["placements"]] == found["ev"].to_list()
    exact = evaluate_spot(STREET_4, PINEAPPLE)
    assert exact.policy == "none: exact"
    assert exact["se"].sum() == exact["samples"].sum() == 0


@pytest.mark.parametrize("text", [f"{STREET_4} {OPPONENT}", "Qc / 2s 3c / 4d 8d dealt: Tc 5d Qh"])
def test_a_seed_and_samples_give_one_answer(text: str) -> None:
    first, again, other = (evaluate_spot(text, PINEAPPLE, samples=8, seed=seed).frame for seed in (1, 1, 2))
    assert first.equals(again)
    assert not first.equals(other)


def test_fantasyland_is_worth_what_it_is_said_to_be() -> None:
    assert fantasyland_points(None)[14] == 9.6
    assert fantasyland_points(5) == dict.fromkeys(range(13, 18), 5.0)
    assert fantasyland_points({14: 2})[14] == 2
    none, some, great = (evaluate_spot(STREET_4, PINEAPPLE, worth)["ev"][0] for worth in (0, 9, 90))
    assert none < some < great
    by_size = {14: 0.0, 15: 0.0, 16: 0.0, 17: 0.0}
    rules = ofc.load_rules("progressive-pineapple")
    lone = evaluate_spot("Ac Ks / 2s 3c 3h / 4d 8d Qd Jd dealt: Tc 5d 2h", rules, by_size)
    kings = evaluate_spot("Ac Ks / 2s 3c 3h / 4d 8d Qd Jd dealt: Tc 5d 2h", rules, {**by_size, 15: 50.0})
    assert kings["ev"][0] > lone["ev"][0]
    assert kings["fantasyland_15"].max() > 0


@pytest.mark.parametrize(
    ("rules", "text", "exact"),
    [
        ("american-regular", "Qc Ks / 2s 3c 3h 3d / 4d 8d Qd Jd dealt: Tc", True),
        ("american-regular", "Qc Ks / 2s 3c / 4d 8d Qd dealt: Tc", False),
        ("turbo", "Qc Ks / 2s 3c 3h / 4d 8d Qd 9d dealt: Tc 5d 2h 2c", True),
        ("turbo", "dealt: Tc 5d 2h 2c 9h", False),
        ("joker-progressive", "Qc Ks / 2s 3c 3h / 4d 8d Qd X1 dealt: Tc 5d 2h", True),
        ("deuce-pineapple", "Qc / 2s 3c / 8c 8d dealt: Tc 5d 2h", False),
    ],
)
def test_every_variant_can_be_asked(rules: str, text: str, exact: bool) -> None:
    found = evaluate_spot(text, ofc.load_rules(rules), samples=4, fantasyland_values=9)
    assert found.exact is exact
    assert found["ev"].is_finite().all()


class Nosy:
    """A policy that keeps what it was shown."""

    def __init__(self) -> None:
        self.views: list[ofc.View] = []

    def choose(self, view: ofc.View) -> ofc.Placement:
        self.views.append(view)
        return view.legal_placements()[0]


def test_the_policy_sees_no_hidden_card() -> None:
    spot = Spot.parse("Qc / 2s 3c / 4d 8d dealt: Tc 5d Qh opponent: As / Kc Kh / 9c 9h dead: 7c", PINEAPPLE)
    policy = Nosy()
    found = evaluate_spot(spot, samples=4, policy=policy)
    assert found.policy == "Nosy"
    assert {len(view.board.cards) for view in policy.views} == {5, 7, 9, 11}
    for view in policy.views:
        own = {*view.board.cards, *view.dealt, *view.discards}
        mine = spot.opponents[0] == view.opponents[0].board
        other = spot.opponents[0] if mine else spot.board
        assert view.seen == own | {*other.cards, ofc.Card.parse("7c")}
        if not mine:  # the opponent sees the board, not the cards just dealt or thrown away
            assert not {*spot.dealt, *spot.discards} & view.seen


def test_hidden_cards_change_nothing() -> None:
    hidden = [("Ah Ad Ac / - / -",), ("- / 2d 2h / Kh Kd",), ()]
    spots = [
        Spot("Qc / 2s 3c / 4d 8d", "Tc 5d Qh", seats=2, opponents=boards, opponents_fantasyland=(14,))
        for boards in hidden
    ]
    frames = [evaluate_spot(spot, PINEAPPLE, samples=4).frame for spot in spots]
    assert frames[0].equals(frames[1])
    assert frames[0].equals(frames[2])


def test_dead_cards_count() -> None:
    flush_draw = "7c Ks / 2s 3c 3h 2h / 4d 8d Qd Jd  dealt: Tc 9s 5h"
    board, dealt = "7c / 2s 3c 3h 2h / 4d 8d Qd Jd", "Ks 9s 5h"
    assert flush_draw
    live = evaluate_spot(Spot(board, dealt, "Tc 7s"), PINEAPPLE)
    dead = evaluate_spot(Spot(board, dealt, "Tc 7s", dead="2d 3d 5d 6d 7d 9d Td"), PINEAPPLE)
    assert live["ev"].max() > dead["ev"].max()


def test_what_cannot_be_evaluated_is_refused() -> None:
    with pytest.raises(SpotError, match="no rules"):
        evaluate_spot(STREET_4)
    with pytest.raises(ValueError, match="no strategy 'clairvoyant'"):
        evaluate_spot(STREET_4, PINEAPPLE, policy="clairvoyant")
    with pytest.raises(ValueError, match="13 to 17 cards, got a value for 12"):
        evaluate_spot(STREET_4, PINEAPPLE, {12: 3.0})
    with pytest.raises(ValueError, match="at least one sample"):
        evaluate_spot(STREET_4, PINEAPPLE, samples=0)


def random_spot(rng: random.Random, placed: int, opponents: int) -> Spot:
    """A street-3 or street-4 spot of a sensible board, perhaps with a finished opponent."""
    other = naive.legal_board(PINEAPPLE, rng)
    full = naive.legal_board(PINEAPPLE, rng, other.cards if opponents else ())
    gone = rng.sample(full.cards, 13 - placed)
    board = ofc.Board(*(tuple(card for card in row if card not in gone) for row in full.rows))
    seen = {*full.cards, *(other.cards if opponents else ())}
    free = rng.sample([card for card in map(ofc.Card, range(52)) if card not in seen], 4)
    dealt = rng.sample([*gone, *free[:2]], 3)
    return Spot(board, dealt, free[2 : 2 + (placed - 7) // 2 + 1], PINEAPPLE, opponents=(other,) * opponents)


@pytest.mark.slow
def test_sampled_values_of_300_spots_lie_within_their_errors() -> None:
    rng, inside = random.Random(300), []
    for number in range(300):
        spot = random_spot(rng, 9 if number % 10 else 7, number % 2)
        exact = evaluate_spot(spot, budget=60)
        assert exact.exact
        inside += within(evaluate_spot(spot, samples=400, exact=False, seed=number), exact)
    assert np.mean(inside) >= 0.99


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "dealt: Ah Kc Qs 8h 7c",
        "dealt: 9h 9c 5s 5h 2c opponent: -",
        "Qc / 2s 3c / 4d 8d dealt: Tc 5d Qh",
        "Kc / 9s 9c / As 8s dealt: Ts 5d Kh opponent: Ah / 7c 7d / Qd Jd position: 1",
    ],
)
def test_one_second_agrees_with_ten(text: str) -> None:
    short, long = (evaluate_spot(text, PINEAPPLE, budget=budget, seed=seed) for budget, seed in ((1, 5), (10, 6)))
    truth = {row["placement"]: row for row in long.frame.iter_rows(named=True)}
    agree = [
        abs(row["ev"] - truth[row["placement"]]["ev"]) <= 3 * np.hypot(row["se"], truth[row["placement"]]["se"])
        for row in short.frame.head(10).iter_rows(named=True)
    ]
    assert np.mean(agree) >= 0.9
    # The placement the short answer prefers: both answers' gaps to the other's choice, against their quoted errors.
    chosen = truth[short["placement"][0]]
    other = short.row(by_predicate=pl.col("placement") == long["placement"][0], named=True)
    assert chosen["loss"] + other["loss"] <= 3.5 * np.hypot(chosen["loss_se"], other["loss_se"])


def test_fantasyland_counts_its_fixed_point_unless_told_otherwise() -> None:
    rules = ofc.load_rules("american-regular")
    spot = Spot.parse("Qc / 2s 3c 3h 3d 8c / 4d 8d Qd Jd 9d dealt: Qs")
    usual, given = evaluate_spot(spot, rules), evaluate_spot(spot, rules, fantasyland_values={13: 7})
    worth = ofc.usual_fantasyland_values(rules)[13]
    assert f"Fantasyland counts {worth:g} with 13 cards." in usual.information
    assert "Fantasyland counts 7 with 13 cards." in given.information
    assert usual["ev"][0] - given["ev"][0] == pytest.approx((worth - 7) * usual["fantasyland"][0], abs=0.01)
