"""Theorem 1 on every mixed graph with four vertices: a constraint is zero exactly if the graph is in its class."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np
import pytest

from lurking._compile import compiled
from lurking._typing import BoolMatrix, FloatArray
from lurking.constraints import CONSTRAINTS, Form, constraint_for
from lurking.constraints._dispatch import constraint_kernel
from lurking.constraints._settings import Settings
from lurking.constraints.walk_sums import FORMS
from lurking.graphs.bits import BitGraph
from lurking.graphs.classes import find_almost_directed_cycle, find_bow, find_c_tree
from lurking.graphs.relations import topological_order

N_VERTICES = 4
MEMBERS = {"acyclic": 0, "bow-free": 1, "arid": 2, "ancestral": 3}
NO_EDGES = np.zeros((N_VERTICES, N_VERTICES), dtype=bool)


def matrices(pairs: list[tuple[int, int]], symmetric: bool) -> Iterator[BoolMatrix]:
    for chosen in product([False, True], repeat=len(pairs)):
        matrix = np.zeros((N_VERTICES, N_VERTICES), dtype=bool)
        for (i, j), present in zip(pairs, chosen, strict=True):
            matrix[i, j] = present
            if symmetric:
                matrix[j, i] = present
        yield matrix


@cache
def directed_graphs() -> tuple[BoolMatrix, ...]:
    return tuple(matrices([(i, j) for i in range(4) for j in range(4) if i != j], symmetric=False))


@cache
def bidirected_graphs() -> tuple[tuple[BoolMatrix, tuple[int, ...]], ...]:
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    return tuple((m, BitGraph.from_matrices(NO_EDGES, m).siblings) for m in matrices(pairs, symmetric=True))


def is_acyclic(directed: BoolMatrix) -> bool:
    return topological_order(BitGraph.from_matrices(directed, NO_EDGES)) is not None


@cache
def all_admgs() -> tuple[FloatArray, FloatArray, BoolMatrix]:
    """All 543 x 64 graphs as weights of one, with the truth about each class from the graph algorithms."""
    D, B, truth = [], [], []
    for directed in directed_graphs():
        if not is_acyclic(directed):
            continue
        parents = BitGraph.from_matrices(directed, NO_EDGES).parents
        for bidirected, siblings in bidirected_graphs():
            bits = BitGraph(parents, siblings)
            D.append(directed)
            B.append(bidirected)
            truth.append(
                [True, find_bow(bits) is None, find_c_tree(bits) is None, find_almost_directed_cycle(bits) is None]
            )
    return np.array(D, dtype=float), np.array(B, dtype=float), np.array(truth)


@compiled
def values_of_many(settings: Settings, D: FloatArray, B: FloatArray) -> FloatArray:
    values = np.empty(D.shape[0])
    grad_D, grad_B = np.empty(D.shape[1:]), np.empty(D.shape[1:])
    for g in range(D.shape[0]):
        values[g] = constraint_kernel(settings, D[g], B[g], grad_D, grad_B)
    return values


def values(graph_class: str, form: Form, D: FloatArray, B: FloatArray) -> FloatArray:
    """What ``value`` says of each graph, a hundred of them asked one by one, all of them in one compiled loop."""
    constraint = constraint_for(graph_class, form)
    many = values_of_many(constraint.settings(), D, B)
    for g in np.linspace(0, len(D) - 1, 100).astype(int).tolist():
        assert constraint.value(D[g], B[g]) == pytest.approx(many[g], rel=1e-12, abs=0.0)
    return many


def test_numbers_of_graphs() -> None:
    truth = all_admgs()[2]
    assert len(directed_graphs()) == 4096
    # as counted by brute force in DESIGN 4.1
    assert truth.sum(axis=0).tolist() == [543 * 64, 3608, 3560, 2504]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("graph_class", CONSTRAINTS)
def test_zero_exactly_without_directed_cycle(graph_class: str, form: Form) -> None:
    D = np.array(directed_graphs(), dtype=float)
    found = values(graph_class, form, D, np.zeros_like(D))
    acyclic = np.array([is_acyclic(directed) for directed in directed_graphs()])
    assert acyclic.sum() == 543
    assert (found[acyclic] == 0.0).all()
    assert (found[~acyclic] > 1e-3).all()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("graph_class", CONSTRAINTS)
def test_zero_exactly_on_the_class(graph_class: str, form: Form) -> None:
    D, B, truth = all_admgs()
    found = values(graph_class, form, D, B)
    inside = truth[:, MEMBERS[graph_class]]
    assert (found[inside] == 0.0).all()
    # Outside, the smallest value is far above the tolerance of 1e-8 that the solver uses.
    assert (found[~inside] > 1e-3).all()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("graph_class", ["ancestral", "arid", "bow-free"])
def test_the_size_of_the_weights_does_not_matter_for_zero(graph_class: str, form: Form) -> None:
    rng = np.random.default_rng(0)
    constraint = constraint_for(graph_class, form)
    D, B, truth = all_admgs()
    for g in rng.choice(len(D), 400, replace=False).tolist():
        coef = D[g] * rng.uniform(0.5, 2.0, (4, 4)) * rng.choice([-1, 1], (4, 4))
        error_cov = np.triu(B[g] * rng.uniform(0.4, 0.7, (4, 4)))
        value, *_ = constraint.value_and_grad(coef, error_cov + error_cov.T + 2 * np.eye(4))
        assert (value == 0.0) == truth[g, MEMBERS[graph_class]]
