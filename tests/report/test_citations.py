"""What is cited is what was used."""

from __future__ import annotations

import re

import pytest

from lurking._errors import ParameterError
from lurking.report.citations import citations


def keys(**how: object) -> set[str]:
    return {re.match(r"@\w+\{([^,]+),", bibtex)[1] for bibtex in citations(**how).values()}  # type: ignore[index, arg-type]


def test_each_part_brings_its_own_work() -> None:
    base = keys(solver=None, graph_class=None)
    assert "drton2009computing" in base
    assert keys(solver="exact", graph_class=None) - base == {"scott2010bayes"}
    assert "schwarz1978estimating" in keys(criterion="bic") & keys(solver="dcd")
    assert "foygel2010extended" in keys(criterion="ebic")
    assert keys(solver="hybrid") - keys(solver="exact") == {"teyssier2005ordering"}
    assert keys(graph_class="ancestral") - keys(graph_class=None) == {"richardson2002ancestral"}
    assert keys(graph_class="arid") - keys(graph_class=None) == {"shpitser2018acyclic"}
    assert keys(sachs=True) - keys() == {"sachs2005causal"}
    assert "richardson2023nested" in keys(constraints_tested=True) - keys()


def test_bibtex_is_balanced_and_unique() -> None:
    works = list(citations(constraints_tested=True, sachs=True).values())
    assert len(set(works)) == len(works)
    for work in works:
        assert work.count("{") == work.count("}")
        assert re.match(r"@\w+\{\w+,\n", work)


def test_unknown_parts() -> None:
    with pytest.raises(ParameterError, match="solver must be one of"):
        citations(solver="magic")  # type: ignore[arg-type]
