"""Does a page show a certain record?

A form that asks for a password answers 200 under every address, and so does a home page. So a page counts as
a record's own only where it shows the record's identity, its title or its price. Where the request was
redirected, only what the page says of itself counts (its address, its headings, an identifier): the rest may
be about others.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

MIN_TITLE_LENGTH = 3
"""Characters; a shorter title proves nothing wherever it is."""
MIN_ID_LENGTH = 4
"""Characters; a shorter identifier counts only where the markup calls it one."""
MIN_SHARED = 0.8
"""Of the words of a title, the share that the page's headings must have where its wording differs."""
MIN_WORDS = 3
MAX_TEXT = 200_000

_NUMBER = re.compile(r"\d(?:[\d.,'’\u00a0\u202f ]{0,20}\d)?")
_CUT_OFF = re.compile(r"(?:\.{3}|…)\s*$")
_ID_KINDS = ("PID:", "SKU:")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSigns:
    """What a page about a record may show of it."""

    url: str
    """In canonical form."""
    title: str = ""
    identifier: str = ""
    price: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSigns:
    """The signs on a page that tell whether it shows the record."""

    headings: Sequence[str] = ()
    """Its title and headings."""
    text: str = ""
    """What a reader sees."""
    data: str = ""
    """What its scripts hold as data."""
    addresses: Collection[str] = ()
    """The addresses that it calls its own, in canonical form."""
    identifiers: Collection[str] = field(default_factory=frozenset)
    """What its markup calls an identifier."""


def identifier_of(identity_key: str) -> str:
    """The identifier within an identity key; empty where the key is made of an address."""
    return identity_key[4:] if identity_key.startswith(_ID_KINDS) else ""


def shows(record: RecordSigns, page: PageSigns, *, redirected: bool = False) -> bool:
    """Whether the page shows this record's identity, title or price."""
    if record.url in page.addresses or (record.identifier and record.identifier in page.identifiers):
        return True
    if _in_headings(record.title, page.headings, reworded=not redirected):
        return True
    if _has_identifier(page.text[:MAX_TEXT], record.identifier):
        return True
    return not redirected and (_has_title(page, record.title) or _has_price(page.text, record.price))


def _in_headings(title: str, headings: Sequence[str], *, reworded: bool) -> bool:
    title_text = _plain(_CUT_OFF.sub("", title))
    texts = [_plain(heading) for heading in headings]
    if len(title_text) >= MIN_TITLE_LENGTH and any(f" {title_text}" in f" {each}" for each in texts):
        return True
    return reworded and _shares_words(title_text, " ".join(texts))


def _shares_words(title: str, headings: str) -> bool:
    words, heading_words = set(title.split()), set(headings.split())
    shared = len(words & heading_words)
    return shared >= MIN_WORDS and shared >= len(words) * MIN_SHARED


def _has_title(page: PageSigns, title: str) -> bool:
    title_text = _plain(_CUT_OFF.sub("", title))
    if len(title_text) < MIN_TITLE_LENGTH:
        return False
    return any(f" {title_text}" in f" {_plain(each[:MAX_TEXT])}" for each in (page.text, page.data))


def _has_identifier(text: str, identifier: str) -> bool:
    """Whether the identifier is there as a word of its own; within an address it may be where a form leads
    back to.
    """
    if len(identifier) < MIN_ID_LENGTH:
        return False
    return re.search(rf"(?<![\w/=%-]){re.escape(identifier)}(?![\w/%-])", text, re.IGNORECASE) is not None


def _has_price(text: str, price: Decimal | None) -> bool:
    """Whether the price is there, with its decimals, or without where they are zeros; one or two digits prove
    nothing.
    """
    if price is None:
        return False
    forms = {f"{price:f}".replace(".", "")} | ({str(int(price))} if price == int(price) else set())
    long_forms = {each for each in forms if len(each) >= 3}
    return any(_digits(number) & long_forms for number in _NUMBER.findall(text[:MAX_TEXT]))


def _digits(number: str) -> set[str]:
    """A number's digits, and those of its pieces where spaces divide it."""
    return {re.sub(r"\D", "", piece) for piece in (number, *number.split())}


def _plain(text: str) -> str:
    """Words in lower case, one space between them."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))
