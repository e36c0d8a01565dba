"""How long a hybrid search is: rounds, walks and steps by the number of variables, and the share of a budget of each.

Rounds are what the search spends its time on. Up to 40 variables each adds six rounds to every chain, beyond that two:
twice as many did not find graphs nearer to the truth (``benchmarks/scale.py``), and a round takes longer
there. Walks have a fixed number of steps together, so that with more variables each pair is visited less often; but
so many sweeps are made in any case that probabilities have a fine enough grain.

:func:`expected_seconds` says beforehand about how long an answer will take. Of a time budget, what comes after the
search gets two and a half times what the same model says, to be on the safe side. The constants are
processor times measured with ``benchmarks/scale.py`` on sparse graphs (three neighbours each) of 20 to 500 variables;
dense graphs take longer.

>>> plan_of(10, "bow-free").rounds, plan_of(100, "bow-free").rounds
(110, 410)
>>> in_words(expected_seconds(100, "bow-free", n_chains=5, n_workers=2), n_workers=2)
'less than a minute on 2 cores'
"""

from __future__ import annotations

from typing import NamedTuple

from lurking._typing import GraphClass

__all__ = [
    "LEGS",
    "TESTED_VARIABLES",
    "WALKS",
    "SearchPlan",
    "Shares",
    "default_rounds",
    "expected_seconds",
    "in_words",
    "plan_of",
    "seconds_left_for",
    "seconds_of_analysis",
    "seconds_of_file",
    "seconds_of_fit",
    "seconds_of_report",
]

LEGS = 3
"""Parts of the rounds; before the last one all chains join at the best graph."""
WALKS = 15
"""Walks that are counted, shared by all chains."""
TESTED_VARIABLES = 200
"""With more variables times and accuracy are not tested regularly."""

_FEW = 40  # variables up to which each adds as many rounds
_SWEEPS_OF_A_LEG, _STEPS_OF_A_LEG = 900, 90_000  # of each chain, at most
_SWEEPS, _STEPS = 5000, 500_000  # of the counted walks together, at most
_FEWEST_SWEEPS, _MOST_STEPS = 600, 24_000_000  # but so many sweeps, if they take no more steps than this

_OF_ROUND, _OF_SWEEP, _OF_DAG = (0.005, 1.4), (0.006, 2.2), (1.2, 2.1)
_OF_START, _OF_FIT, _OF_ANALYSIS, _OF_REPORT, _OF_FILE = (2.0, 0.3), (1.0, 1.2), (3.0, 1.3), (2.0, 1.3), (1.0, 1.4)
"""Processor seconds with 100 variables, and the power of the number of variables with which they grow."""
_RESERVE = 2.5  # of what should be enough for what comes after a search, so that a busy machine is in time too
_LEAST_SHARE = 0.1  # of a budget that is left for a search in any case
_OF_CLASS: dict[GraphClass, float] = {"arid": 2.0}  # of others 1


class SearchPlan(NamedTuple):
    """How long a search is: rounds of a chain, sweeps of a walk in a leg and of one that is counted, tabu steps."""

    rounds: int
    sweeps: int
    sampling_sweeps: int
    tabu_steps: int


class Shares(NamedTuple):
    """The shares of a time budget at which the parts of a search have to end, whether they are complete or not."""

    dag: float = 0.2
    alone: float = 0.5
    joined: float = 0.65
    walks: float = 0.88
    polish: float = 0.96


def default_rounds(n_variables: int, graph_class: GraphClass) -> int:
    """Return how many rounds each chain runs by default, two thirds of them on its own.

    Few variables get more: there a round takes no time. Arid graphs of many variables get twice as many: their class
    has the most gaps, so most ways from one good graph to another leave it.
    """
    rounds = 50 + 6 * min(n_variables, _FEW) + 2 * max(0, n_variables - _FEW)
    return max(2 * rounds if graph_class == "arid" else rounds, 200 - 12 * n_variables)


def plan_of(n_variables: int, graph_class: GraphClass, rounds: int | None = None) -> SearchPlan:
    """Return how long a search is; by default with the default number of rounds."""
    sweeps = _sweeps_within(_SWEEPS_OF_A_LEG, _STEPS_OF_A_LEG, n_variables)
    counted = max(
        _sweeps_within(_SWEEPS, _STEPS, n_variables), _sweeps_within(_FEWEST_SWEEPS, _MOST_STEPS, n_variables)
    )
    chosen = default_rounds(n_variables, graph_class) if rounds is None else rounds
    return SearchPlan(chosen, sweeps, -(-counted // WALKS), tabu_steps=3 * n_variables)


def _sweeps_within(sweeps: int, steps: int, n_variables: int) -> int:
    """Return so many sweeps, or fewer if they would take more steps: a sweep takes one for each pair."""
    pairs = max(1, n_variables * (n_variables - 1) // 2)
    return max(1, min(sweeps, steps // pairs))


def expected_seconds(n_variables: int, graph_class: GraphClass, n_chains: int, n_workers: int) -> float:
    """Return about how long a whole ``lurking discover`` of a sparse graph takes."""
    plan = plan_of(n_variables, graph_class)
    sweeps = n_chains * LEGS * plan.sweeps + WALKS * plan.sampling_sweeps
    rounds = n_chains * plan.rounds * _cost(_OF_ROUND, n_variables) * _OF_CLASS.get(graph_class, 1.0)
    parallel = rounds + sweeps * _cost(_OF_SWEEP, n_variables)
    one_by_one = (_OF_START, _OF_DAG, _OF_FIT, _OF_ANALYSIS, _OF_REPORT)
    return sum(_cost(cost, n_variables) for cost in one_by_one) + parallel / max(1, min(n_workers, n_chains))


def seconds_of_fit(n_variables: int) -> float:
    """Return how long may pass between the end of a search and that of the fit: the central graph, its estimates."""
    return _RESERVE * _cost(_OF_FIT, n_variables)


def seconds_of_analysis(n_variables: int) -> float:
    """Return how long the analysis of what was found may take."""
    return _RESERVE * _cost(_OF_ANALYSIS, n_variables)


def seconds_of_report(n_variables: int) -> float:
    """Return how long it may take to write the page and the file."""
    return _RESERVE * _cost(_OF_REPORT, n_variables)


def seconds_of_file(n_variables: int) -> float:
    """Return how long of that it may take to write the file alone, and the page without its pictures."""
    return _RESERVE * _cost(_OF_FILE, n_variables)


def seconds_left_for(budget: float, spent: float, reserved: float) -> float:
    """Return what is left of a time budget, a tenth of it in any case.

    >>> seconds_left_for(100.0, spent=5.0, reserved=20.0), seconds_left_for(1.0, spent=5.0, reserved=20.0)
    (75.0, 0.1)
    """
    return max(budget - spent - reserved, _LEAST_SHARE * budget)


def _cost(cost: tuple[float, float], n_variables: int) -> float:
    return float(cost[0] * (n_variables / 100.0) ** cost[1])


def in_words(seconds: float, n_workers: int) -> str:
    """Return a time and the number of cores in words."""
    minutes = round(seconds / 60.0)
    time = "less than a minute" if minutes < 1 else "about a minute" if minutes == 1 else f"about {minutes} minutes"
    return f"{time} on {n_workers} core{'' if n_workers == 1 else 's'}"
