"""Numbers for one graph: the linear model, its likelihood, its maximum, and how well it fits.

The functions ``ricf`` and ``fit_measures`` share their names with the modules that define them. ``lurking.sem.ricf`` is
the function; the rest of its module is reached by ``from lurking.sem.ricf import ...``.
"""

from lurking.sem.fit_measures import FitMeasures, fit_measures
from lurking.sem.information import (
    InformationStatus,
    Parameter,
    StandardErrors,
    fisher_information,
    free_parameters,
    standard_errors,
)
from lurking.sem.model import LinearSEM
from lurking.sem.ricf import FitStatus, RICFResult, ricf
from lurking.sem.score import DistrictScore

__all__ = [
    "DistrictScore",
    "FitMeasures",
    "FitStatus",
    "InformationStatus",
    "LinearSEM",
    "Parameter",
    "RICFResult",
    "StandardErrors",
    "fisher_information",
    "fit_measures",
    "free_parameters",
    "ricf",
    "standard_errors",
]
