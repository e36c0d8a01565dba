"""Several options of the command line as one decorator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["together"]

F = TypeVar("F", bound=Callable[..., Any])


def together(*decorators: Callable[[Any], Any]) -> Callable[[F], F]:
    """Return a decorator that applies all of these; --help shows the options in the order given."""

    def decorate(function: F) -> F:
        decorated: Any = function
        for decorator in reversed(decorators):
            decorated = decorator(decorated)
        return decorated  # type: ignore[no-any-return]

    return decorate
