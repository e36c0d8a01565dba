"""The protein-signalling data of Sachs et al. (2005), bundled.

Flow cytometry measured 11 phosphorylated proteins and phospholipids in 7466 single human T cells, pooled from nine
experimental conditions. It is the standard real data set of the field, and the application of the paper that lurking
implements. Some of the wiring is known from experiments; the cells' state, which drives many of the molecules at
once, was not measured.

Source: K. Sachs, O. Perez, D. Pe'er, D. A. Lauffenburger and G. P. Nolan, "Causal protein-signaling networks derived
from multiparameter single-cell data", Science 308 (2005), 523-529. The file is ``cyto_full_data.csv`` of the Causal
Discovery Toolbox (package ``cdt`` 0.6.0, MIT licence, copyright 2018 Diviyan Kalainathan) with its columns renamed
to the usual names of the molecules. The conditions are stacked in the order of :data:`SACHS_CONDITIONS`; the file
does not carry the labels, but its jumps in the joint distribution lie where these sizes put them.
"""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pandas as pd

__all__ = ["SACHS_CONDITIONS", "load_sachs"]

SACHS_CONDITIONS: dict[str, int] = {
    "CD3+CD28": 853,
    "CD3+CD28+ICAM2": 902,
    "CD3+CD28+Akt inhibitor": 911,
    "CD3+CD28+G06976 (PKC inhibitor)": 723,
    "CD3+CD28+Psitectorigenin (PIP2 inhibitor)": 810,
    "CD3+CD28+U0126 (Mek inhibitor)": 799,
    "CD3+CD28+LY294002 (PI3K inhibitor)": 848,
    "PMA (PKC activator)": 913,
    "beta2cAMP (PKA activator)": 707,
}
"""The nine experimental conditions and how many cells each holds, in the order of the rows."""


def load_sachs(*, log: bool = True, centre_conditions: bool = False) -> pd.DataFrame:
    """Return the pooled Sachs data.

    Parameters
    ----------
    log : bool, default True
        Return log(x + 10), the usual transformation for these skewed intensities; otherwise the raw values.
    centre_conditions : bool, default False
        Subtract from each column its mean within each experimental condition. Pooling conditions with different
        means is itself an unmeasured common cause; this removes it.

    Returns
    -------
    data : pandas.DataFrame, shape (7466, 11)
        Columns Raf, Mek, Plcg, PIP2, PIP3, Erk, Akt, PKA, PKC, P38, Jnk.

    Examples
    --------
    >>> load_sachs().shape
    (7466, 11)
    """
    with files("lurking.data").joinpath("sachs.csv.gz").open("rb") as stream:
        data = pd.read_csv(stream, compression="gzip")
    if log:
        data = (data + 10.0).apply(np.log)
    if centre_conditions:
        condition = np.repeat(list(SACHS_CONDITIONS), list(SACHS_CONDITIONS.values()))
        data = data - data.groupby(condition).transform("mean")
    return data
