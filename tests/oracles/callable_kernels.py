"""Parts of compiled kernels as functions that a test can call from Python."""

from __future__ import annotations

from lurking._compile import from_python
from lurking.search.kernels import climb as climbs
from lurking.search.kernels import screen
from lurking.sem.kernels import scores

__all__ = [
    "change_delta",
    "change_pair",
    "climb",
    "predict_move",
    "prepare_screen",
    "refit_graph",
    "take_last",
]

change_delta = from_python(scores.change_delta)
change_pair = from_python(scores.change_pair)
climb = from_python(climbs.climb)
predict_move = from_python(screen.predict_move)
prepare_screen = from_python(screen.prepare_screen)
refit_graph = from_python(scores.refit_graph)
take_last = from_python(scores.take_last)
