"""Looks for garbage seldom: nearly all that a process makes is freed without a search.

To search after every 700 objects takes a sixth of a start, and of the work of a driver.
"""

import gc

GC_THRESHOLDS = 20_000, 20, 20


def collect_seldom() -> None:
    """For the rest of this process and those that it forks."""
    gc.set_threshold(*GC_THRESHOLDS)
