"""The cache of compiled kernels: renewed when any kernel changed, and not needed where it cannot be written."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from numba.core.dispatcher import Dispatcher

from lurking import _compile


@pytest.fixture
def double(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], int]:
    """Return a function in a file of its own, whose cache is a folder of its own."""
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "doubling.py").write_text("def double(x):\n    return 2 * x\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    sys.modules.pop("doubling", None)
    function: Callable[[int], int] = import_module("doubling").double
    return function


def test_a_change_of_any_kernel_renews_the_cache(double: Callable[[int], int], monkeypatch: pytest.MonkeyPatch) -> None:
    def compiled_anew() -> bool:
        kernel: Any = _compile.compiled(double)
        assert kernel(21) == 42
        return not kernel.stats.cache_hits

    assert compiled_anew()
    assert not compiled_anew()
    monkeypatch.setattr(_compile, "_stamp_of_kernels", lambda: ((1, 2),))
    assert compiled_anew()
    assert not compiled_anew()


def test_kernels_run_where_no_cache_can_be_written(
    double: Callable[[int], int], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(_: object) -> None:
        raise RuntimeError("no locator available for file 'doubling.py'")

    monkeypatch.setattr(Dispatcher, "enable_caching", refuse)
    _compile._say_that_nothing_is_kept.cache_clear()
    with caplog.at_level(logging.WARNING, logger="lurking"):
        assert _compile.compiled(double)(21) == 42
        _compile.compiled(double)
    assert caplog.text.count("cannot be kept") == 1
    assert "NUMBA_CACHE_DIR" in caplog.text
