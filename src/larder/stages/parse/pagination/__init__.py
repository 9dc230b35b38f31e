"""Pagination: a page of an index comes in; its next page, whether it is the last, and its total go out.

Only what the page shows counts. `find_next` names its evidence for those who follow it.
"""

from larder.stages.parse.pagination.find import find_next, is_last
from larder.stages.parse.pagination.total import advertised_total

__all__ = ["advertised_total", "find_next", "is_last"]
