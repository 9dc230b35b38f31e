"""Monitor fetches targets (watched URLs) that are due, by priority, a window at a time.

Where a feed names the source's targets, it is read first whenever it is due (`target_feed`).
"""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from larder.core.model.job import Purpose
from larder.core.model.run import PageSeen, PagesSelected, RunKind, RunStatus, Trigger
from larder.core.model.source import Plan, Source
from larder.core.plurals import plural
from larder.runs import target_feed
from larder.runs.fold import Event, Fold, FoldStep, RunEnd, RunStart, Selection, SelectPages, State
from larder.runs.fold_state import as_state
from larder.runs.target_feed import FeedReading

EVERY = timedelta(minutes=1)
"""How often a source checks which of its targets are due."""
WINDOW = 50
MAX_ITEMS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitor:
    """The state of a monitor."""

    limit: int = MAX_ITEMS
    under_way: int = 0
    looked_at: int = 0
    failed: int = 0
    done: bool = False
    feed: FeedReading = field(default_factory=FeedReading)


class _MonitorFold(Fold):
    kind = RunKind.MONITOR
    plans = frozenset({Plan.MONITOR})
    rank = 2
    every = EVERY
    extracts = starts_at_once = reads_targets = True

    def reads_feed(self, source: Source, memory: State, now: datetime) -> bool:
        return target_feed.is_due(source, memory, now)

    def start(self, start: RunStart) -> FoldStep:
        source, feed = start.source, target_feed.load(start.memory.get("feed"))
        by_hand = start.trigger is Trigger.MANUAL
        if source.feed_url and (by_hand or self.reads_feed(source, start.memory, start.now)):
            feed = target_feed.begin(source.feed_url, start.now)
        state = Monitor(limit=source.max_items_per_run or MAX_ITEMS, feed=feed)
        return FoldStep(state=as_state(state), ask=(feed.next_document if feed.under_way else _ask(state),))

    def step(self, state: State, event: Event) -> FoldStep:
        monitor = _load(state)
        if isinstance(event, PageSeen) and event.purpose is Purpose.FEED:
            return _after_document(monitor, event) if monitor.feed.under_way else FoldStep(state=state)
        if isinstance(event, PagesSelected):
            monitor = replace(monitor, under_way=event.pages, done=event.pages == 0)
            return FoldStep(state=as_state(monitor), done=monitor.done)
        if not isinstance(event, PageSeen) or event.purpose is not Purpose.TARGET:
            return FoldStep(state=state, done=monitor.done)
        monitor = replace(
            monitor,
            under_way=monitor.under_way - 1,
            looked_at=monitor.looked_at + 1,
            failed=monitor.failed + (not event.read),
        )
        if monitor.under_way > 0:
            return FoldStep(state=as_state(monitor))
        if monitor.looked_at >= monitor.limit:
            return FoldStep(state=as_state(replace(monitor, done=True)), done=True)
        return FoldStep(state=as_state(monitor), ask=(_ask(monitor),))

    def end(self, state: State, *, failed: int, now: datetime) -> RunEnd:  # noqa: ARG002
        monitor = _load(state)
        memory, unread = monitor.feed.memory, monitor.feed.error if monitor.feed.documents else ""
        if monitor.looked_at and monitor.failed == monitor.looked_at:
            error = f"{plural(monitor.looked_at, 'target')} checked, none could be read"
            return RunEnd(status=RunStatus.FAILED, memory=memory, error_code="no_target_read", error=error)
        status = RunStatus.PARTIAL if failed or unread else RunStatus.COMPLETED
        if not unread:
            return RunEnd(status=status, memory=memory)
        error = f"feed: {unread}; no target was taken out"
        return RunEnd(status=status, memory=memory, error_code="feed_unread", error=error)


MONITOR = _MonitorFold()


def _load(state: State) -> Monitor:
    return Monitor(**{**state, "feed": target_feed.load(state.get("feed"))})


def _after_document(monitor: Monitor, seen: PageSeen) -> FoldStep:
    """The next document of the feed; after the last one, the targets that are due."""
    feed = target_feed.after_document(monitor.feed, seen)
    monitor = replace(monitor, feed=feed)
    if feed.under_way:
        return FoldStep(state=as_state(monitor), ask=(feed.next_document,))
    read_at = None if feed.error else datetime.fromisoformat(feed.at)
    return FoldStep(state=as_state(monitor), ask=(_ask(monitor),), feed_read_at=read_at)


def _ask(monitor: Monitor) -> SelectPages:
    return SelectPages(what=Selection.TARGETS, limit=min(WINDOW, monitor.limit - monitor.looked_at))
