"""Compares two readings of the same pages, item by item and field by field."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from larder.core.model.item import BY_HAND, Failed, Staged
from larder.core.model.job import Purpose
from larder.core.model.outcome import QuarantineReason
from larder.core.policy.trust.canary import (
    SAMPLES,
    Comparison,
    DifferenceSample,
    field_diffs,
)
from larder.stages.persist.timeline import as_stored
from larder.store.pages.archive import PageVersion, RecordOnPage
from larder.store.pages.page_rows import PageRow

if TYPE_CHECKING:
    from larder.engine.processing.process_page import NormalizedPage


MAX_SAMPLE = 200
"""Characters of a value in a sample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReading:
    """A stored page, the records it showed, and the content it gave them."""

    page: PageRow
    purpose: Purpose
    showed: Sequence[RecordOnPage]
    versions: Sequence[PageVersion]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reread:
    """The page as read now; None: its body is no longer stored."""

    before: StoredReading
    now: "NormalizedPage | None"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A record's content from one page, then and now."""

    page: PageRow
    key: str
    then: Mapping[str, Any]
    now: Mapping[str, Any]


def compare(readings: Sequence[Reread]) -> Comparison:
    """Compare pages, items and fields."""
    there = [(each.before, each.now) for each in readings if each.now is not None]
    matched = [(before, now, _matched(before, now.staged)) for before, now in there]
    pairs = [pair for before, _, found in matched for pair in _pairs(before, found)]
    known = sum(len(_known(before)) for before, _ in there)
    common = sum(len(found) for _, _, found in matched)
    return Comparison(
        pages=len(there),
        without_body=len(readings) - len(there),
        unreadable=sum(isinstance(now.reading, Failed) for _, now in there),
        items=known,
        vanished=known - common,
        appeared=sum(len(now.staged) for _, now in there) - common,
        zero_prices=sum(
            left.reason is QuarantineReason.ZERO_PRICE for _, now in there for left in now.quarantined
        ),
        fields=field_diffs([(pair.then, pair.now) for pair in pairs]),
        samples=tuple(_samples(pairs))[:SAMPLES],
    )


def _known(before: StoredReading) -> dict[str, str | None]:
    """The records that a page showed: their keys with their URLs."""
    rows: list[RecordOnPage | PageVersion] = [*before.showed, *before.versions]
    return {row.identity_key: row.canonical_url for row in rows}


def _matched(before: StoredReading, staged: Sequence[Staged]) -> dict[str, Staged]:
    """Items found now, by the key they had: matched by key, else by URL."""
    known = _known(before)
    if before.purpose is not Purpose.INDEX and len(known) == len(staged) == 1:
        return {next(iter(known)): staged[0]}
    by_key = {item.identity_key: item for item in staged}
    by_url = {item.canonical_url: item for item in staged if item.canonical_url}
    found = {key: by_key.get(key) or by_url.get(url or "") for key, url in known.items()}
    return {key: item for key, item in found.items() if item is not None}


def _pairs(before: StoredReading, found: Mapping[str, Staged]) -> Iterable[Pair]:
    for row in before.versions:
        if row.identity_key in found and BY_HAND not in (row.strategies or {}).values():
            now = as_stored(found[row.identity_key].fields)
            yield Pair(page=before.page, key=row.identity_key, then=row.content, now=now)


def _samples(pairs: Sequence[Pair]) -> Iterable[DifferenceSample]:
    """One sample for each field that changed, then more."""
    moved = [
        DifferenceSample(
            page=pair.page.id,
            url=pair.page.url,
            item=pair.key,
            field=name,
            was=shortened_sample(pair.then.get(name)),
            now=shortened_sample(pair.now.get(name)),
        )
        for pair in pairs
        for name in sorted({*pair.then, *pair.now})
        if pair.then.get(name) != pair.now.get(name)
    ]
    first = {sample.field: sample for sample in reversed(moved)}
    return (*first.values(), *(sample for sample in moved if first[sample.field] is not sample))


def shortened_sample(value: Any) -> Any:
    """A value short enough to be kept as a sample."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return value if len(text) <= MAX_SAMPLE else f"{text[: MAX_SAMPLE - 1]}…"
