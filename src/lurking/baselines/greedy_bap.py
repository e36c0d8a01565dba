"""GreedyBAP: greedy search over bow-free graphs by BIC, from random starts.

(Nowzohour, Maathuis, Evans and Bühlmann 2017.) A bow-free acyclic path diagram (BAP) is our bow-free ADMG. From a
start, the neighbour with the smallest BIC is taken, where neighbours differ in the edge of one pair, until none is
better; the best of several starts wins. The starts are drawn uniformly from all bow-free graphs by a random walk: a
random pair gets a random edge, and the step is not made if it would close a cycle. Every step is as likely as the one
back, so that every graph is equally likely in the long run.

Starts drawn this way are dense, and each descent ends in the local optimum next to its start. That, and nothing about
the criterion, is what keeps the method from better graphs: compare ``bic_`` with that of the default solver.

**What is ours**: the likelihood is maximised exactly, where the original stops RICF after a fixed number of iterations.
The walk for the starts takes 6 d² steps, as in the authors' package.

>>> from lurking import simulate_admg
>>> truth = ADMG.parse("A -> B -> C -> D; B <-> D")
>>> learner = GreedyBAP(random_state=0).fit(simulate_admg(truth, 2000, random_state=3).data)
>>> learner.admg_.is_bow_free(), learner.bics_.shape
(True, (5,))

References
----------
C. Nowzohour, M. H. Maathuis, R. J. Evans and P. Bühlmann (2017), Distributional equivalence and structure learning for
bow-free acyclic path diagrams, Electronic Journal of Statistics 11.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from lurking._random import children
from lurking._typing import FloatArray, RandomState
from lurking.baselines.base import Baseline
from lurking.baselines.edge_descent import EdgeDescent
from lurking.data import Moments
from lurking.graphs import ADMG
from lurking.graphs.edge_kinds import set_edge
from lurking.search.kernels.moves import CLASS_CODE, may_set
from lurking.sem.ricf import ricf

__all__ = ["GreedyBAP", "uniform_bow_free_graph"]


class GreedyBAP(Baseline):
    """Greedy search over bow-free graphs from uniformly random starts.

    Parameters
    ----------
    n_restarts : int, default 5
        The number of starts; the paper gave it 5.
    random_state : int, Generator or None
        The seed.

    Other Parameters
    ----------------
    penalty_discount : float, default 1
        Multiplies the penalty ln(n) of each parameter; larger gives sparser graphs.

    Attributes
    ----------
    admg_ : ADMG
        The best graph.
    bic_ : float
        Its BIC (with the plain penalty).
    bics_ : ndarray of float, shape (n_restarts,)
        The score at which each descent ended (with the penalty of the search).
    pag_ : PAG
        The PAG of the graph.
    """

    admg_: ADMG
    bic_: float
    bics_: FloatArray

    def __init__(self, *, n_restarts: int = 5, penalty_discount: float = 1.0, random_state: RandomState = None) -> None:
        self.n_restarts = n_restarts
        self.penalty_discount = penalty_discount
        self.random_state = random_state

    def _check_parameters(self) -> None:
        self._check_count("n_restarts", at_least=1)
        self._check_positive("penalty_discount")

    def _learn(self, moments: Moments) -> None:
        descent = EdgeDescent(moments, "bow-free", penalty=self.penalty_discount * math.log(moments.n_samples))
        ends = [
            descent.run(uniform_bow_free_graph(moments.names, rng))
            for rng in children(self.random_state, self.n_restarts)
        ]
        self.bics_ = np.array([score for _, score in ends])
        self.admg_ = ends[int(self.bics_.argmin())][0]
        self.bic_ = ricf(moments, self.admg_).bic
        self.pag_ = self.admg_.to_pag()


def uniform_bow_free_graph(names: Sequence[str], rng: np.random.Generator) -> ADMG:
    """Return a bow-free graph from a long random walk among all of them.

    >>> uniform_bow_free_graph(list("ABCD"), np.random.default_rng(0)).is_bow_free()
    True
    """
    d = len(names)
    directed, bidirected = np.zeros((d, d), dtype=np.uint8), np.zeros((d, d), dtype=np.uint8)
    if d > 1:
        for one, step, edge in rng.integers((d, d - 1, 4), size=(6 * d * d, 3)).tolist():
            i, j = sorted((one, (one + step + 1) % d))
            if may_set(directed, bidirected, i, j, edge, CLASS_CODE["bow-free"]):
                set_edge(directed, bidirected, i, j, edge)
    return ADMG(names, directed.astype(bool), bidirected.astype(bool))
