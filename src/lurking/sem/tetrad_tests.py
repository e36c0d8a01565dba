r"""Vanishing tetrads tested on data.

A graph with unmeasured common causes as vertices implies that some tetrads vanish (:mod:`lurking.graphs.tetrads`). In a
Gaussian sample the covariance of two sample covariances is
:math:`\mathrm{cov}(s_{ij}, s_{kl}) = (\sigma_{ik}\sigma_{jl} + \sigma_{il}\sigma_{jk}) / n`, so the standard error of
:math:`s_{ac}s_{bd} - s_{ad}s_{bc}` follows from its derivatives (Bollen and Ting 1993, whose test of one tetrad this
is). With many tetrads some p-values are small by chance; the adjusted ones bound the false-discovery rate.

>>> from lurking.graphs import ADMG
>>> factor = ADMG.parse("f -> a; f -> b; f -> c; f -> d")
>>> exact = Moments(np.ones((4, 4)) + np.eye(4), 300, list("abcd"))
>>> [round(test.p_value, 3) for test in tetrad_tests(exact, factor, "f")]
[1.0, 1.0, 1.0]

References
----------
K. Bollen and K. Ting (1993). Confirmatory tetrad analysis. Sociological Methodology 23.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from lurking._errors import GraphError
from lurking.data import Moments
from lurking.graphs import ADMG, Tetrad, implied_tetrads
from lurking.graphs.vertices import Vertices
from lurking.sem.implied import adjusted_p_values

__all__ = ["TetradTest", "tetrad_tests"]


@dataclass(frozen=True, slots=True)
class TetradTest:
    """The test of one vanishing tetrad.

    Attributes
    ----------
    tetrad : Tetrad
        The constraint.
    value, standard_error : float
        The difference of the products in units in which every variable has variance 1, and its standard error.
    p_value, adjusted_p_value : float
        Two-sided, and the same adjusted for the number of tests (Benjamini and Hochberg).
    """

    tetrad: Tetrad
    value: float
    standard_error: float
    p_value: float
    adjusted_p_value: float

    def __str__(self) -> str:
        return f"{self.tetrad}: difference {self.value:.4f} (standard error {self.standard_error:.4f})"


def tetrad_tests(moments: Moments, graph: ADMG, latent: Vertices) -> tuple[TetradTest, ...]:
    """Test every tetrad of the measured variables that a graph with latent vertices implies.

    Parameters
    ----------
    moments : Moments
        The data; they have the measured variables of the graph, in any order, and may have others.
    graph : ADMG
        The graph with its latent variables as vertices.
    latent : str or iterable of str
        The vertices that are not measured.

    Returns
    -------
    tests : tuple of TetradTest
        In the order of :func:`~lurking.graphs.implied_tetrads`.

    Raises
    ------
    GraphError
        If a measured variable of the graph is not in the data.
    """
    hidden = {latent} if isinstance(latent, str) else set(latent)
    missing = [name for name in graph.names if name not in hidden and name not in moments.names]
    if missing:
        raise GraphError(f"The data have no column {missing[0]!r}, which the graph names; add it, or call it latent.")
    correlation = moments.correlation
    place = {name: i for i, name in enumerate(moments.names)}
    tetrads = implied_tetrads(graph, latent)
    raw = []
    for tetrad in tetrads:
        (a, b), (c, d) = ((place[x], place[y]) for x, y in (tetrad.one, tetrad.other))
        entries = [(a, c), (b, d), (a, d), (b, c)]
        r = {entry: float(correlation[entry]) for entry in entries}
        value = r[a, c] * r[b, d] - r[a, d] * r[b, c]
        slopes = np.array([r[b, d], r[a, c], -r[b, c], -r[a, d]])
        covariances = np.array(
            [
                [correlation[i, k] * correlation[j, m] + correlation[i, m] * correlation[j, k] for k, m in entries]
                for i, j in entries
            ]
        )
        error = float(np.sqrt(slopes @ covariances @ slopes / moments.n_samples))
        raw.append((value, error, float(2.0 * ndtr(-abs(value) / error))))
    adjusted = adjusted_p_values([p for _, _, p in raw])
    return tuple(
        TetradTest(tetrad, value, error, p, float(q))
        for tetrad, (value, error, p), q in zip(tetrads, raw, adjusted, strict=True)
    )
