"""One reading of a fact of a home, and the exact area where a page rounds it as well."""

from collections.abc import Iterable
from dataclasses import dataclass

from larder.stages.parse.amounts import rough_amount

FAR_PENALTY = 4.0
MAX_ROUNDED = 0.5
"""Square metres or feet by which a whole number differs from the one that it rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One reading of one field; the least `doubt` wins."""

    field: str
    value: str
    doubt: float


def exact_area(area: str, found: Iterable[Fact]) -> str:
    """`76,93 m²` where the page rounds that to `77 m²` as well, be it behind a surer label."""
    size, unit = rough_amount(area), area.partition(" ")[2]
    near = (fact.value for fact in found if fact.field == "area" and fact.doubt < FAR_PENALTY)
    same_unit = (value for value in near if value.partition(" ")[2] == unit)
    rounded = (value for value in same_unit if 0 < abs(rough_amount(value) - size) <= MAX_ROUNDED)
    return next(rounded, area) if size.is_integer() else area
