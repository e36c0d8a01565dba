"""From a graph and data, or a fitted estimator, to an :class:`~lurking.discovery.Analysis`: each thing computed once.

>>> from lurking.data import Moments
>>> from lurking.graphs import ADMG
>>> moments = Moments([[1, 0.5, 0.25], [0.5, 1, 0.5], [0.25, 0.5, 1]], 100, ["A", "B", "C"])
>>> given = analyse((moments, ADMG.parse("A -> B -> C")), title="A chain")
>>> [(test.text, round(test.p_value, 2)) for test in given.tests]
[('A ⊥ C | B', 1.0)]
>>> given.statements.empty  # nothing is probable of a graph that was given
True
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from lurking._errors import ParameterError
from lurking._wording import counted
from lurking.data import AnyMoments, GroupedMoments, Moments, Reading
from lurking.discovery.analysis import Analysis
from lurking.discovery.analysis_parts import ConstraintTest, EdgeEstimate, NearOptimalGraph, PairShares
from lurking.discovery.audit import Finding
from lurking.discovery.beliefs import Beliefs
from lurking.discovery.bootstrap import BootstrapResult
from lurking.discovery.edges import MOST_COSTS, edge_estimates
from lurking.discovery.effects import EffectPosterior
from lurking.discovery.estimator import ADMGDiscovery
from lurking.discovery.knowledge import Knowledge
from lurking.discovery.knowledge_marks import informed_pag
from lurking.discovery.provenance import hash_of_moments, software_versions
from lurking.discovery.shares import pair_shares
from lurking.discovery.statements import statements_of
from lurking.discovery.traces import traces_of
from lurking.graphs import ADMG, PAG
from lurking.metrics.differences import edge_differences
from lurking.search.differentiable import DCDStatus
from lurking.search.pag_posterior import thinned
from lurking.search.result import SearchResult, SearchStatus
from lurking.sem import (
    FitStatus,
    InformationStatus,
    RICFResult,
    StandardErrors,
    fit_measures,
    implied_tests,
    standard_errors,
    wide_fit,
)
from lurking.sem.criterion import criterion_for

__all__ = ["MOST_NEAR_OPTIMAL", "MOST_TESTS", "analyse"]

MOST_NEAR_OPTIMAL = 20
"""So many of the other good graphs are kept."""

MOST_TESTS = 1000
"""What a graph implies is tested if at most so many pairs have no edge: each test is a fit of its own."""

_NOT_SETTINGS = {"knowledge", "progress", "n_jobs", "random_state"}


def analyse(
    subject: ADMGDiscovery | BootstrapResult | tuple[AnyMoments, ADMG],
    *,
    bootstrap: BootstrapResult | None = None,
    model: ADMGDiscovery | None = None,
    title: str = "Causal graph",
    data_name: str | None = None,
    data_hash: str | None = None,
    dataset: str | None = None,
    created: str | None = None,
    reading: Reading | None = None,
) -> Analysis:
    """Return everything that is known about a graph on data.

    Parameters
    ----------
    subject : ADMGDiscovery, BootstrapResult or (Moments or GroupedMoments, ADMG)
        A fitted estimator; a bootstrap, whose consensus graph is then analysed; or data and a bow-free graph on the
        same variables.

    Other Parameters
    ----------------
    bootstrap : BootstrapResult, optional
        The same search on resampled data; it adds to each edge how often it was found.
    model : ADMGDiscovery, optional
        For a BootstrapResult, the estimator it was made with: its settings and its knowledge.
    title : str
        What the analysis is about.
    data_name, data_hash, dataset, created : str, optional
        Where the data came from, their hash (by default one of the moments), the name of a bundled data set, and when
        the analysis was made.
    reading : Reading, optional
        What was found by looking at the table; by default that of the subject.

    Returns
    -------
    analysis : Analysis

    Raises
    ------
    NotFittedError
        If the estimator was not fitted.
    GraphClassError
        If a graph that was given has a bow.
    GraphError
        If graph and data are not on the same variables.

    Notes
    -----
    The cost is about one fit for each pair of variables. For large graphs some parts are left out, and ``messages``
    says so.
    """
    if isinstance(subject, ADMGDiscovery):
        check_is_fitted(subject)
        about = _of_graph(subject.moments_, subject.fit_, subject.admg_, subject.pag_, _beliefs(subject))
        analysis = _of_search(subject, about)
        shares = bootstrap
    elif isinstance(subject, BootstrapResult):
        analysis = _of_consensus(subject, model, _of_given(subject.moments, subject.consensus))
        shares = subject
    elif isinstance(subject, tuple) and len(subject) == 2 and isinstance(subject[0], Moments | GroupedMoments):
        analysis, shares = _of_given(*subject), bootstrap
    else:
        raise ParameterError(
            "analyse takes a fitted ADMGDiscovery, a BootstrapResult, or moments and a graph as a pair. "
            f"Got {type(subject).__name__} instead."
        )
    if shares is not None:
        analysis = _with_shares(analysis, shares)
    reading = getattr(subject, "reading_", None) or getattr(subject, "reading", None) or reading
    if reading is not None:
        data_hash = data_hash or reading.file_hash
        analysis = replace(analysis, reading=reading.line)
    return replace(
        analysis,
        title=title,
        data_name=data_name,
        data_hash=data_hash or hash_of_moments(analysis.moments),
        dataset=dataset,
        created=created,
    )


def _beliefs(model: ADMGDiscovery) -> Beliefs:
    search: SearchResult = model.search_
    return Beliefs.of_posterior(search.posterior, search.pag_posterior).reorder(model.moments_.names)


def _of_given(moments: AnyMoments, admg: ADMG) -> Analysis:
    """Return what can be said of a graph that was not searched on these data."""
    fit = wide_fit(moments, admg)
    graph = admg.subgraph(moments.names)
    return _of_graph(moments, fit, graph, graph.to_pag())


def _of_graph(moments: AnyMoments, fit: RICFResult, admg: ADMG, pag: PAG, beliefs: Beliefs | None = None) -> Analysis:
    """Return what can be said of any graph."""
    columns = moments.columns if isinstance(moments, GroupedMoments) else moments
    errors = standard_errors(columns, fit)
    variances = np.diag(errors.error_cov)
    messages = [] if fit.status is FitStatus.CONVERGED else [fit.status.message]
    n_apart = len(admg) * (len(admg) - 1) // 2 - int(np.triu(admg.skeleton, 1).sum())
    if n_apart > MOST_TESTS:
        messages.append(f"The {n_apart:,} independences that the graph implies were not tested one by one.")
    if fit.admg.n_edges > MOST_COSTS:
        messages.append(f"What the removal of each of the {fit.admg.n_edges} edges costs was not computed.")
    return Analysis(
        title="",
        moments=columns,
        fit=fit,
        pag=pag,
        measures=fit_measures(columns, fit),
        edge_estimates=edge_estimates(moments, fit, errors, beliefs),
        error_variance_errors=tuple(float(e) if np.isfinite(e) else None for e in variances),
        tests=tested(moments, admg) if n_apart <= MOST_TESTS else (),
        beliefs=beliefs,
        findings=_undetermined(errors),
        messages=tuple(messages),
        versions=software_versions(),
        grouping=moments.grouping if isinstance(moments, GroupedMoments) else None,
    )


def tested(moments: AnyMoments, admg: ADMG) -> tuple[ConstraintTest, ...]:
    """Return a test of each missing edge, the smallest p-values first."""
    tests = [
        ConstraintTest(test.statement, test.kind, test.chi_square, test.p_value, test.adjusted_p_value, test.df)
        for test in implied_tests(moments, admg)
    ]
    return tuple(sorted(tests, key=lambda test: test.p_value))


def _of_search(model: ADMGDiscovery, analysis: Analysis) -> Analysis:
    """Add how the graph was found, and what is probable."""
    search: SearchResult = model.search_
    analysis = _with_settings(analysis, model)
    beliefs = analysis.beliefs
    assumed = analysis.pag if model.assumes_similar_noise else None
    known = _knowledge(model, analysis.names)
    statements = () if beliefs is None else statements_of(beliefs, known, assumed)
    unsupported = tuple(_unsupported(known, analysis.edge_estimates))
    posterior = thinned(search.posterior.flattened().reorder(model.moments_.names))
    counted_moments = model.moments_.with_n_samples(model.n_counted_)
    effects = EffectPosterior.of(counted_moments, posterior, None if beliefs is None else beliefs.causes)
    return replace(
        analysis,
        statement_list=statements,
        effective_rows=model.effective_rows_,
        residual_curve=model.residual_curve_,
        n_counted=model.n_counted_,
        posterior=posterior,
        effect_list=effects.estimates(),
        findings=_by_severity((*analysis.findings, *unsupported, *model.audit_)),
        near_optimal=_near_optimal(search, model.admg_),
        traces=traces_of(search),
        status=search.status.name,
        messages=(*_about_search(model), *analysis.messages),
    )


def _of_consensus(result: BootstrapResult, model: ADMGDiscovery | None, analysis: Analysis) -> Analysis:
    """Add how the consensus of a bootstrap was found."""
    said = "This is the consensus: each pair that most replicates join, with the edge that most of them have."
    messages = [*analysis.messages, said]
    if result.interrupted:
        messages.append(f"The bootstrap was interrupted after {counted(result.n_replicates, 'replicate')}.")
    return replace(
        analysis if model is None else _with_settings(analysis, model),
        findings=_by_severity((*analysis.findings, *result.audit)),
        status="INTERRUPTED" if result.interrupted else "CONSENSUS",
        messages=tuple(messages),
    )


def _with_settings(analysis: Analysis, model: ADMGDiscovery) -> Analysis:
    """Add settings, seed and knowledge."""
    knowledge = _knowledge(model, analysis.names)
    obeys = knowledge is not None and not knowledge.violations(analysis.admg)
    return replace(
        analysis,
        settings=_settings(model),
        seed=model.random_state if isinstance(model.random_state, int) else None,
        knowledge=knowledge or None,
        informed_pag=informed_pag(analysis.admg, knowledge) if knowledge is not None and obeys else None,
    )


def _knowledge(model: ADMGDiscovery, names: Collection[str]) -> Knowledge | None:
    """Return what is known about the variables that took part; the search has refused names that no column has."""
    known: Knowledge | None = model.knowledge
    return None if known is None else known.restricted_to(names)


def _with_shares(analysis: Analysis, bootstrap: BootstrapResult) -> Analysis:
    """Add how often each edge and each pair was found on resampled data."""
    pairs: Mapping[frozenset[str], PairShares] = {frozenset((p.one, p.other)): p for p in pair_shares(bootstrap)}

    def share(edge: EdgeEstimate) -> float:
        pair = pairs.get(frozenset((edge.one, edge.other)))
        if pair is None:
            return 0.0
        return (pair if pair.one == edge.one else pair.reversed()).admg.get(edge.arrow, 0.0)

    return replace(
        analysis,
        edge_estimates=tuple(replace(edge, share=share(edge)) for edge in analysis.edge_estimates),
        bootstrap=tuple(pairs.values()),
        n_replicates=bootstrap.n_replicates,
        settings={**analysis.settings, "bootstrap_replicates": bootstrap.n_replicates},
    )


def _settings(model: ADMGDiscovery) -> dict[str, Any]:
    """Return the parameters that had a part in the answer."""
    without_effect = {
        "noise_spread": model.noise_scale != "similar",
        "penalty": model.solver != "dcd",
        "n_restarts": model.solver == "exact",
        "time_budget": model.solver != "hybrid",
        "criterion": model.solver == "dcd",
    }
    settings = {
        name: value
        for name, value in model.get_params(deep=False).items()
        if name not in _NOT_SETTINGS and value is not None and not without_effect.get(name, False)
    }
    if "criterion" in settings and not isinstance(settings["criterion"], str):
        settings["criterion"] = settings["criterion"].name
    return settings


def _near_optimal(search: SearchResult, answer: ADMG) -> tuple[NearOptimalGraph, ...]:
    """Return the other good graphs, best first."""
    others = [candidate for candidate in search.candidates if candidate.admg != answer][:MOST_NEAR_OPTIMAL]
    return tuple(
        NearOptimalGraph(near.admg, max(near.score - search.score, 0.0), len(edge_differences(answer, near.admg)))
        for near in others
    )


def _about_search(model: ADMGDiscovery) -> Iterator[str]:
    """Yield what has to be said about a search: how it ended, how far its answer can be relied on."""
    search: SearchResult = model.search_
    if search.status not in (SearchStatus.COMPLETE, DCDStatus.CONVERGED):
        yield search.status.message
    reached, runs = search.n_reached, len(search.runs)
    if runs > 1 and 2 * reached < runs:
        found = "None" if reached == 0 else f"Only {reached}"
        yield (
            f"{found} of the {runs} runs found the best graph before the runs were joined, so a better one may exist; "
            "raise n_restarts to look for it."
        )
    if not search.posterior.sampled and model.solver != "exact":
        kept = counted(len(search.candidates), "graph")
        yield (
            "There is no sample of the posterior, because "
            f"{'this solver does not make one' if model.solver == 'dcd' else 'the search ended too early'}: the "
            f"probabilities weigh the {kept} that the search kept, as if there were no others, and are too extreme."
        )
    if isinstance(model.moments_, GroupedMoments) and model.moments_.n_variables > 1:
        yield _smallest_strength(model, model.moments_)
    if model.decided_by_assumption_:
        edges = model.decided_by_assumption_
        yield (
            f"The {'directions' if len(edges) > 1 else 'direction'} of {'; '.join(edges)} "
            f"{'rest' if len(edges) > 1 else 'rests'} on the assumption of similar noise, or on a Verma constraint, "
            "not on independences."
        )


def _smallest_strength(model: ADMGDiscovery, moments: GroupedMoments) -> str:
    """Say from which strength on an edge of the two variables with most columns could have been seen.

    An edge is worth its price if the likelihood ratio, -n ln(1 - r²) for one canonical correlation r, is above it.
    """
    n, d = model.n_counted_, moments.n_variables
    n_edges = int(np.triu(model.admg_.skeleton, 1).sum())
    criterion = criterion_for(model.criterion, n, d)

    def strength(one: int, other: int) -> float:
        price = max(criterion.price_of_arrow(n, n_edges, (one, other)), 0.0)
        return float(np.sqrt(1.0 - np.exp(-price / n)))

    first, second = sorted(range(d), key=lambda v: -moments.sizes[v])[:2]
    n_parameters = moments.sizes[first] * moments.sizes[second]
    return (
        f"An edge between {moments.names[first]!r} and {moments.names[second]!r} has "
        f"{counted(n_parameters, 'parameter')}, and could have been seen from a strength of "
        f"{strength(moments.sizes[first], moments.sizes[second]):.2f} on; between two columns of numbers, from "
        f"{strength(1, 1):.2f} on."
    )


def _undetermined(errors: StandardErrors) -> tuple[Finding, ...]:
    """Return a finding if the covariances do not determine every parameter of the graph."""
    if errors.status is InformationStatus.REGULAR:
        return ()
    which = tuple(errors.undetermined)
    message = f"The data do not determine {', '.join(which)}."
    return (Finding("undetermined", (), float(len(which)), message, errors.status.message),)


def _unsupported(knowledge: Knowledge | None, edges: tuple[EdgeEstimate, ...]) -> Iterator[Finding]:
    """Yield the required edges without which the graph would fit better."""
    if knowledge is None:
        return
    required = knowledge.required_graph("bow-free")
    directed, shared = set(required.directed_edges()), {frozenset(pair) for pair in required.bidirected_edges()}
    for edge in edges:
        pair, cost = (edge.one, edge.other), edge.removal_cost
        is_required = pair in directed if edge.kind == "directed" else frozenset(pair) in shared
        if is_required and cost is not None and cost < 0.0:
            yield Finding(
                "unsupported",
                pair,
                -cost,
                f"The data do not support {edge.one} {edge.arrow} {edge.other}, which the knowledge requires: without "
                f"it the BIC would be {-cost:.1f} smaller.",
                "What follows from it is knowledge, too; search once without it to see what the data alone say.",
            )


def _by_severity(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: finding.severity != "warning"))
