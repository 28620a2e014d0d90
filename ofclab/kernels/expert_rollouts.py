"""Expert's roll-outs: the nets' best few placements compared on the same futures, the better half kept, and again."""

from __future__ import annotations

import numpy as np

from ofclab.kernels import rng
from ofclab.kernels.choose import state_of
from ofclab.kernels.expert_net import look_at, value_placements
from ofclab.kernels.expert_play import best_of, list_unseen, play_on, put_dealt
from ofclab.kernels.jit import kernel
from ofclab.kernels.tails import two_streets

_NEVER = np.float32(-1e9)


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
def count_turns(opponents, opponents_fantasyland, street):
    """Opponents of a normal hand who have acted on this street already, and who have not."""
    before, after = 0, 0
    for other in range(opponents.shape[0]):
        if opponents_fantasyland[other] != 0:
            continue
        filled = 0
        for slot in range(13):
            filled += opponents[other, slot] != 255
        if filled >= 3 + 2 * street:
            before += 1
        else:
            after += 1
    return before, after


@kernel
def _keep_better(picks, scores, totals, draws, net_weight, alive):
    """Sort those alive by mean and net, best first."""
    for a in range(alive - 1):
        top = a
        for b in range(a + 1, alive):
            if totals[b] / draws + net_weight * scores[b] > totals[top] / draws + net_weight * scores[top]:
                top = b
        picks[a], picks[top] = picks[top], picks[a]
        scores[a], scores[top] = scores[top], scores[a]
        totals[a], totals[top] = totals[top], totals[a]


@kernel
def _exactly(board, dealt, choices, picks, alive, unseen, n, pay, work, after):
    """Place among picks of the best over both streets to come."""
    best, place = np.int64(-(1 << 62)), 0
    for a in range(alive):
        put_dealt(board, dealt, choices[picks[a]], after)
        total = two_streets(after, unseen[:n], 0, False, pay, work)
        if total > best:
            best, place = total, a
    return place


@kernel
def decide_by_rollouts(
    keys, own, counts, dealt, discards, opponents, opponents_fantasyland, opponents_discards, street, to_come, until,
    most, margin, draws, net_weight, exactly, streets, chances, nets, s, pay, unit, work, out,
):  # fmt: skip
    """The placement of each spot that is worth most in common futures; see `ofclab.kernels.expert_play.play_on`.

    Of the net's best, at most `most` and within `margin` points, half are dropped after `draws` futures, half of the
    rest after twice as many more, and so on; `net_weight`: weight of the net's value beside the mean. `exactly` (street
    3 alone): they are summed over both streets to come instead.
    """
    unseen, deck, values = np.empty(54, np.uint8), np.empty(54, np.uint8), np.empty(256, np.float32)
    board, spare = np.empty(13, np.uint8), np.empty(13, np.uint8)
    picks, scores, totals = np.empty(most, np.int64), np.empty(most, np.float32), np.empty(most, np.float64)
    choices, start = streets[street - 1]
    for i in range(own.shape[0]):
        state = state_of(counts[i])
        first, last = start[state], start[state + 1]
        n = list_unseen(own[i], dealt[i], discards[i], opponents[i], opponents_discards[i], 52, unseen)
        look_at(unseen, n, s)
        value_placements(own[i], dealt[i], choices, first, last, street, chances[n, to_come], nets, s, values)
        alive = nearest_best(values, last - first, most, margin, picks, scores)
        before, after = count_turns(opponents[i], opponents_fantasyland[i], street)
        for a in range(alive):
            picks[a] += first
            totals[a] = 0.0
        if exactly and alive > 1:
            picks[0] = picks[_exactly(own[i], dealt[i], choices, picks, alive, unseen, n, pay, work, spare)]
            alive = 1
        done, more = 0, draws
        while alive > 1:
            for draw in range(done, done + more):
                for a in range(alive):
                    for card in range(n):
                        deck[card] = unseen[card]
                    put_dealt(own[i], dealt[i], choices[picks[a]], board)
                    totals[a] += play_on(
                        rng.stream(keys[i], draw, 0, 0), board, deck, n, street, until, before, after, streets,
                        chances, nets, s, pay, unit, work, values, spare,
                    )  # fmt: skip
            done += more
            more *= 2
            _keep_better(picks, scores, totals, done, net_weight, alive)
            alive = (alive + 1) // 2
        for j in range(out.shape[1]):
            out[i, j] = choices[picks[0], j]
