"""What options share: a check, a choice among registered names, and several of them as one decorator."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

__all__ = ["Registered", "check_effective_rows", "check_jobs", "class_names", "criterion_names", "together"]

F = TypeVar("F", bound=Callable[..., Any])


def together(*decorators: Callable[[Any], Any]) -> Callable[[F], F]:
    """Return a decorator that applies all of these; --help shows the options in the order given."""

    def decorate(function: F) -> F:
        decorated: Any = function
        for decorator in reversed(decorators):
            decorated = decorator(decorated)
        return decorated  # type: ignore[no-any-return]

    return decorate


class Registered(click.ParamType):  # type: ignore[type-arg]  # not generic in older releases of click
    """A choice among names that a registry of the library holds, which is imported when the option is used or shown."""

    name = "choice"

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        self.names = names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a name that is registered; refuse others and list those that are."""
        return click.Choice(tuple(self.names())).convert(value, param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return the names as --help shows them."""
        return f"[{'|'.join(self.names())}]"


def class_names() -> tuple[str, ...]:
    """Return the names of the classes of graphs, the largest class first."""
    from lurking.graphs.classes import CLASSES

    return tuple(CLASSES)[::-1]


def criterion_names() -> tuple[str, ...]:
    """Return the names of the registered criteria."""
    from lurking.sem import CRITERIA

    return tuple(CRITERIA)


def check_jobs(ctx: click.Context, parameter: click.Parameter, value: int) -> int:
    """Refuse 0 jobs; -1 stands for one on each core."""
    if value == 0:
        raise click.BadParameter("0 would do nothing; give a number, or -1 for one on each core.", ctx, parameter)
    return value


def check_effective_rows(_context: click.Context, _option: click.Parameter, value: str) -> str | int:
    """Return how many rows are counted: a word, or a number of at least 2."""
    if value in ("auto", "all"):
        return value
    if not value.isdecimal() or int(value) < 2:
        raise click.BadParameter(f"it must be auto, all or a number of at least 2. Got {value!r} instead.")
    return int(value)
