"""What to cite: the works behind exactly those parts that were used.

A method paper for each step that was taken, the software itself, and the source of the bundled data if they were
analysed. Nothing that was not used is listed.

>>> for citation in citations(solver="exact", graph_class="ancestral"):
...     print(citation.used_for)
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
from lurking._typing import GRAPH_CLASSES, GraphClass
from lurking.discovery import Analysis
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
    "ancestral": """@article{richardson2002ancestral,
  title   = {Ancestral Graph {M}arkov Models},
  author  = {Richardson, Thomas and Spirtes, Peter},
  journal = {The Annals of Statistics},
  volume  = {30},
  number  = {4},
  pages   = {962--1030},
  year    = {2002}
}""",
    "arid": """@inproceedings{shpitser2018acyclic,
  title     = {Acyclic Linear {SEM}s Obey the Nested {M}arkov Property},
  author    = {Shpitser, Ilya and Evans, Robin J. and Richardson, Thomas S.},
  booktitle = {Proceedings of the 34th Conference on Uncertainty in Artificial Intelligence},
  year      = {2018}
}""",
    "bow-free": """@article{brito2002new,
  title   = {A New Identification Condition for Recursive Models With Correlated Errors},
  author  = {Brito, Carlos and Pearl, Judea},
  journal = {Structural Equation Modeling},
  volume  = {9},
  number  = {4},
  pages   = {459--474},
  year    = {2002}
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
_CLASS_WORDS = {"ancestral": "ancestral graphs", "arid": "arid graphs", "bow-free": "bow-free graphs"}


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
        ("graph_class", graph_class, GRAPH_CLASSES),
        ("criterion", criterion, tuple(CRITERIA)),
    ):
        if value is not None and value not in allowed:
            raise ParameterError(f"The {name} must be one of {', '.join(allowed)}. Got {value!r} instead.")
    paper_words = "the continuous optimisation that found the graph, and the constraints it uses"
    used = [("paper", paper_words if solver == "dcd" else "the graphs, their constraints and the problem")]
    used.append(("ricf", "the maximum-likelihood fit"))
    score = "bic" if solver == "dcd" else criterion
    if solver is not None and score is not None and score in _WORKS:
        used.append((score, "the score of a graph"))
    if solver == "hybrid":
        used.append(("order", "the best DAG, one of the starts of the search"))
    if graph_class is not None:
        used.append((graph_class, _CLASS_WORDS[graph_class]))
    used.append(("pag", "the marks that all equivalent graphs share"))
    if constraints_tested:
        used.append(("verma", "independences and Verma constraints"))
        used.append(("adjusted", "p-values adjusted for the number of tests"))
    if bootstrapped:
        used.append(("bootstrap", "the shares of edges in resampled data"))
    if sachs:
        used.append(("sachs", "the data"))
    software = _SOFTWARE.format(version=lurking.__version__)
    return {**{why: _WORKS[key] for key, why in used}, "this software": software}


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
