"""A page of the documentation as a list of fenced blocks, and how to run them.

Blocks run from top to bottom in one folder, the Python ones in one namespace:

- ``python`` with prompts is a doctest; without, it is a script, and a ``text`` block right behind it is its output.
- ``console`` holds commands behind ``$ `` and below each what it prints, if that is shown. A command must succeed,
  unless what is shown is an error of ours, which begins with ``lurking: ``. The commands are lurking itself,
  ``echo '...' > file`` and ``cat file``.
- ``toml`` that begins with ``# name.toml`` is written to a file of that name.

``...`` in an output stands for anything, and white space does not count.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from lurking.cli import main

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_FENCE = re.compile(r"^```(?P<language>[\w-]+)\n(?P<code>.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block; ``shown`` is the text block right behind a script."""

    language: str
    code: str
    line: int
    shown: str | None = None


def blocks_of(text: str) -> list[Block]:
    """Return the fenced blocks of a page that have a plain language, in order."""
    found = list(_FENCE.finditer(text))
    blocks = []
    for place, match in enumerate(found):
        behind = found[place + 1] if place + 1 < len(found) else None
        adjoining = behind is not None and not text[match.end() : behind.start()].strip()
        shown = behind["code"] if behind is not None and adjoining and behind["language"] == "text" else None
        blocks.append(Block(match["language"], match["code"], text.count("\n", 0, match.start()) + 2, shown))
    return blocks


def run_page(path: Path, folder: Path) -> int:
    """Run a page in a folder, the current one; return the number of blocks that were run."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    for block in blocks_of(path.read_text(encoding="utf-8")):
        place = f"{path.name}, line {block.line}"
        if block.language == "python" and ">>>" in block.code:
            _run_doctest(block, namespace, place)
        elif block.language == "python":
            _run_script(block, namespace, place)
        elif block.language == "console":
            for command, shown in _commands(block.code):
                _run_command(command, shown, folder, place)
        elif block.language == "toml" and (name := re.match(r"# (\w[\w-]*\.toml)\n", block.code)):
            (folder / name[1]).write_text(block.code, encoding="utf-8")
        else:
            continue
        count += 1
    return count


def _run_doctest(block: Block, namespace: dict[str, Any], place: str) -> None:
    test = doctest.DocTestParser().get_doctest(block.code, namespace, place, None, block.line)
    said = io.StringIO()
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.write, clear_globs=False)
    namespace.update(test.globs)  # the test worked on a copy
    assert not said.getvalue(), said.getvalue()


def _run_script(block: Block, namespace: dict[str, Any], place: str) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block.code, place, "exec"), namespace)
    if block.shown is not None:
        _check(block.shown, printed.getvalue(), place)


def _commands(code: str) -> Iterator[tuple[str, str]]:
    """Yield each command and the output that is shown below it."""
    assert code.startswith("$ "), f"A console block begins with a command behind '$ ': {code!r}"
    for part in re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def _run_command(command: str, shown: str, folder: Path, place: str) -> None:
    program, *arguments = shlex.split(command)
    if program == "echo":
        text, arrow, name = arguments
        assert arrow == ">", place
        (folder / name).write_text(text + "\n", encoding="utf-8")
        return
    if program == "cat":
        (name,) = arguments
        _check(shown, (folder / name).read_text(encoding="utf-8"), f"{place}: {command}")
        return
    assert Path(program).name == "lurking", f"{place}: {command!r} is a command that is not run"
    result = CliRunner().invoke(main, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    errors = [line for line in result.stderr.splitlines() if not line.startswith(("Compiling", "Read: "))]
    if shown.startswith("lurking: "):
        assert result.exit_code in (1, 2), f"{place}: {command!r} succeeded"
    else:
        assert result.exit_code == 0, f"{place}: {command!r} failed: {result.stderr}"
        assert not errors, f"{place}: {command!r} complained: {result.stderr}"
    if shown:
        _check(shown, result.stdout + "\n".join(errors), f"{place}: {command}")


def _check(want: str, got: str, place: str) -> None:
    if not doctest.OutputChecker().check_output(want.strip() + "\n", got.strip() + "\n", FLAGS):
        raise AssertionError(f"{place}\n--- the page shows\n{want}\n--- but it is\n{got}")
