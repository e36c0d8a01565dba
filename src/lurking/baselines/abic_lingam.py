"""ABIC LiNGAM through an adapter: the package ``lingam`` runs in its own environment, under a time limit.

(Morinishi and Shimizu 2025.) The paper's differentiable search over bow-free graphs, with residuals raised to a power,
for errors that are not Gaussian. The implementation of its authors works on all rows by automatic differentiation and
takes half a minute for 4 variables and 300 rows, so it is given a time limit. It needs packages that we do not, so it
is given an interpreter of its own::

    python -m venv lingam-env
    lingam-env/bin/pip install lingam
    ABICLiNGAM(python="lingam-env/bin/python").fit(table)

What comes back are coefficients and error covariances, already thresholded; the graph is repaired to be bow-free in
the way of our own solver (:mod:`lurking.search.thresholding`), and what was dropped is in ``dropped_``.

References
----------
Y. Morinishi and S. Shimizu (2025), Differentiable causal discovery of linear non-Gaussian acyclic models under
unmeasured confounding, Transactions on Machine Learning Research.
"""

from __future__ import annotations

from typing import Self

import numpy as np

from lurking._typing import FloatArray
from lurking.baselines._other_interpreter import OtherInterpreter, sorted_rows
from lurking.baselines.base import Baseline
from lurking.data import Moments
from lurking.graphs import ADMG
from lurking.search.thresholding import threshold_to_admg

__all__ = ["ABICLiNGAM"]

_WORKER = """
import io, json, sys
import numpy as np
try:
    from lingam import ABICLiNGAM
except ImportError as error:
    sys.exit(f"lingam cannot be imported: {error}")
rows = np.load(io.BytesIO(sys.stdin.buffer.read()))
model = ABICLiNGAM(**json.loads(sys.argv[1]))
model.fit(rows)
json.dump([model.coefficient_matrix_.tolist(), model.error_covariance_matrix_.tolist()], sys.stdout)
"""


class ABICLiNGAM(Baseline):
    """The method of Morinishi and Shimizu, run by the package lingam in another interpreter.

    Parameters
    ----------
    python : str, optional
        The interpreter of an environment with lingam 1.13 or later; by default this one.
    time_limit : float, default 600
        Seconds after which the run is stopped and an error is raised.
    random_state : int, default 0
        The seed of its start.

    Other Parameters
    ----------------
    lam : float, default 0.05
        The weight of the sparsity term.
    beta : float, default 1
        Residuals count with the power 2·beta.
    threshold : float, default 0.05
        Coefficients and error covariances below it are no edges.

    Attributes
    ----------
    admg_ : ADMG
        The graph; it is bow-free.
    pag_ : PAG
        Its PAG.
    coef_, error_cov_ : ndarray of float, shape (d, d)
        The parameters that came back, ``coef_[i, j]`` that of i in the equation of j.
    dropped_ : tuple of str
        The edges that were dropped to make the graph acyclic and bow-free.
    """

    admg_: ADMG
    coef_: FloatArray
    error_cov_: FloatArray
    dropped_: tuple[str, ...]

    def __init__(
        self,
        *,
        python: str | None = None,
        time_limit: float = 600.0,
        lam: float = 0.05,
        beta: float = 1.0,
        threshold: float = 0.05,
        random_state: int = 0,
    ) -> None:
        self.python = python
        self.time_limit = time_limit
        self.lam = lam
        self.beta = beta
        self.threshold = threshold
        self.random_state = random_state

    def _check_parameters(self) -> None:
        for name in ("time_limit", "lam", "beta", "threshold"):
            self._check_positive(name)
        self._check_count("random_state", at_least=0)

    def fit(self, X: object, y: None = None) -> Self:
        """Learn the graph from the rows of a table.

        Parameters
        ----------
        X : pandas.DataFrame, polars.DataFrame or array-like of shape (n, d)
            The data; moments are not enough, because the method looks at more than covariances.
        y : None
            Not used.

        Raises
        ------
        LurkingError
            If lingam is not there, fails, or does not finish in time.
        """
        self._rows = sorted_rows(X, "ABICLiNGAM", "looks at the rows, not only at their moments")
        try:
            return super().fit(X)
        finally:
            del self._rows

    def _learn(self, moments: Moments) -> None:
        options = {
            "lam": self.lam,
            "beta": self.beta,
            "min_causal_effect": self.threshold,
            "min_error_covariance": self.threshold,
            "seed": int(self.random_state),
        }
        coef, error_cov = self._run(options)
        result = threshold_to_admg(coef, error_cov, "bow-free", threshold=0.0, names=moments.names)
        self.admg_, self.dropped_ = result.admg, result.dropped
        self.pag_ = self.admg_.to_pag()
        back = np.ix_(*2 * [[moments.index(name) for name in self.feature_names_in_]])
        self.coef_, self.error_cov_ = coef[back], error_cov[back]

    def _run(self, options: dict[str, float]) -> FloatArray:
        """Return the coefficients and the error covariances that lingam finds, shape (2, d, d)."""
        other = OtherInterpreter("ABICLiNGAM", "lingam 1.13", self.python, self.time_limit)
        parameters: FloatArray = np.array(other.run(_WORKER, self._rows, options), dtype=np.float64)
        return parameters
