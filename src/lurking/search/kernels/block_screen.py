r"""The screen of moves for vertices of several columns; for vertices of one column it is that of ``screen``.

A move puts the q parameters y of one edge in the place of the parameters x of another, or of none. In the notation of
:mod:`lurking.search.kernels.screen`, now with vectors and matrices for x and y,

- removing x costs :math:`\tfrac12 \theta_x^\top V_{xx}^{-1} \theta_x`;
- adding y then gains :math:`\tfrac12 s^\top C^{-1} s` with :math:`s = g_y - z^\top V_{xx}^{-1}\theta_x`,
  :math:`C = H_{yy} - H_{yP} V H_{Py} + z^\top V_{xx}^{-1} z` and :math:`z = (V H_{Py})_x`.

The derivatives are those of the wide graph (:mod:`lurking.sem.kernels.blocks`), so all but the last step is shared.
What the parameters cost follows from the same matrices: ln det(I + nC / 2p) for a prior precision p.

Similar noise is not assumed here. All this is called by its address, which is known only if there are such vertices:
searches among other variables are compiled as if it did not exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurking._compile import compiled, part
from lurking._typing import Edges, FloatArray, IntArray
from lurking.graphs.edge_kinds import ARROW_BACK, BIDIRECTED, NO_EDGE, edge_of
from lurking.search.kernels.native_call import address_of, call_for_flag, call_for_number
from lurking.search.kernels.screen import (
    _block_of,
    _curvature_of_covariances,
    _factor_hessian,
    _fill_cross,
    price_adjacencies,
)
from lurking.search.kernels.screen_work import (
    ADD,
    BEGIN,
    COEFFICIENT,
    COEFFICIENTS,
    COUNT,
    COVARIANCE,
    CROSS,
    FIRST,
    KE,
    LEAST_OF_PAIR,
    REMOVE,
    Derivatives,
    G,
    K,
    ScreenWork,
    U,
    W,
)
from lurking.sem.kernels.blocks import widen
from lurking.sem.kernels.complexity import (
    BIDIRECTED_PRICE,
    COEFFICIENT_PRECISION,
    COVARIANCE_PRECISION,
    DIRECTED_PRICE,
    FURTHER_PRICE,
    N_PRICES,
    log_determinant,
)
from lurking.sem.kernels.fit_call import N_FOUND, N_SAMPLES
from lurking.sem.kernels.linear_algebra import back_substitute, factor, forward_substitute, invert_factored
from lurking.sem.kernels.score_state import ScoredGraph, ScoreState, new_score_state, new_scored_graph

__all__ = [
    "BlockBuffers",
    "has_blocks",
    "new_block_buffers",
    "predict_block_move",
    "predict_block_pair",
    "prepare_block_screen",
]

Integer = int | np.int64

# planes of WideWork.square: V_xx and its factor, C and its factor, z
_SPREAD, _SPREAD_FACTOR, _CURVATURE, _CURVATURE_FACTOR, _COUPLING = range(5)
# rows of WideWork.vector
_VALUE, _WEIGHT, _SLOPE, _FITTED = range(4)
# rows of WideWork.parameter: the two columns of each parameter of the new edge, and the places of the old ones
_ONE, _OTHER, _PLACE = range(3)


# entries of BlockBuffers.address
_PREPARE, _PREDICT = range(2)

_MOST_NUMBERS = 1 << 22  # of the Hessians of all districts together: 32 MB, of which only what is used is ever touched


class WideWork(NamedTuple):
    """Arrays for the prediction with vertices of several columns, allocated once."""

    derivatives: Derivatives
    """Of the wide graph."""
    wide: ScoredGraph
    """The graph on columns."""
    square: FloatArray
    """Matrices over the parameters of one edge."""
    vector: FloatArray
    """Vectors over the parameters of one edge."""
    parameter: IntArray
    whitened: FloatArray
    """``T H_Py``, one row for each parameter y of an edge."""


class BlockBuffers(NamedTuple):
    """Arrays for the prediction, allocated once.

    Those of a :class:`WideWork` are parts of four arrays, because every array of a named tuple costs time whenever the
    tuple is passed on.
    """

    floats: FloatArray
    integers: IntArray
    places: NDArray[np.int32]
    edges: Edges
    address: IntArray
    """Addresses in this process of what prepares and what predicts with vertices of several columns, otherwise 0."""

    def __reduce__(self) -> tuple[object, ...]:
        return _buffers_in_this_process, tuple(self)


def _buffers_in_this_process(*fields: object) -> BlockBuffers:
    buffers = BlockBuffers._make(fields)
    if buffers.address.any():
        buffers.address[:] = _addresses()
    return buffers


def new_block_buffers(sizes: Sequence[int] | None = None) -> BlockBuffers:
    """Allocate the arrays for vertices of so many columns each; without any they are empty."""
    grouped = sizes is not None and max(sizes) > 1
    columns, most = (sum(sizes), max(sizes) ** 2) if grouped and sizes is not None else (0, 0)
    parameters = columns * (columns + 1) // 2
    hessians = min(parameters * parameters, _MOST_NUMBERS)
    n_floats = hessians + (7 * columns + 2 + N_FOUND) * columns + (3 + most) * parameters + (5 * most + 9) * most
    n_integers = 2 * parameters + 5 * columns + 3 * most
    return BlockBuffers(
        floats=np.zeros(n_floats),
        integers=np.full(n_integers, -1, dtype=np.int64),
        places=np.full(2 * columns * columns, -1, dtype=np.int32),
        edges=np.zeros(2 * columns * columns, dtype=np.uint8),
        address=np.array(_addresses() if grouped else (0, 0), dtype=np.int64),
    )


@part
def _wide_work(
    state: ScoreState, floats: FloatArray, integers: IntArray, places: NDArray[np.int32], edges: Edges
) -> WideWork:
    """Return the arrays as parts of four."""
    first_column = state.first_column
    columns, largest = first_column[-1], 0
    for vertex in range(first_column.shape[0] - 1):
        largest = max(largest, first_column[vertex + 1] - first_column[vertex])
    square, most, parameters = columns * columns, largest * largest, columns * (columns + 1) // 2
    ends = np.empty(10, dtype=np.int64)
    begin = np.int64(0)
    lengths = (
        5 * square, min(parameters * parameters, _MOST_NUMBERS), 3 * parameters, 2 * columns, square, square,
        N_FOUND * columns, 5 * (most + 1) * most, 4 * most, most * parameters,
    )  # fmt: skip
    for k in range(10):
        begin += lengths[k]
        ends[k] = begin
    begin = 2 * parameters
    derivatives = Derivatives(
        matrix=floats[: ends[0]].reshape((5, columns, columns)),
        hessian=floats[ends[0] : ends[1]],
        vector=floats[ends[1] : ends[2]].reshape((3, parameters)),
        noise=floats[ends[2] : ends[3]].reshape((2, columns)),
        parameter=integers[:begin].reshape((2, parameters)),
        position=places.reshape((2, columns, columns)),
        block=integers[begin : begin + 4 * columns].reshape((4, columns)),
    )
    begin += 4 * columns
    wide = ScoredGraph(
        directed=edges[:square].reshape((columns, columns)),
        bidirected=edges[square:].reshape((columns, columns)),
        district=integers[begin : begin + columns],
        local=floats[ends[5] : ends[6]].reshape((columns, N_FOUND)),
        coef=floats[ends[3] : ends[4]].reshape((columns, columns)),
        error_cov=floats[ends[4] : ends[5]].reshape((columns, columns)),
    )
    return WideWork(
        derivatives=derivatives,
        wide=wide,
        square=floats[ends[6] : ends[7]].reshape((5, most + 1, most)),
        vector=floats[ends[7] : ends[8]].reshape((4, most)),
        parameter=integers[begin + columns : begin + columns + 3 * most].reshape((3, most)),
        whitened=floats[ends[8] : ends[9]].reshape((most, parameters)),
    )


@cache
def _addresses() -> tuple[int, int]:
    """Return the addresses of what prepares and what predicts; the first call compiles them or loads them from disk."""
    correlation = np.eye(1)
    state = new_score_state(correlation, np.ones(1), 10, np.zeros(N_PRICES), np.zeros(1), 1, 1e-5)
    arguments = (
        state,
        new_scored_graph(1),
        np.zeros(1),
        np.zeros(1, dtype=np.int64),
        np.zeros(1, dtype=np.int32),
        np.zeros(1, dtype=np.uint8),
    )
    return address_of(_prepare_wide, *arguments), address_of(_predict_wide, *arguments, 0, 0, 0)


@compiled
def _prepare_wide(
    state: ScoreState,
    graph: ScoredGraph,
    floats: FloatArray,
    integers: IntArray,
    places: NDArray[np.int32],
    edges: Edges,
) -> bool:
    """Do what the predictions of all moves share; tell if that was possible."""
    work = _wide_work(state, floats, integers, places, edges)
    derivatives, wide, first_column = work.derivatives, work.wide, state.first_column
    widen(graph.directed, graph.bidirected, first_column, wide.directed, wide.bidirected)
    wide.coef[:] = graph.coef
    wide.error_cov[:] = graph.error_cov
    for vertex in range(graph.district.shape[0]):
        for column in range(first_column[vertex], first_column[vertex + 1]):
            wide.district[column] = first_column[graph.district[vertex]]
    if not _moments_of_errors(derivatives, state, wide):
        return False
    first = begin = 0
    for district in range(wide.district.shape[0]):
        if wide.district[district] == district:
            _list_parameters(derivatives, wide, district, first, begin)
            count = derivatives.block[COUNT, district]
            first += count
            begin += count**2
            if begin > derivatives.hessian.shape[0] or not _factor_hessian(derivatives, state, wide, district):
                return False
    return True


@part
def _moments_of_errors(work: Derivatives, state: ScoreState, graph: ScoredGraph) -> bool:
    """Fill K, W, U, K E and G for the whole graph; tell if the error covariances are positive definite."""
    matrix = work.matrix
    d = graph.district.shape[0]
    matrix[KE] = graph.error_cov
    if not factor(matrix[KE], d):
        return False
    invert_factored(matrix[KE], d, matrix[K])
    for i in range(d):
        for p in range(d):
            matrix[W, i, p] = state.correlation[i, p]
        for q in range(d):
            if graph.directed[q, i]:
                for p in range(d):
                    matrix[W, i, p] -= graph.coef[q, i] * state.correlation[q, p]
    for i in range(d):
        for p in range(d):
            matrix[U, i, p] = 0.0
        for j in range(d):
            if graph.district[i] == graph.district[j]:
                for p in range(d):
                    matrix[U, i, p] += matrix[K, i, j] * matrix[W, j, p]
        for j in range(d):
            matrix[KE, i, j] = matrix[U, i, j]
            for q in range(d):
                if graph.directed[q, j]:
                    matrix[KE, i, j] -= graph.coef[q, j] * matrix[U, i, q]
    for i in range(d):
        for j in range(d):
            matrix[G, i, j] = 0.0
        for l in range(d):
            for j in range(d):
                matrix[G, i, j] += matrix[KE, i, l] * matrix[K, l, j]
    return True


@part
def _list_parameters(work: Derivatives, graph: ScoredGraph, district: int, first: int, begin: int) -> None:
    """List the parameters of a district, from entry ``first`` on, and note where they are and its T will be."""
    d = graph.district.shape[0]
    parameter, position, block = work.parameter, work.position, work.block
    count = first
    for j in range(d):
        if graph.district[j] == district:
            for i in range(d):
                position[COEFFICIENT, i, j] = -1
                if graph.directed[i, j]:
                    parameter[0, count], parameter[1, count] = i, j
                    position[COEFFICIENT, i, j] = count - first
                    count += 1
    block[FIRST, district], block[COEFFICIENTS, district], block[BEGIN, district] = first, count - first, begin
    for j in range(d):
        if graph.district[j] == district:
            for i in range(j + 1):
                position[COVARIANCE, i, j] = -1
                if i == j or graph.bidirected[i, j]:
                    parameter[0, count], parameter[1, count] = i, j
                    position[COVARIANCE, i, j] = count - first
                    count += 1
    block[COUNT, district] = count - first


@part
def _price(state: ScoreState, kind: int, parameters: int) -> float:
    """Return the price of an edge apart from priors on its parameters."""
    edge = state.prices[BIDIRECTED_PRICE] if kind == COVARIANCE else state.prices[DIRECTED_PRICE]
    return float(edge + (parameters - 1) * state.prices[FURTHER_PRICE])


@part
def _precision(state: ScoreState, kind: int, larger: int) -> float:
    """Return the prior precision of each parameter of an edge; 0 if there is no prior."""
    if kind == COVARIANCE:
        return float(state.prices[COVARIANCE_PRECISION] * larger)
    return float(state.prices[COEFFICIENT_PRECISION] * larger)


@part
def _log_information(matrix: FloatArray, scratch: FloatArray, size: int, shift: float, scale: float) -> float:
    """Return ln det(shift I + scale A); inf if it is not definite."""
    for k in range(size):
        for l in range(k + 1):
            scratch[k, l] = scale * matrix[k, l]
        scratch[k, k] += shift
    return log_determinant(scratch, size) if factor(scratch, size) else np.inf


@part
def _take_out(
    state: ScoreState, graph: ScoredGraph, work: WideWork, i: int, j: int, now: int
) -> tuple[float, float, int, int]:
    """Return what taking the edge of a pair out costs in likelihood and in price, its district and its parameters.

    The factor of V_xx and V_xx^-1 theta_x stay in the work arrays.
    """
    derivatives, first_column = work.derivatives, state.first_column
    a, b = (j, i) if now == ARROW_BACK else (i, j)
    kind = COVARIANCE if now == BIDIRECTED else COEFFICIENT
    values = graph.error_cov if now == BIDIRECTED else graph.coef
    home = first_column[graph.district[b]]
    value, weight, place = work.vector[_VALUE], work.vector[_WEIGHT], work.parameter[_PLACE]
    count = 0
    squares = 0.0
    for one in range(first_column[a], first_column[a + 1]):
        for other in range(first_column[b], first_column[b + 1]):
            place[count] = derivatives.position[kind, one, other]
            value[count] = values[one, other]
            squares += value[count] * value[count]
            count += 1
    T, spread, factored = _block_of(derivatives, home), work.square[_SPREAD], work.square[_SPREAD_FACTOR]
    for k in range(count):
        for l in range(k + 1):
            total = 0.0
            for row in range(max(place[k], place[l]), T.shape[0]):
                total += T[row, place[k]] * T[row, place[l]]
            spread[k, l] = total
            factored[k, l] = total
        factored[count, k] = value[k]
    if not factor(factored, count):
        return np.inf, 0.0, home, count
    forward_substitute(factored, count, count)
    cost = 0.0
    for k in range(count):
        cost += 0.5 * factored[count, k] * factored[count, k]
    back_substitute(factored, count, count, weight)
    sizes = (first_column[a + 1] - first_column[a], first_column[b + 1] - first_column[b])
    price, precision = _price(state, kind, count), _precision(state, kind, max(sizes[0], sizes[1]))
    if precision > 0.0:
        shift = 0.5 * state.settings[N_SAMPLES] / precision
        both = _log_information(spread, work.square[_CURVATURE_FACTOR], count, shift, 1.0)
        price += both - log_determinant(factored, count) + precision * squares
    return cost, price, home, count


@part
def _add_couplings(
    state: ScoreState, work: WideWork, kind: int, count: int, district: int, home: Integer, x_count: Integer
) -> None:
    """Take off C what the parameters of a district give way, and write z if the old edge is in it."""
    derivatives, whitened, curvature = work.derivatives, work.whitened, work.square[_CURVATURE]
    one, other, place = work.parameter[_ONE], work.parameter[_OTHER], work.parameter[_PLACE]
    T, cross = _block_of(derivatives, district), derivatives.vector[CROSS]
    rows = derivatives.block[COUNT, district]
    for y in range(count):
        _fill_cross(derivatives, state.correlation, district, rows, kind, one[y], other[y])
        for k in range(rows):
            total = 0.0
            for l in range(k + 1):
                total += T[k, l] * cross[l]
            whitened[y, k] = total
        for before in range(y + 1):
            total = 0.0
            for k in range(rows):
                total += whitened[y, k] * whitened[before, k]
            curvature[y, before] -= total
        if district == home:
            for x in range(x_count):
                total = 0.0
                for k in range(place[x], rows):
                    total += T[k, place[x]] * whitened[y, k]
                work.square[_COUPLING, y, x] = total


@part
def _gain(
    state: ScoreState,
    graph: ScoredGraph,
    work: WideWork,
    i: int,
    j: int,
    edge: int,
    home: Integer,
    x_count: Integer,
) -> tuple[float, float]:
    """Return the gain in likelihood of an edge that is put in, the old one being out, and its price."""
    derivatives, first_column = work.derivatives, state.first_column
    inverse, weighted, moments = derivatives.matrix[K], derivatives.matrix[U], derivatives.matrix[G]
    kind = COVARIANCE if edge == BIDIRECTED else COEFFICIENT
    a, b = (j, i) if edge == ARROW_BACK else (i, j)
    one, other = work.parameter[_ONE], work.parameter[_OTHER]
    slope, weight, fitted = work.vector[_SLOPE], work.vector[_WEIGHT], work.vector[_FITTED]
    curvature, factored, coupling = work.square[_CURVATURE], work.square[_CURVATURE_FACTOR], work.square[_COUPLING]
    count = 0
    for p in range(first_column[a], first_column[a + 1]):
        for q in range(first_column[b], first_column[b + 1]):
            one[count], other[count] = p, q
            slope[count] = 2.0 * (inverse[p, q] - moments[p, q]) if kind == COVARIANCE else -2.0 * weighted[q, p]
            for k in range(count + 1):
                if kind == COVARIANCE:
                    curvature[count, k] = _curvature_of_covariances(derivatives.matrix, p, q, one[k], other[k])
                else:
                    curvature[count, k] = 2.0 * inverse[q, other[k]] * state.correlation[p, one[k]]
            count += 1
    for y in range(count):
        for x in range(x_count):
            coupling[y, x] = 0.0
    head, tail = first_column[graph.district[b]], first_column[graph.district[a]]
    _add_couplings(state, work, kind, count, head, home, x_count)
    if kind == COVARIANCE and tail != head:
        _add_couplings(state, work, kind, count, tail, home, x_count)
    if x_count > 0:
        spread = work.square[_SPREAD_FACTOR]
        for y in range(count):
            for x in range(x_count):
                slope[y] -= coupling[y, x] * weight[x]
        for y in range(count):  # L^-1 z
            for x in range(x_count):
                rest = coupling[y, x]
                for k in range(x):
                    rest -= coupling[y, k] * spread[x, k]
                coupling[y, x] = rest * spread[x, x]
            for before in range(y + 1):
                for x in range(x_count):
                    curvature[y, before] += coupling[y, x] * coupling[before, x]
    heavier = 0.0
    definite = False
    for _ in range(8):  # an expansion that bends the wrong way says only that there is much to gain
        for y in range(count):
            for before in range(y + 1):
                factored[y, before] = curvature[y, before]
            factored[y, y] += heavier * (abs(curvature[y, y]) + 0.05)
            factored[count, y] = slope[y]
        definite = factor(factored, count)
        if definite:
            break
        heavier = 0.1 if heavier == 0.0 else 3.0 * heavier
    if not definite:
        return np.inf, 0.0
    forward_substitute(factored, count, count)
    gain = 0.0
    for y in range(count):
        gain += 0.5 * factored[count, y] * factored[count, y]
    back_substitute(factored, count, count, fitted)
    sizes = (first_column[a + 1] - first_column[a], first_column[b + 1] - first_column[b])
    price, precision = _price(state, kind, count), _precision(state, kind, max(sizes[0], sizes[1]))
    if precision > 0.0 and heavier == 0.0:
        squares = 0.0
        for y in range(count):
            squares += fitted[y] * fitted[y]
        information = _log_information(curvature, factored, count, 1.0, 0.5 * state.settings[N_SAMPLES] / precision)
        price += information + precision * min(squares, float(min(sizes[0], sizes[1])))
    return gain, price


@compiled
def _predict_wide(
    state: ScoreState,
    graph: ScoredGraph,
    floats: FloatArray,
    integers: IntArray,
    places: NDArray[np.int32],
    edges: Edges,
    i: int,
    j: int,
    edge: int,
) -> float:
    """Return the predicted change of the score, without the cost of the number of adjacencies."""
    work = _wide_work(state, floats, integers, places, edges)
    now = edge_of(graph.directed, graph.bidirected, i, j)
    home: Integer = np.int64(-1)
    x_count: Integer = np.int64(0)
    cost = gain = price = 0.0
    if now != NO_EDGE:
        cost, saved, home, x_count = _take_out(state, graph, work, i, j, now)
        price -= saved
    if edge != NO_EDGE:
        gain, paid = _gain(state, graph, work, i, j, edge, home, x_count)
        price += paid
    change = float(state.settings[N_SAMPLES] * (cost - gain) + price)
    return change if np.isfinite(change) else -np.inf  # nothing is known: fit it


@part
def has_blocks(work: BlockBuffers) -> bool:
    """Tell whether there are vertices of several columns; if not, the functions below must not be called."""
    return bool(work.address[_PREPARE] != 0)


@part
def prepare_block_screen(state: ScoreState, graph: ScoredGraph, screen: ScreenWork, work: BlockBuffers) -> bool:
    """Do what the predictions of all moves from a fitted graph share; tell if that was possible.

    What one adjacency more or less costs goes to ``screen``, the work arrays of graphs with so many vertices.
    """
    price_adjacencies(screen.adjacency, state, graph)
    return call_for_flag(work.address[_PREPARE], (state, graph, work.floats, work.integers, work.places, work.edges))


@part
def predict_block_move(
    state: ScoreState, graph: ScoredGraph, screen: ScreenWork, work: BlockBuffers, i: int, j: int, edge: int
) -> float:
    """Return the predicted change of the score if the pair i < j gets another edge; the screen must be prepared."""
    change = _predicted(state, graph, work, i, j, edge)
    if edge == NO_EDGE:
        change += screen.adjacency[REMOVE]
    elif edge_of(graph.directed, graph.bidirected, i, j) == NO_EDGE:
        change += screen.adjacency[ADD]
    return change


@part
def predict_block_pair(
    state: ScoreState, graph: ScoredGraph, screen: ScreenWork, work: BlockBuffers, i: int, j: int, now: int
) -> None:
    """Write what is predicted of a pair i < j, whose edge is ``now``, to ``screen``, without costs of adjacencies."""
    least = np.inf
    for edge in range(4):
        if edge != now:
            screen.known[i, j, edge] = _predicted(state, graph, work, i, j, edge)
            least = min(least, screen.known[i, j, edge])
    screen.known[i, j, LEAST_OF_PAIR] = least


@part
def _predicted(state: ScoreState, graph: ScoredGraph, work: BlockBuffers, i: int, j: int, edge: int) -> float:
    move = (
        state, graph, work.floats, work.integers, work.places, work.edges, np.int64(i), np.int64(j), np.int64(edge),
    )  # fmt: skip
    return call_for_number(work.address[_PREDICT], move)
