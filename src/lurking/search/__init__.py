"""Looking for the graph: exact scores and vertex re-insertion, all graphs, orders of DAGs, the paper's solver.

Start with :func:`hybrid_search`; :class:`~lurking.discovery.ADMGDiscovery` is the same as an estimator.
"""

from lurking.search.dcd import dcd_search
from lurking.search.differentiable import DCDStatus, DifferentiableResult, DualStep, differentiable_discovery
from lurking.search.exhaustive import exhaustive_search
from lurking.search.hybrid import hybrid_search
from lurking.search.hyperparameters import DCDHyperparameters
from lurking.search.order_based import ScoredDAG, best_dag
from lurking.search.posterior import Posterior
from lurking.search.result import Candidate, Run, SearchResult, SearchStatus

__all__ = [
    "Candidate",
    "DCDHyperparameters",
    "DCDStatus",
    "DifferentiableResult",
    "DualStep",
    "Posterior",
    "Run",
    "ScoredDAG",
    "SearchResult",
    "SearchStatus",
    "best_dag",
    "dcd_search",
    "differentiable_discovery",
    "exhaustive_search",
    "hybrid_search",
]
