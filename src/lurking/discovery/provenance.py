"""Where a result comes from: a hash of the data, and the versions of what took part in the computation."""

from __future__ import annotations

import hashlib
import platform
from importlib.metadata import version

import numpy as np

from lurking.data import Moments

__all__ = ["hash_of_moments", "software_versions"]

_PACKAGES = ("lurking", "numpy", "scipy", "numba", "scikit-learn")


def software_versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that compute."""
    return {"Python": platform.python_version(), **{name: version(name) for name in _PACKAGES}}


def hash_of_moments(moments: Moments) -> str:
    """Return a hash of names, number of rows and covariances, for data that did not come from a file."""
    digest = hashlib.sha256()
    for name in moments.names:
        digest.update(name.encode("utf-8", "surrogatepass") + b"\0")
    digest.update(str(moments.n_samples).encode())
    digest.update(np.ascontiguousarray(moments.cov).tobytes())
    return f"moments-sha256:{digest.hexdigest()}"
