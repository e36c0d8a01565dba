"""M3HC: tests say which pairs may be adjacent, a greedy search over MAGs does the rest.

(Tsirlis, Lagani, Triantafillou and Tsamardinos 2018.) Two stages:

1. **MMPC** (max-min parents and children, Tsamardinos, Brown and Aliferis 2006) finds the neighbours of each variable.
   The dependence of x on the target is as strong as the *weakest* of its dependences given sets of neighbours found so
   far; the candidate with the *strongest* of these is taken, until none is left that is dependent given all such sets.
   Then neighbours are dropped that a set of the others separates from the target. A pair counts if each is
   among the neighbours of the other.
2. From the empty graph, the change of one pair's edge that lowers the BIC most is made, as long as the graph stays
   ancestral and the pair was found in stage 1. Behind a local optimum the search goes on for some steps, over the best
   changes there are, without touching a pair twice in a short time, and returns the best graph that it met.

What stage 1 loses, stage 2 cannot find: on dense graphs that is much.

**Left open** by the paper that we compare with: the level of the tests (0.05 here), the largest set to condition on
(any), and the length of the tabu search (15 steps without a better graph, as in MMHC). What is tabu here are pairs;
there it is whole graphs.

>>> from lurking import simulate_admg
>>> data = simulate_admg(ADMG.parse("A -> B <-> C <- D"), 5000, random_state=0).data
>>> print(M3HC().fit(data).pag_)
A o-> B; B <-> C; D o-> C

References
----------
K. Tsirlis, V. Lagani, S. Triantafillou and I. Tsamardinos (2018), On scoring maximal ancestral graphs with the max-min
hill climbing algorithm, International Journal of Approximate Reasoning 102. I. Tsamardinos, L. E. Brown and C. F.
Aliferis (2006), The max-min hill-climbing Bayesian network structure learning algorithm, Machine Learning 65.
"""

from __future__ import annotations

import numpy as np

from lurking._typing import BoolMatrix
from lurking.baselines.base import Baseline
from lurking.baselines.edge_descent import EdgeDescent
from lurking.baselines.independence import FisherZ
from lurking.data import Moments
from lurking.graphs import ADMG
from lurking.sem.ricf import ricf

__all__ = ["M3HC", "max_min_neighbours", "max_min_skeleton"]


class M3HC(Baseline):
    """Greedy search over maximal ancestral graphs inside a skeleton found by tests.

    Parameters
    ----------
    alpha : float, default 0.05
        The level of Fisher's z tests.

    Other Parameters
    ----------------
    max_conditioning : int, optional
        The largest set to condition on; by default any size.
    tabu_steps : int, default 15
        How long to search on behind a local optimum; 0 stops there.

    Attributes
    ----------
    admg_ : ADMG
        The graph; it is ancestral.
    bic_ : float
        Its BIC.
    skeleton_ : ndarray of bool, shape (d, d)
        The pairs that stage 1 let through, in the order of ``feature_names_in_``.
    pag_ : PAG
        The PAG of the graph.
    """

    admg_: ADMG
    bic_: float
    skeleton_: BoolMatrix

    def __init__(self, *, alpha: float = 0.05, max_conditioning: int | None = None, tabu_steps: int = 15) -> None:
        self.alpha = alpha
        self.max_conditioning = max_conditioning
        self.tabu_steps = tabu_steps

    def _check_parameters(self) -> None:
        self._check_probability("alpha")
        self._check_count("max_conditioning", at_least=0, or_none=True)
        self._check_count("tabu_steps", at_least=0)

    def _learn(self, moments: Moments) -> None:
        test = FisherZ(moments, self.alpha)
        pairs = max_min_skeleton(test, moments.n_variables, self.max_conditioning)
        descent = EdgeDescent(moments, "ancestral", pairs)
        self.admg_, _ = descent.run(ADMG.empty(moments.names), self.tabu_steps)
        self.bic_ = ricf(moments, self.admg_).bic
        self.pag_ = self.admg_.to_pag()
        back = [moments.index(name) for name in self.feature_names_in_]
        self.skeleton_ = pairs[np.ix_(back, back)]


def max_min_skeleton(test: FisherZ, n_variables: int, max_conditioning: int | None = None) -> BoolMatrix:
    """Return the pairs of which each is among the max-min neighbours of the other."""
    chosen = np.zeros((n_variables, n_variables), dtype=bool)
    for target in range(n_variables):
        chosen[target, list(max_min_neighbours(test, target, n_variables, max_conditioning))] = True
    return chosen & chosen.T


def max_min_neighbours(
    test: FisherZ, target: int, n_variables: int, max_conditioning: int | None = None
) -> frozenset[int]:
    """Return the neighbours of a variable by MMPC, before the check that the choice is mutual.

    Parameters
    ----------
    test : FisherZ
        The data and the level.
    target : int
        The variable.
    n_variables : int
        The number of variables.
    max_conditioning : int, optional
        The largest set to condition on.
    """
    neighbours: frozenset[int] = frozenset()
    candidates = set(range(n_variables)) - {target}
    while candidates:
        # A candidate that some set separates from the target is not looked at again.
        weakest = {x: test.smallest_statistic(target, x, neighbours, max_conditioning) for x in candidates}
        candidates = {x for x in candidates if weakest[x] >= test.quantile}
        if candidates:
            best = max(candidates, key=weakest.__getitem__)
            neighbours |= {best}
            candidates.discard(best)
    for x in sorted(neighbours):
        if test.smallest_statistic(target, x, neighbours - {x}, max_conditioning) < test.quantile:
            neighbours -= {x}
    return neighbours
