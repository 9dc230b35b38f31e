"""What one finished page tells: to the dataset, to the books of its run, and to that run's next step."""

import hashlib
from collections import Counter
from collections.abc import Sequence

from larder.core.model.item import Extracted
from larder.core.model.job import Purpose
from larder.core.model.outcome import FetchOutcome
from larder.core.model.run import PageSeen
from larder.engine.progress.job_outcome import Finished
from larder.engine.progress.run_progress import RunProgress
from larder.engine.work_items import ProcessedPage
from larder.runs import FOLDS
from larder.stages.persist import PageItems, Persisted


def page_items(each: ProcessedPage, progress: RunProgress) -> PageItems:
    """What a page brings into the dataset."""
    job = each.work.job
    return PageItems(
        job_id=job.id,
        run_id=job.run_id,
        page_id=each.page_id or 0,
        source=each.work.source,
        purpose=job.request.purpose,
        adapter_version=progress.version,
        fetched_at=each.fetched.fetched_at,
        staged=each.staged,
        number=job.request.number,
        discovers=FOLDS[progress.run.kind].marks_discovered and job.request.purpose is Purpose.INDEX,
        expects=job.request.context.get("key"),
    )


def was_read(each: ProcessedPage) -> bool:
    """There is something to take from it: it was read, or it says what it said before."""
    return each.unchanged or isinstance(each.reading, Extracted)


def page_yield(each: ProcessedPage, page: PageItems) -> tuple[int, str, int, int | None, int | None]:
    """What reading the page gave; a page that did not change gives what it gave before."""
    count = each.work.last.yielded if each.unchanged and each.work.last else len(page.staged)
    last, advertised = _index_facts(each)
    return page.page_id, page.adapter_version, count, None if last is None else int(last), advertised


def _index_facts(each: ProcessedPage) -> tuple[bool | None, int | None]:
    """What an index page says of itself: is it the last, how many rows are there in all?"""
    if each.unchanged and each.work.last:
        return each.work.last.last, each.work.last.advertised
    if isinstance(each.reading, Extracted):
        return each.reading.last, each.reading.advertised
    return None, None


def run_counts(each: ProcessedPage, verdict: Finished, got: Persisted | None) -> Counter[str]:
    """What it adds to its run's counters."""
    counts = Counter(attempted=1, failed=int(verdict.failed), pages=int(was_read(each)))
    counts.update(dropped=len(each.dropped), quarantined=len(each.quarantined))
    if got is not None:
        counts.update(inserted=len(got.new), updated=got.updated, unchanged=got.unchanged)
        counts.update(extracted=_extracted(each))
    return counts


def _extracted(each: ProcessedPage) -> int:
    """How many items the page gave; an unchanged one counts with its last yield."""
    if each.unchanged and each.work.last:
        return each.work.last.yielded
    return len(each.staged) + len(each.dropped) + len(each.quarantined)


def page_event(each: ProcessedPage, verdict: Finished, got: Persisted | None) -> PageSeen:
    """What its run's next step may know of it."""
    request, outcome = each.work.job.request, each.fetched.outcome
    last, advertised = _index_facts(each)
    return PageSeen(
        purpose=request.purpose,
        at=each.fetched.fetched_at,
        number=request.number,
        read=got is not None and not verdict.failed,
        missing=outcome in (FetchOutcome.NOT_FOUND, FetchOutcome.GONE),
        new=got.new if got else (),
        known=got.discovered_at if got else (),
        left_out=len(each.dropped) + len(each.quarantined),
        last=last,
        advertised=advertised,
        verdict=each.verdict,
        control=bool(request.context.get("control")),
        shows=_fingerprint(got.ids) if got else "",
    )


def _fingerprint(ids: Sequence[int]) -> str:
    """A short name for these records in this order."""
    return hashlib.sha256(repr(ids).encode()).hexdigest()[:16] if ids else ""
