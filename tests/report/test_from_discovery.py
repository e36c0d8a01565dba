"""A report says of a fitted model what the library says of it."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from lurking import ADMG, PAG, ADMGDiscovery, Knowledge, Moments, bootstrap, compare, simulate_admg
from lurking.report import fit_rows, report_html, report_text
from lurking.report.document import discovery_result, dumps_result, loads_result
from lurking.report.from_discovery import near_optimal_graphs, report_content
from lurking.report.from_fit import graph_content, hash_of_moments
from lurking.report.shares import probable_but_apart
from lurking.search.posterior import weigh
from lurking.sem import edge_alternatives, fit_measures, implied_tests, ricf, standard_errors


@pytest.fixture(scope="module")
def model() -> ADMGDiscovery:
    data = simulate_admg(5, 600, random_state=1).data
    return ADMGDiscovery(n_restarts=2, random_state=4).fit(data)


def test_edges_have_the_estimates_and_costs(model: ADMGDiscovery) -> None:
    content = report_content(model)
    errors = standard_errors(model.moments_, model.fit_)
    costs = {a.edge: a.bic_cost for a in edge_alternatives(model.moments_, model.admg_) if a.instead == "no edge"}
    assert len(content.edges) == model.admg_.n_edges > 0
    unit = model.moments_.standardized()
    standardized = ricf(unit, model.admg_)
    for edge in content.edges:
        i, j = model.admg_.index(edge.one), model.admg_.index(edge.other)
        directed = edge.kind == "directed"
        assert edge.estimate == (model.coef_ if directed else model.error_cov_)[i, j]
        assert edge.standard_error == (errors.coef if directed else errors.error_cov)[i, j]
        assert edge.removal_cost == pytest.approx(costs[f"{edge.one} {edge.arrow} {edge.other}"], abs=1e-6)
        if directed:
            assert edge.standardized == pytest.approx(standardized.coef[i, j], abs=1e-5)
        else:
            assert abs(edge.standardized or 2.0) < 1


def test_edges_have_the_posterior_of_their_pairs(model: ADMGDiscovery) -> None:
    content = report_content(model)
    for edge in content.edges:
        i, j = model.admg_.index(edge.one), model.admg_.index(edge.other)
        assert edge.adjacent == 1.0 - model.search_.weights[i, j, 0]
    assert all("Adjacent" in shown for shown in (report_text(content), report_html(content)))
    read = loads_result(dumps_result(discovery_result(model)))
    assert [edge.adjacent for edge in read.edges] == [edge.adjacent for edge in content.edges]


def test_pairs_that_other_good_graphs_join_are_named() -> None:
    names = [f"V{k}" for k in range(5)]
    texts = {
        "V0 -> V1; V1 -> V3": 0.3,
        "V0 -> V1; V0 -> V2; V1 -> V3; V2 -> V4": 0.4,
        "V0 -> V1; V0 -> V2; V1 -> V3": 0.2,
        "V0 -> V1; V0 -> V2": 0.1,
    }
    graphs = [(ADMG.parse(text, names=names), -2.0 * np.log(share)) for text, share in texts.items()]
    posterior = weigh(graphs, edge_price=0.0)
    graph = ADMG.parse("V0 -> V1", names=["V4", "V3", "V2", "V1", "V0"])  # the order of columns does not matter
    assert [pair[:2] for pair in probable_but_apart(graph, posterior)] == [("V3", "V1"), ("V2", "V0")]
    assert [pair[2] for pair in probable_but_apart(graph, posterior)] == pytest.approx([0.9, 0.7])

    model = ADMGDiscovery(n_restarts=2, random_state=0).fit(simulate_admg(6, 200, random_state=0).data)
    said = report_content(model).status
    likely = 1.0 - model.search_.weights[..., 0] > 0.5
    apart = np.argwhere(np.triu(likely & ~model.admg_.skeleton, 1))
    assert len(apart) > 0
    assert said is not None
    assert "Counting all good graphs, these are likely adjacent, too: " in said
    for i, j in apart[:4]:
        assert f"{model.admg_.names[i]} and {model.admg_.names[j]} (0." in said


def test_a_search_that_counted_nothing_has_no_posterior() -> None:
    few = ADMGDiscovery(solver="dcd", n_restarts=1, random_state=0).fit(simulate_admg(4, 300, random_state=1).data)
    content = report_content(few)
    assert {edge.adjacent for edge in content.edges} == {None}
    assert all("Adjacent" not in shown for shown in (report_text(content), report_html(content)))


def test_fit_and_constraints_are_those_of_sem(model: ADMGDiscovery) -> None:
    content = report_content(model)
    assert content.fit == fit_rows(fit_measures(model.moments_, model.fit_))
    tests = list(implied_tests(model.moments_, model.admg_))
    assert [c.text for c in content.constraints] == [t.statement for t in tests]
    assert [c.p_value for c in content.constraints] == pytest.approx([t.p_value for t in tests])


def test_how_it_was_found(model: ADMGDiscovery) -> None:
    content = report_content(model, "Title", data_name="data.csv", data_hash="sha256:0")
    assert content.seed == 4
    assert content.settings["Graph class"] == "bow-free"
    assert content.settings["Runs"] == "2"
    assert {"Penalty", "Spread of the noise", "Time budget in seconds"}.isdisjoint(content.settings)
    assert (content.data_name, content.data_hash, content.n_samples) == ("data.csv", "sha256:0", 600)
    assert {"Python", "lurking", "numpy"} <= set(content.versions)
    (trace,) = content.traces
    assert [series.y for series in trace.series] == [run.lowest for run in model.search_.runs]
    assert f"{model.search_.n_reached} of 2 runs" in (content.status or "")
    assert f"{len(model.search_.candidates) - 1} other graphs" in (content.status or "")


def test_the_papers_solver_shows_its_constraint_and_objective() -> None:
    data = simulate_admg(3, 300, random_state=1).data
    model = ADMGDiscovery(solver="dcd", n_restarts=2, random_state=0).fit(data)
    constraint, objective = report_content(model).traces
    assert constraint.log_scale
    for k, run in enumerate(model.search_.runs):
        assert run.detail is not None
        assert constraint.series[k].y == tuple(step.h for step in run.detail.trace)
        assert objective.series[k].y == tuple(step.objective for step in run.detail.trace)


def test_near_optimal_graphs(model: ADMGDiscovery) -> None:
    near = near_optimal_graphs(model.search_, model.admg_, at_most=3)
    assert len(near) == 3
    for graph, candidate in zip(near, model.search_.candidates[1:], strict=False):
        assert graph.admg == candidate.admg
        assert graph.bic_difference == max(candidate.score - model.search_.score, 0.0)
        assert candidate.score > model.search_.score - 1e-4
        assert graph.distance > 0


def test_a_consensus_says_so_and_names_the_best_graph() -> None:
    data = simulate_admg(6, 200, random_state=0).data
    model = ADMGDiscovery(answer="consensus", n_restarts=2, random_state=0).fit(data)
    content = report_content(model)
    assert content.admg == model.search_.consensus != model.search_.admg
    above = f"{model.bic_ - model.search_.score:.1f} above"
    assert f"consensus of all good graphs; its score is {above}" in (content.status or "")
    best = content.near_optimal[0]
    assert (best.admg, best.bic_difference) == (model.search_.admg, 0.0)
    assert best.distance == compare(content.admg, best.admg).shd
    assert content.admg not in [near.admg for near in content.near_optimal]


def test_it_can_be_shown(model: ADMGDiscovery) -> None:
    content = report_content(model, "A title")
    assert "A title" in report_html(content)
    assert "Cost of" in report_text(content)


def test_similar_noise_says_what_only_the_assumption_decides() -> None:
    data = simulate_admg(ADMG.parse("A -> B"), 500, random_state=0).data
    model = ADMGDiscovery(solver="exact", noise_scale="similar").fit(data)
    content = report_content(model)
    assert model.decided_by_assumption_
    assert model.decided_by_assumption_[0] in (content.status or "")
    assert "Spread of the noise" in content.settings


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
    content = report_content(model)
    assert len(content.knowledge) == 5
    assert all(statement.obeyed for statement in content.knowledge)
    assert content.tiers == {"A": 0, "B": 1, "C": 1}
    model.knowledge = Knowledge(forbidden=("A -> B",))
    assert [statement.obeyed for statement in report_content(model).knowledge] == [False]


def test_findings_of_the_audit_are_shown() -> None:
    data = simulate_admg(ADMG.parse("A -> B"), 300, random_state=0).data
    data.loc[3, "A"] = 1000.0
    content = report_content(ADMGDiscovery(solver="exact").fit(data))
    assert any(found.columns == ("A",) and found.severity == "warning" for found in content.findings)


def test_a_graph_that_was_given() -> None:
    moments = Moments.from_table(simulate_admg(ADMG.parse("A -> B -> C"), 500, random_state=0).data)
    content = graph_content(moments, ADMG.parse("C -> B; A"), title="Wrong")
    assert content.status is None
    assert content.seed is None
    assert min(c.p_value for c in content.constraints if c.p_value is not None) < 1e-6


def test_undetermined_numbers_have_no_standard_error() -> None:
    """A bow-free graph that is not arid can have parameters that some covariances do not determine."""
    graph = ADMG.parse("A -> B -> C; A <-> C")
    coef = np.array([[0, 0.0, 0], [0, 0, 0.7], [0, 0, 0]])
    cov = np.linalg.inv(np.eye(3) - coef).T @ np.eye(3) @ np.linalg.inv(np.eye(3) - coef)
    content = graph_content(Moments(cov, 200, ["A", "B", "C"]), graph, title="t")
    for edge in content.edges:
        assert edge.standard_error is None or np.isfinite(edge.standard_error)


def test_hash_tells_data_apart() -> None:
    one = Moments([[1, 0.5], [0.5, 1]], 100, ["A", "B"])
    others = [
        Moments([[1, 0.5], [0.5, 1]], 101, ["A", "B"]),
        Moments([[1, 0.4], [0.4, 1]], 100, ["A", "B"]),
        Moments([[1, 0.5], [0.5, 1]], 100, ["A", "C"]),
    ]
    assert len({hash_of_moments(m) for m in (one, *others)}) == 4
    assert hash_of_moments(one) == hash_of_moments(Moments([[1, 0.5], [0.5, 1]], 100, ["A", "B"]))


def test_only_a_fitted_model_has_a_report() -> None:
    with pytest.raises(NotFittedError):
        report_content(ADMGDiscovery())


def test_knowledge_settles_edges_in_words_and_in_the_file() -> None:
    data = simulate_admg(ADMG.parse("A -> C <- B"), 500, random_state=0).data
    model = ADMGDiscovery(solver="exact", knowledge=Knowledge(unconfounded=("A",))).fit(data)
    content = report_content(model)
    assert content.informed_pag == PAG.parse("A -> C; B o-> C")
    text = report_text(content, width=200)
    assert "A is a cause of C.  settled by knowledge" in text
    assert "neither the independences nor the knowledge decide whether B causes C" in text
    assert "Left open by the independences and the knowledge" in text
    assert "settled by knowledge" in report_html(content)
    result = discovery_result(model, content)
    assert loads_result(dumps_result(result)) == result
    edges = {tuple(e["edge"]): e for e in json.loads(dumps_result(result))["parameters"]["edges"]}
    assert edges["A", "->", "C"]["standing"] == "settled by knowledge"
    assert edges["A", "->", "C"]["left_open"] is None
    (other,) = (entry for edge, entry in edges.items() if "B" in edge)
    assert other["standing"] == "open"
    assert other["left_open"] == "whether B causes C, something unmeasured causes both, or both"
    model.knowledge = Knowledge(forbidden=("A -> C", "A <-> C"))
    assert report_content(model).informed_pag is None  # the graph does not obey, so nothing follows


def test_a_required_edge_that_the_data_do_not_ask_for_is_a_warning() -> None:
    data = simulate_admg(ADMG.parse("A -> B; C"), 500, random_state=1).data
    wanted, unwanted = (
        ADMGDiscovery(solver="exact", knowledge=Knowledge(required=(edge,))).fit(data) for edge in ("A -> B", "A <-> C")
    )
    assert not [found for found in report_content(wanted).findings if found.severity == "warning"]
    (finding,) = (found for found in report_content(unwanted).findings if found.severity == "warning")
    assert set(finding.columns) == {"A", "C"}
    assert finding.text.startswith("The data do not ask for ")


def test_an_interrupted_bootstrap_says_so() -> None:
    data = simulate_admg(3, 300, random_state=1).data
    model = ADMGDiscovery(solver="exact", random_state=0).fit(data)
    result = bootstrap(model, data, n_replicates=3, random_state=0)
    assert "interrupted" not in (report_content(model, bootstrap=result).status or "")
    stopped = report_content(model, bootstrap=replace(result, interrupted=True))
    assert "The bootstrap was interrupted after 3 replicates." in (stopped.status or "")
    assert "3 bootstrap replicates" in report_text(stopped)
