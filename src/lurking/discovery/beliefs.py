r"""What is probable of each pair of variables, given the data: the posterior of the graph, read pair by pair.

A search leaves a posterior over graphs (:mod:`lurking.search.posterior`). A statement about two variables is as
probable as all graphs in which it holds are together:

================= =====================================================================================================
``causes[i, j]``  i is an ancestor of j: a directed path leads from i to j, directly or through other variables
``shares[i, j]``  ``i <-> j``: an unmeasured cause acts on both, not only through measured variables
``adjacent[i,j]`` i and j are adjacent in the PAG: no set of measured variables makes them independent
================= =====================================================================================================

All graphs count, equivalent ones included: where independences leave a direction open, equivalent graphs with both
directions share the probability. So a probability near 1 says more than that all equivalent graphs agree with one
graph; it says that nearly all graphs that explain the data do.

>>> from lurking.search.posterior import weigh
>>> from lurking.graphs import ADMG
>>> posterior = weigh([(ADMG.parse("A -> B -> C"), 0.0), (ADMG.parse("A <-> B; B -> C"), 0.0)], 0.0)
>>> beliefs = Beliefs.of_posterior(posterior)
>>> beliefs.causes.tolist()
[[0.0, 0.5, 0.5], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from lurking._errors import ParameterError
from lurking._typing import FloatArray
from lurking.graphs import PAG
from lurking.graphs.edge_kinds import BIDIRECTED
from lurking.graphs.marks import Mark
from lurking.search.pag_posterior import PagPosterior, draw, pag_posterior
from lurking.search.posterior import Posterior

__all__ = ["BeliefSource", "Beliefs"]

BeliefSource = Literal["sampled", "weighed"]

DRAWN = 0.8
"""A mark of the picture of beliefs is drawn where its statement has at least this probability."""


@dataclass(frozen=True, eq=False)
class Beliefs:
    """Posterior probabilities of what holds between two variables.

    Attributes
    ----------
    names : tuple of str
        The variables.
    adjacent, shares : ndarray of shape (d, d)
        Symmetric: that i and j are adjacent in the PAG, and that they share an unmeasured cause.
    causes : ndarray of shape (d, d)
        That i is a cause of j, directly or through other variables.
    source : {"sampled", "weighed"}
        Whether graphs were sampled from the posterior, or the graphs that a search kept were weighed by their scores,
        as if there were no others.
    n_graphs : int
        The number of different graphs behind the probabilities.
    """

    names: tuple[str, ...]
    adjacent: FloatArray
    causes: FloatArray
    shares: FloatArray
    source: BeliefSource
    n_graphs: int

    def __post_init__(self) -> None:
        shape = (len(self.names), len(self.names))
        for attribute in ("adjacent", "causes", "shares"):
            matrix = np.array(getattr(self, attribute), dtype=np.float64)
            if matrix.shape != shape or not ((matrix >= 0.0) & (matrix <= 1.0)).all():
                raise ParameterError(f"The beliefs {attribute!r} must be a {shape} matrix of numbers from 0 to 1.")
            np.fill_diagonal(matrix, 0.0)
            matrix.flags.writeable = False
            object.__setattr__(self, attribute, matrix)

    @classmethod
    def of_posterior(cls, posterior: Posterior, marks: PagPosterior | None = None) -> Beliefs:
        """Return the probabilities that a posterior gives.

        Parameters
        ----------
        posterior : Posterior
            The graphs and their probabilities.
        marks : PagPosterior, optional
            That of the same graphs, if it is there already; otherwise it is computed.
        """
        marks = pag_posterior(draw(posterior)) if marks is None else marks
        return cls(
            names=posterior.names,
            adjacent=np.clip(1.0 - marks.edges[:, :, 0, 0], 0.0, 1.0),
            causes=posterior.ancestry,
            shares=np.clip(posterior.weights[:, :, BIDIRECTED], 0.0, 1.0),
            source="sampled" if posterior.sampled else "weighed",
            n_graphs=len(posterior.shares),
        )

    def reorder(self, names: Sequence[str]) -> Beliefs:
        """Return the same with the variables in another order."""
        order = [self.names.index(name) for name in names]
        at = np.ix_(order, order)
        return replace(
            self, names=tuple(names), adjacent=self.adjacent[at], causes=self.causes[at], shares=self.shares[at]
        )

    def direction(self, i: int, j: int) -> float:
        """Return the probability that i causes j, given that one of the two causes the other; 1/2 if none may."""
        one, other = float(self.causes[i, j]), float(self.causes[j, i])
        return one / (one + other) if one + other > 0.0 else 0.5

    def to_pag(self, least: float = 0.5, drawn: float = DRAWN) -> PAG:
        """Return the marks that are probable enough to be drawn, as a graph with tails, arrowheads and circles.

        Parameters
        ----------
        least : float, default 0.5
            Pairs are joined that are adjacent with at least this probability.
        drawn : float, default 0.8
            An end gets an arrowhead if "it does not cause the other" has at least this probability, a tail if "it
            causes the other" has, and a circle otherwise.

        Notes
        -----
        Each mark is put by itself, so the result need not be the PAG of a single graph.
        """
        joined = self.adjacent >= least
        np.fill_diagonal(joined, False)
        at_cause = np.where(
            self.causes >= drawn, Mark.TAIL, np.where(self.causes <= 1.0 - drawn, Mark.ARROW, Mark.CIRCLE)
        )
        # marks[i, j] is the mark at j, which is about j as a cause of i
        return PAG(self.names, np.where(joined, at_cause.T, Mark.NONE))
