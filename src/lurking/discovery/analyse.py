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

import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from math import comb, inf
from typing import Any, TypeGuard

import numpy as np

from lurking._errors import ParameterError
from lurking._wording import counted, mention
from lurking.data import AnyMoments, GroupedMoments, Moments, Reading
from lurking.discovery.analysis import Analysis
from lurking.discovery.analysis_parts import ConstraintTest, EdgeEstimate, NearOptimal, PairShares
from lurking.discovery.audit import Finding
from lurking.discovery.beliefs import Beliefs
from lurking.discovery.bootstrap import BootstrapResult
from lurking.discovery.edges import edge_estimates
from lurking.discovery.effect_parts import EffectEstimate
from lurking.discovery.effects import EffectPosterior
from lurking.discovery.knowledge import Knowledge
from lurking.discovery.knowledge_marks import informed_pag
from lurking.discovery.provenance import hash_of_moments, software_versions
from lurking.discovery.shares import pair_shares
from lurking.discovery.statements import statements_of
from lurking.discovery.table_search import TableSearch
from lurking.discovery.traces import traces_of
from lurking.graphs import ADMG, PAG
from lurking.metrics.differences import edge_differences
from lurking.search.pag_posterior import thinned
from lurking.search.result import SearchResult
from lurking.search.status import DCDStatus, SearchStatus
from lurking.sem import (
    FitStatus,
    InformationStatus,
    RICFResult,
    StandardErrors,
    fit_measures,
    implied_tests,
    standard_errors,
    tetrad_tests,
    wide_fit,
)
from lurking.sem.criterion import criterion_for

__all__ = ["MOST_COSTS", "MOST_NEAR_OPTIMAL", "MOST_TESTS", "analyse"]

MOST_NEAR_OPTIMAL = 20
"""So many of the other good graphs are kept."""

MOST_COSTS = 5000
"""Costs of removal are computed for graphs of at most so many edges: less than 1 ms for each."""

MOST_TESTS = 5000
"""What a graph implies is tested if at most so many pairs have no edge, as with 100 variables: about 1 ms for each."""

MOST_TETRADS = 15_000
"""Tetrads are tested if there are at most so many, those of up to 19 variables."""

_NOT_SETTINGS = {"knowledge", "progress", "n_jobs", "random_state"}


def analyse(
    subject: TableSearch | BootstrapResult | tuple[AnyMoments, ADMG],
    *,
    bootstrap: BootstrapResult | None = None,
    model: TableSearch | None = None,
    title: str = "Causal graph",
    data_name: str | None = None,
    data_hash: str | None = None,
    dataset: str | None = None,
    created: str | None = None,
    reading: Reading | None = None,
    factors: tuple[ADMG, Collection[str]] | None = None,
    deadline: float = inf,
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
    factors : (ADMG, collection of str), optional
        The graph of which the given one is the latent projection, and its vertices that are not measured: the tetrads
        that they imply are tested as well, with p-values adjusted among themselves.
    deadline : float, default inf
        After this, on the clock of ``time.monotonic``, no part is begun that can be left out: the tests of what the
        graph implies, what the removal of edges costs, and the effects.

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
    if isinstance(subject, TableSearch):
        subject.require_fitted()
        about = _of_graph(subject.moments_, subject.fit_, subject.admg_, subject.pag_, _beliefs(subject), deadline)
        analysis = _of_search(subject, about, deadline)
        shares = bootstrap
    elif isinstance(subject, BootstrapResult):
        analysis = _of_consensus(subject, model, _of_given(subject.moments, subject.majority, deadline))
        shares = subject
    elif _is_data_and_graph(subject):
        moments, graph = subject
        analysis, shares = _of_given(moments, graph, deadline), bootstrap
        if factors is not None:
            analysis = _with_tetrads(analysis, moments, *factors)
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


def _is_data_and_graph(subject: object) -> TypeGuard[tuple[AnyMoments, ADMG]]:
    return isinstance(subject, tuple) and len(subject) == 2 and isinstance(subject[0], Moments | GroupedMoments)


def _with_tetrads(analysis: Analysis, moments: AnyMoments, whole: ADMG, latent: Collection[str]) -> Analysis:
    """Add the tests of the tetrads that unmeasured common causes imply."""
    n_measured = len(whole) - len(latent)
    n_tetrads = 3 * comb(n_measured, 4)
    if isinstance(moments, GroupedMoments):
        said = "The tetrads that unmeasured causes imply are not tested among nominal variables."
        return replace(analysis, messages=(*analysis.messages, said))
    if n_tetrads > MOST_TETRADS:
        said = f"The tetrads that unmeasured causes imply among {n_measured} variables were not tested one by one."
        return replace(analysis, messages=(*analysis.messages, said))
    tests = [
        ConstraintTest(str(t.tetrad), "tetrad", (t.value / t.standard_error) ** 2, t.p_value, t.adjusted_p_value)
        for t in tetrad_tests(moments, whole, tuple(latent))
    ]
    return replace(analysis, tests=tuple(sorted((*analysis.tests, *tests), key=lambda test: test.p_value)))


def _beliefs(model: TableSearch) -> Beliefs:
    search: SearchResult = model.search_
    return Beliefs.of_posterior(search.posterior, search.pag_posterior).reorder(model.moments_.names)


def _of_given(moments: AnyMoments, admg: ADMG, deadline: float) -> Analysis:
    """Return what can be said of a graph that was not searched on these data."""
    fit = wide_fit(moments, admg)
    graph = admg.subgraph(moments.names)
    return _of_graph(moments, fit, graph, graph.to_pag(), None, deadline)


def _of_graph(
    moments: AnyMoments, fit: RICFResult, admg: ADMG, pag: PAG, beliefs: Beliefs | None, deadline: float
) -> Analysis:
    """Return what can be said of any graph."""
    columns = moments.columns if isinstance(moments, GroupedMoments) else moments
    errors = standard_errors(columns, fit)
    variances = np.diag(errors.error_cov)
    messages = [] if fit.status is FitStatus.CONVERGED else [fit.status.message]
    in_time = time.monotonic() <= deadline
    costs = fit.admg.n_edges <= MOST_COSTS and in_time
    if not costs:
        messages.append(_left_out(f"What the removal of each of the {fit.admg.n_edges} edges costs", in_time=in_time))
    edges = edge_estimates(moments, fit, errors, beliefs, costs=costs)
    n_apart = len(admg) * (len(admg) - 1) // 2 - int(np.triu(admg.skeleton, 1).sum())
    in_time = time.monotonic() <= deadline
    are_tested = n_apart <= MOST_TESTS and in_time
    if not are_tested:
        messages.append(
            _left_out(f"A test of each of the {n_apart:,} independences that the graph implies", in_time=in_time)
        )
    return Analysis(
        title="",
        moments=columns,
        fit=fit,
        pag=pag,
        measures=fit_measures(columns, fit),
        edge_estimates=edges,
        error_variance_errors=tuple(float(e) if np.isfinite(e) else None for e in variances),
        tests=tested(moments, admg) if are_tested else (),
        beliefs=beliefs,
        findings=_undetermined(errors),
        messages=tuple(messages),
        versions=software_versions(),
        grouping=moments.grouping if isinstance(moments, GroupedMoments) else None,
    )


def _left_out(what: str, *, in_time: bool) -> str:
    """Return a sentence on a part that was left out: because the graph is large, or because time was up."""
    why = "for a graph of this size" if in_time else "in the time that was left; set a larger time budget to have it"
    return f"{what} was not computed {why}."


def tested(moments: AnyMoments, admg: ADMG) -> tuple[ConstraintTest, ...]:
    """Return a test of each missing edge, the smallest p-values first."""
    tests = [
        ConstraintTest(test.statement, test.kind, test.chi_square, test.p_value, test.adjusted_p_value, test.df)
        for test in implied_tests(moments, admg)
    ]
    return tuple(sorted(tests, key=lambda test: test.p_value))


def _of_search(model: TableSearch, analysis: Analysis, deadline: float) -> Analysis:
    """Add how the graph was found, and what is probable."""
    search: SearchResult = model.search_
    analysis = _with_settings(analysis, model)
    beliefs = analysis.beliefs
    assumed = analysis.pag if model.assumes_similar_noise else None
    known = _knowledge(model, analysis.names)
    statements = () if beliefs is None else statements_of(beliefs, known, assumed)
    unsupported = tuple(_unsupported(known, analysis.edge_estimates))
    posterior = thinned(search.posterior.reorder(model.moments_.names))
    in_time = time.monotonic() <= deadline
    effects: tuple[EffectEstimate, ...] = ()
    if in_time:
        counted_moments = model.moments_.with_n_samples(model.n_counted_)
        causes = None if beliefs is None else beliefs.causes
        effects = EffectPosterior.of(counted_moments, posterior, causes).estimates()
    said = () if in_time else (_left_out("How much each variable changes each other one", in_time=False),)
    return replace(
        analysis,
        statement_list=statements,
        effective_rows=model.effective_rows_,
        residual_curve=model.residual_curve_,
        n_counted=model.n_counted_,
        posterior=posterior,
        effect_list=effects,
        findings=_by_severity((*analysis.findings, *unsupported, *model.audit_, *_smallest_strength(model))),
        near_optimal=_near_optimal(search, model.admg_),
        traces=traces_of(search),
        status=search.status.name,
        messages=(*_about_search(model), *analysis.messages, *said),
    )


def _of_consensus(result: BootstrapResult, model: TableSearch | None, analysis: Analysis) -> Analysis:
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


def _with_settings(analysis: Analysis, model: TableSearch) -> Analysis:
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


def _knowledge(model: TableSearch, names: Collection[str]) -> Knowledge | None:
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


def _settings(model: TableSearch) -> dict[str, Any]:
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


def _near_optimal(search: SearchResult, answer: ADMG) -> tuple[NearOptimal, ...]:
    """Return the other good graphs, best first."""
    others = [candidate for candidate in search.candidates if candidate.admg != answer][:MOST_NEAR_OPTIMAL]
    return tuple(
        (near.admg, max(near.score - search.score, 0.0), len(edge_differences(answer, near.admg))) for near in others
    )


def _about_search(model: TableSearch) -> Iterator[str]:
    """Yield what has to be said about a search: how it ended, how far its answer can be relied on."""
    search: SearchResult = model.search_
    if search.status not in (SearchStatus.COMPLETE, DCDStatus.CONVERGED):
        yield search.status.message
    reached, runs = search.n_reached, len(search.runs)
    if runs > 1 and 2 * reached < runs:
        found = "None" if reached == 0 else f"Only {reached}"
        yield (
            f"{found} of the {runs} runs found the best graph before the runs were joined, so a better one may exist; "
            + mention("n_restarts", "raise n_restarts")
            + " to look for it."
        )
    if not search.posterior.sampled and model.solver != "exact":
        kept = counted(len(search.candidates), "graph")
        yield (
            "There is no sample of the posterior, because "
            f"{'this solver does not make one' if model.solver == 'dcd' else 'the search ended too early'}: the "
            f"probabilities weigh the {kept} that the search kept, as if there were no others, and are too extreme."
        )
    if model.decided_by_assumption_:
        edges = model.decided_by_assumption_
        yield (
            f"The {'directions' if len(edges) > 1 else 'direction'} of {'; '.join(edges)} "
            f"{'rest' if len(edges) > 1 else 'rests'} on the assumption of similar noise, or on a Verma constraint, "
            "not on independences."
        )


def _smallest_strength(model: TableSearch) -> tuple[Finding, ...]:
    """Say from which strength on an edge of the two variables with most columns could have been seen.

    An edge is worth its price if the likelihood ratio, -n ln(1 - r²) for one canonical correlation r, is above it.
    """
    moments = model.moments_
    if not isinstance(moments, GroupedMoments) or moments.n_variables < 2:
        return ()
    n, d = model.n_counted_, moments.n_variables
    n_edges = int(np.triu(model.admg_.skeleton, 1).sum())
    criterion = criterion_for(model.criterion, n, d)

    def strength(one: int, other: int) -> float:
        price = max(criterion.price_of_arrow(n, n_edges, (one, other)), 0.0)
        return float(np.sqrt(1.0 - np.exp(-price / n)))

    first, second = sorted(range(d), key=lambda v: -moments.sizes[v])[:2]
    n_parameters = moments.sizes[first] * moments.sizes[second]
    least = strength(moments.sizes[first], moments.sizes[second])
    return (
        Finding(
            "smallest strength",
            (moments.names[first], moments.names[second]),
            least,
            f"An edge between {moments.names[first]!r} and {moments.names[second]!r} has "
            f"{counted(n_parameters, 'parameter')}, and could have been seen from a strength of {least:.2f} on; "
            f"between two columns of numbers, from {strength(1, 1):.2f} on.",
            "More rows show weaker ones.",
        ),
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
