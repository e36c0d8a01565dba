"""The report in a terminal."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

from rich.console import Console

from lurking import ADMG
from lurking.report import report_text, terminal_report
from report_examples import FIVE, SIGNALLING, full, hostile, minimal


def test_all_parts_are_there() -> None:
    text = report_text(full(FIVE, "Smoking"), width=110)
    assert text.startswith("Smoking\n7,466 rows, 5 variables, 4 ->, 1 <->, 200 bootstrap replicates\n")
    for expected in (
        "smoking -> tar",
        "Bootstrap",
        "tar and cancer are connected, and cancer does not cause tar;",
        "smoking and cancer are connected, and cancer does not cause smoking;",
        "Below 0.05 is usually called close.",
        "tested, ",
        "Left open by the independences",
        "Three columns are skewed",
    ):
        assert expected in text
    assert "Bootstrap" not in report_text(full(FIVE, bootstrapped=False))


def test_the_strongest_edge_comes_first() -> None:
    content = full(SIGNALLING)
    strongest = max(content.edges, key=lambda edge: edge.removal_cost or 0)
    lines = report_text(content).splitlines()
    first = lines[next(k for k, line in enumerate(lines) if line.startswith("Edge")) + 1]
    assert first.startswith(f"{strongest.one} {strongest.arrow} {strongest.other}")


def test_settled_and_open_edges_are_told_apart() -> None:
    text = report_text(minimal(ADMG.parse("A -> C <- B; C -> D")))
    assert "C is a cause of D.  settled" in text
    assert "A and C are connected, and C does not cause A;" in text
    assert "both, or both.  open" in text
    assert "A is a cause of C" not in text


def test_a_graph_without_edges_and_one_without_questions() -> None:
    assert "The graph has no edge." in report_text(minimal(ADMG.empty(["A", "B"])))
    assert "Nothing is left open" in report_text(minimal(ADMG.parse("A <-> B; B <-> C; C <-> D; D <-> A")))


def test_names_are_neither_markup_nor_escape_sequences() -> None:
    stream = StringIO()
    console = Console(file=stream, width=200, force_terminal=True, color_system="truecolor", legacy_windows=False)
    console.print(terminal_report(replace(minimal(hostile(), "[red]\x1b[31m title"), status="\x1b]0;owned\x07 [b]")))
    text = stream.getvalue()
    assert "[red]markup[/red]␛[31m" in text
    assert "\x1b[31m title" not in text
    assert "\x1b]0;" not in text
    assert "\u202e" not in text


def test_long_lists_are_cut() -> None:
    names = [f"v{i}" for i in range(20)]
    star = ADMG.from_edges([("v0", name) for name in names[1:]])
    assert "and 7 more" in report_text(minimal(star))
