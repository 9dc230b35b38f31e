"""A dead letter from its first failure to its last retry, by the engine's own claim and commit."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, select, update

from larder import adapters
from larder.actions.operations import dead_letters
from larder.actions.operations.dead_letters import DeadLetterFilter
from larder.actions.sources import sites
from larder.core.errors import BadInput, Conflict
from larder.core.model.item import Extracted, Failed, Item
from larder.core.model.outcome import FailReason, FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.run import RunKind, RunStatus
from larder.core.policy.delivery import Undelivered
from larder.engine.commit import batch, fetched_pages
from larder.engine.parse_workers.in_process import InProcess
from larder.engine.processing.process_page import process_page
from larder.engine.scheduling import dead_letter_retries
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.engine.work_items import FetchedWork, ProcessedPage, Work, Worker
from larder.engine.worker import claims
from larder.sim.virtual import run_inline
from larder.store.database import Database
from larder.store.operations.notifications import outbox
from larder.store.queue import dead_letters as store
from larder.store.queue import runs, sources
from larder.store.tables import dead_letters as letter_rows
from larder.store.tables import jobs, pages, records
from larder.store.tables import runs as run_rows
from larder.store.tables import sources as source_rows
from tests.contract import world
from tests.contract.world import DAY, HOUR, MINUTE, NOW, unit_of_work

HOW = DispatchSettings(adapters={each.id: each for each in adapters.known()}, chance=Random(1))
WHO = Worker(owner="driver", chance=Random(1))
BY: dict[str, Any] = {"who": "ada", "now": NOW + 10 * MINUTE}
URL = "http://homes.test/listing/1"
LISTING = Extracted(items=(Item(fields={"title": "A home", "url": URL, "price": "€ 900"}),))


def claimed(conn: Connection, at: datetime) -> list[Work]:
    taken = claims.claim(conn, WHO, under_way={}, max_jobs=10, now=at, adapters=HOW.adapters)
    return list(taken.work)


def answers(
    conn: Connection, work: Work, at: datetime, reading: Extracted | Failed | None, **said: Any
) -> None:
    """The page of a job comes (or not), is stored, read and committed."""
    outcome = FetchOutcome.OK if reading else FetchOutcome.DNS_ERROR
    url = work.job.request.url
    fetched = Fetched(outcome=outcome, url=url, final_url=url, fetched_at=at, status=None, **said)
    carried = FetchedWork(work=work, fetched=fetched, page_id=work.job.page_id)
    if carried.page_id is None:
        kept = fetched_pages.store_pages(conn, WHO, [carried], [], now=at)
        carried = replace(carried, page_id=kept[work.job.id])
    payload = reading if isinstance(reading, Extracted) else None
    carried = replace(carried, fetched=replace(fetched, payload=payload))
    done = run_inline(process_page(carried, HOW.adapters["listing"], InProcess()))
    if isinstance(reading, Failed):
        done = ProcessedPage(work=work, fetched=fetched, page_id=carried.page_id, reading=reading)
    batch.commit_batch(conn, WHO, [done], HOW.adapters, now=at)


def failed_once(conn: Connection, reading: Failed | None = None) -> None:
    """A run that is over, whose one page failed for good."""
    source_id = world.source(conn)
    sources.adopt(conn, source_id, 1, {RunKind.DISCOVERY: NOW + 1000 * HOUR}, now=NOW)
    world.site(conn, terms_reviewed_at=NOW)
    run_id = world.run(conn, source_id)
    world.enqueue(conn, run_id, [URL], source_id=source_id)
    (work,) = claimed(conn, NOW)
    runs.close(conn, run_id, RunStatus.PARTIAL, now=NOW)
    answers(conn, work, NOW, reading)


def letter(conn: Connection) -> Any:
    return conn.execute(select(letter_rows)).one()


def job(conn: Connection) -> Any:
    return conn.execute(select(jobs)).one()


@unit_of_work
def test_it_is_retried_by_itself_three_times_and_then_waits_for_a_person(conn: Connection) -> None:
    failed_once(conn)
    at = NOW
    for wait in (1, 2, 4):
        assert not dead_letter_retries.retry_due_dead_letters(
            conn, HOW, now=at + wait * HOUR - MINUTE
        ).in_line
        at += wait * HOUR
        assert dead_letter_retries.retry_due_dead_letters(conn, HOW, now=at).in_line == [1]
        assert not dead_letter_retries.retry_due_dead_letters(conn, HOW, now=at + MINUTE).in_line
        (work,) = claimed(conn, at + MINUTE)
        answers(conn, work, at + MINUTE, None)
    assert (letter(conn).status, letter(conn).retries, letter(conn).retry_at) == ("pending", 3, None)
    assert not dead_letter_retries.retry_due_dead_letters(conn, HOW, now=at + 1000 * HOUR).in_line


@unit_of_work
def test_a_retry_that_brings_the_page_resolves_it_and_adds_to_its_run(conn: Connection) -> None:
    failed_once(conn)
    dead_letter_retries.retry_due_dead_letters(conn, HOW, now=NOW + HOUR)
    (work,) = claimed(conn, NOW + HOUR)
    answers(conn, work, NOW + HOUR, LISTING)
    assert (letter(conn).status, job(conn).status) == ("resolved", "done")
    assert conn.execute(select(records.c.title)).all() == [("A home",)]
    run = conn.execute(select(run_rows)).one()
    assert (run.status, run.attempted, run.inserted, run.open_jobs) == ("partial", 2, 1, 0)


@unit_of_work
def test_what_failed_after_fetch_goes_on_from_its_stored_page(conn: Connection) -> None:
    failed_once(conn, Failed(reason=FailReason.TITLE_NOT_FOUND))
    dead_letters.retry(conn, DeadLetterFilter(ids=[1]), HOW, **BY)
    (work,) = claimed(conn, NOW + 11 * MINUTE)
    assert (work.job.stage, work.job.page_id, work.job.slot) == ("parse", 1, None)
    answers(conn, work, NOW, LISTING)
    assert conn.scalars(select(pages.c.id)).all() == [1]
    assert letter(conn).status == "resolved"


@unit_of_work
def test_a_wall_is_not_read_again_but_fetched(conn: Connection) -> None:
    failed_once(conn, Failed(reason=FailReason.BLOCKED_PAGE))
    dead_letters.retry(conn, DeadLetterFilter(type="blocked_page"), HOW, **BY)
    (work,) = claimed(conn, NOW + 11 * MINUTE)
    assert (work.job.stage, work.job.page_id) == ("fetch", None)


@unit_of_work
def test_an_old_page_does_not_speak_over_a_newer_one(conn: Connection) -> None:
    failed_once(conn, Failed(reason=FailReason.TITLE_NOT_FOUND))
    newer = world.Pages(conn, 1)
    home = world.staged(1, key=f"URL:{URL}", url=URL, title="Home", price_minor=70000, currency="EUR")
    newer.keep(newer.page(home, at=NOW + MINUTE))
    key = conn.scalar(select(records.c.identity_key))
    old = LISTING.items[0]
    dead_letters.retry(conn, DeadLetterFilter(ids=[1]), HOW, **BY)
    (work,) = claimed(conn, NOW + 11 * MINUTE)
    work = replace(work, job=replace(work.job, request=replace(work.job.request, context={"key": key})))
    answers(conn, work, NOW, Extracted(items=(old,)))
    (record,) = conn.execute(select(records)).all()
    assert (record.price_minor, record.last_seen_at) == (70000, NOW + MINUTE)


@unit_of_work
def test_whoever_asks_twice_gets_one_job(conn: Connection) -> None:
    failed_once(conn)
    waits = store.list_retriable(conn, store.DeadLetterSelection(), limit=10)
    assert store.retry(conn, waits, counted=False, now=NOW + MINUTE) == [1]
    assert store.retry(conn, waits, counted=False, now=NOW + MINUTE) == []
    with pytest.raises(BadInput, match="none of these can be retried"):
        dead_letters.retry(conn, DeadLetterFilter(ids=[1]), HOW, **BY)
    assert len(claimed(conn, NOW + 11 * MINUTE)) == 1


@unit_of_work
def test_what_was_read_meanwhile_is_resolved_without_a_request(conn: Connection) -> None:
    failed_once(conn)
    row = {"job_id": 99, "source_id": 1, "url": URL, "outcome": "ok", "adapter_version": "1"}
    conn.execute(pages.insert().values(**row, fetched_at=NOW + MINUTE))
    assert dead_letter_retries.retry_due_dead_letters(conn, HOW, now=NOW + HOUR).read_since == [1]
    assert (letter(conn).status, letter(conn).resolved_by, job(conn).status) == ("resolved", "larder", "dead")


@unit_of_work
def test_a_letter_of_an_open_run_waits_for_its_end(conn: Connection) -> None:
    failed_once(conn)
    conn.execute(update(run_rows).values(status="running"))
    assert not dead_letter_retries.retry_due_dead_letters(conn, HOW, now=NOW + HOUR).in_line


@unit_of_work
def test_a_shut_gate_holds_it_back_and_counts_as_no_retry(conn: Connection) -> None:
    failed_once(conn)
    conn.execute(update(source_rows).values(enabled=0))
    assert dead_letter_retries.retry_due_dead_letters(conn, HOW, now=NOW + HOUR).held_back == [1]
    assert (letter(conn).retries, letter(conn).retry_at) == (0, NOW + HOUR + dead_letter_retries.LOOK_AGAIN)
    with pytest.raises(BadInput, match="homes is disabled"):
        dead_letters.retry(conn, DeadLetterFilter(source="homes"), HOW, **BY)


@unit_of_work
def test_a_site_that_is_blocked_takes_its_retries_out_of_line(conn: Connection) -> None:
    failed_once(conn)
    dead_letters.retry(conn, DeadLetterFilter(ids=[1]), HOW, **BY)
    sites.block(conn, "homes.test", **BY)
    assert (letter(conn).status, job(conn).status) == ("pending", "dead")
    assert claimed(conn, NOW + HOUR) == []


@unit_of_work
def test_a_retry_that_was_put_aside_waits_again(conn: Connection) -> None:
    failed_once(conn)
    dead_letter_retries.retry_due_dead_letters(conn, HOW, now=NOW + HOUR)
    conn.execute(update(jobs).values(status="stale"))
    dead_letter_retries.retry_due_dead_letters(conn, HOW, now=NOW + HOUR + MINUTE)
    assert (letter(conn).status, job(conn).status) == ("pending", "dead")
    assert dead_letter_retries.retry_due_dead_letters(conn, HOW, now=NOW + timedelta(days=2)).in_line == [1]


@unit_of_work
def test_groups_notes_and_the_end(conn: Connection) -> None:
    failed_once(conn)
    listed = dead_letters.list_dead_letters(conn, DeadLetterFilter(source="homes"))
    assert [(g.stage, g.type, g.many) for g in listed.groups] == [("fetch", "dns_error", 1)]
    assert listed.letters[0].url == URL
    dead_letters.add_note(conn, 1, "they moved", **BY)
    assert dead_letters.discard(conn, DeadLetterFilter(stage="fetch"), "given up", **BY) == [1]
    shown = dead_letters.show(conn, 1)
    assert shown.notes == "2026-01-05 00:10 ada: they moved\n2026-01-05 00:10 ada: given up"
    assert (shown.letter.status, shown.resolved_by) == ("discarded", "ada")
    with pytest.raises(BadInput, match="none of these dead letters is pending"):
        dead_letters.discard(conn, DeadLetterFilter(ids=[1]), **BY)
    with pytest.raises(BadInput, match="no dead letters were named"):
        dead_letters.discard(conn, DeadLetterFilter(), **BY)


@unit_of_work
def test_messages_that_no_channel_took_are_sent_again(conn: Connection) -> None:
    for words in ("first", "second"):
        outbox.add(
            conn,
            topic="alert",
            channel="ops",
            payload={"says": words},
            dedupe_key=words,
            severity="P1",
            now=NOW,
        )
    message = outbox.claim(conn, "ops", now=NOW)
    assert message is not None
    outbox.record_answer(conn, message, Undelivered(error="it could not be reached"), now=NOW + 8 * DAY)
    assert (
        dead_letter_retries.retry_due_dead_letters(conn, HOW, now=NOW + 9 * DAY)
        == dead_letter_retries.Retried()
    ), "not by itself"
    by: dict[str, Any] = {"who": "ada", "now": NOW + 9 * DAY}
    done = dead_letters.retry(conn, DeadLetterFilter(stage="notify"), HOW, **by)
    assert done == dead_letter_retries.Retried(sent_again=[letter(conn).id])
    assert (letter(conn).status, letter(conn).resolved_by) == ("resolved", "ada")
    again = outbox.claim(conn, "ops", now=NOW + 9 * DAY)
    assert again is not None
    assert [note.payload["says"] for note in again.notes] == ["first", "second"]
    with pytest.raises(Conflict, match="none of these can be retried"):
        dead_letters.retry(conn, DeadLetterFilter(stage="notify"), HOW, **by)


async def test_drivers_that_look_at_the_same_moment_put_it_in_line_once(postgres: Database) -> None:
    await postgres.run(lambda conn: failed_once(conn, None))
    looks = [postgres.run(dead_letter_retries.retry_due_dead_letters, HOW, now=NOW + HOUR) for _ in range(5)]
    found = [letter_id for look in await asyncio.gather(*looks) for letter_id in look.in_line]
    assert found == [1]
    assert await postgres.run(lambda conn: letter(conn).retries) == 1
