"""What a sample of graphs says of the truth: statements with their probabilities, counted in bins.

A search gives graphs with probabilities that sum to 1. A statement about the truth has as its probability the sum of
those of the graphs in which it holds. Kinds of statements:

============== =====================================================================================================
adjacent       the two are adjacent in the PAG
arrowhead      the PAG has an arrowhead at this end of this pair
tail           the PAG has a tail at this end of this pair
causes         X causes Y, directly or through others: X is an ancestor of Y in the ADMG
not causes     X is no ancestor of Y
common cause   the ADMG has X <-> Y; in the truth, which is a latent projection: an unmeasured cause of both that acts
               on each of them not only through measured variables
============== =====================================================================================================

Every pair (ordered, where a statement has a direction) makes one statement of each kind, with a probability from 0 to
1, so most statements are about pairs far apart and have a probability near 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lurking import ADMG
from lurking._typing import BoolMatrix, FloatArray
from lurking.graphs import Mark
from lurking.search.result import SearchResult

__all__ = ["KINDS", "N_BINS", "Counts", "Sample", "counts", "sample_of", "statements", "thinned"]

KINDS = ("adjacent", "arrowhead", "tail", "causes", "not causes", "common cause")
N_BINS = 20


@dataclass(frozen=True)
class Sample:
    """Graphs with probabilities that sum to 1, and where they come from."""

    graphs: tuple[ADMG, ...]
    shares: FloatArray
    source: str


def sample_of(search: SearchResult) -> Sample:
    """Return the graphs of the posterior.

    The source is ``posterior`` if walks sampled them, otherwise ``candidates``; every table says which it shows.
    """
    posterior = search.posterior
    return Sample(posterior.graphs, posterior.shares, "posterior" if posterior.sampled else "candidates")


def thinned(sample: Sample, most: int) -> Sample:
    """Return at most so many of the graphs, drawn systematically: at equal steps of the summed probabilities.

    A probability of the thinned sample differs from that of the sample by a few times 1/most.
    """
    if len(sample.graphs) <= most:
        return sample
    steps = (np.arange(most) + 0.5) / most
    reached = np.searchsorted(np.cumsum(sample.shares) / sample.shares.sum(), steps)
    chosen, times = np.unique(reached, return_counts=True)
    return Sample(tuple(sample.graphs[k] for k in chosen.tolist()), times / most, sample.source)


def statements(sample: Sample, truth: ADMG) -> dict[str, tuple[FloatArray, BoolMatrix]]:
    """Return the probability of every statement and whether it is right, by kind."""
    right = _holds(truth)
    summed = {kind: np.zeros(len(holds)) for kind, holds in right.items()}
    for graph, share in zip(sample.graphs, sample.shares, strict=True):
        for kind, holds in _holds(graph.subgraph(truth.names)).items():
            summed[kind] += share * holds
    return {kind: (np.clip(summed[kind], 0.0, 1.0), right[kind]) for kind in KINDS}


def _holds(graph: ADMG) -> dict[str, BoolMatrix]:
    """Return what holds in a graph, each kind as one row of pairs."""
    d = len(graph)
    pag = graph.to_pag()
    pairs, ordered = np.triu_indices(d, 1), ~np.eye(d, dtype=bool)
    ancestors = _ancestors(graph.directed)[ordered]
    return {
        "adjacent": pag.skeleton[pairs],
        "arrowhead": (pag.marks == Mark.ARROW)[ordered],
        "tail": (pag.marks == Mark.TAIL)[ordered],
        "causes": ancestors,
        "not causes": ~ancestors,
        "common cause": graph.bidirected[pairs],
    }


def _ancestors(directed: BoolMatrix) -> BoolMatrix:
    """Return which variable (row) is an ancestor of which (column), not of itself."""
    reach = directed.copy()
    while True:
        further = reach | (reach.astype(np.int64) @ reach > 0)
        if np.array_equal(further, reach):
            return reach
        reach = further


@dataclass(frozen=True)
class Counts:
    """Statements in bins of equal width: their number, their summed probability and how many are right.

    A probability on the border of two bins is in the upper one, 1 in the last.
    """

    number: FloatArray
    probability: FloatArray
    right: FloatArray

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.number + other.number, self.probability + other.probability, self.right + other.right)

    @classmethod
    def none(cls) -> Counts:
        """Return bins without statements."""
        return cls(np.zeros(N_BINS), np.zeros(N_BINS), np.zeros(N_BINS))

    @property
    def error(self) -> float:
        """The expected calibration error: the mean distance of a bin's probability from its share right, by number."""
        total = self.number.sum()
        return float(np.abs(self.probability - self.right).sum() / total) if total else float("nan")

    def error_above_first(self) -> float:
        """Return the same without the first bin, where the many statements about distant pairs are."""
        return Counts(self.number[1:], self.probability[1:], self.right[1:]).error

    def share_right(self, low: float) -> tuple[float, int]:
        """Return the share right among the statements of the bins from ``low`` on, and their number."""
        first = round(low * N_BINS)
        number = int(self.number[first:].sum())
        return (float(self.right[first:].sum() / number) if number else float("nan")), number

    def to_texts(self) -> dict[str, str]:
        """Return the columns of a table."""
        return {
            "number": " ".join(f"{value:.0f}" for value in self.number),
            "probability": " ".join(f"{value:.6g}" for value in self.probability),
            "right": " ".join(f"{value:.0f}" for value in self.right),
        }

    @classmethod
    def of_texts(cls, number: str, probability: str, right: str) -> Counts:
        """Read the columns of a table."""
        return cls(*(np.array(text.split(), dtype=np.float64) for text in (number, probability, right)))


def counts(probability: FloatArray, right: BoolMatrix) -> Counts:
    """Count statements in bins."""
    place = np.minimum((probability * N_BINS + 1e-9).astype(np.int64), N_BINS - 1)

    def summed(weights: FloatArray) -> FloatArray:
        return np.bincount(place, weights=weights, minlength=N_BINS).astype(np.float64)

    return Counts(summed(np.ones(len(place))), summed(probability), summed(right.astype(np.float64)))
