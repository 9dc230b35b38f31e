"""One reading of a fact of a home, and the exact area if the page also shows it rounded."""

from collections.abc import Iterable
from dataclasses import dataclass

from larder.stages.parse.amounts import rough_amount

FAR_PENALTY = 4.0
MAX_ROUNDED = 0.5
"""Maximum difference, in square metres or feet, between an area and its rounded form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One reading of one field; the one with the least `doubt` wins."""

    field: str
    value: str
    doubt: float


def exact_area(area: str, found: Iterable[Fact]) -> str:
    """The exact area if the page also rounds it: `76,93 m²` beside `77 m²`, even with a surer label."""
    size, unit = rough_amount(area), area.partition(" ")[2]
    near = (fact.value for fact in found if fact.field == "area" and fact.doubt < FAR_PENALTY)
    same_unit = (value for value in near if value.partition(" ")[2] == unit)
    rounded = (value for value in same_unit if 0 < abs(rough_amount(value) - size) <= MAX_ROUNDED)
    return next(rounded, area) if size.is_integer() else area
