"""What the experiments share: the climb from the truth, the effort of a search, and rates."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lurking import Moments, compare, simulate_admg
from lurking._typing import GraphClass
from lurking.experiments.published import MarkRates
from lurking.experiments.random_graphs import SEARCHED
from lurking.graphs import ADMG
from lurking.search.allowed_edges import all_edges_allowed
from lurking.search.hybrid import hybrid_search, without_units
from lurking.search.reinsertion import ReinsertionChain
from lurking.search.result import SearchResult

N_JOBS = 2


RESULTS = Path(__file__).parents[1] / "results"


Noises = tuple[float | None, ...]


def oracle_floor(moments: Moments, truth: ADMG, graph_class: GraphClass, spread: float | None) -> float:
    """Return the score that a tabu climb reaches from the true graph."""
    data, offset = (moments, 0.0) if spread is not None else without_units(moments)
    return tabu_climb(data, truth, graph_class, spread) + offset


def tabu_climb(moments: Moments, start: ADMG, graph_class: GraphClass, spread: float | None) -> float:
    """Return the score that a descent and tabu search behind it reach from a graph."""
    mask = all_edges_allowed(moments.n_variables)
    chain = ReinsertionChain(moments, graph_class, np.random.default_rng(0), mask, start, spread)
    chain.polish(tabu_steps=40)
    return chain.score


class Effort(NamedTuple):
    """How much the search may do; ``n_rounds`` None is the default."""

    n_restarts: int
    n_rounds: int | None


def timed_search(
    moments: Moments,
    graph_class: GraphClass,
    spread: float | None,
    effort: Effort,
    n_jobs: int = N_JOBS,
    **settings: Any,
) -> tuple[SearchResult, float]:
    start = time.process_time()
    result = hybrid_search(
        moments,
        graph_class,
        criterion="bic",
        noise_spread=spread,
        random_state=0,
        n_jobs=n_jobs,
        **effort._asdict(),
        **settings,
    )
    return result, (time.process_time() - start) / N_JOBS


class Case(NamedTuple):
    """One block of the table of 10 variables."""

    graph_class: GraphClass
    truth_class: GraphClass
    standardize: bool
    spread: float | None


class Measured(NamedTuple):
    """What one data set gives."""

    above: float
    seconds: float
    rates: list[float]
    """tpr and fdr of skeleton, arrowheads and tails."""
    consensus: list[float]
    """The same for the graph that agrees best with all good graphs."""
    averaged: tuple[float, float]
    """tpr and fdr of the skeleton of the pairs that are more probably adjacent than not."""


def measured(seed: int, case: Case, effort: Effort) -> Measured:
    """Search one data set of 10 variables in this process; seconds are processor seconds shared by two jobs."""
    simulation = simulate_admg(10, 1000, graph_class=case.truth_class, standardize=case.standardize, random_state=seed)
    moments = Moments.from_table(simulation.data)
    result, seconds = timed_search(moments, case.graph_class, case.spread, effort, n_jobs=1)
    floor = oracle_floor(moments, simulation.admg, case.graph_class, case.spread)
    return Measured(
        result.score - floor,
        seconds,
        all_rates(simulation.admg, result.admg),
        all_rates(simulation.admg, result.consensus),
        skeleton_rates(simulation.admg, result.weights[:, :, 0] < 0.5),
    )


def all_rates(truth: ADMG, found: ADMG) -> list[float]:
    """Return tpr and fdr of skeleton, arrowheads and tails."""
    rates = compare(truth, found).to_dict()
    return [rates[name] for name in MarkRates._fields]


def f1(tpr: float, fdr: float) -> float:
    return 2 * tpr * (1 - fdr) / (tpr + 1 - fdr)


def skeleton_rates(truth: ADMG, adjacent: np.ndarray) -> tuple[float, float]:
    shared = (truth.skeleton & adjacent).sum()
    return shared / truth.skeleton.sum(), 1.0 - shared / max(1, adjacent.sum())


def floor_of(seed: int, d: int, truth_class: GraphClass) -> float:
    simulation = simulate_admg(d, 1000, graph_class=truth_class, random_state=seed)
    return oracle_floor(Moments.from_table(simulation.data), simulation.admg, SEARCHED[truth_class], None)
