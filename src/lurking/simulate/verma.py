"""The three small graphs of the paper whose only trace in the data is a Verma constraint.

A random graph seldom has a Verma constraint, so Bhattacharya et al. (2021, section 6) test their recovery on three
graphs with four variables that are known to have one:

::

    VERMA_FIGURE_1C      A -> C -> D -> B, A <-> B, A <-> D     no ordinary independence at all; B - C is missing
    VERMA_CHAIN          A -> B -> C -> D, B <-> D              the example of Verma and Pearl (1990); A - D is missing
    VERMA_CONFOUNDED     A <-> B -> C -> D, B <-> D             the same with A <-> B, and equivalent to it

All three are arid and none is ancestral: a maximal ancestral graph puts an edge on the missing pair and the constraint
is gone. The paper's experiment draws one of the three uniformly for each data set.

>>> [graph.is_arid() for graph in VERMA_GRAPHS], [graph.is_ancestral() for graph in VERMA_GRAPHS]
([True, True, True], [False, False, False])
>>> VERMA_FIGURE_1C.inducing_path("B", "C") is None
False
"""

from __future__ import annotations

from lurking.graphs import ADMG

__all__ = ["VERMA_CHAIN", "VERMA_CONFOUNDED", "VERMA_FIGURE_1C", "VERMA_GRAPHS"]

_NAMES = ("A", "B", "C", "D")

VERMA_FIGURE_1C = ADMG.parse("A -> C -> D -> B; A <-> B; A <-> D", names=_NAMES)
"""Figure 1(c) of the paper; it can be recovered exactly."""

VERMA_CHAIN = ADMG.parse("A -> B -> C -> D; B <-> D", names=_NAMES)
"""The graph of Verma and Pearl; it can be recovered up to the edge between A and B."""

VERMA_CONFOUNDED = ADMG.parse("A <-> B -> C -> D; B <-> D", names=_NAMES)
"""The graph of Verma and Pearl with an unmeasured common cause of A and B; equivalent to ``VERMA_CHAIN``."""

VERMA_GRAPHS: tuple[ADMG, ...] = (VERMA_FIGURE_1C, VERMA_CHAIN, VERMA_CONFOUNDED)
"""The three graphs in the order in which the paper names them."""
