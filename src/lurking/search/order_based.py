r"""The best DAG by a search over orders of the variables: a start of the search, and the baseline "no latent causes".

Given an order of the variables, the best DAG that agrees with it consists of d regressions: each variable chooses
its parents among the variables before it. With the Gaussian BIC the local score of j with parents P is

.. math:: n \ln \hat\sigma^2_{j \cdot P} + \ln(n) \, |P|,

and the search for a DAG becomes a search for an order (Teyssier and Koller 2005). The space is smaller, no move can
make a cycle, and neighbouring orders share most of their local scores, which are kept in a table.

**Parents**: by *grow-shrink*, steepest descent on the local score, adding parents until none helps, then dropping them
until none helps, and so on. Up to 20 variables the same is also done from all candidates at once, and the better of the
two is taken; that finds suppressed causes, without effect until their partner is in. What is best added to a set of
parents, or dropped from it, is worked out once for each set that is met
(:mod:`lurking.search.kernels.order_states`); these are the grow-shrink trees of Andrews, Ramsey, Sanchez-Romero,
Camchong and Kummerfeld (2023).

**Moves**: one variable is taken out of the order and put back at the best of all d places. Moving it past one neighbour
changes two local scores only, so all places together cost about 2d of them. The variables take turns until none has a
better place. This is the move of BOSS, in the same paper.

**Restarts**: a climb ends in a local optimum. Up to 20 variables each climb starts from a random order. With more, that
finds the best of many local optima less and less often, so only the first does. Each later climb changes the best order
so far: d/10 times in turn a variable and up to three of its neighbours in the graph are put at random places, and these
and all variables whose parents change look for better places. A change stays unless it makes the score worse. At the
end of the climb all variables take turns again.

**Ties**: a score is better if it is better by 0.0001 (:mod:`lurking.search.ties`), and of possible parents whose gains
are equal when rounded so, the one with the smaller number is taken. So the last digits decide nothing.

>>> from lurking.simulate import simulate_admg
>>> table = simulate_admg(ADMG.parse("A -> C <- B; C -> D"), 1000, random_state=0).data
>>> best_dag(Moments.from_table(table), random_state=0).admg == ADMG.parse("A -> C <- B; C -> D")
True

``tests/search/test_order_based.py`` has the comparison with all DAGs on 4 and 5 variables, ``benchmarks/orders.py``
times and scores from 10 to 500 variables.

References
----------
M. Teyssier and D. Koller (2005), Ordering-based search, UAI. B. Andrews, J. Ramsey, R. Sanchez-Romero, J. Camchong and
E. Kummerfeld (2023), Fast scalable and accurate discovery of DAGs using the best order score search and grow-shrink
trees, NeurIPS. A. P. Dempster (1969), Elements of continuous multivariate analysis.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import KnowledgeError, ParameterError
from lurking._parameters import check_count, check_positive
from lurking._random import generator
from lurking._typing import Edges, FloatArray, IntArray, RandomState
from lurking.data import AnyMoments, GroupedMoments, Moments
from lurking.graphs import ADMG
from lurking.search.block_orders import BlockOrderSearch
from lurking.search.kernels.order_states import MOST_THOROUGH, new_order_work
from lurking.search.kernels.orders import climb
from lurking.search.ties import SMALLEST_GAIN
from lurking.sem import DistrictScore

__all__ = ["ScoredDAG", "best_dag"]


_VARIABLES_PER_CHANGE = 10  # a later climb of a large search makes one change for so many variables
_NEIGHBOURS = 3  # of the variable that is put elsewhere, at most


@dataclass(frozen=True, slots=True)
class ScoredDAG:
    """The best DAG that a search over orders found.

    Parameters
    ----------
    admg : ADMG
        The graph; it has no bidirected edges.
    bic : float
        Its BIC, smaller is better.
    order : tuple of str
        The order it was found for, causes first.
    n_reached : int
        The number of climbs that ended with this score: if it is 1, more restarts may find a better graph.
    """

    admg: ADMG
    bic: float
    order: tuple[str, ...]
    n_reached: int


def best_dag(
    moments: AnyMoments,
    *,
    n_restarts: int = 50,
    allowed_edges: ArrayLike | None = None,
    penalty_discount: float | None = None,
    price: float | FloatArray | None = None,
    stop: Edges | None = None,
    random_state: RandomState = None,
) -> ScoredDAG:
    """Search the DAG with the smallest BIC over orders of the variables.

    Parameters
    ----------
    moments : Moments or GroupedMoments
        The data. With variables of several columns every climb starts from a random order, and it takes much longer.

    Other Parameters
    ----------------
    n_restarts : int, default 50
        The number of climbs: up to 20 variables each from a random order, above that all but the first from the best
        order so far, changed at random.
    allowed_edges : array-like of bool, shape (d, d), optional
        ``allowed_edges[i, j]`` is true if i -> j is allowed; by default every edge is. The diagonal does not matter.
    penalty_discount : float, optional
        Multiplies the penalty ln(n) of each edge during the search, by default 1; the ``bic`` of the result is always
        the BIC.
    price : float or ndarray of shape (d, d), optional
        What each edge costs during the search, on the scale of -2 loglik; by default ln(n) times
        ``penalty_discount`` for each of its parameters. Give one of the two. For variables of several columns
        ``price[i, j]`` can be that of i -> j.
    stop : ndarray of uint8, shape (1,), optional
        Looked at before every move: once another thread has set it to 1, the best graph so far is returned.
    random_state : int, Generator or None
        The seed of the orders.

    Returns
    -------
    result : ScoredDAG
        The best graph, its BIC and its order. It does not depend on the units of the variables.

    Raises
    ------
    ParameterError
        If a number is outside its range.
    KnowledgeError
        If ``allowed_edges`` is not a matrix of the right shape with 0 and 1 only.

    Notes
    -----
    A pass over all variables takes 2d² look-ups of parents. New sets of k parents take O(d k²) each, and are kept, up
    to half a million of them: 130 MB at most, and five matrices of d².

    Examples
    --------
    >>> chain = Moments([[1.0, 0.8, 0.64], [0.8, 1.0, 0.8], [0.64, 0.8, 1.0]], 500, ["A", "B", "C"])
    >>> result = best_dag(chain, random_state=0)
    >>> result.admg.n_edges, round(result.bic, 2)
    (2, 3266.24)
    >>> forward_only = [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    >>> best_dag(chain, allowed_edges=forward_only, random_state=0).admg
    ADMG.parse('A -> B; B -> C')
    """
    check_count("n_restarts", n_restarts, owner="best_dag")
    if price is not None and penalty_discount is not None:
        raise ParameterError(
            "Both 'price' and 'penalty_discount' of best_dag say what an edge costs; give one of them only."
        )
    d, n = moments.n_variables, moments.n_samples
    if isinstance(moments, GroupedMoments):
        return _best_block_dag(moments, n_restarts, allowed_edges, penalty_discount, price, stop, random_state)
    if price is None:
        discount = 1.0 if penalty_discount is None else check_positive("penalty_discount", penalty_discount, "best_dag")
        price = discount * math.log(n)
    else:
        if isinstance(price, np.ndarray):
            raise ParameterError("A matrix as 'price' of best_dag needs GroupedMoments; give one number.")
        price = check_positive("price", price, "best_dag")
    search = _Search(moments, _checked_allowed(allowed_edges, d), price, _checked_stop(stop), generator(random_state))
    scores: list[float] = []
    for _ in range(n_restarts):
        scores.append(search.from_random_order() if not scores or d <= MOST_THOROUGH else search.from_best_order())
        if search.stop[0]:
            break
    edges = int(search.directed.sum())
    # What the local scores leave out: the units, the constant, and one variance per variable.
    common = n * (d * (1.0 + math.log(2.0 * math.pi)) + float(np.log(np.diag(moments.cov)).sum())) + math.log(n) * d
    return ScoredDAG(
        admg=ADMG(moments.names, search.directed.astype(bool), np.zeros((d, d), dtype=bool)),
        bic=search.score + (math.log(n) - price) * edges + common,
        order=tuple(moments.names[i] for i in search.order),
        n_reached=sum(score < search.score + SMALLEST_GAIN for score in scores),
    )


def _best_block_dag(
    moments: GroupedMoments,
    n_restarts: int,
    allowed_edges: ArrayLike | None,
    penalty_discount: float | None,
    price: float | FloatArray | None,
    stop: Edges | None,
    random_state: RandomState,
) -> ScoredDAG:
    """Search the DAG on variables of several columns."""
    d, n = moments.n_variables, moments.n_samples
    discount = 1.0 if penalty_discount is None else check_positive("penalty_discount", penalty_discount, "best_dag")
    parameters = np.outer(moments.sizes, moments.sizes).astype(float)
    prices = discount * math.log(n) * parameters if price is None else np.broadcast_to(price, (d, d)).astype(float)
    if not (prices > 0.0).all():
        raise ParameterError("Every 'price' of best_dag must be greater than 0.")
    stopped = _checked_stop(stop)
    search = BlockOrderSearch(moments, _checked_allowed(allowed_edges, d), prices, stopped)
    rng = generator(random_state)
    scores: list[float] = []
    for _ in range(n_restarts):
        scores.append(search.climb(rng.permutation(d)))
        if stopped[0]:
            break
    admg = ADMG(moments.names, search.directed, np.zeros((d, d), dtype=bool))
    return ScoredDAG(
        admg=admg,
        bic=DistrictScore(moments, cache_size=1).score(admg),
        order=tuple(moments.names[i] for i in search.best.order),
        n_reached=sum(score < search.best.score + SMALLEST_GAIN for score in scores),
    )


class _Search:
    """The best order so far, its graph and its score, and the climbs that improve them."""

    def __init__(
        self, moments: Moments, allowed_edges: Edges, price: float, stop: Edges, rng: np.random.Generator
    ) -> None:
        d = moments.n_variables
        self.stop, self.score = stop, math.inf
        self.order: IntArray = np.arange(d)
        self.directed: Edges = np.zeros((d, d), dtype=np.uint8)
        self._rng = rng
        self._work = new_order_work(moments.correlation, moments.n_samples, allowed_edges, price)
        self._found: Edges = np.zeros((d, d), dtype=np.uint8)

    def from_random_order(self) -> float:
        """Climb from a random order; return the score of its local optimum."""
        return self._climb(self._rng.permutation(len(self.order)), None, self.score - SMALLEST_GAIN)

    def from_best_order(self) -> float:
        """Change the best order here and there, then let all variables climb; return the score after that."""
        for _ in range(-(-len(self.order) // _VARIABLES_PER_CHANGE)):
            if self.stop[0]:
                break
            group, order = self._changed()
            self._climb(order, group, self.score + SMALLEST_GAIN)
        return self._climb(self.order.copy(), None, self.score + SMALLEST_GAIN)

    def _changed(self) -> tuple[IntArray, IntArray]:
        """Return a variable with some of its neighbours, and the best order with these at random places."""
        vertex = int(self._rng.integers(len(self.order)))
        neighbours = np.flatnonzero(self.directed[vertex] | self.directed[:, vertex])
        group = np.append(self._rng.permutation(neighbours)[:_NEIGHBOURS], vertex)
        rest = self.order[~np.isin(self.order, group)]
        places = self._rng.integers(len(rest) + 1, size=len(group))
        return group, np.insert(rest, places, group)

    def _climb(self, order: IntArray, group: IntArray | None, limit: float) -> float:
        """Climb with the variables of a group, or with all; keep what is found if its score is below a limit."""
        awake = np.zeros(len(order), dtype=np.uint8)
        awake[slice(None) if group is None else group] = 1
        score = climb(self._work, order, awake, self._found, self.stop)
        if score < limit:
            self.order, self.score = order, score
            self.directed, self._found = self._found, self.directed
        return score


def _checked_allowed(allowed_edges: ArrayLike | None, d: int) -> Edges:
    if allowed_edges is None:
        return np.ones((d, d), dtype=np.uint8)
    matrix = np.asarray(allowed_edges)
    if matrix.shape != (d, d):
        raise KnowledgeError(
            f"The matrix of allowed edges must have shape ({d}, {d}), one row per variable. Got {matrix.shape} instead."
        )
    if not np.isin(matrix, (0, 1)).all():
        raise KnowledgeError("The matrix of allowed edges must hold only 0 and 1 (or False and True).")
    return matrix.astype(np.uint8)


def _checked_stop(stop: object) -> Edges:
    if stop is None:
        return np.zeros(1, dtype=np.uint8)
    if not isinstance(stop, np.ndarray) or stop.dtype != np.uint8 or stop.shape != (1,):
        raise ParameterError(
            f"The 'stop' parameter of best_dag must be a NumPy array of uint8 of shape (1,). Got {stop!r} instead."
        )
    return stop
