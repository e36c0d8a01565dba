"""Numbers for one graph: the linear model, its likelihood, its maximum, its fit, and what the graph says of the data.

The functions ``ricf`` and ``fit_measures`` share their names with the modules that define them. ``lurking.sem.ricf`` is
the function; the rest of its module is reached by ``from lurking.sem.ricf import ...``.
"""

from lurking.sem.alternatives import EdgeAlternative, EdgeAlternatives, edge_alternatives
from lurking.sem.criterion import CRITERIA, Criterion
from lurking.sem.effects import CausalEffect, CausalEffects, Identification, causal_effects
from lurking.sem.equivalent_effects import EffectRange, EffectRanges, effect_ranges
from lurking.sem.fit_measures import FitMeasures, fit_measures
from lurking.sem.implied import ImpliedTest, ImpliedTests, adjusted_p_values, constraint_test, implied_tests
from lurking.sem.information import (
    InformationStatus,
    Parameter,
    StandardErrors,
    fisher_information,
    free_parameters,
    standard_errors,
)
from lurking.sem.model import LinearSEM
from lurking.sem.ricf import FitStatus, RICFResult, ricf, wide_fit
from lurking.sem.score import DistrictScore

__all__ = [
    "CRITERIA",
    "CausalEffect",
    "CausalEffects",
    "Criterion",
    "DistrictScore",
    "EdgeAlternative",
    "EdgeAlternatives",
    "EffectRange",
    "EffectRanges",
    "FitMeasures",
    "FitStatus",
    "Identification",
    "ImpliedTest",
    "ImpliedTests",
    "InformationStatus",
    "LinearSEM",
    "Parameter",
    "RICFResult",
    "StandardErrors",
    "adjusted_p_values",
    "causal_effects",
    "constraint_test",
    "edge_alternatives",
    "effect_ranges",
    "fisher_information",
    "fit_measures",
    "free_parameters",
    "implied_tests",
    "ricf",
    "standard_errors",
    "wide_fit",
]
