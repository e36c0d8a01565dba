"""True positive and false discovery rates of a set of findings.

A *finding* is anything that a graph says about a place: these two are adjacent, there is an arrowhead at B on the
edge between A and B. With T the findings of the truth and P those of the estimate,

- the true positive rate (recall) is ``|T ∩ P| / |T|``: how much of the truth was found;
- the false discovery rate (one minus precision) is ``|P - T| / |P|``: how much of what is claimed is false.

The caption of Table 1 of Bhattacharya et al. (2021) describes the true positive rate as a share of the *predicted*
edges. That would make it one minus the false discovery rate, which the numbers of the table are not (0.89 and 0.17),
so the usual definition is meant, and used here.

Empty sets: if nothing is reported nothing is false, so ``fdr`` is then 0. If there is nothing to find, no
share of it was found or missed: ``tpr`` is then NaN, to be left out of averages (``numpy.nanmean``), rather than a
1 that would be too good for a method on the data sets with nothing to find.

>>> Rates(n_true=4, n_estimated=5, n_shared=3)
Rates(n_true=4, n_estimated=5, n_shared=3, tpr=0.75, fdr=0.40)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from lurking._errors import ParameterError
from lurking._typing import BoolMatrix

__all__ = ["Rates"]


@dataclass(frozen=True, slots=True, repr=False)
class Rates:
    """Counts of one kind of finding, and the rates that follow from them.

    Parameters
    ----------
    n_true : int
        Findings in the true graph.
    n_estimated : int
        Findings in the estimated graph.
    n_shared : int
        Findings in both.

    Examples
    --------
    >>> Rates(n_true=0, n_estimated=2, n_shared=0).tpr
    nan
    >>> Rates(n_true=2, n_estimated=0, n_shared=0).fdr
    0.0
    """

    n_true: int
    n_estimated: int
    n_shared: int

    def __post_init__(self) -> None:
        if not 0 <= self.n_shared <= min(self.n_true, self.n_estimated):
            raise ParameterError(
                f"The shared findings must be among the true and the estimated ones. Got {self.n_shared} shared of "
                f"{self.n_true} true and {self.n_estimated} estimated instead."
            )

    @classmethod
    def of_matrices(cls, truth: BoolMatrix, estimate: BoolMatrix) -> Rates:
        """Count the true entries of two boolean arrays of the same shape, entry by entry."""
        return cls(
            n_true=int(np.count_nonzero(truth)),
            n_estimated=int(np.count_nonzero(estimate)),
            n_shared=int(np.count_nonzero(truth & estimate)),
        )

    @property
    def tpr(self) -> float:
        """The true positive rate, the share of the truth that was found; NaN if there is nothing to find."""
        return self.n_shared / self.n_true if self.n_true else math.nan

    @property
    def fdr(self) -> float:
        """The false discovery rate, the share of what was claimed that is false; 0 if nothing was claimed."""
        return (self.n_estimated - self.n_shared) / self.n_estimated if self.n_estimated else 0.0

    def __repr__(self) -> str:
        return (
            f"Rates(n_true={self.n_true}, n_estimated={self.n_estimated}, n_shared={self.n_shared}, "
            f"tpr={self.tpr:.2f}, fdr={self.fdr:.2f})"
        )
