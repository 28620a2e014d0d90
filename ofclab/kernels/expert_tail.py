"""The last two streets against these very opponents: what their open rows may become, and what rows then win.

A board with open slots is completed as well as so many unseen cards allow, in deals with discards one more to spare:
with two slots that is the last street of Pineapple, with four it is thinner than two streets, because one sees all
cards at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels import rng
from ofclab.kernels.choose import state_of as state_of_counts
from ofclab.kernels.expert_play import best_of, decide_exactly, list_unseen, put_dealt
from ofclab.kernels.jit import kernel
from ofclab.kernels.judge import FOUL, GRAIN, LOW, has_joker, judge, load_board, read_finished
from ofclab.kernels.scoring import is_foul, next_cards, pair_boards, read_boards
from ofclab.kernels.street import list_finishes, read_finishes, state_of
from ofclab.kernels.tails import FINISHED

_PRIOR_WEIGHT = 4.0
"""Boards that the field as a whole counts for beside the completions of one opponent."""
_MOST_OPEN = 4
"""Open slots of a board that is still completed; beyond them an opponent is one of the field."""
_FIRST_COUNTER = np.uint64(1 << 32)


class Prior(NamedTuple):
    """What is known of opponents before their cards: of a normal hand (0) and in Fantasyland (1).

    ``lead`` f4 (2, 3, N): chance that they are valid and lose a row to each code less that they win it; ``fouls`` f8
    (2,); ``own`` f4 (M, 3, N): points of a row for itself from 0, 1, .. opponents, Fantasyland included; ``each`` f8
    (3,): points a row wins, the penalty of a foul, units in a point.
    """

    lead: NDArray[np.float32]
    fouls: NDArray[np.float64]
    own: NDArray[np.float32]
    each: NDArray[np.float64]


@kernel
def open_slots(board):
    """Open slots of a board."""
    free = 0
    for slot in range(13):
        free += board[slot] == 255
    return free


@kernel
def all_open(opponents, opponents_fantasyland):
    """Tell whether somebody plays and everybody's rows lie open but for a few slots."""
    seated = 0
    for other in range(opponents.shape[0]):
        if opponents_fantasyland[other] == 255:
            continue
        seated += 1
        if opponents_fantasyland[other] > 0 or open_slots(opponents[other]) > _MOST_OPEN:
            return False
    return seated > 0


@kernel
def complete_board(board, unseen, n, key, counter, samples, choices, sets, start, pay, work, shuffled, codes, fouled):
    """Finished boards an opponent may end with: codes u16 (samples, 3), fouled bool (samples,).

    `choices`, `sets` and `start` place as many cards as slots are open, of a deal of so many or one more.
    """
    state = state_of(board)
    first, last, deal = start[state], start[state + 1], choices.shape[1]
    load_board(board, work)
    on_board, low, ways = has_joker(board), pay.scalars[LOW] == 1, last - first
    sums, row_codes = np.empty(32, np.uint32), np.empty((3, 32), np.uint16)
    free = np.array([state // 36, state // 6 % 6, state % 6])
    for i in range(n):
        shuffled[i] = unseen[i]
    # As many samples at once as there is room for, because a call to judge them takes time of its own.
    most = min(samples, work.worths.shape[0] // ways)
    for begin in range(0, samples, most):
        together = min(most, samples - begin)
        for sample in range(together):
            for i in range(deal):
                other = i + rng.below(key, counter + np.uint64((begin + sample) * deal + i), n - i)
                shuffled[i], shuffled[other] = shuffled[other], shuffled[i]
            dealt = shuffled[:deal]
            there, at = sets[first:last], sample * ways
            if on_board or has_joker(dealt):
                read_finishes(board, dealt, choices[first:last], there, free, pay, work, sums, row_codes, at)
            else:
                list_finishes(dealt, there, free, low, work.words, sums, row_codes, work.codes, at)
        judge(work.codes, together * ways, pay, work.worths)
        for sample in range(together):
            best = sample * ways + best_of(work.worths[sample * ways :], ways)
            front, middle, back = work.codes[0, best], work.codes[1, best], work.codes[2, best]
            codes[begin + sample, 0], codes[begin + sample, 1], codes[begin + sample, 2] = front, middle, back
            fouled[begin + sample] = is_foul(front, middle, back, pay.switches, pay.cross)


@kernel
def add_opponent(prior, kind, codes, fouled, samples, weight, first, rows, spare):
    """Add to rows f4 (3, N) what they win from an opponent with these boards or the prior's; returns a foul's cost.

    `first`: the rows' own values are nothing yet.
    """
    valid = 0
    for sample in range(samples):
        valid += not fouled[sample]
    whole = samples + weight
    share = np.float32(weight / whole)
    fouls = (samples - valid + weight * prior.fouls[kind]) / whole
    always = np.float32(prior.each[1] / 3 * fouls)
    for row in range(3):
        found = 0
        for sample in range(samples):
            if not fouled[sample]:
                spare[found] = codes[sample, row]
                found += 1
        spare[:found].sort()
        lead, into, by = prior.lead[kind, row], rows[row], np.float32(prior.each[0])
        below, code = 0, 0
        while code < into.shape[0]:
            # Between two codes of samples the lead of the samples stays the same; at one of them half of it is a tie.
            until = np.int64(spare[below]) if below < found else into.shape[0]
            step = np.float32((2 * below - valid) / whole)
            # Slices, because an index that might be negative would keep the loops from running in vectors.
            part, its_lead = into[code:until], lead[code:until]
            if first:
                for c in range(part.shape[0]):
                    part[c] = by * (step + share * its_lead[c]) + always
            else:
                for c in range(part.shape[0]):
                    part[c] += by * (step + share * its_lead[c]) + always
            same = below
            while same < found and spare[same] == until:
                same += 1
            if until < into.shape[0]:
                tie = np.float32((below + same - valid) / whole)
                before = np.float32(0) if first else into[until]
                into[until] = before + (by * (tie + share * lead[until]) + always)
            below, code = same, until + 1
    return -prior.each[1] * (1 - fouls)


@kernel
def fill_payoff(prior, opponents, rows, foul, pay):
    """Turn points of rows into the worths of a payoff, own royalties from so many opponents and Fantasyland added."""
    unit, into = np.float32(prior.each[2]), pay.rows
    for row in range(3):
        own, points, out = prior.own[opponents, row], rows[row], into[row]
        for code in range(points.shape[0]):
            out[code] = np.int32((points[code] + own[code]) * unit) * np.int32(GRAIN)
    pay.scalars[FOUL] = np.int64(np.rint(foul * unit)) * GRAIN


@kernel
def _score_finish(front, middle, back, codes, fouled, royalties, m, seats, values, switches, cross, royalty, entry,
                  stay, pairs, points):  # fmt: skip
    """Mean points over m samples of the others' boards (places 1.. of codes) of an own board, Fantasyland included."""
    foul = is_foul(front, middle, back, switches, cross)
    for sample in range(m):
        codes[sample, 0, 0], codes[sample, 0, 1], codes[sample, 0, 2] = front, middle, back
        fouled[sample, 0] = foul
        royalties[sample, 0, 0] = 0 if foul else royalty[0, front]
        royalties[sample, 0, 1] = 0 if foul else royalty[1, middle]
        royalties[sample, 0, 2] = 0 if foul else royalty[2, back]
    pair_boards(codes[:m, :seats], fouled[:m, :seats], royalties[:m, :seats], switches, pairs[:m], points[:m, :seats])
    total = np.float64(0)
    for sample in range(m):
        total += points[sample, 0]
    return total / m + (0.0 if foul else values[next_cards(front, middle, back, 0, True, switches, entry, stay)])


@kernel
def _best_finish(own, dealt, choices, first, last, m, seats, codes, fouled, royalties, values, switches, cross,
                 royalty, entry, stay, pairs, points, board, read):  # fmt: skip
    """Best of choices[first:last] on the last street by the points won from samples of the others' boards."""
    best, pick = -np.inf, first
    for choice in range(first, last):
        put_dealt(own, dealt, choices[choice], board[0])
        read_boards(board, switches, cross, read)
        worth = _score_finish(
            read[0, 0], read[0, 1], read[0, 2], codes, fouled, royalties, m, seats, values, switches, cross, royalty,
            entry, stay, pairs, points,
        )  # fmt: skip
        if worth > best:
            best, pick = worth, choice
    return pick


@kernel
def decide_tail(
    keys, own, counts, dealt, discards, opponents, opponents_fantasyland, opponents_discards, deck_size, choices, start,
    to_come, samples, ways, prior, usual, pay, work, values, royalty, entry, stay, out,
):  # fmt: skip
    """Placements of the last street, or of the one before it, against these opponents.

    `to_come`: what is to come, as in `ofclab.kernels.expert_play.Streets`; `ways`: for 0 to 4 open slots the (choices,
    sets, start) that complete a board; `usual`: the payoff by which opponents complete theirs; `pay` is written over
    for each spot; `values` f8 (18,), `royalty`, `entry`, `stay`: the rules.
    """
    others, switches, cross, last_one = opponents.shape[1], usual.switches, usual.cross, to_come == FINISHED
    unseen, shuffled, after = np.empty(54, np.uint8), np.empty(54, np.uint8), np.empty(13, np.uint8)
    codes, fouled = np.zeros((samples, others + 1, 3), np.uint16), np.zeros((samples, others + 1), np.bool_)
    theirs, bad = np.zeros((samples, 3), np.uint16), np.zeros(samples, np.bool_)
    royalties = np.zeros((samples, others + 1, 3), np.int32)
    pairs = np.zeros((samples, (others + 1) * others // 2, 6), np.int32)
    points = np.zeros((samples, others + 1), np.int32)
    rows, spare = np.zeros((3, prior.own.shape[2]), np.float32), np.empty(samples, np.uint16)
    board, read = np.empty((1, 13), np.uint8), np.zeros((1, 3), np.uint16)
    for i in range(own.shape[0]):
        n = list_unseen(own[i], dealt[i], discards[i], opponents[i], opponents_discards[i], deck_size, unseen)
        seats, foul = 1, np.float64(0)
        exact = last_one and all_open(opponents[i], opponents_fantasyland[i])
        for other in range(others):
            came_in = opponents_fantasyland[i, other]
            if came_in == 255:
                continue
            kind, m, weight = np.int64(came_in > 0), 0, _PRIOR_WEIGHT
            free = open_slots(opponents[i, other])
            if kind == 0 and free == 0:
                m, weight = samples, 0.0
                for slot in range(13):
                    board[0, slot] = opponents[i, other, slot]
                read_boards(board, switches, cross, read)
                for sample in range(samples):
                    for row in range(3):
                        theirs[sample, row] = read[0, row]
                    bad[sample] = is_foul(read[0, 0], read[0, 1], read[0, 2], switches, cross)
            elif kind == 0 and free <= _MOST_OPEN:
                m = samples
                their_choices, their_sets, their_start = ways[free]
                complete_board(
                    opponents[i, other], unseen, n, keys[i], _FIRST_COUNTER * np.uint64(other + 1), samples,
                    their_choices, their_sets, their_start, usual, work, shuffled, theirs, bad,
                )  # fmt: skip
            if exact:
                for sample in range(samples):
                    fouled[sample, seats] = bad[sample]
                    for row in range(3):
                        codes[sample, seats, row] = theirs[sample, row]
                        royalties[sample, seats, row] = 0 if bad[sample] else royalty[row, theirs[sample, row]]
            else:
                foul += add_opponent(prior, kind, theirs, bad, m, weight, seats == 1, rows, spare)
            seats += 1
        state = state_of_counts(counts[i])
        first, last = start[state], start[state + 1]
        if exact:
            pick = _best_finish(
                own[i], dealt[i], choices, first, last, samples, seats, codes, fouled, royalties, values, switches,
                cross, royalty, entry, stay, pairs, points, board, read,
            )  # fmt: skip
        else:
            if seats == 1:
                rows[:] = np.float32(0)
            fill_payoff(prior, seats - 1, rows, foul, pay)
            if last_one:
                for choice in range(first, last):
                    put_dealt(own[i], dealt[i], choices[choice], work.board[0])
                    read_finished(pay, work, choice - first)
                judge(work.codes, last - first, pay, work.worths)
                pick = first + best_of(work.worths, last - first)
            else:
                pick, _ = decide_exactly(
                    own[i], dealt[i], choices, first, last, unseen, n, to_come, deck_size > 52, pay, work, after
                )
        for j in range(out.shape[1]):
            out[i, j] = choices[pick, j]
