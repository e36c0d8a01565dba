"""The best DAG, and then its PAG: what a method finds that does not allow for hidden causes.

The simplest comparison for the other methods. The DAG is the best one by BIC that a search over orders
finds (:mod:`lurking.search.order_based`). Hidden common causes are absorbed by extra edges; the PAG of the DAG keeps
what all graphs with the same independences share.

>>> from lurking import simulate_admg
>>> from lurking.graphs import ADMG
>>> data = simulate_admg(ADMG.parse("A -> C <- B; C -> D"), 1000, random_state=0).data
>>> print(DAGThenPAG(random_state=0).fit(data).pag_)
A o-> C; B o-> C; C -> D
"""

from __future__ import annotations

from lurking._typing import RandomState
from lurking.baselines.base import Baseline
from lurking.data import Moments
from lurking.graphs import ADMG, CPDAG
from lurking.search.order_based import best_dag

__all__ = ["DAGThenPAG"]


class DAGThenPAG(Baseline):
    """The PAG of the DAG with the smallest BIC.

    Parameters
    ----------
    n_restarts : int, default 50
        The number of random orders to climb from.
    penalty_discount : float, default 1
        Multiplies the penalty of an edge; larger gives sparser graphs.
    random_state : int, Generator or None
        The seed.

    Attributes
    ----------
    admg_ : ADMG
        The DAG.
    bic_ : float
        Its BIC.
    cpdag_ : CPDAG
        The equivalence class of the DAG, if nothing relevant was left unmeasured.
    pag_ : PAG
        The PAG of the DAG.
    """

    admg_: ADMG
    bic_: float
    cpdag_: CPDAG

    def __init__(
        self, *, n_restarts: int = 50, penalty_discount: float = 1.0, random_state: RandomState = None
    ) -> None:
        self.n_restarts = n_restarts
        self.penalty_discount = penalty_discount
        self.random_state = random_state

    def _check_parameters(self) -> None:
        self._check_count("n_restarts", at_least=1)
        self._check_positive("penalty_discount")

    def _learn(self, moments: Moments) -> None:
        found = best_dag(
            moments,
            n_restarts=self.n_restarts,
            penalty_discount=self.penalty_discount,
            random_state=self.random_state,
        )
        self.admg_, self.bic_ = found.admg, found.bic
        self.cpdag_, self.pag_ = found.admg.to_cpdag(), found.admg.to_pag()
