"""Causal discovery when some of the common causes were never measured.

The names below are the public face; each is imported from its layer when it is first used, so that ``import lurking``
costs nothing.
"""

from typing import TYPE_CHECKING

from lurking._lazy import lazily

if TYPE_CHECKING:
    from lurking.data import Moments, load_sachs
    from lurking.discovery import ADMGDiscovery, Analysis, Knowledge, bootstrap, discover
    from lurking.graphs import ADMG, CPDAG, PAG
    from lurking.metrics import compare
    from lurking.simulate import simulate_admg

__all__ = [
    "ADMG",
    "CPDAG",
    "PAG",
    "ADMGDiscovery",
    "Analysis",
    "Knowledge",
    "Moments",
    "bootstrap",
    "compare",
    "discover",
    "load_sachs",
    "simulate_admg",
]
__version__ = "0.1.0"

_HOME = {
    "ADMG": "lurking.graphs",
    "CPDAG": "lurking.graphs",
    "PAG": "lurking.graphs",
    "ADMGDiscovery": "lurking.discovery",
    "Analysis": "lurking.discovery",
    "Knowledge": "lurking.discovery",
    "Moments": "lurking.data",
    "bootstrap": "lurking.discovery",
    "compare": "lurking.metrics",
    "discover": "lurking.discovery",
    "load_sachs": "lurking.data",
    "simulate_admg": "lurking.simulate",
}

__getattr__, __dir__ = lazily(__name__, _HOME)
