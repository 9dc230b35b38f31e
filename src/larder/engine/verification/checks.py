"""Records every check, missing pages, and the results that tell how far the source's HEAD can be trusted."""

from collections.abc import Sequence

from larder.core.model.job import Purpose
from larder.core.model.outcome import FetchOutcome
from larder.core.model.run import CheckResult
from larder.core.policy.freshness import FIRST_ERROR
from larder.core.policy.trust.head_trust import HeadTrust
from larder.engine.work_items import ProcessedPage
from larder.sdk.urls import canonical_url
from larder.store.database import Connection, micros
from larder.store.dataset import verifications
from larder.store.dataset.verifications import MissingPageRow, NewVerification
from larder.store.pages import run_pages
from larder.store.queue import sources


def record_checks(conn: Connection, ended: Sequence[ProcessedPage]) -> None:
    """Write the checks of this batch."""
    checked = [page for page in ended if page.work.job.request.purpose is Purpose.CHECK]
    verifications.add(conn, [_row(page) for page in checked])
    for source_id in {page.work.source.id for page in checked}:
        before = sources.head_trust(conn, source_id)
        after = _updated_trust(before, [page for page in checked if page.work.source.id == source_id])
        sources.set_head_trust(conn, source_id, after)


def mark_missing_pages(conn: Connection, ended: Sequence[ProcessedPage]) -> None:
    """Mark records whose own page is missing (404, 410, redirect to the home page)."""
    missing = [page for page in ended if page.fetched.outcome in (FetchOutcome.NOT_FOUND, FetchOutcome.GONE)]
    led_home = [page for page in missing if (page.fetched.status or 0) < FIRST_ERROR]
    run_pages.mark_not_found(conn, {page.page_id: page.fetched.status for page in led_home if page.page_id})
    verifications.mark_missing(conn, [_missing_page(page) for page in missing])


def _missing_page(page: ProcessedPage) -> MissingPageRow:
    fetched = page.fetched
    address = canonical_url(page.work.job.request.url)
    return MissingPageRow(page.work.source.id, address, micros(fetched.fetched_at), fetched.status)


def _row(page: ProcessedPage) -> NewVerification:
    job, fetched, context = page.work.job, page.fetched, page.work.job.request.context
    return NewVerification(
        context["record"],
        job.run_id,
        page.page_id,
        micros(fetched.fetched_at),
        context.get("method", "get"),
        fetched.status,
        page.check_result or CheckResult.UNDECIDED,
        fetched.error or fetched.outcome,
        context.get("window"),
        int(bool(context.get("control"))),
    )


def _updated_trust(trust: HeadTrust, checked: Sequence[ProcessedPage]) -> HeadTrust:
    for page in checked:
        if page.head is not None and page.check_result is not None:
            trust = trust.checked_both_ways(head=page.head, get=page.check_result)
        else:
            trust = trust.checked()
    return trust
