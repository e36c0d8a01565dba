"""Greenery (Algorithm 1) and its derivative, compiled; the mathematics is in :mod:`lurking.constraints.arid`.

Three things save work. The first pass is the same for all roots and is done once, forwards and backwards. Vertices
without a bidirected edge drop out of the powers. And if only the derivative by non-zero weights is wanted, a vertex of
which less than 1e-20 is left counts as fixed, and a root for which no bidirected edge is left adds nothing.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from lurking._compile import compiled, inlined
from lurking._typing import FloatArray, IntArray
from lurking.constraints._settings import Settings
from lurking.constraints._walk_kernels import (
    chain_length,
    symmetric_walk_adjoint_kernel,
    walk_adjoint_kernel,
    walk_kernel,
    walk_scratch,
)

__all__ = ["greenery_kernel"]

_FIXED = 1e-20


@inlined
def _linked_vertices(B: FloatArray, a: FloatArray, only_nonzero: bool, chosen: IntArray) -> int:
    """List the vertices that still have a bidirected edge (or all vertices); return how many."""
    d = B.shape[0]
    count = 0
    for j in range(d):
        linked = not only_nonzero
        if not linked and a[j] != 0.0:
            for k in range(d):
                if B[j, k] != 0.0 and a[k] != 0.0:
                    linked = True
                    break
        if linked:
            chosen[count] = j
            count += 1
    return count


@inlined
def _surviving_vertices(a: FloatArray, only_nonzero: bool, chosen: IntArray) -> int:
    """List the vertices of which something is left (or all vertices); return how many."""
    count = 0
    for j in range(a.shape[0]):
        if not only_nonzero or a[j] != 0.0:
            chosen[count] = j
            count += 1
    return count


@inlined
def _remaining_directed(D: FloatArray, a: FloatArray, chosen: IntArray, m: int, out: FloatArray) -> None:
    """Write what is left of D among the chosen vertices."""
    for p in range(m):
        for q in range(m):
            out[p, q] = D[chosen[p], chosen[q]] * a[chosen[q]]


@compiled
def _remaining_bidirected(B: FloatArray, a: FloatArray, chosen: IntArray, m: int, out: FloatArray) -> None:
    """Write what is left of B among the chosen vertices."""
    for p in range(m):
        for q in range(m):
            out[p, q] = B[chosen[p], chosen[q]] * a[chosen[p]] * a[chosen[q]]


class _Memory(NamedTuple):
    """What the forward passes leave for the backward passes, and working space."""

    left: FloatArray  # (d, d): row r is the vector a before pass r
    fixing: FloatArray  # (d, d): row r is the tanh of pass r
    chosen: IntArray  # (d, d): row r lists the vertices that take part in pass r
    counts: IntArray  # (d,): how many they are
    walks: FloatArray  # (d, d, d): walk sums of B' in each pass; the last for the count at the root
    chains: FloatArray  # (d, length, d, d): the powers on the way to them
    weights: FloatArray  # (d, d), like all that follow
    pull: FloatArray
    first_pull: FloatArray  # the derivative by the walk sums of the first pass, all roots together
    adjoint: FloatArray
    directed_weights: FloatArray
    directed_walks: FloatArray
    directed_chain: FloatArray  # (length, d, d)
    scratch: FloatArray
    a_pull: FloatArray  # (d,): the derivative by the vector a


@inlined
def _allocate(d: int) -> _Memory:
    length = chain_length(d)
    return _Memory(
        np.empty((d, d)),
        np.empty((d, d)),
        np.empty((d, d), np.int64),
        np.empty(d, np.int64),
        np.empty((d, d, d)),
        np.empty((d, length, d, d)),
        np.empty((d, d)),
        np.empty((d, d)),
        np.zeros((d, d)),
        np.empty((d, d)),
        np.empty((d, d)),
        np.empty((d, d)),
        np.empty((length, d, d)),
        walk_scratch(d),
        np.empty(d),
    )


@inlined
def _count_bidirected_walks(B: FloatArray, r: int, settings: Settings, memory: _Memory) -> None:
    """Write the walk sums of B' for pass r."""
    a, chosen = memory.left[r], memory.chosen[r]
    m = _linked_vertices(B, a, settings.only_nonzero, chosen)
    memory.counts[r] = m
    _remaining_bidirected(B, a, chosen, m, memory.weights)
    walk_kernel(
        memory.weights,
        m,
        B.shape[0],
        settings.bidirected_factor,
        settings.exponential,
        memory.chains[r],
        memory.scratch,
        memory.walks[r],
    )


@inlined
def _fix_softly(D: FloatArray, B: FloatArray, root: int, settings: Settings, memory: _Memory) -> bool:
    """Run the d - 1 passes for one root; False if no bidirected edge was left before the last."""
    d = D.shape[0]
    for r in range(d - 1):
        if r > 0 or root == 0:  # the first pass is the same for all roots
            _count_bidirected_walks(B, r, settings, memory)
        a, fixing, chosen, walks = memory.left[r], memory.fixing[r], memory.chosen[r], memory.walks[r]
        m = memory.counts[r]
        if m == 0:
            return False
        for j in range(d):
            fixing[j] = D[j, j] * a[j]
        for p in range(m):
            j = chosen[p]
            for q in range(m):
                k = chosen[q]
                fixing[j] += walks[p, q] * D[j, k] * a[k]
        for j in range(d):
            fixing[j] = math.tanh(settings.tanh_scale * (fixing[j] + (1.0 if j == root else 0.0)))
            left = a[j] * fixing[j]
            memory.left[r + 1, j] = 0.0 if settings.only_nonzero and left < _FIXED else left
    return True


@inlined
def _count_at_root(
    D: FloatArray,
    B: FloatArray,
    root: int,
    settings: Settings,
    memory: _Memory,
    grad_D: FloatArray,
    grad_B: FloatArray,
) -> float:
    """Return the sum of column ``root`` of f(D') ∘ f(B') less 1, add its derivatives, and start ``a_pull``."""
    d = D.shape[0]
    a, vertices, walks, chain = memory.left[d - 1], memory.chosen[d - 1], memory.walks[d - 1], memory.chains[d - 1]
    weights, pull, adjoint = memory.weights, memory.pull, memory.adjoint
    m = _surviving_vertices(a, settings.only_nonzero, vertices)
    at_root = 0
    while vertices[at_root] != root:
        at_root += 1
    for j in range(d):
        memory.a_pull[j] = 0.0
    _remaining_bidirected(B, a, vertices, m, weights)
    walk_kernel(weights, m, d, settings.bidirected_factor, settings.exponential, chain, memory.scratch, walks)
    along, along_walks, along_chain = memory.directed_weights, memory.directed_walks, memory.directed_chain
    _remaining_directed(D, a, vertices, m, along)
    walk_kernel(along, m, d, settings.directed_factor, settings.exponential, along_chain, memory.scratch, along_walks)
    # (1 + x)(1 + y) - 1 = x + y + xy on the diagonal, xy elsewhere
    value: float = walks[at_root, at_root] + along_walks[at_root, at_root]
    for p in range(m):
        value += along_walks[p, at_root] * walks[p, at_root]

    for p in range(m):
        for q in range(m):
            pull[p, q] = 0.0
        pull[p, at_root] = walks[p, at_root]
    pull[at_root, at_root] += 1.0
    walk_adjoint_kernel(
        along, m, d, settings.directed_factor, settings.exponential, along_chain, pull, memory.scratch, adjoint
    )
    for p in range(m):
        j = vertices[p]
        for q in range(m):
            k = vertices[q]
            grad_D[j, k] += adjoint[p, q] * a[k]
            memory.a_pull[k] += adjoint[p, q] * D[j, k]

    for p in range(m):
        for q in range(m):
            pull[p, q] = 0.0
    for p in range(m):  # made symmetric, as B' is
        pull[p, at_root] += 0.5 * along_walks[p, at_root]
        pull[at_root, p] += 0.5 * along_walks[p, at_root]
    pull[at_root, at_root] += 1.0
    symmetric_walk_adjoint_kernel(
        weights, m, d, settings.bidirected_factor, settings.exponential, chain, pull, memory.scratch, adjoint
    )
    _pull_bidirected(B, a, vertices, m, adjoint, grad_B, memory.a_pull)
    return value


@inlined
def _run_backwards(
    D: FloatArray,
    B: FloatArray,
    settings: Settings,
    memory: _Memory,
    grad_D: FloatArray,
    grad_B: FloatArray,
) -> None:
    """Carry ``a_pull`` from the last pass to the first and add what it leaves on D and B."""
    d = D.shape[0]
    pull, a_pull = memory.pull, memory.a_pull
    t_pull = np.empty(d)
    for r in range(d - 2, -1, -1):
        a, fixing, walks = memory.left[r], memory.fixing[r], memory.walks[r]
        m, vertices = memory.counts[r], memory.chosen[r]
        for j in range(d):
            t_pull[j] = a_pull[j] * a[j] * settings.tanh_scale * (1.0 - fixing[j] * fixing[j])
            a_pull[j] = a_pull[j] * fixing[j] + t_pull[j] * D[j, j]
            grad_D[j, j] += t_pull[j] * a[j]
        if r == 0:
            pull = memory.first_pull
        else:
            for p in range(m):
                for q in range(m):
                    pull[p, q] = 0.0
        for p in range(m):
            j = vertices[p]
            if t_pull[j] == 0.0:
                continue
            for q in range(m):
                k = vertices[q]
                half = 0.5 * t_pull[j] * D[j, k] * a[k]
                pull[p, q] += half
                pull[q, p] += half
                along = t_pull[j] * walks[p, q]
                grad_D[j, k] += along * a[k]
                a_pull[k] += along * D[j, k]
        if r > 0:
            _pull_through_walks(B, r, pull, settings, memory, grad_B)


@compiled
def _pull_through_walks(
    B: FloatArray,
    r: int,
    pull: FloatArray,
    settings: Settings,
    memory: _Memory,
    grad_B: FloatArray,
) -> None:
    """Pass the derivative by the walk sums of pass r on to B and to a."""
    a, vertices, m = memory.left[r], memory.chosen[r], memory.counts[r]
    _remaining_bidirected(B, a, vertices, m, memory.weights)
    symmetric_walk_adjoint_kernel(
        memory.weights,
        m,
        B.shape[0],
        settings.bidirected_factor,
        settings.exponential,
        memory.chains[r],
        pull,
        memory.scratch,
        memory.adjoint,
    )
    _pull_bidirected(B, a, vertices, m, memory.adjoint, grad_B, memory.a_pull)


@compiled
def greenery_kernel(
    D: FloatArray,
    B: FloatArray,
    settings: Settings,
    grad_D: FloatArray,
    grad_B: FloatArray,
) -> float:
    """Add the derivatives of Greenery to ``grad_D`` and ``grad_B`` and return its value."""
    d = D.shape[0]
    memory = _allocate(d)
    for j in range(d):
        memory.left[0, j] = 1.0
    value = 0.0
    for root in range(d):
        if _fix_softly(D, B, root, settings, memory):
            value += _count_at_root(D, B, root, settings, memory, grad_D, grad_B)
            _run_backwards(D, B, settings, memory, grad_D, grad_B)
    for first in range(min(d - 1, 1)):
        _pull_through_walks(B, first, memory.first_pull, settings, memory, grad_B)
    return value


@compiled
def _pull_bidirected(
    B: FloatArray,
    a: FloatArray,
    vertices: IntArray,
    m: int,
    adjoint: FloatArray,
    grad_B: FloatArray,
    a_pull: FloatArray,
) -> None:
    """Pass the derivative by B' = B_jk a_j a_k on to B and to a."""
    for p in range(m):
        j = vertices[p]
        for q in range(m):
            k = vertices[q]
            grad_B[j, k] += adjoint[p, q] * a[j] * a[k]
            a_pull[j] += 2.0 * adjoint[p, q] * B[j, k] * a[k]
