"""Progress on stderr, the announcement of a compilation, and messages in the words of the command line."""

from __future__ import annotations

import logging
import pickle
import signal
from io import StringIO

import pytest
from rich.console import Console
from rich.progress import Progress

from lurking._errors import DataError
from lurking._parameters import refused
from lurking._wording import joined, mention, setting
from lurking.cli.console import ProgressBar, progress_bar
from lurking.cli.interrupt import stoppable
from lurking.cli.spelling import in_options


def test_notices_are_a_line_without_a_terminal_and_nothing_if_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger("lurking")
    before = (logger.propagate, list(logger.handlers))
    for quiet in (False, True):
        with progress_bar(quiet) as bar:
            logger.warning("Compiling the kernels; wait.")
            logging.getLogger("lurking.discovery").info("It takes long; wait.")
            bar(0.5, "searching")
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "Compiling the kernels; wait.\nIt takes long; wait.\n")
    assert logger.level == logging.NOTSET
    assert (logger.propagate, list(logger.handlers)) == before


def test_on_a_terminal_a_notice_is_what_is_being_done_now() -> None:
    console = Console(file=StringIO(), force_terminal=True)
    shown = Progress(console=console)
    bar = ProgressBar(shown, console)
    task = shown.tasks[0]
    assert not task.total
    bar.announce("Compiling the kernels; wait.")
    assert task.description == "Compiling the kernels"
    bar(0.25, "searching")
    assert (task.description, task.completed, task.total) == ("searching", 0.25, 1.0)


def test_first_interrupt_waits_for_the_search_and_the_second_does_not() -> None:
    before = signal.getsignal(signal.SIGINT)
    bar = ProgressBar(None, Console(file=StringIO()))
    with stoppable(bar, keeps_best=True) as progress:
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            progress(0.1, "searching")
        progress(0.2, "finishing")
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    with stoppable(bar, keeps_best=False), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("use " + setting("solver", "hybrid") + ".", "use --solver hybrid."),
        ("give " + setting("separator", ";") + ".", "give --separator ';'."),
        (mention("n_restarts", "raise n_restarts") + ".", "raise --restarts."),
        ("use " + setting("margins", "rank") + " or " + setting("missing", "em"), "use --margins rank or --missing em"),
        ("say " + setting("na", ["not asked"]) + ".", "say --na 'not asked'."),
        (refused("n_restarts", "an int", 0, "ADMGDiscovery").words, "--restarts must be an int. Got 0 instead."),
        ("Values of missing='em' are odd.", "Values of missing='em' are odd."),
    ],
)
def test_messages_name_options(said: str, meant: str) -> None:
    assert in_options(said) == meant


def test_a_message_keeps_what_it_mentions() -> None:
    """Joined, raised, pickled: the words of Python are the text, and the command line still finds the parameters."""
    said = joined(["Rows are missing;", "leave them out by " + setting("missing", "drop")], " ") + "."
    assert said == "Rows are missing; leave them out by missing='drop'."
    error = pickle.loads(pickle.dumps(DataError(said)))
    assert str(error) == said
    assert in_options(error.words) == "Rows are missing; leave them out by --missing drop."
    refusal = pickle.loads(pickle.dumps(refused("penalty", "positive", -1, None)))
    assert (refusal.parameter, refusal.value) == ("penalty", -1)
