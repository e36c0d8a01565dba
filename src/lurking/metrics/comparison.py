"""Compare an estimated graph with the true one, as the paper's tables do.

Bhattacharya et al. (2021, section 6) report the recovery of

- the **skeleton** of the true ADMG: which pairs are adjacent, each pair counted once;
- the **arrowheads** and **tails** of the true PAG: which ends of which edges carry the mark. An ADMG is first turned
  into the PAG of its equivalence class, because the marks of a single graph are in part a matter of chance: the data
  cannot tell ``A -> B`` from ``A <-> B``. A finding is "an arrowhead at B on the edge between A and B", so
  ``A <-> B`` has two and ``A o-> B`` one. Circles claim nothing and are not counted. A mark counts as found if the
  estimate has the same mark at the same end of the same pair, hence an edge that was missed costs its marks too.

Each as true positive and false discovery rate (:mod:`lurking.metrics.rates`).

Graphs are compared like with like. A CPDAG is compared with a CPDAG, or with a DAG, of which the CPDAG is taken; with
an ADMG that has ``<->``, or with a PAG, its PAG is compared. A PAG has no ADMG to take a skeleton from, and its missing
edges are independences only, never Verma constraints; so if the truth or the estimate is a PAG, the skeleton, the
distance and the differences are those of the two PAGs (``level`` says which). The marks are always those of the PAGs.
A graph with selected variables is compared by the PAG of the sample.

The structural Hamming distance is the number of pairs on which the two graphs differ
(:mod:`lurking.metrics.differences`), an edge of the wrong kind or direction counting as much as a missing one.

>>> comparison = compare(ADMG.parse("A -> C <- B; C -> D"), ADMG.parse("A -> C <- B; D"))
>>> print(comparison)
           tpr   fdr   true  estimated  shared
skeleton   0.67  0.00     3          2       2
arrowhead  0.67  0.00     3          2       2
tail       0.00  0.00     1          0       0
SHD 1 of 6 pairs (ADMG), 1 of 6 pairs (PAG)
>>> [str(difference) for difference in comparison.differences]
['C -> D became no edge (missing)']
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from lurking._errors import GraphError, ParameterError
from lurking.graphs import ADMG, CPDAG, PAG, Mark, SelectedADMG
from lurking.metrics.differences import EdgeDifference, edge_differences
from lurking.metrics.rates import Rates

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How an estimated graph differs from the true one.

    Parameters
    ----------
    level : {"ADMG", "CPDAG", "PAG"}
        What the skeleton, the distance and the differences were taken from: the ADMGs; the CPDAGs, if one graph was
        given as a CPDAG and the other as a CPDAG or DAG; or, if one was given as a PAG, the PAGs.
    n_variables : int
        The number of variables.
    skeleton : Rates
        Adjacent pairs, at the given level.
    arrowhead, tail : Rates
        Marks at the ends of the edges of the PAGs.
    directed, bidirected : Rates or None
        The edges i -> j, direction included, and i <-> j of the ADMGs themselves, whether or not the data can tell
        them from equivalent ones; None at level "PAG", and ``bidirected`` at level "CPDAG".
    shd : int
        Structural Hamming distance: the number of pairs that differ, at the given level.
    pag_shd : int
        The same for the two PAGs.
    differences : tuple of EdgeDifference
        The pairs behind ``shd``, in the order of the truth's names.
    """

    level: Literal["ADMG", "CPDAG", "PAG"]
    n_variables: int
    skeleton: Rates
    arrowhead: Rates
    tail: Rates
    directed: Rates | None
    bidirected: Rates | None
    shd: int
    pag_shd: int
    differences: tuple[EdgeDifference, ...]

    def _rates(self) -> dict[str, Rates]:
        named = {
            "skeleton": self.skeleton,
            "arrowhead": self.arrowhead,
            "tail": self.tail,
            "directed": self.directed,
            "bidirected": self.bidirected,
        }
        return {name: rates for name, rates in named.items() if rates is not None}

    def to_dict(self) -> dict[str, float]:
        """Return one flat row of numbers for a table.

        Returns
        -------
        row : dict of str to float
            ``skeleton_tpr``, ``skeleton_fdr`` and so on for arrowhead and tail (and directed and bidirected, if
            both graphs are ADMGs), then ``shd`` and ``pag_shd``. A ``tpr`` is NaN if there was nothing to find.

        Examples
        --------
        >>> graph = ADMG.parse("A -> B <- C")
        >>> row = compare(graph, graph).to_dict()
        >>> row["skeleton_tpr"], row["arrowhead_fdr"], row["shd"]
        (1.0, 0.0, 0)
        """
        row: dict[str, float] = {}
        for name, rates in self._rates().items():
            row[f"{name}_tpr"] = rates.tpr
            row[f"{name}_fdr"] = rates.fdr
        return row | {"shd": self.shd, "pag_shd": self.pag_shd}

    def __str__(self) -> str:
        lines = ["           tpr   fdr   true  estimated  shared"]
        for name, rates in (("skeleton", self.skeleton), ("arrowhead", self.arrowhead), ("tail", self.tail)):
            counts = f"{rates.n_true:4d}  {rates.n_estimated:9d}  {rates.n_shared:6d}"
            lines.append(f"{name:<9}  {rates.tpr:4.2f}  {rates.fdr:4.2f}  {counts}")
        pairs = self.n_variables * (self.n_variables - 1) // 2
        distances = [] if self.level == "PAG" else [f"{self.shd} of {pairs} pairs ({self.level})"]
        distances.append(f"{self.pag_shd} of {pairs} pairs (PAG)")
        return "\n".join([*lines, "SHD " + ", ".join(distances)])


def compare(truth: ADMG | CPDAG | PAG | SelectedADMG, estimate: ADMG | CPDAG | PAG | SelectedADMG) -> Comparison:
    """Compare an estimated graph with the true one.

    Parameters
    ----------
    truth : ADMG, CPDAG, PAG or SelectedADMG
        The target.
    estimate : ADMG, CPDAG, PAG or SelectedADMG
        The graph to be compared, on the same names in any order.

    Returns
    -------
    comparison : Comparison
        Skeleton, arrowhead and tail rates as in the paper, distances, and the differences edge by edge.

    Raises
    ------
    GraphError
        If the graphs are not on the same names.
    ParameterError
        If one of them is not a graph.

    Notes
    -----
    The cost is that of two PAGs; the definitions are in :mod:`lurking.metrics.comparison`.

    Examples
    --------
    >>> result = compare(ADMG.parse("A -> B -> C -> D; B <-> D"), ADMG.parse("A -> B -> C; B -> D; C <-> D"))
    >>> result.skeleton.tpr, result.skeleton.fdr, result.shd
    (1.0, 0.0, 2)
    >>> print(*result.differences, sep="; ")
    B <-> D became B -> D (other kind); C -> D became C <-> D (other kind)
    """
    truth, estimate = (graph.to_pag() if isinstance(graph, SelectedADMG) else graph for graph in (truth, estimate))
    for role, graph in (("truth", truth), ("estimate", estimate)):
        if not isinstance(graph, ADMG | CPDAG | PAG):
            raise ParameterError(f"The {role} must be an ADMG, a CPDAG or a PAG. Got {type(graph).__name__} instead.")
    odd = sorted(set(truth.names) ^ set(estimate.names))
    if odd:
        raise GraphError(
            f"Only graphs on the same variables can be compared, but {', '.join(odd)} "
            f"{'is' if len(odd) == 1 else 'are'} in one of them only; rename or take subgraphs first."
        )
    estimate = estimate.subgraph(truth.names)
    true_pag = truth if isinstance(truth, PAG) else truth.to_pag()
    estimated_pag = estimate if isinstance(estimate, PAG) else estimate.to_pag()
    pag_differences = edge_differences(true_pag, estimated_pag)
    marks = {
        mark: Rates.of_matrices(true_pag.marks == mark, estimated_pag.marks == mark) for mark in (Mark.ARROW, Mark.TAIL)
    }
    directed = bidirected = None
    level: Literal["ADMG", "CPDAG", "PAG"] = "PAG"
    differences, skeletons = pag_differences, (true_pag.skeleton, estimated_pag.skeleton)
    patterns = _as_cpdags(truth, estimate)
    if patterns is not None:
        level = "CPDAG"
        differences, skeletons = edge_differences(*patterns), (patterns[0].skeleton, patterns[1].skeleton)
        directed = Rates.of_matrices(patterns[0].directed, patterns[1].directed)
    elif isinstance(truth, ADMG) and isinstance(estimate, ADMG):
        level = "ADMG"
        differences, skeletons = edge_differences(truth, estimate), (truth.skeleton, estimate.skeleton)
        directed = Rates.of_matrices(truth.directed, estimate.directed)
        bidirected = Rates.of_matrices(np.triu(truth.bidirected), np.triu(estimate.bidirected))
    return Comparison(
        level=level,
        n_variables=len(truth),
        skeleton=Rates.of_matrices(np.triu(skeletons[0]), np.triu(skeletons[1])),
        arrowhead=marks[Mark.ARROW],
        tail=marks[Mark.TAIL],
        directed=directed,
        bidirected=bidirected,
        shd=len(differences),
        pag_shd=len(pag_differences),
        differences=differences,
    )


def _as_cpdags(truth: ADMG | CPDAG | PAG, estimate: ADMG | CPDAG | PAG) -> tuple[CPDAG, CPDAG] | None:
    """Return both graphs as CPDAGs, if one of them was given as one and the other is one or a DAG."""
    if not (isinstance(truth, CPDAG) or isinstance(estimate, CPDAG)):
        return None
    found = []
    for graph in (truth, estimate):
        if isinstance(graph, CPDAG):
            found.append(graph)
        elif isinstance(graph, ADMG) and not graph.bidirected.any():
            found.append(graph.to_cpdag())
        else:
            return None
    return found[0], found[1]
