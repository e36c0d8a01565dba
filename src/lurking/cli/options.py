"""What options share: a check, and several of them as one decorator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = ["check_effective_rows", "check_jobs", "together"]

F = TypeVar("F", bound=Callable[..., Any])


def together(*decorators: Callable[[Any], Any]) -> Callable[[F], F]:
    """Return a decorator that applies all of these; --help shows the options in the order given."""

    def decorate(function: F) -> F:
        decorated: Any = function
        for decorator in reversed(decorators):
            decorated = decorator(decorated)
        return decorated  # type: ignore[no-any-return]

    return decorate


def check_jobs(ctx: click.Context, parameter: click.Parameter, value: int) -> int:
    """Refuse to do nothing at the same time; -1 stands for one on each core."""
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
