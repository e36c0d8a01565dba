"""Where the exceptions are defined; :mod:`lurking.errors` is where they are explained and imported from by users."""

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

    @property
    def words(self) -> str:
        """The message; where it is a :class:`~lurking._wording.Words`, it knows which parameters it names."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)


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
    """An argument outside its allowed range.

    Attributes
    ----------
    parameter : str or None
        The parameter, where the error is about one.
    value : object
        What it was.
    """

    def __init__(self, message: str, *, parameter: str | None = None, value: object = None) -> None:
        self.parameter, self.value = parameter, value
        super().__init__(message)


class KnowledgeError(LurkingError, ValueError):
    """Background knowledge that contradicts itself or the data's names."""


for _public in (
    LurkingError,
    GraphError,
    CycleError,
    GraphClassError,
    UnknownVertexError,
    FormatError,
    DataError,
    ParameterError,
    KnowledgeError,
):
    _public.__module__ = "lurking.errors"  # so that a traceback names the module that users import from
del _public
