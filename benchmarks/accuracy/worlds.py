"""The simulated worlds: what is drawn for a world, a size and a seed.

========== =======================================================================================================
world      data
========== =======================================================================================================
hidden     a random DAG over d measured variables, of average degree 2, 3 or 4 in turn, and d/5 hidden roots with 2
           or 3 children each; coefficients ±U(0.3, 1), error variances U(0.5, 1.5); hidden columns removed
ancestral  the generator of the paper, projected to an ancestral graph
arid       the generator of the paper, projected to an arid graph
verma      the three graphs of the paper whose only trace is a Verma constraint, in turn, with the paper's parameters
========== =======================================================================================================

Columns are standardised, except those of ``verma``, so that searches that assume similar noise can be run there. A seed
gives the same graph and parameters for every number of rows.
"""

from __future__ import annotations

from dataclasses import dataclass

from lurking._typing import GraphClass
from lurking.simulate import VERMA_GRAPHS, ParameterRanges, Simulation, random_hidden_dag, simulate_admg

__all__ = ["CELLS", "PER_CELL", "QUICK_CELLS", "TUNING", "WORLDS", "Cell", "simulated"]

WORLDS = ("hidden", "ancestral", "arid", "verma")
RANGES = ParameterRanges(coef=(0.3, 1.0), own_variance=(0.5, 1.5))
TUNING = 1000
"""Seeds below it are for reporting, from it on for tuning."""
DEGREES = (2.0, 3.0, 4.0)
PER_CELL = {"verma": 3}
"""How many times as many data sets a world gets as the others: it is small, and its measure is a share."""


@dataclass(frozen=True, order=True)
class Cell:
    """A world and the size of its data sets."""

    world: str
    d: int
    n: int


CELLS = (
    *(Cell("hidden", d, n) for d in (10, 20, 30, 50) for n in (300, 1000, 5000)),
    *(Cell(world, d, 1000) for world in ("ancestral", "arid") for d in (10, 15)),
    *(Cell("verma", 4, n) for n in (500, 1000, 1500, 2000)),
)
QUICK_CELLS = (Cell("hidden", 10, 300), Cell("hidden", 10, 1000), Cell("arid", 10, 1000), Cell("verma", 4, 1000))


def simulated(cell: Cell, seed: int, *, standardize: bool = True) -> Simulation:
    """Return the data set of a cell with a seed.

    Its ``admg`` is the truth: in the world ``hidden`` the latent projection of the DAG. With
    ``standardize=False`` the columns, and the parameters, stay in the units that they were drawn in.
    """
    if cell.world == "hidden":
        dag = random_hidden_dag(
            cell.d, cell.d // 5, average_degree=DEGREES[seed % 3], max_children=3, random_state=seed
        )
        return simulate_admg(dag, cell.n, ranges=RANGES, standardize=standardize, random_state=seed)
    if cell.world == "verma":
        return simulate_admg(VERMA_GRAPHS[seed % 3], cell.n, random_state=seed)
    graph_class: GraphClass = "arid" if cell.world == "arid" else "ancestral"
    return simulate_admg(cell.d, cell.n, graph_class=graph_class, standardize=standardize, random_state=seed)
