r"""The score of a graph as a sum of local scores, one per district, each computed once.

The Bayesian information criterion of a bow-free ADMG is

.. math:: \mathrm{BIC} = -2 \ell + \ln(n)\,(\#\text{directed} + \#\text{bidirected} + d),

smaller is better. Likelihood and number of parameters are sums over districts, so the score is a sum of local scores,
each of which depends on the members of one district, their parents, and the bidirected edges inside. A change of one
edge touches one or two of them. :class:`DistrictScore` keeps the local scores that it has met in a table of bounded
size.

*Similar noise.* With a centre :math:`\mu` and a spread :math:`\tau` the score has one more term,
:math:`\sum_i ((\ln\phi_i - \mu) / \tau)^2`, where :math:`\phi_i = \omega_{ii} - \sum_j |\omega_{ij}|` is the error
variance that is a variable's own, without the shares of unmeasured common causes
(:mod:`lurking.sem.kernels.own_noise`): the assumption that all variables have about the same noise of their own in the
units given. The estimates are those that minimise the sum of both terms.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lurking._errors import ParameterError
from lurking._parameters import check_count, check_positive
from lurking.data import AnyMoments, GroupedMoments
from lurking.graphs import ADMG
from lurking.sem.criterion import Criterion, CriterionName, criterion_for
from lurking.sem.kernels.fit_call import LOG_SQUARES, LOG_SUM, NOISE_CENTRE, NOISE_STRENGTH, SCORE
from lurking.sem.kernels.score_state import (
    EVICTIONS,
    HITS,
    MISSES,
    ScoredGraph,
    ScoreState,
    clear_cache,
    new_score_state,
    new_scored_graph,
)
from lurking.sem.kernels.scores import MARKED, district_score
from lurking.sem.ricf import bow_free_graph_of

__all__ = ["DistrictScore"]


class DistrictScore:
    """Score of bow-free ADMGs on one set of moments, with a cache of districts.

    Parameters
    ----------
    moments : Moments or GroupedMoments
        Covariance matrix, number of rows, names. The graphs are on the variables: one that has several columns is one
        vertex, and everything is fitted on the wide graph (:mod:`lurking.graphs.grouping`).
    criterion : str or Criterion, default "bic"
        What parameters and edges cost (:mod:`lurking.sem.criterion`).
    cache_size : int, default 262144
        The number of local scores that are kept (rounded up to a power of two; 48 bytes each).
    tolerance : float, default 1e-5
        A fit stops when minus twice its log-likelihood is estimated to be less than this above its floor; the last
        Newton step makes the error much smaller still.

    Attributes
    ----------
    state : ScoreState
        The arrays that compiled search loops work on (:mod:`lurking.sem.kernels.scores`). Not to be shared by threads.

    See Also
    --------
    lurking.sem.ricf : The fit of one graph with its parameters.

    Examples
    --------
    >>> from lurking.data import Moments
    >>> moments = Moments([[1.0, 0.5, 0.3], [0.5, 1.0, 0.4], [0.3, 0.4, 1.0]], 200, ["A", "B", "C"])
    >>> score = DistrictScore(moments)
    >>> before, after = ADMG.parse("A -> B; C"), ADMG.parse("A -> B <-> C")
    >>> round(score.score(after) - score.score(before), 3) == round(score.delta(before, after), 3)
    True
    >>> {"".join(sorted(district)): round(value, 1) for district, value in score.local_scores(after).items()}
    {'A': 572.9, 'BC': 1079.6}
    """

    def __init__(
        self,
        moments: AnyMoments,
        *,
        criterion: CriterionName | Criterion = "bic",
        cache_size: int = 2**18,
        tolerance: float = 1e-5,
    ) -> None:
        check_count("cache_size", cache_size, owner="DistrictScore")
        check_positive("tolerance", tolerance, "DistrictScore")
        self.moments = moments
        self.criterion = criterion_for(criterion, moments.n_samples, moments.n_variables)
        sizes = None
        if isinstance(moments, GroupedMoments):
            (correlation, scales), sizes = moments.whitened(), moments.sizes
        else:
            correlation, scales = moments.correlation, moments.scales
        self.state: ScoreState = new_score_state(
            correlation,
            scales,
            moments.n_samples,
            self.criterion.prices,
            self.criterion.adjacency_costs,
            int(cache_size),
            float(tolerance),
            sizes,
        )

    # ------------------------------------------------------------------------------------------------ scoring

    def score(self, admg: ADMG, near: ScoredGraph | None = None) -> float:
        """Return the score of a graph; smaller is better.

        Parameters
        ----------
        admg : ADMG
            The graph.
        near : ScoredGraph, optional
            A fitted graph, of the same variables in the same order, at whose parameters the fits start.

        Raises
        ------
        GraphClassError
            If the graph has a bow.
        """
        local = sum(values[SCORE] for values in self._districts(admg, near).values())
        return local + float(self.criterion.adjacency_costs[admg.n_edges])

    def local_scores(self, admg: ADMG) -> dict[frozenset[str], float]:
        """Return the part of the score that belongs to each district."""
        return {members: values[SCORE] for members, values in self._districts(admg).items()}

    def delta(self, before: ADMG, after: ADMG) -> float:
        """Return ``score(after) - score(before)``; districts that both have are not looked at."""
        old, new = self.scored_graph(before), self.scored_graph(after)
        differs = ((old.directed != new.directed) | (old.bidirected != new.bidirected)).any(axis=0)
        costs = self.criterion.adjacency_costs
        local = [
            sum(values[SCORE] for values in self._districts_around(graph, differs).values()) for graph in (old, new)
        ]
        return local[1] - local[0] + float(costs[after.n_edges] - costs[before.n_edges])

    def log_own_variances(self, admg: ADMG, near: ScoredGraph | None = None) -> tuple[float, float]:
        """Return the sums over the variables of ln phi_i and of its square (similar noise, above) at the estimates."""
        values = list(self._districts(admg, near).values())
        return sum(v[LOG_SUM] for v in values), sum(v[LOG_SQUARES] for v in values)

    def _districts(self, admg: ADMG, near: ScoredGraph | None = None) -> dict[frozenset[str], list[float]]:
        graph = self.scored_graph(admg)
        if near is not None:
            graph.coef[:], graph.error_cov[:] = near.coef, near.error_cov
        return self._districts_around(graph, np.ones(len(admg), dtype=bool), warm=int(near is not None))

    def _districts_around(
        self, graph: ScoredGraph, vertices: NDArray[np.bool_], warm: int = 0
    ) -> dict[frozenset[str], list[float]]:
        """Return the values of the districts that hold any of the given vertices."""
        names = self.moments.names
        found: dict[frozenset[str], list[float]] = {}
        seen = ~vertices
        for start in range(len(names)):
            if seen[start]:
                continue
            district_score(
                self.state, graph.directed, graph.bidirected, start, warm, graph.coef, graph.error_cov, np.inf
            )
            marked = self.state.lists[MARKED].astype(bool)
            seen |= marked
            found[frozenset(names[i] for i in np.flatnonzero(marked))] = self.state.found.tolist()
        return found

    def empty_graph(self) -> ScoredGraph:
        """Return a graph without edges in the form that compiled loops use, not yet scored."""
        return new_scored_graph(self.moments.n_variables, len(self.state.correlation))

    def scored_graph(self, admg: ADMG) -> ScoredGraph:
        """Return a graph in the form that compiled loops use, not yet scored."""
        graph = bow_free_graph_of(self.moments, admg)
        scored = self.empty_graph()
        scored.directed[:] = graph.directed
        scored.bidirected[:] = graph.bidirected
        return scored

    # ------------------------------------------------------------------------------------------ similar noise

    def assume_similar_noise(self, centre: float, spread: float) -> None:
        """Add ``sum(((ln phi_i - centre) / spread)²)`` to the score from now on, and fit to the sum.

        Cached districts are forgotten when centre or spread change.

        Parameters
        ----------
        centre : float
            The logarithm of the own error variance, in raw units, around which they are assumed to be.
        spread : float
            The assumed standard deviation of that logarithm, inf for no assumption.
        """
        if not np.isfinite(centre):
            raise ParameterError(f"The 'centre' of similar noise must be a finite float. Got {centre!r} instead.")
        if not spread > 0:
            raise ParameterError(
                f"The 'spread' of similar noise must be a float in the range (0, inf]. Got {spread!r} instead."
            )
        if isinstance(self.moments, GroupedMoments) and spread < np.inf:
            raise ParameterError(
                "Similar noise has no meaning for variables of several columns, such as nominal ones; leave it out."
            )
        settings = self.state.settings
        new = (float(centre), float(spread) ** -2)
        if new != (settings[NOISE_CENTRE], settings[NOISE_STRENGTH]):
            clear_cache(self.state)
        settings[NOISE_CENTRE], settings[NOISE_STRENGTH] = new

    @property
    def noise_centre(self) -> float:
        """The centre of similar noise."""
        return float(self.state.settings[NOISE_CENTRE])

    # -------------------------------------------------------------------------------------------------- cache

    @property
    def cache_bytes(self) -> int:
        """The memory of the table of districts; it does not grow."""
        return self.state.keys.nbytes + self.state.values.nbytes

    @property
    def cache_counts(self) -> dict[str, int]:
        """How many districts were found in the table, had to be fitted, and were pushed out of it."""
        counters = self.state.counters
        return {"hits": int(counters[HITS]), "misses": int(counters[MISSES]), "evictions": int(counters[EVICTIONS])}
