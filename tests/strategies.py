"""Hypothesis strategies shared by all tests: nasty names, and random graphs.

Runs are repeatable (no random seed, no database) and have no time limit per example, so that a loaded machine does
not make a test fail.
"""

from __future__ import annotations

from itertools import combinations
from typing import Literal

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from lurking import ADMG, CPDAG
from lurking.graphs import SelectedADMG

settings.register_profile("repeatable", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("repeatable")

SURROGATES: Literal["Cs"] = "Cs"  # half characters: not text, and no file can hold them

NASTY = (
    *(" ", "  ", "\t", "\n", "\r", "\r\n", "\x00", "\x85", "\u2028", "\u00a0"),
    *('"', '""', "'", "\\", "\\n", '\\"', ";", ":", ",", "#", "//", "[", "]", "{", "}", "=", "%", "&lt;", "<b>"),
    *("->", "<-", "<->", "o->", "o-o", "--", "-", "<", ">", "→", "node", "graph", "null", "1", "0.5"),
    *("é", "e\u0301", "Ångström", "血圧", "ضغط", "🧪", "a", "B", "_"),
)


def vertex_names() -> SearchStrategy[str]:
    """Non-empty names made of ordinary text and of everything that has ever broken a file format."""
    piece = st.sampled_from(NASTY) | st.characters(exclude_categories=[SURROGATES])
    return st.lists(piece, min_size=1, max_size=5).map("".join)


def name_lists(min_size: int = 0, max_size: int = 6) -> SearchStrategy[list[str]]:
    """Lists of different names."""
    return st.lists(vertex_names(), min_size=min_size, max_size=max_size, unique=True)


@st.composite
def admgs(
    draw: DrawFn,
    min_size: int = 0,
    max_size: int = 6,
    *,
    names: SearchStrategy[list[str]] | None = None,
    bow_free: bool = False,
) -> ADMG:
    """ADMGs with ``min_size`` to ``max_size`` vertices; plain names X0, X1, ... unless ``names`` says otherwise."""
    if names is None:
        names = st.integers(min_size, max_size).map(lambda d: [f"X{i}" for i in range(d)])
    listed = draw(names)
    d = len(listed)
    order = draw(st.permutations(range(d)))
    kinds = ["", "->", "<->"] if bow_free else ["", "->", "<->", "bow"]
    matrices = np.zeros((2, d, d), dtype=bool)
    for i, j in combinations(range(d), 2):
        kind = draw(st.sampled_from(kinds))
        cause, effect = order[i], order[j]
        if kind in ("->", "bow"):
            matrices[0, cause, effect] = True
        if kind in ("<->", "bow"):
            matrices[1, cause, effect] = matrices[1, effect, cause] = True
    return ADMG(listed, matrices[0], matrices[1])


def bow_free_admgs(min_size: int = 0, max_size: int = 6) -> SearchStrategy[ADMG]:
    """ADMGs in which no pair has two edges."""
    return admgs(min_size, max_size, bow_free=True)


def badly_named_admgs(min_size: int = 0, max_size: int = 5) -> SearchStrategy[ADMG]:
    """ADMGs whose names contain spaces, quotes, line ends, arrows and letters from everywhere."""
    return admgs(names=name_lists(min_size, max_size))


@st.composite
def badly_named_selected_admgs(draw: DrawFn, max_size: int = 5) -> SelectedADMG:
    """Such ADMGs with one selected vertex or more."""
    population = draw(badly_named_admgs(1, max_size))
    return SelectedADMG(population, draw(st.lists(st.sampled_from(population.names), min_size=1, unique=True)))


@st.composite
def cpdags(draw: DrawFn, max_size: int = 6, *, names: SearchStrategy[list[str]] | None = None) -> CPDAG:
    """Graphs of -> and -- without a directed cycle, whether or not they are CPDAGs of anything."""
    if names is None:
        names = st.integers(1, max_size).map(lambda d: [f"X{i}" for i in range(d)])
    listed = draw(names)
    order = draw(st.permutations(range(len(listed))))
    matrices = np.zeros((2, len(listed), len(listed)), dtype=bool)
    for i, j in combinations(order, 2):
        kind = draw(st.sampled_from(["", "->", "--"]))
        if kind == "->":
            matrices[0, i, j] = True
        elif kind:
            matrices[1, i, j] = matrices[1, j, i] = True
    return CPDAG(listed, *matrices)


def badly_named_cpdags(min_size: int = 0, max_size: int = 5) -> SearchStrategy[CPDAG]:
    """Such graphs with names that contain spaces, quotes, line ends, arrows and letters from everywhere."""
    return cpdags(names=name_lists(min_size, max_size))
