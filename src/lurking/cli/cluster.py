"""Where the chains of a search and replicates run: in threads here, or on a Dask cluster through joblib's own backend.

Whatever can be wrong with a cluster (no Dask here, no scheduler there, no workers, other
versions, workers that are lost again and again) is one sentence, and every request to it has a short time limit.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from lurking import __version__
from lurking._errors import LurkingError
from lurking.cli.console import ProgressBar

__all__ = ["check_address", "dask_option", "workers"]

PATIENCE = 5
"""Seconds that a scheduler has to answer, and to show its first worker."""


def check_address(ctx: click.Context, parameter: click.Parameter, address: str | None) -> str | None:
    """Refuse what cannot be the address of a scheduler, before any data are read."""
    if address is not None and not re.fullmatch(r"(tcp|tls|ucx|ws|wss)://\S+:\d+", address):
        raise click.UsageError(f"--dask takes the address of a scheduler, as tcp://host:8786. Got {address!r} instead.")
    return address


dask_option = click.option(
    "--dask",
    metavar="ADDRESS",
    callback=check_address,
    help="Search on the Dask cluster with this scheduler, as tcp://host:8786; --jobs has then no effect.",
)
"""Adds the option that searches on a cluster."""


@contextmanager
def workers(address: str | None, bar: ProgressBar) -> Iterator[None]:
    """Let joblib run on the Dask cluster at an address; without one nothing changes."""
    if address is None:
        yield
        return
    import joblib

    try:
        from distributed import Client, KilledWorker
        from distributed.comm.core import CommClosedError
    except ImportError:
        raise LurkingError("--dask needs Dask, which is not installed; run pip install 'lurking[dask]'.") from None
    bar.step(f"connecting to {address}")
    talk = logging.getLogger("distributed")
    level = talk.level
    talk.setLevel(logging.CRITICAL)  # what matters of it is said below
    try:
        try:
            client = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise LurkingError(
                f"No Dask scheduler answers at {address}; start one by dask scheduler, or correct the address."
            ) from error
        with client:
            _check_workers(client, address)
            try:
                with joblib.parallel_config(backend="dask", client=client):
                    yield
            except KilledWorker as error:
                raise LurkingError(
                    f"The Dask workers of {address} died again and again, at {error.last_worker.address} last; look at "
                    "their logs, memory is the usual reason."
                ) from error
            except CommClosedError as error:
                raise LurkingError(f"The Dask scheduler at {address} went away; start it again.") from error
    finally:
        talk.setLevel(level)


def _check_workers(client: Any, address: str) -> None:
    """Say that there is no worker, or that one has another version of lurking, which may give another answer."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise LurkingError(
            f"The Dask scheduler at {address} has no workers; start some by dask worker {address}."
        ) from None
    for worker, there in client.get_versions(packages=["lurking"])["workers"].items():
        found = there["packages"]["lurking"]
        if found != __version__:
            other = "no lurking" if found is None else f"lurking {found}"
            raise LurkingError(
                f"The Dask worker {worker} has {other}, here is {__version__}; install the same version there."
            )
