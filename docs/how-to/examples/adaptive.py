"""A strategy in plain Python to copy: it imagines how each board could end, and hopes for more when it has to.

Run it:  python docs/how-to/examples/adaptive.py
"""

import numpy as np

import ofclab as ofc


class Adaptive:
    """Fills the open slots of every board with unseen cards and plays the one that ends best.

    Each imagined future is filled in several orders, of which the best counts: one order is a pessimist who plays for
    safety, many an optimist who goes for Fantasyland. This player hopes for more against somebody in Fantasyland, who
    is likely to win most rows; and where the others' boards lie complete, he counts the points he wins from them.
    Fouls, royalties and Fantasyland are those of the rules he plays under, so he adapts to a house rule too.
    """

    def __init__(self, hope: int = 16, futures: int = 12) -> None:
        self.hope, self.futures = hope, futures

    @property
    def label(self) -> str:
        """The name the log keeps."""
        return f"adaptive(hope={self.hope}, futures={self.futures})"

    def choose(self, view: ofc.View) -> ofc.Placement:
        """Take the placement whose board ends best; `view` holds everything the player may know."""
        placements = view.legal_placements()
        boards = [view.board.place(placement) for placement in placements]
        values = self.imagine(view, boards)
        return placements[int(np.argmax(values))]

    def imagine(self, view: ofc.View, boards: list[ofc.Board]) -> np.ndarray:
        """Mean value of each board over the futures, the same futures for all of them."""
        unseen = [card for card in range(52 + view.rules.deck.jokers) if card not in view.seen]
        slots, hope = sum(boards[0].open_slots), self.orders(view)
        fillings = []
        for _ in range(self.futures if slots else 1):
            future = view.random.sample(unseen, slots)
            fillings += [view.random.sample(future, slots) for _ in range(hope)]
        ends = np.array([self.fill(board, np.array(fillings, np.uint8)) for board in boards])
        return self.value(view, ends).reshape(len(boards), -1, hope).max(axis=2).mean(axis=1)

    def orders(self, view: ofc.View) -> int:
        """In how many orders a future is filled."""
        return 2 * self.hope if any(other.fantasyland for other in view.opponents) else self.hope

    def fill(self, board: ofc.Board, fillings: np.ndarray) -> np.ndarray:
        """The board with each filling in its open slots: front 3, middle 5, back 5."""
        ends = np.tile(slots_of(board), (len(fillings), 1))
        ends[ends == 255] = fillings.ravel()
        return ends

    def value(self, view: ofc.View, ends: np.ndarray) -> np.ndarray:
        """What complete boards win, alone or from boards that are complete as well, and what Fantasyland is worth."""
        flat = ends.reshape(-1, 13)
        others = [other.board for other in view.opponents]
        known = bool(others) and all(other.is_complete for other in others)
        # A board that is scored against itself shows its own fouls and royalties.
        against = [np.tile(slots_of(other), (len(flat), 1)) for other in others] if known else [flat]
        scored = ofc.score_boards(np.stack([flat, *against], axis=1), view.rules)
        land = np.array([view.fantasyland_values.get(cards, 0.0) for cards in range(18)])
        points = scored.points[:, 0] if known else scored.royalties[:, 0].sum(axis=1)
        foul = 0.0 if known else -float(view.rules.foul.penalty)
        return points + land[scored.next_fantasyland[:, 0]] + foul * scored.fouled[:, 0]


def slots_of(board: ofc.Board) -> np.ndarray:
    """A board as 13 card ids, front 3, middle 5, back 5; 255 = open."""
    slots = np.full(13, 255, np.uint8)
    for first, row in zip((0, 3, 8), board.rows, strict=True):
        slots[first : first + len(row)] = row
    return slots


if __name__ == "__main__":
    run = ofc.simulate("american-pineapple", [Adaptive(), "never_bust_greedy"], tables=40, hands=10, seed=1)
    for metric in (ofc.analytics.foul_rate, ofc.analytics.points_per_hand):
        print(metric(run.log.results(), by=["strategy"]).collect())
