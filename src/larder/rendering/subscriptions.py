"""Records as a feed (Atom, RFC 4287, and RSS 2.0) and as a calendar (RFC 5545), for programs that subscribe.

Scraped text is escaped for each format, and characters that it does not allow are left out. Identifiers and
times come from the records alone, so that the same records give the same bytes.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from xml.etree.ElementTree import Element, SubElement, register_namespace, tostring

ATOM = "http://www.w3.org/2005/Atom"
MAX_TITLE = 300
MAX_TEXT = 2_000
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionEntry:
    """One record of a subscription."""

    id: int
    title: str
    page: str
    """Its page in this Larder."""
    key: str = ""
    """Its unique key; default: its page."""
    link: str | None
    """Its page on its site."""
    text: str
    published: datetime
    updated: datetime
    starts: datetime | None = None
    ends: datetime | None = None
    time_known: bool = True
    place: str = ""
    point: tuple[float, float] | None = None


def atom(entries: Sequence[SubscriptionEntry], *, title: str, address: str, home: str) -> bytes:
    """An Atom feed; `address` is its own, `home` the page that shows the same."""
    register_namespace("", ATOM)
    feed = Element(f"{{{ATOM}}}feed")
    _add(feed, "id", address)
    _add(feed, "title", title)
    _add(feed, "updated", _stamp(max((each.updated for each in entries), default=_BEGINNING)))
    SubElement(feed, f"{{{ATOM}}}link", rel="self", href=_xml(address))
    SubElement(feed, f"{{{ATOM}}}link", href=_xml(home))
    author = SubElement(feed, f"{{{ATOM}}}author")
    _add(author, "name", "Larder")
    for each in entries:
        entry = SubElement(feed, f"{{{ATOM}}}entry")
        _add(entry, "id", each.key or each.page)
        _add(entry, "title", each.title[:MAX_TITLE])
        _add(entry, "published", _stamp(each.published))
        _add(entry, "updated", _stamp(each.updated))
        _add(entry, "summary", each.text[:MAX_TEXT])
        SubElement(entry, f"{{{ATOM}}}link", href=_xml(each.link or each.page))
    found: bytes = tostring(feed, encoding="utf-8", xml_declaration=True)
    return found


def rss(entries: Sequence[SubscriptionEntry], *, title: str, address: str, home: str) -> bytes:
    """The same as RSS 2.0."""
    feed = Element("rss", {"version": "2.0", "xmlns:atom": ATOM})
    channel = SubElement(feed, "channel")
    for name, text in (("title", title), ("link", home), ("description", title)):
        SubElement(channel, name).text = _xml(text)
    SubElement(channel, "atom:link", rel="self", type="application/rss+xml", href=_xml(address))
    for entry in entries:
        item = SubElement(channel, "item")
        SubElement(item, "guid", isPermaLink="false").text = _xml(entry.key or entry.page)
        SubElement(item, "title").text = _xml(entry.title[:MAX_TITLE])
        SubElement(item, "link").text = _xml(entry.link or entry.page)
        SubElement(item, "pubDate").text = format_datetime(entry.published.astimezone(UTC), usegmt=True)
        SubElement(item, "description").text = _xml(entry.text[:MAX_TEXT])
    found: bytes = tostring(feed, encoding="utf-8", xml_declaration=True)
    return found


def calendar(entries: Iterable[SubscriptionEntry], *, title: str, host: str) -> bytes:
    """A calendar of the entries that have a start; `host` makes their identifiers unique."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Larder//Larder//EN", f"X-WR-CALNAME:{_ics(title)}"]
    for entry in entries:
        if entry.starts is not None:
            lines += _event(entry, entry.starts, host)
    return b"".join(_folded(line) for line in [*lines, "END:VCALENDAR"])


def _event(entry: SubscriptionEntry, starts: datetime, host: str) -> list[str]:
    begins = _times(entry, starts)
    place = [f"LOCATION:{_ics(entry.place)}"] if entry.place else []
    point = [f"GEO:{entry.point[0]:.6f};{entry.point[1]:.6f}"] if entry.point else []
    return [
        "BEGIN:VEVENT",
        f"UID:record-{entry.id}@{host}",
        f"DTSTAMP:{_utc(entry.updated)}",
        *begins,
        f"SUMMARY:{_ics(entry.title[:MAX_TITLE])}",
        f"DESCRIPTION:{_ics(entry.text[:MAX_TEXT])}",
        *place,
        *point,
        f"URL:{_address(entry.link or entry.page)}",
        "END:VEVENT",
    ]


def _times(entry: SubscriptionEntry, starts: datetime) -> list[str]:
    """A day if the time is not known; a calendar's last day is exclusive."""
    if not entry.time_known:
        last = (entry.ends or starts).date()
        days = (starts.date(), max(last, starts.date()) + timedelta(days=1))
        return [f"DTSTART;VALUE=DATE:{_day(days[0])}", f"DTEND;VALUE=DATE:{_day(days[1])}"]
    ends = [f"DTEND:{_utc(entry.ends)}"] if entry.ends and entry.ends > starts else []
    return [f"DTSTART:{_utc(starts)}", *ends]


def _add(parent: Element, name: str, text: str) -> None:
    SubElement(parent, f"{{{ATOM}}}{name}").text = _xml(text)


def _xml(text: str) -> str:
    return _NOT_IN_XML.sub("", text)


def _ics(text: str) -> str:
    plain = _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def _address(url: str) -> str:
    """An address on one line, without characters that could begin another property."""
    return re.sub(r"[\x00-\x20\x7f]", "", url)


def _folded(line: str) -> bytes:
    """Lines of at most 75 bytes; no character is split."""
    parts, part = [], b""
    for character in line:
        encoded = character.encode("utf-8", "ignore")
        if len(part) + len(encoded) > 73:
            parts.append(part)
            part = b""
        part += encoded
    return b"\r\n ".join([*parts, part]) + b"\r\n"


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _day(day: date) -> str:
    return day.strftime("%Y%m%d")
