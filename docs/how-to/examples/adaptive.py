"""A strategy in plain Python to copy: it imagines how each board could end, and hopes for more when it has to.

Run it:  python docs/how-to/examples/adaptive.py
"""

import numpy as np

import ofclab as ofc


class Adaptive:
    """Fills the open slots of every board with unseen cards and plays the one that ends best.

    Each imagined future is filled in several orders, of which the best counts: one order is a pessimist who plays for
    safety, many an optimist who goes for Fantasyland. This player is more of an optimist against somebody who sits in
    Fantasyland and is likely to win most rows, and less of one when an opponent has fouled and any legal board
    collects. Royalties, fouls and Fantasyland are those of the rules he plays under, so he adapts to a house rule too.
    """

    def __init__(self, hope: int = 8, futures: int = 12) -> None:
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
        if any(other.fantasyland for other in view.opponents):
            return 2 * self.hope
        if any(self.has_fouled(other.board) for other in view.opponents):
            return max(1, self.hope // 4)
        return self.hope

    def fill(self, board: ofc.Board, fillings: np.ndarray) -> np.ndarray:
        """The board with each filling in its open slots: front 3, middle 5, back 5."""
        slots = [int(card) for row, size in zip(board.rows, (3, 5, 5)) for card in [*row, *[255] * (size - len(row))]]
        ends = np.tile(np.array(slots, np.uint8), (len(fillings), 1))
        ends[ends == 255] = fillings.ravel()
        return ends

    def value(self, view: ofc.View, ends: np.ndarray) -> np.ndarray:
        """Royalties and Fantasyland of complete boards, or the penalty of a foul."""
        flat = ends.reshape(-1, 13)
        scored = ofc.score_boards(np.stack([flat, flat], axis=1), view.rules)  # a board against itself: its own marks
        land = np.array([view.fantasyland_values.get(cards, 0.0) for cards in range(18)])
        worth = scored.royalties[:, 0].sum(axis=1) + land[scored.next_fantasyland[:, 0]]
        return np.where(scored.fouled[:, 0], -float(view.rules.foul.penalty), worth)

    def has_fouled(self, board: ofc.Board) -> bool:
        """Tell whether two complete rows are in the wrong order already."""
        pairs = zip(board.rows, board.rows[1:], board.open_slots, board.open_slots[1:])
        return any(
            not open_front and not open_back and ofc.compare_hands(front, back) > 0
            for front, back, open_front, open_back in pairs
        )


if __name__ == "__main__":
    run = ofc.simulate("american-pineapple", [Adaptive(), "never_bust_greedy"], tables=40, hands=10, seed=1)
    for metric in (ofc.analytics.foul_rate, ofc.analytics.points_per_hand):
        print(metric(run.log.results(), by=["strategy"]).collect())
