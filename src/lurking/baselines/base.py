"""What the methods we are compared with have in common: one interface, that of scikit-learn's estimators.

``__init__`` stores the parameters, ``fit`` checks them, reads the data and leaves what was learnt in attributes with a
trailing underscore. Every method leaves a PAG, because that is what all of them can be compared by; those that find one
graph leave it as ``admg_`` too, and those that find a DAG its equivalence class as ``cpdag_``.

Some methods look at the variables one after the other, and some draw random starts. So that the order of the columns
does not matter to any of them, each works on the variables in the order of their names.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from lurking._errors import ParameterError
from lurking._parameters import check_choice, check_count, check_positive, refused
from lurking.data import GroupedMoments, Moments
from lurking.graphs import PAG

__all__ = ["Baseline"]


class Baseline(BaseEstimator, ABC):  # type: ignore[misc]  # scikit-learn is untyped
    """A method that learns a PAG from a table or from its moments.

    Attributes
    ----------
    pag_ : PAG
        What was learnt.
    feature_names_in_ : ndarray of str, shape (d,)
        The names of the variables.
    n_features_in_ : int
        Their number.
    """

    _takes_nominal = False
    """Whether the method knows variables of several columns."""

    pag_: PAG
    feature_names_in_: NDArray[np.object_]
    n_features_in_: int

    def fit(self, X: object, y: None = None) -> Self:
        """Learn the graph.

        Parameters
        ----------
        X : Moments, pandas.DataFrame, polars.DataFrame or array-like of shape (n, d)
            The data; one row per sample, one column per variable. :class:`FCI` also takes grouped moments, those of a
            table with nominal columns.
        y : None
            Not used; it is there because scikit-learn passes it.

        Returns
        -------
        self
        """
        self._check_parameters()
        if isinstance(X, GroupedMoments) and not self._takes_nominal:
            raise ParameterError(
                f"{type(self).__name__} cannot be used with nominal columns; give numbers, or use FCI or ADMGDiscovery."
            )
        moments = X if isinstance(X, Moments | GroupedMoments) else Moments.from_table(X)
        self.feature_names_in_ = np.array(moments.names, dtype=object)
        self.n_features_in_ = moments.n_variables
        self._learn(cast("Moments", moments.reorder(sorted(moments.names))))  # or grouped, if the method takes them
        for attribute in ("pag_", "admg_", "dag_", "cpdag_"):
            if hasattr(self, attribute):
                setattr(self, attribute, getattr(self, attribute).subgraph(moments.names))
        return self

    @abstractmethod
    def _learn(self, moments: Moments) -> None:
        """Set ``pag_`` and the other attributes; the variables come in the order of their names."""

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise a ParameterError if a parameter is outside its range."""

    def _check_probability(self, name: str) -> None:
        value = getattr(self, name)
        if not isinstance(value, float | np.floating) or not 0 < value < 1:
            raise refused(name, "a float in the range (0, 1)", value, type(self).__name__)

    def _check_positive(self, name: str) -> None:
        check_positive(name, getattr(self, name), type(self).__name__)

    def _check_count(self, name: str, *, at_least: int, or_none: bool = False) -> None:
        value = getattr(self, name)
        if value is not None or not or_none:
            check_count(name, value, at_least=at_least, owner=type(self).__name__)

    def _check_choice(self, name: str, *choices: str) -> None:
        check_choice(name, getattr(self, name), choices, type(self).__name__)
