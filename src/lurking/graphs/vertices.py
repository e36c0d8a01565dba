"""Names for vertices: what ADMG, CADMG and PAG have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from lurking._errors import GraphError, UnknownVertexError
from lurking.graphs.bits import mask_of, members

__all__ = ["NamedVertices", "Vertices", "check_names"]

Vertices = str | Iterable[str]
"""One name, or several."""


class NamedVertices:
    """Vertices that have names, an order, and a number each.

    Parameters
    ----------
    names : sequence of str
        Different, non-empty names.
    """

    __slots__ = ("_number", "names")

    names: tuple[str, ...]
    """The names in order; the rows and columns of every matrix follow it."""
    _number: dict[str, int]

    def __init__(self, names: Sequence[str]) -> None:
        checked = check_names(names)
        object.__setattr__(self, "names", checked)
        object.__setattr__(self, "_number", {name: i for i, name in enumerate(checked)})

    def __setattr__(self, attribute: str, value: object) -> None:
        raise AttributeError(f"A {type(self).__name__} cannot be changed; build a new one to set {attribute!r}.")

    def __delattr__(self, attribute: str) -> None:
        raise AttributeError(f"A {type(self).__name__} cannot be changed; build a new one without {attribute!r}.")

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._number

    def index(self, name: str) -> int:
        """Return the position of a name; near matches are suggested if it is unknown."""
        try:
            return self._number[name]
        except (KeyError, TypeError):
            raise UnknownVertexError(name, self.names) from None

    def _mask(self, vertices: Vertices) -> int:
        if isinstance(vertices, str):
            return 1 << self.index(vertices)
        return mask_of(self.index(name) for name in vertices)

    def _named(self, mask: int) -> frozenset[str]:
        return frozenset(self.names[i] for i in members(mask))

    def _disjoint_masks(self, one: Vertices, other: Vertices, given: Vertices) -> tuple[int, int, int]:
        masks = self._mask(one), self._mask(other), self._mask(given)
        shared = (masks[0] & masks[1]) | (masks[0] & masks[2]) | (masks[1] & masks[2])
        if shared:
            listed = ", ".join(sorted(self._named(shared)))
            raise GraphError(f"The three sets of a separation must not overlap, but share {listed}; name each once.")
        if not masks[0] or not masks[1]:
            raise GraphError("A separation needs at least one variable on each side; one of the two sets is empty.")
        return masks


def check_names(names: Iterable[object]) -> tuple[str, ...]:
    """Return the names as a tuple of plain strings, or say which one cannot be a name."""
    if isinstance(names, str):
        raise GraphError(f"The names must be a sequence of strings, not the one string {names!r}; put it in a list.")
    listed = list(names)
    for name in listed:
        if not isinstance(name, str) or not name:
            raise GraphError(f"A variable's name must be a non-empty string, but one is {name!r}; rename it.")
    repeated = [name for name, count in Counter(listed).items() if count > 1]
    if repeated:
        raise GraphError(f"Each name may occur once, but {', '.join(map(repr, repeated))} occurs again; rename it.")
    return tuple(str(name) for name in listed)
