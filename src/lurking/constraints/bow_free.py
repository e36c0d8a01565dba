"""No bows: h(D, B) = [tr f(D) - d] + sum(D ∘ B).

A pair with both i -> j and i <-> j is a bow, and D ∘ B is non-zero exactly there. The first term keeps the graph
acyclic (:mod:`lurking.constraints.acyclic`).

>>> bow = BowFree().value([[0, 2], [0, 0]], [[0, 3], [3, 0]])
>>> bow  # one bow with weights 2 and 3
6.0
>>> BowFree().value([[0, 2, 0], [0, 0, 1], [0, 0, 0]], [[0, 0, 3], [0, 0, 0], [3, 0, 0]])
0.0
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lurking._compile import compiled
from lurking._typing import FloatArray
from lurking.constraints._settings import Settings
from lurking.constraints.acyclic import acyclic_kernel
from lurking.constraints.base import ClassPenalty, checked_weights

__all__ = ["BowFree", "bow_free_kernel"]


class BowFree(ClassPenalty):
    """Zero exactly if the graph is acyclic and no pair has both a directed and a bidirected edge.

    The cost is that of the acyclicity term, O(d³ log d), and d² more.

    Parameters
    ----------
    form : {"power", "exponential"}, default="power"
        How closed walks are added up.
    directed_factor : float, default=1.0
        The c of the power form.
    """

    graph_class = "bow-free"
    compiled_code = 1

    def value_and_grad_weights(self, D: ArrayLike, B: ArrayLike) -> tuple[float, FloatArray, FloatArray]:
        """Return h and its derivatives; see :meth:`ClassPenalty.value_and_grad_weights`."""
        directed, bidirected = checked_weights(D, B)
        grad_D, grad_B = np.empty_like(directed), np.empty_like(bidirected)
        value = bow_free_kernel(directed, bidirected, self.settings(), grad_D, grad_B)
        return value, grad_D, grad_B


@compiled
def bow_free_kernel(D: FloatArray, B: FloatArray, settings: Settings, grad_D: FloatArray, grad_B: FloatArray) -> float:
    """Write the derivatives of tr f(D) - d + sum(D ∘ B) and return its value."""
    d = D.shape[0]
    value = acyclic_kernel(D, settings, grad_D)
    for i in range(d):
        for j in range(d):
            value += D[i, j] * B[i, j]
            grad_D[i, j] += B[i, j]
            grad_B[i, j] = 0.5 * (D[i, j] + D[j, i])
    return value
