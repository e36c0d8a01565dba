r"""The older language of DAGitty: a list of vertices, an empty line, a list of children.

dagitty.net wrote it before 2015, and papers and course notes still show it::

    smoking E @-1.2,0.4
    lung%20cancer O @1.0,0.4
    tar 1 @0,0.4
    genes U @0,-1

    smoking tar @-0.6,0.2
    tar lung%20cancer
    genes smoking lung%20cancer

A line of the first block is a name, what the vertex is (``E`` exposure, ``O`` outcome, ``A`` adjusted, ``U`` latent,
``S`` selected, a number for nothing special) and where it is drawn. A line of the second is a vertex and its children,
each of which may be followed by a point through which the arrow is drawn. Names are percent-encoded.

>>> is_list("X E\nY O\n\nX Y"), is_list("dag { X -> Y }"), is_list("X; Y")
(True, False, False)
>>> document = parse_list("X E @0,0\nY O\nM 1\n\nX M @0.5,0.5\nM Y")
>>> list(document.vertices), [(link.one, link.other) for link in document.links], document.vertices["X"]
(['X', 'Y', 'M'], [('X', 'M'), ('M', 'Y')], {'exposure': ''})
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from lurking.io.dot_language import Document, Link
from lurking.io.marked_edges import unreadable

__all__ = ["is_list", "parse_list"]

_TITLE = "The DAGitty text"
_POINT = re.compile(r"@-?[\d.]+(?:e-?\d+)?,-?[\d.]+(?:e-?\d+)?", re.IGNORECASE)
_ROLES = {"E": "exposure", "O": "outcome", "A": "adjusted", "U": "latent", "L": "latent", "S": "selected"}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_ARROWS_OR_BRACKETS = re.compile(r"->|<-|--|@-|-@|[{}\[\];\"]")


def is_list(text: str) -> bool:
    """Tell whether a text is in the older language: no arrow, no bracket, and a vertex with what it is."""
    if _ARROWS_OR_BRACKETS.search(_POINT.sub("", text)):
        return False
    return any(len(line.split()) >= 2 for line in text.splitlines())


def parse_list(text: str) -> Document:
    """Parse a text in the older language; vertices have their role as an attribute.

    Raises
    ------
    FormatError
        With the line that cannot be read.
    """
    document = Document("dag")
    edges_begin = False
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line:
            edges_begin = bool(document.vertices)
        elif edges_begin:
            _read_children(document, line, number)
        else:
            _read_vertex(document, line, number)
    return document


def _read_vertex(document: Document, line: str, number: int) -> None:
    name, *rest = line.split()
    words = [word for word in rest if not _POINT.fullmatch(word)]
    if len(words) > 1 or not all(word.upper() in _ROLES or _NUMBER.fullmatch(word) for word in words):
        reason = f"expected a name and one of E, O, A, U or a number, but found {line[:40]!r}."
        raise unreadable(_TITLE, reason, number)
    role = _ROLES.get(words[0].upper()) if words else None
    if unquote(name) in document.vertices:
        raise unreadable(_TITLE, f"{unquote(name)!r} is listed twice; leave an empty line before the edges.", number)
    document.vertices[unquote(name)] = {role: ""} if role else {}


def _read_children(document: Document, line: str, number: int) -> None:
    cause, *rest = line.split()
    effects = [word for word in rest if not _POINT.fullmatch(word)]
    for name in (cause, *effects):
        if unquote(name) not in document.vertices:
            reason = f"{unquote(name)!r} is not among the vertices {', '.join(document.vertices)[:60]}; list it there."
            raise unreadable(_TITLE, reason, number)
    document.links += [Link(unquote(cause), "->", unquote(effect), {}, number) for effect in effects]
