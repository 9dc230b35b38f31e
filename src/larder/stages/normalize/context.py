"""The context of an item: its source, its page, and the time at which it was seen."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from larder.core.cached_property import cached_property
from larder.core.model.source import Kind, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Coordinates:
    """Coordinates and their origin: `page`, `geocoder`, `gazetteer` or `default`."""

    latitude: float
    longitude: float
    origin: str = "page"


class Locator(Protocol):
    """Finds places by their names, without requests."""

    def locate(self, text: str, *, country: str | None = None) -> Coordinates | None:
        """The place that `text` names, or None."""
        ...


@dataclass(frozen=True, kw_only=True)
class Context:
    """The context of an item."""

    source: str
    """The source's slug."""
    kind: Kind
    base_url: str
    """The page from which the item was read; links are relative to it."""
    observed_at: datetime
    name: str = ""
    """The source's name; an event's venue if nothing else names one."""
    currency: str | None = None
    tz: str = "UTC"
    language: str = "en"
    latitude: float | None = None
    longitude: float | None = None
    index: bool = False
    """Whether the page is a list; then its address is not that of its rows."""
    completes: bool = False
    """Whether the own page of an index row is read, too; then an incomplete row is not judged yet."""
    strict: bool = False
    """Whether a product with unknown stock is left out; otherwise it is kept, its price unproven."""
    locator: Locator | None = None

    @classmethod
    def of(
        cls,
        source: Source,
        *,
        base_url: str,
        observed_at: datetime,
        index: bool = False,
        strict: bool = False,
        locator: Locator | None = None,
    ) -> "Context":
        """The context of a source's page."""
        return cls(
            source=source.slug,
            name=source.name,
            kind=source.kind,
            currency=source.currency,
            tz=source.tz,
            language=source.language,
            latitude=source.latitude,
            longitude=source.longitude,
            base_url=base_url,
            observed_at=observed_at,
            index=index,
            completes=index and source.fetcher != "actor" and bool(source.params.get("details", True)),
            strict=bool(source.params.get("strict", strict)),
            locator=locator,
        )

    @cached_property
    def zone(self) -> ZoneInfo:
        """The source's time zone; UTC if its name is unknown."""
        try:
            return ZoneInfo(self.tz)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return ZoneInfo("UTC")

    @property
    def default_coordinates(self) -> Coordinates | None:
        """The source's coordinates, for items without their own."""
        if self.latitude is None or self.longitude is None:
            return None
        return Coordinates(latitude=self.latitude, longitude=self.longitude, origin="default")
