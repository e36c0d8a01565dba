"""Every example of the README and of docs/ is run, and shows what it really prints; every link leads somewhere."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from docs.pages import blocks_of, run_page

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "docs" / "api" / "index.md"]
WITH_EXAMPLES = [
    page for page in PAGES if any(b.language in ("python", "console") for b in blocks_of(page.read_text("utf-8")))
]
LAYERS = sorted((ROOT / "docs" / "api").glob("*.md"))


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.stem)
def test_every_example_runs_and_prints_what_is_shown(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    assert run_page(page, tmp_path)
    for name in re.findall(r"\]\(figures/([\w-]+\.svg)\)", page.read_text(encoding="utf-8")):
        made = tmp_path / name  # a picture that an example of the page makes must be the one that is shown
        if made.exists():
            assert made.read_text("utf-8") == (ROOT / "docs" / "figures" / name).read_text("utf-8"), f"{name} is stale"


@pytest.mark.parametrize(
    "wrong",
    [
        "```python\nprint(1)\n```\n\n```text\n2\n```\n",
        "```python\n>>> 1 + 1\n3\n```\n",
        "```python\nraise ValueError\n```\n",
        "```console\n$ lurking --version\nlurking 0\n```\n",
        "```console\n$ lurking discover nothing.csv\n```\n",
        "```console\n$ lurking --version\nlurking: There is no such thing.\n```\n",
        "```console\n$ rm data.csv\n```\n",
        "```console\n$ echo 'A -> B' > graph.txt\n$ cat graph.txt\nA -> C\n```\n",
    ],
)
def test_a_wrong_example_is_noticed(wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    page.write_text(wrong, encoding="utf-8")
    with pytest.raises((AssertionError, ValueError)):
        run_page(page, tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_and_pictures_are_there(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if not re.match(r"https?://", target):
            assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"


@pytest.mark.parametrize("page", LAYERS, ids=lambda page: page.stem)
def test_the_reference_lists_every_public_name_once(page: Path) -> None:
    if page.stem in ("index", "errors"):
        return
    text = page.read_text(encoding="utf-8")
    tables = re.findall(r"\.\. autosummary::\n   :nosignatures:\n\n((?:   \w+\n)+)", text)
    listed = [name for table in tables for name in table.split()] + re.findall(r"\.\. py:data:: (\w+)", text)
    assert sorted(listed) == sorted(import_module(f"lurking.{page.stem}").__all__)
