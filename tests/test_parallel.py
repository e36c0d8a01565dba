"""Work that is given up leaves no noise behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import joblib
import pytest

from lurking._parallel import left_quietly, workers_ignoring_sigint


@pytest.mark.filterwarnings("error")
def test_results_that_are_left_early_raise_no_warning() -> None:
    parallel = joblib.Parallel(n_jobs=2, prefer="threads", return_as="generator", pre_dispatch="all")
    with left_quietly(parallel(joblib.delayed(time.sleep)(0.01) for _ in range(50))) as results:
        next(results)
    with pytest.raises(StopIteration):
        next(results)


def test_joblib_would_have_warned() -> None:
    parallel = joblib.Parallel(n_jobs=2, prefer="threads", return_as="generator", pre_dispatch="all")
    results = parallel(joblib.delayed(time.sleep)(0.01) for _ in range(50))
    next(results)
    with pytest.warns(UserWarning, match="cancelled"):
        results.close()


_HANDLER = [sys.executable, "-c", "import signal; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"]


def test_workers_ignore_interrupts_and_this_process_hears_them_again() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with workers_ignoring_sigint():
            inside = subprocess.run(_HANDLER, capture_output=True, text=True, check=True).stdout.strip()
        assert inside == "True"
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert subprocess.run(_HANDLER, capture_output=True, text=True, check=True).stdout.strip() == "False"
    finally:
        signal.signal(signal.SIGINT, before)


def test_another_thread_changes_nothing() -> None:
    seen = []

    def look() -> None:
        with workers_ignoring_sigint():
            seen.append(signal.getsignal(signal.SIGINT))

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [before]
