"""What a mixed graph means: relations, classes, separation, fixing, projection, equivalence.

Start with :class:`ADMG`. The modules below it hold one idea each and work on plain sets of vertex numbers.
"""

from lurking.graphs.admg import ADMG
from lurking.graphs.cadmg import CADMG
from lurking.graphs.classes import AlmostDirectedCycle, Bow, CTree
from lurking.graphs.pag import PAG, Mark

__all__ = ["ADMG", "CADMG", "PAG", "AlmostDirectedCycle", "Bow", "CTree", "Mark"]
