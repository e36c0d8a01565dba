"""Adjustment in classes of graphs and for sets of variables, against all members of the class; instruments."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, product
from time import process_time

import numpy as np
import pytest

from lurking import ADMG, CPDAG, PAG
from lurking._errors import GraphClassError, GraphError
from lurking._typing import FloatArray
from lurking.graphs import (
    adjustment_obstacle,
    adjustment_set,
    adjustment_sets,
    direct_adjustment_set,
    instruments,
    is_adjustment_set,
    optimal_adjustment_set,
)
from lurking.graphs.bits import BitGraph
from lurking.graphs.marks import marks_of_graph
from lurking.graphs.orientation import pag_of_mag
from lurking.graphs.projection import mag_projection
from lurking.simulate import random_admg
from oracles.graph_listing import all_admgs, all_dags, each, sampled_admgs

NAMES = list("ABCD")
QUESTIONS = [(["A"], ["B"]), (["A", "B"], ["C"]), (["A"], ["B", "C"])]


def _subsets(cause: list[str], effect: list[str]) -> list[tuple[str, ...]]:
    rest = [name for name in NAMES if name not in cause + effect]
    return [given for size in range(len(rest) + 1) for given in combinations(rest, size)]


def _model(graph: BitGraph, generator: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Coefficients and covariance of a random model of a graph, with or without bows."""
    directed, bidirected = graph.to_matrices()
    d = graph.n_vertices
    coef, omega = generator.uniform(0.5, 1.5, (2, d, d)) * generator.choice((-1.0, 1.0), (2, d, d))
    omega = np.tril(omega, -1) / d * bidirected
    paths = np.linalg.inv(np.eye(d) - coef * directed)
    return coef * directed, paths.T @ (omega + omega.T + np.diag(generator.uniform(1.5, 2.5, d))) @ paths


def _joint_effects(coef: FloatArray, causes: list[int], effect: int) -> FloatArray:
    """Total effects of setting all causes at once: paths that do not go through another cause."""
    cut = coef.copy()
    cut[:, causes] = 0.0
    return np.asarray(np.linalg.inv(np.eye(len(coef)) - cut)[causes, effect], dtype=np.float64)


def _slopes(cov: FloatArray, causes: list[int], effect: int, given: list[int]) -> FloatArray:
    rows = [*causes, *given]
    return np.asarray(np.linalg.solve(cov[np.ix_(rows, rows)], cov[rows, effect])[: len(causes)], dtype=np.float64)


@pytest.mark.parametrize(("cause", "effect"), QUESTIONS)
def test_in_admgs_sets_are_valid_exactly_if_the_regression_is_right(cause: list[str], effect: list[str]) -> None:
    generator = np.random.default_rng(1)
    causes, effects = ([NAMES.index(name) for name in names] for names in (cause, effect))
    counts = {True: 0, False: 0}
    for graph in each(all_admgs(4).bits, 53):
        admg = ADMG(NAMES, *graph.to_matrices())
        models = [_model(graph, generator) for _ in range(2)]
        valid = []
        for given in _subsets(cause, effect):
            rows = [NAMES.index(name) for name in given]
            right = all(
                np.allclose(_slopes(cov, causes, y, rows), _joint_effects(coef, causes, y), atol=1e-9)
                for coef, cov in models
                for y in effects
            )
            said = is_adjustment_set(admg, cause, effect, given)
            assert said == right, (str(admg), cause, effect, given)
            counts[said] += 1
            if said:
                valid.append(frozenset(given))
        _check_lists(admg, cause, effect, valid)
    assert min(counts.values()) > 50


def _check_lists(graph: ADMG | CPDAG | PAG, cause: list[str], effect: list[str], valid: list[frozenset[str]]) -> None:
    """Check the smallest and all minimal sets, with one variable forced or forbidden as well."""
    rest = [name for name in NAMES if name not in cause + effect]
    for include, exclude in [((), ()), ((rest[0],), ()), ((), (rest[0],))]:
        wanted = [s for s in valid if s >= set(include) and not s & set(exclude)]
        minimal = {s for s in wanted if not any(t < s for t in wanted)}
        assert set(adjustment_sets(graph, cause, effect, include=include, exclude=exclude)) == minimal
        found = adjustment_set(graph, cause, effect, include=include, exclude=exclude)
        assert (found is None) == (not wanted)
        if found is not None:
            assert len(found) == min(map(len, wanted))
            assert found in minimal
    assert (adjustment_obstacle(graph, cause, effect) is None) == bool(valid)


@pytest.fixture(scope="module")
def by_mag() -> dict[BitGraph, list[BitGraph]]:
    """Every ADMG on four vertices, grouped by its MAG."""
    groups: dict[BitGraph, list[BitGraph]] = defaultdict(list)
    for graph in all_admgs(4).bits:
        groups[mag_projection(graph)].append(graph)
    return groups


@pytest.fixture(scope="module")
def valid_in_admgs(by_mag: dict[BitGraph, list[BitGraph]]) -> dict[BitGraph, dict[int, list[frozenset[str]]]]:
    """For each MAG and each question, the sets that are valid in every ADMG of the MAG."""
    found: dict[BitGraph, dict[int, list[frozenset[str]]]] = {}
    for mag, graphs in by_mag.items():
        admgs = [ADMG(NAMES, *graph.to_matrices()) for graph in graphs]
        found[mag] = {
            number: [
                frozenset(given)
                for given in _subsets(cause, effect)
                if all(is_adjustment_set(admg, cause, effect, given) for admg in admgs)
            ]
            for number, (cause, effect) in enumerate(QUESTIONS)
        }
    return found


def test_in_mags_and_pags_sets_are_valid_exactly_if_they_are_in_every_admg(
    valid_in_admgs: dict[BitGraph, dict[int, list[frozenset[str]]]],
) -> None:
    classes: dict[PAG, list[BitGraph]] = defaultdict(list)
    with_set = 0
    for mag, valid in valid_in_admgs.items():
        classes[PAG(NAMES, pag_of_mag(mag))].append(mag)
        graph = PAG(NAMES, marks_of_graph(mag))
        for number, (cause, effect) in enumerate(QUESTIONS):
            said = [frozenset(g) for g in _subsets(cause, effect) if is_adjustment_set(graph, cause, effect, g)]
            assert said == valid[number], (str(graph), cause, effect)
            with_set += bool(said)
    assert with_set > 200
    with_set = 0
    for pag, mags in classes.items():
        for number, (cause, effect) in enumerate(QUESTIONS):
            common = set.intersection(*(set(valid_in_admgs[mag][number]) for mag in mags))
            said = [frozenset(g) for g in _subsets(cause, effect) if is_adjustment_set(pag, cause, effect, g)]
            assert set(said) == common, (str(pag), cause, effect)
            _check_lists(pag, cause, effect, said)
            with_set += bool(said)
    assert with_set > 100


def test_in_cpdags_sets_are_valid_exactly_if_they_are_in_every_dag() -> None:
    classes: dict[CPDAG, list[ADMG]] = defaultdict(list)
    for directed in all_dags(4):
        dag = ADMG(NAMES, directed, np.zeros_like(directed))
        classes[dag.to_cpdag()].append(dag)
    with_set = 0
    for cpdag, dags in classes.items():
        for cause, effect in QUESTIONS:
            common = [
                frozenset(given)
                for given in _subsets(cause, effect)
                if all(is_adjustment_set(dag, cause, effect, given) for dag in dags)
            ]
            said = [frozenset(g) for g in _subsets(cause, effect) if is_adjustment_set(cpdag, cause, effect, g)]
            if not _effects_differ(dags, cause, effect):
                assert said == common, (str(cpdag), cause, effect)
            else:
                assert not said
            _check_lists(cpdag, cause, effect, said)
            with_set += bool(said)
    assert with_set > 100


def _effects_differ(dags: list[ADMG], cause: list[str], effect: list[str]) -> bool:
    """Tell whether in a generic distribution of the class the DAGs give different effects."""
    generator = np.random.default_rng(0)
    _, cov = _model(BitGraph.from_matrices(dags[0].directed, dags[0].bidirected), generator)
    causes = [NAMES.index(name) for name in cause]
    answers = []
    for dag in dags:
        coef = np.zeros((4, 4))
        for v in range(4):
            above = np.flatnonzero(dag.directed[:, v])
            coef[above, v] = np.linalg.solve(cov[np.ix_(above, above)], cov[above, v])
        answers.append([_joint_effects(coef, causes, NAMES.index(name)) for name in effect])
    return not np.allclose(answers, answers[0], atol=1e-9)


def test_direct_effects_are_returned_exactly_by_the_sets_of_the_single_door() -> None:
    generator = np.random.default_rng(6)
    counts = {True: 0, False: 0}
    for graph in each(all_admgs(4).bits, 31):
        admg = ADMG(NAMES, *graph.to_matrices())
        models = [_model(graph, generator) for _ in range(2)]
        right = [
            given
            for given in _subsets(["A"], ["B"])
            if all(
                np.isclose(_slopes(cov, [0], 1, [NAMES.index(n) for n in given])[0], coef[0, 1], atol=1e-9)
                for coef, cov in models
            )
        ]
        found = direct_adjustment_set(admg, "A", "B")
        assert (found is None) == (not right), (str(admg), right)
        if found is not None:
            assert tuple(sorted(found)) in right
            assert len(found) == min(map(len, right))
        counts[found is not None] += 1
    assert min(counts.values()) > 100
    with pytest.raises(GraphError, match="A direct effect is read from an ADMG, not from a PAG"):
        direct_adjustment_set(PAG.parse("A -> B"), "A", "B")  # type: ignore[arg-type]


def test_the_optimal_set_has_the_smallest_variance() -> None:
    generator = np.random.default_rng(3)
    compared = 0
    for directed in all_dags(4)[::4]:
        dag = ADMG(NAMES, directed, np.zeros_like(directed))
        for graph in (dag, dag.to_cpdag()):
            if "A" not in dag.ancestors("B"):
                continue
            best = optimal_adjustment_set(graph, "A", "B")
            valid = [g for g in _subsets(["A"], ["B"]) if is_adjustment_set(graph, "A", "B", g)]
            assert (best is None) == (not valid)
            if best is None:
                continue
            assert is_adjustment_set(graph, "A", "B", best)
            _, cov = _model(BitGraph.from_matrices(dag.directed, dag.bidirected), generator)
            variances = {frozenset(g): _variance(cov, [NAMES.index(name) for name in g]) for g in valid}
            assert variances[best] <= min(variances.values()) + 1e-9
            compared += len(valid) > 1
    assert compared > 20


def _variance(cov: FloatArray, given: list[int]) -> float:
    """Residual variance of the effect over that of the cause: the asymptotic variance of the coefficient."""
    return _residual(cov, 1, [0, *given]) / _residual(cov, 0, given)


def _residual(cov: FloatArray, v: int, given: list[int]) -> float:
    fitted = np.linalg.solve(cov[np.ix_(given, given)], cov[given, v]) if given else np.zeros(0)
    return float(cov[v, v] - cov[v, given] @ fitted)


def test_instruments_return_the_effect_and_none_is_missed() -> None:
    generator = np.random.default_rng(4)
    counts = {"found": 0, "conditional": 0, "none": 0}
    missed = 0
    for graph in [*each(all_admgs(4).bits, 19), *sampled_admgs(5, 150, seed=8).bits]:
        names = "ABCDE"[: graph.n_vertices]
        admg = ADMG(list(names), *graph.to_matrices())
        models = [_model(graph, generator) for _ in range(2)]
        found = {instrument.variable: instrument.given for instrument in instruments(admg, "A", "B")}
        for z in range(2, graph.n_vertices):
            rest = [v for v in range(2, graph.n_vertices) if v != z]
            working = [
                given
                for size in range(len(rest) + 1)
                for given in combinations(rest, size)
                if all(_instrument_is_right(*model, z, list(given)) for model in models)
            ]
            if names[z] in found:
                assert tuple(names.index(name) for name in sorted(found[names[z]])) in working, (str(admg), names[z])
                assert len(found[names[z]]) == min(map(len, working))
                counts["conditional" if found[names[z]] else "found"] += 1
            elif working:
                missed += 1
            else:
                counts["none"] += 1
    assert min(counts.values()) > 50
    assert missed < 0.1 * (counts["found"] + counts["conditional"])


def _instrument_is_right(coef: FloatArray, cov: FloatArray, z: int, given: list[int]) -> bool:
    partial = cov.copy()
    if given:
        partial = cov - cov[:, given] @ np.linalg.solve(cov[np.ix_(given, given)], cov[given, :])
    if abs(partial[z, 0]) < 1e-9:
        return False
    return bool(np.isclose(partial[z, 1] / partial[z, 0], _joint_effects(coef, [0], 1)[0], atol=1e-7))


def test_what_stands_in_the_way_is_said() -> None:
    assert adjustment_obstacle(PAG.parse("A -> B"), "A", "B") == (
        "No adjustment is right: something unmeasured may cause both A and B."
    )
    assert adjustment_obstacle(CPDAG.parse("A -- B"), "A", "B") == (
        "No adjustment is right: the graphs of the class disagree whether A causes B, which may lead to the effect."
    )
    assert adjustment_obstacle(ADMG.parse("X -> M -> Y; X <-> M"), "X", "Y") == (
        "A path from X to Y that is not causal stays open whatever is adjusted for: X <-> M -> Y."
    )
    assert adjustment_obstacle(ADMG.parse("Z -> X -> Y; Z -> Y"), "X", "Y") is None


def test_questions_that_cannot_be_answered_are_refused() -> None:
    with pytest.raises(GraphClassError, match="not the PAG of any MAG"):
        adjustment_set(PAG.parse("A o-> B o-> C"), "A", "C")
    with pytest.raises(GraphClassError, match="not the CPDAG of any DAG"):
        adjustment_set(CPDAG.parse("A -> B -- C"), "A", "C")
    with pytest.raises(GraphClassError, match="Effects are read for graphs without selection"):
        adjustment_set(PAG.parse("A -- B"), "A", "B")
    with pytest.raises(GraphError, match="cannot both include and exclude Z"):
        adjustment_set(ADMG.parse("X -> Y; Z"), "X", "Y", include="Z", exclude="Z")
    with pytest.raises(GraphError, match="share Y"):
        adjustment_set(ADMG.parse("X -> Y"), ["X", "Y"], "Y")
    with pytest.raises(GraphError, match="known for graphs without unmeasured causes"):
        optimal_adjustment_set(ADMG.parse("X -> Y; X <-> Z"), "X", "Y")
    with pytest.raises(GraphError, match="Y is no ancestor of X"):
        optimal_adjustment_set(ADMG.parse("X -> Y"), "Y", "X")
    with pytest.raises(GraphError, match="An instrument can be seen in an ADMG only, not in a PAG"):
        instruments(PAG.parse("A o-> B -> C"), "B", "C")  # type: ignore[arg-type]


def test_a_hundred_variables_take_less_than_a_second() -> None:
    graph = random_admg(100, directed_probability=0.03, bidirected_probability=0.01, random_state=1)
    pairs = [(a, b) for a, b in product(graph.names[:60], graph.names[40:]) if a != b and a in graph.ancestors(b)][:20]
    assert len(pairs) == 20
    start = process_time()
    for cause, effect in pairs:
        adjustment_set(graph, cause, effect)
    assert process_time() - start < 20.0  # less than a second each
