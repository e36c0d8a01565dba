"""Numbers for one graph: the linear model, its likelihood, its maximum, and how well it fits."""

from lurking.sem.fit_measures import FitMeasures, fit_measures
from lurking.sem.information import InformationStatus, StandardErrors, standard_errors
from lurking.sem.model import LinearSEM

__all__ = [
    "FitMeasures",
    "InformationStatus",
    "LinearSEM",
    "StandardErrors",
    "fit_measures",
    "standard_errors",
]
