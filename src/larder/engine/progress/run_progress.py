"""Collects the changes to one run by a batch of finished jobs, before they are written."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from larder.core.model.job import INCOMPLETE, ROW_SHAPES, PageRequest, Purpose
from larder.core.model.run import PageSeen, RunStatus, Trigger
from larder.core.model.source import Source
from larder.core.policy.scheduling.priority import claim_order, lane_rank
from larder.core.policy.trust.loss import MAX_ITEMS, LeftOut, sum_left_out
from larder.core.policy.trust.yields import PageYield
from larder.engine.progress import feed_targets, selections
from larder.engine.verification import windows
from larder.runs import FOLDS
from larder.runs.fold import DetailPage, FeedPage, FoldStep, IndexPage, SelectPages, State
from larder.runs.index_walk import shows_again
from larder.sdk.adapter import SiteAdapter
from larder.sdk.revision import version_of
from larder.store.database import Connection
from larder.store.pages.pages import left_out_json, left_out_of
from larder.store.queue.exempt_hosts import lane_of
from larder.store.queue.jobs import HELD_UNTIL, NewJob
from larder.store.queue.runs import Progress, Run


@dataclass(slots=True, kw_only=True)
class RunProgress:
    """One run after this batch."""

    run: Run
    source: Source
    adapter: SiteAdapter
    state: State
    done: bool
    drift: PageYield
    open_jobs: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    left_out: dict[str, LeftOut] = field(default_factory=dict)
    """Left-out items of the whole run, by reason."""
    not_read: dict[str, LeftOut] = field(default_factory=dict)
    """Unread pages of the whole run, by reason."""
    pause: str | None = None
    """Why the run is paused once this batch is written."""
    new_jobs: list[NewJob] = field(default_factory=list)

    @classmethod
    def of(cls, run: Run, source: Source, adapter: SiteAdapter) -> "RunProgress":
        """Progress with nothing added yet."""
        return cls(
            run=run,
            source=source,
            adapter=adapter,
            state=run.state,
            done=run.settled,
            drift=run.drift,
            left_out=left_out_of(run.left_out),
            not_read=left_out_of(run.not_read),
        )

    @property
    def probing(self) -> bool:
        """Whether the run reads live pages with a disabled adapter; none of them is stored."""
        return self.run.trigger is Trigger.RECHECK and FOLDS[self.run.kind].extracts

    @property
    def version(self) -> str:
        """The adapter version that reads its pages."""
        return version_of(self.adapter, self.source.params)

    @property
    def finished(self) -> bool:
        """Whether the run requests nothing more and no job is open."""
        return self.done and self.run.open_jobs + self.open_jobs <= 0

    def shows_again(self, seen: PageSeen) -> bool:
        """Whether an index page shows the same rows as an earlier page of this run."""
        return seen.purpose is Purpose.INDEX and shows_again(self.state, seen)

    def page_ended(self, conn: Connection, seen: PageSeen, *, now: datetime) -> None:
        """Take the fold's next step, as a page of this run is finished."""
        if self.run.status.open:
            self.open_jobs -= 1
        if self.run.status.open and not self.probing:
            self.apply_step(conn, FOLDS[self.run.kind].step(self.state, seen), now=now)

    def apply_step(
        self, conn: Connection, step: FoldStep, *, now: datetime, begins: datetime | None = None
    ) -> None:
        """Apply a step: close its window, queue its pages, resolve its selections."""
        self.state, self.done = step.state, step.done
        self.pause = step.pause or self.pause
        self._count_unasked(step.unasked)
        if step.feed_read_at is not None:
            feed_targets.leave_feed(conn, self.source, read_at=step.feed_read_at, now=now)
        if step.close is not None:
            closed = windows.close_window(conn, self.run.id, step.close, self.source, now=now)
            self.apply_step(conn, FOLDS[self.run.kind].step(self.state, closed), now=now, begins=begins)
        for ask in step.ask:
            if isinstance(ask, SelectPages):
                picked = selections.resolve(conn, ask, self.run, self.source, now=now)
                self._enqueue(picked.pages, now=now, begins=begins)
                answered = FOLDS[self.run.kind].step(self.state, picked.selected)
                self.apply_step(conn, answered, now=now, begins=begins)
            else:
                self._enqueue([_request(ask, self.source, self.adapter)], now=now, begins=begins)

    def _count_unasked(self, pages: Sequence[DetailPage]) -> None:
        """Count detail pages beyond the run's limit, which are not read."""
        if pages:
            details = f"{len(pages)} or more rows beyond the limit of {self.source.max_items_per_run}"
            left_out = LeftOut(items=len(pages), details=details, page=pages[0].url)
            self.not_read = sum_left_out(self.not_read, {MAX_ITEMS: left_out})
            self.counts["pages_not_read"] += len(pages)

    def request_only(self, pages: Sequence[PageRequest], state: State, *, now: datetime) -> None:
        """Queue these pages and no others."""
        self.state, self.done = state, True
        self._enqueue(pages, now=now, begins=now)

    def _enqueue(self, pages: Sequence[PageRequest], *, now: datetime, begins: datetime | None) -> None:
        rank = lane_rank(FOLDS[self.run.kind].rank, self.run.trigger)
        not_before = HELD_UNTIL if self.pause or self.run.status is RunStatus.PAUSED else None
        self.open_jobs += len(pages)
        self.new_jobs += [
            NewJob(
                run_id=self.run.id,
                source_id=self.source.id,
                site_id=lane_of(self.source, page.url),
                adapter=self.source.adapter,
                request=page,
                priority=rank,
                claim_order=claim_order(rank, now),
                not_before=not_before or begins or now,
            )
            for page in pages
        ]

    def to_save(self) -> Progress:
        """The row to save."""
        return Progress(
            run_id=self.run.id,
            state=self.state,
            settled=self.done,
            open_jobs=self.open_jobs,
            counts=self.counts,
            drift=self.drift,
            left_out=left_out_json(self.left_out) or {},
            not_read=left_out_json(self.not_read) or {},
        )


def _request(ask: IndexPage | DetailPage | FeedPage, source: Source, adapter: SiteAdapter) -> PageRequest:
    match ask:
        case IndexPage(number=number, url=url, row_shapes=shapes):
            address = url or adapter.index_url(source, number) or source.url
            known = {ROW_SHAPES: [asdict(shape) for shape in shapes]} if shapes else {}
            return PageRequest(url=address, purpose=Purpose.INDEX, number=number, context=known)
        case DetailPage(url=url, identity_key=key, incomplete=incomplete):
            context: Mapping[str, Any] = {"key": key, **({INCOMPLETE: True} if incomplete else {})}
            return PageRequest(url=url, purpose=Purpose.DETAIL, context=context)
        case FeedPage(url=url, read_at=read_at):
            return PageRequest(url=url, purpose=Purpose.FEED, context={"read_at": read_at.isoformat()})
