"""Random discrete models of an ADMG: joint and interventional distributions by writing everything out.

Each bidirected edge is an unmeasured variable with three values, independent of the others; each vertex has a random
conditional table given its parents and the unmeasured variables of its edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from string import ascii_letters

import numpy as np

from lurking._typing import FloatArray
from lurking.graphs.bits import BitGraph, members

STATES_OF_LATENT = 3


@dataclass(frozen=True)
class DiscreteModel:
    """The factors of a model and the axes that each of them has: vertices first, then unmeasured variables."""

    sizes: tuple[int, ...]
    vertex_tables: tuple[FloatArray, ...]
    vertex_axes: tuple[tuple[int, ...], ...]
    latent_tables: tuple[FloatArray, ...]

    def distribution(self, treatment: tuple[int, ...] = ()) -> FloatArray:
        """Return p(all vertices), or p(the others | do(treatment)) with an axis for each vertex all the same.

        In the second case the entry at a value of the treatment is the distribution after setting that value.
        """
        d = len(self.sizes)
        operands: list[str] = []
        arrays: list[FloatArray] = []
        for v, (table, axes) in enumerate(zip(self.vertex_tables, self.vertex_axes, strict=True)):
            if v in treatment:
                operands.append(ascii_letters[v])
                arrays.append(np.ones(self.sizes[v]))
            else:
                operands.append("".join(ascii_letters[axis] for axis in axes))
                arrays.append(table)
        for number, table in enumerate(self.latent_tables):
            operands.append(ascii_letters[d + number])
            arrays.append(table)
        result: FloatArray = np.einsum(f"{','.join(operands)}->{ascii_letters[:d]}", *arrays, optimize=True)
        return result


def random_model(graph: BitGraph, generator: np.random.Generator) -> DiscreteModel:
    """Return a model with vertices of two or three values."""
    d = graph.n_vertices
    sizes = tuple(int(size) for size in generator.integers(2, 4, size=d))
    edges = [(v, w) for v, w in combinations(range(d), 2) if graph.siblings[v] >> w & 1]
    tables, axes_of = [], []
    for v in range(d):
        axes = [*members(graph.parents[v]), *(d + k for k, edge in enumerate(edges) if v in edge)]
        shape = [sizes[a] if a < d else STATES_OF_LATENT for a in axes]
        # Small concentrations give strong dependence, the floor keeps every probability positive.
        table = generator.dirichlet([0.5] * sizes[v], size=shape) * 0.9 + 0.1 / sizes[v]
        tables.append(np.asarray(table, dtype=np.float64))
        axes_of.append((*axes, v))
    latents = [np.asarray(generator.dirichlet([2.0] * STATES_OF_LATENT), dtype=np.float64) for _ in edges]
    return DiscreteModel(sizes, tuple(tables), tuple(axes_of), tuple(latents))
