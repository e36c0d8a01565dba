"""The search for the best graph: several starts, vertex re-insertion from each, and what they agree on.

The portfolio of starts is the best DAG (:mod:`lurking.search.order_based`) and the empty graph, in turn, plus
whatever the caller adds; with similar noise it is the DAG that this assumption suggests
(:mod:`lurking.search.similar_noise`). From each start a chain runs on its own random numbers, in three legs: rounds of
vertex re-insertion (:mod:`lurking.search.reinsertion`), which jump, and then a walk from its best graph
(:mod:`lurking.search.posterior`), which looks around. Before the last leg all chains join at the best graph that any of
them has found. Then come the walks that are counted, from different good graphs. At the end every chain polishes its
best graph by tabu search with every move fitted, each with other lots between equally good moves
(:mod:`lurking.search.kernels.climb`), and all good graphs that any chain met are scored once more, exactly. The
consensus of the walks gets the best edges that its pairs can have.

Columns are put in the order of their names before anything else, so the answer does not depend on theirs. Without an
assumption about the noise the chains work on correlations rounded to nine digits: data in other units, or standardised,
are then the same data to the last bit, and give the same graph. The final scores come from the data as they are. Chains
run in threads (the compiled code lets go of Python's lock), and each depends on its own seed only, so the answer does
not depend on ``n_jobs`` either.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, overload

import joblib
import numpy as np

from lurking._errors import ParameterError
from lurking._parameters import check_choice, check_count, check_n_jobs
from lurking._progress import Progress, silent
from lurking._random import children
from lurking._typing import GRAPH_CLASSES, GraphClass, RandomState
from lurking.data import AnyMoments, GroupedMoments, Moments
from lurking.graphs import ADMG
from lurking.search.allowed_edges import all_edges_allowed, allowed_arrows, reordered
from lurking.search.candidates import exact_candidates
from lurking.search.chain_scheduler import ChainScheduler, stop_after
from lurking.search.kernels.climb import AllowedEdges
from lurking.search.order_based import best_dag
from lurking.search.posterior import Posterior, posterior_of_walks, weigh
from lurking.search.reinsertion import ReinsertionChain
from lurking.search.result import Candidate, Run, SearchResult, SearchStatus
from lurking.search.similar_noise import dag_by_noise, possible_centres, without_groups
from lurking.search.ties import SCORE_DIGITS
from lurking.sem.criterion import Criterion, criterion_for

__all__ = ["default_rounds", "hybrid_search", "without_units"]

_LEGS = 3  # parts of the scheduler; before the last one all chains join at the best graph
_SWEEPS_OF_A_LEG, _STEPS_OF_A_LEG = 900, 90_000  # of each chain, at most
_WALKS = 15  # that are counted, shared by all chains
_SWEEPS, _STEPS = 5000, 500_000  # of these walks together, at most
_SEARCH = 0.97  # of the progress; the rest is the last judgement
_ORDERS = 5  # climbs for the best DAG on variables of several columns
_DIGITS = 9  # of correlations: far coarser than arithmetic, far finer than any sampling error


def default_rounds(n_variables: int, graph_class: GraphClass) -> int:
    """Return how many rounds each chain runs by default, two thirds of them on its own.

    Few variables get more: there a round takes no time. Arid graphs of many variables get twice as many: their class
    has the most gaps, so most ways from one good graph to another leave it.
    """
    rounds = 50 + 6 * n_variables
    return max(2 * rounds if graph_class == "arid" else rounds, 200 - 12 * n_variables)


def hybrid_search(
    moments: AnyMoments,
    graph_class: GraphClass = "bow-free",
    *,
    criterion: str | Criterion = "marginal",
    n_restarts: int = 5,
    n_rounds: int | None = None,
    noise_spread: float | None = None,
    allowed_edges: AllowedEdges | None = None,
    extra_starts: Sequence[tuple[str, ADMG]] = (),
    window: float = 10.0,
    time_budget: float | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: Progress = silent,
) -> SearchResult:
    """Search the graph with the best score in a class.

    Parameters
    ----------
    moments : Moments or GroupedMoments
        The data.
    graph_class : {"ancestral", "arid", "bow-free"}
        The class to search in.

    Other Parameters
    ----------------
    criterion : str or Criterion, default "marginal"
        What graphs are scored by (:mod:`lurking.sem.criterion`).
    n_restarts : int, default 5
        The number of chains, on top of one for each of ``extra_starts``.
    n_rounds : int, optional
        Rounds per chain; by default 50 and 6 for each variable, more for few, and twice as many for arid graphs.
    noise_spread : float, optional
        Add ``sum(((ln phi_i - centre) / noise_spread)²)`` to the score, the assumption that the variables' own error
        variances phi_i (:mod:`lurking.sem.score`) are similar in the units given; None adds nothing.
    allowed_edges : ndarray of shape (d, d, 4), optional
        Which of the edges none, i -> j, j -> i, i <-> j the pair i < j may have.
    extra_starts : sequence of (str, ADMG)
        More graphs to start from, with a word for each.
    window : float, default 10
        Graphs with a score up to this above the best one are returned too.
    time_budget : float, optional
        Seconds after which the best graph so far is returned. With a budget the answer can differ between runs.
    random_state : int, Generator or None
        The seed.
    n_jobs : int, optional
        The number of chains that run at the same time.
    progress : callable
        Told the share that is done.

    Returns
    -------
    result : SearchResult
        An interrupt from the keyboard ends the search early and returns the best graph so far.
    """
    started = time.monotonic()
    check_choice("graph_class", graph_class, GRAPH_CLASSES, "hybrid_search")
    if n_rounds is not None:
        check_count("n_rounds", n_rounds, at_least=0, owner="hybrid_search")
    check_n_jobs(n_jobs, "hybrid_search")
    if n_restarts < 0 or n_restarts + len(extra_starts) < 1:
        raise ParameterError(f"The search needs at least one start. Got n_restarts={n_restarts!r} instead.")
    order = sorted(range(moments.n_variables), key=lambda i: moments.names[i])
    data = moments.reorder([moments.names[i] for i in order])
    mask = all_edges_allowed(len(order)) if allowed_edges is None else reordered(allowed_edges, order)
    plan = _plan(len(order), default_rounds(len(order), graph_class) if n_rounds is None else n_rounds)
    seeds = children(random_state, n_restarts + len(extra_starts) + 1)
    chosen = criterion_for(criterion, moments.n_samples, moments.n_variables)
    searched: AnyMoments
    searched, offset = (data, 0.0) if noise_spread is not None else without_units(data)
    portfolio = _portfolio(searched, chosen, mask, noise_spread, seeds[-1]) if n_restarts > 0 else []
    starts = [*(portfolio * n_restarts)[:n_restarts], *extra_starts]
    centres = [0.0] * len(starts)
    if noise_spread is not None:  # the last one belongs to the graph without edges
        centres = possible_centres(without_groups(searched), len(starts) + 1).tolist()

    deadline = np.inf if time_budget is None else started + time_budget
    stop = np.zeros(1, dtype=np.uint8)
    chains: list[ReinsertionChain | None] = [None] * len(starts)

    def start(k: int) -> None:
        chains[k] = ReinsertionChain(
            searched, graph_class, seeds[k], mask, starts[k][1], noise_spread, centres[k], stop, chosen
        )

    with stop_after(deadline, stop):
        all_sweeps = _LEGS * len(chains) * plan.sweeps + _WALKS * plan.sampling_sweeps
        scheduler = ChainScheduler(
            chains, start, stop, joblib.effective_n_jobs(n_jobs), plan.rounds, all_sweeps,
            lambda share, words: progress(_SEARCH * share, words),
        )  # fmt: skip
        alone: list[float] = []  # the score of each chain before all join
        try:
            status = _run_chains(scheduler, chains, plan, window, alone)
        except KeyboardInterrupt:  # between two turns of the scheduler, which minds its own
            if stop[0] or all(chain is None for chain in chains):  # the user insists, or there is no answer yet
                raise
            status = SearchStatus.INTERRUPTED
    if stop[0] and status is SearchStatus.COMPLETE:
        status = SearchStatus.TIME_BUDGET  # it was in the middle of the last rounds, or of the polish
    ready = _started(chains)
    best = min(ready, key=_rounded_score)
    posterior: Posterior | None = None

    def judge(deadline: float, progress: Progress) -> tuple[tuple[Candidate, ...], float]:
        met, known = _graphs_met(ready, window, offset)
        return exact_candidates(data, met, noise_spread, window, deadline, best.found, known, progress, chosen)

    def told(share: float, words: str) -> None:
        progress(_SEARCH + (1.0 - _SEARCH) * share, words)

    try:
        walks = [walked for chain in ready for walked in chain.walks if len(walked[1])]
        if 2 * len(walks) > _WALKS:  # few say little
            posterior = posterior_of_walks(walks, data.names, best.score)
            consensus, score = best.orient(posterior.consensus)
            posterior = replace(posterior, consensus=consensus, score_gap=max(0.0, score - best.score))
        candidates, centre = judge(deadline, silent if status is SearchStatus.INTERRUPTED else told)
    except KeyboardInterrupt:
        if status is SearchStatus.INTERRUPTED:  # the user insists
            raise
        status = SearchStatus.INTERRUPTED
        candidates, centre = judge(-np.inf, silent)
    words = [word for (word, _), chain in zip(starts, chains, strict=True) if chain is not None]
    runs = tuple(
        Run(word, own + offset, tuple(score + offset for score in chain.best_scores))
        for word, own, chain in zip(words, alone or [chain.score for chain in ready], ready, strict=True)
    )
    if posterior is None:
        posterior = weigh([(one.admg, one.score) for one in candidates], chosen.posterior_price)
    in_order = tuple(Candidate(c.admg.subgraph(moments.names), c.score, c.visits) for c in candidates)
    centre_found = None if noise_spread is None else centre
    return SearchResult(in_order, runs, status, posterior.reorder(moments.names), centre_found)


class _Plan(NamedTuple):
    """How long a search is: rounds of a chain, sweeps of a walk in a leg and of one that is counted, tabu steps."""

    rounds: int
    sweeps: int
    sampling_sweeps: int
    tabu_steps: int


def _plan(n_variables: int, rounds: int) -> _Plan:
    sweeps = _sweeps_within(_SWEEPS_OF_A_LEG, _STEPS_OF_A_LEG, n_variables)
    sampling_sweeps = -(-_sweeps_within(_SWEEPS, _STEPS, n_variables) // _WALKS)
    return _Plan(rounds, sweeps, sampling_sweeps, tabu_steps=3 * n_variables)


def _sweeps_within(sweeps: int, steps: int, n_variables: int) -> int:
    """Return so many sweeps, or fewer if they would take more steps: a sweep takes one for each pair."""
    pairs = max(1, n_variables * (n_variables - 1) // 2)
    return max(1, min(sweeps, steps // pairs))


def _started(chains: Sequence[ReinsertionChain | None]) -> list[ReinsertionChain]:
    return [chain for chain in chains if chain is not None]


def _rounded_score(chain: ReinsertionChain) -> float:
    return round(chain.score, SCORE_DIGITS)


def _run_chains(
    scheduler: ChainScheduler, chains: Sequence[ReinsertionChain | None], plan: _Plan, window: float, alone: list[float]
) -> SearchStatus:
    """Run all chains, until one part ends early; leave the scores before the chains join in ``alone``."""
    status = _run_legs(scheduler, plan, range(1, _LEGS))
    ready = _started(chains)
    alone[:] = [chain.score for chain in ready]
    if status is SearchStatus.COMPLETE:
        best = min(ready, key=_rounded_score)
        for chain in ready:
            chain.join(best)
        status = _run_legs(scheduler, plan, range(_LEGS, _LEGS + 1))
    if status is SearchStatus.COMPLETE:
        status = scheduler.walk(_starts_of_walks(ready, window), plan.sampling_sweeps)
    if status is SearchStatus.COMPLETE:
        status = scheduler.polish(plan.tabu_steps)
    return status


def _run_legs(scheduler: ChainScheduler, plan: _Plan, legs: range) -> SearchStatus:
    """Run some legs of the scheduler: rounds of re-insertion, and a walk from the best graph of each chain."""
    status = SearchStatus.COMPLETE
    for leg in legs:
        status = scheduler.run(plan.rounds * leg // _LEGS)
        if status is SearchStatus.COMPLETE:
            status = scheduler.explore(plan.sweeps)
        if status is not SearchStatus.COMPLETE:
            break
    return status


def _starts_of_walks(chains: Sequence[ReinsertionChain], window: float) -> list[ADMG]:
    """Return good graphs, the better the more often: as many of each as its posterior weight entitles it to."""
    best = min(chain.score for chain in chains)
    met = {graph: score for chain in chains for graph, score, _ in chain.graphs() if score <= best + window}
    price = chains[0].criterion.posterior_price
    against = np.array([round(score, SCORE_DIGITS) + price * graph.n_edges for graph, score in met.items()])
    share = np.cumsum(np.exp((against.min() - against) / 2.0))
    # With equal weights one of the limits falls exactly on a share: rounding must not choose the side.
    chosen = np.searchsorted(share / share[-1] + 1e-9, (np.arange(_WALKS) + 0.5) / _WALKS)
    graphs = list(met)
    return [graphs[k] for k in chosen]


def _portfolio(
    moments: AnyMoments,
    criterion: Criterion,
    allowed_edges: AllowedEdges,
    noise_spread: float | None,
    rng: np.random.Generator,
) -> list[tuple[str, ADMG | None]]:
    """Return the graphs to start from, each with a word for it; None is the graph without edges."""
    arrows = allowed_arrows(allowed_edges)
    if noise_spread is not None:
        return [("DAG by noise", dag_by_noise(without_groups(moments), arrows, rng))]
    d, n = moments.n_variables, moments.n_samples
    if isinstance(moments, GroupedMoments):
        sizes = moments.sizes
        price = np.array([[criterion.price_of_arrow(n, d, (a, b)) for b in sizes] for a in sizes])
        dag = best_dag(moments, n_restarts=_ORDERS, allowed_edges=arrows, price=price, random_state=rng).admg
    else:
        dag = best_dag(moments, allowed_edges=arrows, price=criterion.price_of_arrow(n, d), random_state=rng).admg
    return [("best DAG", dag), ("no edges", None)]


@overload
def without_units(moments: Moments) -> tuple[Moments, float]: ...
@overload
def without_units(moments: GroupedMoments) -> tuple[GroupedMoments, float]: ...
@overload
def without_units(moments: AnyMoments) -> tuple[AnyMoments, float]: ...
def without_units(moments: AnyMoments) -> tuple[AnyMoments, float]:
    """Return the correlations, rounded, and what has to be added to their scores to have those of the data.

    The columns of one variable are made uncorrelated.
    """
    if isinstance(moments, GroupedMoments):
        correlation, scales = moments.whitened()
        columns = Moments(np.round(correlation, _DIGITS), moments.n_samples, moments.grouping.all_columns)
        return GroupedMoments(columns, moments.grouping), float(2.0 * moments.n_samples * np.log(scales).sum())
    rounded = Moments(np.round(moments.correlation, _DIGITS), moments.n_samples, moments.names)
    return rounded, float(2.0 * moments.n_samples * np.log(moments.scales).sum())


def _graphs_met(
    chains: Sequence[ReinsertionChain], window: float, offset: float
) -> tuple[list[tuple[ADMG, int]], dict[ADMG, float]]:
    """Return the good graphs that any chain met, best first, with how often each was met; and their scores."""
    met: Counter[ADMG] = Counter()
    scores: dict[ADMG, float] = {}
    best = min(chain.score for chain in chains)
    for chain in chains:
        for graph, score, times in chain.graphs():
            if score <= best + window + 1.0:
                met[graph] += times
                scores[graph] = min(score + offset, scores.get(graph, np.inf))
    return sorted(met.items(), key=lambda item: round(scores[item[0]], SCORE_DIGITS)), scores
