"""The few type names used everywhere."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["GRAPH_CLASSES", "BoolMatrix", "Edges", "FloatArray", "GraphClass", "IntArray", "RandomState"]

BoolMatrix: TypeAlias = NDArray[np.bool_]
Edges: TypeAlias = NDArray[np.uint8]
"""Matrices of 0 and 1, as compiled loops take them."""
FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]

GraphClass: TypeAlias = str
"""The name of a class of graphs, a key of :data:`lurking.graphs.classes.CLASSES`."""
GRAPH_CLASSES: tuple[GraphClass, ...] = ("ancestral", "arid", "bow-free")
"""The classes that lurking has of its own."""

RandomState: TypeAlias = "int | np.random.Generator | np.random.SeedSequence | None"
