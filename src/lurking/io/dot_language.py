"""The grammar that Graphviz DOT and DAGitty share, with what differs between them as a :class:`Dialect`.

Both describe a graph by statements inside braces::

    digraph name {
        A [pos="1,2"];                 a vertex, with attributes
        A -> B -> C [dir=both];        a chain of edges
        A -> {B C};                    an edge to each vertex of a group
        edge [dir=none];               attributes of all later edges of this group
        rankdir=LR;                    an attribute of the drawing
    }

:func:`parse` returns the vertices and the edges with their attributes; what an arrow or an attribute means is left to
the dialect's own file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from lurking.io.marked_edges import unreadable

__all__ = ["Dialect", "Document", "Link", "parse"]

_SKIPPED = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/|^\#[^\n]*)+", re.DOTALL | re.MULTILINE)
_PUNCTUATION = "{}[]=;,:+"
_DEEPEST = 50  # groups within groups; beyond it the text is an accident or an attack


@dataclass(frozen=True)
class Dialect:
    """What distinguishes a language of the family.

    Parameters
    ----------
    title : str
        What a text is called in errors.
    kinds : tuple of str
        The words that may open a graph, in lower case.
    word, quoted, arrow : str
        Regular expressions of a bare name, a name in quotes, and an arrow.
    unquote : callable
        Turns the inside of a quoted name into the name.
    defaults : tuple of str
        The words before ``[`` that set attributes for what follows.
    group : str, optional
        The word that may stand before a group.
    default_kind : str, optional
        The kind of a text that has statements only, if that is allowed.
    markup : bool, default False
        Whether ``<...>`` is also a name.
    """

    title: str
    kinds: tuple[str, ...]
    word: str
    quoted: str
    arrow: str
    unquote: Callable[[str], str]
    defaults: tuple[str, ...]
    group: str | None = None
    default_kind: str | None = None
    markup: bool = False


@dataclass(frozen=True)
class Link:
    """One edge: two names, what stands between them, the attributes in force, and the line."""

    one: str
    arrow: str
    other: str
    attributes: Mapping[str, str]
    line: int


@dataclass
class Document:
    """A parsed text: what it says it is, and its vertices and edges in order."""

    kind: str
    name: str | None = None
    strict: bool = False
    vertices: dict[str, dict[str, str]] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)


@dataclass(frozen=True)
class _Token:
    kind: str  # "name" (quoted or not), "word" (a name that may be a keyword), "arrow", "end", or a punctuation mark
    text: str
    line: int

    @property
    def is_name(self) -> bool:
        return self.kind in ("name", "word")


def parse(text: str, dialect: Dialect) -> Document:
    """Parse a text.

    Raises
    ------
    FormatError
        With the line, and what was expected there.
    """
    if not text.strip():
        raise unreadable(dialect.title, "it is empty.")
    return _Parser(_tokens(text, dialect), dialect).document()


def _tokens(text: str, dialect: Dialect) -> list[_Token]:
    pattern = re.compile(rf"(?P<arrow>{dialect.arrow})|(?P<name>{dialect.quoted})|(?P<word>{dialect.word})", re.DOTALL)
    tokens: list[_Token] = []
    position, line = 0, 1
    while position < len(text):
        start = position
        if skipped := _SKIPPED.match(text, position):
            position = skipped.end()
        elif text[position] in _PUNCTUATION:
            tokens.append(_Token(text[position], text[position], line))
            position += 1
        elif dialect.markup and text[position] == "<":
            position = _end_of_markup(text, position, line, dialect)
            tokens.append(_Token("name", text[start + 1 : position - 1], line))
        elif found := pattern.match(text, position):
            kind, token = str(found.lastgroup), found.group()
            tokens.append(_Token(kind, dialect.unquote(token[1:-1]) if kind == "name" else token, line))
            position = found.end()
        elif text[position] == '"':
            raise unreadable(dialect.title, f"the quote at {text[position : position + 20]!r} is not closed.", line)
        else:
            reason = f"expected a name, an arrow or a bracket, but found {text[position : position + 10]!r}."
            raise unreadable(dialect.title, reason, line)
        line += text.count("\n", start, position)
    tokens.append(_Token("end", "the end of the text", line))
    return tokens


def _end_of_markup(text: str, start: int, line: int, dialect: Dialect) -> int:
    depth = 0
    for position in range(start, len(text)):
        depth += {"<": 1, ">": -1}.get(text[position], 0)
        if depth == 0:
            return position + 1
    raise unreadable(dialect.title, f"the < of {text[start : start + 20]!r} is not closed.", line)


class _Parser:
    """Recursive descent over the tokens."""

    def __init__(self, tokens: list[_Token], dialect: Dialect) -> None:
        self._tokens = tokens
        self._dialect = dialect
        self._at = 0
        self._document = Document(dialect.default_kind or "")

    def document(self) -> Document:
        has_header = self._read_header()
        self._statements({}, 0)
        if has_header:
            self._expect("}")
        if self._next.kind != "end":
            self._fail("the end of the text")
        return self._document

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _peek(self, ahead: int) -> _Token:
        return self._tokens[min(self._at + ahead, len(self._tokens) - 1)]

    def _take(self) -> _Token:
        token = self._next
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _accept(self, kind: str) -> bool:
        if self._next.kind == kind:
            self._take()
            return True
        return False

    def _expect(self, kind: str) -> None:
        if not self._accept(kind):
            self._fail(kind)

    def _fail(self, expected: str) -> NoReturn:
        token = self._next
        shown = token.text if token.kind == "end" else repr(token.text)
        raise unreadable(self._dialect.title, f"expected {expected}, but found {shown}.", token.line)

    def _is_word(self, token: _Token, *words: str) -> bool:
        return token.kind == "word" and token.text.lower() in words

    @property
    def _opens_group(self) -> bool:
        return self._dialect.group is not None and self._is_word(self._next, self._dialect.group)

    def _read_header(self) -> bool:
        strict = 1 if self._is_word(self._next, "strict") else 0
        kind = self._peek(strict)
        named = 1 if self._peek(strict + 1).is_name else 0
        if not self._is_word(kind, *self._dialect.kinds) or self._peek(strict + 1 + named).kind != "{":
            if self._dialect.default_kind is not None:
                return False
            self._fail(f"{' or '.join(self._dialect.kinds)} and an opening brace")
        self._document.strict = bool(strict)
        self._document.kind = kind.text.lower()
        self._document.name = self._peek(strict + 1).text if named else None
        self._at += strict + named + 2
        return True

    def _statements(self, edge_defaults: dict[str, str], depth: int) -> list[str]:
        """Read statements up to a closing brace; return the vertices they name."""
        if depth > _DEEPEST:
            raise unreadable(self._dialect.title, f"groups are nested more than {_DEEPEST} deep.", self._next.line)
        defaults = dict(edge_defaults)
        members: dict[str, None] = {}
        while self._next.kind not in ("}", "end"):
            if self._accept(";"):
                continue
            if self._is_word(self._next, *self._dialect.defaults) and self._peek(1).kind == "[":
                about_edges = self._take().text.lower() == "edge"
                attributes = self._attributes()
                defaults |= attributes if about_edges else {}
            elif self._next.is_name and self._peek(1).kind == "=":
                self._at += 2
                self._name("a value")
            else:
                members |= dict.fromkeys(self._chain(defaults, depth))
        return list(members)

    def _chain(self, defaults: dict[str, str], depth: int) -> list[str]:
        """Read one vertex or group, or a chain of them with arrows between; return the vertices."""
        is_group = self._next.kind == "{" or self._opens_group
        operands = [self._operand(defaults, depth)]
        arrows = []
        while self._next.kind == "arrow":
            arrows.append(self._take())
            operands.append(self._operand(defaults, depth))
        attributes = self._attributes()
        for left, arrow, right in zip(operands, arrows, operands[1:], strict=False):
            in_force = defaults | attributes
            self._document.links += [Link(a, arrow.text, b, in_force, arrow.line) for a in left for b in right]
        if not arrows and not is_group:
            self._document.vertices[operands[0][0]] |= attributes
        return [name for operand in operands for name in operand]

    def _operand(self, defaults: dict[str, str], depth: int) -> list[str]:
        if self._opens_group:
            self._take()
            if self._next.is_name:
                self._take()
            if self._next.kind != "{":
                self._fail(f"{{ after {self._dialect.group}")
        if self._accept("{"):
            members = self._statements(defaults, depth + 1)
            self._expect("}")
            return members
        name = self._name("a name")
        self._document.vertices.setdefault(name, {})
        while self._accept(":"):  # a port says where the line meets the box
            self._name("a port")
        return [name]

    def _name(self, expected: str) -> str:
        if not self._next.is_name:
            self._fail(expected)
        name = self._take().text
        while self._next.kind == "+":
            self._take()
            if not self._next.is_name:
                self._fail("a quoted text after +")
            name += self._take().text
        return name

    def _attributes(self) -> dict[str, str]:
        attributes: dict[str, str] = {}
        while self._accept("["):
            while not self._accept("]"):
                if self._accept(",") or self._accept(";"):
                    continue
                key = self._name("an attribute or ]")
                attributes[key] = self._name("a value") if self._accept("=") else ""
        return attributes
