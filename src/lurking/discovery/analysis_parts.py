"""The parts of an :class:`~lurking.discovery.Analysis`: one edge, one test, one pair of the bootstrap.

Plain immutable values. They say what was computed, with the names of variables, and are written to ``result.json`` and
read from it as they are. Nothing here computes anything.

>>> EdgeEstimate("tar", "cancer", "bidirected", estimate=0.3, standard_error=0.04).arrow
'<->'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from lurking.graphs import ADMG
from lurking.graphs.pag_text import reversed_arrow

__all__ = ["ConstraintTest", "EdgeEstimate", "NearOptimal", "PairShares", "Trace"]

NearOptimal: TypeAlias = tuple[ADMG, float, int]
"""Another good graph, how much larger its score is than the best, and in how many pairs it differs from the answer."""

Trace: TypeAlias = Mapping[str, Any]
"""How a quantity changed during the search, as ``result.json`` has it: ``title``, ``x_label`` and ``y_label``;
``series``, a tuple of lines, each a label with the tuples of its two coordinates (values that are not finite leave a
gap); ``log_scale``, whether y is shown on a logarithmic scale; and ``reading``, how to read it, in a sentence."""


@dataclass(frozen=True, slots=True)
class EdgeEstimate:
    """One edge of the ADMG, with numbers.

    An edge of a nominal variable has a parameter for each level but the reference, in ``by_column``, and no single
    estimate.

    Attributes
    ----------
    one, other : str
        Cause and effect of a directed edge; the two ends of a bidirected one, in the order of the variables.
    kind : {"directed", "bidirected"}
        Which edge of the pair.
    estimate : float, optional
        The coefficient of a directed edge, the covariance of the two errors of a bidirected one.
    standard_error : float, optional
        Of the estimate, given the graph.
    standardized : float, optional
        The estimate in units of standard deviations. Of an edge with several parameters the largest one that any
        combinations of the columns have, without a sign (a canonical correlation, if the first has no other edges).
    removal_cost : float, optional
        How much larger the BIC becomes without the edge.
    adjacent : float, optional
        The posterior probability that the pair is adjacent in the PAG.
    probability : float, optional
        The posterior probability of what the edge says: of a directed edge, that the first is a cause of the second; of
        a bidirected one, that the two share an unmeasured cause.
    share : float, optional
        In which share of the bootstrap replicates this very edge was found.
    chi_square : float, optional
        Of an edge with several parameters, Wald's statistic of the hypothesis that all of them are zero.
    df : int, optional
        Its degrees of freedom, the number of parameters.
    by_column : tuple of EdgeEstimate
        Of an edge with several parameters, each of them: the two columns, its estimate and its standard error.
    """

    one: str
    other: str
    kind: Literal["directed", "bidirected"]
    estimate: float | None = None
    standard_error: float | None = None
    standardized: float | None = None
    removal_cost: float | None = None
    adjacent: float | None = None
    probability: float | None = None
    share: float | None = None
    chi_square: float | None = None
    df: int | None = None
    by_column: tuple[EdgeEstimate, ...] = ()

    @property
    def arrow(self) -> Literal["->", "<->"]:
        """``->`` or ``<->``."""
        return "->" if self.kind == "directed" else "<->"


@dataclass(frozen=True, slots=True)
class ConstraintTest:
    """One thing that the graph implies, tested on the data.

    Attributes
    ----------
    text : str
        The statement, as ``str`` of an implied constraint (:mod:`lurking.graphs.constraint`) writes it.
    kind : {"independence", "verma", "linear", "tetrad"}
        An ordinary independence, one that holds only after fixing, a restriction that rests on linearity alone, or a
        vanishing tetrad, which a common cause that is a vertex of the graph implies.
    statistic, p_value, adjusted_p_value : float
        The likelihood ratio, its p-value, and the p-value adjusted for the number of tests.
    df : int
        The degrees of freedom: 1, more between nominal variables.
    """

    text: str
    kind: Literal["independence", "verma", "linear", "tetrad"]
    statistic: float
    p_value: float
    adjusted_p_value: float
    df: int = 1

    @property
    def refuted(self) -> bool:
        """Whether the data refute it at a false discovery rate of 5 %."""
        return self.adjusted_p_value < 0.05


@dataclass(frozen=True, slots=True)
class PairShares:
    """How often each kind of edge was found between two variables in the bootstrap.

    Attributes
    ----------
    one, other : str
        The two variables.
    admg : mapping of str to float
        Shares of ``"->"``, ``"<-"``, ``"<->"`` and ``""`` (no edge), seen from ``one``; they may sum to more than 1
        where a pair can have two edges.
    pag : mapping of str to float
        Shares of PAG edges, written as in :meth:`PAG.edges <lurking.graphs.PAG.edges>` seen from ``one``.
    """

    one: str
    other: str
    admg: Mapping[str, float] = field(default_factory=dict)
    pag: Mapping[str, float] = field(default_factory=dict)

    @property
    def joined(self) -> float:
        """The share of the graphs that have an edge between the two."""
        return 1.0 - self.admg.get("", 0.0)

    def reversed(self) -> PairShares:
        """Return the same seen from the other variable."""
        admg, pag = ({reversed_arrow(k): v for k, v in shares.items()} for shares in (self.admg, self.pag))
        return PairShares(self.other, self.one, admg, pag)
