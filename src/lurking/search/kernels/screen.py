r"""Predict what every move would gain, from derivatives at the current graph alone.

Fits of possible moves take most of the time of a search. Most moves gain nothing, and the second-order
expansion of the likelihood around the fitted parameters says so at once. Write F for minus twice the log-likelihood
per row, P for the parameters of the graph, H for the Hessian, :math:`V = H_{PP}^{-1}`, and y for a parameter that the
graph lacks. At the optimum the gradient vanishes on P, and

- adding y gains :math:`g_y^2 / 2c_y` with :math:`c_y = H_{yy} - H_{yP} V H_{Py}` (the score test, or "modification
  index");
- removing x costs :math:`\theta_x^2 / 2V_{xx}` (the Wald test);
- putting y in the place of x changes F by :math:`\theta_x^2/2V_{xx} - (g_y - z\theta_x/V_{xx})^2 / 2(c_y +
  z^2/V_{xx})` with :math:`z = (V H_{Py})_x`.

The Hessian has a block per district, and with :math:`H_{PP} = LL^\top` and :math:`T = L^{-1}`, :math:`H_{yP} V H_{Py}`
is the squared length of :math:`T H_{Py}`: a triangle of products for each y. So :func:`prepare_screen` does once for a
graph what all moves share, and :func:`predict_move` what is particular to one.

A prediction depends on the districts of the two ends of the pair and on nothing else of the graph, except for what the
number of adjacencies costs. So :func:`prepare_screen` works out anew only the districts that differ from those of the
graph before (:mod:`lurking.search.kernels.screen_work`), and predictions whose districts stayed are remembered.

Near an optimum the prediction of an added or removed edge is right to a tenth of a point, that of a replaced one nearly
always. Climbs use it to decide in which order moves are fitted, and when to stop; walks, which are refused most
moves, to tell which need not be fitted.

*Priors on parameters.* With them the price of a parameter depends on its information, which is n/2 times the curvature
:math:`c_y` or :math:`1/V_{xx}` above, and on its value (:mod:`lurking.sem.kernels.complexity`); what a move does to the
information of other parameters is not predicted. Far from an optimum the expansion can promise values beyond what a
standardised variable allows, whose price would hide the gain, so the value is cut to that; where it bends the wrong way
the parameter is taken to cost the least.

*Similar noise.* Its term (:mod:`lurking.sem.kernels.own_noise`) adds to the Hessian, and it has a kink where a
covariance is 0: own variances shrink whichever sign a new one has. So a new bidirected edge has an expansion for
either sign s, with the slope :math:`g_y + s\kappa` and the couplings :math:`H_{yP} + s N_{yP}`, and gains only on a
side that leads downhill. Predictions of replaced edges are then less sure, since own variances change by much.

With :math:`K = \Omega^{-1}`, W the covariances of errors with variables, U = K W and G = K E K, the derivatives are
those of :mod:`lurking.sem.kernels.newton`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lurking._compile import compiled, exact_part, inlined, part
from lurking._typing import FloatArray
from lurking.graphs.edge_kinds import ARROW_BACK, ARROW_ON, BIDIRECTED, NO_EDGE, edge_of
from lurking.search.kernels.screen_work import (
    ADD,
    BEGIN,
    BEND,
    COEFFICIENT,
    COEFFICIENTS,
    COUNT,
    COVARIANCE,
    CROSS,
    FIRST,
    LEAST_OF_PAIR,
    NOISE_CROSS,
    OWN_SLOPE,
    PREPARATIONS,
    PULL,
    REMOVE,
    WHITENED,
    Derivatives,
    G,
    K,
    ScreenWork,
    U,
    count_parameters,
    find_changes,
    forget,
    has_room,
    list_members,
    list_parameters,
    make_room,
    new_screen_work,
    note_changes,
    update_moments_of_errors,
)
from lurking.sem.kernels.complexity import (
    BIDIRECTED_PRICE,
    COEFFICIENT_PRECISION,
    COVARIANCE_PRECISION,
    DIRECTED_PRICE,
    price_of_edge,
)
from lurking.sem.kernels.district import DEVIATION, LEAST
from lurking.sem.kernels.fit_call import N_SAMPLES, NOISE_CENTRE, NOISE_STRENGTH
from lurking.sem.kernels.linear_algebra import factor, invert_factor
from lurking.sem.kernels.own_noise import bend_and_pull, shared_curvature, shared_slope, shared_variance
from lurking.sem.kernels.score_state import ScoredGraph, ScoreState
from lurking.sem.kernels.scores import count_adjacencies

__all__ = ["ScreenWork", "new_screen_work", "predict_move", "predict_moves", "predict_pair", "prepare_screen"]

_SMALLEST_CURVATURE = 0.05


@part
def _derivatives_of_noise(work: ScreenWork, state: ScoreState, graph: ScoredGraph) -> None:
    """Fill the derivatives of the term of similar noise by own variances, and of these by entries of Omega.

    The derivative by a covariance that the graph lacks is that on the side of positive values: there is a kink at 0.
    """
    noise = work.derivatives.noise
    deviation, least, slope = state.units[DEVIATION], state.units[LEAST], work.derivatives.matrix[OWN_SLOPE]
    strength = state.settings[NOISE_STRENGTH] / state.settings[N_SAMPLES]
    for i in range(slope.shape[0]):
        if not work.changed[i]:
            continue
        own = deviation[i] * deviation[i] * graph.error_cov[i, i]
        for j in range(slope.shape[0]):
            unit = deviation[i] * deviation[j]
            slope[i, j] = unit if i == j else -unit
            if graph.bidirected[i, j]:
                shared, limit = unit * graph.error_cov[i, j], least[i] * least[j]
                own -= shared_variance(shared, limit)
                slope[i, j] = -unit * shared_slope(shared, limit)
        bend, pull = bend_and_pull(own, least[i], strength, state.settings[NOISE_CENTRE])
        noise[BEND, i], noise[PULL, i] = bend, pull


@part
def _fill_noise_cross(work: Derivatives, district: int, count: int, i: int, j: int) -> None:
    """Write the second derivatives of the noise term in the covariance (i, j) and the first ones of a district."""
    slope, bend, cross = work.matrix[OWN_SLOPE], work.noise[BEND], work.vector[NOISE_CROSS]
    start, coefficients = work.block[FIRST, district], work.block[COEFFICIENTS, district]
    for k in range(coefficients, count):
        a, b = work.parameter[0, start + k], work.parameter[1, start + k]
        both = bend[i] if i in (a, b) else 0.0
        if i != j and j in (a, b):
            both += bend[j]
        cross[k] = both * slope[i, j] * slope[a, b]


@part
def _fill_cross(
    work: Derivatives, correlation: FloatArray, district: int, count: int, kind: int, i: int, j: int
) -> None:
    """Write the second derivatives of F in the parameter (i, j) and each of the first parameters of a district."""
    matrix, cross = work.matrix, work.vector[CROSS]
    start, coefficients = work.block[FIRST, district], min(count, work.block[COEFFICIENTS, district])
    first, second = work.parameter[0, start:], work.parameter[1, start:]
    if kind == COEFFICIENT:
        for k in range(coefficients):
            cross[k] = 2.0 * matrix[K, j, second[k]] * correlation[i, first[k]]
        for k in range(coefficients, count):
            a, b = first[k], second[k]
            scale = 1.0 if a == b else 2.0
            cross[k] = scale * (matrix[U, a, i] * matrix[K, b, j] + matrix[U, b, i] * matrix[K, a, j])
    else:
        scale = 1.0 if i == j else 2.0
        for k in range(coefficients):
            a, b = first[k], second[k]
            cross[k] = scale * (matrix[U, i, a] * matrix[K, j, b] + matrix[U, j, a] * matrix[K, i, b])
        for k in range(coefficients, count):
            a, b = first[k], second[k]
            cross[k] = (0.25 if a == b else 0.5) * scale * _curvature_of_covariances(matrix, i, j, a, b)


@part
def _curvature_of_covariances(matrix: FloatArray, i: int, j: int, a: int, b: int) -> float:
    """Return the second derivative of F in the covariances (i, j) and (a, b) of different variables."""
    total: float = (
        matrix[K, j, a] * (2.0 * matrix[G, i, b] - matrix[K, i, b])
        + matrix[K, j, b] * (2.0 * matrix[G, i, a] - matrix[K, i, a])
        + matrix[K, i, a] * (2.0 * matrix[G, j, b] - matrix[K, j, b])
        + matrix[K, i, b] * (2.0 * matrix[G, j, a] - matrix[K, j, a])
    )
    return total


@part
def _factor_hessian(work: Derivatives, state: ScoreState, graph: ScoredGraph, district: int) -> bool:
    """Write T; a Hessian that is not definite is made so by a heavier diagonal."""
    deviation, least, noise = state.units[DEVIATION], state.units[LEAST], state.settings[NOISE_STRENGTH] > 0.0
    start, coefficients, count = (
        work.block[FIRST, district],
        work.block[COEFFICIENTS, district],
        work.block[COUNT, district],
    )
    H = _block_of(work, district)
    heavier = 0.0
    for _ in range(8):
        for k in range(count):
            kind = COEFFICIENT if k < coefficients else COVARIANCE
            i, j = work.parameter[0, start + k], work.parameter[1, start + k]
            _fill_cross(work, state.correlation, district, k + 1, kind, i, j)
            for l in range(k + 1):
                H[k, l] = work.vector[CROSS, l]
            if noise and kind == COVARIANCE:
                _fill_noise_cross(work, district, k + 1, i, j)
                for l in range(coefficients, k + 1):
                    H[k, l] += work.vector[NOISE_CROSS, l]
                if i != j:
                    unit, pull = deviation[i] * deviation[j], work.noise[PULL, i] + work.noise[PULL, j]
                    curvature = shared_curvature(unit * graph.error_cov[i, j], least[i] * least[j])
                    H[k, k] += pull * unit * unit * curvature
            H[k, k] += heavier * abs(H[k, k])
        if factor(H, count):
            invert_factor(H, count, work.vector[WHITENED])
            return True
        heavier = 0.1 if heavier == 0.0 else 4.0 * heavier
    return False


@part
def _block_of(work: Derivatives, district: int) -> FloatArray:
    """Return the Hessian of a district, or its T, as a matrix."""
    count, begin = work.block[COUNT, district], work.block[BEGIN, district]
    return work.hessian[begin : begin + count * count].reshape((count, count))


@part
def _give_way(
    work: Derivatives, correlation: FloatArray, district: int, kind: int, i: int, j: int, x: int
) -> tuple[float, float]:
    """Return how far a district's parameters give way to the absent (i, j), and its coupling to the parameter x.

    The first is what is taken off its curvature; the second is 0 if x is negative, that is, not in this district.
    """
    count = work.block[COUNT, district]
    _fill_cross(work, correlation, district, count, kind, i, j)
    T, cross, whitened = _block_of(work, district), work.vector[CROSS], work.vector[WHITENED]
    given = coupling = 0.0
    for k in range(count):
        total = 0.0
        for l in range(k + 1):
            total += T[k, l] * cross[l]
        whitened[k] = total
        given += total * total
    if x >= 0:
        for k in range(x, count):
            coupling += T[k, x] * whitened[k]
    return given, coupling


@part
def _give_way_to_noise(work: Derivatives, district: int, i: int, j: int, x: int) -> tuple[float, float, float]:
    """Return what the term of similar noise adds to the results of :func:`_give_way` for an absent covariance.

    With T(c + sn) for T c, where s is the sign of the covariance: the square of T n, its product with T c, and the
    coupling of n to the parameter x.
    """
    count, coefficients = work.block[COUNT, district], work.block[COEFFICIENTS, district]
    _fill_noise_cross(work, district, count, i, j)
    T, cross, whitened = _block_of(work, district), work.vector[NOISE_CROSS], work.vector[WHITENED]
    square = product = coupling = 0.0
    for k in range(coefficients, count):
        total = 0.0
        for l in range(coefficients, k + 1):
            total += T[k, l] * cross[l]
        square += total * total
        product += total * whitened[k]
        if 0 <= x <= k:
            coupling += T[k, x] * total
    return square, product, coupling


@inlined
def price_adjacencies(adjacency: FloatArray, state: ScoreState, graph: ScoredGraph) -> None:
    """Write what one adjacency more, and one less, changes the cost of their number by."""
    costs, count = state.adjacency_costs, count_adjacencies(graph.directed, graph.bidirected)
    adjacency[ADD] = costs[min(count + 1, costs.shape[0] - 1)] - costs[count]
    adjacency[REMOVE] = costs[max(count - 1, 0)] - costs[count]


@exact_part
def prepare_screen(state: ScoreState, graph: ScoredGraph, work: ScreenWork) -> bool:
    """Do what the predictions of all moves from a fitted graph share; tell if that was possible.

    Only what differs from the graph for which it was done last is worked out.
    """
    price_adjacencies(work.adjacency, state, graph)
    if not find_changes(work, state, graph):
        return True
    note_changes(work, state, graph)
    list_members(work, graph)
    done = update_moments_of_errors(work, state, graph)
    if done:
        if state.settings[NOISE_STRENGTH] > 0.0:
            _derivatives_of_noise(work, state, graph)
        done = _update_hessians(work, state, graph)
    if not done:
        forget(work)
    return done


@inlined
def _update_hessians(work: ScreenWork, state: ScoreState, graph: ScoredGraph) -> bool:
    """Write T of each district that changed; tell if all have one."""
    d = graph.district.shape[0]
    wanted = wanted_numbers = 0
    for district in range(d):
        if graph.district[district] == district and work.changed[district]:
            count = count_parameters(work.lists, graph.bidirected, district)
            wanted += count
            wanted_numbers += count * count
    if not has_room(work, wanted, wanted_numbers):
        make_room(work)
    for district in range(d):
        if graph.district[district] == district and work.changed[district]:
            count = count_parameters(work.lists, graph.bidirected, district)
            if not has_room(work, count, count * count):
                return False
            list_parameters(work, graph, district)
            if not _factor_hessian(work.derivatives, state, graph, district):
                return False
    return True


@part
def _price(prices: FloatArray, kind: int, information: float, value: float) -> float:
    """Return what a parameter of a kind costs."""
    if kind == COVARIANCE:
        return price_of_edge(prices[BIDIRECTED_PRICE], prices[COVARIANCE_PRECISION], information, value)
    return price_of_edge(prices[DIRECTED_PRICE], prices[COEFFICIENT_PRECISION], information, value)


@part
def _predicted(
    correlation: FloatArray, settings: FloatArray, prices: FloatArray,
    graph: ScoredGraph, work: Derivatives, i: int, j: int, edge: int,
) -> float:  # fmt: skip
    """Return the predicted change of the score, without the cost of the number of adjacencies."""
    matrix = work.matrix
    n = settings[N_SAMPLES]
    now = edge_of(graph.directed, graph.bidirected, i, j)
    x, home = -1, -1  # the parameter of the edge that the pair has, and its district
    cost = value = price = 0.0
    spread = 1.0
    if now != NO_EDGE:
        if now == BIDIRECTED:
            x, home, value = int(work.position[COVARIANCE, i, j]), graph.district[j], graph.error_cov[i, j]
        else:
            a, b = (i, j) if now == ARROW_ON else (j, i)
            x, home, value = int(work.position[COEFFICIENT, a, b]), graph.district[b], graph.coef[a, b]
        T = _block_of(work, home)
        spread = 0.0
        for k in range(x, T.shape[0]):
            spread += T[k, x] * T[k, x]
        cost = 0.5 * value * value / spread
        price -= _price(prices, COVARIANCE if now == BIDIRECTED else COEFFICIENT, 0.5 * n / spread, value)
    if edge == NO_EDGE:
        return float(n * cost + price)
    kind, a, b = (COVARIANCE, i, j) if edge == BIDIRECTED else (COEFFICIENT, i, j)
    if edge == ARROW_BACK:
        a, b = j, i
    if kind == COVARIANCE:
        slope = 2.0 * (matrix[K, a, b] - matrix[G, a, b])
        curvature = _curvature_of_covariances(matrix, a, b, a, b)
    else:
        slope = -2.0 * matrix[U, b, a]
        curvature = 2.0 * matrix[K, b, b] * correlation[a, a]
    noise = kind == COVARIANCE and settings[NOISE_STRENGTH] > 0.0
    coupling = square = product = noise_coupling = kink = 0.0
    for end in (b, a):
        district = graph.district[end]
        if end == a and (kind == COEFFICIENT or district == graph.district[b]):
            continue
        given, coupled = _give_way(work, correlation, district, kind, a, b, x if district == home else -1)
        curvature -= given
        coupling += coupled
        if noise:
            squared, multiplied, coupled = _give_way_to_noise(work, district, a, b, x if district == home else -1)
            square += squared
            product += multiplied
            noise_coupling += coupled
    if noise:
        own_slope = matrix[OWN_SLOPE, a, b]
        curvature += (work.noise[BEND, a] + work.noise[BEND, b]) * own_slope * own_slope - square
        kink = -(work.noise[PULL, a] + work.noise[PULL, b]) * own_slope
    gain = bend = fitted = 0.0
    for sign in (-1.0, 1.0):
        coupled = coupling + sign * noise_coupling
        steepness = slope + sign * kink - coupled * value / spread
        on_this_side = curvature - 2.0 * sign * product + coupled * coupled / spread
        if not np.isfinite(steepness):
            return -np.inf  # nothing is known: fit it
        if not noise or sign * steepness < 0.0:  # downhill on its side of the kink
            # An expansion that bends the wrong way says only that there is much to gain.
            bent = max(on_this_side, _SMALLEST_CURVATURE)
            if 0.5 * steepness * steepness >= gain * bent:
                gain = 0.5 * steepness * steepness / bent
                bend = max(on_this_side, 0.0)
                fitted = steepness / bent if on_this_side > _SMALLEST_CURVATURE else 0.0
    largest = np.sqrt(graph.error_cov[a, a] * graph.error_cov[b, b]) if kind == COVARIANCE else 1.0
    return float(n * (cost - gain) + price + _price(prices, kind, 0.5 * n * bend, min(abs(fitted), largest)))


@exact_part
def predict_move(state: ScoreState, graph: ScoredGraph, work: ScreenWork, i: int, j: int, edge: int) -> float:
    """Return the predicted change of the score if the pair i < j gets another edge; the screen must be prepared."""
    if work.known_at[i, j, edge] < max(work.changed_at[i], work.changed_at[j]):
        work.known[i, j, edge] = _predicted(
            state.correlation, state.settings, state.prices, graph, work.derivatives, i, j, edge
        )
        work.known_at[i, j, edge] = work.counts[PREPARATIONS]
    change: float = work.known[i, j, edge]
    if edge == NO_EDGE:
        change += work.adjacency[REMOVE]
    elif edge_of(graph.directed, graph.bidirected, i, j) == NO_EDGE:
        change += work.adjacency[ADD]
    return change


@part
def predict_pair(state: ScoreState, graph: ScoredGraph, work: ScreenWork, i: int, j: int, now: int) -> None:
    """Bring what is known of a pair i < j up to date, whose edge is ``now``; the screen must be prepared."""
    latest = max(work.changed_at[i], work.changed_at[j])
    if work.known_at[i, j, LEAST_OF_PAIR] >= latest:
        return
    least = np.inf
    for edge in range(4):
        if edge != now:
            if work.known_at[i, j, edge] < latest:
                work.known[i, j, edge] = _predicted(
                    state.correlation, state.settings, state.prices, graph, work.derivatives, i, j, edge
                )
                work.known_at[i, j, edge] = work.counts[PREPARATIONS]
            least = min(least, work.known[i, j, edge])
    work.known[i, j, LEAST_OF_PAIR] = least
    work.known_at[i, j, LEAST_OF_PAIR] = work.counts[PREPARATIONS]


@compiled
def predict_moves(
    state: ScoreState, graph: ScoredGraph, work: ScreenWork, focus: NDArray[np.uint8], predicted: FloatArray
) -> bool:
    """Write the predicted change of the score for every edge of each pair i < j with an end in ``focus``.

    ``predicted[i, j, edge]`` is 0 for the edge that the pair has, and not touched for other pairs. Tell if that was
    possible.
    """
    d = graph.district.shape[0]
    if not prepare_screen(state, graph, work):
        return False
    for i in range(d):
        for j in range(i + 1, d):
            if focus[i] or focus[j]:
                now = edge_of(graph.directed, graph.bidirected, i, j)
                for edge in range(4):
                    predicted[i, j, edge] = 0.0 if edge == now else predict_move(state, graph, work, i, j, edge)
    return True
