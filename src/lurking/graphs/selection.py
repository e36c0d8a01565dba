r"""Selection: what a sample shows whose units got into it because of some variables.

If units are in the sample because of the values of S, every distribution that the sample shows is conditional on S. A
:class:`SelectedADMG` is the graph of the population together with S, and answers for the sample:

*Independence.* What is independent in the sample is m-separated given S as well. The independences are those of a
maximal ancestral graph with undirected edges (Richardson and Spirtes 2002): a and b are adjacent if no set of the
others, together with S, separates them; the mark at a is a tail if a is an ancestor of b or of S, and an arrowhead
otherwise. So ``a -- b`` says that both act on the selection, and a tail at a alone that a causes b *or* the selection.
The PAG has the same marks where all equivalent graphs agree.

::

    X -> S <- Y, S selected        X -- Y: independent in the population, dependent in the sample
    X -> M -> S                    X -- M

*Effects.* A regression in the sample is one in which S is adjusted for. It gives the total effect of X on Y if and only
if the set Z that is adjusted for *and* S together are an adjustment set in the population; so S may be the only
adjustment (a confounder that was held fixed), or harmless (an effect of X alone), or make every adjustment wrong (an
effect of Y). In linear models the coefficient is then the effect in the population. If effects differ between units it
is the effect at the values of S that are in the sample. The same holds for instruments.

*What is not concluded.* A formula for p(y | do(x)) averages over the population, which the sample does not show; so
:meth:`ADMG.identify <lurking.graphs.ADMG.identify>` has no counterpart here. Verma constraints are listed for whole
populations only. A MAG or PAG with ``--`` is not asked about effects: its tails do not say what is a cause.

>>> graph = SelectedADMG(ADMG.parse("X -> S <- Y; Y -> Z"), "S")
>>> print(graph.to_mag())
X -- Y; Y -> Z
>>> graph.m_separated("X", "Y"), graph.population.m_separated("X", "Y")
(False, True)

References
----------
T. Richardson and P. Spirtes (2002). Ancestral graph Markov models. Annals of Statistics 30.
J. Correa, J. Tian and E. Bareinboim (2018). Generalized adjustment under confounding and selection biases. AAAI.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from lurking._errors import GraphError
from lurking.graphs.admg import ADMG
from lurking.graphs.bits import BitGraph, singleton
from lurking.graphs.marks import Mark, MarkMatrix
from lurking.graphs.mixed_graph import MixedGraph
from lurking.graphs.orientation import pag_of_marks
from lurking.graphs.pag import PAG
from lurking.graphs.relations import ancestors
from lurking.graphs.separation import m_separated
from lurking.graphs.separation_questions import SelectedGraph
from lurking.graphs.vertices import Vertices

__all__ = ["SelectedADMG"]


class SelectedADMG(MixedGraph):
    """An ADMG of a population, and the variables whose values decide who is in the sample.

    It answers for the sample: its ``names`` are the other variables, and every separation is one given ``selected``.
    Immutable. Two are equal if their populations and selected variables are.

    Parameters
    ----------
    population : ADMG
        The graph of the population, the selected variables among its vertices.
    selected : str or iterable of str
        At least one vertex.

    Attributes
    ----------
    population : ADMG
        The same graph, with the selected variables last.
    selected : tuple of str
        The selected variables, in the order of the graph.

    Examples
    --------
    >>> graph = SelectedADMG(ADMG.parse("talent -> admitted <- diligence; diligence -> grade"), "admitted")
    >>> graph.names
    ('talent', 'diligence', 'grade')
    >>> print(*graph.independences())
    talent ⊥ grade | diligence
    """

    __slots__ = ("population", "selected")

    population: ADMG
    selected: tuple[str, ...]

    def __init__(self, population: ADMG, selected: Vertices) -> None:
        mask = population._mask(selected)
        if not mask:
            raise GraphError("Selection needs at least one selected variable; for a whole population take the ADMG.")
        chosen = tuple(name for i, name in enumerate(population.names) if mask >> i & 1)
        others = [name for name in population.names if name not in chosen]
        super().__init__(others)
        object.__setattr__(self, "population", population.subgraph([*others, *chosen]))
        object.__setattr__(self, "selected", chosen)

    def index(self, name: str) -> int:
        """Return the position of a name; a selected variable has none, because it does not vary freely."""
        if name in self.selected:
            raise GraphError(
                f"The sample was selected by {name!r}, so that every answer is given it already; name another variable."
            )
        return super().index(name)

    def _identity(self) -> tuple[ADMG, frozenset[str]]:
        return self.population, frozenset(self.selected)

    def __reduce__(self) -> tuple[type[SelectedADMG], tuple[ADMG, tuple[str, ...]]]:
        return SelectedADMG, (self.population, self.selected)

    def __repr__(self) -> str:
        return f"SelectedADMG({self.population!r}, {list(self.selected)!r})"

    def __str__(self) -> str:
        return f"{self.population}; selected: {', '.join(self.selected)}"

    def to_svg(self, *, title: str | None = None, tiers: Mapping[str, int] | None = None) -> str:
        """Draw the population; the selected variables are marked. See :meth:`ADMG.to_svg`."""
        shown = [f"{name} (selected)" if name in self.selected else name for name in self.population.names]
        return ADMG(shown, self.population.directed, self.population.bidirected).to_svg(title=title, tiers=tiers)

    @property
    def n_edges(self) -> int:
        """The number of edges of the population."""
        return self.population.n_edges

    def subgraph(self, names: list[str] | tuple[str, ...]) -> SelectedADMG:
        """Return the induced subgraph on ``names`` and the selected variables, in the order given."""
        self._mask(names)
        return SelectedADMG(self.population.subgraph([*names, *self.selected]), self.selected)

    def ancestors(self, vertices: Vertices) -> frozenset[str]:
        """Return what causes the vertices, the vertices included."""
        self._mask(vertices)
        return self.population.ancestors(vertices) - set(self.selected)

    def latent_projection(self, hidden: Vertices) -> SelectedADMG:
        """Return the graph on the other vertices that has the same separations when ``hidden`` is not measured.

        Examples
        --------
        >>> print(SelectedADMG(ADMG.parse("U -> X; U -> Y; U -> S"), "S").latent_projection("U").to_mag())
        X <-> Y
        """
        self._mask(hidden)
        return SelectedADMG(self.population.latent_projection(hidden), self.selected)

    def to_mag(self) -> PAG:
        """Return the MAG of the sample, a graph without circles in which ``--`` stands for selection.

        Examples
        --------
        >>> graph = SelectedADMG(ADMG.parse("A -> B -> C; B -> S; C <-> D"), "S")
        >>> print(graph.to_mag())
        A -- B; B -> C; C <-> D
        """
        return PAG(self.names, self._marks_in_sample())

    def to_pag(self) -> PAG:
        """Return the PAG of the sample: the marks that all MAGs with the same separations share.

        Examples
        --------
        >>> print(SelectedADMG(ADMG.parse("A -> S <- B; B -> C <- D; E -> C"), "S").to_pag())
        A o-o B; B o-> C; D o-> C; E o-> C
        """
        return PAG(self.names, pag_of_marks(self._marks_in_sample()))

    def _separation_graph(self) -> SelectedGraph:
        return SelectedGraph(self.population._bits, ((1 << len(self.selected)) - 1) << len(self))

    def _marks_in_sample(self) -> MarkMatrix:
        graph = self._separation_graph()
        d = len(self)
        above = [ancestors(graph.bits, singleton(v) | graph.selected) for v in range(d)]
        marks = np.zeros((d, d), dtype=np.int8)
        for a, b in combinations(range(d), 2):
            if _inseparable(graph.bits, a, b, above[a] | above[b], graph.selected):
                marks[a, b] = Mark.TAIL if above[a] >> b & 1 else Mark.ARROW
                marks[b, a] = Mark.TAIL if above[b] >> a & 1 else Mark.ARROW
        return marks


def _inseparable(graph: BitGraph, a: int, b: int, above: int, selected: int) -> bool:
    """Tell whether no set separates two vertices in the sample; if one does, their ancestors and those of S do."""
    pair = singleton(a) | singleton(b)
    return not m_separated(graph, singleton(a), singleton(b), (above & ~pair) | selected)
