"""Names for programs that cannot write every name, with a line for each that says what it stands for.

Tetrad's graph files cannot hold a name with a space; lavaan's syntax cannot hold one that R would not take. Such a
name is replaced by the nearest one that fits, and a line that the other program skips keeps the true name, so that
nothing is lost when the file comes back::

    written lung_cancer for "lung cancer"

>>> found = aliases(["lung cancer", "age", "lung_cancer"], lambda name: name.replace(" ", "_"))
>>> found
{'lung cancer': 'lung_cancer_1', 'age': 'age', 'lung_cancer': 'lung_cancer'}
>>> alias_lines(found)
['written lung_cancer_1 for "lung cancer"']
>>> read_aliases(['written lung_cancer_1 for "lung cancer"'])
{'lung_cancer_1': 'lung cancer'}
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

__all__ = ["alias_lines", "aliases", "read_aliases"]

_LINE = re.compile(r'\s*written (\S+) for ("(?:[^"\\]|\\.)*+")\s*')


def aliases(names: Sequence[str], fit: Callable[[str], str], separator: str = "_") -> dict[str, str]:
    """Return a different fitting name for each name; one that fits already is kept.

    Parameters
    ----------
    names : sequence of str
        The true names, all different.
    fit : callable
        Returns the nearest fitting name; unchanged if the name fits.
    separator : str
        What stands before the number that tells apart names with the same nearest name.
    """
    found = {name: name for name in names if fit(name) == name}
    taken = set(found)
    for name in names:
        alias, number = fit(name), 0
        while name not in found and alias in taken:
            number += 1
            alias = f"{fit(name)}{separator}{number}"
        found.setdefault(name, alias)
        taken.add(alias)
    return {name: found[name] for name in names}


def alias_lines(found: Mapping[str, str]) -> list[str]:
    """Return a line for each name that had to be replaced."""
    return [f"written {alias} for {json.dumps(name)}" for name, alias in found.items() if alias != name]


def read_aliases(lines: Iterable[str]) -> dict[str, str]:
    """Return the true name of each replaced name, from lines among which there may be others."""
    matches = (_LINE.fullmatch(line) for line in lines)
    return {match[1]: json.loads(match[2]) for match in matches if match}
