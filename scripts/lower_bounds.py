"""The lower bounds of pyproject.toml as pins: what ``scripts/test --oldest`` installs.

``python scripts/lower_bounds.py`` prints one line ``name==version`` for each package that lurking, its extras and the
group ``test`` need, which pip takes as a file of constraints. With ``--check`` it compares them with what is installed.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def lower_bounds(pyproject: Mapping[str, Any]) -> dict[str, Version]:
    """Return the lower bound of each package that is needed to run lurking with all extras, and its tests.

    Parameters
    ----------
    pyproject : mapping
        The content of pyproject.toml.

    Raises
    ------
    ValueError
        If a requirement is not one lower bound, or two requirements of one package differ.
    """
    bounds: dict[str, Version] = {}
    for requirement in _requirements(pyproject):
        name = canonicalize_name(requirement.name)
        specifiers = list(requirement.specifier)
        if [specifier.operator for specifier in specifiers] != [">="]:
            raise ValueError(f"The requirement {str(requirement)!r} must have one lower bound, such as {name}>=1.0.")
        bound = Version(specifiers[0].version)
        if bounds.setdefault(name, bound) != bound:
            raise ValueError(f"The package {name} has two lower bounds, {bounds[name]} and {bound}; write it once.")
    return bounds


def differences(bounds: Mapping[str, Version], installed: Mapping[str, str]) -> list[str]:
    """Return one sentence for each package that is not installed in exactly the version of its lower bound."""
    return [
        f"The lower bound of {name} is {bound}, but {installed.get(name, 'nothing')} is installed."
        for name, bound in bounds.items()
        if name not in installed or Version(installed[name]) != bound
    ]


def _requirements(pyproject: Mapping[str, Any]) -> Iterator[Requirement]:
    """Yield what lurking, its extras and the group of the tests require; extras may name each other."""
    project = pyproject["project"]
    texts = [*project["dependencies"], *pyproject["dependency-groups"]["test"]]
    for extra in project["optional-dependencies"].values():
        texts += extra
    for requirement in map(Requirement, texts):
        if canonicalize_name(requirement.name) != canonicalize_name(project["name"]):
            yield requirement


def main(arguments: list[str]) -> int:
    """Print the pins, or with ``--check`` what differs from them; return the exit code."""
    bounds = lower_bounds(tomllib.loads(PYPROJECT.read_text(encoding="utf-8")))
    if arguments == ["--check"]:
        installed: dict[str, str] = {
            canonicalize_name(found.metadata["Name"]): found.version for found in metadata.distributions()
        }
        wrong = differences(bounds, installed)
        print("\n".join(wrong) or f"All {len(bounds)} lower bounds of pyproject.toml are installed.", file=sys.stderr)
        return min(len(wrong), 1)
    if arguments:
        print(f"lower_bounds.py takes nothing or --check. Got {' '.join(arguments)}.", file=sys.stderr)
        return 2
    for name, bound in bounds.items():
        print(f"{name}=={bound}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
