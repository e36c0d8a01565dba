"""Algorithm 3: convergence, statuses, masks, starts, and that every hyperparameter does something."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from lurking._errors import ParameterError
from lurking._typing import GRAPH_CLASSES, BoolMatrix, GraphClass
from lurking.constraints import BowFree, constraint_for
from lurking.data import Moments
from lurking.graphs import ADMG
from lurking.search.differentiable import DifferentiableResult, DualStep, differentiable_discovery
from lurking.search.hyperparameters import DCDHyperparameters
from lurking.search.status import DCDStatus

VERMA = ADMG.parse("A -> B -> C -> D; B <-> D")


def exact_moments(n_samples: int = 1000) -> Moments:
    """Return the covariance of a Verma graph itself, without sampling error."""
    coef = np.diag([1.2, -0.8, 0.9], k=1)
    error_cov = np.diag([1.0, 1.5, 0.9, 1.4])
    error_cov[1, 3] = error_cov[3, 1] = 0.6
    total = np.linalg.inv(np.eye(4) - coef)
    return Moments(total.T @ error_cov @ total, n_samples, list("ABCD"))


def random_moments(d: int, seed: int, n: int = 500) -> Moments:
    """Return moments of a random bow-free model with parameters as in the paper."""
    rng = np.random.default_rng(seed)
    edge = rng.random((d, d))
    coef = np.triu((edge < 0.4) * rng.uniform(0.5, 2.0, (d, d)) * rng.choice([-1, 1], (d, d)), 1)
    upper = np.triu((edge > 0.8) * rng.uniform(0.4, 0.7, (d, d)) * rng.choice([-1, 1], (d, d)), 1)
    error_cov = upper + upper.T
    error_cov += np.diag(rng.uniform(0.7, 1.2, d) + np.abs(error_cov).sum(axis=1))
    errors = rng.multivariate_normal(np.zeros(d), error_cov, size=n)
    return Moments.from_table(errors @ np.linalg.inv(np.eye(d) - coef))


def same(one: DifferentiableResult, other: DifferentiableResult) -> bool:
    return np.array_equal(one.coef, other.coef) and np.array_equal(one.error_cov, other.error_cov)


# ----------------------------------------------------------------------------------------------- what it finds


@pytest.mark.parametrize("graph_class", GRAPH_CLASSES)
def test_it_converges_and_the_graph_is_in_the_class(graph_class: GraphClass) -> None:
    for seed in range(4):
        result = differentiable_discovery(random_moments(5, seed), graph_class, random_state=seed)
        assert result.status in {DCDStatus.CONVERGED, DCDStatus.REPAIRED}
        assert result.h <= 1e-8
        assert result.h == constraint_for(graph_class, "power", 1 / 5).value_and_grad(result.coef, result.error_cov)[0]
        assert result.admg.witness(graph_class) is None
        assert 5 <= len(result.trace) <= 20


def test_it_finds_the_verma_graph_in_its_exact_covariance() -> None:
    found = {differentiable_discovery(exact_moments(), "bow-free", random_state=seed).admg for seed in range(10)}
    assert VERMA in found or ADMG.parse("A <-> B -> C -> D; B <-> D") in found


def test_the_trace_is_that_of_an_augmented_lagrangian() -> None:
    seen: list[DualStep] = []
    result = differentiable_discovery(random_moments(6, 1), "ancestral", random_state=1, callback=seen.append)
    trace = result.trace
    assert tuple(seen) == trace
    assert trace[0].alpha == 0.0
    assert trace[-1].h == result.h
    for before, after in pairwise(trace):
        assert after.h < 0.25 * before.h or after.h <= 1e-8
        assert after.rho >= before.rho
        assert after.alpha == pytest.approx(before.alpha + before.rho * before.h)
    assert all(1 <= step.ricf_iterations <= step.evaluations for step in trace)


def test_seeds_decide_and_inputs_are_left_alone() -> None:
    moments = random_moments(4, 2)
    cov = moments.cov.copy()
    one, two, other = (differentiable_discovery(moments, random_state=seed) for seed in (1, 1, 2))
    assert same(one, two)
    assert not same(one, other)
    assert np.array_equal(moments.cov, cov)
    assert not one.coef.flags.writeable
    assert np.array_equal(one.error_cov, one.error_cov.T)


def test_rows_count_only_through_the_sharpness() -> None:
    fixed = DCDHyperparameters(sharpness=3.0)
    few, many = exact_moments(100), exact_moments(10**6)
    assert same(
        differentiable_discovery(few, "arid", fixed, random_state=0),
        differentiable_discovery(many, "arid", fixed, random_state=0),
    )
    by_default = differentiable_discovery(few, "arid", random_state=0)
    by_hand = differentiable_discovery(
        few, "arid", DCDHyperparameters(sharpness=float(np.log(100) / 2), directed_factor=0.25), random_state=0
    )
    assert same(by_default, by_hand)
    assert not same(by_default, differentiable_discovery(many, "arid", random_state=0))


def test_one_and_two_variables() -> None:
    alone = differentiable_discovery(Moments([[2.0]], 50), random_state=0)
    assert alone.admg.n_edges == 0
    assert alone.error_cov[0, 0] == pytest.approx(2.0)
    pair = differentiable_discovery(Moments([[1.0, 0.8], [0.8, 2.0]], 50), "arid", random_state=0)
    assert pair.admg.n_edges == 1


# ------------------------------------------------------------------------------------- starts, masks, strangers


def test_forbidden_parameters_stay_at_zero() -> None:
    moments = random_moments(5, 3)
    directed, bidirected = np.ones((5, 5), dtype=bool), np.ones((5, 5), dtype=bool)
    directed[0] = False
    bidirected[2] = bidirected[:, 2] = False
    result = differentiable_discovery(
        moments, "bow-free", random_state=3, directed_allowed=directed, bidirected_allowed=bidirected
    )
    assert not result.coef[~directed].any()
    assert not result.error_cov[2, [0, 1, 3, 4]].any()
    assert result.error_cov[2, 2] > 0
    nothing = np.zeros((5, 5), dtype=bool)
    empty = differentiable_discovery(moments, random_state=0, directed_allowed=nothing, bidirected_allowed=nothing)
    assert empty.admg.n_edges == 0
    assert empty.status is DCDStatus.CONVERGED
    np.testing.assert_allclose(np.diag(empty.error_cov), np.diag(moments.cov))


def test_a_given_start_is_used() -> None:
    moments = exact_moments()
    coef, error_cov = np.diag([1.2, -0.8, 0.9], k=1), np.diag([1.0, 1.5, 0.9, 1.4])
    error_cov[1, 3] = error_cov[3, 1] = 0.6
    start = coef.copy(), error_cov.copy()
    one = differentiable_discovery(moments, "arid", random_state=0, start=start)
    two = differentiable_discovery(moments, "arid", random_state=1, start=start)
    assert same(one, two)
    assert one.admg == VERMA
    assert np.array_equal(start[0], coef)
    assert np.array_equal(start[1], error_cov)


class SlowBowFree(BowFree):
    """The same constraint as a stranger would write it: no compiled code."""

    compiled_code = -1


def test_a_constraint_without_compiled_code_gives_a_graph_of_the_class_too() -> None:
    moments = random_moments(3, 5)
    seen = differentiable_discovery(moments, constraint=SlowBowFree(directed_factor=1 / 3), random_state=1)
    assert seen.status is DCDStatus.CONVERGED
    assert seen.admg.is_bow_free()
    compiled = differentiable_discovery(moments, random_state=1)
    assert seen.trace[0].objective == pytest.approx(compiled.trace[0].objective, rel=0.05)


# ------------------------------------------------------------------------------------------ how it can end badly


def test_each_ending_has_its_status() -> None:
    moments = random_moments(5, 6)

    def ends(**changes: Any) -> DifferentiableResult:
        return differentiable_discovery(moments, "ancestral", DCDHyperparameters(**changes), random_state=0)

    assert ends().status is DCDStatus.CONVERGED
    few = ends(max_dual_steps=2)
    assert few.status is DCDStatus.OUT_OF_STEPS
    assert len(few.trace) == 2
    assert few.h > 1e-8
    assert ends(rho_max=10.0).status is DCDStatus.PENALTY_LIMIT
    assert few.admg.is_ancestral()
    singular = differentiable_discovery(moments, random_state=0, start=(np.zeros((5, 5)), np.ones((5, 5))))
    assert singular.status is DCDStatus.SINGULAR
    assert "restarts" in singular.status.message


def test_a_weak_c_tree_below_the_tolerance_is_repaired_and_reported() -> None:
    """Greenery does not see a c-tree of parameters near 0.2; see lurking.constraints.arid."""
    coef = np.diag([0.2, 0.2, 0.2], k=1)
    error_cov = np.eye(4)
    for i, j in ((0, 2), (0, 3), (1, 3)):
        error_cov[i, j] = error_cov[j, i] = 0.2
    assert not ADMG(list("ABCD"), coef != 0, (error_cov != 0) & ~np.eye(4, dtype=bool)).is_arid()
    total = np.linalg.inv(np.eye(4) - coef)
    moments = Moments(total.T @ error_cov @ total, 1000, list("ABCD"))
    result = differentiable_discovery(
        moments, "arid", DCDHyperparameters(penalty=1e-4), start=(coef, error_cov), random_state=0
    )
    assert result.h <= 1e-8
    assert result.status is DCDStatus.REPAIRED
    assert result.dropped
    assert result.admg.is_arid()
    assert "dropped" in result.status.message


# -------------------------------------------------------------------------------------------------- parameters

CHANGES: dict[str, Any] = {
    "penalty": 0.5,
    "sharpness": 1.0,
    "threshold": 0.8,
    "tol": 1e-2,
    "max_dual_steps": 3,
    "progress_rate": 0.9,
    "rho_start": 1e4,
    "rho_factor": 2.0,
    "rho_max": 100.0,
    "alpha_start": 50.0,
    "ricf_increment": 0,
    "ricf_tol": 1e3,
    "form": "exponential",
    "directed_factor": 1.0,
    "start_coef": 0.01,
    "start_error_cov": 0.4,
    "inner_tol": 1e-2,
    "inner_max_iterations": 5,
}


def test_every_hyperparameter_is_tested() -> None:
    assert set(CHANGES) == {field.name for field in fields(DCDHyperparameters)}


@pytest.mark.parametrize("name", CHANGES)
def test_every_hyperparameter_does_something(name: str) -> None:
    moments = random_moments(5, 7)
    usual = DCDHyperparameters()
    changed = replace(usual, **{name: CHANGES[name]})
    one = differentiable_discovery(moments, "bow-free", usual, random_state=0)
    other = differentiable_discovery(moments, "bow-free", changed, random_state=0)
    assert one.admg != other.admg or not same(one, other) or len(one.trace) != len(other.trace)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("penalty", -1.0),
        ("tol", 0.0),
        ("max_dual_steps", 2.5),
        ("max_dual_steps", True),
        ("progress_rate", 1.0),
        ("rho_factor", 1.0),
        ("rho_max", float("inf")),
        ("sharpness", "sharp"),
        ("ricf_tol", None),
        ("form", "logarithm"),
    ],
)
def test_bad_hyperparameters_are_refused_by_name(name: str, value: object) -> None:
    changes: Any = {name: value}
    with pytest.raises(ParameterError, match=name):
        DCDHyperparameters(**changes)


def lopsided() -> BoolMatrix:
    mask = np.ones((4, 4), dtype=bool)
    mask[0, 1] = False
    return mask


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"graph_class": "tree"}, "ancestral, arid, bow-free"),
        ({"directed_allowed": np.ones((3, 3), dtype=bool)}, "directed_allowed"),
        ({"directed_allowed": np.ones((4, 4))}, "boolean"),
        ({"bidirected_allowed": lopsided()}, "A <-> B"),
        ({"start": (np.zeros((3, 3)), np.eye(4))}, "shape"),
        ({"start": (np.eye(4), np.eye(4))}, "zero diagonal"),
        ({"start": (np.zeros((4, 4)), np.triu(np.ones((4, 4))))}, "symmetric"),
        ({"start": (np.full((4, 4), np.nan), np.eye(4))}, "finite"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ParameterError, match=complaint):
        differentiable_discovery(exact_moments(), **arguments)
