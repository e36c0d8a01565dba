"""What comes first: certain, probable, open, apart; and what to do next."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lurking import Knowledge
from lurking._errors import FormatError, KnowledgeError
from lurking.discovery import Beliefs, Statement, summary_of
from lurking.discovery.analysis_parts import EdgeEstimate
from lurking.discovery.next_steps import knowledge_template, likely_first, next_steps
from lurking.discovery.statements import KINDS, statements_of
from lurking.discovery.strengths import Strengths
from lurking.graphs import ADMG
from report_examples import FIVE, full, minimal


def beliefs(adjacent: object, causes: object, shares: object | None = None) -> Beliefs:
    matrix = np.array(adjacent, dtype=float)
    names = tuple("ABCDEFGH"[: len(matrix)])
    none = np.zeros_like(matrix) if shares is None else np.array(shares, dtype=float)
    return Beliefs(names, matrix, np.array(causes, dtype=float), none, "sampled", 10)


def test_what_follows_is_not_repeated() -> None:
    adjacent = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    causes = [[0, 0.99, 0.99], [0, 0, 0.99], [0, 0, 0]]
    certain, _, pairs = summary_of(statements_of(beliefs(adjacent, causes)))
    assert [(s.first, s.second) for s in certain] == [("A", "B"), ("B", "C")]
    assert pairs["apart"] == 1
    connected = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert len(summary_of(statements_of(beliefs(connected, causes)))[0]) == 3


def test_of_each_pair_what_says_most() -> None:
    adjacent, one_way = [[0, 0.99], [0.99, 0]], [[0, 0.5], [0.01, 0]]
    (said,) = summary_of(statements_of(beliefs(adjacent, one_way)))[0]
    assert (said.kind, said.first, said.second) == ("not causes", "B", "A")
    (said,) = summary_of(statements_of(beliefs(adjacent, [[0, 0.5], [0.4, 0]])))[0]
    assert said.kind == "adjacent"
    shared, _, _ = summary_of(statements_of(beliefs(adjacent, [[0, 0.01], [0.01, 0]], [[0, 0.97], [0.97, 0]])))
    assert [s.kind for s in shared] == ["shares a cause"]


def test_every_pair_is_counted_once() -> None:
    adjacent = [[0, 0.99, 0.5, 0.1], [0.99, 0, 0.5, 0.01], [0.5, 0.5, 0, 0.9], [0.1, 0.01, 0.9, 0]]
    _, _, pairs = summary_of(statements_of(beliefs(adjacent, np.full((4, 4), 0.4))))
    assert pairs == {"how open": 2, "whether open": 2, "apart": 1, "all": 6}


def test_names_that_say_what_came_first() -> None:
    names = ("age", "AgeAtVisit", "patient_sex", "Stage", "dosage", "page", "Birth year", "BMI", "DateOfBirth")
    assert likely_first(names) == ("age", "AgeAtVisit", "patient_sex", "Birth year", "DateOfBirth")


def test_the_next_step_is_to_say_what_came_first() -> None:
    analysis = full(FIVE)
    assert analysis.knowledge is not None  # age is told already
    assert not any("came first" in step for step in next_steps(analysis))
    assert "--tiers 'age < *'" in next_steps(minimal(FIVE))[0]


def test_the_template_can_be_read() -> None:
    assert Knowledge.from_toml(knowledge_template(minimal(FIVE))).tiers == (("age",), ("*",))
    assert Knowledge.from_toml(knowledge_template(minimal(ADMG.parse("A -> B")))).tiers == (("*",),)


def test_tiers_in_one_line() -> None:
    knowledge = Knowledge.from_tiers('age, "a, b" < tar<* < cancer')
    assert knowledge.tiers == (("age", "a, b"), ("tar",), ("*",), ("cancer",))
    assert knowledge.tier_numbers(("tar", "x", "cancer")) == {"tar": 1, "x": 2, "cancer": 3}
    assert not knowledge.violations(ADMG.parse('"a, b" -> age; age -> tar -> x -> cancer; y <-> cancer; y -> x'))
    assert knowledge.violations(ADMG.parse('"a, b" -> age; cancer -> y; tar -> y')) == ("has cancer -> y",)
    for bad in ("", "a,,b", "a < ", "<"):
        with pytest.raises(FormatError, match="Tiers are written like"):
            Knowledge.from_tiers(bad)
    with pytest.raises(KnowledgeError, match="not in the data"):
        Knowledge.from_tiers("agee < *").allowed_edges(["age", "x"])


def test_words_of_every_statement() -> None:
    for kind in KINDS:
        sure, likely, open_ = (Statement(kind, "A", "B", p, "data").words for p in (0.99, 0.9, 0.5))
        assert likely == f"Probably {sure}"
        assert open_.startswith("It is undecided whether A ")


def test_of_many_variables_the_strongest_of_equally_probable_statements_come_first() -> None:
    edges = [EdgeEstimate("A", "B", "directed", standardized=0.2), EdgeEstimate("C", "D", "directed", standardized=0.7)]
    statements = [Statement("causes", one, other, 0.99, "data") for one, other in (("A", "B"), ("C", "D"))]
    assert [s.first for s in summary_of(statements)[0]] == ["A", "C"]
    strengths = Strengths.of(edges, [], {})
    assert [s.first for s in summary_of(statements, strengths)[0]] == ["C", "A"]
    surer = [replace(statements[0], probability=0.999), replace(statements[1], probability=0.96)]
    assert [s.first for s in summary_of(surer, strengths)[0]] == ["A", "C"]


def test_what_follows_is_found_in_long_chains_as_by_looking_at_all_pairs() -> None:
    rng = np.random.default_rng(0)
    names = [f"V{k}" for k in range(12)]
    pairs = [(a, b) for a in names for b in names if a != b and rng.random() < 0.2]
    statements = [Statement("causes", a, b, 0.99, "data") for a, b in pairs]
    expected = {(a, b) for a, b in pairs if not any((a, m) in pairs and (m, b) in pairs for m in names)}
    assert {(s.first, s.second) for s in summary_of(statements)[0]} == expected
