"""The scripts say what is wrong before they make anything, and what calls them names scripts that exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(path for path in (ROOT / "scripts").iterdir() if path.suffix != ".py" and path.name != "environment")
CALLERS = [ROOT / ".ci/run", ROOT / ".pre-commit-config.yaml", *(ROOT / ".github/workflows").iterdir()]

posix = pytest.mark.skipif(sys.platform == "win32", reason="a shell script cannot stand in for python.exe")


def stand_in(path: Path, version: str) -> Path:
    """Write a program that answers as a Python of this version would."""
    path.parent.mkdir(parents=True, exist_ok=True)
    minor = int(version.split(".")[1])
    path.write_text(
        "#!/bin/sh\n"
        f'case "$*" in *--version*) echo "Python {version}.0" ;;\n'
        f'*print*) echo "{version}" ;;\n'
        f"*) exit {int(minor < 11)} ;; esac\n"
    )
    path.chmod(0o755)
    return path


def setup(venv: Path, python: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / "scripts" / "setup", *arguments],
        env=os.environ | {"LURKING_VENV": str(venv), "PYTHON": str(python)},
        capture_output=True,
        text=True,
        check=False,
    )


@posix
def test_setup_refuses_an_old_python_and_makes_nothing(tmp_path: Path) -> None:
    done = setup(tmp_path / "venv", stand_in(tmp_path / "old", "3.10"))
    assert done.returncode == 1
    assert "lurking needs Python 3.11 or newer; Python 3.10.0 was found. Set PYTHON to a newer one." in done.stderr
    assert not (tmp_path / "venv").exists()


@posix
def test_setup_does_not_take_the_environment_of_another_python(tmp_path: Path) -> None:
    stand_in(tmp_path / "venv" / "bin" / "python", "3.11")
    done = setup(tmp_path / "venv", stand_in(tmp_path / "newer", "3.13"), "test")
    assert done.returncode == 1
    assert "was made with Python 3.11, and PYTHON is 3.13; set LURKING_VENV=.venv-3.13" in done.stderr


@posix
@pytest.mark.parametrize(("what", "made_for_oldest"), [("oldest", False), ("test", True), ("run", True)])
def test_setup_does_not_mix_the_lower_bounds_with_newer_versions(
    what: str, made_for_oldest: bool, tmp_path: Path
) -> None:
    python = stand_in(tmp_path / "venv" / "bin" / "python", "3.11")
    if made_for_oldest:
        (tmp_path / "venv" / ".oldest").touch()
    done = setup(tmp_path / "venv", python, what)
    assert done.returncode == 1
    assert "was made for other versions" in done.stderr
    assert "set LURKING_VENV to another one" in done.stderr


@posix
def test_setup_refuses_what_it_does_not_know(tmp_path: Path) -> None:
    done = setup(tmp_path / "venv", Path(sys.executable), "newest")
    assert done.returncode == 2
    assert "scripts/setup takes nothing, test or oldest. Got newest." in done.stderr
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_each_script_is_a_program_that_stops_at_the_first_error(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert text.startswith("#!/usr/bin/env bash\n# ")
    assert "\nset -euo pipefail\n" in text
    assert sys.platform == "win32" or script.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", script], check=True)


def test_callers_name_scripts_that_exist() -> None:
    named = {name for path in CALLERS for name in re.findall(r"\bscripts/[\w.-]+\w", path.read_text(encoding="utf-8"))}
    assert {"scripts/test", "scripts/docs", "scripts/demo", "scripts/tool"} <= named
    for name in named:
        assert (ROOT / name).is_file()


def test_continuous_integration_runs_the_commands_of_the_readme() -> None:
    commands = re.findall(r"^    (\./scripts/[\w-]+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) == 2
    for path in CALLERS:
        if path.suffix != ".yaml":
            assert set(commands) <= set(re.findall(r"\./scripts/[\w-]+", path.read_text(encoding="utf-8"))), path
