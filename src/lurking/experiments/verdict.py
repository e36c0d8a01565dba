"""Whether a graph that was found is the true model, contains it, or is wrong.

The paper (appendix E) tells three outcomes apart:

- **true**: the graph found has the same model as the true graph, Verma constraints included; it is the true graph or
  one that no data can tell from it;
- **super**: its model contains the true one; it is less sparse than it could be, but whatever is computed from it is
  right;
- **wrong**: it implies a constraint that does not hold.

For bow-free graphs this is decided at random points in exact arithmetic, as model equivalence is
(:mod:`lurking.graphs.model_equivalence`): the model of H contains that of G if a random covariance of G belongs to H.

>>> truth = ADMG.parse("A -> B -> C -> D; B <-> D")
>>> verdict(ADMG.parse("A <-> B -> C -> D; B <-> D"), truth)
'true'
>>> verdict(ADMG.parse("A -> B -> C -> D; B <-> D; A -> D"), truth), verdict(ADMG.parse("A -> B -> C -> D"), truth)
('super', 'wrong')
"""

from __future__ import annotations

from random import Random
from typing import Literal

from lurking._errors import GraphClassError
from lurking.graphs import ADMG, model_equivalent
from lurking.graphs.bits import BitGraph
from lurking.graphs.generic_point import belongs, random_covariance

__all__ = ["VERDICTS", "Verdict", "contains_model", "verdict"]

Verdict = Literal["true", "super", "wrong"]
VERDICTS: tuple[Verdict, ...] = ("true", "super", "wrong")
_SEEDS = (31, 62)  # random points, but always the same


def contains_model(larger: ADMG, smaller: ADMG) -> bool:
    """Tell whether the linear Gaussian model of a bow-free graph contains that of another one.

    True is wrong with a probability below 10⁻¹⁰. False is a proof, except where the covariances of ``smaller`` are a
    special case in which the parameters of ``larger`` are not identified; on four variables and for the graphs of the
    paper this never happens.

    Parameters
    ----------
    larger, smaller : ADMG
        Bow-free graphs on the same variables.
    """
    for graph in (larger, smaller):
        if not graph.is_bow_free():
            raise GraphClassError(f"Only models of bow-free graphs can be compared, but {graph} has a bow.")
    ordered = larger.subgraph(smaller.names)
    outer = BitGraph.from_matrices(ordered.directed, ordered.bidirected)
    inner = BitGraph.from_matrices(smaller.directed, smaller.bidirected)
    return all(belongs(random_covariance(inner, Random(seed)), outer) for seed in _SEEDS)


def verdict(found: ADMG, truth: ADMG) -> Verdict:
    """Say whether a graph is the true model, contains it, or is wrong."""
    if model_equivalent(found, truth):
        return "true"
    return "super" if contains_model(found, truth) else "wrong"
