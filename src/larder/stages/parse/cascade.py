"""The cascade: strategies in a fixed order; the first with results wins.

Later strategies only add fields that the winner lacks, each under its own name. After a strategy that raises,
a note is made and the next one is tried: one broken block must not cost the page.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from larder.core.errors import BadInput
from larder.core.model.item import Extracted, Failed, Item, NextEvidence, NextPage, RowShape, Strategy
from larder.core.model.job import Purpose
from larder.core.model.outcome import FailReason
from larder.core.model.site_profile import applied_profile
from larder.core.model.source import Kind, Source
from larder.sdk.adapter import SiteAdapter
from larder.sdk.page import Page
from larder.sdk.selectors import Part, read_selectors
from larder.stages.parse.agenda.join_markup import join_with_visible_events
from larder.stages.parse.agenda.timetables.line_rows import as_agenda
from larder.stages.parse.blocked import block_reason
from larder.stages.parse.declared import selectors
from larder.stages.parse.embedded_state import embedded_items
from larder.stages.parse.extraction_task import ExtractionTask, Finder
from larder.stages.parse.feeds import Feed, feed, feed_of
from larder.stages.parse.feeds.sitemaps import wanted_sitemaps
from larder.stages.parse.heuristic.strategy import heuristic
from larder.stages.parse.index_rows.join_markup import join_with_visible_rows
from larder.stages.parse.index_rows.known_rows import row_shapes, with_unread_rows
from larder.stages.parse.page_corrections import corrected_by_page
from larder.stages.parse.pagination import advertised_total, find_next, is_last
from larder.stages.parse.profile.reading import read_profiled
from larder.stages.parse.structured import json_ld, microdata
from larder.stages.parse.unread import result_without_items, run_guarded

STRATEGIES: Mapping[Strategy, Finder] = {
    Strategy.FEED: feed,
    Strategy.JSON_LD: json_ld,
    Strategy.MICRODATA: microdata,
    Strategy.EMBEDDED: embedded_items,
    Strategy.SELECTORS: selectors,
    Strategy.HEURISTIC: heuristic,
}


def parse(page: Page, *, source: Source, adapter: SiteAdapter, purpose: Purpose) -> Extracted | Failed:
    """The items on the page, or why there are none. Never raises for a site's content."""
    notes: list[str] = ["page cut at its size limit"] if page.cut else []
    own = run_guarded(partial(_read_by_adapter, page, adapter, purpose), f"adapter {adapter.id}", notes)
    if isinstance(own, Failed):
        return replace(own, notes=(*own.notes, *notes))
    task = _extraction_task(page, source, purpose)
    if own is not None:
        return _with_adapter_result(own, task, notes)
    if (profile := applied_profile(source.params)) is not None:
        return read_profiled(
            task, profile, allowed_strategies(source.params), partial(run_cascade, notes=notes)
        )
    return run_cascade(task, allowed_strategies(source.params), notes)


def _extraction_task(page: Page, source: Source, purpose: Purpose) -> ExtractionTask:
    """The page as strategies see it: an agenda has short months written out, and dated lines as rows."""
    if source.kind is Kind.EVENT:
        page = as_agenda(page)
    return ExtractionTask(
        page=page, kind=source.kind, purpose=purpose, declared=declared_part(source.params, purpose)
    )


def _with_adapter_result(own: Extracted, task: ExtractionTask, notes: list[str]) -> Extracted:
    """The adapter's result; the next page is searched unless it names one or says that there is none."""
    following = own.next_page
    if task.wants_rows and following is None and not own.last:
        following = run_guarded(partial(find_next, task), "next page", notes)
    return replace(own, next_page=following, notes=(*own.notes, *notes))


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """The result of one strategy, whether or not it would win."""

    strategy: str
    items: tuple[Item, ...] = ()
    note: str = ""


def attempts(page: Page, *, source: Source, adapter: SiteAdapter, purpose: Purpose) -> tuple[Attempt, ...]:
    """The result of every strategy, the adapter's first, for people who want to see why."""
    task = _extraction_task(page, source, purpose)
    own = _attempt(f"adapter {adapter.id}", partial(_adapter_items, page, adapter, purpose))
    others = (_attempt(name, partial(find, task)) for name, find in STRATEGIES.items())
    return (own, *others)


def _attempt(strategy: str, find: Callable[[], list[Item]]) -> Attempt:
    notes: list[str] = []
    items = run_guarded(find, strategy, notes) or []
    return Attempt(strategy=strategy, items=tuple(items), note="; ".join(notes))


def _adapter_items(page: Page, adapter: SiteAdapter, purpose: Purpose) -> list[Item]:
    own = _read_by_adapter(page, adapter, purpose)
    return list(own.items) if isinstance(own, Extracted) else []


def parse_payload(payload: Any, *, adapter: SiteAdapter) -> Extracted | Failed:
    """Items that came without a page: complete ones pass through, the adapter reads rows."""
    rows = payload if isinstance(payload, list | tuple) else [payload]
    if all(isinstance(row, Item) for row in rows):
        return Extracted(items=tuple(rows), strategy="payload")
    notes: list[str] = []
    found = run_guarded(partial(adapter.read_payload, rows), f"adapter {adapter.id}", notes)
    return found or Failed(reason=FailReason.PAGE_STRUCTURE_CHANGED, notes=tuple(notes))


def _read_by_adapter(page: Page, adapter: SiteAdapter, purpose: Purpose) -> Extracted | Failed | None:
    return adapter.read_index(page) if purpose is Purpose.INDEX else adapter.read_detail(page)


def declared_part(params: Mapping[str, Any], purpose: Purpose) -> Part | None:
    """The selectors that a source declares for this kind of page; `BadInput` if they are invalid."""
    if "selectors" not in params:
        return None
    both = read_selectors(params["selectors"])
    return both.index if purpose is Purpose.INDEX else both.detail


def allowed_strategies(params: Mapping[str, Any]) -> tuple[Strategy, ...]:
    """The strategies a source allows, in the cascade's order."""
    wanted = params.get("strategies")
    if wanted is None:
        return tuple(STRATEGIES)
    unknown = sorted(set(map(str, wanted)) - set(Strategy))
    if unknown:
        raise BadInput(f"unknown strategy {', '.join(unknown)}", hint=f"known: {', '.join(Strategy)}")
    return tuple(strategy for strategy in STRATEGIES if strategy in set(wanted))


def run_cascade(task: ExtractionTask, strategies: Sequence[Strategy], notes: list[str]) -> Extracted | Failed:
    """Run the cascade over one page. A page with markup is no refusal; any other may be one."""
    if task.wants_rows and Strategy.FEED in strategies:
        document = run_guarded(partial(task.page.cached, feed_of), Strategy.FEED, notes)
        if document is not None:
            return _feed_result(document, feed(task), task.kind, notes)
    checked = False
    for at, strategy in enumerate(strategies):
        if strategy not in _MARKUP_STRATEGIES and not checked:
            checked = True
            if refused := _blocked(task, notes):
                return refused
        items = run_guarded(partial(STRATEGIES[strategy], task), strategy, notes) or []
        if items:
            items = _joined_with_visible_events(task, items, strategies[at:], notes)
            completed = _completed_by_later(task, items, strategies[at + 1 :], notes)
            shown = run_guarded(partial(corrected_by_page, task, completed), "settling", notes) or completed
            return _extracted(task, _winning_strategy(strategy, shown), shown, notes)
    if refused := None if checked else _blocked(task, notes):
        return refused
    shown = _all_rows(task, (), notes)[1]
    return _extracted(task, Strategy.HEURISTIC, shown, notes) if shown else result_without_items(task, notes)


def _feed_result(document: Feed, items: Sequence[Item], kind: Kind, notes: list[str]) -> Extracted:
    """The result of a feed, which is read in full: it is the last page, unless it names the next."""
    following = NextPage(
        url=document.next_url, evidence=NextEvidence.REL, because="the feed names its next page"
    )
    if document.cut:
        notes.append(f"feed: {document.cut}"[:300])
    return Extracted(
        items=tuple(items),
        strategy=Strategy.FEED,
        last=not document.next_url,
        next_page=following if document.next_url else None,
        indexes=wanted_sitemaps(document.indexes, kind),
        advertised=document.total if not document.next_url else None,
        notes=tuple(notes),
    )


def _joined_with_visible_events(
    task: ExtractionTask, items: list[Item], strategies: Sequence[Strategy], notes: list[str]
) -> list[Item]:
    """The items; events from markup are joined with those visible on the page."""
    if (
        task.kind is not Kind.EVENT
        or strategies[0] not in _DATA_STRATEGIES
        or Strategy.HEURISTIC not in strategies
    ):
        return items
    seen = run_guarded(partial(heuristic, task), Strategy.HEURISTIC, notes)
    return (
        run_guarded(partial(join_with_visible_events, task.page, items, seen), "visible events", notes)
        if seen
        else None
    ) or items


_MARKUP_STRATEGIES = frozenset({Strategy.FEED, Strategy.JSON_LD, Strategy.MICRODATA})
_DATA_STRATEGIES = _MARKUP_STRATEGIES | {Strategy.EMBEDDED}


def _blocked(task: ExtractionTask, notes: list[str]) -> Failed | None:
    refused = run_guarded(partial(block_reason, task.page), "blocked pages", notes)
    return Failed(reason=FailReason.BLOCKED_PAGE, details=refused, notes=tuple(notes)) if refused else None


def _extracted(task: ExtractionTask, strategy: str, items: Sequence[Item], notes: list[str]) -> Extracted:
    if not task.wants_rows and len(items) < 2:  # several items are an index, whatever the page was read as
        return Extracted(items=tuple(items), strategy=strategy, notes=tuple(notes))
    shapes, items, unread = _all_rows(task, items, notes)
    return Extracted(
        items=tuple(items),
        strategy=strategy,
        last=run_guarded(partial(is_last, task), "last page", notes),
        next_page=run_guarded(partial(find_next, task), "next page", notes),
        advertised=run_guarded(partial(advertised_total, task, len(items)), "rows advertised", notes),
        row_shapes=shapes,
        unread=unread,
        notes=tuple(notes),
    )


def _all_rows(
    task: ExtractionTask, items: Sequence[Item], notes: list[str]
) -> tuple[tuple[RowShape, ...], Sequence[Item], int]:
    """The page's row shapes; its items with those of unread rows; rows without a title."""
    if not task.wants_rows:
        return (), items, 0
    shapes = run_guarded(partial(row_shapes, task.page, task.kind, items), "row shapes", notes) or ()
    with_unread = run_guarded(partial(with_unread_rows, task.page, shapes, items), "unread rows", notes)
    return shapes, *(with_unread or (items, 0))


def _completed_by_later(
    task: ExtractionTask, items: Sequence[Item], later: Sequence[Strategy], notes: list[str]
) -> Sequence[Item]:
    """A detail page's only item with fields of later strategies; rows with fields of their cards."""
    if task.wants_rows and task.kind is not Kind.EVENT and Strategy.HEURISTIC in later:
        return _joined_with_visible_rows(task.page, items, notes)
    if task.wants_rows or len(items) != 1:
        return items
    item = items[0]
    for strategy in later:
        if not (lacking := missing_fields(item, task.kind)):
            break
        optional = _OPTIONAL_FIELDS - item.fields.keys()
        finder = partial(STRATEGIES[strategy], replace(task, lacking=lacking | optional))
        for other in (run_guarded(finder, strategy, notes) or [])[:1]:
            item = _filled_from(item, other)
    return [item]


def _joined_with_visible_rows(page: Page, items: Sequence[Item], notes: list[str]) -> Sequence[Item]:
    from_state = items[0].strategy == Strategy.EMBEDDED
    if items[0].strategy == Strategy.SELECTORS:
        return items
    joined = (
        run_guarded(
            partial(join_with_visible_rows, page, items, from_state=from_state), "visible rows", notes
        )
        or items
    )
    return [_without_slug(item) for item in joined] if from_state else joined


def _without_slug(item: Item) -> Item:
    """The item without the part of an address that joins rows to cards: it is no field of a record."""
    return replace(item, fields={name: value for name, value in item.fields.items() if name != "slug"})


def _winning_strategy(strategy: Strategy, items: Sequence[Item]) -> str:
    """The strategy that won; another one if none of its items was taken."""
    return strategy if any(item.strategy == strategy for item in items) else items[0].strategy


_WANTED_FIELDS = {
    Kind.PRODUCT: ("title", "price", "currency", "availability", "sku"),
    Kind.EVENT: ("title", "starts_at", "venue"),
    Kind.LISTING: ("title", "price", "currency", "area", "rooms", "beds", "baths", "address"),
}


_OPTIONAL_FIELDS = frozenset({"brand"})
"""Fields that a later strategy may add, but for which none is run."""


def missing_fields(item: Item, kind: Kind) -> frozenset[str]:
    """The missing fields for which later strategies are run."""
    return frozenset(_WANTED_FIELDS[kind]).difference(item.fields)


def _filled_from(item: Item, other: Item) -> Item:
    more = {name: value for name, value in other.fields.items() if name not in item.fields}
    origins = dict.fromkeys(more, other.strategy)
    return replace(item, fields={**item.fields, **more}, strategies={**item.strategies, **origins})
