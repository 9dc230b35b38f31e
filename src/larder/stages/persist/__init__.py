"""Writes staged items into the dataset: records, versions, observations and sightings, in one unit of work.

Idempotent: the same page twice changes nothing. What it found out (new, known, changed) goes back to the run,
whose next step commits in the same transaction.
"""

from larder.stages.persist.batch import Persisted, persist
from larder.stages.persist.record_fold import PageItems
from larder.stages.persist.refused_rows import SKIPPED, Refused, split_refused
from larder.stages.persist.unchanged_page import sight_unchanged

__all__ = ["SKIPPED", "PageItems", "Persisted", "Refused", "persist", "sight_unchanged", "split_refused"]
