"""Tables with nominal columns, binary columns and missing values, in worlds with hidden causes.

Run ``python -m benchmarks.mixed --out results/mixed``; with the same folder it goes on where it stopped. ``--tables``
prints what is there, and writes it to tables.md. ``python -m benchmarks.mixed.effects --out results/mixed`` checks the
effects of and on nominal columns against simulated interventions.

=================== ====================================================================================================
method              what it does with the columns
=================== ====================================================================================================
blocks              as ``lurking.discover``: nominal columns are variables of several columns; missing values by EM
numbers             every level is the number 0, 1, ...: what one had to do before
latent              polychoric correlations of these numbers (``margins="latent"``)
complete rows       as ``blocks``, without the rows in which a value is missing
FCI .01, FCI .05    FCI with the likelihood-ratio test of the degenerate Gaussian model, at that level, with
                    conditioning sets of up to four variables
=================== ====================================================================================================

The figure is the distance from the true PAG (pairs whose edge is wrong). A method that refuses a table because too few
complete rows are left has the distance of the graph without edges, and is counted.
"""
