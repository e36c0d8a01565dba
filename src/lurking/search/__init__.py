"""Looking for the graph: exact scores and vertex re-insertion, all graphs, orders of DAGs.

Start with :func:`hybrid_search`; :class:`~lurking.discovery.ADMGDiscovery` is the same with a button on it.
"""

from lurking.search.exhaustive import exhaustive_search
from lurking.search.hybrid import hybrid_search
from lurking.search.order_based import ScoredDAG, best_dag
from lurking.search.result import Candidate, Run, SearchResult, SearchStatus, edge_weights

__all__ = [
    "Candidate",
    "Run",
    "ScoredDAG",
    "SearchResult",
    "SearchStatus",
    "best_dag",
    "edge_weights",
    "exhaustive_search",
    "hybrid_search",
]
