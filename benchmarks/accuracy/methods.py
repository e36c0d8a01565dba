"""The methods by name: our searches with any settings, and the baselines; how each is run and timed on a data set.

A search of ours gives several answers at once (:data:`ANSWERS`), which are rows of their own: ``default best``,
``default consensus``. All methods that can be run together on one data set form a *group*; a group is what one task of
the benchmark computes. Seconds are processor time of the method alone; compilation is done on a small table before.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sklearn.base import clone

from lurking import ADMG, PAG, ADMGDiscovery
from lurking.baselines import FCI, GFCI, Baseline, DAGThenPAG, GreedySPo, TetradPort
from lurking.baselines.tetrad_port import run_together
from lurking.search.result import SearchResult
from lurking.simulate import VERMA_CHAIN, Simulation, simulate_admg

__all__ = [
    "ANSWERS",
    "ANY_SIZE_UP_TO",
    "BASELINES",
    "GROUPS",
    "MAX_CONDITIONING",
    "TETRAD_GROUPS",
    "Group",
    "MethodOutcome",
    "compiled",
    "label",
    "run_baselines",
    "run_ours",
]

ANSWERS: dict[str, Callable[[SearchResult], ADMG]] = {
    "central": lambda search: search.central,
    "best": lambda search: search.admg,
    "consensus": lambda search: search.consensus,
}
"""What is taken from one search of ours."""


@dataclass(frozen=True)
class Group:
    """Baselines that are run together, on data sets up to a number of variables."""

    learners: Mapping[str, Baseline]
    at_most: int = 1000


ANY_SIZE_UP_TO = 20
"""Up to this number of variables FCI and GFCI look at conditioning sets of any size."""
MAX_CONDITIONING = 4
"""The size of their largest conditioning sets on more variables, where sets of any size can take hours."""
TETRAD_GROUPS: dict[str, Group] = {
    "tetrad": Group(
        {
            "boss-1": TetradPort("boss", n_starts=10),
            "boss-2": TetradPort("boss", penalty_discount=2.0, n_starts=10),
            "boss-fci-1": TetradPort("boss_fci", n_starts=10),
            "boss-fci-2": TetradPort("boss_fci", penalty_discount=2.0, n_starts=10),
            "tetrad-gfci": TetradPort("gfci"),
        }
    ),
    # Apart from the others and from each other, because these may take long on many variables.
    "grasp-fci-1": Group({"grasp-fci-1": TetradPort("grasp_fci")}),
    "grasp-fci-2": Group({"grasp-fci-2": TetradPort("grasp_fci", penalty_discount=2.0)}),
}
GROUPS: dict[str, Group] = {
    "dag-1": Group({"dag-1": DAGThenPAG(random_state=0)}),
    "dag-2": Group({"dag-2": DAGThenPAG(penalty_discount=2.0, random_state=0)}),
    "fci-01": Group({"fci-01": FCI(alpha=0.01)}),
    "fci-05": Group({"fci-05": FCI(alpha=0.05)}),
    "gfci-1": Group({"gfci-1": GFCI(alpha=0.01, random_state=0)}),
    "gfci-2": Group({"gfci-2": GFCI(alpha=0.01, penalty_discount=2.0, random_state=0)}),
    "spo": Group({"spo": GreedySPo(random_state=0)}, at_most=20),
    **TETRAD_GROUPS,
}
"""The baselines by group."""
LABELS = {
    "dag-1": "best DAG, price 1, then its PAG",
    "dag-2": "best DAG, price 2, then its PAG",
    "fci-01": "FCI .01",
    "fci-05": "FCI .05",
    "gfci-1": "GFCI .01 from the order-based DAG, price 1",
    "gfci-2": "GFCI .01 from the order-based DAG, price 2",
    "spo": "greedySPo",
    "boss-1": "BOSS, price 1, then its PAG (tetrad-port)",
    "boss-2": "BOSS, price 2, then its PAG (tetrad-port)",
    "boss-fci-1": "BOSS-FCI .01, price 1 (tetrad-port)",
    "boss-fci-2": "BOSS-FCI .01, price 2 (tetrad-port)",
    "tetrad-gfci": "GFCI .01, from greedy equivalence search (tetrad-port)",
    "grasp-fci-1": "GRaSP-FCI .01, price 1 (tetrad-port)",
    "grasp-fci-2": "GRaSP-FCI .01, price 2 (tetrad-port)",
}
BASELINES = tuple(LABELS)
"""The names of the baselines, in the order of the tables."""


def label(method: str) -> str:
    """Return what a method is called in tables."""
    return LABELS.get(method, f"ours: {method}")


@dataclass(frozen=True)
class MethodOutcome:
    """What a method found on one data set.

    Attributes
    ----------
    graph : ADMG or PAG
        The graph, an ADMG if the method finds one.
    seconds : float
        Processor time.
    reached : int or None
        How many runs of a search reached its best score.
    search : SearchResult or None
        What else a search of ours found.
    """

    graph: ADMG | PAG
    seconds: float
    reached: int | None = None
    search: SearchResult | None = field(default=None, repr=False)


def run_ours(settings: Mapping[str, Any], simulation: Simulation) -> dict[str, MethodOutcome]:
    """Search once with the settings, and return each answer."""
    model = ADMGDiscovery(**{"random_state": 0, **settings})
    start = time.process_time()
    search = model.fit(simulation.data).search_
    seconds = time.process_time() - start
    return {name: MethodOutcome(answer(search), seconds, search.n_reached, search) for name, answer in ANSWERS.items()}


def run_baselines(
    group: str, simulation: Simulation, *, tetrad_python: str | None, time_limit: float
) -> dict[str, MethodOutcome]:
    """Run the baselines of a group."""
    learners = GROUPS[group].learners
    if group in TETRAD_GROUPS:
        tetrad = [learner for learner in learners.values() if isinstance(learner, TetradPort)]
        answers = run_together(simulation.data, tetrad, python=tetrad_python, time_limit=time_limit)
        return {
            name: MethodOutcome(answer.pag if answer.dag is None else answer.dag, answer.seconds)
            for name, answer in zip(learners, answers, strict=True)
        }
    found = {}
    for name, learner in learners.items():
        fresh = clone(learner)
        if len(simulation.admg) > ANY_SIZE_UP_TO and "max_conditioning" in fresh.get_params():
            fresh.set_params(max_conditioning=MAX_CONDITIONING)
        start = time.process_time()
        fresh.fit(simulation.data)
        found[name] = MethodOutcome(getattr(fresh, "admg_", fresh.pag_), time.process_time() - start)
    return found


@cache
def compiled(group: str | None, settings: str = "{}") -> None:
    """Run what is timed on a small table, once in each process."""
    small = simulate_admg(VERMA_CHAIN, 200, random_state=0)
    if group is None:
        import json

        run_ours({**json.loads(settings), "n_restarts": 1}, small)
    elif group not in TETRAD_GROUPS:
        run_baselines(group, small, tetrad_python=None, time_limit=60.0)
