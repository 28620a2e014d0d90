"""Expert's roll-outs: the nets' best few placements compared on the same futures, the better half kept, and again."""

from __future__ import annotations

import numpy as np

from ofclab.kernels import rng
from ofclab.kernels.choose import state_of
from ofclab.kernels.expert_net import look_at, value_placements
from ofclab.kernels.expert_play import best_of, list_unseen, play_on, put_dealt, sum_before_exact
from ofclab.kernels.jit import kernel

_NEVER = np.float32(-1e9)
_SURE = 2.5
"""Standard errors of their difference that settle which of two placements is better."""


@kernel
def nearest_best(values, n, most, margin, picks, scores):
    """Places of the best of n values, at most so many and not further behind, best first; returns how many."""
    found = 0
    for _ in range(min(n, most)):
        pick = best_of(values, n)
        if found > 0 and values[pick] < scores[0] - margin:
            break
        picks[found], scores[found] = pick, values[pick]
        values[pick] = _NEVER
        found += 1
    return found


@kernel
def count_turns(opponents, opponents_fantasyland, on_board):
    """Opponents of a normal hand who have as many cards on the board as a street leaves, and who have not."""
    before, after = 0, 0
    for other in range(opponents.shape[0]):
        if opponents_fantasyland[other] != 0:
            continue
        filled = 0
        for slot in range(13):
            filled += opponents[other, slot] != 255
        if filled >= on_board:
            before += 1
        else:
            after += 1
    return before, after


@kernel
def _keep_better(picks, scores, totals, net_draws, alive):
    """Sort those alive best first: by the mean of their futures, the net's value counting as so many more."""
    for a in range(alive - 1):
        top = a
        for b in range(a + 1, alive):
            if totals[b] + net_draws * scores[b] > totals[top] + net_draws * scores[top]:
                top = b
        picks[a], picks[top] = picks[top], picks[a]
        scores[a], scores[top] = scores[top], scores[a]
        totals[a], totals[top] = totals[top], totals[a]


@kernel
def _exactly(board, dealt, choices, picks, alive, unseen, n, streets, pay, work, after):
    """Place among picks of the best over all that is to come."""
    best, place = np.int64(-(1 << 62)), 0
    for a in range(alive):
        put_dealt(board, dealt, choices[picks[a]], after)
        total = sum_before_exact(after, unseen, n, streets, pay, work)
        if total > best:
            best, place = total, a
    return place


@kernel
def decide_by_rollouts(
    keys, own, counts, dealt, discards, opponents, opponents_fantasyland, opponents_discards, street, until, most,
    margin, draws, net_draws, most_draws, exactly, streets, chances, nets, s, pay, unit, work, out,
):  # fmt: skip
    """The placement of each spot that is worth most in common futures; see `ofclab.kernels.expert_play.play_on`.

    Of the net's best, at most `most` and within `margin` points, half are dropped after `draws` futures, half of the
    rest after twice as many more, and so on; the net's value counts as `net_draws` futures. The last two go on, twice
    as long each time, until they are _SURE errors apart or have had `most_draws`. `exactly` (before the first exact
    street alone): all that is to come is summed instead.
    """
    unseen, deck, values = np.empty(54, np.uint8), np.empty(54, np.uint8), np.empty(256, np.float32)
    board, spare, worths = np.empty(13, np.uint8), np.empty(13, np.uint8), np.empty(most, np.float64)
    picks, scores, totals = np.empty(most, np.int64), np.empty(most, np.float32), np.empty(most, np.float64)
    choices, to_come = streets.choices, streets.to_come[street - 1]
    for i in range(own.shape[0]):
        state = state_of(counts[i])
        first, last = streets.start[street - 1, state], streets.start[street - 1, state + 1]
        n = list_unseen(own[i], dealt[i], discards[i], opponents[i], opponents_discards[i], streets.deck_size, unseen)
        look_at(unseen, n, s)
        value_placements(
            own[i], dealt[i], streets.sets, first, last, last - first, street, chances[n, to_come], nets, s, values
        )
        alive = nearest_best(values, last - first, most, margin, picks, scores)
        before, after = count_turns(opponents[i], opponents_fantasyland[i], streets.placed[street - 1])
        for a in range(alive):
            picks[a] += first
            totals[a] = 0.0
        if exactly and alive > 1:
            picks[0] = picks[_exactly(own[i], dealt[i], choices, picks, alive, unseen, n, streets, pay, work, spare)]
            alive = 1
        done, more, since, squares = 0, draws, 0, 0.0
        while alive > 1:
            for draw in range(done, done + more):
                for a in range(alive):
                    for card in range(n):
                        deck[card] = unseen[card]
                    put_dealt(own[i], dealt[i], choices[picks[a]], board)
                    worths[a] = play_on(
                        rng.stream(keys[i], draw, 0, 0), board, deck, n, street, until, before, after, streets,
                        chances, nets, s, pay, unit, work, values, spare,
                    )  # fmt: skip
                    totals[a] += worths[a]
                squares += (worths[0] - worths[1]) ** 2
            done += more
            _keep_better(picks, scores, totals, net_draws, alive)
            if alive > 2:
                alive, since, squares = (alive + 1) // 2, done, 0.0
            else:
                error = np.sqrt(squares * done / (done - since))
                if abs(totals[0] - totals[1]) > _SURE * error or done + 2 * more > most_draws:
                    alive = 1
            more *= 2
        for j in range(out.shape[1]):
            out[i, j] = choices[picks[0], j]
