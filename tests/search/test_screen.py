"""Predicted gains of moves against finite differences, and against the exact gains near an optimum."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from lurking import ADMG, Moments
from lurking._typing import FloatArray
from lurking.graphs.edge_kinds import BIDIRECTED, edge_of, set_edge
from lurking.search.kernels.climb import copy_graph
from lurking.search.kernels.moves import CLASS_CODE, may_set
from lurking.search.kernels.screen import new_screen_work, predict_moves
from lurking.search.kernels.screen_work import ScreenWork
from lurking.sem import DistrictScore
from lurking.sem.kernels.district import DEVIATION, LEAST
from lurking.sem.kernels.score_state import ScoredGraph, new_scored_graph
from lurking.sem.kernels.scores import score_graph
from oracles.callable_kernels import change_delta, change_pair, predict_move, prepare_screen, refit_graph
from oracles.screen_numpy import noise_term, parameter_of, predicted_change
from sem.random_models import random_model

GRAPHS = (
    "A -> B -> C -> D; B <-> D",
    "A <-> B <-> C <-> D; A -> C; E -> B; E -> D",
    "A -> C; B -> C; C <-> D; D -> E; A <-> E",
)


CENTRE, SPREAD = 0.3, 0.25


def fitted(text: str, n: int = 500, similar: bool = False) -> tuple[DistrictScore, ScoredGraph, FloatArray]:
    """Return a score, a graph fitted to data of its own model, and the predicted changes."""
    graph = ADMG.parse(text)
    table = random_model(graph, seed=1).sample(n, random_state=2)
    score = DistrictScore(Moments.from_table(table), tolerance=1e-10)
    if similar:
        score.assume_similar_noise(CENTRE, SPREAD)
    scored = score.scored_graph(graph)
    score_graph(score.state, scored, 0)
    d = len(graph)
    predicted = np.zeros((d, d, 4))
    assert predict_moves(score.state, scored, new_screen_work(d), np.ones(d, dtype=np.uint8), predicted)
    return score, scored, predicted


@pytest.mark.parametrize("text", GRAPHS)
def test_predictions_are_those_of_the_quadratic_model(text: str) -> None:
    score, scored, predicted = fitted(text)
    n, penalty = score.moments.n_samples, np.log(score.moments.n_samples)
    correlation = score.state.correlation
    compared = no_minimum = 0
    for i, j in combinations(range(len(scored.coef)), 2):
        now = edge_of(scored.directed, scored.bidirected, i, j)
        assert predicted[i, j, now] == 0
        for edge in range(4):
            if edge == now:
                continue
            change, curvature, _ = predicted_change(
                correlation, scored.coef, scored.error_cov, parameter_of(now, i, j), parameter_of(edge, i, j)
            )
            expected = n * change + penalty * ((edge != 0) - (now != 0))
            if edge and curvature < 0.05:  # no minimum, or a very flat one: such a move must be tried early
                assert predicted[i, j, edge] < 0
                no_minimum += 1
            else:
                assert predicted[i, j, edge] == pytest.approx(expected, rel=1e-3, abs=0.05), (i, j, now, edge)
                compared += 1
    assert no_minimum <= 1
    assert compared >= 17


@pytest.mark.parametrize("text", GRAPHS)
def test_with_similar_noise_predictions_are_those_of_the_quadratic_model_on_each_side_of_the_kink(text: str) -> None:
    score, scored, predicted = fitted(text, similar=True)
    n, penalty, units = score.moments.n_samples, np.log(score.moments.n_samples), score.state.units
    term = noise_term(units[DEVIATION], units[LEAST], CENTRE, SPREAD)

    def change(i: int, j: int, now: int, edge: int, sign: float) -> tuple[float, float, float]:
        kink = (i, j) if edge == BIDIRECTED else None
        return predicted_change(
            score.state.correlation, scored.coef, scored.error_cov,
            parameter_of(now, i, j), parameter_of(edge, i, j), lambda cov: term(cov, kink, sign) / n,
        )  # fmt: skip

    compared = no_minimum = 0
    for i, j in combinations(range(len(scored.coef)), 2):
        now = edge_of(scored.directed, scored.bidirected, i, j)
        for edge in {0, 1, 2, 3} - {now}:
            sides = [(sign, *change(i, j, now, edge, sign)) for sign in (-1.0, 1.0)]
            if edge == BIDIRECTED:
                sides = [side for side in sides if side[0] * side[3] > 0]
            if edge and any(curvature < 0.05 for _, _, curvature, _ in sides):
                no_minimum += 1
                continue
            removed = change(i, j, now, 0, 0.0)[0] if now else 0.0  # all that happens if neither side leads downhill
            expected = n * min([side[1] for side in sides], default=removed) + penalty * ((edge != 0) - (now != 0))
            assert predicted[i, j, edge] == pytest.approx(expected, rel=1e-2, abs=0.1), (i, j, now, edge)
            compared += 1
    assert no_minimum <= 2
    assert compared >= 15


@pytest.mark.parametrize("text", GRAPHS)
@pytest.mark.parametrize("focus", [(0,), (1, 3)])
def test_only_pairs_in_focus_are_predicted_and_as_well_as_all(text: str, focus: tuple[int, ...]) -> None:
    score, scored, everywhere = fitted(text)
    d = len(scored.coef)
    chosen = np.isin(np.arange(d), focus)
    predicted = np.full((d, d, 4), np.nan)
    assert predict_moves(score.state, scored, new_screen_work(d), chosen.astype(np.uint8), predicted)
    for i, j in combinations(range(d), 2):
        if chosen[i] or chosen[j]:
            assert predicted[i, j] == pytest.approx(everywhere[i, j], rel=1e-12, abs=1e-12)
        else:
            assert np.isnan(predicted[i, j]).all()


@pytest.mark.parametrize("text", GRAPHS)
def test_small_changes_are_predicted_well(text: str) -> None:
    score, scored, predicted = fitted(text, n=2000)
    penalty = np.log(2000)
    near = 0
    for i, j in combinations(range(len(scored.coef)), 2):
        now = edge_of(scored.directed, scored.bidirected, i, j)
        for edge in range(1, 4):
            if now == 0 and may_set(scored.directed, scored.bidirected, i, j, edge, CLASS_CODE["bow-free"]):
                exact = change_delta(score.state, scored, i, j, edge, np.inf)
                assert exact <= penalty + 1e-6  # more parameters never fit worse
                assert predicted[i, j, edge] == pytest.approx(exact, abs=0.5)
                near += 1
    assert near >= 4


def test_the_best_move_is_among_the_first_that_are_tried() -> None:
    # from the empty graph, where the climb starts: six fits in a row without success end its search for a move
    graph = ADMG.parse(GRAPHS[1])
    score = DistrictScore(Moments.from_table(random_model(graph, seed=1).sample(2000, random_state=2)))
    scored = score.scored_graph(ADMG.empty(graph.names))
    score_graph(score.state, scored, 0)
    predicted = np.zeros((5, 5, 4))
    assert predict_moves(score.state, scored, new_screen_work(5), np.ones(5, dtype=np.uint8), predicted)
    moves = [(i, j, edge) for i, j in combinations(range(5), 2) for edge in range(1, 4)]
    exact = {move: change_delta(score.state, scored, *move, np.inf) for move in moves}
    by_prediction = sorted(moves, key=lambda move: predicted[move])
    best = min(exact.values())
    assert best < -100
    assert min(exact[move] for move in by_prediction[:6]) == pytest.approx(best, abs=1e-3)
    assert max(exact[move] for move in by_prediction[-6:]) > best + 100


def with_room_for(work: ScreenWork, numbers: int) -> ScreenWork:
    """Return work arrays with less room for Hessians."""
    derivatives = work.derivatives._replace(hessian=np.zeros(numbers))
    return work._replace(derivatives=derivatives)


@pytest.mark.parametrize("similar", [False, True])
@pytest.mark.parametrize("room", [None, 400])
@pytest.mark.parametrize("seed", range(3))
def test_a_screen_that_follows_a_walk_predicts_what_a_new_one_does(similar: bool, room: int | None, seed: int) -> None:
    """Districts join, fall apart, are fitted anew and go back; the room for Hessians runs out now and then."""
    d, rng = 8, np.random.default_rng(seed)
    truth = ADMG.parse("A -> B -> C <-> D; D <-> E; A <-> E; F -> G <-> H; B -> F; C -> H")
    score = DistrictScore(Moments.from_table(random_model(truth, seed=1).sample(300, random_state=2)))
    if similar:
        score.assume_similar_noise(CENTRE, SPREAD)
    graph, kept = score.scored_graph(truth), new_scored_graph(d)
    score_graph(score.state, graph, 0)
    copy_graph(graph, kept)
    work = new_screen_work(d) if room is None else with_room_for(new_screen_work(d), room)
    moved = 0
    for step in range(60):
        i, j = sorted(rng.choice(d, 2, replace=False).tolist())
        edge = int(rng.integers(4))
        if may_set(graph.directed, graph.bidirected, i, j, edge, CLASS_CODE["bow-free"]):
            moved += edge_of(graph.directed, graph.bidirected, i, j) != edge
            change_pair(score.state, graph, i, j, edge)
        if step % 10 == 9:
            copy_graph(kept, graph)
        if step % 15 == 14 and similar:
            score.assume_similar_noise(CENTRE + 0.01 * step, SPREAD)
            score_graph(score.state, graph, 1)
        fresh = new_screen_work(d)
        assert prepare_screen(score.state, graph, fresh)
        if not prepare_screen(score.state, graph, work):
            assert room is not None  # a graph that needs more room than there is
            continue
        for one, other in rng.choice(d, (12, 2)).tolist():
            if one < other:
                for kind in {0, 1, 2, 3} - {edge_of(graph.directed, graph.bidirected, one, other)}:
                    expected = predict_move(score.state, graph, fresh, one, other, kind)
                    found = predict_move(score.state, graph, work, one, other, kind)
                    assert found == pytest.approx(expected, rel=1e-7, abs=1e-7)
    assert moved > 20


def test_a_screen_without_room_says_so_and_recovers() -> None:
    score, scored, _ = fitted(GRAPHS[1])
    work = with_room_for(new_screen_work(5), 30)  # the district of A, B, C and D alone has 8 parameters
    assert not prepare_screen(score.state, scored, work)
    empty = score.scored_graph(ADMG.empty(score.moments.names))
    score_graph(score.state, empty, 0)
    assert prepare_screen(score.state, empty, work)


def test_storage_of_the_screen_does_not_grow_with_the_fourth_power() -> None:
    work = new_screen_work(300)
    arrays = [*work.derivatives, *(array for array in work if isinstance(array, np.ndarray))]
    assert sum(array.nbytes for array in arrays) < 100e6  # it was 16 GB


def test_a_refit_of_what_changed_is_a_fit_of_the_whole_graph() -> None:
    rng = np.random.default_rng(5)
    names = tuple("ABCDE")
    score = DistrictScore(Moments.from_table(random_model(ADMG.parse(GRAPHS[1]), seed=1).sample(400, random_state=2)))
    graph, before = score.scored_graph(ADMG.parse(GRAPHS[1], names=names)), new_scored_graph(5)
    score_graph(score.state, graph, 0)
    for _ in range(30):
        copy_graph(graph, before)
        for _ in range(3):
            i, j = sorted(rng.choice(5, 2, replace=False).tolist())
            edge = int(rng.integers(4))
            if may_set(graph.directed, graph.bidirected, i, j, edge, CLASS_CODE["arid"]):
                set_edge(graph.directed, graph.bidirected, i, j, edge)
        found = refit_graph(score.state, graph, before)
        whole = ADMG(names, graph.directed.astype(bool), graph.bidirected.astype(bool))
        assert found == pytest.approx(score.score(whole), abs=1e-3)
        assert {names[k] for k in np.unique(graph.district)} == {min(part) for part in score.local_scores(whole)}
