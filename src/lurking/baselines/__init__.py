"""The methods we are compared with, each a learner like scikit-learn's: ``fit(table or Moments)``, then ``pag_``.

=======================  ==========================================================================================
:class:`FCI`             tests of independence, then orientation rules (Spirtes et al. 2000; Zhang 2008)
:class:`GFCI`            a DAG by its score, pruned and oriented as in FCI (Ogarrio et al. 2016)
:class:`GreedySPo`       the sparsest MAG by a walk through equivalent graphs (Bernstein et al. 2020)
:class:`GreedyBAP`       greedy search over bow-free graphs from random starts (Nowzohour et al. 2017)
:class:`M3HC`            greedy search over MAGs inside a skeleton found by tests (Tsirlis et al. 2018)
:class:`DAGThenPAG`      the PAG of the best DAG: what is found without any thought of hidden causes
=======================  ==========================================================================================

:class:`ABICLiNGAM` runs the package lingam in another interpreter, and needs a table; :class:`TetradPort` does the same
with the package tetrad-port.
"""

from lurking.baselines.abic_lingam import ABICLiNGAM
from lurking.baselines.base import Baseline
from lurking.baselines.dag_then_pag import DAGThenPAG
from lurking.baselines.fci import FCI
from lurking.baselines.gfci import GFCI
from lurking.baselines.greedy_bap import GreedyBAP
from lurking.baselines.greedy_spo import GreedySPo
from lurking.baselines.m3hc import M3HC
from lurking.baselines.tetrad_port import TetradPort

__all__ = ["FCI", "GFCI", "M3HC", "ABICLiNGAM", "Baseline", "DAGThenPAG", "GreedyBAP", "GreedySPo", "TetradPort"]
