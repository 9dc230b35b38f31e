"""One round of enrichment: days of events that were dropped without one, then categories of coming events.

A batch's values and the cursor behind it commit together, so that nothing is asked or stored twice.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from html import unescape
from typing import Any, Protocol

from larder.core.model.item import Item, Staged
from larder.core.model.job import Purpose
from larder.core.ports import Clock
from larder.engine.background.enrichment.model import Model
from larder.stages.enrich.questions import Question, Topic, choices, dates
from larder.stages.normalize import Context, normalize
from larder.stages.normalize.categories import EventCategory
from larder.stages.normalize.towns import towns_of
from larder.stages.persist import PageItems
from larder.stages.persist.late_pages import persist_late_pages
from larder.stages.persist.refold import refold
from larder.store.database import Connection, Database
from larder.store.operations import enrichment, key_values
from larder.store.operations.enrichment import AUTHOR, UncategorizedRecord, UndatedItem
from larder.store.queue import sources

MAX_BATCHES = 20
"""Maximum batches of one round and topic."""
MAX_AGE = timedelta(days=7)
"""The age above which the model is not asked about an event."""
UNDATED, UNCATEGORIZED = "enriched_items", "enriched_records"
"""The keys under which the cursors are stored."""
METHOD, HYBRID = "method", "hybrid"
_TAG = re.compile(r"<[^>]{0,2000}>")


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrichmentResult:
    """The counts of one round."""

    asked: int = 0
    dated: int = 0
    """Events that became records, with a day that the model read."""
    categorized: int = 0
    discarded: int = 0
    """Items without a usable answer."""
    layouts: int = 0
    """Layouts for whose selectors the model was asked."""
    proven: int = 0
    """Layouts whose selectors were proven."""

    def __add__(self, other: "EnrichmentResult") -> "EnrichmentResult":
        return EnrichmentResult(
            asked=self.asked + other.asked,
            dated=self.dated + other.dated,
            categorized=self.categorized + other.categorized,
            discarded=self.discarded + other.discarded,
            layouts=self.layouts + other.layouts,
            proven=self.proven + other.proven,
        )


class AskedLayout(Protocol):
    """A layout for whose selectors the model was asked."""

    @property
    def proven(self) -> bool:
        """Whether the answer was proven."""
        ...


class SelectorRounds(Protocol):
    """Asks for selectors of layouts that no rule can read."""

    async def round(self) -> Sequence[AskedLayout]:
        """Ask about some layouts."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Enricher:
    """Asks the language model about all waiting items."""

    database: Database
    clock: Clock
    model: Model
    selectors: Sequence[SelectorRounds] = ()

    async def round(self) -> EnrichmentResult:
        """Process batches until nothing waits or the model may not be asked."""
        total = EnrichmentResult()
        for batch in (self._dates, self._categories):
            for _ in range(MAX_BATCHES):
                limit = await self.model.batch_size()
                one = await batch(limit) if limit else None
                if one is None:
                    break
                total += one
        for rounds in self.selectors:
            asked = await rounds.round()
            total += EnrichmentResult(layouts=len(asked), proven=sum(each.proven for each in asked))
        return total

    async def _dates(self, limit: int) -> EnrichmentResult | None:
        """Date one batch of items; None where nothing waits or nothing was answered."""
        now = self.clock.now()
        waiting, cursor = await self.database.run(_undated, limit, now=now)
        if not waiting:
            await self.database.run(key_values.write, UNDATED, cursor, now=now)
            return None
        questions = [Question(id=at, texts=_item_texts(item)) for at, item in enumerate(waiting)]
        text = await self.model.ask(Topic.DATE, questions)
        if text is None:
            return None
        days = dates(text, questions, today=now)
        dated = {at: (waiting[at], day) for at, day in days.items()}
        stored = await self.database.run(_store_dated, list(dated.values()), cursor, now=now)
        return EnrichmentResult(asked=len(questions), dated=stored, discarded=len(questions) - stored)

    async def _categories(self, limit: int) -> EnrichmentResult | None:
        now = self.clock.now()
        waiting, cursor = await self.database.run(_uncategorized, limit, now=now)
        if not waiting:
            await self.database.run(key_values.write, UNCATEGORIZED, cursor, now=now)
            return None
        questions = [Question(id=at, texts=_record_texts(record)) for at, record in enumerate(waiting)]
        text = await self.model.ask(Topic.CATEGORY, questions, list(EventCategory))
        if text is None:
            return None
        values = {
            waiting[at].id: value for at, value in choices(text, questions, list(EventCategory)).items()
        }
        await self.database.run(_store_categories, values, cursor, now=now)
        return EnrichmentResult(
            asked=len(questions), categorized=len(values), discarded=len(questions) - len(values)
        )


def _undated(conn: Connection, limit: int, *, now: datetime) -> tuple[list[UndatedItem], int]:
    after = key_values.read(conn, UNDATED) or 0
    return enrichment.list_undated(conn, after=after, since=now - MAX_AGE, limit=limit)


def _uncategorized(conn: Connection, limit: int, *, now: datetime) -> tuple[list[UncategorizedRecord], int]:
    after = key_values.read(conn, UNCATEGORIZED) or 0
    default = EventCategory.COMMUNITY
    return enrichment.list_uncategorized(conn, default, after=after, now=now, limit=limit)


def _item_texts(item: UndatedItem) -> Mapping[str, str]:
    """What the page showed, without markup and addresses."""
    fields = item.fields
    values = {
        name: str(fields[name]) for name in ("title", "starts_at", "date", "description") if fields.get(name)
    }
    return {**values, "row": unescape(_TAG.sub(" ", item.block or ""))}


def _record_texts(record: UncategorizedRecord) -> Mapping[str, str]:
    texts = {name: str(record.content[name]) for name in ("venue", "description") if record.content.get(name)}
    return {"title": record.title, **texts}


def _store_dated(
    conn: Connection, read: Sequence[tuple[UndatedItem, str]], cursor: int, *, now: datetime
) -> int:
    """Store events with the day that the model read, as of when they were seen; how many were valid."""
    stored = sum(_store_one(conn, item, day, now=now) for item, day in read)
    key_values.write(conn, UNDATED, cursor, now=now)
    return stored


def _store_one(conn: Connection, item: UndatedItem, day: str, *, now: datetime) -> bool:
    found = sources.load(conn, [item.source_id])
    if item.source_id not in found:
        return False
    source, purpose = found[item.source_id], Purpose(item.purpose or Purpose.INDEX)
    context = Context.of(
        source,
        base_url=item.final_url or item.url or source.url,
        observed_at=item.observed_at,
        index=purpose is Purpose.INDEX,
        locator=towns_of(source),
    )
    fields: dict[str, Any] = {**item.fields, "starts_at": day}
    staged = normalize(Item(fields=fields, strategies={"starts_at": AUTHOR}), context)
    if not isinstance(staged, Staged):
        return False
    page = PageItems(
        job_id=item.job_id,
        run_id=item.run_id,
        page_id=item.page_id or 0,
        source=source,
        purpose=purpose,
        adapter_version=item.adapter_version or "unknown",
        fetched_at=item.observed_at,
        staged=[replace(staged, fields={**staged.fields, METHOD: HYBRID}, digest=None)],
        number=item.number,
    )
    return bool(persist_late_pages(conn, [page], now=now)[page.job_id].ids)


def _store_categories(conn: Connection, values: Mapping[int, str], cursor: int, *, now: datetime) -> None:
    changed = {
        record_id: {"category": category, METHOD: HYBRID}
        for record_id, category in values.items()
        if category != EventCategory.COMMUNITY
    }
    if changed:
        enrichment.add_versions(conn, changed, now=now)
        refold(conn, list(changed), now=now)
    key_values.write(conn, UNCATEGORIZED, cursor, now=now)
