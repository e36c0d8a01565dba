"""No almost directed cycles: h(D, B) = [tr f(D) - d] + sum(f(D) ∘ B).

Entry (i, j) of f(D) is non-zero exactly if a directed path leads from i to j, so the second term is non-zero exactly if
some path i -> ... -> j has i <-> j between its ends. With f(D) = I + W and a zero diagonal of B, h is the scalar
product of W with I + B, and one adjoint of the matrix function gives the whole derivative by D.

>>> chain = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
>>> Ancestral("exponential").value(chain, [[0, 0, 1], [0, 0, 0], [1, 0, 0]])  # A -> B -> C with A <-> C: 1/2!
0.5
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lurking._compile import compiled
from lurking._typing import FloatArray
from lurking.constraints._settings import Settings
from lurking.constraints._walk_kernels import chain_length, walk_adjoint_kernel, walk_kernel, walk_scratch
from lurking.constraints.base import ClassPenalty, checked_weights

__all__ = ["Ancestral", "ancestral_kernel"]


class Ancestral(ClassPenalty):
    """Zero exactly if the graph is acyclic and no directed path has a bidirected edge between its ends.

    One power and its adjoint per evaluation, about three times the cost of the acyclicity term: O(d³ log d).

    Parameters
    ----------
    form : {"power", "exponential"}, default="power"
        How directed walks are added up.
    directed_factor : float, default=1.0
        The c of the power form.
    """

    graph_class = "ancestral"
    compiled_code = 2

    def value_and_grad_weights(self, D: ArrayLike, B: ArrayLike) -> tuple[float, FloatArray, FloatArray]:
        """Return h and its derivatives; see :meth:`ClassPenalty.value_and_grad_weights`."""
        directed, bidirected = checked_weights(D, B)
        grad_D, grad_B = np.empty_like(directed), np.empty_like(bidirected)
        value = ancestral_kernel(directed, bidirected, self.settings(), grad_D, grad_B)
        return value, grad_D, grad_B


@compiled
def ancestral_kernel(D: FloatArray, B: FloatArray, settings: Settings, grad_D: FloatArray, grad_B: FloatArray) -> float:
    """Write the derivatives of <f(D) - I, I + B> and return its value."""
    d = D.shape[0]
    walks, pairing = np.empty((d, d)), np.empty((d, d))
    chain = np.empty((chain_length(d), d, d))
    scratch = walk_scratch(d)
    walk_kernel(D, d, d, settings.directed_factor, settings.exponential, chain, scratch, walks)
    value = 0.0
    for i in range(d):
        for j in range(d):
            pairing[i, j] = B[i, j]
        pairing[i, i] += 1.0
        for j in range(d):
            value += walks[i, j] * pairing[i, j]
            grad_B[i, j] = 0.5 * (walks[i, j] + walks[j, i])
        grad_B[i, i] = 1.0 + walks[i, i]
    walk_adjoint_kernel(D, d, d, settings.directed_factor, settings.exponential, chain, pairing, scratch, grad_D)
    return value
