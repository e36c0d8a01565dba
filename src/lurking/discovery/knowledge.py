"""Background knowledge: what is known about the edges before the data are looked at.

- *Tiers*: a later variable does not cause an earlier one; common causes across tiers stay possible.
- *Forbidden* and *required* edges, directed (``A -> B``) and bidirected (``A <-> B``) separately.
- *Unconfounded* variables: no bidirected edge touches them.
- Groups *within which* there are no causes, or no edges at all (in Tetrad, a tier that is "forbidden within itself").

It is written in Python, in one line (:meth:`Knowledge.from_tiers`), in TOML (:meth:`Knowledge.from_toml`) or as Tetrad
writes it (:meth:`Knowledge.from_tetrad`).

Knowledge becomes a mask over the edges of every pair (:meth:`Knowledge.allowed_edges`), which every solver obeys at
every step.

>>> knowledge = Knowledge(tiers=[["age"], ["smoking", "tar"]], forbidden=["tar -> smoking"], unconfounded=["age"])
>>> knowledge.allowed_edges(["age", "smoking", "tar"])[0, 1].tolist()  # none, age -> smoking, the reverse, <->
[1, 1, 0, 0]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lurking._errors import CycleError, FormatError, KnowledgeError, UnknownVertexError
from lurking._typing import GraphClass
from lurking.graphs import ADMG
from lurking.graphs.edge_kinds import ARROW_BACK, ARROW_ON, BIDIRECTED, NO_EDGE
from lurking.graphs.text import parse_edges
from lurking.graphs.vertices import NamedVertices
from lurking.search.allowed_edges import all_edges_allowed

__all__ = ["THE_OTHERS", "Knowledge", "Within"]

THE_OTHERS = "*"
"""In a tier: all variables that are in no tier by name."""

Within = Literal["no edges", "no causes"]


@dataclass(frozen=True)
class Knowledge:
    """What is known about the edges.

    Parameters
    ----------
    tiers : sequence of sequences of str
        Groups of variables, earliest first. No directed edge leads from a later to an earlier group. Variables in no
        group are free; a group with ``"*"`` holds all that no group names.
    forbidden : sequence of str
        Edges that must not be there, such as ``"A -> B"`` or ``"A <-> B"``.
    required : sequence of str
        Edges that must be there.
    unconfounded : sequence of str
        Variables that share no unmeasured cause with any other.
    no_causes_within : sequence of sequences of str
        Groups of variables none of which causes another one of the group directly; common causes stay possible.
    no_edges_within : sequence of sequences of str
        Groups of variables between which there is no edge at all.

    Raises
    ------
    KnowledgeError
        If the statements contradict each other.
    FormatError
        If an edge is not written like one.

    Examples
    --------
    >>> knowledge = Knowledge(required=["smoking -> tar"], no_causes_within=[["age", "sex"]])
    >>> knowledge.violations(ADMG.parse("age -> sex; smoking <-> tar"))
    ('has age -> sex', 'has smoking <-> tar', 'lacks smoking -> tar')
    """

    tiers: tuple[tuple[str, ...], ...] = ()
    forbidden: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    unconfounded: tuple[str, ...] = ()
    no_causes_within: tuple[tuple[str, ...], ...] = ()
    no_edges_within: tuple[tuple[str, ...], ...] = ()
    _tier_of: dict[str, int] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        for attribute in ("tiers", "no_causes_within", "no_edges_within"):
            groups = _as_sequence(getattr(self, attribute), attribute, "lists of names")
            object.__setattr__(self, attribute, tuple(_as_names(group, f"groups of {attribute}") for group in groups))
        for attribute in ("forbidden", "required", "unconfounded"):
            object.__setattr__(self, attribute, _as_names(getattr(self, attribute), attribute))
        tier_of: dict[str, int] = {}
        for number, tier in enumerate(self.tiers):
            for name in tier:
                if name in tier_of:
                    raise KnowledgeError(f"{name} is in two tiers; name each variable in one tier only.")
                tier_of[name] = number
        object.__setattr__(self, "_tier_of", tier_of)
        self.allowed_edges(sorted(self._all_names()))
        self.required_graph("bow-free")

    @classmethod
    def from_toml(cls, source: str | Path) -> Knowledge:
        """Read knowledge from a TOML file or text; see :mod:`lurking.discovery.knowledge_files`.

        Parameters
        ----------
        source : str or Path
            A path, or the text itself (a string with an equals sign in it).

        Examples
        --------
        >>> Knowledge.from_toml('tiers = [["age"], ["tar"]]').tiers
        (('age',), ('tar',))
        """
        from lurking.discovery.knowledge_files import parse_source, parse_toml

        return parse_source(source, "=", parse_toml)

    @classmethod
    def from_tiers(cls, text: str) -> Knowledge:
        """Read tiers from one line, the earliest first.

        Parameters
        ----------
        text : str
            Names separated by commas, tiers by ``<``; ``*`` stands for all variables that are not named. A name that
            holds a comma or ``<`` is put in double quotes.

        Examples
        --------
        >>> Knowledge.from_tiers("age, sex < *").tiers
        (('age', 'sex'), ('*',))
        """
        from lurking.discovery.knowledge_files import parse_tiers

        return parse_tiers(text)

    @classmethod
    def from_tetrad(cls, source: str | Path, *, within: Within = "no edges") -> Knowledge:
        """Read knowledge from a file or text in Tetrad's format; see :mod:`lurking.discovery.knowledge_files`.

        Parameters
        ----------
        source : str or Path
            A path, or the text itself (a string with more than one line).
        within : {"no edges", "no causes"}, default "no edges"
            What a tier with a star means. In Tetrad its variables have no edges with each other; many people mean
            that none causes another, which leaves room for unmeasured common causes.
        """
        from lurking.discovery.knowledge_files import parse_source, parse_tetrad

        return parse_source(source, "\n", lambda text: parse_tetrad(text, within))

    def to_toml(self) -> str:
        """Return the knowledge as TOML text that :meth:`from_toml` reads."""
        from lurking.discovery.knowledge_files import write_toml

        return write_toml(self)

    def tier_numbers(self, names: Sequence[str]) -> dict[str, int]:
        """Return the number of the tier of each of these variables that has one, the earliest being 0."""
        others = self._tier_of.get(THE_OTHERS)
        found = {name: self._tier_of.get(name, others) for name in names}
        return {name: number for name, number in found.items() if number is not None}

    def __bool__(self) -> bool:
        """Tell whether anything is known at all."""
        return any(
            (self.tiers, self.forbidden, self.required, self.unconfounded, self.no_causes_within, self.no_edges_within)
        )

    def without(self, names: Collection[str]) -> Knowledge:
        """Return the knowledge without what it says about some variables, such as columns that were left out.

        Parameters
        ----------
        names : collection of str
            The variables. An edge of one of them is dropped; tiers and groups only lose the name.

        Examples
        --------
        >>> Knowledge(tiers=[["age"], ["id", "tar"]], forbidden=["id -> age"]).without(["id"])
        Knowledge(tiers=(('age',), ('tar',)), forbidden=(), required=(), unconfounded=(), no_causes_within=(),
            no_edges_within=())
        """
        if not self._all_names() & set(names):
            return self

        def named(group: Iterable[str]) -> tuple[str, ...]:
            return tuple(name for name in group if name not in names)

        def edges(texts: Iterable[str]) -> tuple[str, ...]:
            return tuple(text for text in texts if not {*_one_edge(text)[:2]} & set(names))

        def groups(listed: Iterable[Iterable[str]]) -> tuple[tuple[str, ...], ...]:
            return tuple(group for group in map(named, listed) if group)

        return Knowledge(
            tiers=groups(self.tiers),
            forbidden=edges(self.forbidden),
            required=edges(self.required),
            unconfounded=named(self.unconfounded),
            no_causes_within=groups(self.no_causes_within),
            no_edges_within=groups(self.no_edges_within),
        )

    def restricted_to(self, names: Collection[str]) -> Knowledge:
        """Return what the knowledge says about these variables alone."""
        return self.without(self._all_names() - set(names))

    def _all_names(self) -> set[str]:
        named = (set(self._tier_of) - {THE_OTHERS}) | set(self.unconfounded)
        for group in (*self.no_causes_within, *self.no_edges_within):
            named |= set(group)
        for text in (*self.forbidden, *self.required):
            named |= set(_one_edge(text)[:2])
        return named

    def _objection(self, edge: str) -> str:
        """Say which other statement excludes an edge that is required."""
        one, other, _ = _one_edge(edge)
        for attribute, words in (
            ("forbidden", "it is forbidden too"),
            ("tiers", f"the tiers of {one} and {other} exclude it"),
            ("unconfounded", "'unconfounded' excludes it"),
            ("no_causes_within", "a group of 'no_causes_within' excludes it"),
            ("no_edges_within", "a group of 'no_edges_within' excludes it"),
        ):
            alone = Knowledge(**{attribute: getattr(self, attribute)})
            vertices = NamedVertices(sorted(alone._all_names() | {one, other}))
            i, j, code = _place(edge, vertices)
            if not alone.allowed_edges(vertices.names)[i, j, code]:
                return words
        return "another edge of the same pair is required too"

    def allowed_edges(self, names: Sequence[str]) -> NDArray[np.uint8]:
        """Return which edges each pair of variables may have.

        Parameters
        ----------
        names : sequence of str
            The variables; all that the knowledge names must be among them.

        Returns
        -------
        allowed_edges : ndarray of shape (d, d, 4)
            For i < j, whether the pair may have: no edge, i -> j, j -> i, i <-> j.

        Raises
        ------
        KnowledgeError
            If a name is unknown; near matches are suggested.
        """
        vertices = NamedVertices(names)
        for name in sorted(self._all_names()):
            if name not in vertices:
                raise KnowledgeError(
                    f"The knowledge names a variable that is not in the data: {_unknown(name, vertices)}"
                )
        d = len(vertices)
        others = self._tier_of.get(THE_OTHERS)
        mask = all_edges_allowed(d)
        for i, one in enumerate(vertices.names):
            for j in range(i + 1, d):
                other = vertices.names[j]
                first, second = self._tier_of.get(one, others), self._tier_of.get(other, others)
                if first is not None and second is not None and first != second:
                    mask[i, j, ARROW_BACK if first < second else ARROW_ON] = 0
                if one in self.unconfounded or other in self.unconfounded:
                    mask[i, j, BIDIRECTED] = 0
                if any(one in group and other in group for group in self.no_causes_within):
                    mask[i, j, [ARROW_ON, ARROW_BACK]] = 0
                if any(one in group and other in group for group in self.no_edges_within):
                    mask[i, j, [ARROW_ON, ARROW_BACK, BIDIRECTED]] = 0
        for text in self.forbidden:
            i, j, edge = _place(text, vertices)
            mask[i, j, edge] = 0
        for text in self.required:
            i, j, edge = _place(text, vertices)
            if not mask[i, j, edge]:
                raise KnowledgeError(f"The edge {text} is required, but {self._objection(text)}; drop one of the two.")
            mask[i, j] = 0
            mask[i, j, edge] = 1
        return mask

    def required_graph(self, graph_class: GraphClass) -> ADMG:
        """Return the graph of the required edges alone, or say why no graph of the class has them all.

        A class is closed under the removal of edges, so this one graph decides.
        """
        edges = [_one_edge(text) for text in self.required]
        try:
            graph = ADMG.from_edges(
                [edge[:2] for edge in edges if not edge[2]],
                [edge[:2] for edge in edges if edge[2]],
                names=sorted(self._all_names()),
            )
        except CycleError as error:
            raise KnowledgeError(
                f"The required edges form a cycle, {' -> '.join(error.cycle)}; drop one of them."
            ) from None
        witness = graph.witness(graph_class)
        if witness is not None:
            raise KnowledgeError(
                f"No {graph_class} graph has all the required edges, because they contain {witness}; drop one of these "
                "edges or choose a wider graph class."
            )
        return graph

    def violations(self, admg: ADMG) -> tuple[str, ...]:
        """Return what a graph has or lacks against the knowledge, in words; empty if it obeys."""
        mask = self.allowed_edges(admg.names)
        found = []
        for i, one in enumerate(admg.names):
            for j in range(i + 1, len(admg)):
                other = admg.names[j]
                present = {
                    ARROW_ON: (admg.directed[i, j], f"{one} -> {other}"),
                    ARROW_BACK: (admg.directed[j, i], f"{other} -> {one}"),
                    BIDIRECTED: (admg.bidirected[i, j], f"{one} <-> {other}"),
                }
                found += [f"has {text}" for edge, (there, text) in present.items() if there and not mask[i, j, edge]]
                if not mask[i, j, NO_EDGE]:
                    found += [
                        f"lacks {text}" for edge, (there, text) in present.items() if mask[i, j, edge] and not there
                    ]
        return tuple(found)

    def check(self, admg: ADMG) -> tuple[tuple[str, bool], ...]:
        """Return each statement in words, and whether a graph obeys it.

        Examples
        --------
        >>> Knowledge(tiers=[["age"], ["tar"]]).check(ADMG.parse("tar -> age"))
        (('No later variable causes an earlier one: age before tar.', False),)
        """
        said: list[tuple[str, Knowledge]] = []
        if self.tiers:
            order = " before ".join(", ".join(tier) for tier in self.tiers)
            said.append((f"No later variable causes an earlier one: {order}.", Knowledge(tiers=self.tiers)))
        said += [(f"There is no edge {edge}.", Knowledge(forbidden=(edge,))) for edge in self.forbidden]
        said += [(f"There is an edge {edge}.", Knowledge(required=(edge,))) for edge in self.required]
        for name in self.unconfounded:
            words = f"{name} shares no unmeasured cause with another variable."
            said.append((words, Knowledge(unconfounded=(name,))))
        for group in self.no_causes_within:
            words = f"None of {', '.join(group)} causes another one directly."
            said.append((words, Knowledge(no_causes_within=(group,))))
        for group in self.no_edges_within:
            said.append((f"There is no edge among {', '.join(group)}.", Knowledge(no_edges_within=(group,))))
        return tuple((words, not alone.violations(admg)) for words, alone in said)


def _as_sequence(values: object, what: str, of: str) -> tuple[object, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise KnowledgeError(f"The {what} must be a list of {of}. Got {values!r} instead.")
    return tuple(values)


def _as_names(names: object, what: str) -> tuple[str, ...]:
    listed = _as_sequence(names, what, "strings")
    for name in listed:
        if not isinstance(name, str):
            raise KnowledgeError(f"The {what} must be a list of strings, but one of them is {name!r}.")
    return tuple(str(name) for name in listed)


def _one_edge(text: str) -> tuple[str, str, bool]:
    """Return the two names of an edge and whether it is bidirected."""
    try:
        _, directed, bidirected = parse_edges(text)
    except FormatError:
        raise FormatError(
            f"The knowledge has the edge {text!r}, which cannot be read; write it like 'A -> B' or 'A <-> B', and put "
            "a name with spaces in double quotes, as in 'A -> \"two words\"'."
        ) from None
    if len(directed) + len(bidirected) != 1:
        raise KnowledgeError(f"An edge is written like 'A -> B' or 'A <-> B'. Got {text!r} instead.")
    one, other = (directed or bidirected)[0]
    if one == other:
        raise KnowledgeError(f"The edge {text} leads from a variable to itself; name two variables.")
    return one, other, bool(bidirected)


def _place(text: str, vertices: NamedVertices) -> tuple[int, int, int]:
    one, other, bidirected = _one_edge(text)
    i, j = vertices.index(one), vertices.index(other)
    edge = BIDIRECTED if bidirected else ARROW_ON if i < j else ARROW_BACK
    return min(i, j), max(i, j), edge


def _unknown(name: str, vertices: NamedVertices) -> str:
    message = str(UnknownVertexError(name, vertices.names))
    return message[0].lower() + message[1:]
