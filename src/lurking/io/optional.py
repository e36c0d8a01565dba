"""Other people's libraries, imported only when a graph is handed over to them."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

__all__ = ["require"]


def require(module: str, package: str) -> ModuleType:
    """Import a library that lurking does not depend on, or say how to get it.

    Parameters
    ----------
    module : str
        What to import, such as ``causallearn.graph.GeneralGraph``.
    package : str
        What to install, such as ``causal-learn``.

    Raises
    ------
    ImportError
        If it is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or module.partition(".")[0] != error.name.partition(".")[0]:
            raise
        raise ImportError(f"This needs the package {package}; install it by: pip install {package}") from error
