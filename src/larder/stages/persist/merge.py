"""Merges the values of one more page into a record.

The newest non-empty value wins. Between an index row and the record's own detail page the richer one does:
once a detail page was read, index rows speak for price, availability, status and seller alone; the rest of a
row is often cut short. A place that was found is never given up for the source's default, nor a venue for
the source's name, nor a time for a date alone, nor a day for the one with its month exchanged, nor
a currency for what the bare sign of several could mean; and where row and detail page disagree on the
title, the row is right: it names one thing.
"""

import re
from collections.abc import Mapping
from typing import Any

from larder.core.model.item import CURRENCY_SIGN, YEAR_GUESSED
from larder.core.model.job import Purpose
from larder.core.model.money import SHARED_SIGNS, from_minor, to_minor
from larder.core.model.record import SOURCE_NAME, Availability
from larder.core.policy.trust.offer_status import OfferStatus

SPOKEN_BY_ROWS = frozenset({"price", "price_minor", "currency", "period", "availability", "seller", "status"})
PLACE = frozenset({"latitude", "longitude", "coordinates_from"})
VENUE = frozenset({"venue", "venue_from"})
TIMES = frozenset({"starts_at", "ends_at", "time_known"})
DEFAULT = "default"
SCHEDULED = "scheduled"
_WORDS = re.compile(r"\w+")
_DOCUMENT = re.compile(
    r"(?:agenda|minutes|notulen|besluitenlijst|tagesordnung|protokoll|ordre du jour|procès-verbal"
    r"|orden del día|ordine del giorno|verbale)\s+(?:for|of|van|voor|de[rslt]?|des|zur|zum|du|della?|del)\s",
    re.IGNORECASE,
)
_MONEY = frozenset(
    {"eur", "euro", "euros", "usd", "gbp", "chf", "zł", "pln", "kč", "czk", "kr", "sek", "dkk", "nok"}
)


def merge(
    known: Mapping[str, Any], fields: Mapping[str, Any], *, purpose: Purpose, detailed: bool
) -> dict[str, Any]:
    """The fold of one version onto a record's content."""
    known = _without_lent_venue(known, fields)
    merged = dict(known)
    fields = with_surer_currency(fields, known.get("currency"))
    unchanged = PLACE if _only_guesses(known, fields) else frozenset()
    unchanged |= VENUE if _has_source_venue(fields) and known.get("venue") else frozenset()
    if purpose is not Purpose.INDEX:
        unchanged |= _better_in_row(known, fields)
        guessed = not detailed or bool(fields.get(YEAR_GUESSED))
        unchanged |= TIMES if guessed and _is_next_year(known, fields) else frozenset()
    unchanged |= {YEAR_GUESSED}
    for field, value in fields.items():
        if _empty(value) or field in unchanged or _tells_nothing(field, value, known):
            continue
        if purpose is Purpose.INDEX and detailed and not _row_tells(field, value) and field in known:
            continue
        merged[field] = value
    if _outlives_its_end(known, merged, fields):
        merged.pop("ends_at", None)
    if "price_minor" in fields and "period" not in fields and not _same_price(known, fields):
        merged.pop("period", None)
    if _takes_back_status(merged, fields) and (purpose is Purpose.INDEX) is not detailed:
        del merged["status"]
    return merged


def with_surer_currency(fields: Mapping[str, Any], known: str | None) -> Mapping[str, Any]:
    """A page's fields, its price in the known currency where it only shows a sign that this one has, too."""
    sign = fields.get(CURRENCY_SIGN)
    if not sign:
        return fields
    own_values = {name: value for name, value in fields.items() if name != CURRENCY_SIGN}
    guessed = own_values.get("currency")
    if known not in SHARED_SIGNS.get(sign, ()):
        return own_values if guessed else _without_price(own_values)
    if known == guessed:
        return own_values
    return {**own_values, "currency": known, **_price_in(known, own_values.get("price_minor"), guessed)}


def _without_price(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields without their price: an amount without a currency is not used."""
    return {name: value for name, value in fields.items() if name not in ("price", "price_minor")}


def _price_in(currency: str | None, minor: int | None, read_as: str | None) -> dict[str, Any]:
    """The price fields with another currency; the number of decimals may differ."""
    if minor is None:
        return {}
    minor = to_minor(from_minor(minor, read_as), currency)
    return {"price": format(from_minor(minor, currency), "f"), "price_minor": minor}


def _row_tells(field: str, value: Any) -> bool:
    """Whether a row's value counts beside its detail page's; "scheduled" is said of any event."""
    return field in SPOKEN_BY_ROWS and value != SCHEDULED


def _better_in_row(known: Mapping[str, Any], fields: Mapping[str, Any]) -> frozenset[str]:
    """The fields whose earlier value is better than the detail page's."""
    better: frozenset[str] = frozenset()
    if known.get("time_known") and not fields.get("time_known") and fields.get("starts_at"):
        better |= TIMES
    if _turned_round(str(known.get("starts_at") or ""), str(fields.get("starts_at") or "")):
        better |= TIMES
    row, page = (str(each.get("title") or "") for each in (known, fields))
    if disagrees(row, page) or (known.get("starts_at") and _is_of_document(row, page)):
        better |= {"title"}
    return better


def _is_next_year(known: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    """Whether the page's date is the row's in the next year: so a day without a year is read.

    The row's year was said by something, such as a heading `Past concerts`.
    """
    row, page = (str(each.get("starts_at") or "") for each in (known, fields))
    return row[4:10] == page[4:10] != "" and page[:4].isdecimal() and row[:4] == str(int(page[:4]) - 1)


def _is_of_document(row: str, page: str) -> bool:
    """Whether the page is headed by its document (`Agenda for Cabinet on 8 May`), the row by the event."""
    return bool(row) and _DOCUMENT.match(page) is not None and _DOCUMENT.match(row) is None


def _turned_round(row: str, page: str) -> bool:
    """Whether the page's date is the row's with day and month exchanged; the row's is surer."""
    day, month = row[8:10], row[5:7]
    return day != month and row[:5] == page[:5] and (day, month) == (page[5:7], page[8:10])


def disagrees(row: str, page: str) -> bool:
    """The page's title is the row's, amounts aside, with something added or without them; or another's."""
    if not row or not page or row.rstrip().endswith(("...", "…")):
        return False
    words, others = (_WORDS.findall(title.casefold()) for title in (row, page))
    if len(words) < 2:
        return False
    if set(words).isdisjoint(others) or (len(others) > len(words) and row.casefold() in page.casefold()):
        return True
    amounts, page_amounts = (set(filter(_is_amount, each)) for each in (words, others))
    if not page_amounts < amounts:
        return False
    named, page_named = ([word for word in each if not _is_amount(word)] for each in (words, others))
    return len(named) > 1 and f" {' '.join(named)} " in f" {' '.join(page_named)} "


def _is_amount(word: str) -> bool:
    """A number or the name of a currency: what an advert's title adds to say what it costs."""
    return word.isdecimal() or word in _MONEY


def _only_guesses(known: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    """The source's own place is said of a record whose place is known."""
    return fields.get("coordinates_from") == DEFAULT and known.get("coordinates_from", DEFAULT) != DEFAULT


def _without_lent_venue(known: Mapping[str, Any], fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """A venue that a page names takes the place of the source's name, wherever that page is."""
    if not _has_source_venue(known) or not fields.get("venue") or _has_source_venue(fields):
        return known
    return {name: value for name, value in known.items() if name not in VENUE}


def _has_source_venue(fields: Mapping[str, Any]) -> bool:
    return fields.get("venue_from") == SOURCE_NAME


def _outlives_its_end(known: Mapping[str, Any], merged: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    """Whether the end belongs to an earlier start: the page moved the start and states no end."""
    days = [str(each.get("starts_at") or "")[:10] for each in (known, merged)]
    return bool(days[0]) and days[0] != days[1] and not fields.get("ends_at")


def _tells_nothing(field: str, value: Any, known: Mapping[str, Any]) -> bool:
    """Whether the value says nothing: an unknown stock does not replace a known one."""
    return field == "availability" and value == Availability.UNKNOWN and bool(known.get(field))


def _same_price(known: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    """Whether both have the same price; a rent's period belongs to its amount."""
    return bool(known.get("price_minor") == fields["price_minor"])


def _takes_back_status(merged: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    """A page without the badge "reserved" or "sold" says that it is not so any more.

    The first detail page does not: it was asked for because of the row that says so.
    """
    return merged.get("status") in list(OfferStatus) and not fields.get("status")


def _empty(value: Any) -> bool:
    return value is None or value in ("", [], {})
