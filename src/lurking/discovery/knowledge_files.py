r"""Background knowledge in files: TOML, and the format of Tetrad.

TOML, with the words of :class:`~lurking.discovery.Knowledge` (all of them optional)::

    tiers = [["age", "sex"], ["smoking", "tar"], ["cancer"]]
    unconfounded = ["age"]                    # no <-> touches it
    forbid = ["cancer -> smoking", "sex <-> tar"]
    require = ["smoking -> tar"]
    no_causes_within = [["age", "sex"]]       # but perhaps common causes
    no_edges_within = []

    [columns]                                 # the kinds of columns, where looking at them is not enough
    size = "small<medium<large"
    batch = "nominal"

Tetrad::

    /knowledge

    addtemporal
    1* age sex
    2 smoking tar

    forbiddirect
    cancer smoking

    requiredirect
    smoking tar

    forbiddengroup
    age sex
    smoking tar cancer

Names are separated by spaces, tabs, commas or semicolons and may stand in double quotes; ``//`` begins a comment. A
star behind the number of a tier forbids edges between its members. ``forbiddengroup`` and ``requiredgroup`` are
followed by pairs of lines, causes and effects: every edge from one of the first to one of the second is meant. Tetrad
has no word for bidirected edges, so ``forbiddirect`` leaves ``<->`` possible here, and a required edge is directed.

>>> knowledge = parse_tetrad("/knowledge\naddtemporal\n1* age sex\n2 tar\nrequiredirect\nage tar\n")
>>> knowledge.tiers, knowledge.no_edges_within, knowledge.required
((('age', 'sex'), ('tar',)), (('age', 'sex'),), ('age -> tar',))
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from itertools import product
from pathlib import Path

from lurking._errors import FormatError, KnowledgeError, ParameterError
from lurking.discovery.knowledge import Knowledge, Within
from lurking.graphs.text import quote

__all__ = [
    "column_kinds",
    "parse_source",
    "parse_tetrad",
    "parse_tiers",
    "parse_toml",
    "read_knowledge",
    "tiers_text",
    "write_toml",
]

_WORDS = {
    "tiers": "tiers",
    "forbid": "forbidden",
    "forbidden": "forbidden",
    "require": "required",
    "required": "required",
    "unconfounded": "unconfounded",
    "no_causes_within": "no_causes_within",
    "no_edges_within": "no_edges_within",
}

_SECTIONS = ("addtemporal", "forbiddirect", "requiredirect", "forbiddengroup", "requiredgroup")
_NAME = re.compile(r'"([^"]*)"|([^\s,;"]+)')
_TIER = re.compile(r"(\d+)(\*?)")

Lines = list[tuple[int, list[str]]]
"""Numbers of lines, and the names on them."""


def read_knowledge(path: str | Path, *, within: Within = "no edges") -> Knowledge:
    """Read a file with knowledge: TOML if its name ends in .toml, otherwise Tetrad's format.

    Parameters
    ----------
    path : str or Path
        The file.
    within : {"no edges", "no causes"}, default "no edges"
        What a star behind the number of a tier in Tetrad's format means.

    Raises
    ------
    FormatError
        If the file is not there or cannot be read; the message names the line.
    KnowledgeError
        If the knowledge contradicts itself.
    """
    if Path(path).suffix.lower() == ".toml":
        return _parse_file(Path(path), parse_toml)
    return _parse_file(Path(path), lambda text: parse_tetrad(text, within))


def parse_source(source: str | Path, sign_of_text: str, parse: Callable[[str], Knowledge]) -> Knowledge:
    """Parse the text of a file, or the string itself if it contains what a path does not."""
    if isinstance(source, str) and sign_of_text in source:
        return parse(source)
    return _parse_file(Path(source), parse)


def _parse_file(path: Path, parse: Callable[[str], Knowledge]) -> Knowledge:
    """Parse a file; an error in it names the file."""
    text = _read(path)
    try:
        return parse(text)
    except (FormatError, KnowledgeError) as error:
        raise type(error)(f"{path}: {error}") from None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FormatError(
            f"The knowledge file {str(path)!r} cannot be read ({error.strerror}); check its name."
        ) from None
    except UnicodeDecodeError:
        raise FormatError(f"The knowledge file {str(path)!r} is not text in UTF-8; save it again as that.") from None


# -------------------------------------------------------------------------------------------------------- TOML


def parse_toml(text: str) -> Knowledge:
    """Read knowledge from TOML text."""
    try:
        entries = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"The knowledge is not TOML: {error}; correct it there.") from None
    parts: dict[str, list[object]] = {}
    _checked_column_kinds(entries.pop("columns", {}))
    for word, value in entries.items():
        if word not in _WORDS:
            near = get_close_matches(word, [*_WORDS, "columns"], n=2, cutoff=0.5)
            hint = f"did you mean {' or '.join(near)}?" if near else f"the words are {', '.join(_WORDS)}, columns."
            raise FormatError(f"The knowledge has an entry {word!r}, which is not known; {hint}")
        if not isinstance(value, list):
            raise FormatError(f"The entry {word!r} of the knowledge must be a list. Got {value!r} instead.")
        parts.setdefault(_WORDS[word], []).extend(value)
    return Knowledge(**parts)  # type: ignore[arg-type]  # Knowledge checks what the lists hold


def column_kinds(path: str | Path) -> dict[str, str | list[str]]:
    """Return what a knowledge file says about the kinds of columns: its table ``[columns]``.

    Parameters
    ----------
    path : str or Path
        The file; only TOML has such a table.

    Returns
    -------
    kinds : dict of str to (str or list of str)
        A kind of :mod:`lurking.data.kinds` for each column that is named, or its levels from low to high.
    """
    if Path(path).suffix.lower() != ".toml":
        return {}
    try:
        return _checked_column_kinds(tomllib.loads(_read(Path(path))).get("columns", {}))
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"{path}: The knowledge is not TOML: {error}; correct it there.") from None


def _checked_column_kinds(table: object) -> dict[str, str | list[str]]:
    if not isinstance(table, dict):
        raise FormatError("The entry 'columns' of the knowledge must be a table, as in [columns] and size = 'ordinal'.")
    for name, kind in table.items():
        if not isinstance(kind, str) and not (isinstance(kind, list) and all(isinstance(one, str) for one in kind)):
            raise FormatError(
                f"The kind of the column {name!r} must be a word or a list of its levels. Got {kind!r} instead."
            )
    return table


def write_toml(knowledge: Knowledge) -> str:
    """Write knowledge as TOML text that :func:`parse_toml` reads."""
    lines = []
    for word, attribute in (
        ("tiers", "tiers"),
        ("unconfounded", "unconfounded"),
        ("forbid", "forbidden"),
        ("require", "required"),
        ("no_causes_within", "no_causes_within"),
        ("no_edges_within", "no_edges_within"),
    ):
        value = getattr(knowledge, attribute)
        if value:
            # A JSON string is a TOML string, once the one control character that JSON lets through is escaped.
            lines.append(f"{word} = {json.dumps(value, ensure_ascii=False)}".replace("\x7f", "\\u007f"))
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------------------------------------ one line


_TIER_PART = re.compile(r'\s*(?:"([^"]*)"|([^",<\s][^",<]*?))\s*(?P<end>[,<]|$)')


def parse_tiers(text: str) -> Knowledge:
    """Read tiers from one line such as ``age, sex < *``; see :meth:`Knowledge.from_tiers`."""
    tiers: list[list[str]] = [[]]
    position, end = 0, ","
    while end:
        part = _TIER_PART.match(text, position)
        if part is None:
            raise FormatError(
                f"Tiers are written like 'age, sex < tar < *', with a name on both sides of each comma and each '<'. "
                f"Got {text!r} instead."
            )
        tiers[-1].append(part[1] if part[1] is not None else part[2])
        position, end = part.end(), part["end"]
        if end == "<":
            tiers.append([])
    return Knowledge(tiers=tuple(map(tuple, tiers)))


def tiers_text(tiers: Iterable[Iterable[str]]) -> str:
    """Return tiers in one line that :func:`parse_tiers` reads.

    Examples
    --------
    >>> tiers_text([["age", "sex"], ["*"]])
    'age, sex < *'
    """
    return " < ".join(", ".join(f'"{n}"' if set(n) & set(',<"') else n for n in tier) for tier in tiers)


# ------------------------------------------------------------------------------------------------------ Tetrad


def parse_tetrad(text: str, within: Within = "no edges") -> Knowledge:
    """Read knowledge from text in Tetrad's format; ``within`` says what a star behind a tier means."""
    if within not in ("no edges", "no causes"):
        raise ParameterError(f"The 'within' parameter must be 'no edges' or 'no causes'. Got {within!r} instead.")
    sections = _sections(text)
    tiers: dict[int, list[str]] = {}
    starred: set[int] = set()
    for line, (first, *names) in sections["addtemporal"]:
        match = _TIER.fullmatch(first)
        if match is None or int(match[1]) < 1:
            raise _unreadable(line, f"a tier begins with its number (1, 2, ...), but this line with {first!r}")
        number = int(match[1])
        tiers.setdefault(number, []).extend(names)
        if match[2]:
            starred.add(number)
    groups = [tiers[number] for number in sorted(starred)]
    return Knowledge(
        tiers=tuple(tuple(tiers[number]) for number in sorted(tiers)),
        forbidden=(*_edges(sections["forbiddirect"]), *_group_edges(sections["forbiddengroup"])),
        required=(*_edges(sections["requiredirect"]), *_group_edges(sections["requiredgroup"])),
        no_edges_within=tuple(map(tuple, groups)) if within == "no edges" else (),
        no_causes_within=tuple(map(tuple, groups)) if within == "no causes" else (),
    )


def _sections(text: str) -> dict[str, Lines]:
    sections: dict[str, Lines] = {title: [] for title in _SECTIONS}
    current: str | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.split("//")[0].strip()
        if content.lower() in ("", "/knowledge"):
            continue
        if content.lower() in _SECTIONS:
            current = content.lower()
        elif current is None:
            raise _unreadable(number, f"expected one of {', '.join(_SECTIONS)}, but found {content[:40]!r}")
        else:
            if content.count('"') % 2:
                raise _unreadable(number, "a double quote is not closed")
            sections[current].append((number, [a or b for a, b in _NAME.findall(content)]))
    return sections


def _edges(lines: Lines) -> Iterator[str]:
    for number, names in lines:
        if len(names) != 2:
            raise _unreadable(number, f"expected a cause and an effect, but found {len(names)} names")
        yield f"{quote(names[0])} -> {quote(names[1])}"


def _group_edges(lines: Lines) -> Iterator[str]:
    if len(lines) % 2:
        raise _unreadable(lines[-1][0], "a line of causes is not followed by a line of effects")
    for (_, causes), (_, effects) in zip(lines[::2], lines[1::2], strict=True):
        for cause, effect in product(causes, effects):
            if cause != effect:
                yield f"{quote(cause)} -> {quote(effect)}"


def _unreadable(line: int, what: str) -> FormatError:
    return FormatError(f"Line {line} of the Tetrad knowledge cannot be read: {what}; correct it.")
