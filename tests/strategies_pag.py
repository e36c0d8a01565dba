"""Hypothesis strategies for graphs with tails, arrowheads and circles, whether or not they are PAGs of anything."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from lurking import PAG
from lurking.graphs import Mark
from strategies import name_lists

ENDS = (Mark.CIRCLE, Mark.ARROW, Mark.TAIL)


@st.composite
def marked_graphs(
    draw: DrawFn,
    min_size: int = 0,
    max_size: int = 5,
    *,
    names: SearchStrategy[list[str]] | None = None,
    ends: tuple[Mark, ...] = ENDS,
) -> PAG:
    """Graphs with any of the marks ``ends`` on any pair; plain names X0, X1, ... unless ``names`` says otherwise."""
    if names is None:
        names = st.integers(min_size, max_size).map(lambda d: [f"X{i}" for i in range(d)])
    listed = draw(names)
    marks = np.zeros((len(listed), len(listed)), dtype=np.int8)
    edges = st.none() | st.tuples(st.sampled_from(ends), st.sampled_from(ends))
    for i, j in combinations(range(len(listed)), 2):
        edge = draw(edges)
        if edge is not None:
            marks[i, j], marks[j, i] = edge
    return PAG(listed, marks)


def badly_named_marked_graphs(min_size: int = 0, max_size: int = 4) -> SearchStrategy[PAG]:
    """Such graphs with names that contain spaces, quotes, line ends, arrows and letters from everywhere."""
    return marked_graphs(names=name_lists(min_size, max_size))
