"""Where a judge calls a reply correct, and where it is unsure."""

from __future__ import annotations

import numpy as np

from botattack.audit.fitting import Array, log_odds, logistic

UNSURE = 0.09
"""Share of replies between both ends of the band."""


def operating_point(p: Array, right: Array) -> float:
    """Where as many wrong replies are called correct as correct ones wrong."""
    points = np.round(np.arange(0.2, 0.8, 0.005), 3)
    return float(
        min(points, key=lambda at: (abs(int((p >= at)[~right].sum()) - int((p < at)[right].sum())), abs(at - 0.5)))
    )


def band(p: Array, point: float) -> tuple[float, float]:
    """The least sure share of replies, around the point in log-odds."""
    middle = log_odds(np.array([point]))
    width = float(np.quantile(np.abs(log_odds(p) - middle), UNSURE))
    low, high = logistic(np.array([middle - width, middle + width]).ravel())
    return round(float(low), 3), round(float(high), 3)
