"""Every exception that lurking raises on purpose.

The tree::

    Exception
    └── LurkingError                 catch this to catch them all
        ├── GraphError               (also a ValueError) a graph that cannot be, or not here
        │   ├── CycleError           directed edges that lead back to their start
        │   ├── GraphClassError      a graph outside the class that an operation needs
        │   └── UnknownVertexError   (also a KeyError) a name that is not in the graph
        ├── FormatError              (also a ValueError) text that is not in the format it claims
        ├── DataError                (also a ValueError) a table or covariance that cannot be used
        ├── ParameterError           (also a ValueError) an argument outside its range
        └── KnowledgeError           (also a ValueError) background knowledge that contradicts itself

Each message is one sentence that names the offending variables and says what to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = [
    "CycleError",
    "DataError",
    "FormatError",
    "GraphClassError",
    "GraphError",
    "KnowledgeError",
    "LurkingError",
    "ParameterError",
    "UnknownVertexError",
]


class LurkingError(Exception):
    """Base class of every error that lurking raises on purpose."""


class GraphError(LurkingError, ValueError):
    """A graph that cannot exist, or that the operation cannot take."""


class CycleError(GraphError):
    """Directed edges that lead back to where they started.

    Attributes
    ----------
    cycle : tuple of str
        The vertices in order, the first one repeated at the end.
    """

    def __init__(self, cycle: tuple[str, ...]) -> None:
        self.cycle = cycle
        super().__init__(
            f"The directed edges form a cycle, {' -> '.join(cycle)}; an ADMG has none: "
            "remove or reverse one of these edges."
        )

    def __reduce__(self) -> tuple[type[CycleError], tuple[tuple[str, ...]]]:
        return CycleError, (self.cycle,)


class GraphClassError(GraphError):
    """A graph outside the class (ancestral, arid, bow-free, maximal) that is needed."""


class UnknownVertexError(GraphError, KeyError):
    """A name that is not a vertex of the graph, with the nearest names that are."""

    def __init__(self, name: object, names: Iterable[str]) -> None:
        self.name = name
        self.names = tuple(names)
        near = get_close_matches(str(name), self.names, n=3, cutoff=0.5)
        if near:
            hint = f"did you mean {', '.join(map(repr, near))}?"
        elif self.names:
            end = ", ..." if len(self.names) > 8 else "."
            hint = f"the names are {', '.join(map(repr, self.names[:8]))}{end}"
        else:
            hint = "there are no variables at all."
        self.message = f"There is no variable named {name!r}; {hint}"
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[type[UnknownVertexError], tuple[object, tuple[str, ...]]]:
        return UnknownVertexError, (self.name, self.names)


class FormatError(LurkingError, ValueError):
    """Text or a file that is not in the format it is read as."""


class DataError(LurkingError, ValueError):
    """A table or covariance matrix that cannot be analysed as it is."""


class ParameterError(LurkingError, ValueError):
    """An argument outside its allowed range."""


class KnowledgeError(LurkingError, ValueError):
    """Background knowledge that contradicts itself or the data's names."""
