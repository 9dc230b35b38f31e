"""Joins events from markup with the visible rows of the page.

The page's own event keeps its markup, with the time that a reader sees. A much richer visible agenda beats
poor markup; what the markup says of its rows is joined to them. A start on the day of publication is none.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from larder.core.model.item import Item
from larder.sdk.page import Page
from larder.stages.parse.agenda.patterns import day_key, days_in
from larder.stages.parse.agenda.sessions import as_local_time
from larder.stages.parse.agenda.start_times import clock_key, time_in
from larder.stages.parse.extraction_task import Fields
from larder.stages.parse.heuristic.address import parts_of
from larder.stages.parse.heuristic.headline import headline, similarity
from larder.stages.parse.json_values import json_text

MIN_VISIBLE_RATIO = 2
MIN_EVENTS = 3
MIN_LIST = 5
MIN_MARKED_A_ROW = 3
"""Minimum marked-up visible rows for each row that is not marked up."""
MIN_TITLE_SIMILARITY = 0.8
MIN_ZONE_HOURS = 3
MAX_FOREIGN = 0.2
"""Maximum similarity to the headline of another page's event."""

_MIDNIGHT = re.compile(r"T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)?$")
_WORDS = re.compile(r"\w+")
_WALL_CLOCK = re.compile(r"T(\d\d):(\d\d)(?::00(?:\.0+)?)?$")
_AT = re.compile(r"\s+(?:live\s+)?(?:at|@|in|bei|im|à|au|op|en|a|w|on|am|le)\s", re.IGNORECASE)


def join_with_visible_events(page: Page, marked: Sequence[Item], seen: Sequence[Item]) -> list[Item]:
    """The page's events, each completed from the other reading."""
    marked = _once(marked, _WHERE)  # a list and a calendar on one page are both marked up
    own = _is_own_event(page, marked)
    if not own and _is_of_another_page(page, marked, seen):
        return list(seen)
    if not own and _is_richer(seen, marked):
        return _visible_with_markup(seen, marked)
    by_title, by_url = _index(seen)
    by_day = _by_day(seen)
    joined = [
        _with_visible_fields(
            page,
            item,
            _same_events(item, by_title, by_url)
            or _row_with_title_inside(item, by_day)
            or _single_event(marked, seen),
        )
        for item in marked
    ]
    return _named_by_headline(page, _once(joined)) if own else joined + _unmarked_rows(marked, seen)


def _is_of_another_page(page: Page, marked: Sequence[Item], seen: Sequence[Item]) -> bool:
    """Whether the only marked-up event has neither the headline's title nor a day of the page."""
    title, _ = page.cached(headline)
    if (
        len(marked) != 1
        or not seen
        or similarity(str(marked[0].fields.get("title", "")), title) > MAX_FOREIGN
    ):
        return False
    shown = {day for item in seen for day in _days(item)}
    headed = similarity(str(seen[0].fields.get("title", "")), title) >= MIN_TITLE_SIMILARITY
    return headed and not _days(marked[0]) & shown


def _once(items: Sequence[Item], names: Iterable[str] = ()) -> list[Item]:
    """Removes events that repeat another at the same time, as in a second block of markup."""
    told_by = (*_WHEN, *names)
    return list(
        {(_key(each), *(str(each.fields.get(name)) for name in told_by)): each for each in items}.values()
    )


def _named_by_headline(page: Page, items: list[Item]) -> list[Item]:
    """Uses the headline as title if markup adds place or day: `Jo Doe at The Anchor on 19 Nov 2026`."""
    title, _ = page.cached(headline)
    return [
        replace(item, fields={**item.fields, "title": title})
        if title and _says_where_or_when(str(item.fields.get("title", "")), title, item)
        else item
        for item in items
    ]


def _says_where_or_when(marked: str, title: str, item: Item) -> bool:
    behind = marked[len(title) :] if marked.casefold().startswith(title.casefold()) else ""
    if not _AT.match(behind):
        return False
    venue = str(item.fields.get("venue", "")).casefold()
    return bool(days_in(behind)) or (len(venue) > 2 and venue in behind.casefold())


def _unmarked_rows(marked: Sequence[Item], seen: Sequence[Item]) -> list[Item]:
    """Rows that are missing in the markup of their list, such as promoted ones.

    Nearly all other rows are marked up, these are built alike, and nothing else that is marked has their day.
    """
    by_title, by_url = _index(marked)
    matches = [_same_events(item, by_title, by_url) for item in seen]
    shapes = {_shape(item) for item, found in zip(seen, matches, strict=True) if found}
    taken = {id(match) for found in matches for match in found}
    days = {day for item in marked if id(item) not in taken for day in _days(item)}
    alone = [item for item, found in zip(seen, matches, strict=True) if not found]
    fitting = [item for item in alone if _path(item) and _shape(item) in shapes and not _days(item) & days]
    is_list = len(seen) - len(alone) >= max(MIN_LIST, MIN_MARKED_A_ROW * len(alone))
    return fitting if is_list else []


def _shape(item: Item) -> str:
    """The tag and the classes of a visible row's element."""
    return item.block.partition(">")[0]


def _is_own_event(page: Page, marked: Sequence[Item]) -> bool:
    """Whether the page is about one event, by its address or its headline."""
    titles = {_key(item) for item in marked}
    if len(titles) != 1:
        return False
    here = parts_of(page.url).path.rstrip("/")
    if here and any(_path(item) == here for item in marked):
        return True
    title, _ = page.cached(headline)
    return similarity(str(marked[0].fields.get("title", "")), title) >= MIN_TITLE_SIMILARITY


def _is_richer(seen: Sequence[Item], marked: Sequence[Item]) -> bool:
    titles = {_key(item) for item in seen}
    return len(titles) >= MIN_EVENTS and len(titles) >= MIN_VISIBLE_RATIO * len(
        {_key(item) for item in marked}
    )


def _visible_with_markup(seen: Sequence[Item], marked: Sequence[Item]) -> list[Item]:
    """The visible rows, each completed from the markup."""
    by_title, by_url = _index(marked)
    return [_with_missing_fields(item, _same_events(item, by_title, by_url)[:1]) for item in seen]


def _with_missing_fields(item: Item, others: Iterable[Item]) -> Item:
    for other in others:
        more = {
            name: value
            for name, value in other.fields.items()
            if name not in item.fields and name not in _WHEN
        }
        if _days(item) & _days(other) and not time_in(str(item.fields.get("date_text", ""))):
            more |= {name: other.fields[name] for name in _WHEN if name in other.fields}
        origins = dict.fromkeys(more, other.strategy)
        item = replace(item, fields={**more, **item.fields}, strategies={**item.strategies, **origins})
    return item


_WHEN = frozenset({"starts_at", "ends_at", "date_text", "doors_at"})
_WHERE = ("url", "venue")
_ADDED = ("url", "venue", "price", "images", "status", "interested")


def _with_visible_fields(page: Page, item: Item, matches: Sequence[Item]) -> Item:
    """A marked-up event with the time, the status and the link of its visible row."""
    same_day = [match for match in matches if _days(match) & _days(item)]
    if matches and not same_day and _is_day_of_publication(page, item):
        return _with_fields(item, dict.fromkeys(_WHEN, ""), matches[0], _date_fields(matches[0].fields))
    if matches and not same_day and not item.fields.get("starts_at"):
        return _with_fields(item, {}, matches[0], _date_fields(matches[0].fields))
    if not same_day:
        return item
    match = same_day[0]
    more = {name: match.fields[name] for name in _ADDED if name in match.fields and name not in item.fields}
    return _with_fields(item, _shown_start(item.fields, match.fields), match, more)


def _shown_start(marked: Mapping[str, Any], shown: Mapping[str, Any]) -> Fields:
    """The start as shown, if markup has local time stamped as UTC, or midnight beside a visible time."""
    start, shown_text = str(marked.get("starts_at", "")), str(shown.get("date_text", ""))
    if not shown_text or not time_in(shown_text):
        return {}
    if "T" not in start or _MIDNIGHT.search(start):
        return {"starts_at": start[:10], "date_text": shown_text}
    if _is_off_by_zone(start, shown_text):
        return {"starts_at": start[:10], "ends_at": "", "date_text": shown_text}
    end = as_shown_end(start, shown_text, str(marked.get("ends_at", ""))) or shown.get("ends_at", "")
    return {
        "starts_at": as_local_time(start, shown_text),
        "ends_at": end,
        "date_text": "" if end else shown_text,
    }


def _is_off_by_zone(start: str, shown_text: str) -> bool:
    """Whether a start without a zone is whole hours from the visible time; doors open 1–2 hours before."""
    stamped, shown = _WALL_CLOCK.search(start), clock_key(time_in(shown_text)).partition(":")
    if stamped is None or not shown[2].isdecimal() or not shown[0].isdecimal():
        return False
    return shown[2] == stamped[2] and abs(int(stamped[1]) - int(shown[0])) >= MIN_ZONE_HOURS


def as_shown_end(start: str, shown_text: str, end: str) -> str:
    """The end, converted as the start is: in UTC, or as local time."""
    local = as_local_time(start, shown_text) != start
    return re.sub(r"(?:Z|[+-]00:?00)$", "", end) if local else end


def _date_fields(fields: Mapping[str, Any]) -> Fields:
    return {name: fields[name] for name in _WHEN if name in fields}


def _with_fields(item: Item, changed: Fields, other: Item, more: Fields) -> Item:
    fields = {**item.fields, **changed, **more}
    origins = dict.fromkeys(more, other.strategy)
    kept = {name: value for name, value in fields.items() if value not in ("", None)}
    return replace(item, fields=kept, strategies={**item.strategies, **origins})


def _index(items: Sequence[Item]) -> tuple[dict[str, list[Item]], dict[str, list[Item]]]:
    by_title: dict[str, list[Item]] = {}
    by_url: dict[str, list[Item]] = {}
    for item in items:
        by_title.setdefault(_key(item), []).append(item)
        if path := _path(item):
            by_url.setdefault(path, []).append(item)
    return by_title, by_url


def _same_events(item: Item, by_title: dict[str, list[Item]], by_url: dict[str, list[Item]]) -> list[Item]:
    """The items of the other reading with the same title, else with the same address."""
    found = by_title.get(_key(item)) or by_url.get(_path(item)) or []
    same_day = [other for other in found if _days(other) & _days(item)]
    return same_day or found


def _by_day(items: Sequence[Item]) -> dict[frozenset[int], list[Item]]:
    found: dict[frozenset[int], list[Item]] = {}
    for item in items:
        for day in _days(item):
            found.setdefault(day, []).append(item)
    return found


def _row_with_title_inside(item: Item, by_day: Mapping[frozenset[int], Sequence[Item]]) -> list[Item]:
    """The only row of the same day whose text contains the title: a linked card has more text."""
    title = f" {_key(item)} "
    same_day = (other for day in _days(item) for other in by_day.get(day, ()))
    found = [other for other in same_day if title.strip() and title in f" {_key(other)} "]
    return found if len(found) == 1 else []


def _single_event(marked: Sequence[Item], seen: Sequence[Item]) -> Sequence[Item]:
    """The only event in the markup: all days of the page are its own."""
    return seen if len(marked) == 1 else ()


def _key(item: Item) -> str:
    return " ".join(_WORDS.findall(str(item.fields.get("title", "")).casefold()))


def _path(item: Item) -> str:
    return parts_of(str(item.fields.get("url", ""))).path.rstrip("/")


def _days(item: Item) -> frozenset[frozenset[int]]:
    """The day of an item, in any notation."""
    start = str(item.fields.get("starts_at", ""))
    shown_text = start[5:10] if re.match(r"\d{4}-\d\d-\d\d", start) else str(item.fields.get("date_text", ""))
    key = day_key(shown_text)
    return frozenset([key]) if key else frozenset()


def _is_day_of_publication(page: Page, item: Item) -> bool:
    start = str(item.fields.get("starts_at", ""))[:10]
    return bool(start) and start in page.cached(_published_days)


def _published_days(page: Page) -> frozenset[str]:
    nodes = (json_text(node.get("datePublished"))[:10] for node in page.json_ld())
    return frozenset(day for day in (*nodes, page.meta().get("article:published_time", "")[:10]) if day)
