"""Numbers for one graph: the linear model, its likelihood, its maximum, its fit, and what the graph says of the data.

The functions ``ricf``, ``fit_measures`` and ``regression`` share their names with the modules that define them.
``lurking.sem.ricf`` is the function; the rest of its module is reached by ``from lurking.sem.ricf import ...``.
"""

from lurking.sem.alternatives import EdgeAlternative, EdgeAlternatives, edge_alternatives
from lurking.sem.criterion import CRITERIA, Criterion
from lurking.sem.effects import CausalEffect, CausalEffects, Identification, causal_effects
from lurking.sem.effects_in_graphs import GraphEffects, effects_in_graphs
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
from lurking.sem.interventions_in_graphs import GraphInterventions, interventions_in_graphs
from lurking.sem.model import LinearSEM
from lurking.sem.regression import RegressionEstimate, regression
from lurking.sem.ricf import FitStatus, RICFResult, ricf, wide_fit
from lurking.sem.score import DistrictScore
from lurking.sem.tetrad_tests import TetradTest, tetrad_tests

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
    "GraphEffects",
    "GraphInterventions",
    "Identification",
    "ImpliedTest",
    "ImpliedTests",
    "InformationStatus",
    "LinearSEM",
    "Parameter",
    "RICFResult",
    "RegressionEstimate",
    "StandardErrors",
    "TetradTest",
    "adjusted_p_values",
    "causal_effects",
    "constraint_test",
    "edge_alternatives",
    "effect_ranges",
    "effects_in_graphs",
    "fisher_information",
    "fit_measures",
    "free_parameters",
    "implied_tests",
    "interventions_in_graphs",
    "regression",
    "ricf",
    "standard_errors",
    "tetrad_tests",
    "wide_fit",
]
