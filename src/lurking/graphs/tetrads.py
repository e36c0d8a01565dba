r"""Tetrads: what unmeasured common causes imply beyond independences.

If one variable lies behind a, b, c and d, no two of them need be independent given others, and yet the covariances obey

.. math:: \sigma_{ac}\sigma_{bd} - \sigma_{ad}\sigma_{bc} = 0,

a *vanishing tetrad* (Spearman 1904): the 2 x 2 matrix of the covariances between {a, b} and {c, d} has rank one,
because everything that passes between the two sets passes through one vertex. In general the rank is the size of a
smallest set that cuts all treks between them (Sullivant, Talaska and Draisma 2010).

A graph whose common causes are vertices (a factor model, say) implies such tetrads for its measured variables; its
latent projection does not, because there all indicators of a factor are merely confounded. They are found here by
computing the covariance of the graph at random parameters in exact arithmetic modulo a large prime
(:mod:`lurking.graphs.generic_point`): a determinant that is not zero there proves that the tetrad does not vanish; one
that is zero vanishes everywhere, up to a probability of about 1e-16. A tetrad in which a covariance itself vanishes is
an independence, and is left out.

>>> from lurking.graphs import ADMG
>>> factor = ADMG.parse("f -> a; f -> b; f -> c; f -> d")
>>> print(*implied_tetrads(factor, "f"), sep="; ")
σ(a,c) σ(b,d) = σ(a,d) σ(b,c); σ(a,b) σ(c,d) = σ(a,d) σ(b,c); σ(a,b) σ(c,d) = σ(a,c) σ(b,d)

References
----------
C. Spearman (1904). "General intelligence," objectively determined and measured. American Journal of Psychology 15.
S. Sullivant, K. Talaska and J. Draisma (2010). Trek separation for Gaussian graphical models. Annals of Statistics 38.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

import numpy as np
from numpy.typing import ArrayLike

from lurking.graphs.admg import ADMG
from lurking.graphs.bits import BitGraph
from lurking.graphs.generic_point import PRIME, random_covariance
from lurking.graphs.vertices import NamedVertices, Vertices

__all__ = ["Tetrad", "implied_tetrads"]


@dataclass(frozen=True, slots=True)
class Tetrad:
    """A tetrad that vanishes: the covariances between two pairs have rank one.

    Attributes
    ----------
    one, other : tuple of (str, str)
        The two pairs.
    """

    one: tuple[str, str]
    other: tuple[str, str]

    def __str__(self) -> str:
        (a, b), (c, d) = self.one, self.other
        ac, bd, ad, bc = (f"σ({','.join(sorted(pair))})" for pair in ((a, c), (b, d), (a, d), (b, c)))
        return f"{ac} {bd} = {ad} {bc}"

    def value(self, cov: ArrayLike, names: Sequence[str]) -> float:
        """Return the difference of the two products on a covariance matrix.

        Examples
        --------
        >>> Tetrad(("a", "b"), ("c", "d")).value(np.ones((4, 4)) + np.eye(4), list("abcd"))
        0.0
        """
        vertices = NamedVertices(list(names))
        matrix = np.asarray(cov, dtype=np.float64)
        (a, b), (c, d) = ((vertices.index(x), vertices.index(y)) for x, y in (self.one, self.other))
        return float(matrix[a, c] * matrix[b, d] - matrix[a, d] * matrix[b, c])


def implied_tetrads(graph: ADMG, latent: Vertices = ()) -> tuple[Tetrad, ...]:
    """Return the tetrads of the measured variables that vanish in every linear model of a graph.

    Parameters
    ----------
    graph : ADMG
        A graph with its latent variables as vertices.
    latent : str or iterable of str
        The vertices that are not measured.

    Returns
    -------
    tetrads : tuple of Tetrad
        Each four variables have three, of which two determine the third. Those in which a covariance is zero are left
        out. The cost is (number of measured variables)⁴ / 8 products.

    Examples
    --------
    >>> print(*implied_tetrads(ADMG.parse("f -> a; f -> b; f -> c; f -> d; a <-> b"), "f"))
    σ(a,c) σ(b,d) = σ(a,d) σ(b,c)
    """
    bits = BitGraph.from_matrices(graph.directed, graph.bidirected)
    cov = random_covariance(bits, Random(0))
    hidden = graph._mask(latent)
    found = []
    for a, b, c, d in combinations([v for v in range(len(graph)) if not hidden >> v & 1], 4):
        for (i, j), (k, m) in (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))):
            if cov[i][k] and cov[j][m] and (cov[i][k] * cov[j][m] - cov[i][m] * cov[j][k]) % PRIME == 0:
                pairs = [(graph.names[x], graph.names[y]) for x, y in ((i, j), (k, m))]
                found.append(Tetrad(pairs[0], pairs[1]))
    return tuple(found)
