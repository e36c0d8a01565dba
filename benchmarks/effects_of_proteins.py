"""Compare effects after a search with the shifts that real interventions made, in the bundled protein data.

Run ``python benchmarks/effects_of_proteins.py``. The graph and its effects come from the cells of the two general
stimulations alone, 1755 rows in which nothing was set. Seven other conditions act on one known target each. For every
effect of a target on another protein with a probability of at least ``--least``, the sign that it predicts for the
shift of the mean is set against the shift between that condition and the first stimulation, if that is more than three
standard errors. A target's own measurement is not compared: an inhibitor of an activity often raises the
phosphorylation that is measured.

What disagrees has several possible reasons besides a wrong effect: drugs act on more than their target, cells were
measured minutes later when feedback has set in, and the shift is of a state and not of one cell.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

import lurking
from lurking.data import SACHS_CONDITIONS, load_sachs

STIMULATIONS = ("CD3+CD28", "CD3+CD28+ICAM2")
TARGETS = {
    "CD3+CD28+Akt inhibitor": ("Akt", -1),
    "CD3+CD28+G06976 (PKC inhibitor)": ("PKC", -1),
    "CD3+CD28+Psitectorigenin (PIP2 inhibitor)": ("PIP2", -1),
    "CD3+CD28+U0126 (Mek inhibitor)": ("Mek", -1),
    "CD3+CD28+LY294002 (PI3K inhibitor)": ("PIP3", -1),
    "PMA (PKC activator)": ("PKC", 1),
    "beta2cAMP (PKA activator)": ("PKA", 1),
}
"""The target of each condition whose target was measured, and whether its activity goes up or down."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--least", type=float, default=0.5, help="least probability of an effect (default .5)")
    arguments = parser.parse_args()
    data = load_sachs()
    condition = np.repeat(list(SACHS_CONDITIONS), list(SACHS_CONDITIONS.values()))
    calm = data[np.isin(condition, STIMULATIONS)]
    calm = calm - calm.groupby(condition[np.isin(condition, STIMULATIONS)]).transform("mean")
    answer = lurking.discover(calm, random_state=0)
    base = data[condition == STIMULATIONS[0]]
    agree = total = 0
    print(f"{'condition':<44}{'effect':<16}{'probability':>12}{'mean':>8}{'95 % interval':>18}{'shift':>8}  sign")
    for name, (target, sign) in TARGETS.items():
        cells = data[condition == name]
        for one in answer.effect_list:
            if one.cause != target or one.probability < arguments.least:
                continue
            shift = float(cells[one.effect].mean() - base[one.effect].mean())
            error = float(np.hypot(cells[one.effect].sem(), base[one.effect].sem()))
            interval = f"{one.low:.2f} to {one.high:.2f}"
            said = "small shift"
            if abs(shift) > 3 * error:
                right = np.sign(one.mean) * sign == np.sign(shift)
                agree, total, said = agree + int(right), total + 1, "as predicted" if right else "against it"
            print(
                f"{name:<44}{f'{target} on {one.effect}':<16}{one.probability:>12.2f}{one.mean:>8.2f}{interval:>18}"
                f"{shift:>8.2f}  {said}"
            )
    print(f"{agree} of {total} shifts have the predicted sign.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
