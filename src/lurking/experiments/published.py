"""The numbers that the paper prints, each with its place.

Bhattacharya, Nagarajan, Malinsky and Shpitser (2021), Differentiable causal discovery under unmeasured confounding,
AISTATS. The paper gives means over 100 data sets without standard errors. Its bar plots (figure 2 left, figure E) are
pictures; of these only what the text says in numbers is here.

>>> RANDOM_GRAPHS["arid", 10]["greedy-bap"].skeleton_tpr
0.8
>>> REGULARIZATION[0.05]
Verdicts(true=0.39, super=0.41, wrong=0.2)
"""

from __future__ import annotations

from typing import NamedTuple

from lurking._typing import GraphClass

__all__ = ["RANDOM_GRAPHS", "REGULARIZATION", "SACHS_ADJACENCIES", "VERMA_CONVERGENCE", "VERMA_TRUE_CLASS", "MarkRates"]


class MarkRates(NamedTuple):
    """A row of Table 1 or Table E."""

    skeleton_tpr: float
    skeleton_fdr: float
    arrowhead_tpr: float
    arrowhead_fdr: float
    tail_tpr: float
    tail_fdr: float


class Verdicts(NamedTuple):
    """A row of Table D: the shares of data sets in which the model found is the true one, contains it, or does not."""

    true: float
    super: float
    wrong: float


RANDOM_GRAPHS: dict[tuple[GraphClass, int], dict[str, MarkRates]] = {
    # Section 6, Table 1, left and right.
    ("arid", 10): {
        "greedy-bap": MarkRates(0.80, 0.30, 0.41, 0.58, 0.11, 0.65),
        "dcd": MarkRates(0.89, 0.17, 0.72, 0.29, 0.30, 0.45),
    },
    ("ancestral", 10): {
        "fci": MarkRates(0.51, 0.12, 0.41, 0.53, 0.10, 0.73),
        "greedy-spo": MarkRates(0.88, 0.27, 0.46, 0.59, 0.32, 0.81),
        "dcd": MarkRates(0.85, 0.11, 0.72, 0.23, 0.66, 0.47),
    },
    # Appendix E, the last table, left and right.
    ("arid", 15): {
        "greedy-bap": MarkRates(0.80, 0.27, 0.28, 0.53, 0.02, 0.42),
        "dcd": MarkRates(0.83, 0.15, 0.69, 0.23, 0.26, 0.41),
    },
    ("ancestral", 15): {
        "fci": MarkRates(0.29, 0.11, 0.24, 0.56, 0.05, 0.74),
        "greedy-spo": MarkRates(0.87, 0.23, 0.41, 0.62, 0.31, 0.88),
        "dcd": MarkRates(0.77, 0.09, 0.66, 0.24, 0.62, 0.68),
    },
}
"""By the class of the true graphs and the number of variables, then by method. ``dcd`` is the paper's own: bow-free
for arid truths, ancestral for ancestral ones. GFCI and M3HC were "slightly worse" (section 6)."""

REGULARIZATION: dict[float, Verdicts] = {
    # Appendix E, the table of regularization strengths; bow-free, n = 1000.
    5e-4: Verdicts(0.20, 0.80, 0.00),
    5e-3: Verdicts(0.25, 0.70, 0.05),
    5e-2: Verdicts(0.39, 0.41, 0.20),
    5e-1: Verdicts(0.01, 0.00, 0.99),
    5e0: Verdicts(0.00, 0.00, 1.00),
}
"""By λ."""

VERMA_TRUE_CLASS: dict[tuple[str, int], float] = {("dcd-bow-free", 1000): 0.39}
"""By method and number of rows, the share of the true class (section 6, third paragraph: the highest of all)."""

VERMA_CONVERGENCE: dict[str, tuple[int, int]] = {"dcd-bow-free": (3, 400), "dcd-arid": (0, 400)}
"""By method, how many of how many runs did not converge (section 6, third paragraph)."""

SACHS_ADJACENCIES: tuple[float, float] = (0.77, 0.61)
"""Precision and recall of the adjacencies in the protein data (section 6, last paragraph)."""
