"""Which scores count as the same.

Equivalent graphs have equal scores, and computed ones differ in their last digits: compilers reorder sums, and not the
same way in every installation. A search meets such ties all the time. If the last digits decided them, or decided
only whether a random number is drawn, two installations would soon be at different graphs with the same seed. So a
score is better if it is better by ``SMALLEST_GAIN``, and scores that are to be sorted are rounded first, with something
else (a key, a text) to decide between equals.
"""

from __future__ import annotations

__all__ = ["SCORE_DIGITS", "SMALLEST_GAIN"]

SCORE_DIGITS = 4
SMALLEST_GAIN = 10.0**-SCORE_DIGITS
