"""Collects garbage rarely: nearly everything that a process allocates is freed by reference counting.

Python's default, a search after 700 new objects, takes a sixth of a start, and of a driver's CPU time.
"""

import gc

GC_THRESHOLDS = 20_000, 20, 20


def collect_seldom() -> None:
    """Collect rarely in the rest of this process and those that it forks."""
    gc.set_threshold(*GC_THRESHOLDS)
