"""The groups of a ruleset and what each parameter means; the defaults are American regular OFC."""

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ofclab.rules.values import (
    NOTHING,
    Allowed,
    AtLeast,
    CategoryOrNone,
    Chips,
    ChipsOrNone,
    ExtraCards,
    FantasylandCards,
    Flag,
    FrontHand,
    FrontHandOrNone,
    FrontPays,
    Hands,
    LastCards,
    ListOf,
    LowPays,
    LowRankOrNone,
    NoneIsEmpty,
    PayTable,
    Percent,
    Points,
    RowPays,
    StayCards,
    none_word,
)

PAIRS_AND_TRIPS = PayTable(
    {hand * 2: points for points, hand in enumerate("6789TJQKA", 1)}
    | {hand * 3: points for points, hand in enumerate("23456789TJQKA", 10)}
)
MIDDLE_PAYS = PayTable(
    {
        "trips": 2,
        "straight": 4,
        "flush": 8,
        "full_house": 12,
        "quads": 20,
        "straight_flush": 30,
        "royal_flush": 50,
    }
)
BACK_PAYS = PayTable({"straight": 2, "flush": 4, "full_house": 6, "quads": 10, "straight_flush": 15, "royal_flush": 25})


class Group(BaseModel):
    """A frozen part of a ruleset: unknown keys are errors and no value is converted."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Deck(Group):
    """The pack of cards."""

    cards: Annotated[int, Field(ge=52, le=54), Allowed("52 plus the jokers: 52, 53 or 54")] = Field(
        52, description="cards in the deck, jokers included"
    )
    jokers: Annotated[int, Field(ge=0, le=2), Allowed("0, 1 or 2")] = Field(0, description="jokers in the deck")


class Players(Group):
    """How many sit at the table."""

    min: ClassVar[int] = 2
    max: Annotated[int, Field(ge=2, le=4), Allowed("2, 3 or 4")] = Field(4, description="most players at a table")


class Round(Group):
    """One street after the first: cards dealt to each player, how many are placed, how many discarded."""

    deal: Annotated[int, Field(ge=1, le=12), Allowed("cards: a whole number 1..12")]
    place: Annotated[int, Field(ge=1, le=8), Allowed("cards: a whole number 1..8")]
    discard: Annotated[int, Field(ge=0, le=11), Allowed("cards: a whole number 0..11")]


class Deal(Group):
    """How the cards come: five first, then the rounds."""

    initial: ClassVar[int] = 5
    rounds: Annotated[
        tuple[Round, ...],
        ListOf,
        Allowed("a list of {deal, place, discard}: whole numbers, at least one card placed, place + discard = deal"),
    ] = Field((Round(deal=1, place=1, discard=0),) * 8, description="streets after the first five cards")
    last_face_down: LastCards = Field(
        0, description="each player's last placed cards that stay hidden until the showdown"
    )


class Visibility(Group):
    """What the other players see."""

    fantasyland: ClassVar[str] = "hidden_until_showdown"
    draws: Literal["open", "hidden_until_set"] = Field(
        "open", description="whether others see cards drawn before they are set"
    )
    discards: Literal["none", "hidden", "revealed"] = Field(
        "none", description="whether others see discards; none where nothing is discarded"
    )


class Ranking(Group):
    """Which hands beat which."""

    front_straights_flushes: ClassVar[bool] = False
    wheel_is_lowest_straight: ClassVar[bool] = True
    middle: Literal["high", "2-7"] = Field(
        "high", description="whether the middle is played high or as a deuce-to-seven low"
    )


class Foul(Group):
    """When a board is foul and what that costs."""

    back_over_middle: AtLeast = Field("ge", description="back against middle: ge lets them tie, gt does not")
    middle_over_front: AtLeast = Field("ge", description="middle against front: ge lets them tie, gt does not")
    back_over_front: AtLeast = Field("ge", description="back against front, with a 2-7 middle only")
    cross_length_compare: Literal["missing_lowest", "prefix_tie"] = Field(
        "missing_lowest",
        description="three cards against five: missing cards rank below any card, or equal first ranks tie",
    )
    low_middle_worst: LowRankOrNone = Field(None, description="highest card a 2-7 middle may have; none: no test")
    penalty: Points = Field(6, description="points a fouler pays each opponent who does not foul, instead of rows")
    pays_opponent_royalties: Flag = Field(True, description="whether a fouler also pays the opponents' royalties")


class Scoring(Group):
    """Points for the rows, player against player."""

    per_row: Points = Field(1, description="points for each row won")
    sweep_bonus: Points = Field(3, description="extra points for winning all three rows (a scoop); 3 in 1-6")
    majority_bonus: Points = Field(0, description="extra points for winning two or three rows; 1 in 2-4")


class Royalties(Group):
    """Points for strong rows."""

    mode: Literal["both", "row_winner", "pair_winner", "off"] = Field(
        "both", description="who collects: both players, the row's winner, the pair's winner, or nobody"
    )
    front: FrontPays = Field(PAIRS_AND_TRIPS, description="points for pairs and trips in the front")
    middle: RowPays = Field(MIDDLE_PAYS, description="points by category in a high middle")
    back: RowPays = Field(BACK_PAYS, description="points by category in the back")
    middle_low: LowPays = Field(None, description="points for lows in a 2-7 middle")


class Entry(Group):
    """A way into Fantasyland: the weakest front hand that earns this many cards."""

    min: FrontHand
    cards: FantasylandCards


class Stay(Group):
    """The weakest hands that keep a player in Fantasyland, any one of them enough; none: not by this row."""

    front: FrontHandOrNone = Field(None, description="weakest front that stays")
    middle: CategoryOrNone = Field(None, description="weakest high middle that stays")
    back: CategoryOrNone = Field(None, description="weakest back that stays")
    low_wheel: Flag = Field(False, description="whether 7-5-4-3-2 in a 2-7 middle stays")


class Fantasyland(Group):
    """How a player enters and stays in Fantasyland, and what he is dealt there."""

    enabled: Flag = Field(True, description="whether Fantasyland is played")
    entry_front: Annotated[
        tuple[Entry, ...],
        ListOf,
        Allowed("a list of {min, cards}: min a pair 22..AA or trips 222..AAA, cards 13..17"),
    ] = Field(
        (Entry(min="QQ", cards=13),), description="front hands that enter and their cards; the last one met applies"
    )
    entry_low_wheel_cards: ExtraCards = Field(0, description="cards for 7-5-4-3-2 in a 2-7 middle")
    entry_both_cards: ExtraCards = Field(
        0, description="cards for front and low wheel at once; 0: the larger of the two"
    )
    stay: Annotated[Stay, NoneIsEmpty, Allowed(f"a table of front, middle, back, low_wheel, or {NOTHING}")] = Field(
        Stay(front="222", middle="full_house", back="quads"), description="hands that stay, any one is enough"
    )
    stay_cards: StayCards = Field(13, description="cards after a stay; same: as many as before")
    stay_must_announce: Flag = Field(False, description="whether a stay not announced when setting is lost")
    set_timing: Literal["before_play", "in_turn"] = Field(
        "before_play", description="when a player in Fantasyland sets"
    )
    button: Literal["frozen", "moves"] = Field("frozen", description="whether the button stays for a Fantasyland hand")
    adds_hand: Flag = Field(False, description="whether a Fantasyland hand is played on top of game.hands")


class Game(Group):
    """When a game starts and ends."""

    end_when_one_stack: Flag = Field(False, description="whether the game ends once one player has every chip")
    hands: Hands = Field(None, description="hands in a game; none: open-ended")
    join_midgame: Flag = Field(True, description="whether a player may sit down during a game")
    leave_during_hand: Flag = Field(False, description="whether a player may leave during a hand")


class Stakes(Group):
    """Chips: what a point is worth, when and how points are paid."""

    order: ClassVar[str] = "from_dealer_left"
    unit: Chips = Field(1, description="chips per point")
    settle_when: Literal["each_hand", "end_of_game"] = Field("each_hand", description="when points are paid")
    table_stakes: Flag = Field(False, description="whether a player can lose no more than his stack")
    win_cap: Literal["own_start_stack", "current_stack", "none"] = Field(
        "own_start_stack",
        description="most a player can win: his starting stack, each payment by both current stacks, or no cap",
    )
    win_cap_basis: Literal["net", "gross"] = Field(
        "net", description="whether the win cap counts net gain or everything received"
    )
    busted: Literal["continues", "eliminated"] = Field(
        "continues", description="whether a player at 0 still takes part in later payments"
    )
    match_cap: ChipsOrNone = Field(None, description="most chips a player can lose in one game")
    buy_in: ChipsOrNone = Field(None, description="chips a player sits down with; none: unlimited")
    rebuy: Literal["none", "each_hand"] = Field(
        "none", description="whether a player without chips buys in again before the next hand"
    )
    rake: Annotated[
        Literal["final_hand_when_one_stack"] | None,
        BeforeValidator(none_word),
        Allowed(f"final_hand_when_one_stack or {NOTHING}", ("final_hand_when_one_stack", NOTHING)),
    ] = Field(None, description="when rake is taken; none: at every settlement")
    rake_percent: Percent = Field(0, description="percent of the chips won that goes to the house")
    rake_cap: ChipsOrNone = Field(None, description="most chips of rake in one settlement")


class Timeout(Group):
    """What happens to a player who runs out of time."""

    discard: ClassVar[str] = "last"
    clock: Literal["none", "per_street", "shared_per_hand"] = Field("none", description="the clock of the room")
    autoplace: Literal["back_middle_front_dealt_order", "none"] = Field(
        "back_middle_front_dealt_order", description="how cards are placed for a player out of time"
    )


class Jokers(Group):
    """How jokers read."""

    may_copy: Literal["none", "other_row", "any"] = Field(
        "other_row", description="cards of the same board a joker may repeat"
    )
    reading: Literal["strongest_legal", "strongest"] = Field(
        "strongest_legal", description="whether jokers read so as not to foul, or always as strong as can be"
    )
    five_of_a_kind: Flag = Field(False, description="whether five of a kind exists, above a royal flush")
