"""iCalendar (RFC 5545): the events of a calendar. A repeated event is given once, at its first time."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from larder.sdk.raw_fields import without_empty
from larder.stages.parse.feeds.rows import FeedRows
from larder.stages.parse.json_values import json_text

MAX_LINES = 500_000
MAX_EVENTS = 50_000

_LINE = re.compile(r"([A-Za-z0-9-]{1,60})((?:;[^:\"\r\n]*(?:\"[^\"\r\n]*\"[^:\"\r\n]*)*)?):(.*)")
_PARAMETER = re.compile(r";([A-Za-z0-9-]+)=(\"[^\"]*\"|[^;:]*)")
_ESCAPED = re.compile(r"\\([\\;,nN])")
_MOMENT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z)?)?")
_DURATION = re.compile(r"P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:\d{1,4}S)?)?")
_STATUS = {"CANCELLED": "EventCancelled", "CONFIRMED": "EventScheduled"}


@dataclass(frozen=True, slots=True)
class _Property:
    value: str
    parameters: Mapping[str, str]


def read(source: str) -> FeedRows:
    """The events of a calendar."""
    events = (_row(properties) for properties in _events(source))
    return FeedRows(rows=tuple(row for row in events if "title" in row or "starts_at" in row))


def _events(source: str) -> Iterator[dict[str, _Property]]:
    """The properties of each event; alarms within are skipped."""
    unfolded = re.sub(r"\r?\n[ \t]", "", source)
    event: dict[str, _Property] | None = None
    inner, count = 0, 0
    for line in unfolded.splitlines()[:MAX_LINES]:
        name, _, value = line.partition(":")
        mark = (name.upper(), value.strip().upper())
        if mark == ("BEGIN", "VEVENT"):
            event, inner = {}, 0
        elif mark == ("END", "VEVENT") and event is not None:
            yield event
            event, count = None, count + 1
            if count >= MAX_EVENTS:
                return
        elif event is not None:
            inner += {"BEGIN": 1, "END": -1}.get(mark[0], 0)
            if inner == 0 and (found := _LINE.fullmatch(line)):
                event.setdefault(found[1].upper(), _property(found))


def _property(found: re.Match[str]) -> _Property:
    parameters = {name.upper(): value.strip('"') for name, value in _PARAMETER.findall(found[2])}
    return _Property(found[3], parameters)


def _row(properties: Mapping[str, _Property]) -> dict[str, Any]:
    location, point = _value(properties, "LOCATION"), _value(properties, "GEO").split(";")
    venue, _, rest = location.partition(",")
    return without_empty(
        {
            "title": _value(properties, "SUMMARY"),
            "starts_at": _iso_time(properties.get("DTSTART")),
            "ends_at": _end_time(properties),
            "url": _value(properties, "URL"),
            "description": _value(properties, "DESCRIPTION"),
            "venue": venue.strip(),
            "location_text": location if rest else "",
            "status": _STATUS.get(_value(properties, "STATUS").upper(), ""),
            "category": _value(properties, "CATEGORIES").partition(",")[0],
            "organiser": properties["ORGANIZER"].parameters.get("CN", "")
            if "ORGANIZER" in properties
            else "",
            "platform_id": "/".join(
                filter(None, (_value(properties, "UID"), _value(properties, "RECURRENCE-ID")))
            ),
            **({"latitude": point[0], "longitude": point[1]} if len(point) == 2 else {}),
        }
    )


def _value(properties: Mapping[str, _Property], name: str) -> str:
    value = properties[name].value if name in properties else ""
    plain = _ESCAPED.sub(lambda found: " " if found[1] in "nN" else found[1], value)
    return json_text(plain)


def _iso_time(value: _Property | None) -> str:
    """A day, or a moment with its offset; a moment without a zone stays a local one."""
    moment = _parsed_time(value)
    if moment is None:
        return ""
    return moment.isoformat(timespec="minutes") if isinstance(moment, datetime) else moment.isoformat()


def _parsed_time(value: _Property | None) -> date | datetime | None:
    found = _MOMENT.fullmatch(value.value.strip()) if value is not None else None
    if value is None or found is None:
        return None
    try:
        day = date(int(found[1]), int(found[2]), int(found[3]))
        if found[4] is None:
            return day
        zone = ZoneInfo("UTC") if found[7] else _zone(value.parameters.get("TZID", ""))
        return datetime(day.year, day.month, day.day, int(found[4]), int(found[5]), tzinfo=zone)
    except ValueError:
        return None


def _zone(name: str) -> ZoneInfo | None:
    """The zone of that name; None if it is not in the tz database."""
    try:
        return ZoneInfo(name.strip("/")) if name and ".." not in name else None
    except (LookupError, ValueError, OSError):
        return None


def _end_time(properties: Mapping[str, _Property]) -> str:
    """The end; a whole day ends on the day before `DTEND`, which is exclusive."""
    start, end = _parsed_time(properties.get("DTSTART")), _parsed_time(properties.get("DTEND"))
    if end is None and start is not None and "DURATION" in properties:
        length = _duration(properties["DURATION"].value)
        end = start + length if length else None
    if end is None:
        return ""
    if isinstance(end, datetime):
        return end.isoformat(timespec="minutes")
    last = end - timedelta(days=1)
    return last.isoformat() if isinstance(start, date) and last > start else ""


def _duration(value: str) -> timedelta:
    found = _DURATION.fullmatch(value.strip())
    weeks, days, hours, minutes = (int(part or 0) for part in found.groups()) if found else (0, 0, 0, 0)
    return timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes)
