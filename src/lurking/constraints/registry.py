"""The constraints by the name of their class of graphs."""

from __future__ import annotations

from lurking._errors import ParameterError
from lurking.constraints.acyclic import Acyclic
from lurking.constraints.ancestral import Ancestral
from lurking.constraints.arid import Arid
from lurking.constraints.base import ClassPenalty
from lurking.constraints.bow_free import BowFree
from lurking.constraints.walk_sums import Form

__all__ = ["CONSTRAINTS", "constraint_for"]

CONSTRAINTS: dict[str, type[ClassPenalty]] = {
    constraint.graph_class: constraint for constraint in (Acyclic, Ancestral, Arid, BowFree)
}


def constraint_for(graph_class: str, form: Form = "power", directed_factor: float = 1.0) -> ClassPenalty:
    """Return the constraint of a class of graphs.

    Parameters
    ----------
    graph_class : {"acyclic", "ancestral", "arid", "bow-free"}
        The class.
    form : {"power", "exponential"}, default="power"
        (I + cA)^d or e^A.
    directed_factor : float, default=1.0
        The c of the power form for directed edges.

    Examples
    --------
    >>> constraint_for("bow-free")
    BowFree(form='power', directed_factor=1.0)
    """
    if graph_class not in CONSTRAINTS:
        raise ParameterError(f"The graph_class must be one of {', '.join(CONSTRAINTS)}. Got {graph_class!r} instead.")
    return CONSTRAINTS[graph_class](form, directed_factor)
