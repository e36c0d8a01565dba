"""How near to the truth the searches come, beside every baseline on the same data, and how far to trust probabilities.

Run from the root of the repository::

    python -m benchmarks.accuracy run --quick          # a few minutes
    python -m benchmarks.accuracy run                  # everything; it goes on where it was stopped
    python -m benchmarks.accuracy run --ours 'default={}' --ours 'arid={"graph_class": "arid"}'
    python -m benchmarks.accuracy tables               # prints and writes results/accuracy/tables.md
    python -m benchmarks.accuracy calibration          # prints and writes calibration.md, one plot for each search

The worlds are in :mod:`benchmarks.accuracy.worlds`, the methods in :mod:`benchmarks.accuracy.methods`. Choices are
tuned on the seeds from 1000 on (``--first 1000``) and reported on those from 0 on. The methods of tetrad-port are run
if ``--tetrad-python``, or the environment variable ``LURKING_TETRAD_PYTHON``, names the interpreter of an environment
with that package.
"""
