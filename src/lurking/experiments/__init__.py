"""The paper's tables and figures, with its baselines, each from one command and one seed.

=======================  ==========================================================================================
:mod:`~.verma`           graphs with a Verma constraint: how often the true class is found (figures 2 left and E)
:mod:`~.random_graphs`   random arid and ancestral graphs, raw and standardised (Table 1 and the last of appendix E)
:mod:`~.regularization`  the strength of the penalty (the table of λ in appendix E)
:mod:`~.sachs`           the protein-signalling data (figure 2 right, appendix B)
=======================  ==========================================================================================

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     experiment = RegularizationExperiment(1, penalties=[0.05], restarts=1)
...     run_experiment(experiment, Path(folder))["verdict"].isin(["true", "super", "wrong"]).all()
np.True_
"""

from lurking.experiments.experiment import Experiment
from lurking.experiments.random_graphs import RandomGraphsExperiment
from lurking.experiments.regularization import RegularizationExperiment
from lurking.experiments.runner import run_experiment, write_summary
from lurking.experiments.sachs import SachsExperiment
from lurking.experiments.verma import VermaExperiment

__all__ = [
    "Experiment",
    "RandomGraphsExperiment",
    "RegularizationExperiment",
    "SachsExperiment",
    "VermaExperiment",
    "run_experiment",
    "write_summary",
]
