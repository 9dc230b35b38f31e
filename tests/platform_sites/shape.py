"""What all shapes share: their truth, and how a request becomes an index page or a detail page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from html import escape
from math import ceil
from random import Random

from larder.core.model.source import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """One thing that a site shows: what a record of it should say."""

    number: int
    title: str
    price: Decimal | None = None
    starts: datetime | None = None
    place: str = ""
    in_stock: bool = True
    size: int = 0
    rooms: int = 0

    @property
    def slug(self) -> str:
        """The title as an address has it."""
        words = "".join(c if c.isalnum() and c.isascii() else "-" for c in self.title.lower())
        return f"{'-'.join(filter(None, words.split('-')))}-{self.number}"

    @property
    def amount(self) -> Decimal:
        """The price; 0 where it has none."""
        return self.price or Decimal(0)

    @property
    def name(self) -> str:
        """The title in HTML."""
        return escape(self.title)


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexView:
    """One page of an index as its template sees it."""

    number: int
    pages: int
    things: Sequence[Thing]
    total: int

    def unless_last(self, link: str) -> str:
        """What leads on, where another page follows."""
        return link if self.number < self.pages else ""

    def numbers(self, here: str, other: str, *, step: int = 1, first: int = 1) -> str:
        """A numbered pager: `{n}` is a page's number, `{at}` what its address counts by."""
        pages = ((n, (n - 1) * step + first) for n in range(1, self.pages + 1))
        return "".join((here if n == self.number else other).format(n=n, at=at) for n, at in pages)


Template = Callable[[IndexView], str]
Detail = Callable[[Thing], str]
PageOf = Callable[[str, Mapping[str, str]], int | None]
"""The index page that a path and its query name; None: they name none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A site: its truth, its templates and its addresses."""

    name: str
    kind: Kind
    currency: str
    language: str
    path: str
    """Of the first index page."""
    things: Sequence[Thing]
    per_page: int
    page_of: PageOf
    index: Template
    detail: Detail
    detail_path: Callable[[Thing], str]
    beyond: str = "404"
    """What is shown beyond the last page: `404`, `empty`, `first` or `last`."""
    head: str = ""

    @property
    def pages(self) -> int:
        """How many index pages there are."""
        return ceil(len(self.things) / self.per_page)

    def answer(self, path: str, query: Mapping[str, str]) -> str | None:
        """The page at an address; None: there is none."""
        found = next((thing for thing in self.things if self.detail_path(thing).split("?")[0] == path), None)
        if found is None or "?" in self.detail_path(found):
            wanted = next((t for t in self.things if _same(self.detail_path(t), path, query)), None)
            found = wanted
        if found is not None:
            return self._document(self.detail(found), found.title)
        number = self.page_of(path, query)
        if number is None:
            return None
        if number > self.pages:
            if self.beyond == "404":
                return None
            number = {"first": 1, "last": self.pages}.get(self.beyond, number)
        return self._document(self.index(self._view(number)), self.name)

    def _view(self, number: int) -> IndexView:
        first = (number - 1) * self.per_page
        shown = self.things[first : first + self.per_page]
        return IndexView(number=number, pages=self.pages, things=shown, total=len(self.things))

    def _document(self, body: str, title: str) -> str:
        return (
            f'<!doctype html><html lang="{self.language}"><head><meta charset="utf-8">'
            f"<title>{escape(title)} | {self.name}</title>{self.head}</head><body>{body}</body></html>"
        )


def _same(address: str, path: str, query: Mapping[str, str]) -> bool:
    wanted, _, pairs = address.partition("?")
    return (
        bool(pairs)
        and wanted == path
        and all(
            query.get(name) == value for name, _, value in (pair.partition("=") for pair in pairs.split("&"))
        )
    )


def numbered(prefix: str, suffix: str, *, first: str) -> PageOf:
    """Pages whose number stands in the path between `prefix` and `suffix`."""

    def page_of(path: str, _: Mapping[str, str]) -> int | None:
        if path == first:
            return 1
        middle = path.removeprefix(prefix).removesuffix(suffix)
        inside = path.startswith(prefix) and path.endswith(suffix) and middle.isdigit()
        return int(middle) if inside else None

    return page_of


def by_query(name: str, *, path: str, step: int = 1, base: int = 1) -> PageOf:
    """Pages that a query parameter names, by number or by offset."""

    def page_of(at: str, query: Mapping[str, str]) -> int | None:
        value = query.get(name, str(base))
        if at != path or not value.isdigit():
            return None
        return (int(value) - base) // step + 1

    return page_of


def pick(seed: str, count: int, *parts: Sequence[str]) -> list[str]:
    """So many different titles, put together from word lists."""
    rng = Random(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        found[" ".join(rng.choice(part) for part in parts)] = None
    return list(found)


def amounts(seed: str, count: int, low: int, high: int, cents: int = 100) -> list[Decimal]:
    """So many prices, each in `cents` steps below one unit."""
    rng = Random(seed)
    return [
        Decimal(rng.randint(low, high)) + Decimal(rng.randrange(0, 100, cents)) / 100 for _ in range(count)
    ]


def comma(amount: Decimal) -> str:
    """1.234,50"""
    return f"{amount:,.2f}".translate(str.maketrans(",.", ".,"))


def whole(amount: Decimal, between: str = ".") -> str:
    """1.234"""
    return f"{int(amount):,}".replace(",", between)
