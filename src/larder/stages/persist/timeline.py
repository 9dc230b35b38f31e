"""Computes one record's history after some of its pages were read again, in memory.

Everything that was said of it is folded in order of time: what other pages said stands as it is, what the
pages in question said is replaced by what they say now. The result is what has to be written so that the
history is as if they had been read like that at the time. Where they say what they said, that is nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import orjson

from larder.core.model.item import BY_HAND
from larder.core.model.job import Purpose
from larder.core.model.record import Observed
from larder.stages.persist.merge import merge, with_surer_currency
from larder.stages.persist.record_fold import FactValue, RecordMention, facts_of
from larder.store import json_safe
from larder.store.content_digest import digest
from larder.store.dataset.history import VersionRow
from larder.store.dataset.timelines import ObservationRow


@dataclass(slots=True, kw_only=True, eq=False)
class TimelineFact:
    """A fact that is current at one point of the timeline: stored, or new."""

    value: FactValue
    row: ObservationRow | None = None
    statement: "PageStatement | None" = None
    confirmed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What a page said of a record, and what it says now; None: nothing."""

    record_id: int
    page_id: int
    then: Mapping[str, Any] | None
    now: Mapping[str, Any] | None


@dataclass(slots=True, kw_only=True)
class Timeline:
    """A record's history while it is recomputed."""

    record_id: int
    key: str
    pages: frozenset[int]
    """The pages that are read anew."""
    versions: Sequence[VersionRow] = ()
    facts: Sequence[ObservationRow] = ()
    mentions: list[RecordMention] = field(default_factory=list)

    written: list[RecordMention] = field(default_factory=list)
    overlaid: list[VersionRow] = field(default_factory=list)
    """Versions that give way."""
    observed: list[tuple[Observed, TimelineFact]] = field(default_factory=list)
    unobserved: list[ObservationRow] = field(default_factory=list)
    """Facts that give way."""
    confirmed: list[TimelineFact] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)

    def work_out(self) -> "Timeline":
        """Compute the rows to write."""
        self._contents()
        self._facts()
        return self

    # -- content -------------------------------------------------------------------------------------------

    def _contents(self) -> None:
        """Which mentions become versions, and which versions they replace."""
        old = {row.page_id or 0: row for row in self.versions if self._is_replaced(row)}
        stored, anew = _Fold(), _Fold()
        wanted: dict[int, tuple[RecordMention, dict[str, Any]]] = {}
        before: dict[int, dict[str, Any]] = {}
        for _, _, stated in sorted([*self._standing(), *self._events()], key=lambda each: each[:2]):
            if isinstance(stated, RecordMention):
                fields = as_stored(stated.staged.fields)
                before[stated.page.page_id] = {name: stored.content.get(name) for name in fields}
                if anew.take(fields, stated.page.purpose):
                    wanted[stated.page.page_id] = (stated, fields)
            else:
                stored.take(stated.content, Purpose(stated.purpose))
                if not self._is_replaced(stated):
                    anew.take(stated.content, Purpose(stated.purpose))
        for page_id in sorted({*old, *wanted}):
            self._replace(page_id, old.get(page_id), wanted.get(page_id), before.get(page_id))

    def _replace(
        self,
        page_id: int,
        old: VersionRow | None,
        new: tuple[RecordMention, dict[str, Any]] | None,
        before: dict[str, Any] | None,
    ) -> None:
        if old is not None and new is not None and old.content == new[1]:
            return
        if old is not None:
            self.overlaid.append(old)
        if new is not None:
            self.written.append(new[0])
        then = old.content if old is not None else before
        now = new[1] if new is not None else self._still_stated(page_id)
        if then != now:
            self.differences.append(Difference(record_id=self.record_id, page_id=page_id, then=then, now=now))

    def _still_stated(self, page_id: int) -> dict[str, Any] | None:
        """What a page says that needs no version of its own, because it was known by then."""
        fields = next((m for m in self.mentions if m.page.page_id == page_id), None)
        return None if fields is None else as_stored(fields.staged.fields)

    def _is_replaced(self, row: VersionRow) -> bool:
        return row.page_id in self.pages and BY_HAND not in (row.strategies or {}).values()

    def _standing(self) -> list[tuple[datetime, int, VersionRow | RecordMention]]:
        return [(row.observed_at, row.id, row) for row in self.versions]

    def _events(self) -> list[tuple[datetime, int, VersionRow | RecordMention]]:
        """The pages' mentions in order; a second mention of one record in one run is left out."""
        events: list[tuple[datetime, int, VersionRow | RecordMention]] = []
        runs: set[int] = set()
        for mention in sorted(self.mentions, key=lambda m: (m.page.fetched_at, m.page.page_id)):
            if mention.key == self.key or mention.page.run_id not in runs:
                events.append((mention.page.fetched_at, 0, mention))
            runs.add(mention.page.run_id)
        return events

    # -- facts ---------------------------------------------------------------------------------------------

    def _facts(self) -> None:
        """Which values appear or change where, and for how long each was seen."""
        by_hand = {row.page_id for row in self.versions if BY_HAND in (row.strategies or {}).values()}
        replaced = {row.id for row in self.facts if row.page_id in self.pages - by_hand}
        old = {(row.page_id or 0, Observed(row.field)): row for row in self.facts if row.id in replaced}
        events: list[tuple[datetime, int, ObservationRow | PageStatement]] = [
            *((row.observed_at, 0, row) for row in self.facts if row.id not in replaced),
            *((statement.at, 1, statement) for statement in self._statements()),
        ]
        current: dict[Observed, TimelineFact] = {}
        currency: str | None = None
        for _, _, event in sorted(events, key=lambda each: each[:2]):
            if isinstance(event, PageStatement):
                statement = event.in_currency(currency)
                currency = statement.fields.get("currency") or currency
                self._observe(statement, currency, current, old)
            else:
                current[Observed(event.field)] = TimelineFact(
                    value=(event.amount, event.word), row=event, confirmed_at=event.confirmed_at
                )
                currency = event.word if event.field == Observed.PRICE else currency
        self.unobserved += old.values()

    def _statements(self) -> list["PageStatement"]:
        """The values by time and page: replayed pages and stored versions."""
        standing = [PageStatement.of_version(row) for row in self.versions if not self._is_replaced(row)]
        return [
            *standing,
            *(PageStatement.of(event[2]) for event in self._events() if isinstance(event[2], RecordMention)),
        ]

    def _observe(
        self,
        statement: "PageStatement",
        currency: str | None,
        current: dict[Observed, TimelineFact],
        old: dict[tuple[int, Observed], ObservationRow],
    ) -> None:
        """What one page shows; a stored fact of the same page that says the same is taken from `old`."""
        for fact, fields in facts_of(statement.fields).items():
            value = (fields[0], currency) if fact is Observed.PRICE else fields
            current_fact = current.get(fact)
            if current_fact is not None and current_fact.value == value:
                self._confirm(current_fact, statement.at)
                continue
            row = old.get((statement.page_id, fact))
            if row is not None and (row.amount, row.word) == value:
                del old[statement.page_id, fact]
                current[fact] = TimelineFact(value=value, row=row, confirmed_at=row.confirmed_at)
                continue
            current[fact] = TimelineFact(value=value, statement=statement, confirmed_at=statement.at)
            self.observed.append((fact, current[fact]))

    def _confirm(self, seen_fact: TimelineFact, at: datetime) -> None:
        if at <= seen_fact.confirmed_at:
            return
        seen_fact.confirmed_at = at
        if seen_fact.row is not None and seen_fact not in self.confirmed:
            self.confirmed.append(seen_fact)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageStatement:
    """The values of a record on one page."""

    at: datetime
    fields: Mapping[str, Any]
    run_id: int
    page_id: int
    adapter_version: str

    def in_currency(self, known: str | None) -> "PageStatement":
        """With its price in the known currency, where the page's own is a guess."""
        return replace(self, fields=with_surer_currency(self.fields, known))

    @classmethod
    def of(cls, mention: RecordMention) -> "PageStatement":
        """The values of a page that was just parsed."""
        page = mention.page
        return cls(
            at=page.fetched_at,
            fields=mention.staged.fields,
            run_id=page.run_id,
            page_id=page.page_id,
            adapter_version=page.adapter_version,
        )

    @classmethod
    def of_version(cls, row: VersionRow) -> "PageStatement":
        """The values of a stored version."""
        return cls(
            at=row.observed_at,
            fields=row.content,
            run_id=row.run_id,
            page_id=row.page_id or 0,
            adapter_version=row.adapter_version,
        )


@dataclass(slots=True)
class _Fold:
    """A record's content as one version after the other is folded onto it."""

    content: dict[str, Any] = field(default_factory=dict)
    detailed: bool = False

    def take(self, fields: Mapping[str, Any], purpose: Purpose) -> bool:
        """True where that changed the content."""
        merged = merge(self.content, fields, purpose=purpose, detailed=self.detailed)
        self.detailed = self.detailed or purpose is not Purpose.INDEX
        changed = digest(merged) != digest(self.content)
        self.content = merged
        return changed


def as_stored(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields as they come back from the store."""
    events: dict[str, Any] = orjson.loads(json_safe.dumps(dict(fields)))
    return events
