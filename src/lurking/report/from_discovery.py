"""From a fitted :class:`~lurking.ADMGDiscovery` to the content of a report.

Everything that :mod:`lurking.report.from_fit` says of a graph, and how the graph was found: how the search ended, the
best score over the rounds of each run, the graphs that are nearly as good, the knowledge that was obeyed, what looked
wrong in the data, settings and seed.

>>> from lurking import ADMGDiscovery, simulate_admg
>>> model = ADMGDiscovery(random_state=0, solver="exact").fit(simulate_admg(3, 500, random_state=1).data)
>>> content = report_content(model, title="Three variables")
>>> content.seed, content.settings["Solver"]
(0, 'exact')
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sklearn.utils.validation import check_is_fitted

from lurking._wording import counted
from lurking.discovery import ADMGDiscovery, BootstrapResult, Knowledge, informed_pag
from lurking.discovery import Finding as AuditFinding
from lurking.graphs import ADMG, PAG
from lurking.metrics import compare
from lurking.report.citations import citations
from lurking.report.content import (
    EdgeEstimate,
    Finding,
    KnowledgeStatement,
    NearOptimalGraph,
    ReportContent,
    Series,
    Trace,
)
from lurking.report.from_fit import graph_content
from lurking.report.shares import edges_with_posterior, edges_with_shares, pair_shares, probable_but_apart
from lurking.search.differentiable import DCDStatus, DifferentiableResult
from lurking.search.result import SearchResult, SearchStatus
from lurking.sem import FitStatus

__all__ = ["MOST_NEAR_OPTIMAL", "consensus_content", "near_optimal_graphs", "report_content", "with_settings"]

MOST_NEAR_OPTIMAL = 20
"""So many of the graphs that are nearly as good are listed."""

MOST_PAIRS_APART = 4
"""So many of the pairs that are joined in other good graphs are named."""

_SAME_SCORE = 0.05  # a difference that would be printed as 0.0

_WARNINGS = {"few rows", "outliers", "collinear", "repeated", "uneven", "contradictory", "units"}
"""The kinds of finding that can change the answer, as against those that make it less certain."""

_SETTINGS = {
    "graph_class": "Graph class",
    "solver": "Solver",
    "answer": "Answer",
    "noise_scale": "Noise",
    "noise_spread": "Spread of the noise",
    "n_restarts": "Runs",
    "missing": "Missing values",
    "margins": "Margins",
    "penalty": "Penalty",
    "time_budget": "Time budget in seconds",
    "window": "Window of near-optimal scores",
}


def report_content(
    model: ADMGDiscovery,
    title: str = "Causal graph",
    *,
    data_name: str | None = None,
    data_hash: str | None = None,
    created: str | None = None,
    bootstrap: BootstrapResult | None = None,
    sachs: bool = False,
) -> ReportContent:
    """Return everything that a report says about a fitted model.

    Parameters
    ----------
    model : ADMGDiscovery
        A model after ``fit``.
    title : str
        The heading of the report.
    data_name, data_hash, created : str, optional
        Where the data came from, their hash (by default one of the moments), and when the report was made.
    bootstrap : BootstrapResult, optional
        The same search on resampled data; it adds to each edge how often it was found.
    sachs : bool, default False
        Whether the data are the bundled ones, which have an article to cite.

    Returns
    -------
    content : ReportContent

    Raises
    ------
    NotFittedError
        If the model was not fitted.
    """
    check_is_fitted(model)
    fitted = graph_content(
        model.moments_, model.admg_, title=title, data_name=data_name, data_hash=data_hash, created=created
    )
    if (posterior := model.search_.posterior).sampled:
        fitted = replace(fitted, edges=edges_with_posterior(fitted.edges, posterior))
    return replace(
        with_settings(fitted, model, bootstrap, sachs),
        status=_status(model, bootstrap),
        traces=_traces(model.search_),
        near_optimal=near_optimal_graphs(model.search_, model.admg_),
        findings=(*fitted.findings, *_unwanted(model.knowledge, fitted.edges), *_findings(model.audit_)),
    )


def with_settings(
    content: ReportContent, model: ADMGDiscovery, bootstrap: BootstrapResult | None, sachs: bool = False
) -> ReportContent:
    """Return the content with how it was made: settings, seed, knowledge and whether it is obeyed, bootstrap, works.

    Parameters
    ----------
    content : ReportContent
        What is said of the graph.
    model : ADMGDiscovery
        The model, fitted or not.
    bootstrap : BootstrapResult or None
        The same search on resampled data.
    sachs : bool, default False
        Whether the data are the bundled ones.
    """
    knowledge: Knowledge | None = model.knowledge
    seed, settings = model.random_state, _settings(model)
    if bootstrap is not None:
        settings["Bootstrap replicates"] = str(bootstrap.n_replicates)
        content = replace(
            content,
            edges=edges_with_shares(content.edges, bootstrap),
            bootstrap=pair_shares(bootstrap),
            n_replicates=bootstrap.n_replicates,
        )
    return replace(
        content,
        knowledge=tuple(_statements(knowledge, content.admg)),
        settings=settings,
        seed=seed if isinstance(seed, int) else None,
        citations=citations(
            solver=model.solver,
            graph_class=model.graph_class,
            constraints_tested=True,
            bootstrapped=bootstrap is not None,
            sachs=sachs,
        ),
        tiers={name: k for k, tier in enumerate(knowledge.tiers) for name in tier} or None if knowledge else None,
        informed_pag=_informed(knowledge, content.admg),
    )


def _informed(knowledge: Knowledge | None, admg: ADMG) -> PAG | None:
    """Return the PAG with the marks of the knowledge; None if nothing is known, or if the graph does not obey it.

    Only a consensus of a bootstrap can disobey: it is put together edge by edge.
    """
    if not knowledge or knowledge.violations(admg):
        return None
    return informed_pag(admg, knowledge)


def consensus_content(
    bootstrap: BootstrapResult,
    model: ADMGDiscovery,
    title: str = "Consensus of the bootstrap",
    *,
    data_name: str | None = None,
    data_hash: str | None = None,
    created: str | None = None,
    sachs: bool = False,
) -> ReportContent:
    """Return everything that a report says about the consensus graph of a bootstrap, fitted to the data themselves.

    Parameters
    ----------
    bootstrap : BootstrapResult
        The bootstrap.
    model : ADMGDiscovery
        The model it was made with, fitted or not.
    title, data_name, data_hash, created, sachs
        As in :func:`report_content`.

    Examples
    --------
    >>> from lurking import ADMGDiscovery, bootstrap, simulate_admg
    >>> model = ADMGDiscovery(solver="exact", random_state=0)
    >>> result = bootstrap(model, simulate_admg(3, 500, random_state=1).data, n_replicates=4, random_state=0)
    >>> content = consensus_content(result, model)
    >>> content.n_replicates, content.admg == result.consensus
    (4, True)
    """
    fitted = graph_content(
        bootstrap.moments, bootstrap.consensus, title=title, data_name=data_name, data_hash=data_hash, created=created
    )
    said = [] if fitted.status is None else [fitted.status]
    if bootstrap.interrupted:
        said.append(f"It was interrupted after {counted(bootstrap.n_replicates, 'replicate')}.")
    said.append("This is the consensus: each pair that most replicates join, with the edge that most of them have.")
    return replace(
        with_settings(fitted, model, bootstrap, sachs),
        status=" ".join(said),
        findings=(*fitted.findings, *_findings(bootstrap.audit)),
    )


def near_optimal_graphs(
    search: SearchResult, answer: ADMG, at_most: int = MOST_NEAR_OPTIMAL
) -> tuple[NearOptimalGraph, ...]:
    """Return the other good graphs, best first: how far from the best score, and how different from the answer.

    With similar noise the difference is that of the score, BIC plus the term of the assumption. Graphs whose scores
    agree to rounding are ordered by their texts, so a difference can be 0.
    """
    others = [candidate for candidate in search.candidates if candidate.admg != answer]
    return tuple(
        NearOptimalGraph(near.admg, max(near.score - search.score, 0.0), compare(answer, near.admg).shd)
        for near in others[:at_most]
    )


def _status(model: ADMGDiscovery, bootstrap: BootstrapResult | None) -> str:
    search: SearchResult = model.search_
    said = [] if search.status in (SearchStatus.COMPLETE, DCDStatus.CONVERGED) else [search.status.message]
    if len(search.runs) > 1:
        said.append(f"{search.n_reached} of {counted(len(search.runs), 'run')} reached the best score on their own.")
    if model.answer == "consensus":
        above = search.posterior.above
        distance = "the best one" if above < _SAME_SCORE else f"{above:.1f} above the best one"
        among = "all good graphs" if search.posterior.sampled else "the good graphs that the search kept"
        said.append(f"The graph is the consensus of {among}; its score is {distance}.")
    if others := sum(candidate.admg != model.admg_ for candidate in search.candidates):
        said.append(f"{_count(others)} within {model.window:g} of the best score.")
    if search.posterior.sampled and (apart := probable_but_apart(model.admg_, search.posterior)):
        said.append(_apart(apart))
    if bootstrap is not None and bootstrap.interrupted:
        said.append(f"The bootstrap was interrupted after {counted(bootstrap.n_replicates, 'replicate')}.")
    if model.fit_.status is not FitStatus.CONVERGED:
        said.append(model.fit_.status.message)
    if model.decided_by_assumption_:
        edges = "; ".join(model.decided_by_assumption_)
        several = len(model.decided_by_assumption_) > 1
        said.append(
            f"The {'directions' if several else 'direction'} of {edges} {'rest' if several else 'rests'} on the "
            "assumption of similar noise, or on a Verma constraint, not on independences."
        )
    return " ".join(said)


def _count(n: int) -> str:
    return "The search kept one other graph" if n == 1 else f"The search kept {n} other graphs"


def _apart(pairs: Sequence[tuple[str, str, float]]) -> str:
    """Say which pairs all good graphs together would join, the likeliest by name."""
    words = [f"{one} and {other} ({probability:.2f})" for one, other, probability in pairs[:MOST_PAIRS_APART]]
    if len(pairs) > MOST_PAIRS_APART:
        words.append(counted(len(pairs) - MOST_PAIRS_APART, "other pair"))
    return f"Counting all good graphs, these are likely adjacent, too: {'; '.join(words)}."


def _traces(search: SearchResult) -> tuple[Trace, ...]:
    details = [run.detail for run in search.runs if run.detail is not None]
    if details:
        return _dual_traces(details)
    runs = [run for run in search.runs if len(run.lowest) > 1]
    if not runs:
        return ()
    series = tuple(
        Series(f"run {k + 1}, from {run.start}", tuple(map(float, range(len(run.lowest)))), tuple(run.lowest))
        for k, run in enumerate(runs)
    )
    reading = "Runs that end at the same height found equally good graphs; the more of them, the surer the optimum."
    return (Trace("The search", "round", "best score so far", series, reading=reading),)


def _dual_traces(details: list[DifferentiableResult]) -> tuple[Trace, ...]:
    """Return the constraint and the objective over the dual steps of each run of the paper's solver."""

    def series(quantity: str) -> tuple[Series, ...]:
        return tuple(
            Series(
                f"run {k + 1}",
                tuple(float(step) for step in range(1, len(detail.trace) + 1)),
                tuple(float(getattr(step, quantity)) for step in detail.trace),
            )
            for k, detail in enumerate(details)
        )

    falling = "The constraint falls to zero as the graph enters its class; a run that ends high had to be repaired."
    rising = "Least squares, constraint and sparsity together; a run that ends lower found a better compromise."
    return (
        Trace("The constraint", "dual step", "h", series("h"), log_scale=True, reading=falling),
        Trace("The objective", "dual step", "objective", series("objective"), reading=rising),
    )


def _statements(knowledge: Knowledge | None, admg: ADMG) -> Iterator[KnowledgeStatement]:
    """Yield each statement of the knowledge in words, and whether the graph obeys it."""
    if knowledge is None:
        return

    def say(text: str, alone: Knowledge) -> KnowledgeStatement:
        return KnowledgeStatement(text, obeyed=not alone.violations(admg))

    if knowledge.tiers:
        order = " before ".join(", ".join(tier) for tier in knowledge.tiers)
        yield say(f"No later variable causes an earlier one: {order}.", Knowledge(tiers=knowledge.tiers))
    for edge in knowledge.forbidden:
        yield say(f"There is no edge {edge}.", Knowledge(forbidden=(edge,)))
    for edge in knowledge.required:
        yield say(f"There is an edge {edge}.", Knowledge(required=(edge,)))
    for name in knowledge.unconfounded:
        yield say(f"{name} shares no unmeasured cause with another variable.", Knowledge(unconfounded=(name,)))
    for group in knowledge.no_causes_within:
        yield say(f"None of {', '.join(group)} causes another one directly.", Knowledge(no_causes_within=(group,)))
    for group in knowledge.no_edges_within:
        yield say(f"There is no edge among {', '.join(group)}.", Knowledge(no_edges_within=(group,)))


def _unwanted(knowledge: Knowledge | None, edges: Iterable[EdgeEstimate]) -> Iterator[Finding]:
    """Yield the required edges without which the graph would fit better: they are knowledge, not findings."""
    if knowledge is None:
        return
    required = knowledge.required_graph("bow-free")
    directed, shared = set(required.directed_edges()), {frozenset(pair) for pair in required.bidirected_edges()}
    for edge in edges:
        pair, cost = (edge.one, edge.other), edge.removal_cost
        is_required = pair in directed if edge.kind == "directed" else frozenset(pair) in shared
        if is_required and cost is not None and cost < 0.0:
            yield Finding(
                f"The data do not ask for {edge.one} {edge.arrow} {edge.other}, which the knowledge requires: without "
                f"it the BIC would be {-cost:.1f} smaller.",
                (edge.one, edge.other),
                "What follows from it is knowledge, too, even where the PAG shows it; search once without it to see "
                "what the data alone say.",
                "warning",
            )


def _findings(audit: Iterable[AuditFinding]) -> Iterator[Finding]:
    for found in audit:
        yield Finding(found.message, found.columns, found.advice, "warning" if found.kind in _WARNINGS else "note")


def _settings(model: ADMGDiscovery) -> dict[str, str]:
    """Return the settings that had a part in the answer, in words."""
    parameters = model.get_params(deep=False)
    without_effect = {
        "noise_spread": model.noise_scale != "similar",
        "penalty": model.solver != "dcd",
        "n_restarts": model.solver == "exact",
        "time_budget": model.solver != "hybrid",
    }
    return {
        words: str(parameters[name])
        for name, words in _SETTINGS.items()
        if name in parameters and parameters[name] is not None and not without_effect.get(name, False)
    }
