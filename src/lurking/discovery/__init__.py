"""From a table to an answer.

:func:`discover` takes a table and returns an :class:`Analysis`, which holds everything that is known. Below it,
:class:`ADMGDiscovery` is the estimator in the manner of scikit-learn, :func:`bootstrap` repeats a search on resampled
data, and :func:`analyse` turns a fitted estimator, or a graph that was given, into an :class:`Analysis`.

:class:`ADMGDiscovery` is imported when it is first used: it needs scikit-learn, :func:`discover` does not.
"""

from typing import TYPE_CHECKING

from lurking._lazy import lazily
from lurking.discovery.analyse import analyse
from lurking.discovery.analysis import Analysis
from lurking.discovery.analysis_parts import ConstraintTest, EdgeEstimate, PairShares
from lurking.discovery.audit import Finding
from lurking.discovery.beliefs import Beliefs
from lurking.discovery.bootstrap import BootstrapResult, bootstrap
from lurking.discovery.discover import discover
from lurking.discovery.effect_parts import AdjustmentChoice, Effect, EffectDistribution, EffectEstimate
from lurking.discovery.effects import EffectPosterior
from lurking.discovery.knowledge import Knowledge
from lurking.discovery.knowledge_files import column_kinds, read_knowledge
from lurking.discovery.knowledge_marks import informed_pag
from lurking.discovery.result_file import dumps_result, graph_in_result, loads_result, read_result
from lurking.discovery.statements import Statement
from lurking.discovery.summary import summary_of
from lurking.discovery.ways_to_estimate import WayToEstimate, ways_to_estimate

if TYPE_CHECKING:
    from lurking.discovery.estimator import ADMGDiscovery

__all__ = [
    "ADMGDiscovery",
    "AdjustmentChoice",
    "Analysis",
    "Beliefs",
    "BootstrapResult",
    "ConstraintTest",
    "EdgeEstimate",
    "Effect",
    "EffectDistribution",
    "EffectEstimate",
    "EffectPosterior",
    "Finding",
    "Knowledge",
    "PairShares",
    "Statement",
    "WayToEstimate",
    "analyse",
    "bootstrap",
    "column_kinds",
    "discover",
    "dumps_result",
    "graph_in_result",
    "informed_pag",
    "loads_result",
    "read_knowledge",
    "read_result",
    "summary_of",
    "ways_to_estimate",
]

__getattr__, __dir__ = lazily(__name__, {"ADMGDiscovery": "lurking.discovery.estimator"})
