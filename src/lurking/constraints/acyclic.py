"""No directed cycles: h(D) = tr e^D - d, or tr (I + D)^d - d.

The diagonal of D^k adds up the closed walks of k edges, so the trace is d exactly if there is none (Zheng et al. 2018;
the power form is due to Yu et al. 2019). The derivative is one more matrix function, (e^D)ᵀ or d·((I + D)^(d-1))ᵀ.

>>> acyclic = Acyclic("exponential")
>>> acyclic.value([[0, 1], [0, 0]], [[0, 0], [0, 0]])
0.0
>>> round(acyclic.value([[0, 1], [1, 0]], [[0, 0], [0, 0]]), 6)  # 2·cosh(1) - 2
1.086161

References
----------
Zheng, Aragam, Ravikumar, Xing (2018), DAGs with NO TEARS. Yu, Chen, Gao, Yu (2019), DAG-GNN.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lurking._compile import compiled
from lurking._typing import FloatArray
from lurking.constraints._settings import Settings
from lurking.constraints._walk_kernels import chain_length, walk_kernel, walk_scratch
from lurking.constraints.base import ClassPenalty, checked_weights

__all__ = ["Acyclic", "acyclic_kernel"]


class Acyclic(ClassPenalty):
    """Zero exactly if the directed edges form no cycle; bidirected edges play no part.

    One power (or exponential) per evaluation gives the value and the derivative: O(d³ log d).

    Parameters
    ----------
    form : {"power", "exponential"}, default="power"
        tr (I + cD)^d - d or tr e^D - d.
    directed_factor : float, default=1.0
        The c of the power form.
    """

    graph_class = "acyclic"
    compiled_code = 0

    def value_and_grad_weights(self, D: ArrayLike, B: ArrayLike) -> tuple[float, FloatArray, FloatArray]:
        """Return h and its derivatives; see :meth:`ClassPenalty.value_and_grad_weights`."""
        directed, bidirected = checked_weights(D, B)
        grad_D = np.empty_like(directed)
        value = acyclic_kernel(directed, self.settings(), grad_D)
        return value, grad_D, np.zeros_like(bidirected)


@compiled
def acyclic_kernel(D: FloatArray, settings: Settings, grad_D: FloatArray) -> float:
    """Write the derivative of tr f(D) - d and return its value."""
    d = D.shape[0]
    walks = np.empty((d, d))
    chain = np.empty((chain_length(d - 1), d, d))
    scratch = walk_scratch(d)
    value = 0.0
    factor = settings.directed_factor
    # The exponential is its own derivative; for the power (I + cD)^d one power less serves value and derivative.
    exponent = d if settings.exponential else d - 1
    walk_kernel(D, d, exponent, factor, settings.exponential, chain, scratch, walks)
    if settings.exponential:
        for i in range(d):
            value += walks[i, i]
            for j in range(d):
                grad_D[j, i] = walks[i, j]
            grad_D[i, i] += 1.0
        return value
    # With N = (I + cD)^(d-1) the trace of (I + cD)^d - I is that of N - I + cD + (N - I)·cD.
    for i in range(d):
        value += walks[i, i] + factor * D[i, i]
        for j in range(d):
            value += factor * walks[i, j] * D[j, i]
            grad_D[j, i] = factor * d * walks[i, j]
        grad_D[i, i] += factor * d
    return value
