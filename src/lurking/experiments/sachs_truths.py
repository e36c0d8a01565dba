"""What is held to be true of the protein network: three lists of adjacencies that are in circulation, and guessing.

- ``supplemented``, 28 pairs: the network of Ramsey and Andrews (2018), which the paper compares with;
- ``sachs``, 20 pairs: the network in the figure of Sachs et al. (2005);
- ``consensus``, 17 pairs: the part of it that Sachs et al. call expected and found.

A method that joins m of the 55 pairs at random has an expected precision of (true pairs) / 55 and an expected recall
of m / 55, and the number of its hits is hypergeometric; what a method finds must be held against that.

>>> [len(pairs) for pairs in TRUTHS.values()]
[28, 20, 17]

References
----------
J. Ramsey and B. Andrews (2018), FASK with interventional knowledge recovers edges from the Sachs model, arXiv. K. Sachs
et al. (2005), Causal protein-signaling networks derived from multiparameter single-cell data, Science 308.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from lurking.graphs import ADMG, PAG

__all__ = ["TRUTHS", "Adjacencies", "adjacency_rates"]

Pairs = frozenset[frozenset[str]]


def _pairs(text: str) -> Pairs:
    return frozenset(frozenset(pair.split("-")) for pair in text.split())


_SUPPLEMENTED = _pairs(
    "Akt-Erk Akt-Mek Akt-PIP3 Akt-PKA Akt-PKC Akt-Plcg Akt-Raf Erk-Mek Erk-PKA Jnk-Mek Jnk-P38 Jnk-PKA Jnk-PKC Mek-PKA "
    "Mek-PKC Mek-Plcg Mek-Raf P38-PKA P38-PKC PIP2-PIP3 PIP2-PKC PIP2-Plcg PIP3-Plcg PKA-PKC PKA-Plcg PKA-Raf PKC-Plcg "
    "PKC-Raf"
)
_SACHS = _SUPPLEMENTED - _pairs("Akt-Mek Akt-PKC Akt-Plcg Akt-Raf Jnk-Mek Jnk-P38 Mek-Plcg PKA-Plcg")
TRUTHS: dict[str, Pairs] = {
    "supplemented": _SUPPLEMENTED,
    "sachs": _SACHS,
    "consensus": _SACHS - _pairs("Plcg-PKC PIP2-PKC PIP3-Akt"),
}
"""The true adjacencies by the name of the list."""


@dataclass(frozen=True)
class Adjacencies:
    """How the adjacencies of a graph agree with a list of true ones.

    Attributes
    ----------
    precision, recall : float
        Shares of the found ones that are true, and of the true ones that are found.
    guessing_precision, guessing_recall : float
        What as many pairs drawn at random are expected to reach.
    p_value : float
        The probability that as many random pairs hit at least as often.
    """

    precision: float
    recall: float
    guessing_precision: float
    guessing_recall: float
    p_value: float


def adjacency_rates(graph: ADMG | PAG, truth: Pairs) -> Adjacencies:
    """Compare the adjacencies of a graph with a list of true ones.

    Examples
    --------
    >>> rates = adjacency_rates(ADMG.parse("A -> B; C -> D"), frozenset({frozenset("AB"), frozenset("AC")}))
    >>> rates.precision, rates.recall, round(rates.guessing_precision, 3), round(rates.p_value, 3)
    (0.5, 0.5, 0.333, 0.6)
    """
    names = graph.names
    found = {frozenset((names[i], names[j])) for i in range(len(names)) for j in range(i) if graph.skeleton[i, j]}
    n_pairs, hits = len(names) * (len(names) - 1) // 2, len(found & truth)
    at_least = range(hits, min(len(found), len(truth)) + 1)
    ways = sum(math.comb(len(truth), k) * math.comb(n_pairs - len(truth), len(found) - k) for k in at_least)
    return Adjacencies(
        precision=hits / len(found) if found else math.nan,
        recall=hits / len(truth),
        guessing_precision=len(truth) / n_pairs,
        guessing_recall=len(found) / n_pairs,
        p_value=ways / math.comb(n_pairs, len(found)),
    )
