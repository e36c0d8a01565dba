"""Several files written together."""

from __future__ import annotations

from pathlib import Path

import pytest

from lurking._errors import FormatError
from lurking._files import write_together


def test_all_files_or_none(tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text("old")
    (tmp_path / "folder").mkdir()
    with pytest.raises(FormatError, match="is a folder"):
        write_together({tmp_path / "old.txt": "new", tmp_path / "folder": "x"})
    with pytest.raises(FormatError, match="UTF-8"):
        write_together({tmp_path / "old.txt": "new", tmp_path / "b.txt": "\ud800"})
    with pytest.raises(FormatError, match="cannot be written"):
        write_together({tmp_path / "c.txt": "new", tmp_path / "old.txt" / "d.txt": "x"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "old.txt"]
    assert (tmp_path / "old.txt").read_text() == "old"
    write_together({tmp_path / "new" / "a.txt": "ä\n"})
    assert (tmp_path / "new" / "a.txt").read_bytes() == "ä\n".encode()


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.html"
    write_together({path: "before"})

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("lurking._files.os.fsync", fail)
    with pytest.raises(FormatError, match="No space left on device"):
        write_together({path: "after"})
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
