"""A trial: what each strategy finds on a page, which one is used, and the result of validation.

Nothing is stored and nothing is presumed: the verdicts are the pipeline's own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from larder.core.model.item import Dropped, Extracted, Failed, Item, NextPage, Staged
from larder.core.model.source import Kind
from larder.extraction.proposals import Proposal, propose
from larder.extraction.reading import TrialReading, context_of, page_at, read_as_likely_kind
from larder.sdk import Page, SiteAdapter
from larder.stages.normalize import Context, fields_without_validation, normalize, with_profile_values
from larder.stages.parse import Attempt, attempts

CONTEXT_CHARACTERS = 160
STORED, DROPPED, QUARANTINED = "stored", "dropped", "quarantined"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempted:
    """The result of one strategy, whether or not it was used."""

    strategy: str
    items: int = 0
    score: float | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    """The raw fields of the first item."""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One item as a record would have it, with its verdict."""

    verdict: str
    """`stored`, `dropped` or `quarantined`."""
    reason: str = ""
    details: str = ""
    identity_key: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    raw: Mapping[str, Any] = field(default_factory=dict)
    strategies: Mapping[str, str] = field(default_factory=dict)
    """The strategy of each raw field."""
    snippet: str = ""
    """The piece of the page that shows its price or title."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Everything known of one page."""

    url: str
    bytes: int
    kind: str
    adapter: str
    version: str
    purpose: str
    ok: bool
    strategy: str = ""
    reason: str = ""
    details: str = ""
    notes: tuple[str, ...] = ()
    attempts: tuple[Attempted, ...] = ()
    items: tuple[Judged, ...] = ()
    last: bool | None = None
    next_page: NextPage | None = None
    """The next page of an index, and how it was found."""
    advertised: int | None = None
    proposals: tuple[Proposal, ...] = ()
    """How to configure a source of this page."""


def try_page(
    html: bytes | str,
    *,
    url: str | None = None,
    kind: Kind | str | None = None,
    adapter: str | None = None,
    params: Mapping[str, Any] | None = None,
    currency: str | None = None,
    now: datetime | None = None,
) -> Trial:
    """Read a page with every strategy; `params` and `currency` (of bare prices) are a source's."""
    reading = read_as_likely_kind(page_at(html, url), kind=kind, adapter=adapter, params=params)
    result = reading.result
    context = replace(context_of(reading, now), currency=currency)
    items = result.items if isinstance(result, Extracted) else ()
    judged = tuple(_judged(item, reading.reader, reading.page, context) for item in items)
    return Trial(
        url=reading.page.url,
        bytes=len(html.encode() if isinstance(html, str) else html),
        kind=context.kind,
        adapter=reading.reader.id,
        version=reading.reader.version,
        purpose=reading.purpose,
        ok=isinstance(result, Extracted),
        strategy=result.strategy if isinstance(result, Extracted) else "",
        reason=result.reason if isinstance(result, Failed) else "",
        details=result.details if isinstance(result, Failed) else "",
        notes=result.notes,
        attempts=tuple(_attempted(attempt) for attempt in _attempts(reading)),
        items=judged,
        last=result.last if isinstance(result, Extracted) else None,
        next_page=result.next_page if isinstance(result, Extracted) else None,
        advertised=result.advertised if isinstance(result, Extracted) else None,
        proposals=propose(
            reading.page, kind=context.kind, purpose=reading.purpose, items=[each.fields for each in judged]
        ),
    )


def _attempts(reading: TrialReading) -> tuple[Attempt, ...]:
    return attempts(reading.page, source=reading.source, adapter=reading.reader, purpose=reading.purpose)


def _attempted(attempt: Attempt) -> Attempted:
    first = attempt.items[0] if attempt.items else None
    return Attempted(
        strategy=attempt.strategy,
        items=len(attempt.items),
        score=first.score if first else None,
        fields=dict(first.fields) if first else {},
        note=attempt.note,
    )


def _judged(item: Item, reader: SiteAdapter, page: Page, context: Context) -> Judged:
    answered = reader.normalize(item)
    normalized = normalize(answered, context) if isinstance(answered, Item) else answered
    final = with_profile_values(answered, context) if isinstance(answered, Item) else answered.item
    stored = isinstance(normalized, Staged)
    return Judged(
        verdict=STORED if stored else DROPPED if isinstance(normalized, Dropped) else QUARANTINED,
        reason="" if isinstance(normalized, Staged) else normalized.reason,
        details="" if isinstance(normalized, Staged) else normalized.details,
        identity_key=normalized.identity_key if isinstance(normalized, Staged) else "",
        fields={
            **fields_without_validation(final, context),
            **(normalized.fields if isinstance(normalized, Staged) else {}),
        },
        raw=dict(final.fields),
        strategies={name: final.strategies.get(name, final.strategy) for name in final.fields},
        snippet=_snippet(final, page),
    )


def _snippet(item: Item, page: Page) -> str:
    """The part of the page with the item: its own block, else the text around its price or title."""
    if item.block:
        return item.block
    values = (item.fields.get(name) for name in ("price", "starts_at", "title"))
    texts = (value for value in values if isinstance(value, str) and value)
    places = ((page.text.find(value), len(value)) for value in texts)
    return next((_around(page.text, at, at + length) for at, length in places if at >= 0), "")


def _around(text: str, start: int, end: int) -> str:
    """Whole tags or objects if they begin and end nearby."""
    first = max(0, start - CONTEXT_CHARACTERS)
    begin = max(text.rfind("<", first, start), text.rfind("{", first, start))
    close = text.find(">", end, end + CONTEXT_CHARACTERS)
    return text[begin if begin >= 0 else first : close + 1 if close >= 0 else end + CONTEXT_CHARACTERS]
