r"""The text form of a graph with marks: ``A o-> B <-> C; D``.

Statements are separated by semicolons or line ends. A statement is a name, or a chain of names with arrows between
them; **spaces** separate names from arrows, because a name such as ``foo-o-bar`` may look like one. The arrows are all
combinations of a left end ``<``, ``o``, ``-`` and a right end ``>``, ``o``, ``-`` around a hyphen, and the short forms
``->``, ``<-``, ``--`` of ``-->``, ``<--``, ``---``. Names with spaces, semicolons or double quotes, and those that are
arrows, go in double quotes, with the escapes of :mod:`lurking.graphs.text`.

>>> parse_marked_edges("A o-> B; C")
(['A', 'B', 'C'], [('A', <Mark.CIRCLE: 1>, <Mark.ARROW: 2>, 'B')])
>>> arrow(Mark.CIRCLE, Mark.TAIL), arrow(Mark.TAIL, Mark.ARROW), quote("o-o")
('o--', '->', '"o-o"')
"""

from __future__ import annotations

import re

from lurking._errors import FormatError
from lurking.graphs.marks import Mark
from lurking.graphs.text import quote as quote_unless_plain

__all__ = ["MarkedEdge", "arrow", "parse_marked_edges", "quote", "reversed_arrow"]

MarkedEdge = tuple[str, Mark, Mark, str]
"""A name, the mark at it, the mark at the other name, the other name."""

_LEFT = {Mark.CIRCLE: "o", Mark.ARROW: "<", Mark.TAIL: "-"}
_RIGHT = {Mark.CIRCLE: "o", Mark.ARROW: ">", Mark.TAIL: "-"}
_SHORT = {"-->": "->", "<--": "<-", "---": "--"}
_LONG = {f"{left}-{right}": (at_one, at_other) for at_one, left in _LEFT.items() for at_other, right in _RIGHT.items()}
_ARROWS = _LONG | {short: _LONG[long] for long, short in _SHORT.items()}

_TOKEN = re.compile(
    r"""
    (?P<quoted>"(?:[^"\\]|\\.)*")
  | (?P<end>[;\n])
  | (?P<space>[^\S\n]+)
  | (?P<word>[^\s;"]+)
    """,
    re.VERBOSE | re.DOTALL,
)


def arrow(at_one: Mark, at_other: Mark) -> str:
    """Return the arrow between two names, in its short form."""
    drawn = f"{_LEFT[at_one]}-{_RIGHT[at_other]}"
    return _SHORT.get(drawn, drawn)


def reversed_arrow(text: str) -> str:
    """Return an arrow as it is written from the other side; text that is no arrow stays as it is.

    Examples
    --------
    >>> reversed_arrow("o->"), reversed_arrow("<->"), reversed_arrow("")
    ('<-o', '<->', '')
    """
    marks = _ARROWS.get(text)
    return text if marks is None else arrow(marks[1], marks[0])


def quote(name: str) -> str:
    """Return the name as it is written in text, in quotes if it needs them."""
    return f'"{name}"' if name in _ARROWS else quote_unless_plain(name)


def _unquote(token: str) -> str:
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], token[1:-1], flags=re.DOTALL)


def parse_marked_edges(text: str) -> tuple[list[str], list[MarkedEdge]]:
    """Read the text form.

    Returns
    -------
    names : list of str
        In the order of their first appearance.
    edges : list of (str, Mark, Mark, str)
        In the order of the text.

    Raises
    ------
    FormatError
        Naming the place that cannot be read.
    """
    names: dict[str, None] = {}
    edges: list[MarkedEdge] = []
    previous: str | None = None  # the name on the left, inside a statement
    waiting: str | None = None  # the arrow that waits for its right-hand name
    for kind, token in _tokens(text):
        if kind == "end":
            if waiting is not None:
                raise FormatError(f"The graph text has nothing after {previous!r} {waiting}; write the second name.")
            previous = None
        elif kind == "word" and token in _ARROWS:
            if previous is None or waiting is not None:
                before = "the start of a statement" if previous is None else f"{previous!r} {waiting}"
                raise FormatError(f"The graph text has {token} after {before}; write a name between them.")
            waiting = token
        else:
            name = _unquote(token) if kind == "quoted" else token
            if previous is not None and waiting is None:
                raise FormatError(
                    f"The graph text has no arrow between {previous!r} and {name!r}; write one such as o-> or -> with "
                    "spaces around it, separate statements by a semicolon, or put a name with spaces in double quotes."
                )
            names.setdefault(name)
            if previous is not None and waiting is not None:
                edges.append((previous, *_ARROWS[waiting], name))
            previous, waiting = name, None
    return list(names), edges


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens, position = [], 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise FormatError(f"The graph text has an unclosed quote at {text[position : position + 20]!r}; close it.")
        if match.lastgroup is not None and match.lastgroup != "space":
            tokens.append((match.lastgroup, match.group()))
        position = match.end()
    return [*tokens, ("end", "")]
