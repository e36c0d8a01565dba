"""The hybrid search: never outside its class, never worse than its starts, the same answer every time."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from lurking import ADMG, Knowledge, Moments, simulate_admg
from lurking._errors import KnowledgeError, ParameterError
from lurking._typing import GRAPH_CLASSES, GraphClass
from lurking.search import hybrid
from lurking.search.allowed_edges import all_edges_allowed
from lurking.search.dcd import dcd_search
from lurking.search.exhaustive import exhaustive_search
from lurking.search.hybrid import hybrid_search
from lurking.search.order_based import best_dag
from lurking.search.search_plan import WALKS, expected_seconds, in_words, plan_of
from lurking.search.status import SearchStatus
from lurking.sem import DistrictScore, ricf


def data(d: int, n: int, seed: int) -> Moments:
    return Moments.from_table(simulate_admg(d, n, random_state=seed).data)


@pytest.mark.parametrize("graph_class", GRAPH_CLASSES)
@pytest.mark.parametrize("seed", [0, 1])
def test_exact_on_four_variables(graph_class: GraphClass, seed: int) -> None:
    moments = data(4, 300, seed)
    exact = exhaustive_search(moments, graph_class)
    found = hybrid_search(moments, graph_class, n_restarts=4, n_rounds=100, random_state=seed)
    assert found.score == pytest.approx(exact.score, abs=1e-6)
    assert found.admg in [candidate.admg for candidate in exact.candidates]


def test_exact_on_four_variables_with_similar_noise() -> None:
    moments = data(4, 300, 2)
    exact = exhaustive_search(moments, noise_spread=0.5)
    found = hybrid_search(moments, noise_spread=0.5, n_restarts=2, n_rounds=40, random_state=0)
    assert found.score == pytest.approx(exact.score, abs=1e-3)
    assert found.noise_centre == pytest.approx(exact.noise_centre, abs=1e-3)


@pytest.mark.parametrize("graph_class", GRAPH_CLASSES)
def test_in_class_and_never_worse_than_any_start(graph_class: GraphClass) -> None:
    moments = data(7, 500, 3)
    truth = simulate_admg(7, 500, random_state=3).admg
    extra = [("truth", truth)] if truth.witness(graph_class) is None else []
    result = hybrid_search(
        moments, graph_class, n_restarts=2, n_rounds=10, extra_starts=extra, random_state=0, window=20.0
    )
    score = DistrictScore(moments, criterion="marginal", tolerance=1e-7)
    assert [run.start for run in result.runs] == ["best DAG", "no edges", *(word for word, _ in extra)]
    for candidate in result.candidates:
        assert candidate.admg.witness(graph_class) is None
        assert candidate.score == pytest.approx(score.score(candidate.admg), abs=1e-4)
        assert result.score - 1e-4 <= candidate.score <= result.score + 20.0  # equal to four digits is a tie
    for run in result.runs:
        assert result.score <= run.score + 1e-3
        assert run.score <= run.best_scores[5] + 1e-9  # two thirds of the rounds and a walk
        assert run.best_scores[6] <= min(other.score for other in result.runs) + 1e-3  # then all join at the best graph
        assert (np.diff(run.best_scores) <= 1e-4).all()
    assert result.score <= score.score(ADMG.empty(moments.names))
    for _, start in extra:
        assert result.score <= score.score(start) + 1e-3
    if graph_class != "ancestral" or best_dag(moments, random_state=0).admg.is_ancestral():
        assert result.score <= score.score(best_dag(moments, random_state=0).admg) + 1e-3
    by_bic = hybrid_search(moments, graph_class, criterion="bic", n_restarts=2, n_rounds=10, random_state=0)
    assert by_bic.score == pytest.approx(ricf(moments, by_bic.admg).bic, abs=1e-4)


def test_the_seed_decides_and_the_number_of_jobs_does_not() -> None:
    moments = data(6, 200, 4)
    results = [
        hybrid_search(moments, n_restarts=3, n_rounds=12, random_state=seed, n_jobs=jobs)
        for seed, jobs in [(7, 1), (7, 1), (7, 2), (8, 1)]
    ]
    assert results[0] == results[1] == results[2]
    for same in results[1:3]:
        assert np.array_equal(results[0].weights, same.weights)
        assert results[0].consensus == same.consensus
    assert [run.best_scores for run in results[0].runs] != [run.best_scores for run in results[3].runs]


@pytest.mark.parametrize("graph_class", GRAPH_CLASSES)
@pytest.mark.parametrize("noise_spread", [None, 0.25])
def test_last_digits_decide_nothing(
    graph_class: GraphClass, noise_spread: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kernels round differently from one installation to the next; here the data do."""
    monkeypatch.setattr(hybrid, "without_units", lambda moments: (moments, 0.0))  # its rounding would hide the digits
    moments = data(6, 500, 4)
    digits = 1.0 + 1e-13 * np.random.default_rng(0).standard_normal((6, 6))
    nearly = Moments(moments.cov * (digits + digits.T) / 2.0, 500, moments.names)
    one, other = (
        hybrid_search(given, graph_class, noise_spread=noise_spread, n_restarts=2, n_rounds=60, random_state=0)
        for given in (moments, nearly)
    )
    assert [(c.admg, c.visits) for c in one.candidates] == [(c.admg, c.visits) for c in other.candidates]
    assert (one.posterior.weights == other.posterior.weights).all()


def test_order_of_the_columns_does_not_matter() -> None:
    moments = data(6, 300, 5)
    shuffled = moments.reorder([moments.names[i] for i in (3, 0, 5, 1, 4, 2)])
    one = hybrid_search(moments, n_restarts=2, n_rounds=12, random_state=1)
    other = hybrid_search(shuffled, n_restarts=2, n_rounds=12, random_state=1)
    assert one.admg == other.admg
    assert one.score == pytest.approx(other.score, abs=1e-6)
    assert other.admg.names == other.consensus.names == shuffled.names
    assert one.consensus == other.consensus
    order = [moments.names.index(name) for name in shuffled.names]
    assert np.array_equal(one.weights[np.ix_(order, order)], other.weights)


def test_units_and_signs_do_not_matter() -> None:
    moments = data(7, 200, 11)
    one = hybrid_search(moments, n_restarts=2, n_rounds=12, random_state=1)
    for units in ([1.0] * 7 / moments.scales, np.array([1e-3, -1.0, 7.7, -0.3, 1e4, 1.0, -3.0])):
        other = hybrid_search(
            Moments(moments.cov * np.outer(units, units), moments.n_samples, moments.names),
            n_restarts=2,
            n_rounds=12,
            random_state=1,
        )
        shift = 2 * moments.n_samples * np.log(np.abs(units)).sum()
        assert [c.admg for c in one.candidates] == [c.admg for c in other.candidates]
        assert one.score + shift == pytest.approx(other.score, abs=1e-5)
        assert [run.score + shift for run in one.runs] == pytest.approx([run.score for run in other.runs], abs=1e-3)


def test_the_mask_is_obeyed_in_any_order_of_the_columns() -> None:
    moments = data(5, 300, 6).reorder(["V5", "V4", "V3", "V2", "V1"])
    allowed_edges = all_edges_allowed(5)
    allowed_edges[0, 1] = [0, 0, 1, 0]  # V4 -> V5
    allowed_edges[2, 4] = [1, 1, 0, 1]  # not V1 -> V3
    result = hybrid_search(moments, n_restarts=2, n_rounds=10, allowed_edges=allowed_edges, window=30.0, random_state=0)
    assert len(result.candidates) > 3
    for candidate in result.candidates:
        assert candidate.admg.directed[1, 0]
        assert not candidate.admg.directed[4, 2]
    impossible = all_edges_allowed(5)
    impossible[0, 1] = 0
    with pytest.raises(KnowledgeError, match="No edge between V4 and V5"):
        hybrid_search(moments, n_restarts=1, n_rounds=1, allowed_edges=impossible, random_state=0)


@pytest.mark.parametrize("search", [hybrid_search, dcd_search])
def test_a_pair_that_must_have_some_edge(search: Any) -> None:
    moments = Moments.from_table(simulate_admg(ADMG.parse("A <- B; A <- C"), 1000, random_state=0).data)
    free = search(moments, n_restarts=1, random_state=0).admg
    assert free.skeleton[0, 1]
    for edges in ([0, 1, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]):
        allowed_edges = all_edges_allowed(3)
        allowed_edges[0, 1] = edges
        found = search(moments, n_restarts=1, allowed_edges=allowed_edges, random_state=0).admg
        assert found.skeleton[0, 1]
        if edges == [0, 1, 1, 1]:  # the edge that was found may stay
            assert found == free


def test_edges_that_are_required_come_before_those_that_have_a_choice() -> None:
    moments = data(3, 100, 0)
    allowed_edges = Knowledge(required=("V3 -> V1", "V2 -> V3")).allowed_edges(moments.names)
    allowed_edges[0, 1] = [0, 1, 1, 0]  # V1 -> V2 would close a cycle
    found = hybrid_search(moments, n_restarts=1, n_rounds=2, allowed_edges=allowed_edges, random_state=0).admg
    assert set(found.directed_edges()) == {("V3", "V1"), ("V2", "V3"), ("V2", "V1")}


def test_bad_arguments_are_refused() -> None:
    moments = data(3, 100, 0)
    misspelt: Any = "bowfree"
    for search in (hybrid_search, exhaustive_search, dcd_search):
        with pytest.raises(ParameterError, match="The 'graph_class' parameter of "):
            search(moments, misspelt)
    with pytest.raises(ParameterError, match="n_restarts"):
        dcd_search(moments, n_restarts=0)
    with pytest.raises(ParameterError, match="n_rounds"):
        hybrid_search(moments, n_rounds=-3)
    with pytest.raises(ParameterError, match="n_jobs"):
        hybrid_search(moments, n_jobs=0)


def test_time_budget_and_interrupt_return_the_best_so_far() -> None:
    moments = data(8, 300, 7)
    short = hybrid_search(moments, "arid", n_restarts=2, n_rounds=100_000, time_budget=0.3, random_state=0)
    assert short.status is SearchStatus.TIME_BUDGET
    assert short.admg.is_arid()
    none = hybrid_search(moments, "ancestral", n_restarts=2, time_budget=1e-9, random_state=0)
    assert none.status is SearchStatus.TIME_BUDGET
    assert none.admg.is_ancestral()

    told: list[float] = []

    def interrupt(share: float, doing: str) -> None:
        told.append(share)
        if len(told) == 3:
            raise KeyboardInterrupt

    stopped = hybrid_search(moments, n_restarts=2, random_state=0, progress=interrupt)
    assert stopped.status is SearchStatus.INTERRUPTED
    assert stopped.admg.is_bow_free()
    assert len(told) == 3
    assert stopped.score <= min(run.score for run in stopped.runs) + 1e-3


def test_an_interrupt_of_the_last_judgement_keeps_what_was_found() -> None:
    moments = data(5, 300, 2)
    undisturbed = hybrid_search(moments, n_restarts=1, n_rounds=5, random_state=0)

    def interrupt(share: float, doing: str) -> None:
        if doing == "scoring the good graphs":
            raise KeyboardInterrupt

    result = hybrid_search(moments, n_restarts=1, n_rounds=5, random_state=0, progress=interrupt)
    assert result.status is SearchStatus.INTERRUPTED
    assert result.score == pytest.approx(undisturbed.score, abs=1e-3)
    assert result.posterior.sampled  # the walks were done
    assert undisturbed.posterior.sampled
    assert (result.weights == undisturbed.weights).all()


@pytest.mark.parametrize("part", ["_starts_of_walks", "_graphs_met", "posterior_of_walks"])
def test_an_interrupt_between_the_parts_of_a_search_keeps_what_was_found(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    original, called = getattr(hybrid, part), []

    def interrupt(*given: object) -> object:
        called.append(part)
        if len(called) == 1:
            raise KeyboardInterrupt
        return original(*given)

    moments = data(5, 300, 2)
    undisturbed = hybrid_search(moments, n_restarts=2, n_rounds=50, random_state=0)
    monkeypatch.setattr(hybrid, part, interrupt)
    result = hybrid_search(moments, n_restarts=2, n_rounds=50, random_state=0)
    assert result.status is SearchStatus.INTERRUPTED
    assert result.score == pytest.approx(undisturbed.score, abs=1e-3)
    assert len(result.runs) == 2


def test_a_second_interrupt_is_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(hybrid, "exact_candidates", interrupt)
    with pytest.raises(KeyboardInterrupt):
        hybrid_search(data(5, 300, 2), n_restarts=1, n_rounds=50, random_state=0, progress=interrupt)


def test_progress_runs_from_zero_to_one() -> None:
    told: list[float] = []
    result = hybrid_search(
        data(4, 100, 8), n_restarts=2, n_rounds=20, random_state=0, progress=lambda share, doing: told.append(share)
    )
    assert told == sorted(told)
    assert told.index(1.0) == len(told) - 1  # it does not stand at the end while chains polish their graphs
    assert result.status is SearchStatus.COMPLETE


def test_weights_are_those_of_the_exact_solver() -> None:
    moments = data(4, 100, 9)
    result = hybrid_search(moments, n_restarts=3, n_rounds=9, random_state=0)
    weights = result.weights
    assert np.allclose(weights.sum(axis=2), 1)
    assert np.allclose(weights[:, :, 1], weights[:, :, 2].T)
    assert np.abs(weights - exhaustive_search(moments, window=20.0).weights).max() < 0.1
    assert 1 <= result.n_reached <= len(result.runs)


def test_a_search_that_was_cut_short_weighs_the_graphs_it_met() -> None:
    told: list[float] = []

    def interrupt(share: float, doing: str) -> None:
        told.append(share)
        if len(told) == 6:
            raise KeyboardInterrupt

    result = hybrid_search(data(8, 300, 7), n_restarts=2, n_rounds=100_000, progress=interrupt, random_state=0)
    assert result.status is SearchStatus.INTERRUPTED
    assert not result.posterior.sampled
    assert result.consensus in {candidate.admg for candidate in result.candidates}
    assert np.allclose(result.weights.sum(axis=2), 1)
    assert len(result.candidates) > 1
    exact = DistrictScore(data(8, 300, 7), criterion="marginal").score(result.candidates[1].admg)
    assert result.candidates[1].score == pytest.approx(exact, abs=0.02)


def test_a_time_budget_has_a_share_for_every_part() -> None:
    began = time.monotonic()
    result = hybrid_search(data(8, 300, 7), n_restarts=3, n_rounds=100_000, time_budget=5.0, random_state=0)
    assert time.monotonic() - began < 15.0  # other work on the machine may slow the last part down
    assert result.status is SearchStatus.TIME_BUDGET
    assert result.posterior.sampled  # rounds without end left time for the walks
    rounds = [len(run.best_scores) for run in result.runs]
    assert min(rounds) > 0
    assert result.score <= min(run.score for run in result.runs) + 1e-3


def test_a_plan_grows_gently_and_stays_what_it_was_for_few_variables() -> None:
    for d in (4, 10, 15, 40):
        assert plan_of(d, "bow-free").rounds == max(50 + 6 * d, 200 - 12 * d)
        assert plan_of(d, "arid").rounds == max(100 + 12 * d, 200 - 12 * d)
    assert [plan_of(d, "bow-free").rounds for d in (100, 200, 500)] == [410, 610, 1210]
    assert all(WALKS * plan_of(d, "bow-free").sampling_sweeps >= 600 for d in (5, 50, 200))
    times = [expected_seconds(d, "bow-free", 5, 2) for d in (20, 50, 100, 200, 500)]
    assert times == sorted(times)
    assert expected_seconds(100, "bow-free", 5, 1) > expected_seconds(100, "bow-free", 5, 2)
    assert in_words(200.0, 2) == "about 3 minutes on 2 cores"
    assert in_words(20.0, 1) == "less than a minute on 1 core"


def test_a_search_without_starts_is_refused() -> None:
    with pytest.raises(ParameterError, match="at least one start"):
        hybrid_search(data(3, 50, 0), n_restarts=0)
