"""One item extracted from a page: raw, then staged, dropped or quarantined."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from larder.core.model.outcome import DropReason, FailReason, QuarantineReason
from larder.core.model.source import Kind


class Strategy(StrEnum):
    """How a value was found, in the order the cascade tries them."""

    FEED = "feed"
    JSON_LD = "json-ld"
    MICRODATA = "microdata"
    EMBEDDED = "embedded"
    SELECTORS = "selectors"
    HEURISTIC = "heuristic"


CURRENCY_SIGN = "currency_sign"
"""The field of a staged item that names the sign its currency was guessed from."""
YEAR_GUESSED = "year_guessed"
"""The field of a staged event whose page names no year: it was taken to be still to come."""
BY_HAND = "by hand"
"""The strategy of a value that a person corrected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileValue:
    """What a site profile reads for one field of a detail page."""

    field: str
    raw: Any
    """None: its selector finds nothing."""
    better: bool
    """The profile agreed with the index rows more often than the general reading did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Raw fields as a page shows them: text, not yet values."""

    fields: Mapping[str, Any]
    strategy: str = ""
    score: float = 1.0
    strategies: Mapping[str, str] = field(default_factory=dict)
    """Per field, where it differs from `strategy`."""
    block: str = ""
    """The piece of HTML it was read from, bounded."""
    profile: tuple[ProfileValue, ...] = ()
    """What the site's profile reads beside the general reading; normalize decides between the two."""


class NextEvidence(StrEnum):
    """How the address of an index's next page was found, the most reliable way first."""

    DECLARED = "declared"
    REL = "rel"
    LINK = "link"
    PATTERN = "pattern"
    """The next page is not linked; its address follows from the pager's other links."""
    CURSOR = "cursor"
    """An address, cursor or page number in the page's embedded state."""
    CALENDAR = "calendar"
    """The next month or week of an agenda: such pages never end."""


MAX_MONTHS = 12
MAX_WEEKS = 31
"""Pages of a calendar that shows less than a month on each: weeks, or days."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextPage:
    """The next page of an index: its absolute URL as the site writes it, and how it was found."""

    url: str
    evidence: NextEvidence
    because: str
    """For people: "rel=next in the head", "pager link 'Volgende'"."""
    max_calendar_pages: int = MAX_MONTHS
    """How far a walk follows such links of a calendar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowShape:
    """How an index builds its rows: where a row's link stands, and which element around it is the row."""

    path: str
    """The tags from the body to the link."""
    address: str
    """The pattern of the link's address."""
    height: int = 0
    """How many elements above its link the row stands."""
    before: int = 0
    """Preceding siblings of that element that belong to the row."""
    after: int = 0
    names: tuple[str, ...] = ()
    """Classes of which a row has at least one; empty: rows have none in common."""
    title: str = ""
    """Tags and classes of the element that holds a row's title; empty: no element always does."""

    @classmethod
    def loaded(cls, rows: Iterable[Mapping[str, Any]]) -> "tuple[RowShape, ...]":
        """Row shapes from their JSON form."""
        return tuple(cls(**{**each, "names": tuple(each.get("names", ()))}) for each in rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """A page was read. No items is a fact about the page (an empty agenda), not a failure."""

    items: tuple[Item, ...] = ()
    strategy: str = ""
    last: bool | None = None
    """For an index page: is it the last one? None where the page does not tell."""
    next_page: NextPage | None = None
    """For an index page: where the next one is; None where the page shows none."""
    indexes: tuple[str, ...] = ()
    """Further index pages that this one names, each to be read: the sitemaps of a sitemap index."""
    advertised: int | None = None
    """For an index page: how many rows the site says it has in all."""
    unread: int = 0
    """Rows that an index page shows beside those that were read."""
    row_shapes: tuple[RowShape, ...] = ()
    """The row shapes of an index page; later pages with few rows are read by them."""
    notes: tuple[str, ...] = ()
    """What a person should know: strategies that raised, bytes that were cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A page was fetched but could not be read."""

    reason: FailReason
    details: str = ""
    notes: tuple[str, ...] = ()
    rows: int = 0
    """Rows that an index page shows and that could not be read: such a page is not the end of its index."""
    next_page: NextPage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """Normalized and valid: what persist takes."""

    kind: Kind
    identity_key: str
    url: str | None
    canonical_url: str | None
    fields: Mapping[str, Any]
    """SPEC's field names; JSON values only; money in minor units; times as ISO 8601 strings."""
    strategies: Mapping[str, str]
    fingerprint: str | None = None
    day_fingerprint: str | None = None
    """For one of several shows a day: its fingerprint without the time."""
    score: float = 1.0
    complete: bool = True
    """False for an index row with too little data to be a record before its own page is read."""
    lacks: str = ""
    """What such a row lacks."""
    digest: str | None = field(default=None, compare=False)
    """The digest of `fields`, if known; a copy with other fields has none."""

    @property
    def clock(self) -> str | None:
        """The time at which an event starts, as its page shows it; None where only the day is known."""
        starts = str(self.fields.get("starts_at") or "")
        return starts[11:16] or None if self.fields.get("time_known") else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """Left out, with its reason."""

    reason: DropReason
    item: Item
    details: str = ""
    beside_row: "Staged | None" = None
    """What the page adds to a record whose index row already has the required fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantined:
    """Set aside for a person to review."""

    reason: QuarantineReason
    item: Item
    details: str = ""
    identity_key: str | None = None
    """The key of the record whose price waits for a second reading."""
    price_minor: int | None = None
