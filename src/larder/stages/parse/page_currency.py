"""The currency of a price without one: as written beside it on the page, else that of the page's country.

A sign beside an amount on the page is a reading. A country, by the page's locale or the ending of its host,
is only a default: it decides the meaning of a shared sign such as `$`, or of a bare number.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from larder.core.model.item import Item, Strategy
from larder.core.model.source import Kind
from larder.sdk.page import Page
from larder.stages.parse.amounts import AMOUNT, SIGN, rough_amount
from larder.stages.parse.currency_selector import selected_currency
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.heuristic.price_elements import elements_with_amounts

_EURO_COUNTRIES = "ad at be cy de ee es fi fr gr hr ie it lt lu lv mc mt nl pt si sk sm"
BY_COUNTRY = {
    **dict.fromkeys(_EURO_COUNTRIES.split(), "EUR"),
    "uk": "GBP", "gb": "GBP", "ch": "CHF", "li": "CHF", "pl": "PLN", "cz": "CZK", "se": "SEK", "no": "NOK",
    "dk": "DKK", "is": "ISK", "hu": "HUF", "ro": "RON", "bg": "BGN", "rs": "RSD", "ua": "UAH", "ru": "RUB",
    "tr": "TRY", "us": "USD", "ca": "CAD", "au": "AUD", "nz": "NZD", "za": "ZAR", "br": "BRL", "mx": "MXN",
    "ar": "ARS", "cl": "CLP", "in": "INR", "jp": "JPY", "cn": "CNY", "kr": "KRW", "tw": "TWD", "hk": "HKD",
    "sg": "SGD", "my": "MYR", "th": "THB", "vn": "VND", "id": "IDR", "ph": "PHP", "il": "ILS", "ae": "AED",
    "sa": "SAR", "eg": "EGP", "ke": "KES", "ng": "NGN", "pk": "PKR", "lk": "LKR", "np": "NPR",
    "ba": "BAM", "mk": "MKD", "al": "ALL", "ge": "GEL", "az": "AZN", "kz": "KZT", "by": "BYN", "md": "MDL",
    "ma": "MAD", "pe": "PEN", "uy": "UYU", "cr": "CRC",
}  # fmt: skip
"""Currencies by country code; endings used as brands (`io`, `co`) are left out."""

BY_LANGUAGE = {
    "sv": "SEK", "da": "DKK", "no": "NOK", "nb": "NOK", "nn": "NOK", "is": "ISK", "pl": "PLN", "cs": "CZK",
    "hu": "HUF", "bg": "BGN", "uk": "UAH", "tr": "TRY", "ja": "JPY", "ko": "KRW", "he": "ILS", "th": "THB",
}  # fmt: skip
"""Currencies of languages that are spoken in the area of one currency."""

_SIGN = re.compile(SIGN)
_LETTERS = re.compile(r"(?<=\d)\s?(?:KM|LE)(?!\w)|(?<!\w)LE(?=\s?\d)")
"""Signs of Bosnia and Egypt, in what is called a price; elsewhere they are a distance and an article."""
_LOCALE = re.compile(r"[a-z]{2}[-_]([a-z]{2})", re.IGNORECASE)
_LANGUAGE = re.compile(rb"<html\b[^>]{0,2000}?\blang\s*=\s*[\"']?\s*([a-z]{2}[-_][a-z]{2})\b", re.IGNORECASE)
_CODE_BESIDE = re.compile(
    rb"(?:[_-]?[Cc]ode|[_-]?iso)?[\"'\s:=]{1,12}(?:content=[\"'])?([A-Z]{3})(?![A-Za-z0-9_])"
)
_KNOWN = frozenset(BY_COUNTRY.values())
HEAD_BYTES = 20_000
MAX_SOURCE = 200_000
MAX_NAMED = 60


def with_currency(task: ExtractionTask, items: Sequence[Item]) -> Sequence[Item]:
    """The items; those with a price and no currency get the page's."""
    if task.kind is Kind.EVENT or all("currency" in item.fields for item in items):
        return items
    country = country_currency(task.page)
    return [_with_currency(item, task, country) if _lacks_currency(item) else item for item in items]


def _lacks_currency(item: Item) -> bool:
    return isinstance(item.fields.get("price"), str) and "currency" not in item.fields


def _with_currency(item: Item, task: ExtractionTask, country: str) -> Item:
    price = item.fields["price"]
    written = "" if task.wants_rows or AMOUNT.search(price) else written_currency(task.page, price)
    more = {name: value for name, value in (("currency", written), ("page_currency", country)) if value}
    origins = {"currency": Strategy.HEURISTIC.value} if written else {}
    return replace(item, fields={**item.fields, **more}, strategies={**item.strategies, **origins})


def written_currency(page: Page, price: str) -> str:
    """The sign or code beside that amount on the page; else the only sign of all its amounts."""
    signs = [
        (rough_amount(text), sign[0])
        for _, text in page.cached(elements_with_amounts)
        if (sign := _sign_in(text))
    ]
    amount = rough_amount(price)
    same = [sign for shown, sign in signs if shown == amount]
    if same:
        return Counter(same).most_common(1)[0][0]
    return signs[0][1] if len({sign for _, sign in signs}) == 1 else ""


def _sign_in(text: str) -> re.Match[str] | None:
    return _SIGN.search(text) if AMOUNT.search(text) else _LETTERS.search(text)


def country_currency(page: Page) -> str:
    """The currency of the country in the page's host, locale or language; empty if there is none."""
    country = (
        page.cached(_currency_in_source)
        or page.cached(_currency_in_selector)
        or BY_COUNTRY.get(_top_level_domain(page.url))
        or BY_COUNTRY.get(page.cached(_locale))
    )
    return country or BY_LANGUAGE.get(page.language or "", "")


def _currency_in_source(page: Page) -> str:
    """The only code beside the word "currency" in the page's source; a list of choices has several."""
    body = page.markup.body[:MAX_SOURCE]
    named = {code for at in _currency_word_ends(body) if (code := _CODE_BESIDE.match(body, at))}
    codes = {code[1].decode("ascii") for code in named}
    return codes.pop() if len(codes) == 1 and codes <= _KNOWN else ""


def _currency_in_selector(page: Page) -> str:
    code = selected_currency(page)
    return code if code in _KNOWN else ""


def _currency_word_ends(body: bytes) -> Iterator[int]:
    """The positions after the word "currency", bounded."""
    at = -1
    for _ in range(MAX_NAMED):
        at = body.find(b"urrency", at + 1)
        if at < 0:
            return
        if body[at - 6 : at] != b"priceC":  # an item's own
            yield at + len(b"urrency")


def _top_level_domain(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rsplit(".", 1)[-1]
    except ValueError:
        return ""


def _locale(page: Page) -> str:
    """The country of the page's locale; `en_US` is the default of many templates."""
    declared = _LANGUAGE.search(page.markup.body, 0, HEAD_BYTES)
    spoken = declared[1].decode("ascii") if declared else ""
    for locale in (spoken, page.meta().get("og:locale", "")):
        found = _LOCALE.fullmatch(locale.strip()[:5])
        if found and locale[:5].lower().replace("-", "_") != "en_us":
            return found[1].lower()
    return ""
