r"""No c-trees: h(D, B) = [tr f(D) - d] + Greenery(D, B), Algorithm 1 of Bhattacharya et al. (2021).

**The idea.** A vertex is *primal fixable* if no bidirected path leads from it to one of its children; fixing it removes
all edges into it. A graph has a c-tree with root i exactly if not everything but i can be fixed, one vertex after the
other (appendix A of the paper). Greenery does this with numbers instead of sets. For each root i it repeats d - 1 times

    t_j = Σ_k f(B')_jk D'_jk            zero exactly if j is fixable
    a_j ← a_j · tanh(scale·(t_j + [j = i]))
    D'_jk = D_jk a_k,   B'_jk = B_jk a_j a_k

and then adds Σ_j f(D')_ji f(B')_ji - 1, which counts the vertices that still have both a directed and a bidirected path
to the root. All that changes from pass to pass is the vector a, how much of each vertex is left.

**Derivative.** The passes are run backwards, last to first, with the vectors a and the powers of B' of every pass kept.
Adjoint of a power: :mod:`lurking.constraints.walk_sums`; B' is symmetric, which saves half of the products.

**Cost.** d·(d-1) powers of a matrix, O(log d) products each, so O(d⁵ log d) per evaluation with the derivative, where
the plain binomial sum needs O(d⁶). Zero weights are used: for the parameters of a model (where the derivative by a zero
weight is not needed, because it is multiplied by the zero parameter) rows without bidirected edges drop out of every
power, so late in a search, when most weights are exactly zero, an evaluation costs a small part of that.

**Weak c-trees.** tanh makes a soft decision: if all weights of a c-tree are small, t_j is small, and a_j is about
(scale·t_j)^(d-1), which is smaller still. A c-tree of weak edges can therefore pass below any tolerance, although
in exact arithmetic the value is positive. docs/solver-dcd.md has the measured limits. A graph that came out of an
optimisation is for this reason always checked by :meth:`lurking.graphs.ADMG.witness`, never by h alone.

>>> D = np.diag([1.0, 1.0, 1.0], k=1)  # V1 -> V2 -> V3 -> V4
>>> B = np.zeros((4, 4))
>>> B[0, 2] = B[2, 0] = B[0, 3] = B[3, 0] = 1.0  # V1 <-> V3, V1 <-> V4: arid
>>> Arid("exponential").value(D, B)
0.0
>>> B[1, 3] = B[3, 1] = 1.0  # V2 <-> V4 closes a c-tree with root V4
>>> round(Arid("exponential", tanh_scale=10.0).value(D, B), 6)
2.459968
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from lurking._compile import compiled
from lurking._typing import FloatArray
from lurking.constraints._greenery import greenery_kernel
from lurking.constraints._settings import Settings
from lurking.constraints.acyclic import acyclic_kernel
from lurking.constraints.base import ClassPenalty, checked_weights, positive_number
from lurking.constraints.walk_sums import Form

__all__ = ["Arid", "arid_kernel"]


class Arid(ClassPenalty):
    """Zero exactly if the graph is acyclic and has no c-tree.

    Parameters
    ----------
    form : {"power", "exponential"}, default="power"
        How walks are added up.
    directed_factor : float, default=1.0
        The c of the power form for directed edges.
    bidirected_factor : float, default=2.0
        The c of the power form for bidirected edges.
    tanh_scale : float, default=ln(5000)
        Sharpness of the soft fixing. With 1 even c-trees of unit weights can come out below 1e-8.
    """

    graph_class = "arid"
    compiled_code = 3

    def __init__(
        self,
        form: Form = "power",
        directed_factor: float = 1.0,
        bidirected_factor: float = 2.0,
        tanh_scale: float = math.log(5000),
    ) -> None:
        super().__init__(form, directed_factor)
        self.bidirected_factor = positive_number(bidirected_factor, "bidirected_factor")
        self.tanh_scale = positive_number(tanh_scale, "tanh_scale")

    def settings(self, *, only_nonzero: bool = False) -> Settings:
        """Return the settings for the compiled kernels."""
        return (
            super()
            .settings(only_nonzero=only_nonzero)
            ._replace(bidirected_factor=self.bidirected_factor, tanh_scale=self.tanh_scale)
        )

    def value_and_grad_weights(self, D: ArrayLike, B: ArrayLike) -> tuple[float, FloatArray, FloatArray]:
        """Return h and its derivatives; see :meth:`ClassPenalty.value_and_grad_weights`."""
        directed, bidirected = checked_weights(D, B)
        grad_D, grad_B = np.empty_like(directed), np.empty_like(bidirected)
        value = arid_kernel(directed, bidirected, self.settings(), grad_D, grad_B)
        return value, grad_D, grad_B

    def greenery(self, D: ArrayLike, B: ArrayLike) -> float:
        """Return Greenery(D, B) alone, without the acyclicity term: zero exactly if no vertex is the root of a c-tree.

        Parameters
        ----------
        D, B : array-like of shape (d, d)
            Non-negative weights of the directed (row is cause) and the bidirected edges.
        """
        directed, bidirected = checked_weights(D, B)
        return greenery_kernel(
            directed, bidirected, self.settings(), np.zeros_like(directed), np.zeros_like(bidirected)
        )


@compiled
def arid_kernel(
    D: FloatArray,
    B: FloatArray,
    settings: Settings,
    grad_D: FloatArray,
    grad_B: FloatArray,
) -> float:
    """Write the derivatives of tr f(D) - d + Greenery(D, B) and return its value.

    With ``settings.only_nonzero`` the derivatives by zero weights are left undefined, which does for a caller who
    multiplies them by the zero parameter, and is faster.
    """
    for i in range(D.shape[0]):
        for j in range(D.shape[0]):
            grad_B[i, j] = 0.0
    value: float = acyclic_kernel(D, settings, grad_D)
    value += greenery_kernel(D, B, settings, grad_D, grad_B)
    return value
