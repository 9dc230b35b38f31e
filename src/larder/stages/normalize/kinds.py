"""The fields of each kind of record, and defaults from its source."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from larder.core.model.item import YEAR_GUESSED
from larder.core.model.record import SOURCE_NAME, Availability
from larder.core.model.source import Kind
from larder.sdk.calendar_names import recurring_day
from larder.stages.normalize.attributes import own_attributes
from larder.stages.normalize.categories import categorize
from larder.stages.normalize.context import Context, Coordinates
from larder.stages.normalize.dates import When, parse_when
from larder.stages.normalize.event_status import event_status
from larder.stages.normalize.fields import Raw, single_value
from larder.stages.normalize.measures import area_m2, degrees, room_count
from larder.stages.normalize.offer_status import listing_status, product_availability
from larder.stages.normalize.text import DEFAULT_LIMIT, clean

NOON = 12


def own_fields(raw: Raw, known: dict[str, Any], context: Context) -> dict[str, Any]:
    """The fields of the context's kind; `known` are those of any kind."""
    found = _READERS[context.kind](raw, known, context)
    return {name: value for name, value in found.items() if value is not None}


def _listing(raw: Raw, _known: dict[str, Any], context: Context) -> dict[str, Any]:
    place = _stated_place(raw)
    return {
        "area_m2": area_m2(raw.get("area_m2", raw.get("area"))),
        "rooms": room_count(single_value(raw.get("rooms"))),
        "beds": room_count(single_value(raw.get("beds"))),
        "baths": room_count(single_value(raw.get("baths"))),
        "period": clean(raw.get("period"), 20),
        "category": clean(single_value(raw.get("category"))),
        "latitude": place.latitude if place else None,
        "longitude": place.longitude if place else None,
        "posted_at": _iso(_when(raw.get("posted_at"), context, prefer="past")),
        "available_from": _day(_when(raw.get("available_from"), context, prefer="future")),
        "status": listing_status(single_value(raw.get("status")), single_value(raw.get("availability"))),
    }


def _product(raw: Raw, _known: dict[str, Any], _context: Context) -> dict[str, Any]:
    availability = product_availability(
        single_value(raw.get("availability")), single_value(raw.get("status"))
    )
    tax = raw.get("tax_included")
    return {
        "availability": None if availability is Availability.UNKNOWN else availability.value,
        "category": clean(single_value(raw.get("category"))),
        "tax_included": tax if isinstance(tax, bool) else None,
        **own_attributes(raw.get("attributes")),
    }


def _event(raw: Raw, known: dict[str, Any], context: Context) -> dict[str, Any]:
    when = _event_time(raw, context)
    where = clean(single_value(raw.get("location_text")))
    venue = clean(single_value(raw.get("venue")))
    own_venue = venue or where or known.get("address")
    place = _stated_place(raw) or _found_place(known, venue, where, context) or context.default_coordinates
    return {
        "starts_at": _iso(when),
        "ends_at": when.end.isoformat() if when and when.end else None,
        "time_known": when.time_known if when else None,
        YEAR_GUESSED: (when is not None and _is_far_guess(raw, when, context)) or None,
        "venue": own_venue or clean(context.name) or context.source,
        "venue_from": None if own_venue else SOURCE_NAME,
        "category": categorize(
            known.get("title", ""),
            value=clean(single_value(raw.get("category"))),
            description=known.get("description"),
        ).value,
        "description": known.get("description", ""),
        "latitude": place.latitude if place else None,
        "longitude": place.longitude if place else None,
        "coordinates_from": place.origin if place else None,
        "status": event_status(single_value(raw.get("status")), single_value(raw.get("availability"))),
    }


_READERS: dict[Kind, Callable[[Raw, dict[str, Any], Context], dict[str, Any]]] = {
    Kind.LISTING: _listing,
    Kind.PRODUCT: _product,
    Kind.EVENT: _event,
}


def _event_time(raw: Raw, context: Context) -> When | None:
    """The stated start and end, or the visible text's if that has more."""
    stated = _when(raw.get("starts_at"), context)
    ended = bool(stated and stated.time_known and (stated.end or raw.get("ends_at")))
    shown = (
        None
        if ended
        else _shown_time(raw.get("date_text"), context, prefer="past" if raw.get("is_past") else "future")
    )
    start = shown if stated is None or (shown and _says_more(shown, stated)) else stated
    if start is not None and start is stated and shown and not start.end and not raw.get("ends_at"):
        return replace(start, end=_end_by_shown_hours(start, shown, single_value(raw.get("starts_at"))))
    if start is None or start.end or not raw.get("ends_at"):
        return start
    end = _when(raw.get("ends_at"), replace(context, observed_at=start.start))
    return start if end is None else replace(start, end=end.end or _after_midnight(start, _closing(end)))


def _is_far_guess(raw: Raw, when: When, context: Context) -> bool:
    """Whether a page of one event names no year and its day is most of a year ahead: it may be past."""
    if context.index or when.start - context.observed_at < _MOST_OF_A_YEAR:
        return False
    said = " ".join(str(single_value(raw.get(name)) or "") for name in ("starts_at", "date_text"))
    numbers, short = _NUMBER.findall(said), f"{when.start:%y}"
    return str(when.start.year) not in numbers and numbers.count(short) <= (f"{when.start:%d}" == short)


_MOST_OF_A_YEAR = timedelta(days=270)
_NUMBER = re.compile(r"\d+")


def _shown_time(text: Any, context: Context, *, prefer: str) -> When | None:
    """The date and time in visible text; a recurring day is no date, unless one is beside it."""
    shown = _when(text, context, prefer=prefer)
    day = recurring_day(str(single_value(text) or ""))
    if shown is None or not day:
        return shown
    rest = str(single_value(text)).replace(day, " ")
    return shown if _when(_CLOCK.sub(" ", rest), context) is not None else None


_CLOCK = re.compile(r"\d{1,2}\s?[:.hu]\s?\d\d|\d{1,2}\s*(?:uur|uhr|[ap]\.?m|h|u)\b", re.IGNORECASE)


def _says_more(shown: When, stated: When) -> bool:
    """Whether the shown time adds to the stated one: a time on the same day, or a duration."""
    if not stated.time_known:
        return shown.time_known and shown.start.date() == stated.start.date()
    return shown.end is not None and shown.time_known and shown.start == stated.start


def _end_by_shown_hours(stated: When, shown: When, stamp: Any) -> datetime | None:
    """The end in visible text, if its start equals the stated one's own clock."""
    wall = _WALL_CLOCK.search(str(stamp))
    same = wall is not None and wall[0] == f"{shown.start:%Y-%m-%dT%H:%M}" and stated.time_known
    return stated.start + (shown.end - shown.start) if same and shown.end and shown.time_known else None


_WALL_CLOCK = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")


def _after_midnight(start: When, end: datetime) -> datetime:
    """The end on the next day, if it is in the small hours but dated with the evening's day."""
    night = start.time_known and end < start.start and end.hour < NOON <= start.start.hour
    same_day = end.date() == start.start.astimezone(end.tzinfo).date()
    return end + timedelta(days=1) if night and same_day else end


def _closing(end: When) -> datetime:
    """The end of the day, for an end without a time."""
    return end.start if end.time_known else end.start.replace(hour=23, minute=59, second=59)


def _when(value: Any, context: Context, *, prefer: str = "future") -> When | None:
    text = clean(single_value(value), DEFAULT_LIMIT)
    if not text:
        return None
    languages = (context.language, "nl", "en", "de")
    return parse_when(text, now=context.observed_at, languages=languages, tz=context.zone, prefer=prefer)


def _iso(when: When | None) -> str | None:
    return when.start.isoformat() if when else None


def _day(when: When | None) -> str | None:
    return when.start.date().isoformat() if when else None


def _stated_place(raw: Raw) -> Coordinates | None:
    latitude, longitude = degrees(raw.get("latitude"), 90), degrees(raw.get("longitude"), 180)
    if latitude is None or longitude is None or (latitude == 0 and longitude == 0):
        return None
    return Coordinates(latitude=latitude, longitude=longitude)


def _found_place(
    known: dict[str, Any], venue: str | None, where: str | None, context: Context
) -> Coordinates | None:
    if context.locator is None:
        return None
    texts = (known.get("address"), known.get("city"), where, venue)
    country = known.get("country")
    coordinates = (context.locator.locate(text, country=country) for text in texts if text)
    return next((place for place in coordinates if place), None)
