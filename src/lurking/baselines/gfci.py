"""GFCI: a score finds the edges, tests take some of them away again.

(Ogarrio, Spirtes and Ramsey 2016.) A DAG found by a score has all adjacencies of the true MAG, given enough data, but
too many: where hidden causes make a path of colliders, a DAG needs edges that shield it. These lie in triangles. So

1. find a DAG with a small BIC;
2. remove an edge that lies in a triangle if a set of neighbours of one of its ends separates them (Fisher's z);
3. orient an unshielded triple a, b, c as a collider if it is one in the DAG, or, if the DAG had an edge between a and
   c, if b is not in the set that separated them;
4. look for more separating sets in Possible-D-SEP, as FCI does, and orient by R1 to R10.

Where the DAG has no edge, the parents in the DAG of the later of the two variables separate them; with these sets step
3 is R0, and R4 has its answers too.

What is ours: the DAG comes from a search over orders (:mod:`lurking.search.order_based`), which finds smaller BICs than
the greedy equivalence search of the original.

>>> from lurking import simulate_admg
>>> from lurking.graphs import ADMG
>>> data = simulate_admg(ADMG.parse("A -> B <-> C <- D"), 5000, random_state=0).data
>>> print(GFCI(alpha=0.01, random_state=0).fit(data).pag_)
A o-> B; B <-> C; D o-> C

References
----------
J. M. Ogarrio, P. Spirtes and J. Ramsey (2016), A hybrid causal search algorithm for latent variable models, PGM.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from lurking._typing import RandomState
from lurking.baselines.base import Baseline
from lurking.baselines.fci import named_sets, orient_by_separations
from lurking.baselines.independence import FisherZ
from lurking.baselines.skeleton import adjacency_search, possible_d_sep_search
from lurking.data import Moments
from lurking.graphs import ADMG, CPDAG, PAG
from lurking.search.order_based import best_dag

__all__ = ["GFCI"]


class GFCI(Baseline):
    """Greedy fast causal inference: FCI that starts from a DAG with a small BIC.

    Parameters
    ----------
    alpha : float, default 0.15
        The level of the tests.
    n_restarts : int, default 50
        The number of climbs of the search for the DAG.
    random_state : int, Generator or None
        The seed.

    Other Parameters
    ----------------
    penalty_discount : float, default 1
        Multiplies the penalty of an edge in the search for the DAG.
    max_conditioning : int, optional
        The largest set to condition on; by default any size.
    possible_d_sep : bool, default True
        Whether to look for separating sets in Possible-D-SEP.

    Attributes
    ----------
    pag_ : PAG
        The graph.
    dag_ : ADMG
        The DAG of the first step.
    cpdag_ : CPDAG
        The equivalence class of that DAG, which is what the first step alone would answer.
    separating_sets_ : dict of frozenset of str to frozenset of str
        For each pair that is not adjacent, ``frozenset({one, other})``, what separates it.
    """

    dag_: ADMG
    cpdag_: CPDAG
    separating_sets_: dict[frozenset[str], frozenset[str]]

    def __init__(
        self,
        *,
        alpha: float = 0.15,
        n_restarts: int = 50,
        penalty_discount: float = 1.0,
        max_conditioning: int | None = None,
        possible_d_sep: bool = True,
        random_state: RandomState = None,
    ) -> None:
        self.alpha = alpha
        self.n_restarts = n_restarts
        self.penalty_discount = penalty_discount
        self.max_conditioning = max_conditioning
        self.possible_d_sep = possible_d_sep
        self.random_state = random_state

    def _check_parameters(self) -> None:
        self._check_probability("alpha")
        self._check_count("n_restarts", at_least=1)
        self._check_positive("penalty_discount")
        self._check_count("max_conditioning", at_least=0, or_none=True)

    def _learn(self, moments: Moments) -> None:
        self.dag_ = best_dag(
            moments,
            n_restarts=self.n_restarts,
            penalty_discount=self.penalty_discount,
            random_state=self.random_state,
        ).admg
        self.cpdag_ = self.dag_.to_cpdag()
        test = FisherZ(moments, self.alpha)
        start = self.dag_.skeleton
        in_triangle = start & (start.astype(np.int64) @ start > 0)
        separated = separations_of_dag(self.dag_)
        skeleton, found = adjacency_search(test, start, self.max_conditioning, removable=in_triangle)
        separated |= {pair: separation.given for pair, separation in found.items()}
        if self.possible_d_sep:
            marks = orient_by_separations(skeleton, separated, rules=())
            skeleton, found = possible_d_sep_search(test, marks, self.max_conditioning)
            separated |= {pair: separation.given for pair, separation in found.items()}
        self.pag_ = PAG(moments.names, orient_by_separations(skeleton, separated))
        self.separating_sets_ = named_sets(moments.names, separated)


def separations_of_dag(dag: ADMG) -> dict[tuple[int, int], frozenset[int]]:
    """Return, for each pair (i, j), i < j, that is not adjacent in a DAG, the parents of the later one.

    >>> separations_of_dag(ADMG.parse("A -> C <- B; C -> D"))
    {(0, 2): frozenset(), (0, 3): frozenset({1}), (2, 3): frozenset({1})}
    """
    place = {dag.index(name): k for k, name in enumerate(dag.topological_order())}
    skeleton = dag.skeleton
    return {
        (i, j): frozenset(np.flatnonzero(dag.directed[:, max(i, j, key=place.__getitem__)]).tolist())
        for i, j in combinations(range(len(dag)), 2)
        if not skeleton[i, j]
    }
