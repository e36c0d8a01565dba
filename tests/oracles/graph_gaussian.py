"""What a graph says about a Gaussian covariance matrix, found with numbers and no graph theory.

The linear model of a graph is the set of all ``inv(I-L).T @ W @ inv(I-L)`` with L supported by the directed edges and W
positive definite and supported by the bidirected ones. Its dimension is the rank of the derivative at a random
point. A covariance matrix lies in the model of an acyclic bow-free graph if the coefficients that the graph would
need leave errors with no covariance where the graph has no edge; the coefficients solve one linear system per vertex
(Brito and Pearl 2002), unless that system is singular.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from oracles.graph_listing import Graphs
from oracles.graph_paths import ancestry

Floats = NDArray[np.float64]


def random_parameters(graphs: Graphs, seed: int) -> tuple[Floats, Floats]:
    """Return coefficients and error covariances of each graph, with no entry near zero."""
    generator = np.random.default_rng(seed)
    n, d = len(graphs), graphs.n_vertices
    numbers = generator.uniform(0.5, 1.5, (2, n, d, d)) * generator.choice((-1.0, 1.0), (2, n, d, d))
    lower: Floats = np.tril(numbers[1] / d, -1)  # small enough for a dominant diagonal
    shared = (lower + lower.transpose(0, 2, 1)) * graphs.bidirected
    return numbers[0] * graphs.directed, shared + np.eye(d) * generator.uniform(1.5, 2.5, (n, d, 1))


def covariances(coef: Floats, cov: Floats) -> Floats:
    total = np.asarray(np.linalg.inv(np.eye(coef.shape[1]) - coef), dtype=np.float64)
    return total.transpose(0, 2, 1) @ cov @ total


def dimensions(graphs: Graphs, seed: int) -> NDArray[np.int64]:
    """Return the dimension of each graph's model: the rank of the derivative of the covariance at a random point."""
    coef, cov = random_parameters(graphs, seed)
    n, d = len(graphs), graphs.n_vertices
    total = np.linalg.inv(np.eye(d) - coef)
    sigma = covariances(coef, cov)
    upper = np.triu_indices(d)
    rows = []
    for i in range(d):
        for j in range(d):
            if i != j:  # d sigma = (E_ij total).T @ sigma + its transpose, E_ij the unit matrix
                half = total[:, j, :, np.newaxis] * sigma[:, i, np.newaxis, :]
                rows.append((half + half.transpose(0, 2, 1)) * graphs.directed[:, i, j, np.newaxis, np.newaxis])
    for i, j in (*combinations(range(d), 2), *((i, i) for i in range(d))):
        half = total[:, i, :, np.newaxis] * total[:, j, np.newaxis, :]
        present = graphs.bidirected[:, i, j] if i != j else np.ones(n, dtype=bool)
        rows.append((half + half.transpose(0, 2, 1)) * present[:, np.newaxis, np.newaxis])
    jacobian = np.stack([row[:, *upper] for row in rows], axis=1)
    return np.asarray(np.linalg.matrix_rank(jacobian, rtol=1e-9))


def misfit(sigma: Floats, graphs: Graphs) -> Floats:
    """Return, per graph, the largest error correlation where the graph has no edge; 0 if sigma is in its model."""
    n, d = len(graphs), graphs.n_vertices
    order = np.argsort(ancestry(graphs).sum(axis=1), axis=1, kind="stable")  # ancestors have fewer ancestors
    graph, row, column = np.arange(n)[:, None, None], order[:, :, None], order[:, None, :]
    directed, bidirected = graphs.directed[graph, row, column], graphs.bidirected[graph, row, column]
    sigma = sigma[graph, row, column]
    coef = np.zeros((n, d, d))
    for v in range(1, d):
        # Errors of v and of its parent p are uncorrelated: (e_p - coef_p)' sigma (e_v - coef_v) = 0, p's being known.
        known = (np.eye(d) - coef).transpose(0, 2, 1) @ sigma
        parent = directed[:, :v, v]
        both = parent[:, :, np.newaxis] & parent[:, np.newaxis, :]
        system = np.where(both, known[:, :v, :v], np.eye(v))
        coef[:, :v, v] = np.linalg.solve(system, np.where(parent, known[:, :v, v], 0)[..., np.newaxis])[..., 0]
    left = np.eye(d) - coef
    errors = left.transpose(0, 2, 1) @ sigma @ left
    scale = np.sqrt(np.einsum("gii->gi", errors))
    correlations = np.abs(errors) / (scale[:, :, np.newaxis] * scale[:, np.newaxis, :])
    absent = ~bidirected & ~np.eye(d, dtype=bool)
    return np.asarray((correlations * absent).max(axis=(1, 2)))
