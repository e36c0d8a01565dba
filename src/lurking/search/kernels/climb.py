"""Descent and tabu search over single-edge moves, compiled.

A move gives one pair another edge (:mod:`lurking.search.kernels.moves`). Of all moves the climb takes the best one, as
measured by exact fits; but it does not fit them all. It takes those with the smallest predicted change first
(:mod:`lurking.search.kernels.screen`), fits each only as far as it takes to see that it is not the best
(:func:`~lurking.sem.kernels.scores.change_delta` with ``threshold``), and stops when ``patience`` fits in a row
brought nothing, or when what is left is predicted to gain less than half as much as the best one. With a patience of
``EVERY_MOVE`` all moves are tried. Predictions are remembered while the districts that they depend on stay as they are,
so a step costs a look at each pair and the predictions around the districts that the step before it changed.

Often several moves are equally good: A -> B, A <- B and A <-> B, to begin with. Which of them is taken sets the course
of everything that follows, so it must not be left to the last digits of their scores, which differ from machine to
machine. Scores are compared up to a tolerance, and between equals a number decides that the caller may draw anew.

With ``tabu_steps`` the climb goes on from a local optimum: it makes the best move, even if the score gets
worse, and may not touch the same pair again for ``tenure`` steps. Equivalent graphs have equal scores, so these
steps lead through an equivalence class, and what improves any of its members is found. The best graph is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurking._compile import compiled, exact_part, inlined, part
from lurking._typing import FloatArray, IntArray
from lurking.graphs.edge_kinds import NO_EDGE, edge_of
from lurking.search.kernels.block_screen import (
    BlockBuffers,
    has_blocks,
    new_block_buffers,
    predict_block_pair,
    prepare_block_screen,
)
from lurking.search.kernels.moves import may_set
from lurking.search.kernels.screen import ScreenWork, new_screen_work, predict_pair, prepare_screen
from lurking.search.kernels.screen_work import ADD, LEAST_OF_PAIR, REMOVE
from lurking.search.ties import SMALLEST_GAIN
from lurking.sem.kernels.score_state import ScoredGraph, ScoreState, new_scored_graph
from lurking.sem.kernels.scores import change_delta, change_pair, take_last, total_score

__all__ = ["EVERY_MOVE", "AllowedEdges", "ClimbSteps", "ClimbWork", "Stop", "climb", "copy_graph", "new_climb_work"]

EVERY_MOVE = 1 << 40
"""The patience with which every move is tried."""

AllowedEdges = NDArray[np.uint8]
"""``allowed_edges[i, j, edge]`` for i < j: whether the pair may have that edge; knowledge lives here."""

Stop = NDArray[np.uint8]
"""One entry; when another thread sets it, a climb ends where it is."""

_TIE = 1e-5
"""Moves that differ by less are equally good; between them a random number decides, not the rounding of the machine."""
_MARGIN = 10.0  # a move must be predicted to miss by more to be left out; a last climb, with EVERY_MOVE, tries all


class ClimbSteps(NamedTuple):
    """How far a climb goes. In one tuple, since constants as arguments would have the climb compiled once for each."""

    patience: int
    """So many fits in a row that bring nothing end the look for a better move."""
    tabu_steps: int = 0
    """So many steps in a row without a better graph end the climb."""
    tenure: int = 0
    """So many steps long the pair of a move is not touched again."""


class ClimbWork(NamedTuple):
    """Arrays for a climb, allocated once."""

    screen: ScreenWork
    predicted: FloatArray
    """A heap of the moves in question: the change of the score that each is expected to bring, rounded, and its lot."""
    move: IntArray
    """What moves they are: (i · d + j) · 4 + edge."""
    focused: IntArray
    """The variables in focus."""
    tie_break: FloatArray
    """``tie_break[i, j, edge]`` from 0 to 1: of equally good moves the one with the lowest tie_break is taken."""
    tabu_until: IntArray
    """First step at which a pair may be touched again."""
    chosen: IntArray
    """The best move: i, j, edge, and whether ``changed`` is the graph after it; -1 if there is none."""
    changed: ScoredGraph
    stop: Stop
    blocks: BlockBuffers
    """For vertices of several columns, in place of ``screen``."""


def new_climb_work(d: int, stop: Stop | None = None, sizes: Sequence[int] | None = None) -> ClimbWork:
    """Allocate the arrays for graphs with d variables, with ``sizes`` columns each; by default with one."""
    columns = d if sizes is None else sum(sizes)
    return ClimbWork(
        screen=new_screen_work(d),
        predicted=np.zeros(2 * d * d),
        move=np.zeros(2 * d * d, dtype=np.int64),
        focused=np.zeros(d, dtype=np.int64),
        tie_break=np.arange(4 * d * d).reshape(d, d, 4) / (4 * d * d),
        tabu_until=np.zeros((d, d), dtype=np.int64),
        chosen=np.zeros(4, dtype=np.int64),
        changed=new_scored_graph(d, columns),
        stop=np.zeros(1, dtype=np.uint8) if stop is None else stop,
        blocks=new_block_buffers(sizes),
    )


@compiled
def copy_graph(source: ScoredGraph, target: ScoredGraph) -> None:
    """Copy a graph with all that is known of it."""
    # Loops in place of target.coef[:] = source.coef: that would compile what words the error of unequal shapes, too.
    d, columns = source.directed.shape[0], source.coef.shape[0]
    for i in range(d):
        target.district[i] = source.district[i]
        for j in range(d):
            target.directed[i, j] = source.directed[i, j]
            target.bidirected[i, j] = source.bidirected[i, j]
        for k in range(source.local.shape[1]):
            target.local[i, k] = source.local[i, k]
    for i in range(columns):
        for j in range(columns):
            target.coef[i, j] = source.coef[i, j]
            target.error_cov[i, j] = source.error_cov[i, j]


@inlined
def _list_moves(
    state: ScoreState,
    graph: ScoredGraph,
    work: ClimbWork,
    allowed_edges: AllowedEdges,
    focus: NDArray[np.uint8],
    step: int,
    limit: float,
) -> int:
    """List the moves that are predicted to change the score by at most ``limit``, as a heap; return their number."""
    d = focus.shape[0]
    screen, blocks = work.screen, work.blocks
    grouped = has_blocks(blocks)
    usable = prepare_block_screen(state, graph, screen, blocks) if grouped else prepare_screen(state, graph, screen)
    known, to_add, to_remove = screen.known, screen.adjacency[ADD], screen.adjacency[REMOVE]
    in_focus = count = 0
    for i in range(d):
        if focus[i]:
            work.focused[in_focus] = i
            in_focus += 1
    for i in range(d):
        others = d if focus[i] else in_focus
        for k in range(others):
            j = k if focus[i] else work.focused[k]
            if j <= i or work.tabu_until[i, j] > step:
                continue
            now = edge_of(graph.directed, graph.bidirected, i, j)
            if usable:
                if grouped:
                    predict_block_pair(state, graph, screen, blocks, i, j, now)
                elif screen.known_at[i, j, LEAST_OF_PAIR] < max(screen.changed_at[i], screen.changed_at[j]):
                    predict_pair(state, graph, screen, i, j, now)
                if now == NO_EDGE and known[i, j, LEAST_OF_PAIR] + to_add > limit + 2.0 * _TIE:
                    continue
            for edge in range(4):
                if edge != now and allowed_edges[i, j, edge]:
                    change = 0.0
                    if usable:
                        change = known[i, j, edge]
                        if now == NO_EDGE:
                            change += to_add
                        elif edge == NO_EDGE:
                            change += to_remove
                    rounded = np.rint(change / _TIE) + work.tie_break[i, j, edge]
                    if rounded * _TIE <= limit:
                        work.predicted[count] = rounded
                        work.move[count] = 4 * (i * d + j) + edge
                        count += 1
    for place in range(count // 2 - 1, -1, -1):
        _sift_down(work.predicted, work.move, place, count)
    return count


@part
def _sift_down(value: FloatArray, move: IntArray, place: int, count: int) -> None:
    """Bring the entry at a place of a heap to where it belongs; of equal values the smaller number of a move leads."""
    while 2 * place + 1 < count:
        child = 2 * place + 1
        other = child + 1
        if other < count and (
            value[other] < value[child] or (value[other] == value[child] and move[other] < move[child])
        ):
            child = other
        if value[place] < value[child] or (value[place] == value[child] and move[place] < move[child]):
            break
        value[place], value[child] = value[child], value[place]
        move[place], move[child] = move[child], move[place]
        place = child


@inlined
def _best_move(
    state: ScoreState,
    graph: ScoredGraph,
    work: ClimbWork,
    allowed_edges: AllowedEdges,
    focus: NDArray[np.uint8],
    graph_class: int,
    step: int,
    threshold: float,
    patience: int,
) -> None:
    """Write the move with the smallest change below ``threshold`` to ``work.chosen``."""
    d = focus.shape[0]
    directed, bidirected, predicted, move, chosen = (
        graph.directed,
        graph.bidirected,
        work.predicted,
        work.move,
        work.chosen,
    )
    chosen[0] = -1
    best = threshold
    tie_break = 1.0
    fruitless = 0
    may_leave_out = patience < EVERY_MOVE
    left = _list_moves(
        state, graph, work, allowed_edges, focus, step, 0.5 * min(best, 0.0) + _MARGIN if may_leave_out else np.inf
    )
    while fruitless < patience and left > 0:
        if may_leave_out and predicted[0] * _TIE > 0.5 * min(best, 0.0) + _MARGIN:
            break
        next_one = move[0]
        left -= 1
        predicted[0], move[0] = predicted[left], move[left]
        _sift_down(predicted, move, int(np.int64(0)), left)
        pair, edge = next_one // 4, next_one % 4
        i, j = pair // d, pair % d
        if not may_set(directed, bidirected, i, j, edge, graph_class):
            continue
        delta = change_delta(state, graph, i, j, edge, best + _TIE)
        better = delta < best - _TIE
        fruitless = 0 if better else fruitless + 1
        if better or (chosen[0] >= 0 and delta < best + _TIE and work.tie_break[i, j, edge] < tie_break):
            best = min(best, delta)
            tie_break = work.tie_break[i, j, edge]
            chosen[0], chosen[1], chosen[2] = i, j, edge
            copy_graph(graph, work.changed)
            chosen[3] = take_last(state, work.changed, i, j, edge)


@exact_part
def climb(
    state: ScoreState,
    graph: ScoredGraph,
    best: ScoredGraph,
    work: ClimbWork,
    allowed_edges: AllowedEdges,
    focus: NDArray[np.uint8],
    graph_class: int,
    steps: ClimbSteps,
) -> float:
    """Descend from ``graph``, in place, to a local optimum, and with ``tabu_steps`` beyond it; return the best score.

    Only pairs with an end in ``focus`` are moved. Without tabu steps ``best`` is not touched. With them it holds the
    best graph met, and the climb ends after that many steps in a row without a better one.
    """
    patience, tabu_steps, tenure = steps.patience, steps.tabu_steps, steps.tenure
    work.tabu_until[:] = 0
    lowest = total_score(state, graph)
    if tabu_steps > 0:
        copy_graph(graph, best)
    step = idle = 0
    while idle <= tabu_steps and not work.stop[0]:
        step += 1
        threshold = np.inf if idle > 0 else -SMALLEST_GAIN  # from a local optimum any move is made
        _best_move(state, graph, work, allowed_edges, focus, graph_class, step, threshold, patience)
        i, j, edge = work.chosen[0], work.chosen[1], work.chosen[2]
        if i < 0:
            if idle > 0:
                break
            idle = 1
            continue
        if work.chosen[3]:
            copy_graph(work.changed, graph)
        else:
            change_pair(state, graph, i, j, edge)
        score = total_score(state, graph)
        work.tabu_until[i, j] = step + tenure
        if score < lowest - SMALLEST_GAIN:
            lowest = score
            idle = 0
            if tabu_steps > 0:
                copy_graph(graph, best)
        else:
            idle += 1
    return lowest
