"""Simulated data whose truth is known: graphs, parameters, errors, and whole data sets.

Start with :func:`simulate_admg`.
"""

from lurking.simulate.common_causes import explicit_common_causes
from lurking.simulate.dataset import Simulation, draw_rows, simulate_admg
from lurking.simulate.hidden import HiddenVariableDAG, margin, random_hidden_dag
from lurking.simulate.parameters import PAPER_RANGES, ParameterRanges, draw_parameters
from lurking.simulate.random_graphs import random_admg, sparse_admg
from lurking.simulate.sortability import r2_sortability, varsortability
from lurking.simulate.verma import VERMA_CHAIN, VERMA_CONFOUNDED, VERMA_FIGURE_1C, VERMA_GRAPHS

__all__ = [
    "PAPER_RANGES",
    "VERMA_CHAIN",
    "VERMA_CONFOUNDED",
    "VERMA_FIGURE_1C",
    "VERMA_GRAPHS",
    "HiddenVariableDAG",
    "ParameterRanges",
    "Simulation",
    "draw_parameters",
    "draw_rows",
    "explicit_common_causes",
    "margin",
    "r2_sortability",
    "random_admg",
    "random_hidden_dag",
    "simulate_admg",
    "sparse_admg",
    "varsortability",
]
