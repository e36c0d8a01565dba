"""How far statements can be trusted when the model is wrong: simulated tables that break one assumption each.

The tables and what is broken in each are in :mod:`benchmarks.violations.worlds`. Each search, and FCI and GFCI, say
for every pair of variables whether one causes the other, whether they share an unmeasured cause, and whether they are
directly connected; the truth says whether that is right. Counted are the statements with a probability of at least .95
(what FCI and GFCI say has probability 1), how many of them are right, and the expected calibration error::

    python -m benchmarks.violations run --datasets 21         # seeds from 0: what is reported
    python -m benchmarks.violations run --first 1000          # seeds from 1000: what rules are tuned on
    python -m benchmarks.violations tables [--first 1000]

Rows are appended to ``results/violations/counts.csv`` as soon as they are there; the same command goes on.
"""
