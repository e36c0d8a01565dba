"""Looking for the graph: exact scores and vertex re-insertion, all graphs, orders of DAGs, the paper's solver.

Start with :func:`hybrid_search`; :class:`~lurking.discovery.ADMGDiscovery` is the same as an estimator. Each name is
imported from its module when it is first used.
"""

from typing import TYPE_CHECKING

from lurking._lazy import lazily

if TYPE_CHECKING:
    from lurking.search.dcd import dcd_search
    from lurking.search.differentiable import DifferentiableResult, DualStep, differentiable_discovery
    from lurking.search.exhaustive import exhaustive_search
    from lurking.search.hybrid import hybrid_search
    from lurking.search.hyperparameters import DCDHyperparameters
    from lurking.search.order_based import ScoredDAG, best_dag
    from lurking.search.posterior import Posterior
    from lurking.search.result import Candidate, Run, SearchResult
    from lurking.search.status import DCDStatus, SearchStatus

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

_HOME = {
    "Candidate": "lurking.search.result",
    "DCDHyperparameters": "lurking.search.hyperparameters",
    "DCDStatus": "lurking.search.status",
    "DifferentiableResult": "lurking.search.differentiable",
    "DualStep": "lurking.search.differentiable",
    "Posterior": "lurking.search.posterior",
    "Run": "lurking.search.result",
    "ScoredDAG": "lurking.search.order_based",
    "SearchResult": "lurking.search.result",
    "SearchStatus": "lurking.search.status",
    "best_dag": "lurking.search.order_based",
    "dcd_search": "lurking.search.dcd",
    "differentiable_discovery": "lurking.search.differentiable",
    "exhaustive_search": "lurking.search.exhaustive",
    "hybrid_search": "lurking.search.hybrid",
}

__getattr__, __dir__ = lazily(__name__, _HOME)
