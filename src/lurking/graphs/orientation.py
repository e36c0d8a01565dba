"""placeholder"""

from lurking.graphs.bits import BitGraph
from lurking.graphs.pag import MarkMatrix


def pag_of_mag(mag: BitGraph) -> MarkMatrix:
    """Orient."""
    raise ValueError
