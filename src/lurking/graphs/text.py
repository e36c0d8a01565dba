r"""The text form of a graph, as one writes it on paper: ``A -> B -> C; B <-> C``.

Statements are separated by semicolons or line ends. A statement is a name, or a chain of names with ``->``,
``<-`` or ``<->`` between them. A name that contains spaces, semicolons, double quotes, backslashes or
arrows, or that begins or ends like one, is written in double quotes, with ``\"``, ``\\`` and ``\n`` for a quote, a
backslash and a line end inside.

>>> parse_edges('smoking -> "lung cancer" <- asbestos; age')
(['smoking', 'lung cancer', 'asbestos', 'age'], [('smoking', 'lung cancer'), ('asbestos', 'lung cancer')], [])
>>> quote("lung cancer"), quote("age")
('"lung cancer"', 'age')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from lurking._errors import FormatError

__all__ = ["parse_edges", "quote", "write_edges"]

Edge = tuple[str, str]

_TOKEN = re.compile(
    r"""
    (?P<quoted>"(?:[^"\\]|\\.)*")
  | (?P<arrow><->|->|<-)
  | (?P<end>[;\n])
  | (?P<space>[^\S\n]+)
  | (?P<bare>(?:(?!<->|->|<-)[^\s;"])+)
    """,
    re.VERBOSE | re.DOTALL,
)
_BARE = re.compile(r"""(?![->])(?:(?!<->|->|<-)[^\s;"\\])+(?<![-<])""")


def quote(name: str) -> str:
    """Return the name as it is written in text, in quotes if it needs them."""
    if _BARE.fullmatch(name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _unquote(token: str) -> str:
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], token[1:-1], flags=re.DOTALL)


def parse_edges(text: str) -> tuple[list[str], list[Edge], list[Edge]]:
    """Read the text form.

    Returns
    -------
    names : list of str
        In the order of their first appearance.
    directed, bidirected : list of (str, str)
        The edges in the order of the text.

    Raises
    ------
    FormatError
        Naming the place that cannot be read.
    """
    names: dict[str, None] = {}
    directed: list[Edge] = []
    bidirected: list[Edge] = []
    previous: str | None = None  # the name on the left, inside a statement
    arrow: str | None = None  # the arrow that waits for its right-hand name
    position = 0
    while position <= len(text):
        match = _TOKEN.match(text, position)
        if match is None and position < len(text):
            raise FormatError(f"The graph text has an unclosed quote at {text[position : position + 20]!r}; close it.")
        kind = match.lastgroup if match else "end"
        token = match.group() if match else ""
        position = match.end() if match else len(text) + 1
        if kind == "space":
            continue
        if kind == "end":
            if arrow is not None:
                raise FormatError(f"The graph text has nothing after {previous!r} {arrow}; write the second name.")
            previous = None
        elif kind == "arrow":
            if previous is None or arrow is not None:
                before = "the start of a statement" if previous is None else f"{previous!r} {arrow}"
                raise FormatError(f"The graph text has {token} after {before}; write a name between them.")
            arrow = token
        else:
            name = _unquote(token) if kind == "quoted" else token
            if previous is not None and arrow is None:
                raise FormatError(
                    f"The graph text has no arrow between {previous!r} and {name!r}; write ->, <- or <->, "
                    "separate statements by a semicolon, or put a name with spaces in double quotes."
                )
            names.setdefault(name)
            if previous is not None:
                match arrow:
                    case "->":
                        directed.append((previous, name))
                    case "<-":
                        directed.append((name, previous))
                    case _:
                        bidirected.append((previous, name))
            previous, arrow = name, None
    return list(names), directed, bidirected


def write_edges(names: Sequence[str], directed: Iterable[Edge], bidirected: Iterable[Edge]) -> str:
    """Write the text form so that :func:`parse_edges` gives the same names in the same order."""
    statements = [f"{quote(a)} -> {quote(b)}" for a, b in directed]
    statements += [f"{quote(a)} <-> {quote(b)}" for a, b in bidirected]
    text = "; ".join(statements)
    if parse_edges(text)[0] == list(names):
        return text
    return "; ".join([quote(name) for name in names] + statements)
