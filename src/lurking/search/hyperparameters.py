"""The hyperparameters of the differentiable search in one place: the paper's Table A and what its text leaves open.

Two defaults are not those of the text, because with them the method reaches the accuracy that the paper reports and
without them it does not (docs/solver-dcd.md has the measurements). Both can be set to what the text says.

- ``sharpness``. The text says ``tanh(ln(n)·|θ|)``. The authors' program computes (e^x - 1)/(e^x + 1) at
  ``x = ln(n)·|θ|``, which is tanh(x/2), so the default here is ln(n)/2.
- ``directed_factor``. Appendix D says c = 1 in (I + cA)^d for directed edges; the program uses c = 1/d for the
  acyclicity term. The default here is 1/d, close to the exponential form of Table 1. With c = 1 cycles are penalised
  so hard from the first step on that the order of the variables is settled by the random start.

Two things more are choices of the procedure, not of a number. Algorithm 3 as printed raises ρ until h has fallen below
r times its value at the start; here the first step is accepted whatever its h, because h at a random start is no
measure of progress. And its line "Initialize θ, α, m ← 1" can be read so that α starts at 1; here it starts at 0
(``alpha_start``), and only m at 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from lurking._errors import ParameterError
from lurking.constraints.walk_sums import FORMS, Form

__all__ = ["DCDHyperparameters"]


@dataclass(frozen=True, slots=True)
class DCDHyperparameters:
    """What can be set about the paper's solver; the defaults are the paper's, except for those named above.

    Parameters
    ----------
    penalty : float, default=0.05
        λ, the strength of the approximate L0 penalty.
    sharpness : float or None, default=None
        The c of ``tanh(c·|θ|)``. None is ln(n)/2; the text of the paper says ln(n), see
        :mod:`lurking.search.hyperparameters`.
    threshold : float, default=0.05
        ω: parameters up to this size are no edges.
    tol : float, default=1e-8
        The constraint counts as met when h is at most this.
    max_dual_steps : int, default=100
        The most steps of the augmented Lagrangian.

    Other Parameters
    ----------------
    progress_rate : float, default=0.25
        r: as long as a step does not bring h below r times its last value, ρ is raised and the step is repeated.
    rho_start, rho_factor, rho_max : float, default=1, 10, 1e16
        Where ρ starts, by how much it is raised, and where it ends.
    alpha_start : float, default=0
        Where the Lagrange multiplier starts.
    ricf_increment : int, default=1
        s: how many more RICF iterations each dual step may use than the one before; the first may use one.
    ricf_tol : float, default=1e-4
        RICF stops when the absolute changes of all parameters add up to less than this.
    form : {"power", "exponential"}, default="power"
        The form of the constraint.
    directed_factor : float or None, default=None
        The c of the power form for directed edges. None is 1/d; the text of the paper says 1, see
        :mod:`lurking.search.hyperparameters`.
    start_coef, start_error_cov : float, default=0.5, 0.05
        Random starts are uniform within ± these.
    inner_tol : float, default=1e-8
        A minimisation ends when two steps in a row gain less than this relative to ``max(|F|, 1)``.
    inner_max_iterations : int, default=1000
        The most steps of one minimisation.
    """

    penalty: float = 0.05
    sharpness: float | None = None
    threshold: float = 0.05
    tol: float = 1e-8
    max_dual_steps: int = 100
    progress_rate: float = 0.25
    rho_start: float = 1.0
    rho_factor: float = 10.0
    rho_max: float = 1e16
    alpha_start: float = 0.0
    ricf_increment: int = 1
    ricf_tol: float = 1e-4
    form: Form = "power"
    directed_factor: float | None = None
    start_coef: float = 0.5
    start_error_cov: float = 0.05
    inner_tol: float = 1e-8
    inner_max_iterations: int = 1000

    def __post_init__(self) -> None:
        may_be_zero = {"penalty", "threshold", "alpha_start", "start_coef", "start_error_cov", "ricf_increment"}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "form" or (value is None and field.default is None):
                continue
            low = 0.0 if field.name in may_be_zero else math.ulp(0.0)
            if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value < math.inf:
                kind = "from 0 up" if field.name in may_be_zero else "above 0"
                raise ParameterError(f"The hyperparameter {field.name} must be a number {kind}. Got {value!r} instead.")
            if isinstance(field.default, int) and not isinstance(value, int):
                raise ParameterError(f"The hyperparameter {field.name} must be a whole number. Got {value!r} instead.")
        if self.form not in FORMS:
            raise ParameterError(
                f"The hyperparameter form must be 'power' or 'exponential'. Got {self.form!r} instead."
            )
        if not self.progress_rate < 1:
            raise ParameterError(
                f"The hyperparameter progress_rate must be below 1. Got {self.progress_rate!r} instead."
            )
        if not self.rho_factor > 1:
            raise ParameterError(f"The hyperparameter rho_factor must be above 1. Got {self.rho_factor!r} instead.")
