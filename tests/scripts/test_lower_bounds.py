"""The pins of ``scripts/test --oldest`` are what pyproject.toml says, and nothing is written twice."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from lower_bounds import PYPROJECT, differences, lower_bounds

PROJECT: dict[str, Any] = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))


def pyproject(dependencies: list[str], test: list[str], **extras: list[str]) -> dict[str, Any]:
    return {
        "project": {"name": "our-name", "dependencies": dependencies, "optional-dependencies": extras},
        "dependency-groups": {"test": test},
    }


def test_dependencies_extras_and_test_tools_each_once() -> None:
    bounds = lower_bounds(
        pyproject(["numpy>=2.0", "SciPy >= 1.13"], ["numpy>=2.0.0"], fast=["some_thing>=3"], all=["Our.Name[fast]"])
    )
    assert {name: str(bound) for name, bound in bounds.items()} == {"numpy": "2.0", "scipy": "1.13", "some-thing": "3"}


@pytest.mark.parametrize("wrong", ["numpy", "numpy>=2,<3", "numpy==2.0", "numpy<3", "numpy~=2.0"])
def test_a_requirement_that_is_not_a_lower_bound_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"numpy.*must have one lower bound, such as numpy>=1\.0"):
        lower_bounds(pyproject([wrong], []))


def test_two_bounds_of_one_package_are_refused() -> None:
    with pytest.raises(ValueError, match=r"numpy has two lower bounds, 2\.0 and 2\.1"):
        lower_bounds(pyproject(["numpy>=2.0"], ["numpy>=2.1"]))


def test_what_is_installed_is_compared_as_versions() -> None:
    bounds = {"numpy": Version("2.0"), "scipy": Version("1.13"), "numba": Version("0.60")}
    assert differences(bounds, {"numpy": "2.0.0", "scipy": "1.13.1"}) == [
        "The lower bound of scipy is 1.13, but 1.13.1 is installed.",
        "The lower bound of numba is 0.60, but nothing is installed.",
    ]


def test_the_script_prints_every_requirement_of_the_project_as_a_pin() -> None:
    script = PYPROJECT.parent / "scripts" / "lower_bounds.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    pins = dict(line.split("==") for line in done.stdout.splitlines())
    extras = [
        text for name, extra in PROJECT["project"]["optional-dependencies"].items() if name != "all" for text in extra
    ]
    required = [*PROJECT["project"]["dependencies"], *extras, *PROJECT["dependency-groups"]["test"]]
    assert sorted(pins) == sorted(Requirement(text).name for text in required)
    for requirement in map(Requirement, required):
        assert str(requirement.specifier) == f">={pins[requirement.name]}"


def test_the_least_pytest_is_its_lower_bound() -> None:
    assert Version(PROJECT["tool"]["pytest"]["ini_options"]["minversion"]) == lower_bounds(PROJECT)["pytest"]


def test_the_extra_all_has_every_extra() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    (everything,) = map(Requirement, extras["all"])
    assert everything.name == PROJECT["project"]["name"]
    assert everything.extras == set(extras) - {"all"}


def test_an_unknown_argument_is_refused() -> None:
    script = Path(PYPROJECT.parent, "scripts", "lower_bounds.py")
    done = subprocess.run([sys.executable, script, "--newest"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "takes nothing or --check. Got --newest." in done.stderr
