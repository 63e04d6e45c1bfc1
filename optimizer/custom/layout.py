"""The view's rows as NumPy record types, for compiled rules and bulk evaluation."""

from __future__ import annotations

import numpy as np

from optimizer.custom.view import RunRoute, Stop

STOP = np.dtype([(name, np.int64) for name in Stop._fields])
RUN_ROUTE = np.dtype([(name, np.int64) for name in RunRoute._fields])
