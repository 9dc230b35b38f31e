"""Computes records after a batch of pages, in memory, before anything is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

from larder.core.errors import BadInput
from larder.core.model.item import Staged
from larder.core.model.job import Purpose
from larder.core.model.record import Availability, Observed
from larder.core.model.source import Source
from larder.sdk.urls import canonical_url, is_http
from larder.stages.persist.merge import merge, with_surer_currency
from larder.store.content_digest import digest
from larder.store.database import moment_or_none
from larder.store.dataset.record_rows import KnownRecord

MAX_CHARACTERS = 500
"""Of a column; the content itself is kept whole."""

FactValue = tuple[int | None, str | None]
"""An observed value: an amount with its currency, or a word."""


RecordKey = tuple[int, str]
"""A source, and the key or the fingerprint of a record in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageItems:
    """One page's staged items to persist."""

    job_id: int
    run_id: int
    page_id: int
    source: Source
    purpose: Purpose
    adapter_version: str
    fetched_at: datetime
    staged: Sequence[Staged]
    number: int | None = None
    discovers: bool = False
    """Read by a discovery: its rows count as discovered."""
    expects: str | None = None
    """The identity key of the one record that a detail page is about."""
    doubts_prices: bool = False
    """A price that looks like a decimal slip of the last one is held back until it is confirmed."""
    stands_for_records: bool = True
    """When it comes again unchanged, all that is known of its records is confirmed."""
    shared: frozenset[str] = frozenset()
    """Addresses that more of its items had than are still in `staged`."""
    url: str = ""

    @property
    def index_url(self) -> str | None:
        """The canonical address of an index page; None for pages of single records."""
        if self.purpose is not Purpose.INDEX:
            return None
        return canonical_url(self.url) if is_http(self.url) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordMention:
    """One page's values for one record."""

    page: PageItems
    key: str
    staged: Staged
    digest: str
    address: str | None = None
    """Its canonical address, where no other item of its page has the same: it identifies the record."""
    record_key: RecordKey = field(init=False, repr=False, compare=False)
    """The source and the key under which its record is stored."""
    is_row: bool = field(init=False, repr=False, compare=False)
    """Said by an index row, not by the record's own page."""

    def __post_init__(self) -> None:
        """Compute once what a batch uses many times."""
        object.__setattr__(self, "record_key", (self.page.source.id, self.key))
        object.__setattr__(self, "is_row", self.page.purpose is Purpose.INDEX)


@dataclass(slots=True, kw_only=True)
class Observation:
    """A fact that is new in this batch."""

    mention: RecordMention
    fact: Observed
    value: FactValue
    changed: bool
    """There was another value before."""
    confirmed_at: datetime


@dataclass(slots=True, kw_only=True)
class WorkingRecord:
    """A record while mentions are folded onto it."""

    id: int | None
    source: Source
    key: str
    content: dict[str, Any] = field(default_factory=dict)
    content_hash: str = ""
    row_hash: str | None = None
    detailed_at: datetime | None = None
    discovered_at: datetime | None = None
    active: bool = True
    seen_by: int | None = None
    """The last run that saw it."""
    pinned: bool = False
    pins: dict[str, Any] = field(default_factory=dict)
    """Values that an operator fixed; they win over what pages say."""
    currency: str | None = None
    """The one we know: a page that leaves it out means this."""
    facts: dict[Observed, FactValue] = field(default_factory=dict)
    mentions: list[RecordMention] = field(default_factory=list)
    folded: list[RecordMention] = field(default_factory=list)
    """Those of them that were folded in."""
    versions: list[RecordMention] = field(default_factory=list)
    observed: list[Observation] = field(default_factory=list)
    confirmed: dict[Observed, datetime] = field(default_factory=dict)
    """When a fact that was known before this batch was seen again."""
    read: bool = False

    @property
    def changed(self) -> bool:
        """Whether its content differs from the stored one."""
        return bool(self.versions)

    def is_double(self, mention: RecordMention) -> bool:
        """Whether the mention is another name of this record, in a run that has seen the record."""
        return mention.is_row and mention.key != self.key and self.seen_by == mention.page.run_id

    def fold(self, mention: RecordMention) -> bool:
        """Fold a mention; True where it changed the content."""
        double = self.is_double(mention)
        self.mentions.append(mention)
        self.seen_by = mention.page.run_id
        if double:
            return False  # it is known already
        self.folded.append(mention)
        facts_changed = self._observe(mention)
        if mention.is_row and mention.digest == self.row_hash:
            return False
        self.read = True
        changed = self._merge(mention)
        if mention.is_row:
            self.row_hash = mention.digest
        else:
            self.detailed_at = mention.page.fetched_at
            self.row_hash = None if facts_changed else self.row_hash
        return changed

    def _observe(self, mention: RecordMention) -> bool:
        changed = False
        fields = with_surer_currency(mention.staged.fields, self.currency)
        self.currency = fields.get("currency") or self.currency
        for fact, fact_value in facts_of(fields).items():
            value = (fact_value[0], self.currency) if fact is Observed.PRICE else fact_value
            if self.facts.get(fact) == value:
                self._confirm(fact, mention.page.fetched_at)
                continue
            had = fact in self.facts
            self.facts[fact] = value
            at = mention.page.fetched_at
            new = Observation(mention=mention, fact=fact, value=value, changed=had, confirmed_at=at)
            self.observed.append(new)
            changed = True
        return changed

    def _confirm(self, fact: Observed, at: datetime) -> None:
        current = next((seen for seen in reversed(self.observed) if seen.fact is fact), None)
        if current is None:
            self.confirmed[fact] = at
        else:
            current.confirmed_at = at

    def _merge(self, mention: RecordMention) -> bool:
        merged = merge(
            self.content,
            mention.staged.fields,
            purpose=mention.page.purpose,
            detailed=self.detailed_at is not None,
        )
        merged |= self.pins
        merged_hash = digest(merged)
        if merged_hash == self.content_hash:
            return False
        self.content, self.content_hash = merged, merged_hash
        self.versions.append(mention)
        return True


def mentions_of(page: PageItems) -> list[RecordMention]:
    """The mentions of a page, one for each record: the first mention of a key (or event) wins."""
    own = page.expects if page.expects and len(page.staged) == 1 else None
    lead = _first_of_several(page)
    first: dict[str, RecordMention] = {}
    prints: set[str] = set()
    shared = shared_addresses(page)
    for staged in page.staged:
        key = own or (page.expects if staged is lead and page.expects else staged.identity_key)
        if key not in first and staged.fingerprint not in prints:
            address = None if staged.canonical_url in shared else staged.canonical_url
            text = staged.digest or digest(staged.fields)
            first[key] = RecordMention(page=page, key=key, staged=staged, digest=text, address=address)
            prints.update([staged.fingerprint] if staged.fingerprint else [])
    return list(first.values())


def _first_of_several(page: PageItems) -> Staged | None:
    """Of an event's own page that lists its shows: the first is the record that it was asked for."""
    if page.purpose is Purpose.INDEX or not page.expects or len(page.staged) < 2:
        return None
    lead, *rest = page.staged
    is_listed = lead.fingerprint and any(item.canonical_url == lead.canonical_url for item in rest)
    return lead if is_listed and all(item.identity_key != page.expects for item in page.staged) else None


def shared_addresses(page: PageItems) -> frozenset[str]:
    """Addresses that do not identify a record: several items have them, or they are the index itself."""
    keys: dict[str, set[str]] = {}
    for staged in page.staged:
        keys.setdefault(staged.canonical_url or "", set()).add(staged.identity_key)
    index = {_canonical(page.source.url)} if page.purpose is Purpose.INDEX else set()
    return page.shared | {url for url, named in keys.items() if len(named) > 1} | index


@lru_cache(maxsize=1024)
def _canonical(url: str) -> str:
    try:
        return canonical_url(url)
    except BadInput:
        return ""


def facts_of(fields: Mapping[str, Any]) -> dict[Observed, FactValue]:
    """The values of a page whose history is kept, where it shows them."""
    facts: dict[Observed, FactValue] = {}
    if fields.get("price_minor") is not None:
        facts[Observed.PRICE] = (fields["price_minor"], fields.get("currency"))
    if fields.get("availability") not in (None, Availability.UNKNOWN):
        facts[Observed.AVAILABILITY] = (None, fields["availability"])
    if fields.get("seller"):
        facts[Observed.SELLER] = (None, str(fields["seller"])[:MAX_CHARACTERS])
    return facts


def from_store(row: KnownRecord, source: Source) -> WorkingRecord:
    """A known record, its content still to be read."""
    columns = {
        "price_minor": row.price_minor,
        "currency": row.currency,
        "availability": row.availability,
        "seller": row.seller,
    }
    return WorkingRecord(
        id=row.id,
        source=source,
        key=row.identity_key,
        content_hash=row.content_hash,
        row_hash=row.row_hash,
        detailed_at=moment_or_none(row.last_scraped_at),
        discovered_at=moment_or_none(row.discovered_at),
        active=bool(row.active),
        seen_by=row.seen_by_run,
        currency=row.currency,
        pinned=bool(row.pinned),
        facts=facts_of(columns),
    )
