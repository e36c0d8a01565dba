"""FCI (fast causal inference): the classical constraint-based method for data with hidden common causes.

The steps (Spirtes, Glymour and Scheines 2000; Zhang 2008):

1. remove the edges between pairs that a set of neighbours separates (:mod:`lurking.baselines.skeleton`);
2. orient a *-> b <-* c wherever a and c are not adjacent and b is not in the set that separates them (R0);
3. with the colliders known, look for separating sets in Possible-D-SEP and remove more edges;
4. forget all marks, orient the colliders again, and apply R1 to R10 (:mod:`lurking.graphs.orientation`).

With the truth in place of tests the result is the PAG of the true graph. With tests it inherits their mistakes: a pair
separated once is never looked at again, which is why FCI misses many edges of dense graphs. Step 3 could make that
worse, because an edge survives only if all its tests reject; so Possible-D-SEP is kept to what may be an ancestor of
the pair. On the paper's ancestral graphs with 10 variables the skeleton's true positive rate is then 0.47 with step 3
and 0.48 without, and the paper reports 0.51; with all of Possible-D-SEP it is 0.27 (``lurking experiment random-graphs
--methods fci,fci-light``).

**Contradictions.** Two colliders that point at each other make a <-> edge; no arrowhead is ever taken back. A later
rule never overwrites an arrowhead or a tail: it applies as a whole or not at all, and the rules are tried in the order
of their numbers, on the variables in the order of their names. So the skeleton and the colliders do not depend on what
the variables are called; where tests contradict each other, the marks from R1 to R10 can.

>>> from lurking import simulate_admg
>>> from lurking.graphs import ADMG
>>> truth = ADMG.parse("A -> B <-> C <- D")
>>> data = simulate_admg(truth, 5000, random_state=0).data
>>> print(FCI(alpha=0.01).fit(data).pag_)
A o-> B; B <-> C; D o-> C

References
----------
P. Spirtes, C. Glymour and R. Scheines (2000), Causation, prediction, and search, MIT Press. J. Zhang (2008), On the
completeness of orientation rules for causal discovery in the presence of latent confounders and selection bias,
Artificial Intelligence 172. D. Colombo and M. H. Maathuis (2014), Order-independent constraint-based causal structure
learning, JMLR 15.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

import numpy as np

from lurking._typing import BoolMatrix
from lurking.baselines.base import Baseline
from lurking.baselines.block_independence import BlockIndependence
from lurking.baselines.independence import FisherZ
from lurking.baselines.skeleton import SeparatingSets, adjacency_search, possible_d_sep_search
from lurking.data import GroupedMoments, Moments
from lurking.graphs import PAG
from lurking.graphs.marks import MarkMatrix
from lurking.graphs.orientation import ALL_RULES, orient

__all__ = ["FCI", "named_sets", "orient_by_separations"]

Pair = tuple[int, int]


class FCI(Baseline):
    """Fast causal inference with Fisher's z test, or, for nominal columns, a likelihood-ratio test.

    Parameters
    ----------
    alpha : float, default 0.15
        The level of the tests; 0.15 is what the paper found most competitive. Larger keeps more edges.

    Other Parameters
    ----------------
    max_conditioning : int, optional
        The largest set to condition on; by default any size. The time grows with the number of such sets.
    remember : {"weakest", "union"}, default "weakest"
        Which set a removed edge leaves for the orientation: the one with the smallest partial correlation, or the union
        of all sets of its size that separated the pair (which is what causal-learn does).
    possible_d_sep : bool, default True
        Whether to do step 3.

    Attributes
    ----------
    pag_ : PAG
        The graph.
    separating_sets_ : dict of frozenset of str to frozenset of str
        For each pair that is not adjacent, ``frozenset({one, other})``, the set that was remembered.
    n_tests_ : int
        The number of independence tests.

    Examples
    --------
    >>> chain = Moments([[1.0, 0.8, 0.64], [0.8, 1.0, 0.8], [0.64, 0.8, 1.0]], 500, ["A", "B", "C"])
    >>> FCI().fit(chain).pag_
    PAG.parse('A o-o B; B o-o C')
    """

    _takes_nominal = True
    separating_sets_: dict[frozenset[str], frozenset[str]]
    n_tests_: int

    def __init__(
        self,
        *,
        alpha: float = 0.15,
        max_conditioning: int | None = None,
        remember: Literal["weakest", "union"] = "weakest",
        possible_d_sep: bool = True,
    ) -> None:
        self.alpha = alpha
        self.max_conditioning = max_conditioning
        self.remember = remember
        self.possible_d_sep = possible_d_sep

    def _check_parameters(self) -> None:
        self._check_probability("alpha")
        self._check_count("max_conditioning", at_least=0, or_none=True)
        self._check_choice("remember", "weakest", "union")

    def _learn(self, moments: Moments | GroupedMoments) -> None:
        d = moments.n_variables
        test = FisherZ(moments, self.alpha) if isinstance(moments, Moments) else BlockIndependence(moments, self.alpha)
        skeleton, separated = adjacency_search(test, ~np.eye(d, dtype=bool), self.max_conditioning)
        if self.possible_d_sep:
            marks = orient_by_separations(skeleton, self._remembered(separated), rules=())
            skeleton, more = possible_d_sep_search(test, marks, self.max_conditioning)
            separated |= more
        remembered = self._remembered(separated)
        self.pag_ = PAG(moments.names, orient_by_separations(skeleton, remembered))
        self.separating_sets_ = named_sets(moments.names, remembered)
        self.n_tests_ = test.n_tests

    def _remembered(self, separated: SeparatingSets) -> Mapping[Pair, frozenset[int]]:
        return {pair: found.union if self.remember == "union" else found.given for pair, found in separated.items()}


def named_sets(names: Sequence[str], separated: Mapping[Pair, frozenset[int]]) -> dict[frozenset[str], frozenset[str]]:
    """Return the separating sets with names in the place of numbers; a pair has no first and second."""
    return {
        frozenset((names[i], names[j])): frozenset(names[v] for v in given)
        for (i, j), given in sorted(separated.items())
    }


def orient_by_separations(
    skeleton: BoolMatrix, separated: Mapping[Pair, frozenset[int]], rules: Collection[int] = ALL_RULES
) -> MarkMatrix:
    """Orient a skeleton by the sets that separate the pairs that are not adjacent.

    Parameters
    ----------
    skeleton : ndarray of bool, shape (d, d)
        The adjacent pairs.
    separated : mapping of (int, int) to frozenset of int
        What separates each other pair (i, j), i < j.
    rules : collection of int, default 1 to 10
        The rules to use after R0.
    """

    def outside(one: int, middle: int, other: int) -> bool:
        return middle not in separated[min(one, other), max(one, other)]

    return orient(
        skeleton,
        is_collider=outside,
        ends_in_collider=lambda path: outside(path[0], path[-2], path[-1]),
        rules=rules,
    )
