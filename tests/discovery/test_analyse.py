"""An analysis says of a graph what the library says of it, and computes each thing once."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import lurking
from lurking import ADMG, PAG, ADMGDiscovery, Knowledge, Moments, bootstrap, compare, simulate_admg
from lurking._errors import ParameterError
from lurking.discovery import Analysis, analyse, dumps_result
from lurking.discovery.edges import edge_estimates
from lurking.discovery.provenance import hash_of_moments
from lurking.report import report_html, report_text
from lurking.sem import edge_alternatives, fit_measures, implied_tests, ricf, standard_errors


@pytest.fixture(scope="module")
def model() -> ADMGDiscovery:
    data = simulate_admg(5, 600, random_state=1).data
    return ADMGDiscovery(n_restarts=2, random_state=4).fit(data)


@pytest.fixture(scope="module")
def analysis(model: ADMGDiscovery) -> Analysis:
    return analyse(model, title="Title", data_name="data.csv", data_hash="sha256:0")


def test_edges_have_the_estimates_and_costs(model: ADMGDiscovery, analysis: Analysis) -> None:
    errors = standard_errors(model.moments_, model.fit_)
    costs = {a.edge: a.bic_cost for a in edge_alternatives(model.moments_, model.admg_) if a.instead == "no edge"}
    assert len(analysis.edge_estimates) == model.admg_.n_edges > 0
    standardized = ricf(model.moments_.standardized(), model.admg_)
    for edge in analysis.edge_estimates:
        i, j = model.admg_.index(edge.one), model.admg_.index(edge.other)
        directed = edge.kind == "directed"
        assert edge.estimate == (model.coef_ if directed else model.error_cov_)[i, j]
        assert edge.standard_error == (errors.coef if directed else errors.error_cov)[i, j]
        assert edge.removal_cost == pytest.approx(costs[f"{edge.one} {edge.arrow} {edge.other}"], abs=1e-6)
        if directed:
            assert edge.standardized == pytest.approx(standardized.coef[i, j], abs=1e-5)
        else:
            assert abs(edge.standardized or 2.0) < 1


def test_edges_have_the_probability_of_what_they_say(model: ADMGDiscovery, analysis: Analysis) -> None:
    posterior = model.search_.posterior
    for edge in analysis.edge_estimates:
        i, j = model.admg_.index(edge.one), model.admg_.index(edge.other)
        expected = posterior.ancestry[i, j] if edge.kind == "directed" else posterior.weights[i, j, 3]
        assert edge.probability == pytest.approx(expected)
    frame = analysis.edges
    assert len(frame) == model.admg_.n_edges
    assert frame["adjacent"].round(2).is_monotonic_decreasing


def test_statements_are_those_of_the_posterior(model: ADMGDiscovery, analysis: Analysis) -> None:
    ancestry = model.search_.posterior.ancestry
    index = {name: k for k, name in enumerate(model.moments_.names)}
    causes = analysis.statements.query("kind == 'causes'")
    assert len(causes) == (ancestry >= 0.05).sum()
    for first, second, probability in causes[["first", "second", "probability"]].to_numpy().tolist():
        assert probability == pytest.approx(ancestry[index[first], index[second]])
    assert analysis.statements["probability"].round(9).is_monotonic_decreasing


def test_fit_and_constraints_are_those_of_sem(model: ADMGDiscovery, analysis: Analysis) -> None:
    assert str(analysis.measures) == str(fit_measures(model.moments_, model.fit_))
    tests = sorted(implied_tests(model.moments_, model.admg_), key=lambda test: test.p_value)
    assert [c.text for c in analysis.tests] == [t.statement for t in tests]
    assert [c.p_value for c in analysis.tests] == pytest.approx([t.p_value for t in tests])


def test_how_it_was_found(model: ADMGDiscovery, analysis: Analysis) -> None:
    assert analysis.seed == 4
    assert analysis.settings["graph_class"] == "bow-free"
    assert analysis.settings["n_restarts"] == 2
    assert {"penalty", "noise_spread", "time_budget"}.isdisjoint(analysis.settings)
    assert (analysis.data_name, analysis.data_hash, analysis.title) == ("data.csv", "sha256:0", "Title")
    assert {"Python", "lurking", "numpy"} <= set(analysis.versions)
    (trace,) = analysis.traces
    assert [y for _, _, y in trace["series"]] == [run.best_scores for run in model.search_.runs]


def test_near_optimal_graphs(model: ADMGDiscovery, analysis: Analysis) -> None:
    others = [candidate for candidate in model.search_.candidates if candidate.admg != model.admg_]
    assert 0 < len(analysis.near_optimal) <= 20
    for (graph, difference, distance), candidate in zip(analysis.near_optimal, others, strict=False):
        assert graph == candidate.admg
        assert difference == max(candidate.score - model.search_.score, 0.0)
        assert distance == compare(model.admg_, graph).shd


def test_a_search_without_a_sample_says_so() -> None:
    data = simulate_admg(4, 300, random_state=1).data
    few = analyse(ADMGDiscovery(solver="dcd", n_restarts=1, random_state=0).fit(data))
    assert any("no sample of the posterior" in words for words in few.messages)
    hasty = analyse(ADMGDiscovery(time_budget=1e-6, random_state=0).fit(data))
    assert any("the search ended too early" in words for words in hasty.messages)
    assert "no sample of the posterior" in " ".join(report_text(hasty).split())
    exact = analyse(ADMGDiscovery(solver="exact", random_state=0).fit(data))
    assert not any("posterior" in words for words in exact.messages)


def test_the_papers_solver_shows_its_constraint_and_objective() -> None:
    data = simulate_admg(3, 300, random_state=1).data
    model = ADMGDiscovery(solver="dcd", n_restarts=2, random_state=0).fit(data)
    constraint, objective = analyse(model).traces
    assert constraint["log_scale"]
    for k, run in enumerate(model.search_.runs):
        assert run.detail is not None
        assert constraint["series"][k][2] == tuple(step.h for step in run.detail.trace)
        assert objective["series"][k][2] == tuple(step.objective for step in run.detail.trace)


def test_similar_noise_says_what_only_the_assumption_decides() -> None:
    data = simulate_admg(ADMG.parse("A -> B"), 500, random_state=0).data
    model = ADMGDiscovery(solver="exact", noise_scale="similar").fit(data)
    analysis = analyse(model)
    assert model.decided_by_assumption_
    assert any(model.decided_by_assumption_[0] in words for words in analysis.messages)
    assert "noise_spread" in analysis.settings
    assert "assumption" in set(analysis.statements["decided_by"])


def test_knowledge_and_whether_it_is_obeyed() -> None:
    data = simulate_admg(ADMG.parse("A -> B -> C"), 500, random_state=0).data
    knowledge = Knowledge(
        tiers=[["A"], ["B", "C"]],  # type: ignore[arg-type]  # lists are taken
        forbidden=("A <-> C",),
        required=("A -> B",),
        unconfounded=("A",),
        no_causes_within=(("A", "C"),),
    )
    model = ADMGDiscovery(solver="exact", knowledge=knowledge).fit(data)
    analysis = analyse(model)
    assert len(analysis.knowledge_obeyed) == 5
    assert all(obeyed for _, obeyed in analysis.knowledge_obeyed)
    known = analysis.statements.query("decided_by == 'knowledge'")
    assert {("causes", "A", "B"), ("not causes", "B", "A"), ("adjacent", "A", "B")} <= set(
        known[["kind", "first", "second"]].itertuples(index=False, name=None)
    )
    assert (known["probability"] == 1.0).all()
    model.knowledge = Knowledge(forbidden=("A -> B",))
    assert [obeyed for _, obeyed in analyse(model).knowledge_obeyed] == [False]


def test_knowledge_adds_marks() -> None:
    data = simulate_admg(ADMG.parse("A -> C <- B"), 500, random_state=0).data
    model = ADMGDiscovery(solver="exact", knowledge=Knowledge(unconfounded=("A",))).fit(data)
    assert analyse(model).informed_pag == PAG.parse("A -> C; B o-> C")


def test_an_edge_that_only_the_knowledge_wants_is_a_finding() -> None:
    data = simulate_admg(ADMG.parse("A -> B; C"), 500, random_state=0).data
    model = ADMGDiscovery(solver="exact", knowledge=Knowledge(required=("A -> C",))).fit(data)
    (found,) = (found for found in analyse(model).findings if found.kind == "unsupported")
    assert found.severity == "warning"
    assert "do not support A -> C" in found.message


def test_findings_of_the_audit_are_there() -> None:
    data = simulate_admg(ADMG.parse("A -> B"), 300, random_state=0).data
    data.loc[3, "A"] = 1000.0
    analysis = analyse(ADMGDiscovery(solver="exact").fit(data))
    assert any(found.columns == ("A",) and found.severity == "warning" for found in analysis.findings)
    severities = [found.severity for found in analysis.findings]
    assert severities == sorted(severities, reverse=True)


def test_a_graph_that_was_given() -> None:
    moments = Moments.from_table(simulate_admg(ADMG.parse("A -> B -> C"), 500, random_state=0).data)
    analysis = analyse((moments, ADMG.parse("C -> B; A")))
    assert (analysis.status, analysis.seed, analysis.was_searched) == ("GIVEN", None, False)
    assert min(test.p_value for test in analysis.tests) < 1e-6
    assert analysis.statements.empty


def test_an_infinite_standard_error_is_none() -> None:
    moments = Moments([[1, 0.5], [0.5, 1]], 100, ["A", "B"])
    fit = ricf(moments, ADMG.parse("A -> B"))
    errors = standard_errors(moments, fit)
    (edge,) = edge_estimates(moments, fit, replace(errors, coef=np.full((2, 2), np.inf)))
    assert edge.standard_error is None


def test_hash_tells_data_apart() -> None:
    one = Moments([[1, 0.5], [0.5, 1]], 100, ["A", "B"])
    others = [
        Moments([[1, 0.5], [0.5, 1]], 101, ["A", "B"]),
        Moments([[1, 0.4], [0.4, 1]], 100, ["A", "B"]),
        Moments([[1, 0.5], [0.5, 1]], 100, ["A", "C"]),
    ]
    assert len({hash_of_moments(m) for m in (one, *others)}) == 4
    assert hash_of_moments(one) == hash_of_moments(Moments([[1, 0.5], [0.5, 1]], 100, ["A", "B"]))


def test_only_what_can_be_analysed() -> None:
    with pytest.raises(NotFittedError):
        analyse(ADMGDiscovery())
    with pytest.raises(ParameterError, match="Got str instead"):
        analyse("data.csv")  # type: ignore[arg-type]


def test_a_search_with_shares_says_the_same_and_more() -> None:
    data = simulate_admg(ADMG.parse("A -> B -> C"), 300, random_state=0).data
    model = ADMGDiscovery(solver="exact", random_state=0).fit(data)
    result = bootstrap(model, data, n_replicates=4, random_state=0)
    plain, more = analyse(model), analyse(model, bootstrap=result)
    assert more.settings["bootstrap_replicates"] == 4
    assert [replace(edge, share=None) for edge in more.edge_estimates] == list(plain.edge_estimates)
    for edge in more.edge_estimates:
        pair = more.shares_of(edge.one, edge.other)
        assert pair is not None
        assert edge.share == pytest.approx(pair.admg.get(edge.arrow, 0.0))


def test_discover_is_the_same_as_the_parts(tmp_path: Path) -> None:
    data = simulate_admg(ADMG.parse("age -> dose -> stroke"), 500, random_state=0).data
    data.to_csv(tmp_path / "data.csv", index=False)
    answer = lurking.discover(tmp_path / "data.csv", solver="exact", knowledge="age < *", n_replicates=2)
    model = ADMGDiscovery(solver="exact", knowledge=Knowledge(tiers=(("age",), ("*",))), random_state=0).fit(data)
    assert answer.admg == model.admg_
    assert (answer.data_name, answer.n_replicates) == ("data.csv", 2)
    assert answer.report(tmp_path / "report.html").read_text(encoding="utf-8") == report_html(answer)
    assert "data.csv" in str(answer)
    assert answer._repr_html_().startswith("<div>")
    assert repr(answer).startswith("<Analysis of 3 variables, 500 rows: ")


def test_each_thing_is_computed_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Count the fits of the answer, its PAG, standard errors and measures of one ``discover`` with page and file."""
    module, estimator = (import_module(f"lurking.discovery.{name}") for name in ("analyse", "estimator"))
    counts: Counter[str] = Counter()

    def counted(owner: Any, name: str) -> None:
        plain: Callable[..., Any] = getattr(owner, name)

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            counts[name] += 1
            return plain(*args, **kwargs)

        monkeypatch.setattr(owner, name, wrapper)

    for name in ("standard_errors", "fit_measures", "implied_tests", "edge_estimates", "statements_of"):
        counted(module, name)
    for owner in (module, estimator):
        counted(owner, "wide_fit")
    data = simulate_admg(4, 300, random_state=1).data
    answer = lurking.discover(data, solver="exact")
    report_html(answer)
    report_text(answer, full=True)
    dumps_result(answer)
    with capsys.disabled():
        sys.stdout.write(f"\none discover with page, words and file: {dict(counts)}\n")
    assert set(counts.values()) == {1}
