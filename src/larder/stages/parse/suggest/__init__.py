"""Suggestions: selectors that stopped matching, and new ones that are proven.

A proposal is proven if, on the new pages, it finds the last known values of the records that are still
there, contradicts none, and makes whole and distinct items of all rows; and if, on archived pages, it reads
what was read there or nothing. Whatever falls short of that is told, with the reason, and left to a person.
"""

from larder.stages.parse.suggest.glance import looks_well
from larder.stages.parse.suggest.known import Sample, Understand
from larder.stages.parse.suggest.proposal import Change, Suggestion
from larder.stages.parse.suggest.whole import holds, rows_told, suggest_detail, suggest_index

__all__ = [
    "Change",
    "Sample",
    "Suggestion",
    "Understand",
    "holds",
    "looks_well",
    "rows_told",
    "suggest_detail",
    "suggest_index",
]
