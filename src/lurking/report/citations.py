"""What to cite: the works behind exactly those parts that were used.

A method paper for each step that was taken, the software itself, and the source of the bundled data if they were
analysed. Nothing that was not used is listed.

>>> for used_for in citations(solver="exact", graph_class="ancestral"):
...     print(used_for)
the graphs, their constraints and the problem
the maximum-likelihood fit
the score of a graph
ancestral graphs
the marks that all equivalent graphs share
this software
"""

from __future__ import annotations

from typing import Literal

import lurking
from lurking._errors import ParameterError
from lurking._typing import GraphClass
from lurking.discovery import Analysis
from lurking.graphs.classes import CLASSES
from lurking.sem import CRITERIA

__all__ = ["citations", "citations_for"]

_WORKS = {
    "paper": """@inproceedings{bhattacharya2021differentiable,
  title     = {Differentiable Causal Discovery Under Unmeasured Confounding},
  author    = {Bhattacharya, Rohit and Nagarajan, Tushar and Malinsky, Daniel and Shpitser, Ilya},
  booktitle = {Proceedings of The 24th International Conference on Artificial Intelligence and Statistics},
  series    = {Proceedings of Machine Learning Research},
  volume    = {130},
  pages     = {2314--2322},
  publisher = {PMLR},
  year      = {2021}
}""",
    "ricf": """@article{drton2009computing,
  title   = {Computing Maximum Likelihood Estimates in Recursive Linear Models with Correlated Errors},
  author  = {Drton, Mathias and Eichler, Michael and Richardson, Thomas S.},
  journal = {Journal of Machine Learning Research},
  volume  = {10},
  pages   = {2329--2348},
  year    = {2009}
}""",
    "bic": """@article{schwarz1978estimating,
  title   = {Estimating the Dimension of a Model},
  author  = {Schwarz, Gideon},
  journal = {The Annals of Statistics},
  volume  = {6},
  number  = {2},
  pages   = {461--464},
  year    = {1978}
}""",
    "marginal": """@article{scott2010bayes,
  title   = {Bayes and Empirical-{B}ayes Multiplicity Adjustment in the Variable-Selection Problem},
  author  = {Scott, James G. and Berger, James O.},
  journal = {The Annals of Statistics},
  volume  = {38},
  number  = {5},
  pages   = {2587--2619},
  year    = {2010}
}""",
    "ebic": """@inproceedings{foygel2010extended,
  title     = {Extended {B}ayesian Information Criteria for {G}aussian Graphical Models},
  author    = {Foygel, Rina and Drton, Mathias},
  booktitle = {Advances in Neural Information Processing Systems},
  volume    = {23},
  year      = {2010}
}""",
    "order": """@inproceedings{teyssier2005ordering,
  title     = {Ordering-Based Search: A Simple and Effective Algorithm for Learning {B}ayesian Networks},
  author    = {Teyssier, Marc and Koller, Daphne},
  booktitle = {Proceedings of the 21st Conference on Uncertainty in Artificial Intelligence},
  pages     = {584--590},
  year      = {2005}
}""",
    "pag": """@article{zhang2008completeness,
  title   = {On the Completeness of Orientation Rules for Causal Discovery in the Presence of Latent Confounders and
             Selection Bias},
  author  = {Zhang, Jiji},
  journal = {Artificial Intelligence},
  volume  = {172},
  number  = {16--17},
  pages   = {1873--1896},
  year    = {2008}
}""",
    "verma": """@article{richardson2023nested,
  title   = {Nested {M}arkov Properties for Acyclic Directed Mixed Graphs},
  author  = {Richardson, Thomas S. and Evans, Robin J. and Robins, James M. and Shpitser, Ilya},
  journal = {The Annals of Statistics},
  volume  = {51},
  number  = {1},
  pages   = {334--361},
  year    = {2023}
}""",
    "adjusted": """@article{benjamini1995controlling,
  title   = {Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple Testing},
  author  = {Benjamini, Yoav and Hochberg, Yosef},
  journal = {Journal of the Royal Statistical Society: Series B (Methodological)},
  volume  = {57},
  number  = {1},
  pages   = {289--300},
  year    = {1995}
}""",
    "bootstrap": """@article{efron1979bootstrap,
  title   = {Bootstrap Methods: Another Look at the Jackknife},
  author  = {Efron, Bradley},
  journal = {The Annals of Statistics},
  volume  = {7},
  number  = {1},
  pages   = {1--26},
  year    = {1979}
}""",
    "sachs": """@article{sachs2005causal,
  title   = {Causal Protein-Signaling Networks Derived from Multiparameter Single-Cell Data},
  author  = {Sachs, Karen and Perez, Omar and Pe'er, Dana and Lauffenburger, Douglas A. and Nolan, Garry P.},
  journal = {Science},
  volume  = {308},
  number  = {5721},
  pages   = {523--529},
  year    = {2005}
}""",
}
_SOFTWARE = """@software{{lurking,
  title   = {{lurking: causal discovery when some of the common causes were never measured}},
  author  = {{{{The lurking developers}}}},
  version = {{{version}}}
}}"""


def citations(
    *,
    solver: Literal["hybrid", "dcd", "exact"] | None = "hybrid",
    graph_class: GraphClass | None = "bow-free",
    criterion: str | None = "marginal",
    constraints_tested: bool = False,
    bootstrapped: bool = False,
    sachs: bool = False,
) -> dict[str, str]:
    """Return what to cite for an analysis.

    Parameters
    ----------
    solver : {"hybrid", "dcd", "exact"} or None
        How the graph was found; None if it was given.
    graph_class : {"bow-free", "arid", "ancestral"} or None
        The class it was sought in; None if it was given.
    criterion : str or None
        What graphs were scored by, a name in :data:`~lurking.sem.CRITERIA`; the solver "dcd" has its own.
    constraints_tested : bool, default False
        Whether independences and Verma constraints were tested.
    bootstrapped : bool, default False
        Whether the search was repeated on resampled data.
    sachs : bool, default False
        Whether the bundled data were used.

    Returns
    -------
    works : dict of str to str
        The BibTeX of each work, by what it was used for.
    """
    allowed: tuple[str, ...]
    for name, value, allowed in (
        ("solver", solver, ("hybrid", "dcd", "exact")),
        ("graph_class", graph_class, tuple(CLASSES)),
        ("criterion", criterion, tuple(CRITERIA)),
    ):
        if value is not None and value not in allowed:
            raise ParameterError(f"The {name} must be one of {', '.join(allowed)}. Got {value!r} instead.")
    paper_words = "the continuous optimisation that found the graph, and the constraints it uses"
    works = {paper_words if solver == "dcd" else "the graphs, their constraints and the problem": _WORKS["paper"]}
    works["the maximum-likelihood fit"] = _WORKS["ricf"]
    score = "bic" if solver == "dcd" else criterion
    if solver is not None and score is not None and score in _WORKS:
        works["the score of a graph"] = _WORKS[score]
    if solver == "hybrid":
        works["the best DAG, one of the starts of the search"] = _WORKS["order"]
    if graph_class is not None:
        works[CLASSES[graph_class].words] = CLASSES[graph_class].bibtex
    works["the marks that all equivalent graphs share"] = _WORKS["pag"]
    if constraints_tested:
        works["independences and Verma constraints"] = _WORKS["verma"]
        works["p-values adjusted for the number of tests"] = _WORKS["adjusted"]
    if bootstrapped:
        works["the shares of edges in resampled data"] = _WORKS["bootstrap"]
    if sachs:
        works["the data"] = _WORKS["sachs"]
    works["this software"] = _SOFTWARE.format(version=lurking.__version__)
    return works


def citations_for(analysis: Analysis) -> dict[str, str]:
    """Return what to cite for an analysis, found from its settings."""
    settings = analysis.settings if analysis.was_searched else {}
    criterion = settings.get("criterion")
    return citations(
        solver=settings.get("solver"),
        graph_class=settings.get("graph_class"),
        criterion=criterion if criterion in CRITERIA else None,  # an object of the user's own has nothing to cite
        constraints_tested=bool(analysis.tests),
        bootstrapped=analysis.n_replicates is not None,
        sachs=analysis.dataset == "sachs",
    )
