"""What a mixed graph means: relations, classes, separation, fixing, projection, equivalence, implied constraints.

Start with :class:`ADMG`. The modules below it hold one idea each and work on plain sets of vertex numbers.
"""

from lurking.graphs.adjustment import adjustment_set, is_adjustment_set
from lurking.graphs.admg import ADMG
from lurking.graphs.cadmg import CADMG
from lurking.graphs.classes import AlmostDirectedCycle, Bow, CTree
from lurking.graphs.constraint import Fixing, ImpliedConstraint
from lurking.graphs.grouping import Grouping
from lurking.graphs.model_equivalence import EquivalenceClass, equivalence_class, model_equivalent
from lurking.graphs.pag import PAG, Mark

__all__ = [
    "ADMG",
    "CADMG",
    "PAG",
    "AlmostDirectedCycle",
    "Bow",
    "CTree",
    "EquivalenceClass",
    "Fixing",
    "Grouping",
    "ImpliedConstraint",
    "Mark",
    "adjustment_set",
    "equivalence_class",
    "is_adjustment_set",
    "model_equivalent",
]
