"""The button: :class:`ADMGDiscovery` takes a table and leaves a graph."""

from lurking.discovery.estimator import ADMGDiscovery
from lurking.discovery.knowledge import Knowledge

__all__ = ["ADMGDiscovery", "Knowledge"]
