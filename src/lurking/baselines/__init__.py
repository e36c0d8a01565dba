"""The methods we are compared with, each a learner like scikit-learn's: ``fit(table or Moments)``, then ``pag_``.

=======================  ==========================================================================================
:class:`FCI`             tests of independence, then orientation rules (Spirtes et al. 2000; Zhang 2008)
:class:`GFCI`            a DAG by its score, pruned and oriented as in FCI (Ogarrio et al. 2016)
:class:`GreedySPo`       the sparsest MAG by a walk through equivalent graphs (Bernstein et al. 2020)
:class:`DAGThenPAG`      the PAG of the best DAG: what is found without any thought of hidden causes
=======================  ==========================================================================================
"""

from lurking.baselines.base import Baseline
from lurking.baselines.dag_then_pag import DAGThenPAG
from lurking.baselines.fci import FCI
from lurking.baselines.gfci import GFCI
from lurking.baselines.greedy_spo import GreedySPo

__all__ = ["FCI", "GFCI", "Baseline", "DAGThenPAG", "GreedySPo"]
