"""Whole data sets: moments, seeds, scale, hidden variables, what comes with the rows."""

from __future__ import annotations

import dataclasses
from typing import get_args

import numpy as np
import pytest
from scipy.stats import kurtosis

from lurking import simulate_admg as public_name
from lurking._errors import DataError, ParameterError
from lurking._typing import GRAPH_CLASSES, FloatArray, GraphClass
from lurking.graphs import ADMG
from lurking.sem.model import ErrorShape
from lurking.simulate import (
    VERMA_GRAPHS,
    ParameterRanges,
    Simulation,
    draw_rows,
    r2_sortability,
    random_hidden_dag,
    simulate_admg,
    varsortability,
)

MILD = ParameterRanges(coef=(0.3, 0.8))


def assert_sample_of(data: FloatArray, cov: FloatArray) -> None:
    """Compare a sample covariance with the population, in units of its standard error for Gaussian data."""
    n = len(data)
    variances = np.diag(cov)
    standard_error = np.sqrt((np.outer(variances, variances) + cov**2) / n)
    assert (np.abs(np.cov(data.T, bias=True) - cov) < 6 * standard_error).all()


def test_the_public_name() -> None:
    assert public_name is simulate_admg


@pytest.mark.parametrize("graph_class", GRAPH_CLASSES)
def test_defaults_are_the_papers(graph_class: GraphClass) -> None:
    simulation = simulate_admg(graph_class=graph_class, random_state=5)
    assert simulation.data.shape == (1000, 10)
    assert list(simulation.data.columns) == [f"V{i}" for i in range(1, 11)]
    assert simulation.admg.witness(graph_class) is None
    assert simulation.admg == simulation.sem.admg
    assert (simulation.errors, simulation.standardized, simulation.complete_sem) == ("gaussian", False, None)
    assert_sample_of(simulation.data.to_numpy(), simulation.sem.implied_cov())


def test_given_graph_keeps_its_names_and_edges() -> None:
    for graph in VERMA_GRAPHS:
        simulation = simulate_admg(graph, 50_000, random_state=0)
        assert simulation.admg is graph
        assert list(simulation.data.columns) == ["A", "B", "C", "D"]
        assert_sample_of(simulation.data.to_numpy(), simulation.sem.implied_cov())
    with_bow = ADMG.parse("A -> B; A <-> B")
    assert simulate_admg(with_bow, 10).admg == with_bow


@pytest.mark.parametrize("errors", get_args(ErrorShape))
def test_errors_have_the_right_covariance_and_shape(errors: ErrorShape) -> None:
    simulation = simulate_admg(
        ADMG.parse("A -> B -> C; A <-> C; D"), 300_000, errors=errors, ranges=MILD, random_state=3
    )
    rows, sem = simulation.data.to_numpy(), simulation.sem
    cov = sem.implied_cov()
    scale = np.sqrt(np.diag(cov))
    assert np.cov(rows.T) / np.outer(scale, scale) == pytest.approx(cov / np.outer(scale, scale), abs=0.03)
    residuals = rows @ (np.eye(4) - sem.coef)
    assert np.cov(residuals.T) == pytest.approx(sem.error_cov, abs=0.05)
    alone = kurtosis(residuals[:, 3])
    expected = {"gaussian": 0.0, "uniform": -1.2, "laplace": 3.0, "student": 6.0, "exponential": 6.0}[errors]
    assert alone == pytest.approx(expected, abs=2.5 if errors == "student" else 0.5)


def test_standardized_columns() -> None:
    raw = simulate_admg(8, 400, random_state=7)
    standard = simulate_admg(8, 400, standardize=True, random_state=7)
    assert standard.standardized
    assert standard.admg == raw.admg
    rows = standard.data.to_numpy()
    np.testing.assert_allclose(rows.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(rows.var(axis=0), 1.0, rtol=1e-12)
    raw_rows = raw.data.to_numpy()
    np.testing.assert_allclose(rows, (raw_rows - raw_rows.mean(axis=0)) / raw_rows.std(axis=0))


def test_standardized_model_is_the_same_model_in_other_units() -> None:
    raw = simulate_admg(8, 10, random_state=7).sem
    standard = simulate_admg(8, 10, standardize=True, random_state=7).sem
    cov = raw.implied_cov()
    scale = np.sqrt(np.diag(cov))
    np.testing.assert_allclose(standard.implied_cov(), cov / np.outer(scale, scale), atol=1e-10)
    np.testing.assert_allclose(np.diag(standard.implied_cov()), 1.0, rtol=1e-9)
    np.testing.assert_array_equal(standard.coef != 0, raw.coef != 0)


def test_same_seed_same_model_whatever_the_rows() -> None:
    first = simulate_admg(6, 100, random_state=11)
    for other in (
        simulate_admg(6, 100, random_state=np.random.default_rng(11)),
        simulate_admg(6, 500, random_state=11),
        simulate_admg(6, 100, errors="uniform", random_state=11),
    ):
        assert other.admg == first.admg
        np.testing.assert_array_equal(other.sem.coef, first.sem.coef)
        np.testing.assert_array_equal(other.sem.error_cov, first.sem.error_cov)
    again = simulate_admg(6, 100, random_state=11)
    np.testing.assert_array_equal(again.data.to_numpy(), first.data.to_numpy())
    assert simulate_admg(6, 100, random_state=12).admg != first.admg


def test_a_generator_moves_on() -> None:
    rng = np.random.default_rng(0)
    assert simulate_admg(8, 10, random_state=rng).admg != simulate_admg(8, 10, random_state=rng).admg


def test_graph_parameters_and_rows_are_drawn_apart() -> None:
    first = simulate_admg(6, 20, random_state=11)
    given = simulate_admg(first.admg, 20, random_state=11)  # no random number goes into the graph
    assert given.sem == first.sem
    assert given.data.equals(first.data)


def test_names_and_probabilities_of_random_graphs() -> None:
    simulation = simulate_admg(
        3, 10, directed_probability=1.0, bidirected_probability=0.0, names=["x", "y", "z"], random_state=0
    )
    assert simulation.admg.names == ("x", "y", "z")
    assert len(simulation.admg.directed_edges()) == 3
    assert simulate_admg(3, 10, directed_probability=0.0, bidirected_probability=1.0).admg.bidirected.sum() == 6


@pytest.mark.parametrize("errors", ["gaussian", "exponential"])
def test_hidden_variables(errors: ErrorShape) -> None:
    hidden_dag = random_hidden_dag(5, 3, max_children=4, random_state=1)
    simulation = simulate_admg(hidden_dag, 200_000, errors=errors, ranges=MILD, random_state=2)
    assert simulation.admg == hidden_dag.latent_projection()
    assert tuple(simulation.data.columns) == hidden_dag.observed
    assert simulation.complete_sem is not None
    assert simulation.complete_sem.admg == hidden_dag.dag
    whole = simulation.complete_sem.implied_cov()
    measured = [hidden_dag.dag.index(name) for name in hidden_dag.observed]
    cov = simulation.sem.implied_cov()
    np.testing.assert_allclose(cov, whole[np.ix_(measured, measured)], rtol=1e-8, atol=1e-10)
    scale = np.sqrt(np.diag(cov))
    sample = np.cov(simulation.data.to_numpy().T)
    assert sample / np.outer(scale, scale) == pytest.approx(cov / np.outer(scale, scale), abs=0.03)


def test_hidden_variables_standardized() -> None:
    hidden_dag = random_hidden_dag(5, 3, random_state=1)
    simulation = simulate_admg(hidden_dag, 300, standardize=True, random_state=2)
    np.testing.assert_allclose(np.diag(simulation.sem.implied_cov()), 1.0)
    np.testing.assert_allclose(simulation.data.to_numpy().var(axis=0), 1.0)


def test_sortability_is_that_of_the_data() -> None:
    simulation = simulate_admg(10, 300, random_state=1)
    cov = np.cov(simulation.data.to_numpy().T)
    assert simulation.varsortability == varsortability(cov, simulation.admg)
    assert simulation.r2_sortability == pytest.approx(r2_sortability(cov, simulation.admg))
    assert simulation.varsortability > 0.8  # the paper's simulation can nearly be solved by sorting
    standard = simulate_admg(10, 300, standardize=True, random_state=1)
    assert standard.varsortability == 0.5
    assert standard.r2_sortability == pytest.approx(simulation.r2_sortability)


def test_r2_sortability_needs_rows() -> None:
    simulation = simulate_admg(5, 4, random_state=0)
    assert len(simulation.data) == 4
    with pytest.raises(DataError, match="more rows than columns"):
        _ = simulation.r2_sortability


def test_rows_of_a_model() -> None:
    sem = simulate_admg(4, 1, random_state=0).sem
    rows = draw_rows(sem, 7, "laplace", random_state=1)
    assert rows.shape == (7, 4)
    assert list(rows.columns) == list(sem.names)
    assert rows.equals(draw_rows(sem, 7, "laplace", random_state=1))
    assert not rows.equals(draw_rows(sem, 7, "uniform", random_state=1))
    assert draw_rows(sem, 7, random_state=1).equals(sem.sample(7, random_state=1))


def test_the_data_are_the_users_own() -> None:
    for graph in (3, random_hidden_dag(3, 1, random_state=0)):
        simulation = simulate_admg(graph, 5, errors="uniform", random_state=0)
        simulation.data["new"] = 1.0  # no warning about a slice of another frame
        assert simulation.data.shape == (5, 4)


def test_simulations_cannot_be_changed() -> None:
    simulation = simulate_admg(VERMA_GRAPHS[1], 5, random_state=0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        simulation.errors = "student"  # type: ignore[misc]
    assert isinstance(simulation, Simulation)
    assert repr(simulation) == (
        "Simulation of 5 rows of 4 variables (gaussian errors, raw scale): A -> B; B -> C; C -> D; B <-> D"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_samples": 0}, "n_samples"),
        ({"n_samples": 1, "standardize": True}, "n_samples"),
        ({"errors": "cauchy"}, "must be one of"),
        ({"graph": "A -> B"}, "use ADMG.parse"),
        ({"graph": VERMA_GRAPHS[0], "graph_class": "arid"}, "'graph_class' parameter is for random graphs"),
        ({"graph": VERMA_GRAPHS[0], "names": ["a"]}, "'names' parameter is for random graphs"),
        ({"graph": VERMA_GRAPHS[0], "directed_probability": 0.1}, "'directed_probability' parameter is for random"),
        ({"graph_class": "cyclic"}, "graph_class"),
        ({"random_state": -1}, "random_state"),
    ],
)
def test_bad_arguments(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        simulate_admg(**arguments)  # type: ignore[arg-type]
