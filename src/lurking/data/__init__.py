"""From a table, a file or a covariance matrix to :class:`Moments`, all that the rest of the library looks at.

``read_table`` and ``load_sachs`` are imported when they are first used: they need pandas, which takes longer to import
than many a covariance matrix takes to analyse.
"""

from typing import TYPE_CHECKING

from lurking._lazy import lazily
from lurking.data.moments import Moments
from lurking.data.nominal import AnyMoments, GroupedMoments, grouped_moments

if TYPE_CHECKING:
    from lurking.data.curved import curved_moments
    from lurking.data.data_file import DataFile
    from lurking.data.effective_rows import EffectiveRows
    from lurking.data.files import read_table
    from lurking.data.indicators import ColumnGroup
    from lurking.data.reading import ColumnReport, Reading
    from lurking.data.residual_curves import ResidualCurve
    from lurking.data.sachs import SACHS_CONDITIONS, load_sachs

__all__ = [
    "SACHS_CONDITIONS",
    "AnyMoments",
    "ColumnGroup",
    "ColumnReport",
    "DataFile",
    "EffectiveRows",
    "GroupedMoments",
    "Moments",
    "Reading",
    "ResidualCurve",
    "curved_moments",
    "grouped_moments",
    "load_sachs",
    "read_table",
]

_HOME = {
    "ColumnGroup": "lurking.data.indicators",
    "ColumnReport": "lurking.data.reading",
    "DataFile": "lurking.data.data_file",
    "EffectiveRows": "lurking.data.effective_rows",
    "Reading": "lurking.data.reading",
    "ResidualCurve": "lurking.data.residual_curves",
    "SACHS_CONDITIONS": "lurking.data.sachs",
    "curved_moments": "lurking.data.curved",
    "load_sachs": "lurking.data.sachs",
    "read_table": "lurking.data.files",
}

__getattr__, __dir__ = lazily(__name__, _HOME)
