"""How near the hybrid solver comes to the best graph, how accurate that graph is, and what it costs.

    python -m benchmarks.search verma --datasets 100     # 4 variables: hybrid against all graphs
    python -m benchmarks.search ten --datasets 50        # 10 variables, the paper's simulation, bow-free and ancestral
    python -m benchmarks.search arid --datasets 50       # the same inside the class of arid graphs
    python -m benchmarks.search units --datasets 50      # if raw and standardised data are the same to the search
    python -m benchmarks.search starts --datasets 20     # what each kind of start is worth, one chain each
    python -m benchmarks.search walks --datasets 16      # what walks between the rounds are worth, seeds from 2000 on
    python -m benchmarks.search costs --datasets 16      # if hidden common causes cost more than ln(n)
    python -m benchmarks.search rounding --datasets 50   # if the last digits of the data change the end of a climb
    python -m benchmarks.search floors                   # the committed graphs of lurking experiment random-graphs
    python -m benchmarks.search large                    # 15 variables at the paper's density; sparse graphs up to 50

"Above the floor" is the score minus that of a tabu climb that starts at the true graph: zero or less means that the
search found at least what knowing the truth would have found. Seeds count up from ``--first``, by default 0, so a rerun
gives the same table. Settings of the search were chosen on some of the first 60 seeds, walks and prior on seeds 2000 to
2019. Times are processor seconds of one call, shared by two jobs, so that other work on the machine matters little;
compilation is not counted, since the first data set warms up.
"""
