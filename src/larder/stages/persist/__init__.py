"""From staged items to the dataset: records, versions, observations, sightings, in one unit of work.

Idempotent: the same page twice changes nothing. What it found out (new, known, changed) goes back to the run,
whose next step commits in the same transaction.
"""

from larder.stages.persist.batch import Persisted, persist
from larder.stages.persist.resight import resight
from larder.stages.persist.sift import SKIPPED, Refused, sift
from larder.stages.persist.working import PageItems

__all__ = ["SKIPPED", "PageItems", "Persisted", "Refused", "persist", "resight", "sift"]
