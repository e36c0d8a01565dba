"""Where results come from: machine, versions, command, seed and date, in ``run.json`` beside the results.

Results that take hours come from several runs; each is noted. The settings that all rows must share stand above them,
and another run with other settings is refused, because a mean over both would mean nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from lurking import __version__
from lurking._errors import FormatError, ParameterError
from lurking._files import write_together

__all__ = ["RunRecord", "machine", "source_hash", "versions"]

SCHEMA = "lurking/experiment@1"


def machine() -> dict[str, object]:
    """Return the processor, the number of cores and the operating system."""
    processor = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        names = [line for line in information.read_text(encoding="utf-8").splitlines() if line.startswith("model name")]
        processor = names[0].partition(":")[2].strip() if names else processor
    return {"processor": processor, "cores": os.cpu_count(), "system": f"{platform.system()} {platform.release()}"}


def versions() -> dict[str, str]:
    """Return the versions of Python, of lurking and of what does its arithmetic."""
    packages = ("numpy", "scipy", "numba", "scikit-learn", "joblib", "pandas")
    return {"python": platform.python_version(), "lurking": __version__} | {name: version(name) for name in packages}


def source_hash() -> str:
    """Return a hash of the source code of the package, which tells two states of one version apart."""
    digest = hashlib.sha256()
    root = Path(str(files("lurking")))
    for path in sorted(root.rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return f"sha256:{digest.hexdigest()[:16]}"


class RunRecord:
    """The file ``run.json``.

    Parameters
    ----------
    path : Path
        The file.
    document : dict
        What it holds.
    """

    def __init__(self, path: Path, document: dict[str, Any]) -> None:
        self.path, self.document = path, document

    @classmethod
    def open(cls, path: Path, experiment: str, settings: dict[str, object]) -> RunRecord:
        """Read the record of a folder, or begin one; nothing is written before :meth:`start`."""
        if not path.exists():
            return cls(path, {"schema": SCHEMA, "experiment": experiment, "settings": settings, "runs": []})
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
            known = document["schema"] == SCHEMA and isinstance(document["runs"], list)
            before, kept = document["experiment"], document["settings"]
        except (OSError, ValueError, KeyError, TypeError):
            known = False
        if not known:
            raise FormatError(f"{str(path)!r} is not the record of an experiment; choose another folder with --out.")
        if before != experiment:
            raise ParameterError(
                f"The folder {str(path.parent)!r} holds the experiment {before}, not {experiment}; "
                "choose another --out."
            )
        for name, value in settings.items():
            if kept.get(name) != value:
                raise ParameterError(
                    f"The folder {str(path.parent)!r} holds results with {_setting(name, kept.get(name))}, not "
                    f"{'the default' if value is None else value}; "
                    "use the same one, or choose another --out."
                )
        return cls(path, document)

    def start(self, command: str, n_jobs: int | None, say: Callable[[str], None]) -> None:
        """Note that a run begins, and say if the program has changed since the last one."""
        source = source_hash()
        if self.document["runs"] and self.document["runs"][-1]["source"] != source:
            say("The program has changed since the results in this folder were made; new rows come from the new one.")
        self.document["runs"].append(
            {
                "started": _now(),
                "finished": None,
                "command": command,
                "n_jobs": n_jobs,
                "machine": machine(),
                "versions": versions(),
                "source": source,
            }
        )
        self._write()

    def finish(self, n_rows: int, *, complete: bool) -> None:
        """Note that it ended, and how many rows there are now."""
        self.document["runs"][-1] |= {"finished": _now(), "rows": n_rows, "complete": complete}
        self._write()

    def _write(self) -> None:
        write_together({self.path: json.dumps(self.document, ensure_ascii=False, indent=1) + "\n"})


def _setting(name: str, value: object) -> str:
    return f"default {name}" if value is None else f"{name} {value}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
