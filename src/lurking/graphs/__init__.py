"""What a mixed graph means: relations, classes, separation, fixing, projection, equivalence, implied constraints.

Start with :class:`ADMG`; :class:`CPDAG` and :class:`PAG` are classes of graphs, and a :class:`SelectedADMG` is what a
selected sample shows. The modules below it hold one idea each
and work on plain sets of vertex numbers.
"""

from lurking.graphs.adjustment import (
    adjustment_obstacle,
    adjustment_set,
    adjustment_sets,
    direct_adjustment_set,
    is_adjustment_set,
    optimal_adjustment_set,
)
from lurking.graphs.admg import ADMG
from lurking.graphs.cadmg import CADMG
from lurking.graphs.classes import AlmostDirectedCycle, Bow, CTree
from lurking.graphs.constraint import Fixing, ImpliedConstraint
from lurking.graphs.cpdag import CPDAG
from lurking.graphs.grouping import Grouping
from lurking.graphs.identification import Hedge, IdentifiedEffect
from lurking.graphs.instrumental import Instrument, instruments
from lurking.graphs.model_equivalence import EquivalenceClass, equivalence_class, model_equivalent
from lurking.graphs.pag import PAG, Mark
from lurking.graphs.selection import SelectedADMG
from lurking.graphs.separation_questions import SeparatedVertices
from lurking.graphs.tetrads import Tetrad, implied_tetrads

__all__ = [
    "ADMG",
    "CADMG",
    "CPDAG",
    "PAG",
    "AlmostDirectedCycle",
    "Bow",
    "CTree",
    "EquivalenceClass",
    "Fixing",
    "Grouping",
    "Hedge",
    "IdentifiedEffect",
    "ImpliedConstraint",
    "Instrument",
    "Mark",
    "SelectedADMG",
    "SeparatedVertices",
    "Tetrad",
    "adjustment_obstacle",
    "adjustment_set",
    "adjustment_sets",
    "direct_adjustment_set",
    "equivalence_class",
    "implied_tetrads",
    "instruments",
    "is_adjustment_set",
    "model_equivalent",
    "optimal_adjustment_set",
]
