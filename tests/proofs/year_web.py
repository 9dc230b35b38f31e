"""The made-up web of the proof `year`: sites that fall ill, and sites that change for good.

An outage passes by itself and says nothing about the adapter. A break does not: from then on the adapter
reads the site wrongly, until somebody mends it.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from urllib.parse import urlsplit

from larder.core.model.item import Extracted, Item
from larder.core.model.job import Purpose
from larder.core.model.page import Fetched
from larder.engine.work_items import Work
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.faults import Fault, FaultKind
from larder.sim.virtual import SimWeb
from larder.store.pages.blobs import content_hash
from tests.proofs.reckoning import DAY, HOUR, START

OUTAGES = {
    FaultKind.CUT: (0.3, 20),
    FaultKind.ERROR: (0.3, 20),
    FaultKind.BLOCKED: (0.5, 30),
    FaultKind.LIMITED: (0.5, 6),
    FaultKind.EMPTY: (0.5, 30),
    FaultKind.LOST: (0.5, 30),
}
"""Hours, from … to."""
APART = timedelta(days=6)
"""From the end of a trouble to the beginning of the next on the same site, at least."""


class Break(StrEnum):
    """How a site can change so that its adapter reads it wrongly."""

    REDESIGNED = "redesigned"
    """Nothing is found any more."""
    DETAILS = "details"
    """Rows are found, the pages behind them cannot be read."""
    FREE = "free"
    """What is read as the price is 0."""


@dataclass(slots=True, kw_only=True)
class Incident:
    """Something that befell a site."""

    site: str
    kind: FaultKind | Break
    since: datetime
    until: datetime | None = None
    """None: until somebody mends it."""

    @property
    def true_break(self) -> bool:
        return isinstance(self.kind, Break)

    def holds(self, at: datetime) -> bool:
        return self.since <= at and (self.until is None or at < self.until)


@dataclass(slots=True, kw_only=True)
class YearWeb:
    """Answers for all sites as they are at each moment."""

    web: SimWeb
    incidents: Sequence[Incident]
    breaks: dict[str, list[Incident]] = field(init=False)

    def __post_init__(self) -> None:
        self.breaks = {name: [] for name in self.web.sites}
        for incident in self.incidents:
            if incident.true_break:
                self.breaks[incident.site].append(incident)

    def __call__(self, work: Work, at: datetime) -> Fetched:
        fetched = self.web(work, at)
        broken = next((b for b in self.breaks[_host(work)] if b.holds(at)), None)
        if broken is None or not isinstance(fetched.payload, Extracted):
            return fetched
        if broken.kind is Break.FREE:
            return replace(fetched, payload=_free(fetched.payload))
        if broken.kind is Break.DETAILS and work.job.request.purpose is Purpose.INDEX:
            return fetched
        body = _redesigned(fetched.payload)
        return replace(fetched, payload=None, body=body, content_hash=content_hash(body), headers=_HTML)

    def head(self, work: Work, at: datetime) -> Fetched:
        return self.web.head(work, at)


_HTML = {"content-type": "text/html; charset=utf-8"}


def _host(work: Work) -> str:
    return urlsplit(work.job.request.url).hostname or ""


def _free(read: Extracted) -> Extracted:
    return replace(read, items=tuple(_at_nothing(item) for item in read.items))


def _at_nothing(item: Item) -> Item:
    return replace(item, fields={**item.fields, "price": "€ 0,00"}) if "price" in item.fields else item


def _redesigned(read: Extracted) -> bytes:
    """The same words in boxes that nobody knows: each page another, so it is no notice for all."""
    words = " ".join(str(item.fields.get("title", "")) for item in read.items) or "nothing"
    boxes = "".join(f"<x-b><x-i>{word[::-1]}</x-i></x-b>" for word in words.split())
    return f"<!doctype html><html><body><x-app>{boxes}</x-app></body></html>".encode()


def site(name: str, *, stock: int, seed: int, outages: Sequence[Incident]) -> ClassifiedsSite:
    """A small site that is ill from time to time."""
    truth = ClassifiedsTruth(seed=seed, start=START, stock=stock, mean_life_days=40)
    faults = [
        Fault(kind=each.kind, since=each.since, until=each.until, delay=20 * timedelta(minutes=1))
        for each in outages
        if isinstance(each.kind, FaultKind) and each.until is not None
    ]
    return ClassifiedsSite(name=name, classifieds=truth, per_page=25, faults=faults)


def incidents(names: Sequence[str], *, seed: int, days: float) -> list[Incident]:
    """Outages on every site, and breaks one after the other; never two things at once on one site."""
    luck = random.Random(f"year {seed}")
    breaks = list(_breaks(names, luck, days))
    return [*breaks, *(each for name in names for each in _outages(name, luck, days, breaks))]


def _breaks(names: Sequence[str], luck: random.Random, days: float) -> Iterator[Incident]:
    """Far enough apart for each to be noticed and mended before the next."""
    turns: list[tuple[str, Break]] = []
    at = START + 9 * DAY
    while at < START + DAY * (days - 12):
        turns = turns or luck.sample(every := [(n, k) for k in Break for n in names], len(every))
        name, kind = turns.pop()
        yield Incident(site=name, kind=kind, since=at + HOUR * luck.uniform(0, 24))
        at += DAY * luck.uniform(12, 15)


def _outages(name: str, luck: random.Random, days: float, breaks: Sequence[Incident]) -> Iterator[Incident]:
    kinds: list[FaultKind] = []
    mine = [each.since for each in breaks if each.site == name]
    at = START + 4 * DAY
    while (at := at + DAY * luck.expovariate(1 / 8)) < START + DAY * (days - 4):
        kinds = kinds or luck.sample(list(OUTAGES), len(OUTAGES))
        until = at + HOUR * luck.uniform(*OUTAGES[kinds[-1]])
        if all(until + APART < since or at > since + 2 * APART for since in mine):
            yield Incident(site=name, kind=kinds.pop(), since=at, until=until)
        at = until + APART
