"""Expert: its weights, its levels, what it says of other rules, and its exact last streets."""

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ofclab as ofc
from ofclab.engine import DEFAULT_FANTASYLAND_VALUES, Spots
from ofclab.kernels import expert_play, expert_tail
from ofclab.kernels.judge import GRAIN, judge, make_work
from ofclab.kernels.tails import THREE_CARDS
from ofclab.rules.compiled import compile_rules
from ofclab.solver.payoff import Valuation
from ofclab.solver.streets import ToCome, value
from ofclab.strategies import UnknownStrategy, default_strategy, get
from ofclab.strategies.base import placement_table, values_array
from ofclab.strategies.expert import Expert, ExpertNotice
from ofclab.strategies.expert_choice import find_weights, has_nets, nearest_weights
from ofclab.strategies.expert_payoff import NORMAL, Field, prior_of, row_payoff, worth_against
from ofclab.strategies.expert_streets import completions, streets_of
from ofclab.strategies.expert_weights import FOLDER, WeightsError, load, shipped
from ofclab.strategies.hindsight import Hindsight

PINEAPPLE = ofc.load_rules("american-pineapple")
COMPILED = compile_rules(PINEAPPLE)
VALUES = values_array(DEFAULT_FANTASYLAND_VALUES)
STREETS = streets_of(PINEAPPLE)
assert STREETS is not None
WEIGHTS = load(FOLDER / "american-pineapple.npz")
TWO_CARD_PLAY = ofc.load_rules("american-regular").replace({"deal.rounds": [{"deal": 2, "place": 2, "discard": 0}] * 4})
"""A deal that no weights are of."""


def test_levels_are_written_as_a_bare_word() -> None:
    assert get("expert(fast)") == get("expert(level='fast')") == Expert("fast")
    assert get("expert(fast)").label == "expert(fast)"
    assert get("expert").label == "expert"
    assert get("expert(deep, weights='house.npz')").label == "expert(deep, weights='house.npz')"
    with pytest.raises(UnknownStrategy, match="have fast, standard, deep"):
        get("expert(slow)")
    with pytest.raises(UnknownStrategy, match="write name=value"):
        get("expert(fast, deep)")
    with pytest.raises(UnknownStrategy, match="write name=value"):
        get("expert(fast, level='deep')")
    with pytest.raises(UnknownStrategy, match="fantasyland = 'fast'"):
        get("hindsight(fast)")


@pytest.mark.parametrize("name", shipped())
def test_shipped_weights_name_their_rules_and_strength(name: str) -> None:
    path = FOLDER / f"{name}.npz"
    about, streets = load(path).about, load(path).streets
    assert path.stat().st_size < 35_000 * streets
    rules = ofc.load_rules(about["rules"])
    assert rules.id == about["ruleset"], f"{name}: the preset has changed since the weights were trained"
    assert {"seats", "seed", "plan", "values", "self_play", "matches", "fantasyland"} <= set(about)
    assert any(match["opponent"] == "hindsight" and match["low"] > 0 for match in about["matches"])


def written(path: Path, **changes: Any) -> Path:
    """The shipped weights with arrays or parts of `about` changed, checksum left as it was."""
    with np.load(FOLDER / "american-pineapple.npz") as file:
        arrays = {name: file[name] for name in file.files}
    about = json.loads(arrays.pop("about").tobytes())
    about |= {key: value for key, value in changes.items() if key in about}
    arrays |= {key: value for key, value in changes.items() if key in arrays}
    arrays = {key: value for key, value in arrays.items() if value is not None}
    np.savez(path, about=np.frombuffer(json.dumps(about).encode(), np.uint8), **arrays)
    return path


def test_weights_load_whole_or_say_what_is_wrong(tmp_path: Path) -> None:
    assert load(written(tmp_path / "same.npz")).about == WEIGHTS.about
    with pytest.raises(WeightsError, match="checksum"):
        load(written(tmp_path / "seed.npz", seed=99))
    with pytest.raises(WeightsError, match="checksum"):
        load(written(tmp_path / "w2.npz", w2=np.zeros((3, 64, 32), np.float16)))
    with pytest.raises(WeightsError, match=r"w1 has the shape \(3, 170, 64\), want \(3, 183, 64\)"):
        load(written(tmp_path / "w1.npz", w1=np.zeros((3, 170, 64), np.float16)))
    with pytest.raises(WeightsError, match="version 0, want 2"):
        load(written(tmp_path / "version.npz", version=0))
    with pytest.raises(WeightsError, match="screen missing"):
        load(written(tmp_path / "screen.npz", screen=None))
    (tmp_path / "text.npz").write_text("no weights")
    with pytest.raises(WeightsError, match="no weights file"):
        load(tmp_path / "text.npz")
    with pytest.raises(FileNotFoundError, match="american-pineapple"):
        list(ofc.play(PINEAPPLE, [Expert("fast", str(tmp_path / "none.npz"))] * 2, range(1), 1, 1))


def test_weights_keep_what_they_hold(tmp_path: Path) -> None:
    WEIGHTS.save(tmp_path / "copy.npz")
    copy = load(tmp_path / "copy.npz")
    for mine, its in zip(WEIGHTS.nets, copy.nets, strict=True):
        assert (mine == its).all()
    assert (copy.field.rows == WEIGHTS.field.rows).all()
    assert copy.about == WEIGHTS.about


def notice(rules: ofc.Rules, seats: int = 2) -> str | None:
    expert = Expert("fast")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExpertNotice)
        list(ofc.play(rules, [expert] * seats, range(2), 1, 1))
    return expert.notice


def test_says_whose_weights_it_plays_with() -> None:
    assert notice(PINEAPPLE) is None
    house = PINEAPPLE.replace({"royalties.back.flush": 5})
    assert "those of american-pineapple" in (notice(house) or "")
    with pytest.warns(ExpertNotice, match="ofclab train"):
        list(ofc.play(house, [get("expert(fast)")] * 2, range(1), 1, 1))
    assert "as exact_endgame does" in (notice(TWO_CARD_PLAY) or "")


def test_nets_are_for_every_preset() -> None:
    assert all(has_nets(ofc.load_rules(name)) for name in ofc.presets())
    assert not has_nets(TWO_CARD_PLAY), "no weights are of this deal"


@pytest.mark.parametrize(
    ("preset", "seats", "nearest"),
    [
        ("american-regular", 2, "american-regular"),
        ("pagat-standard", 2, "american-regular"),
        ("deuce-pineapple", 2, "deuce-pineapple"),
        ("turbo", 3, "turbo"),
        ("american-pineapple", 3, "american-pineapple-3"),
        ("pagat-progressive", 2, "progressive-pineapple"),
        ("joker-progressive", 3, "joker-progressive"),
    ],
)
def test_the_nearest_weights_are_of_the_same_deal(preset: str, seats: int, nearest: str) -> None:
    assert nearest_weights(ofc.load_rules(preset), seats) == nearest


def test_a_file_of_another_deal_is_refused() -> None:
    with pytest.raises(WeightsError, match="nets of 3 streets, trained for american-pineapple; turbo wants 2"):
        find_weights(ofc.load_rules("turbo"), 2, str(FOLDER / "american-pineapple.npz"))


def test_house_rules_go_to_the_nearest_weights() -> None:
    steps = [{"min": "QQ", "cards": 14}, {"min": "KK", "cards": 15}, {"min": "AA", "cards": 16}]
    assert nearest_weights(PINEAPPLE.replace({"scoring.sweep_bonus": 0}), 2) == "american-pineapple"
    assert find_weights(PINEAPPLE.replace({"fantasyland.entry_front": steps}), 2).notice
    one_joker = ofc.load_rules("joker-progressive").replace({"deck.jokers": 1, "deck.cards": 53})
    assert "those of joker-progressive" in find_weights(one_joker, 2).notice
    assert not has_nets(ofc.load_rules("turbo").replace({"deck.jokers": 1, "deck.cards": 53})), "these know no joker"


def test_the_default_strategy_is_expert_where_it_has_weights() -> None:
    assert default_strategy("american-pineapple") == "expert(fast)"
    assert default_strategy(PINEAPPLE.replace({"scoring.sweep_bonus": 0})) == "expert(fast)"
    assert default_strategy("american-regular") == "expert(fast)"
    assert default_strategy(TWO_CARD_PLAY) == "hindsight"


def test_fantasyland_is_usually_worth_its_fixed_point() -> None:
    assert ofc.usual_fantasyland_values(PINEAPPLE) == WEIGHTS.values
    three = ofc.usual_fantasyland_values("american-pineapple", 3)
    assert three[14] > 1.5 * WEIGHTS.values[14], "it wins from two"
    house = ofc.load_rules("american-regular").replace({"royalties.back.flush": 5})
    assert ofc.usual_fantasyland_values(house) == load(FOLDER / "american-regular.npz").values
    assert ofc.usual_fantasyland_values(TWO_CARD_PLAY) == DEFAULT_FANTASYLAND_VALUES


def spots_on(street: int, tables: int = 12) -> Spots:
    """Spots that Expert comes to against itself on a street, second to act."""
    kept: list[Spots] = []

    class Watched(Expert):
        def place(self, spots: Spots) -> np.ndarray:
            if spots.street == street and spots.position[0] == 2:
                kept.append(spots)
            return super().place(spots)

    list(ofc.play(PINEAPPLE, [Watched("fast")] * 2, range(tables), 1, 5))
    return kept[0]


def test_the_last_street_but_one_is_summed_over_all_draws() -> None:
    """Against the exact streets of the solver, with the same payoff."""
    field = WEIGHTS.field
    pay, unit = row_payoff(COMPILED, VALUES, [worth_against(COMPILED, field, NORMAL)])
    spots, (choices, start) = spots_on(4), placement_table(3, 2, 9)
    for i in range(len(spots)):
        unseen, after = np.empty(54, np.uint8), np.empty(13, np.uint8)
        n = expert_play.list_unseen(
            spots.board[i], spots.dealt[i], spots.discards[i], spots.opponents[i], spots.opponents_discards[i], 52,
            unseen,
        )  # fmt: skip
        free = [int((spots.board[i, a:b] == 255).sum()) for a, b in ((0, 3), (3, 8), (8, 13))]
        first, last = start[36 * free[0] + 6 * free[1] + free[2] :][:2]
        pick, total = expert_play.decide_exactly(
            spots.board[i], spots.dealt[i], choices, first, last, unseen, n, THREE_CARDS, False, pay, make_work(),
            after,
        )  # fmt: skip
        boards = np.empty((last - first, 13), np.uint8)
        for at, choice in enumerate(choices[first:last]):
            expert_play.put_dealt(spots.board[i], spots.dealt[i], choice, boards[at])
        found = value(
            boards, np.empty((len(boards), 0), np.uint8), np.tile(unseen[:n], (len(boards), 1)), None,
            ToCome(((3, 2, 1),)), Valuation(pay, unit, ()), workers=1,
        )  # fmt: skip
        assert found.units.max() == total // GRAIN
        assert found.units[pick - first] == found.units.max()


def boards_after(rules: ofc.Rules, street: int, tables: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Boards after a street of play, with the cards that are then unseen."""
    found: list[tuple[np.ndarray, np.ndarray]] = []

    class Watched(Hindsight):
        def place(self, spots: Spots) -> np.ndarray:
            choice = super().place(spots)
            for i in range(len(spots) if spots.street == street else 0):
                board, unseen = np.empty(13, np.uint8), np.empty(54, np.uint8)
                expert_play.put_dealt(spots.board[i], spots.dealt[i], choice[i], board)
                n = expert_play.list_unseen(
                    spots.board[i], spots.dealt[i], spots.discards[i], spots.opponents[i],
                    spots.opponents_discards[i], 52 + rules.deck.jokers, unseen,
                )  # fmt: skip
                found.append((board, unseen[:n]))
            return choice

    list(ofc.play(rules, [Watched(samples=1)] * 2, range(tables), 1, 7))
    return found


@pytest.mark.parametrize("jokers", [0, 1, 2])
@pytest.mark.parametrize("preset", ["american-pineapple", "american-regular", "deuce-pineapple", "turbo"])
def test_what_is_to_come_is_summed_as_the_solver_does(preset: str, jokers: int) -> None:
    """After the first exact street, and from before it on; in every deal that nets play."""
    rules = ofc.load_rules(preset).replace({"deck.jokers": jokers, "deck.cards": 52 + jokers})
    compiled, streets = compile_rules(rules), streets_of(rules)
    assert streets is not None
    exact, kind = streets.exact.tolist()
    pay, unit = row_payoff(compiled, VALUES, [worth_against(compiled, WEIGHTS.field, NORMAL)])
    work, counts = make_work(), np.zeros(7, np.int64)
    rounds = tuple((int(d), int(p), int(x)) for d, p, x in compiled.rounds)
    with_jokers = 0
    for street in (exact, exact - 1):
        for board, unseen in boards_after(rules, street, 8 if jokers and street == exact else 2):
            with_jokers += (board == 52).any() or (board == 53).any()
            want = value(
                board[None], np.empty((1, 0), np.uint8), unseen[None], None, ToCome(rounds[street:]),
                Valuation(pay, unit, ()), workers=1,
            ).units[0]  # fmt: skip
            if street == exact:
                got = expert_play.sum_to_come(board, unseen, len(unseen), kind, jokers > 0, pay, work, counts)
            else:
                got = expert_play.sum_before_exact(board, unseen, len(unseen), streets, pay, work)
            assert got // GRAIN == want
    assert not jokers or with_jokers >= 2


def test_rows_are_worth_what_they_win_from_these_boards() -> None:
    """The payoff against samples is that of counting wins, losses and fouls one by one."""
    random = np.random.default_rng(3)
    prior = prior_of(COMPILED, VALUES, WEIGHTS.field, 1)
    codes, fouled = random.integers(1, 7000, (24, 3)).astype(np.uint16), random.random(24) < 0.3
    codes[3] = codes[4]
    for weight in (0.0, 4.0):
        rows = np.ones_like(prior.own[0])
        spare = np.empty(24, np.uint16)
        foul = expert_tail.add_opponent(prior, 0, codes, fouled, 24, weight, True, rows, spare)
        again = rows.copy()
        assert foul == expert_tail.add_opponent(prior, 0, codes, fouled, 24, weight, False, again, spare)
        assert again == pytest.approx(2 * rows, abs=1e-4), "the second opponent's points are added"
        fouls = (fouled.sum() + weight * WEIGHTS.field.fouls[0]) / (24 + weight)
        assert foul == pytest.approx(-6 * (1 - fouls))
        for row in range(3):
            for code in [*random.integers(0, prior.own.shape[2], 40).tolist(), int(codes[3, row])]:
                lead = np.sign(code - codes[~fouled, row].astype(int)).sum() + weight * prior.lead[0, row, code]
                assert rows[row, code] == pytest.approx(1.75 * lead / (24 + weight) + 2 * fouls, abs=1e-5)


def test_completes_a_board_as_its_player_would() -> None:
    """With two slots open a completion is the best finish with three cards drawn."""
    pay, _ = row_payoff(COMPILED, VALUES, [worth_against(COMPILED, WEIGHTS.field, NORMAL)])
    board = np.array([*ofc.parse_cards("Qh Qd"), 255, *ofc.parse_cards("8s 8c 8d 2c 3d As Ks 9s 2s"), 255], np.uint8)
    unseen = np.array([c for c in range(52) if c not in board], np.uint8)
    codes, fouled, work = np.zeros((400, 3), np.uint16), np.zeros(400, np.bool_), make_work()
    expert_tail.complete_board(
        board, unseen, len(unseen), np.uint64(7), np.uint64(0), 400, *completions(STREETS)[2], pay, work,
        np.empty(54, np.uint8), codes, fouled,
    )  # fmt: skip
    spades = sum(card % 4 == 3 for card in unseen)
    others = len(unseen) - spades
    flush = 1 - others * (others - 1) * (others - 2) / (len(unseen) * (len(unseen) - 1) * (len(unseen) - 2))
    assert 1 - fouled.mean() == pytest.approx(flush, abs=0.08)


def test_completes_a_board_with_jokers_as_the_solver_does() -> None:
    """With three cards left there is one draw: its best finish, jokers on the board or drawn."""
    rules = ofc.load_rules("joker-progressive")
    compiled, streets, random = compile_rules(rules), streets_of(rules), np.random.default_rng(4)
    assert streets is not None
    pay, unit = row_payoff(compiled, VALUES, [worth_against(compiled, WEIGHTS.field, NORMAL)])
    work, codes, fouled = make_work(), np.zeros((1, 3), np.uint16), np.zeros(1, np.bool_)
    legal = 0
    for trial in range(60):
        cards = np.sort(random.permutation(52)[:14]).astype(np.uint8)
        # The strongest cards to the back, so that boards are legal; one joker on the board, one drawn, or both.
        board = np.array([*cards[:3], *cards[3:8], *cards[8:13]], np.uint8)
        board[random.permutation(13)[: 2 + (trial % 3 < 2)]] = [255, 255, 52][: 2 + (trial % 3 < 2)]
        left = np.array([c for c in random.permutation(52) if c not in board][:3], np.uint8)
        if trial % 3 > 0:
            left[0] = 53
        expert_tail.complete_board(
            board, left, 3, np.uint64(trial), np.uint64(0), 1, *completions(streets)[2], pay, work,
            np.empty(54, np.uint8), codes, fouled,
        )  # fmt: skip
        want = value(
            board[None], np.empty((1, 0), np.uint8), left[None], None, ToCome(((3, 2, 1),)), Valuation(pay, unit, ()),
            workers=1,
        ).units[0]  # fmt: skip
        judge(codes.T.copy(), 1, pay, work.worths)
        assert work.worths[0] // GRAIN == want
        legal += not fouled[0]
    assert 10 < legal < 60


def test_field_tells_how_often_a_row_wins() -> None:
    codes = np.arange(3000, dtype=np.uint16).reshape(1000, 3) + 1
    field = Field.of_boards([codes, codes], [np.arange(1000) % 4 == 0, np.zeros(1000, np.bool_)])
    assert field.fouls.tolist() == [0.25, 0.0]
    lead = field.lead(1)
    assert lead[0, 0] == -1
    assert lead[2, 3000] == pytest.approx(1, abs=0.002)
    assert lead[1, 1501] == pytest.approx(0, abs=0.005)


def test_a_field_without_fantasyland_is_that_of_normal_hands() -> None:
    codes = np.arange(300, dtype=np.uint16).reshape(100, 3) + 1
    field = Field.of_boards([codes, codes[:0]], [np.arange(100) % 2 == 0, np.zeros(0, np.bool_)])
    assert (field.rows[0] == field.rows[1]).all()
    assert field.fouls.tolist() == [0.5, 0.5]


def test_plays_on_exactly_to_zero_against_itself() -> None:
    match = ofc.tournament(["expert(fast)", "expert(fast)"], PINEAPPLE, deals=30)
    assert match.pairs["points"].to_list() == [0.0]
    assert match.matches["points"].to_list() == [0] * 30


@pytest.mark.slow
@pytest.mark.parametrize(("opponent", "least", "deals"), [("hindsight", 1.5, 800), ("never_bust_greedy", 5.0, 2000)])
def test_beats_the_others_by_as_much_as_it_says(opponent: str, least: float, deals: int) -> None:
    points, weights = [], []
    for seed in (1, 2):
        row = ofc.tournament(["expert(fast)", opponent], PINEAPPLE, deals=deals, seed=seed).pairs.row(0, named=True)
        points.append(row["points"])
        weights.append(((row["high"] - row["low"]) / 3.92) ** -2)
    assert np.average(points, weights=weights) >= least


@pytest.mark.slow
def test_plays_for_what_it_was_measured_to() -> None:
    (batch,) = ofc.play(PINEAPPLE, [get("expert(fast)")] * 2, range(10_000), 1, 3)
    assert 0.22 <= (batch.next_fantasyland > 0).mean() <= 0.27
    assert batch.royalties.sum(axis=2).mean() >= 4.7


@pytest.mark.slow
def test_the_published_opening_is_best_at_depth() -> None:
    spots: list[np.ndarray] = []
    cards = [int(card) for card in ofc.parse_cards("Ah Kc Qs 8h 7c")]
    expert = Expert("deep")
    expert.prepare(PINEAPPLE, DEFAULT_FANTASYLAND_VALUES)
    blank = np.full((1, 13), 255, np.uint8)
    for key in range(5):
        opening = Spots(
            PINEAPPLE, COMPILED, DEFAULT_FANTASYLAND_VALUES, 1, 5, np.array([key], np.uint64), blank,
            np.zeros((1, 3), np.uint8), np.array([cards], np.uint8), np.full((1, 8), 255, np.uint8), blank[:, None],
            np.zeros((1, 1), np.uint8), np.full((1, 1, 8), 255, np.uint8), np.ones(1, np.uint8),
        )  # fmt: skip
        spots.append(expert.place(opening)[0])
    # Qs / Kc 7c / Ah 8h, before Qs / Ah Kc / 8h 7c.
    assert [choice.tolist() for choice in spots] == [[2, 1, 0, 2, 1]] * 5
