"""How near an estimated graph is to the true one: rates, distances, and the differences edge by edge.

Start with :func:`compare`.
"""

from lurking.metrics.comparison import Comparison, compare
from lurking.metrics.differences import EdgeDifference
from lurking.metrics.rates import Rates

__all__ = ["Comparison", "EdgeDifference", "Rates", "compare"]
