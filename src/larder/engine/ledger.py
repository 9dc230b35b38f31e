"""What a batch of finished jobs adds up to, before it is written: one entry for each run it touched."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from larder.core.model.job import PageRequest, Purpose
from larder.core.model.run import RunKind, Seen, Trigger
from larder.core.model.source import Source
from larder.core.policy.priority import claim_order, rank
from larder.runs import FOLDS
from larder.runs.fold import Ask, DetailPage, IndexPage, State
from larder.sdk.adapter import SiteAdapter
from larder.store.jobs import NewJob
from larder.store.runs import Progress, Run


@dataclass(slots=True, kw_only=True)
class Entry:
    """One run, as this batch leaves it."""

    run: Run
    source: Source
    adapter: SiteAdapter
    state: State
    settled: bool
    open_jobs: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    new_jobs: list[NewJob] = field(default_factory=list)

    @classmethod
    def of(cls, run: Run, source: Source, adapter: SiteAdapter) -> "Entry":
        """An entry with nothing added yet."""
        return cls(run=run, source=source, adapter=adapter, state=run.state, settled=run.settled)

    @property
    def finished(self) -> bool:
        """It asks for nothing more, and nothing is under way."""
        return self.settled and self.run.open_jobs + self.open_jobs <= 0

    def page_ended(self, seen: Seen, *, now: datetime) -> None:
        """A page of this run came to its end: the run takes its next step."""
        self.open_jobs -= 1
        if not self.run.status.open:
            return
        step = FOLDS[self.run.kind].step(self.state, seen)
        self.state, self.settled = step.state, step.done
        asked = [self._job(ask, now) for ask in step.ask]
        self.open_jobs += len(asked)
        self.new_jobs += asked

    def _job(self, ask: Ask, now: datetime) -> NewJob:
        return new_job(
            ask,
            run_id=self.run.id,
            kind=self.run.kind,
            trigger=self.run.trigger,
            source=self.source,
            adapter=self.adapter,
            now=now,
        )

    def progress(self) -> Progress:
        """What is to be saved."""
        return Progress(
            run_id=self.run.id,
            state=self.state,
            settled=self.settled,
            open_jobs=self.open_jobs,
            counts=self.counts,
        )


def new_job(
    ask: Ask,
    *,
    run_id: int,
    kind: RunKind,
    trigger: Trigger,
    source: Source,
    adapter: SiteAdapter,
    now: datetime,
    not_before: datetime | None = None,
) -> NewJob:
    """The job that fetches what a run asked for."""
    standing = rank(kind, trigger)
    return NewJob(
        run_id=run_id,
        source_id=source.id,
        site_id=source.site_id,
        adapter=source.adapter,
        request=_request(ask, source, adapter),
        priority=standing,
        claim_order=claim_order(standing, now),
        not_before=not_before or now,
    )


def _request(ask: Ask, source: Source, adapter: SiteAdapter) -> PageRequest:
    match ask:
        case IndexPage(number=number):
            url = adapter.index_url(source, number)
            return PageRequest(url=url, purpose=Purpose.INDEX, number=number)
        case DetailPage(url=url, identity_key=key):
            context: Mapping[str, str] = {"key": key}
            return PageRequest(url=url, purpose=Purpose.DETAIL, context=context)
