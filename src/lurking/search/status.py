"""How a search ended."""

from __future__ import annotations

from lurking._status import Status
from lurking._wording import mention

__all__ = ["DCDStatus", "SearchStatus"]


class SearchStatus(Status):
    """How a search ended; ``status.message`` says what to do next."""

    COMPLETE = (
        "The search ran to its end; unless it tried all graphs, "
        + mention("n_restarts", "raise n_restarts")
        + " to be more certain of the optimum."
    )
    TIME_BUDGET = (
        "The search stopped at its time budget with the best graph so far; allow more time to be more certain."
    )
    INTERRUPTED = "The search was interrupted and returns the best graph so far; let it run on to be more certain."


class DCDStatus(Status):
    """How one run of the search ended; ``status.message`` says what to do next."""

    CONVERGED = (
        "The constraint is met; to be more certain of the optimum, " + mention("n_restarts", "run more restarts") + "."
    )
    REPAIRED = (
        "The constraint is met, but the edges above the threshold were not a graph of the class and the weakest were "
        "dropped (see 'dropped'); for a graph that needs no repair, raise the threshold or "
        + mention("n_restarts", "run more restarts")
        + "."
    )
    PENALTY_LIMIT = (
        "The weight of the constraint reached its limit before the constraint was met, so the weakest offending edges "
        "were dropped; "
        + mention("n_restarts", "run more restarts")
        + ", or standardise variables whose scales differ by orders of magnitude."
    )
    OUT_OF_STEPS = (
        "The steps ran out before the constraint was met, so the weakest offending edges were dropped; raise "
        "max_dual_steps or lower progress_rate."
    )
    SINGULAR = (
        "The error covariance became singular on the way and the last parameters before that were used; run more "
        "restarts, and leave out variables that others determine almost exactly."
    )
