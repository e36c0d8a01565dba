r"""How well a fitted graph describes the data: chi-square, RMSEA, CFI, SRMR, information criteria, residuals.

All measures compare the sample covariance matrix S with the fitted one, :math:`\hat\Sigma`. The *saturated* model has
no restriction and fits S itself; the *independence* model has no edges at all.

- The **chi-square** is the likelihood ratio against the saturated model,
  :math:`n(\ln\det\hat\Sigma - \ln\det S + \operatorname{tr}\hat\Sigma^{-1}S - d)`. If the graph is right
  and n large, it follows a chi-square distribution whose degrees of freedom are the restrictions, :math:`d(d+1)/2`
  minus the parameters.
- **RMSEA** (Steiger 1990) spreads the excess of the chi-square over its degrees of freedom,
  :math:`\sqrt{\max(\chi^2 - df, 0) / (n\,df)}`. Its interval comes from the noncentral chi-square distribution.
- **CFI** (Bentler 1990) is the share of the independence model's misfit that the graph removes,
  :math:`1 - \max(\chi^2 - df, 0) / \max(\chi_0^2 - df_0, \chi^2 - df, 0)`.
- **SRMR** (Bentler 1995) is the root mean square of the residual correlations
  :math:`(s_{ij} - \hat\sigma_{ij}) / \sqrt{s_{ii} s_{jj}}` over :math:`i \le j`.
- **BIC** is :math:`-2\ell + \ln(n)\,p`. **EBIC** (Foygel and Drton 2010) adds
  :math:`4\gamma\,\ln(d)` per edge: with many variables there are many graphs with the same number of edges, and the
  best of many looks better than it is.

References
----------
Bentler, P. M. (1990). Comparative fit indexes in structural models. Psychological Bulletin 107, 238-246.
Foygel, R. and Drton, M. (2010). Extended Bayesian information criteria for Gaussian graphical models. NeurIPS 23.
Steiger, J. H. (1990). Structural model evaluation and modification. Multivariate Behavioral Research 25, 173-180.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from lurking._errors import GraphClassError, ParameterError
from lurking._typing import FloatArray
from lurking.data import Moments
from lurking.sem.checks import moments_in_order
from lurking.sem.model import FittedModel, LinearSEM

__all__ = ["FitMeasures", "fit_measures"]


@dataclass(frozen=True, eq=False)
class FitMeasures:
    """How well one graph fits, and how to read it.

    ``print`` shows the table. No single number decides; read them together:

    1. *Is the graph refuted?* A small ``p_value`` (below 0.05, say) says that at least one restriction of the graph
       does not hold in the data. With thousands of rows tiny misfits are found, so go on to 2; with a hundred rows a
       large p-value is little evidence.
    2. *How wrong is it?* ``rmsea`` and ``srmr`` measure the size of the misfit, not its significance. Below about 0.05
       is usually called close, above 0.10 poor; ``cfi`` should be above about 0.95. These are conventions.
    3. *Where is it wrong?* ``residual_correlations`` and :meth:`largest_residuals` show which pairs the graph does not
       explain. Beyond about 2/sqrt(n) they are more than noise.
    4. *Is another graph better?* Compare ``bic`` (or ``ebic``) on the same rows, smaller is better. A difference of 2
       is nothing, one of 10 is large. A graph chosen by BIC fits well because it was chosen to: the p-value of step 1
       is then too large.

    A saturated graph (``df`` = 0) has no restriction that could fail: its p-value is 1, its RMSEA 0, whatever the data,
    so its good fit is no evidence for it.

    Attributes
    ----------
    chi_square, df, p_value : float, int, float
        Likelihood ratio against the saturated model, its degrees of freedom, and the probability of a larger one if the
        graph is right.
    rmsea : float
        Misfit per degree of freedom.
    rmsea_interval : tuple of float
        Its 90 % confidence interval.
    cfi : float
        Share of the independence model's misfit that is removed, 0 to 1.
    srmr : float
        Root mean square residual correlation.
    loglik, bic, ebic : float
        Log-likelihood and information criteria.
    n_parameters, n_samples : int
        Numbers of parameters and of rows.
    names : tuple of str
        The variables.
    residual_correlations : ndarray, shape (d, d)
        Sample minus fitted covariances, in units of the sample's standard deviations.
    """

    chi_square: float
    df: int
    p_value: float
    rmsea: float
    rmsea_interval: tuple[float, float]
    cfi: float
    srmr: float
    loglik: float
    bic: float
    ebic: float
    n_parameters: int
    n_samples: int
    names: tuple[str, ...]
    residual_correlations: FloatArray = field(repr=False)

    def largest_residuals(self, n_pairs: int = 5) -> list[tuple[str, str, float]]:
        """Return the pairs that the graph explains worst, with their residual correlations."""
        rows, columns = np.triu_indices(len(self.names), 1)
        values = self.residual_correlations[rows, columns]
        worst = np.argsort(-np.abs(values), kind="stable")[:n_pairs]
        return [(self.names[rows[k]], self.names[columns[k]], float(values[k])) for k in worst]

    def __str__(self) -> str:
        low, high = self.rmsea_interval
        return "\n".join(
            [
                f"chi-square  {self.chi_square:.3f} on {self.df} degrees of freedom, p = {self.p_value:.4g}",
                f"RMSEA       {self.rmsea:.4f} (90 % interval {low:.4f} to {high:.4f})",
                f"CFI         {self.cfi:.4f}",
                f"SRMR        {self.srmr:.4f}",
                f"loglik      {self.loglik:.3f} with {self.n_parameters} parameters, {self.n_samples} rows",
                f"BIC         {self.bic:.3f}",
                f"EBIC        {self.ebic:.3f}",
            ]
        )


def fit_measures(moments: Moments, fit: FittedModel, *, gamma: float = 0.5) -> FitMeasures:
    """Return how well a maximum-likelihood fit describes the data.

    Parameters
    ----------
    moments : Moments
        The data; the columns may stand in any order.
    fit : RICFResult or LinearSEM
        The model at its maximum-likelihood parameters.
    gamma : float, default 0.5
        The strength of the extra penalty of EBIC, from 0 (none: EBIC is BIC) to 1.

    Raises
    ------
    GraphClassError
        If the graph has more parameters than there are variances and covariances.

    Examples
    --------
    >>> from lurking import ADMG, Moments
    >>> m = Moments([[1, 0.5, 0.25], [0.5, 1, 0.5], [0.25, 0.5, 1]], 100, ["A", "B", "C"])
    >>> chain = LinearSEM(
    ...     ADMG.parse("A -> B -> C"), [[0, 0.5, 0], [0, 0, 0.5], [0, 0, 0]], [[1, 0, 0], [0, 0.75, 0], [0, 0, 0.75]]
    ... )
    >>> measures = fit_measures(m, chain)
    >>> measures.df, round(measures.chi_square, 6), round(measures.p_value, 6), measures.cfi
    (1, 0.0, 1.0, 1.0)
    """
    if not 0 <= gamma <= 1:
        raise ParameterError(f"The 'gamma' of EBIC must be a number from 0 to 1. Got {gamma!r} instead.")
    model = LinearSEM.from_fit(fit)
    data = moments_in_order(moments, model.admg)
    d, n = data.n_variables, data.n_samples
    df = d * (d + 1) // 2 - model.n_parameters
    if df < 0:
        raise GraphClassError(
            f"The graph has {model.n_parameters} parameters for {d * (d + 1) // 2} variances and covariances, so its "
            f"fit cannot be tested; {_remedy(model)}."
        )
    loglik = model.loglik(data)
    log_det_correlation = float(np.linalg.slogdet(data.correlation)[1])
    log_det = log_det_correlation + 2 * float(np.log(data.scales).sum())
    saturated = -n / 2 * (d * float(np.log(2 * np.pi)) + log_det + d)
    chi_square = max(2 * (saturated - loglik), 0.0)
    bic = model.bic(data)
    residuals = (data.cov - model.implied_cov()) / np.outer(data.scales, data.scales)
    residuals.flags.writeable = False
    return FitMeasures(
        chi_square=chi_square,
        df=df,
        p_value=_p_value(chi_square, df),
        rmsea=_rmsea(chi_square - df, df, n),
        rmsea_interval=_rmsea_interval(chi_square, df, n),
        cfi=_cfi(chi_square - df, -n * log_det_correlation - d * (d - 1) // 2),
        srmr=float(np.sqrt(np.mean(residuals[np.tril_indices(d)] ** 2))),
        loglik=loglik,
        bic=bic,
        ebic=bic + 4 * gamma * model.admg.n_edges * float(np.log(d)),
        n_parameters=model.n_parameters,
        n_samples=n,
        names=model.names,
        residual_correlations=residuals,
    )


def _remedy(model: LinearSEM) -> str:
    bow = model.admg.witness("bow-free")
    return f"remove {bow}" if bow else "remove edges"


def _p_value(chi_square: float, df: int) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(df, chi_square)) if df else 1.0


def _rmsea(noncentrality: float, df: int, n: int) -> float:
    return float(np.sqrt(max(noncentrality, 0.0) / (n * df))) if df else 0.0


def _rmsea_interval(chi_square: float, df: int, n: int) -> tuple[float, float]:
    """Return the RMSEAs of the noncentralities under which the chi-square is at its 95 % and its 5 % point."""
    from scipy.special import chdtr, chndtrinc

    if not df:
        return 0.0, 0.0
    below = float(chdtr(df, chi_square))
    low, high = (float(chndtrinc(chi_square, df, p)) if below > p else 0.0 for p in (0.95, 0.05))
    return _rmsea(low, df, n), _rmsea(high, df, n)


def _cfi(misfit: float, baseline_misfit: float) -> float:
    worst = max(misfit, baseline_misfit, 0.0)
    return max(worst - max(misfit, 0.0), 0.0) / worst if worst else 1.0
