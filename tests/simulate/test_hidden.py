"""Hidden variables: the DAGs, and the margins of their models."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lurking._errors import GraphClassError, GraphError, ParameterError, UnknownVertexError
from lurking.graphs import ADMG
from lurking.sem.model import LinearSEM
from lurking.simulate import HiddenVariableDAG, draw_parameters, margin, random_admg, random_hidden_dag


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 10**9), d=st.integers(2, 8), h=st.integers(0, 5))
def test_random_hidden_dag(seed: int, d: int, h: int) -> None:
    most = 2 + seed % (d - 1)
    hidden_dag = random_hidden_dag(d, h, average_degree=min(2, d - 1), max_children=most, random_state=seed)
    assert len(hidden_dag.hidden) == h
    assert len(hidden_dag.observed) == d
    assert set(hidden_dag.observed) | set(hidden_dag.hidden) == set(hidden_dag.dag.names)
    for name in hidden_dag.hidden:
        assert not hidden_dag.dag.parents(name)
        assert 2 <= len(hidden_dag.dag.children(name)) <= most
    projected = hidden_dag.latent_projection()
    assert projected.names == hidden_dag.observed
    siblings = {
        frozenset((a, b))
        for name in hidden_dag.hidden
        for a in hidden_dag.dag.children(name)
        for b in hidden_dag.dag.children(name)
        if a != b
    }
    assert {frozenset(edge) for edge in projected.bidirected_edges()} == siblings
    assert projected.directed_edges() == hidden_dag.dag.subgraph(hidden_dag.observed).directed_edges()


def test_number_of_children_is_uniform() -> None:
    dags = [random_hidden_dag(6, 4, max_children=4, random_state=seed) for seed in range(200)]
    sizes = [len(dag.dag.children(name)) for dag in dags for name in dag.hidden]
    assert [sizes.count(k) / len(sizes) for k in (2, 3, 4)] == pytest.approx([1 / 3] * 3, abs=0.08)
    degree = np.mean([dag.dag.subgraph(dag.observed).n_edges for dag in dags]) * 2 / 6
    assert degree == pytest.approx(2.0, abs=0.2)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**9), st.integers(1, 4))
def test_margin_has_the_same_covariance(seed: int, n_hidden: int) -> None:
    # Hidden variables anywhere, with parents and with bidirected edges of their own.
    graph = random_admg(7, random_state=seed)
    sem = draw_parameters(graph, random_state=seed)
    rng = np.random.default_rng(seed)
    hidden = rng.choice(graph.names, size=n_hidden, replace=False).tolist()
    kept = margin(sem, hidden)
    left = [graph.index(name) for name in kept.admg.names]
    assert kept.admg == graph.latent_projection(hidden)
    cov = sem.implied_cov()[np.ix_(left, left)]
    np.testing.assert_allclose(kept.implied_cov(), cov, rtol=1e-8, atol=1e-8 * np.abs(cov).max())
    assert np.linalg.eigvalsh(kept.error_cov)[0] > 0
    np.testing.assert_array_equal(kept.coef != 0, kept.admg.directed)
    np.testing.assert_array_equal((kept.error_cov != 0) & ~np.eye(len(left), dtype=bool), kept.admg.bidirected)


def test_margin_by_hand() -> None:
    # A -> H -> B with coefficients 2 and 3: A acts on B by 6, and B inherits the error of H three-fold.
    coef = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0]])
    sem = LinearSEM(ADMG.parse("A -> H -> B"), coef, np.diag([1.0, 4.0, 5.0]))
    kept = margin(sem, ["H"])
    assert kept.admg == ADMG.parse("A -> B")
    assert kept.coef == pytest.approx(np.array([[0.0, 6.0], [0.0, 0.0]]))
    assert kept.error_cov == pytest.approx(np.diag([1.0, 41.0]))


def test_hiding_nothing_changes_nothing() -> None:
    sem = draw_parameters(random_admg(4, random_state=0), random_state=0)
    kept = margin(sem, [])
    assert kept.admg == sem.admg
    np.testing.assert_allclose(kept.coef, sem.coef)
    np.testing.assert_allclose(kept.error_cov, sem.error_cov)


def test_what_is_no_hidden_variable_dag_is_refused() -> None:
    with pytest.raises(GraphClassError, match="there is A <-> B"):
        HiddenVariableDAG(ADMG.parse("A <-> B"), ("A",))
    with pytest.raises(UnknownVertexError):
        HiddenVariableDAG(ADMG.parse("A -> B"), ("U",))
    with pytest.raises(GraphError, match="named once"):
        HiddenVariableDAG(ADMG.parse("A -> B"), ("A", "A"))
    with pytest.raises(GraphError, match="All variables are hidden"):
        HiddenVariableDAG(ADMG.parse("A -> B"), ("A", "B"))
    with pytest.raises(GraphError, match="put it in a list"):
        HiddenVariableDAG(ADMG.parse("A -> B"), "A")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"n_variables": 1}, "n_variables"), ({"n_hidden": -1}, "n_hidden"), ({"max_children": 1}, "max_children"),
     ({"n_variables": 3, "max_children": 4}, "at most n_variables"), ({"average_degree": 20}, "average_degree")],
)  # fmt: skip
def test_bad_arguments(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        random_hidden_dag(**arguments)  # type: ignore[arg-type]


def test_names_and_seeds() -> None:
    assert random_hidden_dag(2, 1, average_degree=1, names=["x", "y"]).dag.names == ("x", "y", "U1")
    assert random_hidden_dag(random_state=1) == random_hidden_dag(random_state=np.random.default_rng(1))
    assert random_hidden_dag(random_state=1) != random_hidden_dag(random_state=2)
