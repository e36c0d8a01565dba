"""The answer in a terminal: one screen, and everything if asked for."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

from rich.console import Console

from lurking import ADMG, ADMGDiscovery, simulate_admg
from lurking.discovery import analyse
from lurking.report import report_text, terminal_report
from report_examples import FIVE, SIGNALLING, full, hostile, large, minimal


def test_the_answer_fits_one_screen() -> None:
    for analysis in (full(FIVE), full(SIGNALLING), full(large(40))):
        lines = report_text(analysis, width=80).splitlines()
        assert len(lines) <= 40
        assert max(map(len, lines)) <= 80


def test_what_is_certain_comes_first() -> None:
    text = report_text(full(SIGNALLING, "Signalling"), width=80)
    assert text.startswith("Signalling\n7,466 rows, 11 variables, 200 bootstrap replicates\n")
    headings = ["Certain", "Probable", "Open", "Apart", "Beware", "Next"]
    places = [text.index(f"\n{heading}") for heading in headings]
    assert places == sorted(places)
    assert "is a cause of" in text[: places[1]]
    assert "Probably" not in text


def test_everything_is_printed_if_asked_for() -> None:
    text = report_text(full(FIVE, "Smoking"), width=150, full=True)
    for expected in (
        "smoking -> tar",
        "Bootstrap",
        "All statements with probability .8 or more",
        "Below 0.05 is usually called close.",
        "tested, ",
        "Left open by the independences",
        "A column has extreme values.",
        "agrees",
    ):
        assert expected in text
    assert "Bootstrap" not in report_text(full(FIVE, bootstrapped=False), width=150, full=True)


def test_the_surest_edge_comes_first() -> None:
    analysis = full(SIGNALLING)
    first = analysis.ranked_edges[0]
    assert first.adjacent == max(edge.adjacent or 0.0 for edge in analysis.edge_estimates)
    lines = report_text(analysis, full=True).splitlines()
    row = lines[next(k for k, line in enumerate(lines) if line.startswith("Edge")) + 1]
    assert row.startswith(f"{first.one} {first.arrow} {first.other}")


def test_a_graph_that_was_given_is_printed_in_full() -> None:
    text = report_text(minimal(ADMG.parse("A -> C <- B; C -> D")))
    assert "Certain" not in text
    assert "C -> D" in text
    assert "BIC" in text
    assert "A on D  adjust for nothing" in text


def test_a_graph_without_edges_and_one_without_questions() -> None:
    assert "The graph has no edge." in report_text(minimal(ADMG.empty(["A", "B"])))
    assert "has the same marks" in report_text(minimal(ADMG.parse("A <-> B; B <-> C; C <-> D; D <-> A")))


def test_nothing_certain_is_said() -> None:
    data = simulate_admg(ADMG.empty(["A", "B"]), 100, random_state=0).data
    text = report_text(analyse(ADMGDiscovery(solver="exact").fit(data)))
    assert "Nothing." in text


def test_names_are_neither_markup_nor_escape_sequences() -> None:
    stream = StringIO()
    console = Console(file=stream, width=200, force_terminal=True, color_system="truecolor", legacy_windows=False)
    analysis = replace(full(hostile(), "[red]\x1b[31m title"), messages=("\x1b]0;owned\x07 [b]",))
    console.print(terminal_report(analysis, full=True))
    text = stream.getvalue()
    assert "[red]markup[/red]␛[31m" in text
    assert "\x1b[31m title" not in text
    assert "\x1b]0;" not in text
    assert "\u202e" not in text


def test_long_lists_are_cut() -> None:
    names = [f"v{i}" for i in range(20)]
    star = ADMG.from_edges([("v0", name) for name in names[1:]])
    assert "and 7 more" in report_text(minimal(star))
    assert "more (--full)" in report_text(full(SIGNALLING))
