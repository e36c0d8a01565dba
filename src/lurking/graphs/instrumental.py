r"""Instruments: an effect from a variable that acts on the outcome only through its cause.

z is an *instrument* for the effect of x on y, given W, if (Brito and Pearl 2002; van der Zander, Textor and Liśkiewicz
2015)

1. W and z hold nothing that x acts on along the way to y, nor a descendant of such a vertex;
2. W m-separates z from y in the back-door graph, where the first edge of each directed path from x to y is removed;
3. W does not m-separate z from x.

Then, in linear models, the total effect of x on y is :math:`\mathrm{cov}(z, y \mid W) / \mathrm{cov}(z, x \mid W)`,
whatever unmeasured causes x and y share. Without W the instrument is unconditional.

::

    z -> x -> y,  x <-> y                         z is an instrument
    w -> z -> x -> y,  w -> y,  x <-> y           z is one given w

For each z the conditioning set returned is a smallest minimal separating set that leaves z and x dependent; its members
are ancestors of z or y. (A set with members that are neither may exist where none of these does; to find one is
NP-hard.)

In a selected sample W holds the selected variables as well (:mod:`lurking.graphs.selection`).

Only an ADMG can show an instrument. In a MAG or PAG z and y are not separated by any set unless x -> y is unconfounded,
so that adjustment is enough; in a CPDAG nothing is confounded.

>>> from lurking.graphs import ADMG
>>> print(*instruments(ADMG.parse("w -> z -> x -> y; w -> y; x <-> y"), "x", "y"))
z given w

References
----------
C. Brito and J. Pearl (2002). Generalized instrumental variables. UAI.
B. van der Zander, J. Textor and M. Liśkiewicz (2015). Efficiently finding conditional instruments for causal inference.
IJCAI.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from lurking._errors import GraphError
from lurking.graphs.admg import ADMG
from lurking.graphs.backdoor import backdoor_graph
from lurking.graphs.bits import members, singleton
from lurking.graphs.selection import SelectedADMG
from lurking.graphs.separation import m_separated
from lurking.graphs.separators import minimal_separators
from lurking.graphs.vertices import Vertices

__all__ = ["Instrument", "instruments"]


@dataclass(frozen=True, slots=True)
class Instrument:
    """A variable that shows an effect in spite of unmeasured causes, and what it must be conditioned on.

    Attributes
    ----------
    variable : str
        The instrument.
    given : frozenset of str
        What to condition on; often nothing.
    """

    variable: str
    given: frozenset[str]

    def __str__(self) -> str:
        return f"{self.variable} given {', '.join(sorted(self.given))}" if self.given else self.variable


def instruments(
    graph: ADMG | SelectedADMG, cause: str, effect: str, *, exclude: Vertices = (), limit: int = 200
) -> tuple[Instrument, ...]:
    """Return the instruments for a total effect, each with a small conditioning set.

    Parameters
    ----------
    graph : ADMG or SelectedADMG
        The graph.
    cause, effect : str
        Two different variables.
    exclude : str or iterable of str
        What may be neither an instrument nor conditioned on.
    limit : int, default 200
        The number of minimal separating sets that are tried for each variable.

    Returns
    -------
    instruments : tuple of Instrument
        Those that need fewer variables first.

    Raises
    ------
    GraphError
        If the graph is a CPDAG or PAG.

    Examples
    --------
    >>> print(*instruments(ADMG.parse("z -> x -> y; x <-> y"), "x", "y"))
    z
    """
    if not isinstance(graph, ADMG | SelectedADMG):
        raise GraphError(
            f"An instrument can be seen in an ADMG only, not in a {type(graph).__name__}: where the class allows "
            "confounding of cause and effect, it also has a member in which the variable acts on the effect directly."
        )
    question = backdoor_graph(graph, cause, effect)
    if question.obstacle is not None:
        return ()
    barred = question.forbidden | graph._mask(exclude)
    whole = graph._separation_graph().bits
    found = []
    for z in members(whole.everything & ~barred & ~question.selected):
        candidates = minimal_separators(question.bits, singleton(z), question.effects, question.selected, ~barred)
        usable = [
            given for given in islice(candidates, limit) if not m_separated(whole, singleton(z), question.causes, given)
        ]
        if usable:
            given = min(usable, key=lambda mask: (mask.bit_count(), mask))
            found.append(Instrument(graph.names[z], graph._named(given & ~question.selected)))
    return tuple(sorted(found, key=lambda instrument: len(instrument.given)))
