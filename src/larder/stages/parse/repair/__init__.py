"""Suggests repairs: selectors that stopped matching, and proven replacements.

A proposal is proven if, on the new pages, it finds the last known values of the records that still exist,
contradicts none, and makes complete and distinct items of all rows; and if, on archived pages, it reads what
was read there or nothing. Any other proposal is reported with the reason, and left to a person.
"""

from larder.stages.parse.repair.known_values import Known, Reader, ReadMeaning, Sample, learn_pages
from larder.stages.parse.repair.proposal import SelectorChange, Suggestion
from larder.stages.parse.repair.propose import (
    known_rows_of_pages,
    reads_new_pages_right,
    suggest_detail,
    suggest_index,
)
from larder.stages.parse.repair.proposed import Proposed, read_proposed
from larder.stages.parse.repair.quick_check import reads_as_before

__all__ = [
    "Known",
    "Proposed",
    "ReadMeaning",
    "Reader",
    "Sample",
    "SelectorChange",
    "Suggestion",
    "known_rows_of_pages",
    "learn_pages",
    "read_proposed",
    "reads_as_before",
    "reads_new_pages_right",
    "suggest_detail",
    "suggest_index",
]
