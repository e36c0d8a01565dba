"""Words of messages: numbers with their nouns, and what a message calls a parameter.

A message that advises the reader to set a parameter is a text with parts. Each part that names a parameter is a
:class:`Mention`, with the parameter and the value, so that a front end can say it in its own words: Python writes
``missing='drop'``, the command line ``--missing drop``. Texts and mentions are joined by ``+``.

>>> message = "Values are missing; leave the rows out by " + setting("missing", "drop") + "."
>>> print(message)
Values are missing; leave the rows out by missing='drop'.
>>> message.said_by(lambda mention: f"--{mention.parameter} {mention.value}")
'Values are missing; leave the rows out by --missing drop.'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

__all__ = ["Mention", "Words", "counted", "joined", "mention", "setting"]


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an s unless there is one.

    Examples
    --------
    >>> counted(1, "row"), counted(7466, "row")
    ('1 row', '7,466 rows')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class Mention(NamedTuple):
    """A parameter in a message: its name, the value it shall have (None for any), and both in the words of Python."""

    parameter: str
    value: Any
    python: str


class Words(str):
    """A message in the words of Python that knows which of its parts are mentions of parameters."""

    parts: tuple[str | Mention, ...]

    def __new__(cls, text: str, parts: tuple[str | Mention, ...] = ()) -> Words:
        """Make a message of its text and of the parts that the text was joined from."""
        made = super().__new__(cls, text)
        made.parts = parts or (str(text),)
        return made

    def __add__(self, other: str) -> Words:
        return Words(str.__add__(self, other), self.parts + _parts_of(other))

    def __radd__(self, other: str) -> Words:
        return Words(str.__add__(other, self), _parts_of(other) + self.parts)

    def said_by(self, speak: Callable[[Mention], str]) -> str:
        """Return the message with each mention in the words that ``speak`` finds for it."""
        return "".join(part if isinstance(part, str) else speak(part) for part in self.parts)


def _parts_of(text: str) -> tuple[str | Mention, ...]:
    return text.parts if isinstance(text, Words) else (text,)


def joined(texts: Iterable[str], by: str = " ") -> str:
    """Join messages; mentions stay mentions."""
    first, *others = [*texts] or [""]
    for text in others:
        first = first + by + text
    return first


def setting(parameter: str, value: object) -> Words:
    """Return the mention of a parameter with a value, as in ``missing='drop'``."""
    return mention(parameter, f"{parameter}={value!r}", value)


def mention(parameter: str, python: str, value: object = None) -> Words:
    """Return the mention of a parameter in any words."""
    return Words(python, (Mention(parameter, value, python),))
