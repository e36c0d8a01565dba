"""What holds for all tests: which modules cannot be imported on every system, and which time results carry."""

from __future__ import annotations

import os
import sys

# It measures a process by the module resource and drives it on a pseudo-terminal; Windows has neither.
collect_ignore = ["cli/test_process.py"] if sys.platform == "win32" else []

# Results carry the minute they were written in. Tests compare them byte by byte, also across a minute's end.
os.environ["SOURCE_DATE_EPOCH"] = "1795046400"
