"""A place that a scout searches for agendas, and the region it lies in."""

from dataclasses import dataclass
from enum import StrEnum

from larder.core.errors import BadInput
from larder.core.quoting import quoted

PROVINCES = {
    "drenthe": "01", "friesland": "02", "gelderland": "03", "groningen": "04", "limburg": "05",
    "noord-brabant": "06", "noord-holland": "07", "utrecht": "09", "zeeland": "10", "zuid-holland": "11",
    "overijssel": "15", "flevoland": "16",
}  # fmt: skip
"""The Dutch provinces, by their GeoNames codes."""


class PlaceStatus(StrEnum):
    """How far the search of a place is."""

    PENDING = "pending"
    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A town with its population and its point."""

    id: int
    name: str
    region: str
    country: str
    population: int
    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A country, or one part of it."""

    country: str
    part: str | None = None
    """GeoNames' code of the part, as `places.region` holds it."""

    def __str__(self) -> str:
        return self.country if self.part is None else f"{self.country}-{self.part}"


def read_region(text: str) -> Region:
    """`NL`, `NL-07`, `US-NY` or a Dutch province by name."""
    name = text.strip()
    if name.lower() in PROVINCES:
        return Region(country="NL", part=PROVINCES[name.lower()])
    country, _, part = name.upper().partition("-")
    if len(country) != 2 or not country.isascii() or not country.isalpha() or not _is_part(part):
        raise BadInput(
            f"{quoted(text)} is not a region",
            hint="give a country (NL), a part of one by its GeoNames code (NL-07, US-NY) or a Dutch province",
        )
    return Region(country=country, part=part or None)


def _is_part(part: str) -> bool:
    return not part or (part.isascii() and part.isalnum() and len(part) <= 8)
