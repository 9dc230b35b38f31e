"""What the runs of a source with the plan `adaptive` learn: rates of arrivals and changes, and what it costs.

Rates are learned with shrinkage; nothing grows with the size of the source, and older evidence fades.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from math import ceil, log
from typing import Any

HOUR = timedelta(hours=1)
DAY_HOURS = 24
EXPECTED_NEWS = 4.0
"""New rows an hour, as long as nothing is known."""
REFRESH_SHARE = 0.1
"""Detail pages that are read again for each index page of a sweep."""
MEMORY_HOURS = 7 * DAY_HOURS
"""Older evidence weighs half."""
LATE_SHARE = 0.01
"""Of new rows, those that appear below the top of the index, as long as nothing is known."""
LEFT_OUT_SHARE, REMOVED_SHARE = 0.003, 0.01
"""Of the rows that an index page should show, those that it leaves out and those that are gone, as long as
nothing is known."""
EXPECTED_ROWS = 1_000
"""How many rows that expectation weighs as much as."""
MAX_HIDDEN_WRONGLY = 1 / 200
"""Of the records that are hidden, those that may be there all the same, by what is learned. Most of what is
found again was moved rather than left out, so far fewer are."""
HIDDEN_WRONGLY_HOURS = 500.0
"""A record that is hidden wrongly counts as much as one that is shown wrongly for so many hours."""
MIN_LOOKS, MAX_LOOKS = 2, 4
CHANCE_REPRICED = 1
"""Detail pages with another price than their row, read minutes before, that prove nothing about others."""
EXPECTED_HOURS = 500.0
"""Hours between two readings of detail pages that weigh as much as the expectation that no price changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """What discoveries learned: new rows and hours watched by hour of the day (UTC), and their cost."""

    new: Sequence[float] = field(default_factory=lambda: [0.0] * DAY_HOURS)
    hours: Sequence[float] = field(default_factory=lambda: [0.0] * DAY_HOURS)
    runs: float = 0.0
    pages: float = 0.0
    late: float = 0.0
    """New rows that were below rows known before, in `late_hours`."""
    late_hours: float = 0.0

    @classmethod
    def load(cls, memory: Mapping[str, Any]) -> "Arrivals":
        """Loads the state from the memory of discoveries."""
        return cls(**memory.get("arrivals", {}))

    @property
    def per_hour(self) -> float:
        """New rows an hour, over the whole day."""
        return (sum(self.new) + EXPECTED_NEWS) / (sum(self.hours) + 1)

    @property
    def cost(self) -> float:
        """Index pages of one discovery."""
        return (self.pages + 1) / (self.runs + 1)

    @property
    def late_per_hour(self) -> float:
        """New rows an hour that appear below the top of the index."""
        expected = LATE_SHARE * self.per_hour * DAY_HOURS
        return (self.late + expected) / (self.late_hours + DAY_HOURS)

    def at(self, hour: int) -> float:
        """New rows an hour at this hour of the day; with little evidence, close to the whole day's."""
        return (self.new[hour] + self.per_hour) / (self.hours[hour] + 1)

    def after_deep(self, *, late: int, hours: float) -> "Arrivals":
        """With what a discovery found below rows known before, in the hours since the last that looked."""
        fade = 0.5 if self.late_hours > MEMORY_HOURS else 1.0
        return replace(self, late=self.late * fade + late, late_hours=self.late_hours * fade + hours)

    def after(self, *, since: datetime, until: datetime, new: int, pages: int) -> "Arrivals":
        """With one more discovery, of what arrived since the one before."""
        hour, span = (since + (until - since) / 2).hour, (until - since) / HOUR
        fade = 0.5 if self.hours[hour] > MEMORY_HOURS / DAY_HOURS else 1.0
        count = 0.5 if self.runs > MEMORY_HOURS else 1.0
        return replace(
            self,
            new=_with(self.new, hour, self.new[hour] * fade + new),
            hours=_with(self.hours, hour, self.hours[hour] * fade + span),
            runs=self.runs * count + 1,
            pages=self.pages * count + pages,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What sweeps learned: rows that were found changed, new or missing, and the pages that it took."""

    found: float = 0.0
    hours: float = 0.0
    pages: float = 0.0
    second_looks: float = 0.0
    """Pages that were read once more because a record was missing."""
    missed: float = 0.0
    again: float = 0.0
    """Of the missed records, those that were there at the next look."""
    rows: float = 0.0
    """Rows of these pages, as far as they stand in order."""
    listed: float = 0.0
    """Rows of these pages, in order or not."""
    repriced: float = 0.0
    """Detail pages that were read again and showed another price than was known."""
    detail_hours: float = 0.0
    """Since detail pages that were read again had been read before, all added up."""

    @classmethod
    def load(cls, memory: Mapping[str, Any]) -> "Changes":
        """Loads the state from the memory of sweeps."""
        return cls(**memory.get("changes", {}))

    def pass_hours(self, index_pages: int) -> float:
        """How long a pass really took lately; 0: not known yet."""
        return self.hours * index_pages / self.pages if self.pages else 0.0

    def looks(self, price: float) -> int:
        """Looks in a row that must miss a record before it is hidden, where a request has this price.

        Each look misses a record that is there with the chance at which rows were left out so far. A further
        one is taken where hiding wrongly is likely, or would cost more than the request.
        """
        rows = self.rows + EXPECTED_ROWS
        left_out = min((self.again + LEFT_OUT_SHARE * EXPECTED_ROWS) / rows, 0.5)
        removed = (max(0.0, self.missed - self.again) + REMOVED_SHARE * EXPECTED_ROWS) / rows
        wrongly = min(MAX_HIDDEN_WRONGLY, price / HIDDEN_WRONGLY_HOURS)
        return min(max(ceil(log(wrongly * removed) / log(left_out)), MIN_LOOKS), MAX_LOOKS)

    @property
    def removed_share(self) -> float:
        """Of the records that a page misses for the first time, those that are gone."""
        return 1 - (self.again + 1) / (self.missed + 4)

    @property
    def per_hour(self) -> float:
        """Rows that become wrong in an hour."""
        return (self.found + 1) / (self.hours + 1)

    @property
    def rows_per_page(self) -> float:
        """Rows of an index page."""
        return self.listed / self.pages if self.pages else 0.0

    @property
    def reprices_per_hour(self) -> float:
        """Of one record, the prices that change in an hour and that only its own page tells."""
        return max(0.0, self.repriced - CHANCE_REPRICED) / (self.detail_hours + EXPECTED_HOURS)

    def cost(self, index_pages: int) -> float:
        """Requests of a pass: its pages, second looks and detail pages."""
        second_looks = (self.second_looks + 1) / (self.pages + 2)
        return index_pages * (1 + second_looks + REFRESH_SHARE)

    def after(self, other: "Changes") -> "Changes":
        """Adds the result of one more sweep."""
        fade = 0.5 if self.hours > MEMORY_HOURS else 1.0
        return Changes(
            found=self.found * fade + other.found,
            hours=self.hours * fade + other.hours,
            pages=self.pages * fade + other.pages,
            second_looks=self.second_looks * fade + other.second_looks,
            missed=self.missed * fade + other.missed,
            again=self.again * fade + other.again,
            rows=self.rows * fade + other.rows,
            listed=self.listed * fade + other.listed,
            repriced=self.repriced * fade + other.repriced,
            detail_hours=self.detail_hours * fade + other.detail_hours,
        )


def _with(values: Sequence[float], place: int, value: float) -> list[float]:
    return [*values[:place], value, *values[place + 1 :]]
