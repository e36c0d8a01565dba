"""Causal discovery when some of the common causes were never measured."""

from lurking.graphs import ADMG, PAG

__all__ = ["ADMG", "PAG"]
__version__ = "0.1.0"
