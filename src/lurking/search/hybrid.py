"""The search for the best graph: several starts, vertex re-insertion from each, and what they agree on.

The portfolio of starts is the best DAG (:mod:`lurking.search.order_based`) and the empty graph, in turn, plus
whatever the caller adds; with similar noise it is the DAG that this assumption suggests
(:mod:`lurking.search.similar_noise`). From each start a chain runs with its own random numbers, in 3 phases: rounds of
vertex re-insertion (:mod:`lurking.search.reinsertion`), then a Metropolis walk from its best graph
(:mod:`lurking.search.posterior`). Before the last phase all chains are set to the best graph that any of
them has found. Then come the walks that are counted, from different good graphs. At the end every chain polishes its
best graph by tabu search with every move fitted, each with other random choices between ties
(:mod:`lurking.search.kernels.climb`), and all good graphs that any chain met are scored once more, exactly. The
consensus of the walks gets the best edges that its pairs can have.

Columns are put in the order of their names before anything else, so the answer does not depend on theirs. Without an
assumption about the noise the chains work on correlations rounded to nine digits: data in other units, or standardised,
are then the same data to the last bit, and give the same graph. The final scores come from the data as they are. Chains
run in threads (the compiled code lets go of Python's lock), and each depends on its own seed only, so the answer does
not depend on ``n_jobs`` either, nor on whether the chains run on a cluster (:mod:`lurking.search.cluster_scheduler`).
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import overload

import numpy as np

from lurking._errors import ParameterError
from lurking._parallel import n_workers
from lurking._parameters import check_choice, check_count, check_n_jobs
from lurking._progress import Progress, silent
from lurking._random import children
from lurking._typing import GraphClass, RandomState
from lurking.data import AnyMoments, GroupedMoments, Moments
from lurking.graphs import ADMG
from lurking.graphs.classes import CLASSES
from lurking.search.allowed_edges import all_edges_allowed, allowed_arrows, reordered
from lurking.search.candidates import exact_candidates
from lurking.search.chain_scheduler import ChainScheduler, stop_after
from lurking.search.kernels.climb import AllowedEdges, Stop
from lurking.search.order_based import best_dag
from lurking.search.posterior import Posterior, posterior_of_walks, weigh
from lurking.search.reinsertion import ReinsertionChain
from lurking.search.result import Candidate, Run, SearchResult
from lurking.search.search_plan import LEGS, WALKS, SearchPlan, Shares, plan_of
from lurking.search.similar_noise import dag_by_noise, possible_centres, without_groups
from lurking.search.status import SearchStatus
from lurking.search.ties import SCORE_DIGITS
from lurking.sem.criterion import Criterion, criterion_for

__all__ = ["hybrid_search", "without_units"]

_SEARCH = 0.97  # of the progress; the rest is the final rescoring
_SHORTER = 10  # times than usual are the walks that a time budget begins with
_ORDERS = 5  # climbs for the best DAG on variables of several columns
_DIGITS = 9  # of correlations: far coarser than arithmetic, far finer than any sampling error


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
        Rounds per chain; by default 50, 6 for each variable up to 40 and 2 for each further one, more for few, and
        twice as many for arid graphs (:mod:`lurking.search.search_plan`).
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
        Seconds after which the best graph so far is returned. Each part of the search has a share of them, so that
        chains are joined, walks are made and good graphs are scored once more before they are over. With a budget the
        answer can differ between runs.
    random_state : int, Generator or None
        The seed.
    n_jobs : int, optional
        The number of chains that run at the same time, in threads unless a joblib backend that is not one of this
        machine, such as a Dask cluster, was chosen by ``joblib.parallel_config``.
    progress : callable
        Told the share that is done.

    Returns
    -------
    result : SearchResult
        An interrupt from the keyboard ends the search early and returns the best graph so far.
    """
    stop = np.zeros(1, dtype=np.uint8)
    clock = _Clock(time_budget, stop)
    check_choice("graph_class", graph_class, tuple(CLASSES), "hybrid_search")
    if n_rounds is not None:
        check_count("n_rounds", n_rounds, at_least=0, owner="hybrid_search")
    check_n_jobs(n_jobs, "hybrid_search")
    if n_restarts < 0 or n_restarts + len(extra_starts) < 1:
        raise ParameterError(f"The search needs at least one start. Got n_restarts={n_restarts!r} instead.")
    order = sorted(range(moments.n_variables), key=lambda i: moments.names[i])
    data = moments.reorder([moments.names[i] for i in order])
    mask = all_edges_allowed(len(order)) if allowed_edges is None else reordered(allowed_edges, order)
    plan = plan_of(len(order), graph_class, n_rounds)
    seeds = children(random_state, n_restarts + len(extra_starts) + 1)
    chosen = criterion_for(criterion, moments.n_samples, moments.n_variables)
    searched: AnyMoments
    searched, offset = (data, 0.0) if noise_spread is not None else without_units(data)
    with clock.until(Shares().dag):
        portfolio = _portfolio(searched, chosen, mask, noise_spread, seeds[-1], stop) if n_restarts > 0 else []
    starts = [*(portfolio * n_restarts)[:n_restarts], *extra_starts]
    centres = [0.0] * len(starts)
    if noise_spread is not None:  # the last one belongs to the graph without edges
        centres = possible_centres(without_groups(searched), len(starts) + 1).tolist()

    chains: list[ReinsertionChain | None] = [None] * len(starts)

    make = [
        partial(_new_chain, searched, graph_class, seed, mask, start, noise_spread, centre, chosen)
        for seed, (_, start), centre in zip(seeds, starts, centres, strict=False)
    ]
    all_sweeps = LEGS * len(chains) * plan.sweeps + WALKS * plan.sampling_sweeps
    scheduler = _scheduler()(
        chains, make, stop, lambda: clock.end, n_workers(n_jobs), plan.rounds, all_sweeps,
        lambda share, words: progress(_SEARCH * share, words),
    )  # fmt: skip
    alone: dict[int, float] = {}  # the score of each chain before all join, by its number
    try:
        status = _run_chains(scheduler, chains, plan, clock, window, alone)
    except KeyboardInterrupt:  # between two turns of the scheduler, which ends its own turns
        if stop[0] or all(chain is None for chain in chains):  # a second interrupt, or there is no answer yet
            raise
        status = SearchStatus.INTERRUPTED
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
        if 2 * len(walks) > WALKS:  # few are no sample
            posterior = posterior_of_walks(walks, data.names, best.score)
            with clock.until(1.0):
                consensus, score = best.orient(posterior.consensus)
            posterior = replace(posterior, consensus=consensus, score_gap=max(0.0, score - best.score))
        candidates, centre = judge(clock.at(1.0), silent if status is SearchStatus.INTERRUPTED else told)
    except KeyboardInterrupt:
        if status is SearchStatus.INTERRUPTED:  # a second interrupt
            raise
        status = SearchStatus.INTERRUPTED
        candidates, centre = judge(-np.inf, silent)
    runs = tuple(
        Run(word, alone.get(k, chain.score) + offset, tuple(score + offset for score in chain.best_scores))
        for k, ((word, _), chain) in enumerate(zip(starts, chains, strict=True))
        if chain is not None
    )
    if posterior is None:
        posterior = weigh([(one.admg, one.score) for one in candidates], chosen.posterior_price)
    in_order = tuple(Candidate(c.admg.subgraph(moments.names), c.score, c.visits) for c in candidates)
    centre_found = None if noise_spread is None else centre
    return SearchResult(in_order, runs, status, posterior.reorder(moments.names), centre_found)


def _new_chain(
    moments: AnyMoments,
    graph_class: GraphClass,
    rng: np.random.Generator,
    allowed_edges: AllowedEdges,
    start: ADMG | None,
    noise_spread: float | None,
    noise_centre: float,
    criterion: Criterion,
    stop: Stop,
) -> ReinsertionChain:
    return ReinsertionChain(
        moments, graph_class, rng, allowed_edges, start, noise_spread, noise_centre, stop, criterion
    )


def _scheduler() -> type[ChainScheduler]:
    """Return where chains take their turns: here, unless a joblib backend of other machines was chosen."""
    if "joblib" not in sys.modules:  # then nobody has chosen one
        return ChainScheduler
    from lurking.search.cluster_scheduler import ClusterScheduler, on_cluster

    return ClusterScheduler if on_cluster() else ChainScheduler


def _started(chains: Sequence[ReinsertionChain | None]) -> list[ReinsertionChain]:
    return [chain for chain in chains if chain is not None]


def _rounded_score(chain: ReinsertionChain) -> float:
    return round(chain.score, SCORE_DIGITS)


class _Clock:
    """When the parts of a search have to end, and whether one of them was cut short.

    Parameters
    ----------
    time_budget : float or None
        Seconds for the whole search.
    stop : ndarray of shape (1,)
        The flag that ends what is running.
    """

    def __init__(self, time_budget: float | None, stop: Stop) -> None:
        self._started, self._budget, self._stop = time.monotonic(), time_budget, stop
        self.cut_short = False
        self.end = np.inf

    @property
    def has_end(self) -> bool:
        """Whether there is a budget."""
        return self._budget is not None

    def at(self, share: float) -> float:
        """Return when so much of the budget is used up, on the clock of ``time.monotonic``."""
        return np.inf if self._budget is None else self._started + share * self._budget

    @contextmanager
    def until(self, share: float) -> Iterator[None]:
        """Set the flag when so much of the budget is used up; take it back afterwards, for the next part."""
        self.end = self.at(share)
        with stop_after(self.end, self._stop):
            yield
        if self._budget is not None and self._stop[0]:
            self.cut_short = True
            self._stop[0] = 0


def _run_chains(
    scheduler: ChainScheduler,
    chains: Sequence[ReinsertionChain | None],
    plan: SearchPlan,
    clock: _Clock,
    window: float,
    alone: dict[int, float],
) -> SearchStatus:
    """Run all chains; leave the scores before the chains join in ``alone``.

    With a time budget each part has a share of it (:class:`~lurking.search.search_plan.Shares`): rounds that do not get
    to their end still leave time to join the chains at the best graph, to walk and to polish.
    """
    ends = Shares()
    with clock.until(ends.alone):
        status = _run_legs(scheduler, plan, range(1, LEGS))
    ready = _started(chains)
    alone.update((k, chain.score) for k, chain in enumerate(chains) if chain is not None)
    if status is SearchStatus.INTERRUPTED:
        return status
    best = min(ready, key=_rounded_score)
    for chain in ready:
        chain.join(best)

    def walks(n_sweeps: int) -> SearchStatus:
        return scheduler.walk(_starts_of_walks(_started(chains), window), n_sweeps)

    parts: list[tuple[float, Callable[[], SearchStatus]]] = [
        (ends.joined, lambda: _run_legs(scheduler, plan, range(LEGS, LEGS + 1))),
        (ends.walks, lambda: walks(plan.sampling_sweeps)),
        (ends.polish, lambda: scheduler.polish(plan.tabu_steps)),
    ]
    if clock.has_end:  # short walks first, so that all good graphs are started from if the time is short
        parts.insert(1, (ends.walks, lambda: walks(-(-plan.sampling_sweeps // _SHORTER))))
    for share, run in parts:
        with clock.until(share):
            status = run()
        if status is SearchStatus.INTERRUPTED:
            return status
    return SearchStatus.TIME_BUDGET if clock.cut_short else SearchStatus.COMPLETE


def _run_legs(scheduler: ChainScheduler, plan: SearchPlan, legs: range) -> SearchStatus:
    """Run some legs of the scheduler: rounds of re-insertion, and a walk from the best graph of each chain."""
    status = SearchStatus.COMPLETE
    for leg in legs:
        status = scheduler.run(plan.rounds * leg // LEGS)
        if status is SearchStatus.COMPLETE:
            status = scheduler.explore(plan.sweeps)
        if status is not SearchStatus.COMPLETE:
            break
    return status


def _starts_of_walks(chains: Sequence[ReinsertionChain], window: float) -> list[ADMG]:
    """Return good graphs, the better the more often: each as often as its posterior weight says."""
    best = min(chain.score for chain in chains)
    met = {graph: score for chain in chains for graph, score, _ in chain.graphs(best + window)}
    price = chains[0].criterion.posterior_price
    against = np.array([round(score, SCORE_DIGITS) + price * graph.n_edges for graph, score in met.items()])
    share = np.cumsum(np.exp((against.min() - against) / 2.0))
    # With equal weights one of the limits falls exactly on a share: rounding must not choose the side.
    chosen = np.searchsorted(share / share[-1] + 1e-9, (np.arange(WALKS) + 0.5) / WALKS)
    graphs = list(met)
    return [graphs[k] for k in chosen]


def _portfolio(
    moments: AnyMoments,
    criterion: Criterion,
    allowed_edges: AllowedEdges,
    noise_spread: float | None,
    rng: np.random.Generator,
    stop: Stop,
) -> list[tuple[str, ADMG | None]]:
    """Return the graphs to start from, each with a word for it; None is the graph without edges."""
    arrows = allowed_arrows(allowed_edges)
    if noise_spread is not None:
        return [("DAG by noise", dag_by_noise(without_groups(moments), arrows, rng))]
    d, n = moments.n_variables, moments.n_samples
    if isinstance(moments, GroupedMoments):
        sizes = moments.sizes
        prices = np.array([[criterion.price_of_arrow(n, d, (a, b)) for b in sizes] for a in sizes])
        dag = best_dag(
            moments, n_restarts=_ORDERS, allowed_edges=arrows, price=prices, stop=stop, random_state=rng
        ).admg
    else:
        price = criterion.price_of_arrow(n, d)
        dag = best_dag(moments, allowed_edges=arrows, price=price, stop=stop, random_state=rng).admg
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
        for graph, score, times in chain.graphs(best + window + 1.0):
            met[graph] += times
            scores[graph] = min(score + offset, scores.get(graph, np.inf))
    return sorted(met.items(), key=lambda item: round(scores[item[0]], SCORE_DIGITS)), scores
