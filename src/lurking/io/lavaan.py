r"""lavaan's model syntax: a structural equation model for R, from an ADMG or back.

==============================  ============================================================================
``Y ~ X + Z``                   X -> Y and Z -> Y
``X ~~ Y``                      X <-> Y: the errors of X and Y are correlated
``X ~~ X``                      a variance, so X is a variable of the model
==============================  ============================================================================

The same text means less to ``lavaan()`` than to ``sem()`` and ``cfa()``, which free covariances that are not written:
among exogenous observed variables, among exogenous factors, and among the residuals of outcomes that predict nothing
(observed or factors). **A text is read as a model for** ``sem()``, as nearly all are written for it or for ``cfa()``,
unless a comment names ``lavaan(``; a covariance that is fixed (``X ~~ 0*Z``) or, for exogenous observed variables,
whose variance the text mentions, is not freed, as in lavaan. What we write frees every parameter itself and is headed
by such a comment. ``function="lavaan"`` reads only what is written.

Read: several variables on the left, coefficients (``0.5*X``, ``b*X``, ``start(1)*X``), comments, statements that go on
over line ends. ``0*X`` says that there is no edge. ``f =~ x + y`` is read as f -> x and f -> y, with the latent f as a
vertex like any other; ``latent_names`` lists such variables. Their latent projection keeps the independences and Verma
constraints of the measured variables but not the rank constraints (such as vanishing tetrads) that factors imply: to
the projection, the indicators of a factor are just all confounded. Intercepts (``Y ~ 1``) and defined parameters
(``a := b*c``) say nothing about the graph and are skipped; constraints, thresholds, interactions, several groups and
several levels are refused.

A name that R cannot write is replaced by what R's ``read.csv`` makes of it (``lung cancer`` becomes ``lung.cancer``),
and a comment keeps the true name. A PAG does not determine a model and cannot be written.

>>> from lurking.graphs import ADMG
>>> print(dumps(ADMG.parse('"lung cancer" <- smoking; smoking <-> age')), end="")
# fit by lavaan(model, data, fixed.x = FALSE)
# written lung.cancer for "lung cancer"
lung.cancer ~~ lung.cancer
smoking ~~ smoking
age ~~ age
lung.cancer ~ smoking
smoking ~~ age
>>> loads("y1 + y2 ~ b*x + 0*z")
ADMG.parse('y1; y2; x; z; x -> y1; x -> y2; y1 <-> y2; x <-> z')
>>> loads("y1 + y2 ~ b*x + 0*z", function="lavaan")
ADMG.parse('y1; y2; x; z; x -> y1; x -> y2')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Literal, TypeAlias

from lurking._errors import FormatError
from lurking.graphs import ADMG, Mark
from lurking.io.aliases import alias_lines, aliases, read_aliases
from lurking.io.marked_edges import Graph, Kind, MarkedEdge, edges_of, graph_of, kind_of, refuse_selected, unreadable

__all__ = ["dumps", "freed_covariances", "latent_names", "loads"]

Function: TypeAlias = Literal["lavaan", "sem", "cfa"]
"""The functions of the package that a model may be for."""

_TITLE = "The lavaan text"
_FOR_LAVAAN = re.compile(r"^[^\n]*[#!][^\n]*\blavaan\(", re.MULTILINE)
_TOKEN = re.compile(
    r"""
    (?P<end>[;\n])
  | (?P<skip>[^\S\n]+|[#!][^\n]*)
  | (?P<number>-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]))
  | (?P<name>(?:[^\W\d_]|\.(?!\d))[\w.]*)
  | (?P<label>"[^"\n]*")
  | (?P<sign>=~|~\*~|~~|<~|:=|==|[~<>|+*:(),])
    """,
    re.VERBOSE,
)
_MEANT_FOR_NO_EDGE = {
    "==": "a constraint", "<": "a constraint", ">": "a constraint", "|": "a threshold", "~*~": "a scaling factor",
    "<~": "a composite",
}  # fmt: skip
_OPERATORS = frozenset({"~", "~~", "=~", ":="} | set(_MEANT_FOR_NO_EDGE))
_MODIFIERS = frozenset({"start", "equal", "label", "prior", "lower", "upper"})
_RESERVED = re.compile(
    r"if|else|repeat|while|function|for|next|break|in|TRUE|FALSE|NULL|Inf|NaN|NA(?:_(?:integer|real|character)_)?"
    r"|\.\.(?:\.|\d+)"
)


def dumps(graph: Graph) -> str:
    """Write an ADMG as a lavaan model.

    Raises
    ------
    FormatError
        If the graph is a PAG, or has no variables.
    """
    refuse_selected(graph, "lavaan")
    if kind_of(graph) != "admg":
        raise FormatError(
            f"lavaan cannot hold a {kind_of(graph).upper()}, which leaves the model open; write one of its graphs."
        )
    if not graph.names:
        raise FormatError("lavaan cannot hold a graph without variables; use JSON.")
    written = aliases(graph.names, _fit, separator=".")
    lines = ["# fit by lavaan(model, data, fixed.x = FALSE)", *(f"# {line}" for line in alias_lines(written))]
    lines += [f"{alias} ~~ {alias}" for alias in written.values()]
    causes: dict[str, list[str]] = {}
    for edge in edges_of(graph):
        if edge.at_one == Mark.TAIL:
            causes.setdefault(written[edge.other], []).append(written[edge.one])
    lines += [f"{effect} ~ {' + '.join(listed)}" for effect, listed in causes.items()]
    lines += [f"{written[e.one]} ~~ {written[e.other]}" for e in edges_of(graph) if e.at_one == Mark.ARROW]
    return "\n".join(lines) + "\n"


def loads(text: str, kind: Kind | None = None, function: Function | None = None) -> Graph:
    """Read the graph of a lavaan model.

    Parameters
    ----------
    text : str
        The model syntax.
    kind : {"admg", "cpdag", "pag"}, optional
        What graph to make of the edges; by default an ADMG, the only kind that lavaan has.
    function : {"lavaan", "sem", "cfa"}, optional
        The function that the model is for; by default "lavaan" if a comment of the text names ``lavaan(``, else "sem".
    """
    true_names = read_aliases(line.strip().removeprefix("#") for line in text.split("\n"))

    def true(name: str) -> str:
        return true_names.get(name, name)

    names: dict[str, None] = {}
    edges: list[MarkedEdge] = []
    mentioned = _Mentioned()
    for statement in _statements(text):
        operator, left, right = _sides(statement)
        if operator == ":=":
            continue
        ones = [_only_name(term) for term in left]
        others = [found for found in (_term(term, operator) for term in right) if found]
        names |= dict.fromkeys(ones + [other for other, _ in others])
        mentioned.add(operator, ones, [other for other, _ in others], has_intercept=len(others) < len(right))
        for one, (other, is_absent) in product(ones, others):
            if not is_absent and not (operator == "~~" and one == other):
                edges.append(_edge(true(one), operator, true(other), statement[0].line))
    if not names:
        raise unreadable(_TITLE, "it has no statement; write a model such as Y ~ X.")
    if function is None:
        function = "lavaan" if _FOR_LAVAAN.search(text) else "sem"
    if function != "lavaan":
        edges += [MarkedEdge(true(one), Mark.ARROW, Mark.ARROW, true(other)) for one, other in mentioned.freed(names)]
    return graph_of([true(name) for name in names], edges, kind or "admg", title=_TITLE)


class _Mentioned:
    """What a model says of each variable, which decides the covariances that ``sem()`` and ``cfa()`` free."""

    def __init__(self) -> None:
        self.factors: set[str] = set()
        self.indicators: set[str] = set()
        self.outcomes: set[str] = set()
        self.predictors: set[str] = set()
        self.with_moments: set[str] = set()  # a variance, covariance or intercept is written
        self.pairs: set[frozenset[str]] = set()

    def add(self, operator: str, left: list[str], right: list[str], *, has_intercept: bool) -> None:
        match operator:
            case "=~":
                self.factors.update(left)
                self.indicators.update(right)
            case "~~":
                self.with_moments.update(left, right)
                self.pairs.update(frozenset(pair) for pair in product(left, right))
            case "~":
                self.outcomes.update(left if right else [])
                self.predictors.update(right)
                self.with_moments.update(left if has_intercept else [])

    def freed(self, names: Iterable[str]) -> list[tuple[str, str]]:
        """Return the pairs whose covariance is free although the model does not say so."""
        free: list[tuple[str, str]] = []
        inner = self.indicators | self.outcomes
        exogenous = [name for name in names if name not in inner | self.factors | self.with_moments]
        exogenous_factors = [name for name in names if name in self.factors - inner]
        last = [name for name in names if name in self.outcomes - self.predictors - self.indicators]
        for group in (exogenous, exogenous_factors, last):
            free += [pair for pair in combinations(group, 2) if frozenset(pair) not in self.pairs]
        return free


def freed_covariances(text: str) -> list[tuple[str, str]]:
    r"""Return the pairs whose covariance is free because the text is read as a model for ``sem()`` or ``cfa()``.

    Examples
    --------
    >>> freed_covariances("y ~ x + z"), freed_covariances("# lavaan(model, data)\ny ~ x + z")
    ([('x', 'z')], [])
    """
    read, written = loads(text), loads(text, function="lavaan")
    if not isinstance(read, ADMG) or not isinstance(written, ADMG):
        return []
    known = set(written.bidirected_edges())
    return [pair for pair in read.bidirected_edges() if pair not in known]


def latent_names(text: str) -> tuple[str, ...]:
    """Return the variables that a lavaan text defines by their indicators, in the order of the text.

    Examples
    --------
    >>> latent_names("ability =~ maths + music; music ~ age")
    ('ability',)
    """
    true_names = read_aliases(line.strip().removeprefix("#") for line in text.split("\n"))
    found: dict[str, None] = {}
    for statement in _statements(text):
        operator, left, _ = _sides(statement)
        if operator == "=~":
            found |= dict.fromkeys(_only_name(term) for term in left)
    return tuple(true_names.get(name, name) for name in found)


def _fit(name: str) -> str:
    """Return what R's make.names makes of a name."""
    plain = "".join(c if c.isalpha() or c.isdecimal() or c in "._" else "." for c in name)
    if not (name[0].isalpha() or (name[0] == "." and not name[1:2].isdecimal())):
        plain = "X" + plain
    return plain + "." if _RESERVED.fullmatch(plain) else plain


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    line: int


def _statements(text: str) -> Iterator[list[_Token]]:
    """Yield the tokens of each statement; one goes on after an operator, before one, and within brackets."""
    statement: list[_Token] = []
    depth = 0
    for token in [*_tokens(text), _Token("end", ";", 0)]:
        if token.kind != "end":
            depth += {"(": 1, ")": -1}.get(token.text, 0)
            statement.append(token)
        elif token.text == ";" or depth <= 0:
            if statement:
                yield statement
            statement, depth = [], 0


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    position, line = 0, 1
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None:
            reason = f"expected a name, a number or an operator, but found {text[position : position + 10]!r}."
            raise unreadable(_TITLE, reason, line)
        kind, token = str(found.lastgroup), found.group()
        continues = tokens and tokens[-1].kind == "sign" and tokens[-1].text != ")"
        if kind == "sign" and token in ("+", "*") and tokens and tokens[-1].text == "\n":
            tokens.pop()
        if kind != "skip" and not (token == "\n" and (continues or not tokens or tokens[-1].kind == "end")):
            tokens.append(_Token(kind, token, line))
        line += token.count("\n")
        position = found.end()
    return tokens


Term = list[_Token]


def _sides(statement: list[_Token]) -> tuple[str, list[Term], list[Term]]:
    """Return the operator and the terms on its left and on its right."""
    line = statement[0].line
    written = " ".join(token.text for token in statement)
    places = [i for i, token in enumerate(statement) if token.kind == "sign" and token.text in _OPERATORS]
    if not places:
        what = "has no operator such as ~ or ~~"
        if ":" in written:
            several = "levels" if statement[0].text == "level" else "groups"
            what = f"opens a block for one of several {several}, and a graph is for one; write the model of one block"
        raise unreadable(_TITLE, f"{written[:40]!r} {what}, such as Y ~ X.", line)
    operator = statement[places[0]].text
    if operator in _MEANT_FOR_NO_EDGE:
        raise unreadable(
            _TITLE, f"{written[:40]!r} is {_MEANT_FOR_NO_EDGE[operator]}, not a part of a graph; remove it.", line
        )
    if operator != ":=" and len(places) > 1:
        raise unreadable(_TITLE, f"{written[:40]!r} has two operators; write two statements.", line)
    return operator, _split(statement[: places[0]], "+", line), _split(statement[places[0] + 1 :], "+", line)


def _split(tokens: list[_Token], sign: str, line: int) -> list[Term]:
    terms: list[Term] = [[]]
    depth = 0
    for token in tokens:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if token.kind == "sign" and token.text == sign and depth == 0:
            terms.append([])
        else:
            terms[-1].append(token)
    if not all(terms):
        raise unreadable(_TITLE, f"a name is missing beside {sign} or at the side of an operator.", line)
    return terms


def _only_name(term: Term) -> str:
    if len(term) != 1 or term[0].kind != "name":
        written = " ".join(token.text for token in term)
        reason = "an interaction" if any(token.text == ":" for token in term) else "no name"
        raise unreadable(_TITLE, f"expected a variable's name, but {written[:40]!r} is {reason}.", term[0].line)
    return term[0].text


def _term(term: Term, operator: str) -> tuple[str, bool] | None:
    """Return the variable of a term, and whether its coefficient is fixed at zero; None for an intercept."""
    *modifiers, variable = _split(term, "*", term[0].line)
    zeros = [_is_zero(modifier) for modifier in modifiers]
    if operator == "~" and len(variable) == 1 and variable[0].text in ("0", "1"):
        return None
    return _only_name(variable), any(zeros)


def _is_zero(modifier: Term) -> bool:
    first = modifier[0]
    if len(modifier) == 1 and first.kind in ("number", "name", "label"):
        return first.kind == "number" and float(first.text) == 0
    written = " ".join(token.text for token in modifier)
    if first.text == "c":
        raise unreadable(_TITLE, f"the coefficient {written[:40]!r} is for several groups; give one.", first.line)
    if first.text in _MODIFIERS and modifier[1].text == "(":
        return False
    raise unreadable(_TITLE, f"{written[:40]!r} is no coefficient: write a number or a label.", first.line)


def _edge(one: str, operator: str, other: str, line: int) -> MarkedEdge:
    match operator:
        case "~":
            return MarkedEdge(other, Mark.TAIL, Mark.ARROW, one, line)
        case "=~":
            return MarkedEdge(one, Mark.TAIL, Mark.ARROW, other, line)
    return MarkedEdge(one, Mark.ARROW, Mark.ARROW, other, line)
