r"""Whether a covariance belongs to the linear model of a bow-free graph, in exact arithmetic.

The coefficients of a bow-free linear model can be computed from its covariance Σ, vertex by vertex in topological order
(Brito and Pearl 2002). The error of v is uncorrelated with the error of each of its parents, and those are known by
then: with :math:`\varepsilon_p` the error of parent p,

.. math:: \sum_{q \in pa(v)} \mathrm{cov}(\varepsilon_p, X_q)\, b_q = \mathrm{cov}(\varepsilon_p, X_v), \; p \in pa(v),

as many equations as unknowns, and regular almost everywhere. Σ belongs to the graph if the errors that are left are
uncorrelated wherever the graph has no edge.

All of this is addition, multiplication and division, so it can be done modulo a large prime: no rounding, no
tolerance. An equation that fails there fails; one that holds at a random point holds everywhere, unless the point was a
root of a polynomial, which has a probability below degree / prime (Schwartz 1980).

>>> chain = BitGraph.from_edges(3, directed=[(0, 1), (1, 2)])
>>> fork = BitGraph.from_edges(3, directed=[(1, 0), (1, 2)])
>>> collider = BitGraph.from_edges(3, directed=[(0, 1), (2, 1)])
>>> covariance = random_covariance(chain, Random(0))
>>> belongs(covariance, fork), belongs(covariance, collider)
(True, False)

References
----------
C. Brito and J. Pearl (2002). A new identification condition for recursive models with correlated errors. Structural
Equation Modeling 9.
J. Schwartz (1980). Fast probabilistic algorithms for verification of polynomial identities. Journal of the ACM 27.
"""

from __future__ import annotations

from random import Random

from lurking.graphs.bits import BitGraph, members, singleton
from lurking.graphs.relations import topological_order

__all__ = ["PRIME", "Placement", "belongs", "random_covariance"]

PRIME = (1 << 61) - 1
"""All arithmetic is modulo this (Mersenne) prime."""

Row = list[int]


def random_covariance(graph: BitGraph, random: Random) -> list[Row]:
    """Return the covariance of a graph at random parameters: column by column, causes first."""
    d = graph.n_vertices
    error = [[0] * d for _ in range(d)]
    for v in range(d):
        for w in members((graph.siblings[v] | singleton(v)) & (2 * singleton(v) - 1)):
            error[v][w] = error[w][v] = random.randrange(1, PRIME)
    # mixed[v][w] = cov(X_v, error_w), and X_v = error_v + sum of coefficient times parent.
    mixed = [list(row) for row in error]
    covariance = [[0] * d for _ in range(d)]
    order = topological_order(graph) or []
    for place, v in enumerate(order):
        weights = [(p, random.randrange(1, PRIME)) for p in members(graph.parents[v])]
        for w in range(d):
            mixed[v][w] = (error[v][w] + sum(weight * mixed[p][w] for p, weight in weights)) % PRIME
        for w in order[: place + 1]:
            # The covariance with an earlier w: its part of the error of v, and its covariances with the parents.
            inner = mixed[w][v] + sum(weight * covariance[p][w] for p, weight in weights)
            covariance[v][w] = covariance[w][v] = inner % PRIME
    return covariance


def _solve(matrix: list[Row], right: Row) -> Row | None:
    """Solve a linear system modulo the prime, or return None if it is singular."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    n = len(rows)
    for column in range(n):
        pivot = next((r for r in range(column, n) if rows[r][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        inverse = pow(rows[column][column], -1, PRIME)
        rows[column] = [value * inverse % PRIME for value in rows[column]]
        for r in range(n):
            factor = rows[r][column]
            if r != column and factor:
                rows[r] = [(a - factor * b) % PRIME for a, b in zip(rows[r], rows[column], strict=True)]
    return [row[n] for row in rows]


class Placement:
    """The vertices of a partial graph, parents first, with the error that each of them leaves.

    ``errors[v][w]`` is the covariance of the error of v with the variable w.
    """

    def __init__(self, covariance: list[Row]) -> None:
        self.covariance = covariance
        self.errors: dict[int, Row] = {}

    def place(self, vertex: int, parents: int, unrelated: int) -> bool:
        """Give a vertex its parents; tell whether its error is uncorrelated with those of ``unrelated`` vertices."""
        causes = list(members(parents))
        weights = _solve(
            [[self.errors[p][q] for q in causes] for p in causes], [self.errors[p][vertex] for p in causes]
        )
        if weights is None:
            return False  # on the model of this graph the system is regular almost everywhere
        terms = list(zip(causes, weights, strict=True))
        for w in members(unrelated):
            row = self.errors[w]
            if (row[vertex] - sum(weight * row[q] for q, weight in terms)) % PRIME:
                return False
        rows = [(self.covariance[q], weight) for q, weight in terms]
        self.errors[vertex] = [
            (own - sum(weight * row[w] for row, weight in rows)) % PRIME
            for w, own in enumerate(self.covariance[vertex])
        ]
        return True


def belongs(covariance: list[Row], graph: BitGraph) -> bool:
    """Tell whether a covariance belongs to a bow-free graph that has as many edges as the graph it was made from."""
    placement = Placement(covariance)
    earlier = 0
    for vertex in topological_order(graph) or []:
        unrelated = earlier & ~(graph.parents[vertex] | graph.siblings[vertex])
        if not placement.place(vertex, graph.parents[vertex], unrelated):
            return False
        earlier |= singleton(vertex)
    return True
