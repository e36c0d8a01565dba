"""The public face: what `from lurking import ...` offers, and what the README promises."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib import import_module, metadata
from pathlib import Path

import pytest

import lurking

ROOT = Path(__file__).parents[1]
PACKAGES = sorted(p.parent.name for p in (ROOT / "src" / "lurking").glob("*/__init__.py"))


def test_every_public_name_can_be_imported() -> None:
    for name in lurking.__all__:
        assert getattr(lurking, name) is not None
        assert name in dir(lurking)


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Admg'"):
        getattr(lurking, "Admg")  # noqa: B009


@pytest.mark.parametrize("package", PACKAGES)
def test_all_of_each_layer_is_complete(package: str) -> None:
    module = import_module(f"lurking.{package}")
    assert module.__doc__
    assert module.__all__ == sorted(module.__all__, key=_as_ruff_sorts)
    for name in module.__all__:
        assert hasattr(module, name)


def _as_ruff_sorts(name: str) -> tuple[int, str]:
    """CONSTANTS first, then Classes, then functions."""
    group = 0 if name.isupper() and len(name) > 1 else 1 if name[0].isupper() else 2
    return group, name


def test_version_is_said_once() -> None:
    assert metadata.version("lurking") == lurking.__version__


def test_importing_lurking_is_cheap() -> None:
    heavy = "import lurking, sys; print([m for m in ('numba', 'pandas', 'sklearn', 'scipy') if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


def test_readme_names_only_commands_that_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\./scripts/[\w-]+", text))
    assert {"./scripts/demo", "./scripts/test"} <= named
    for command in named:
        assert (ROOT / command).stat().st_mode & 0o111


# Modules of another package whose name begins with an underscore, and why each is imported there.
_PRIVATE_IMPORTS = {
    (
        "search/kernels/inner_problem.py",
        "lurking.constraints._dispatch",
    ): "compiled constraints in an objective",
    (
        "search/kernels/inner_problem.py",
        "lurking.constraints._settings",
    ): "their settings, as kernels take them",
}


def test_private_imports_across_packages_have_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    """Each of at most ten is listed above; what lies beside the packages (``lurking._errors``) belongs to all."""
    package = Path(lurking.__file__).parent
    found = set()
    for path in package.rglob("*.py"):
        place = path.relative_to(package)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("lurking."):
                continue
            parts = str(node.module).split(".")[1:]
            elsewhere = len(parts) > 1 and parts[0] != place.parts[0]
            names = [*parts[1:], *(alias.name for alias in node.names)]
            if elsewhere and any(name.startswith("_") for name in names):
                found.add((place.as_posix(), str(node.module)))
    with capsys.disabled():
        print(f"\nprivate imports across packages: {len(found)}")  # noqa: T201
    assert found == set(_PRIVATE_IMPORTS)
    assert len(found) <= 10
