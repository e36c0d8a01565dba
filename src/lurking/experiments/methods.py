"""The methods that are compared, by name, each with the settings of the paper, and how one of them is run and timed.

Ours have their defaults. Of the baselines the paper states: five random restarts for all methods on the Verma
graphs, level 0.15 for FCI, λ = 0.05. What it leaves open, and what we took, is in ``docs/reproduce-the-paper.md``.

Methods that see nothing but correlations give the same answer in any units (``scale_free``); they are run once, and
their numbers stand in the tables of raw and of standardised data.

Times do not include compilation: in each process, the first use of a method is on a small table and is not timed.

>>> found = learn("fci", Moments([[1.0, 0.8, 0.64], [0.8, 1.0, 0.8], [0.64, 0.8, 1.0]], 500, ["A", "B", "C"]))
>>> str(found.graph), found.status, found.bic
('A o-o B; B o-o C', 'COMPLETE', nan)
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sklearn.base import clone

from lurking._errors import LurkingError, ParameterError
from lurking._typing import GraphClass
from lurking.baselines import FCI, GFCI, M3HC, DAGThenPAG, GreedyBAP, GreedySPo
from lurking.data import Moments
from lurking.discovery import ADMGDiscovery
from lurking.graphs import ADMG, PAG
from lurking.search.status import DCDStatus, SearchStatus
from lurking.simulate import VERMA_CHAIN, simulate_admg

__all__ = ["METHODS", "Method", "MethodOutcome", "check_methods", "learn"]

FAILED = "FAILED"
_CONVERGED = {DCDStatus.CONVERGED, DCDStatus.REPAIRED}  # repaired means: converged, but one edge too many was above ω


@dataclass(frozen=True)
class Method:
    """A method: what it is called in tables, and a learner with its settings, to be cloned.

    Attributes
    ----------
    label : str
        In tables.
    learner : estimator
        With the settings that do not change.
    restarts : str or None
        The parameter that is its number of random starts, if it has one that the experiments may change.
    scale_free : bool
        Whether it sees correlations only.
    graph_class : str, optional
        The class it always searches in; None takes the one that the experiment asks for.
    """

    label: str
    learner: Any
    restarts: str | None = None
    scale_free: bool = False
    graph_class: GraphClass | None = None

    def build(self, graph_class: GraphClass, restarts: int | None, seed: int) -> Any:
        """Return a learner for a class, a number of restarts (None: its own default) and a seed."""
        parameters: dict[str, object] = {"graph_class": self.graph_class or graph_class, "random_state": seed}
        if restarts is not None and self.restarts is not None:
            parameters[self.restarts] = restarts
        known = self.learner.get_params()
        return clone(self.learner).set_params(**{name: parameters[name] for name in parameters if name in known})


def _best_bic(**settings: object) -> ADMGDiscovery:
    """Return a search for the graph with the best BIC, the target of the paper's own experiments."""
    learner: ADMGDiscovery = ADMGDiscovery(criterion="bic", answer="best").set_params(**settings)
    return learner


METHODS: dict[str, Method] = {
    "dcd": Method("paper's method", ADMGDiscovery(solver="dcd"), "n_restarts"),
    "dcd-bow-free": Method(
        "paper's method, bow-free", ADMGDiscovery(solver="dcd"), "n_restarts", graph_class="bow-free"
    ),
    "dcd-arid": Method("paper's method, arid", ADMGDiscovery(solver="dcd"), "n_restarts", graph_class="arid"),
    "hybrid-free": Method("hybrid, noise free", _best_bic(), "n_restarts", scale_free=True),
    "hybrid-consensus": Method(
        "hybrid, noise free, consensus", _best_bic(answer="consensus"), "n_restarts", scale_free=True
    ),
    "hybrid-similar": Method("hybrid, noise similar", _best_bic(noise_scale="similar"), "n_restarts"),
    "hybrid-arid-free": Method(
        "hybrid, arid, noise free", _best_bic(), "n_restarts", scale_free=True, graph_class="arid"
    ),
    "hybrid-arid-similar": Method(
        "hybrid, arid, noise similar", _best_bic(noise_scale="similar"), "n_restarts", graph_class="arid"
    ),
    "exact-free": Method("all graphs, noise free", _best_bic(solver="exact")),
    "exact-similar": Method("all graphs, noise similar", _best_bic(solver="exact", noise_scale="similar")),
    "greedy-bap": Method("greedyBAP", GreedyBAP(), "n_restarts", scale_free=True),
    "fci": Method("FCI", FCI(alpha=0.15), scale_free=True),
    "fci-light": Method("FCI without Possible-D-SEP", FCI(alpha=0.15, possible_d_sep=False), scale_free=True),
    "greedy-spo": Method("greedySPo", GreedySPo(), "n_runs", scale_free=True),
    "greedy-spo-once": Method("greedySPo, one run", GreedySPo(n_runs=1), scale_free=True),
    "gfci": Method("GFCI", GFCI(), scale_free=True),
    "m3hc": Method("M3HC", M3HC(), scale_free=True),
    "dag-then-pag": Method("best DAG, then its PAG", DAGThenPAG(), scale_free=True),
}
"""All methods by the name that ``--methods`` takes."""


def check_methods(chosen: Sequence[str] | None, offered: Sequence[str], experiment: str) -> tuple[str, ...]:
    """Return the methods that were chosen, all that are offered by default, in the order of the offer."""
    if chosen is None:
        return tuple(offered)
    for name in chosen:
        if name not in offered:
            raise ParameterError(
                f"The experiment {experiment} has no method {name!r}; choose among {', '.join(offered)}."
            )
    if not chosen:
        raise ParameterError(f"At least one method is needed; choose among {', '.join(offered)}.")
    return tuple(name for name in offered if name in chosen)


@dataclass(frozen=True)
class MethodOutcome:
    """What a method found on one data set, and what it took.

    Attributes
    ----------
    graph : ADMG, PAG or None
        The graph, an ADMG if the method finds one; None if it failed.
    bic : float
        Of the ADMG; NaN for methods that return a PAG only.
    status : str
        ``COMPLETE``, for the paper's method the ending of its best run, or ``FAILED``.
    unconverged : int
        How many restarts of the paper's method did not converge.
    seconds, cpu_seconds : float
        Wall-clock and processor time.
    note : str
        Why it failed.
    consensus : ADMG or None
        What all good graphs of a search together say, if it kept them.
    """

    graph: ADMG | PAG | None
    bic: float
    status: str
    unconverged: int
    seconds: float
    cpu_seconds: float
    note: str = ""
    consensus: ADMG | None = None

    @property
    def converged(self) -> bool:
        """Whether the best run converged."""
        return self.status != FAILED and (
            self.status not in DCDStatus.__members__ or DCDStatus[self.status] in _CONVERGED
        )

    def columns(self) -> dict[str, object]:
        """Return what every row of every experiment ends with."""
        return {
            "status": self.status,
            "unconverged_restarts": self.unconverged,
            "seconds": round(self.seconds, 4),
            "cpu_seconds": round(self.cpu_seconds, 4),
            "graph": "" if self.graph is None else str(self.graph),
            "note": self.note,
        }


FOUND_COLUMNS: dict[str, type] = {
    "status": str,
    "unconverged_restarts": int,
    "seconds": float,
    "cpu_seconds": float,
    "graph": str,
    "note": str,
}
"""The columns of :meth:`Found.columns` and what they hold."""

_warm: set[str] = set()


def learn(
    method: str,
    moments: Moments,
    *,
    graph_class: GraphClass = "bow-free",
    restarts: int | None = None,
    seed: int = 0,
    parameters: Mapping[str, Any] | None = None,
) -> MethodOutcome:
    """Run a method on a data set.

    Parameters
    ----------
    method : str
        A name in :data:`METHODS`.
    moments : Moments
        The data.
    graph_class : {"ancestral", "arid", "bow-free"}
        The class to search in, unless the method says it.
    restarts : int, optional
        Random starts of the methods that have any; by default as many as each method takes by itself.
    seed : int, default 0
        The seed of the method.
    parameters : mapping, optional
        Parameters of the learner that differ from those of the method, such as the paper's λ.

    Returns
    -------
    found : Found
        A method that cannot do the data set is ``FAILED``; an interrupt from the keyboard is never an answer.
    """
    chosen = METHODS[method]
    if method not in _warm:
        small = Moments.from_table(simulate_admg(VERMA_CHAIN, 200, random_state=0).data)
        chosen.build(graph_class, 1, 0).fit(small)
        _warm.add(method)
    learner = chosen.build(graph_class, restarts, seed)
    learner.set_params(**(parameters or {}))
    wall, processor = time.perf_counter(), time.process_time()
    try:
        learner.fit(moments)
    except LurkingError as error:
        return MethodOutcome(
            None, math.nan, FAILED, 0, time.perf_counter() - wall, time.process_time() - processor, str(error)
        )
    seconds, cpu_seconds = time.perf_counter() - wall, time.process_time() - processor
    status = getattr(learner, "status_", SearchStatus.COMPLETE)
    if status is SearchStatus.INTERRUPTED:
        raise KeyboardInterrupt
    search = getattr(learner, "search_", None)
    details = [] if search is None else [run.detail for run in search.runs]
    return MethodOutcome(
        graph=getattr(learner, "admg_", learner.pag_),
        bic=getattr(learner, "bic_", math.nan),
        status=status.name,
        unconverged=sum(detail is not None and detail.status not in _CONVERGED for detail in details),
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        consensus=None if search is None else search.consensus,
    )
