"""From a table or a covariance matrix to :class:`Moments`, the only thing that the rest of the library looks at."""

from lurking.data.moments import Moments

__all__ = ["Moments"]
