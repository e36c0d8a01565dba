"""Which test modules cannot be imported on every system."""

from __future__ import annotations

import sys

# It measures a process by the module resource and drives it on a pseudo-terminal; Windows has neither.
collect_ignore = ["cli/test_process.py"] if sys.platform == "win32" else []
