"""Classes of graphs as smooth functions of edge weights that are zero exactly on them, with their gradients.

>>> from lurking.constraints import constraint_for
>>> ancestral = constraint_for("ancestral")
>>> coef = [[0, 0.5, 0], [0, 0, 2.0], [0, 0, 0]]
>>> error_cov = [[1, 0, 0.1], [0, 1, 0], [0.1, 0, 1]]  # A -> B -> C with A <-> C: not ancestral
>>> value, grad_coef, grad_error_cov = ancestral.value_and_grad(coef, error_cov)
>>> round(value, 6), round(float(grad_error_cov[0, 2]), 6)
(0.03, 0.3)
"""

from lurking.constraints.acyclic import Acyclic
from lurking.constraints.ancestral import Ancestral
from lurking.constraints.arid import Arid
from lurking.constraints.base import ClassPenalty
from lurking.constraints.bow_free import BowFree
from lurking.constraints.registry import CONSTRAINTS, constraint_for
from lurking.constraints.walk_sums import Form, walk_sums

__all__ = [
    "CONSTRAINTS",
    "Acyclic",
    "Ancestral",
    "Arid",
    "BowFree",
    "ClassPenalty",
    "Form",
    "constraint_for",
    "walk_sums",
]
