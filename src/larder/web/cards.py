"""Cards: what a list shows of a record, by kind, with its confidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import unescape
from typing import Any

from markupsafe import Markup, escape

from larder.actions.formatting import ago, local_time
from larder.core.model.source import Kind
from larder.core.policy.freshness import SIGHTING, missing_words
from larder.core.policy.trust.offer_status import OfferStatus
from larder.store.database import Connection
from larder.store.reads import public
from larder.store.reads.record_history import price_histories
from larder.store.reads.rows import RecordRow, badge_of
from larder.store.reads.stored_bodies import first_images
from larder.store.search.highlight import BEGIN, END
from larder.web.drawing.charts import SparkPoint, spark
from larder.web.drawing.maps import Dot

SOURCE_COORDINATES = "default"
"""`coordinates_from` of an event that has the coordinates of its source."""
SHOWN_STATUS = frozenset({"cancelled", "postponed", "moved", "sold_out", *OfferStatus})
MAX_PRICE_POINTS = 2_000
"""Price points per page of cards; beyond that, cards have no sparkline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What is shown of a record in a list."""

    id: int
    kind: str
    title: str
    heading: Markup
    """The title with the search words highlighted."""
    source: str
    price_minor: int | None
    currency: str | None
    period: str | None
    availability: str | None
    status: str
    """What changed of an event: cancelled, postponed …; empty if nothing did."""
    lines: Sequence[str]
    starts_at: datetime | None
    ends_at: datetime | None
    time_known: bool
    colour: str | None
    badge: str
    reason: str
    anchored_at: datetime
    anchored_by: str
    """`seen` or `checked`."""
    elsewhere: Sequence[str]
    """Other sources with a record of the same entity."""
    spark: Markup
    highlight: Markup
    """A highlighted passage of another field than the title."""
    latitude: float | None
    longitude: float | None
    """Its own coordinates; None if only those of its source are known."""
    town: str
    image: int | None


def cards(conn: Connection, rows: Sequence[RecordRow], *, now: datetime) -> list[Card]:
    """All cards of a page, with price history, image and other sources, in three queries."""
    ids = [row.id for row in rows]
    prices, shown = price_histories(conn, ids, limit=MAX_PRICE_POINTS), first_images(conn, ids)
    sources_of = public.sources_by_entity(
        conn, list({row.entity_id for row in rows if row.entity_id is not None}), now=now
    )
    return [
        card(
            row,
            prices.get(row.id, ()),
            shown.get(row.id),
            elsewhere=[each for each in sources_of.get(row.entity_id or 0, ()) if each != row.source],
            now=now,
        )
        for row in rows
    ]


def card(
    row: RecordRow,
    prices: Sequence[SparkPoint] = (),
    image: int | None = None,
    *,
    elsewhere: Sequence[str] = (),
    now: datetime,
) -> Card:
    """One card."""
    content: Mapping[str, Any] = row.content
    placed, markup = (
        content.get("coordinates_from") != SOURCE_COORDINATES,
        highlighted(getattr(row, "highlight", None)),
    )
    in_title = markup.striptags().strip("… ") in " ".join(row.title.split())
    badge = badge_of(row, now)
    return Card(
        id=row.id,
        kind=row.kind,
        title=row.title,
        heading=markup if markup.striptags() == row.title else escape(row.title),
        source=row.source,
        price_minor=row.price_minor,
        currency=row.currency,
        period=content.get("period"),
        availability=row.availability,
        status=_status(content),
        lines=[line for line in _LINES[Kind(row.kind)](content) if line],
        starts_at=local_time(row.starts_at, content, "starts_at"),
        ends_at=local_time(row.ends_at, content, "ends_at"),
        time_known=bool(content.get("time_known", True)),
        colour=badge.colour if badge else None,
        badge=badge.text if badge else "not shown",
        reason=reason(row, now),
        anchored_at=row.anchored_at,
        anchored_by=anchored_by(row),
        elsewhere=elsewhere,
        spark=spark(prices, now=now),
        highlight=Markup("") if in_title else markup,
        latitude=row.latitude if placed else None,
        longitude=row.longitude if placed else None,
        town=str(content.get("city") or content.get("venue") or "")[:40],
        image=image,
    )


def _status(content: Mapping[str, Any]) -> str:
    status = str(content.get("status") or "")
    return status if status in SHOWN_STATUS else ""


def dot_of(card: Card) -> Dot | None:
    """Its point on the map; None without coordinates."""
    if card.latitude is None or card.longitude is None:
        return None
    return Dot(
        latitude=card.latitude,
        longitude=card.longitude,
        title=card.title,
        href=f"/records/{card.id}",
        town=card.town,
    )


def reason(row: RecordRow, now: datetime) -> str:
    """How the confidence was computed."""
    how = {"checked": "verified"}.get(anchored_by(row), "seen")
    if row.missing_at is not None:
        return (
            f"{row.freshness_confidence} of 100: {how} {ago(row.anchored_at, now)}, "
            f"but {_missing(row.missing_status)} {ago(row.missing_at, now)}"
        )
    return (
        f"{row.freshness_confidence} of 100: {how} {ago(row.anchored_at, now)}, "
        f"falling {row.rate} points an hour"
    )


def _missing(status: int | None) -> str:
    return missing_words(status) if status is None else f"its page {missing_words(status)}"


def anchored_by(row: RecordRow) -> str:
    """Whether the confidence starts from a sighting or from a check."""
    return "checked" if row.base < SIGHTING else "seen"


def highlighted(snippet: str | None) -> Markup:
    """A search result with its words highlighted; everything else is escaped."""
    if not snippet:
        return Markup("")
    text = str(escape(unescape(snippet))).replace(BEGIN, "<mark>").replace(END, "</mark>")
    return Markup(text)  # noqa: S704 - escaped in the line above


def _listing(content: Mapping[str, Any]) -> list[str]:
    area, rooms = content.get("area_m2"), content.get("rooms") or content.get("beds")
    return [
        f"{area:g} m²" if isinstance(area, int | float) else "",
        f"{rooms:g} {'room' if rooms == 1 else 'rooms'}" if isinstance(rooms, int | float) else "",
        str(content.get("address") or content.get("city") or ""),
    ]


def _event(content: Mapping[str, Any]) -> list[str]:
    return [str(content.get("venue") or ""), str(content.get("category") or "")]


def _product(content: Mapping[str, Any]) -> list[str]:
    rating = content.get("rating")
    return [str(content.get("brand") or ""), f"★ {rating:g}" if isinstance(rating, int | float) else ""]


_LINES = {Kind.LISTING: _listing, Kind.EVENT: _event, Kind.PRODUCT: _product}
