"""A bootstrap in reports: shares by hand, the consensus graph, words in the terminal, result.json."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from lurking import ADMG, PAG, ADMGDiscovery, Knowledge, Moments, bootstrap, simulate_admg
from lurking.discovery import Analysis, BootstrapResult, PairShares, analyse, dumps_result, loads_result
from lurking.discovery.shares import pair_shares
from lurking.report.citations import citations, citations_for
from lurking.report.stability import bootstrap_report

NAMES = ("A", "B", "C")
DATA = simulate_admg(ADMG.parse("A -> B -> C"), 300, random_state=0).data
MODEL = ADMGDiscovery(solver="exact", random_state=0, knowledge=Knowledge(tiers=(("A",), ("B", "C"))))


def by_hand(*texts: str) -> BootstrapResult:
    """A bootstrap whose replicates are given."""
    graphs = tuple(ADMG.parse(text, names=NAMES) for text in texts)
    frequencies, marks = np.zeros((3, 3, 4)), np.zeros((3, 3, 4, 4))
    for graph in graphs:
        pag = graph.to_pag().marks
        for i in range(3):
            for j in range(3):
                kinds = (graph.directed[i, j], graph.directed[j, i], graph.bidirected[i, j])
                frequencies[i, j, 1 + kinds.index(True) if any(kinds) else 0] += 1
                marks[i, j, pag[j, i], pag[i, j]] += 1
    n = len(graphs)
    return BootstrapResult(NAMES, "bow-free", graphs, frequencies / n, marks / n, Moments.from_table(DATA))


def printed(subject: BootstrapResult | Analysis) -> str:
    analysis = subject if isinstance(subject, Analysis) else analyse(subject, model=MODEL, title="Title")
    console = Console(width=200, color_system=None)
    with console.capture() as capture:
        console.print(bootstrap_report(analysis))
    return " ".join(capture.get().split())


def test_shares_of_pairs_seen_from_the_first() -> None:
    result = by_hand("A -> B; C", "B -> A; C", "A -> B <- C", "A -> B; C")
    assert pair_shares(result) == (
        PairShares("A", "B", {"->": 0.75, "<-": 0.25}, {"o-o": 0.75, "o->": 0.25}),
        PairShares("B", "C", {"": 0.75, "<-": 0.25}, {"": 0.75, "<-o": 0.25}),
    )
    assert [pair.joined for pair in pair_shares(result)] == [1.0, 0.25]


def test_consensus_and_words() -> None:
    words = printed(by_hand("A -> B; C", "A -> B; C", "A -> B <- C", "A <-> B; C"))
    assert "4 replicates, 300 rows, 3 variables" in words
    assert "A, B – 75 % – 25 %" in words
    assert "Consensus graph A -> B In words · A and B are connected" in words
    assert "is left open. in the PAGs of 75 % of the replicates" in words
    undecided = printed(by_hand("A -> B; C", "A <-> B <- C", "A <-> B; C", "A; B; C"))
    assert "A and B are connected, but the replicates do not agree how. joined in 75 %" in undecided
    assert "No pair is joined in more than half" in printed(by_hand("A; B; C"))
    rare = printed(by_hand(*["A -> B; C"] * 19, "A -> B -> C"))
    assert "1 pair more was joined in less than 10 %" in rare
    tenth = printed(by_hand(*["A -> B; C"] * 9, "A -> B -> C"))
    assert "less than 10 %" not in tenth
    assert "B, C 90 % 10 % – – no edge 90 %, o-o 10 %" in tenth


def test_words_follow_the_pags_where_ties_split_the_edges() -> None:
    split = by_hand("A -> B <- C", "A <-> B <- C", "A <-> B <-> C", "A -> B <-> C")
    words = printed(analyse(split, model=ADMGDiscovery(solver="exact", random_state=0)))
    assert "B does not cause A" in words
    assert "in the PAGs of 100 % of the replicates" in words
    assert "do not agree" not in words


def test_words_follow_the_pags_even_against_the_class_of_the_consensus() -> None:
    mixed = by_hand("A -> B <- C", "A <-> B <- C", "A -> B <- C", "A -> B; C")  # A o-> B in three of four
    analysis = replace(analyse(mixed), pag=PAG.parse("A o-o B; B o-o C"))
    assert "B does not cause A; A causes B, or something unmeasured causes both, or both are true." in printed(analysis)


def test_result_can_be_written_and_read() -> None:
    result = by_hand("A -> B; C", "A -> B <- C")
    analysis = analyse(result, model=MODEL)
    text = dumps_result(analysis)
    saved = loads_result(text)
    assert dumps_result(saved) == text
    assert (saved.status, saved.n_replicates, saved.admg) == ("CONSENSUS", 2, result.majority)
    assert [(edge.one, edge.other, edge.share) for edge in saved.edge_estimates] == [("A", "B", 1.0)]
    assert analyse(replace(result, interrupted=True), model=MODEL).status == "INTERRUPTED"


def test_a_search_with_shares_says_the_same_and_more() -> None:
    model = ADMGDiscovery(solver="exact", random_state=0, knowledge=MODEL.knowledge).fit(DATA)
    result = bootstrap(model, DATA, n_replicates=4, random_state=0)
    plain, more = analyse(model), analyse(model, bootstrap=result)
    assert (plain.n_replicates, more.n_replicates) == (None, 4)
    assert more.settings["bootstrap_replicates"] == 4
    assert [replace(edge, share=None) for edge in more.edge_estimates] == list(plain.edge_estimates)
    for edge in more.edge_estimates:
        pair = more.shares_of(edge.one, edge.other)
        assert pair is not None
        assert edge.share == pytest.approx(pair.admg.get(edge.arrow, 0.0))
    assert all(obeyed for _, obeyed in analyse(result, model=model).knowledge_obeyed)
    assert len(citations_for(more)) == len(citations_for(plain)) + 1
    assert "efron1979bootstrap" in str(citations(bootstrapped=True))
