"""Methods of the package ``tetrad-port`` through an adapter: it runs in its own environment, under a time limit.

The package is a C++ version of searches of Tetrad. It needs an environment that ours need not have, so it is given an
interpreter of its own::

    python3.12 -m venv tetrad-env
    tetrad-env/bin/pip install tetrad-port
    TetradPort("boss", penalty_discount=2.0, python="tetrad-env/bin/python").fit(table)

============== =====================================================================================================
algorithm      what it does
============== =====================================================================================================
``boss``       search over orders for a DAG with a small BIC (Andrews et al. 2023); the answer is a CPDAG
``grasp``      search over orders by moves of covered edges (Lam et al. 2022); the answer is a CPDAG
``fges``       greedy search over classes of equivalent DAGs (Ramsey et al. 2017); the answer is a CPDAG
``boss_fci``   as GFCI, started from the graph of ``boss``; the answer is a PAG
``grasp_fci``  as GFCI, started from the graph of ``grasp``; the answer is a PAG
``gfci``       GFCI started from the graph of ``fges`` (Ogarrio et al. 2016); the answer is a PAG
============== =====================================================================================================

A CPDAG stands for the DAGs with the same independences. One of them is taken (Dor and Tarsi 1992), and its PAG is the
answer: what is left of the CPDAG when common causes may be hidden.

>>> CPDAG.parse("A -- B -- C").to_pag()
PAG.parse('A o-o B; B o-o C')

References
----------
B. Andrews, J. Ramsey, R. Sanchez-Romero, J. Camchong and E. Kummerfeld (2023), Fast scalable and accurate discovery of
DAGs using the best order score search and grow-shrink trees, NeurIPS. W.-Y. Lam, B. Andrews and J. Ramsey (2022),
Greedy relaxations of the sparsest permutation algorithm, UAI. J. Ramsey, M. Glymour, R. Sanchez-Romero and C. Glymour
(2017), A million variables and more, International Journal of Data Science and Analytics 3. D. Dor and M. Tarsi (1992),
A simple algorithm to construct a consistent extension of a partially oriented graph, UCLA technical report R-185.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np

from lurking._errors import FormatError
from lurking._parameters import check_choice, check_count, check_positive
from lurking._typing import FloatArray
from lurking.baselines._other_interpreter import OtherInterpreter, sorted_rows
from lurking.baselines.base import Baseline
from lurking.data import Moments
from lurking.graphs import ADMG, CPDAG, PAG, Mark
from lurking.graphs.marks import MarkMatrix

__all__ = ["TetradAnswer", "TetradPort", "run_together"]

TetradAlgorithm = Literal["boss", "grasp", "fges", "boss_fci", "grasp_fci", "gfci"]

_DAGS = ("boss", "grasp", "fges")
_WITH_TESTS = ("boss_fci", "grasp_fci", "gfci")
_WITH_STARTS = ("boss", "grasp", "boss_fci", "grasp_fci")
_LEFT = {"-": Mark.TAIL, "<": Mark.ARROW, "o": Mark.CIRCLE}
_RIGHT = {"-": Mark.TAIL, ">": Mark.ARROW, "o": Mark.CIRCLE}
_EDGE = re.compile(r"x(\d+) ([-<o])-([->o]) x(\d+)")
_WORKER = """
import io, json, sys, time
try:
    import numpy as np
    import pandas as pd
    from tetrad_port import TetradPort
except ImportError as error:
    sys.exit(f"tetrad_port cannot be imported: {error}")
rows = np.load(io.BytesIO(sys.stdin.buffer.read()))
frame = pd.DataFrame(rows, columns=[f"x{k}" for k in range(rows.shape[1])])
answers = []
for algorithm, options in json.loads(sys.argv[1]):
    start = time.process_time()
    found = getattr(TetradPort(), "run_" + algorithm)(frame, **options)[0]
    answers.append([found["edges"], time.process_time() - start])
json.dump(answers, sys.stdout)
"""


class TetradPort(Baseline):
    """A search of the package tetrad-port, run in another interpreter.

    Parameters
    ----------
    algorithm : {"boss", "grasp", "fges", "boss_fci", "grasp_fci", "gfci"}, default "boss_fci"
        The method; see :mod:`lurking.baselines.tetrad_port`.
    penalty_discount : float, default 1
        Multiplies the penalty of an edge in the score; larger gives sparser graphs.
    alpha : float, default 0.01
        The level of the tests, for the methods that use any.
    python : str, optional
        The interpreter of an environment with tetrad-port 0.3.1 or later; by default this one.
    time_limit : float, default 600
        Seconds after which the run is stopped and an error is raised.

    Other Parameters
    ----------------
    n_starts : int, default 1
        The number of orders that a search over orders starts from; the first is that of the names.

    Attributes
    ----------
    pag_ : PAG
        The graph.
    admg_ : ADMG
        A DAG of the class that was found; only for "boss", "grasp" and "fges".
    cpdag_ : CPDAG
        The class itself; only for the same three.
    seconds_ : float
        The processor time of the method itself, without the start of the interpreter.
    """

    admg_: ADMG
    cpdag_: CPDAG
    seconds_: float

    def __init__(
        self,
        algorithm: TetradAlgorithm = "boss_fci",
        *,
        penalty_discount: float = 1.0,
        alpha: float = 0.01,
        n_starts: int = 1,
        python: str | None = None,
        time_limit: float = 600.0,
    ) -> None:
        self.algorithm = algorithm
        self.penalty_discount = penalty_discount
        self.alpha = alpha
        self.n_starts = n_starts
        self.python = python
        self.time_limit = time_limit

    def _check_parameters(self) -> None:
        owner = type(self).__name__
        check_choice("algorithm", self.algorithm, (*_DAGS, *_WITH_TESTS), owner)
        check_positive("penalty_discount", self.penalty_discount, owner)
        check_positive("time_limit", self.time_limit, owner)
        check_count("n_starts", self.n_starts, owner=owner)
        self._check_probability("alpha")

    def fit(self, X: object, y: None = None) -> Self:
        """Learn the graph from the rows of a table.

        Parameters
        ----------
        X : pandas.DataFrame, polars.DataFrame or array-like of shape (n, d)
            The data; the package takes rows only, not moments.
        y : None
            Not used.

        Raises
        ------
        LurkingError
            If tetrad-port is not there, fails, or does not finish in time.
        """
        self._rows = sorted_rows(X, type(self).__name__, "sends the rows to another program, and moments have none")
        try:
            return super().fit(X)
        finally:
            del self._rows

    def call(self) -> tuple[str, dict[str, float | int]]:
        """Return the name of the method and the options with which the package is called."""
        options: dict[str, float | int] = {"penalty_discount": float(self.penalty_discount)}
        if self.algorithm in _WITH_TESTS:
            options["alpha"] = float(self.alpha)
        if self.algorithm in _WITH_STARTS:
            options["num_starts"] = int(self.n_starts)
        return self.algorithm, options

    def _learn(self, moments: Moments) -> None:
        (answer,) = _answers(self._rows, moments.names, [self], self.python, self.time_limit)
        self.pag_, self.seconds_ = answer.pag, answer.seconds
        if answer.dag is not None:
            self.admg_, self.cpdag_ = answer.dag, answer.dag.to_cpdag()
        elif hasattr(self, "admg_"):
            del self.admg_, self.cpdag_


@dataclass(frozen=True)
class TetradAnswer:
    """What one method of tetrad-port found.

    Attributes
    ----------
    pag : PAG
        The graph.
    dag : ADMG or None
        A DAG of the class, if the method searches DAGs.
    seconds : float
        The processor time of the method itself.
    """

    pag: PAG
    dag: ADMG | None
    seconds: float


def run_together(
    X: object, learners: Sequence[TetradPort], *, python: str | None = None, time_limit: float = 600.0
) -> list[TetradAnswer]:
    """Run several methods on one table in one start of the other interpreter, which takes a second.

    Parameters
    ----------
    X : pandas.DataFrame, polars.DataFrame or array-like of shape (n, d)
        The data.
    learners : sequence of TetradPort
        The methods; they are not changed, and their ``python`` and ``time_limit`` do not count.
    python : str, optional
        The interpreter of an environment with tetrad-port; by default this one.
    time_limit : float, default 600
        Seconds for all of them together.

    Returns
    -------
    answers : list of TetradAnswer
        In the order of the learners.

    Raises
    ------
    LurkingError
        If one of them fails, or they do not finish in time.
    """
    for learner in learners:
        learner._check_parameters()
    rows = sorted_rows(X, TetradPort.__name__, "sends the rows to another program, and moments have none")
    names = Moments.from_table(X).names
    answers = _answers(rows, tuple(sorted(names)), learners, python, check_positive("time_limit", time_limit))
    return [
        TetradAnswer(answer.pag.subgraph(names), answer.dag and answer.dag.subgraph(names), answer.seconds)
        for answer in answers
    ]


def _answers(
    rows: FloatArray, names: tuple[str, ...], learners: Sequence[TetradPort], python: str | None, time_limit: float
) -> list[TetradAnswer]:
    other = OtherInterpreter(TetradPort.__name__, "tetrad-port 0.3.1", python, time_limit)
    found = other.run(_WORKER, rows, [learner.call() for learner in learners])
    answers = []
    for learner, (edges, seconds) in zip(learners, found, strict=True):
        marks = _marks(edges, len(names))
        dag = CPDAG.of_marks(names, marks).to_dag() if learner.algorithm in _DAGS else None
        answers.append(TetradAnswer(PAG(names, marks) if dag is None else dag.to_pag(), dag, float(seconds)))
    return answers


def _marks(edges: Sequence[str], n_variables: int) -> MarkMatrix:
    """Read edges such as ``"x0 o-> x2"``, between columns by number."""
    marks = np.zeros((n_variables, n_variables), dtype=np.int8)
    for edge in edges:
        parts = _EDGE.fullmatch(edge)
        if parts is None:
            raise FormatError(
                f"tetrad-port answered with the edge {edge!r}, which is not understood; use version 0.3.1."
            )
        one, other = int(parts[1]), int(parts[4])
        marks[other, one], marks[one, other] = _LEFT[parts[2]], _RIGHT[parts[3]]
    return marks
