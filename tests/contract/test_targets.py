"""Named URLs: what is due, who has it, and how a look leaves it; on both databases."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from larder.actions.sources import targets as actions
from larder.actions.sources.targets import TargetSpec, csv_import
from larder.core.errors import Conflict
from larder.core.model.item import Dropped, Extracted, Failed, Item
from larder.core.model.job import Job, PageRequest, Purpose, Stage
from larder.core.model.outcome import DropReason, FailReason, FetchOutcome
from larder.core.model.page import FeedAddress, Fetched, LastPage
from larder.core.model.site import POLITENESS, Preset
from larder.core.policy.scheduling.targets import TargetStatus
from larder.core.policy.trust.loss import LeftOut
from larder.engine.commit import target_checks
from larder.engine.work_items import ProcessedPage, Work
from larder.stages.persist import Persisted
from larder.store.dataset import erasure
from larder.store.queue import feed_targets, sources, targets
from larder.store.queue.lanes import Lane
from larder.store.tables import targets as table
from larder.store.tables.columns import moment
from tests.contract.statements import overheard
from tests.contract.world import (
    DAY,
    HOUR,
    MINUTE,
    NOW,
    SECOND,
    Pages,
    one,
    rows,
    source,
    staged,
    unit_of_work,
)


def target(conn: Connection, source_id: int, name: str, *, due: Any = NOW, **values: Any) -> int:
    url = f"https://shop.test/{name}"
    row = {"source_id": source_id, "url": url, "canonical_url": url, "next_due_at": due, **values}
    added: int = conn.scalar(insert(table).values(row).returning(table.c.id)) or 0
    return added


def due(conn: Connection, source_id: int, *, most: int = 50, now: datetime = NOW) -> list[str]:
    return [row.url.rpartition("/")[2] for row in targets.claim_due(conn, source_id, now=now, limit=most)]


@unit_of_work
def test_higher_priorities_first_then_the_longest_overdue(conn: Connection) -> None:
    shop = source(conn)
    target(conn, shop, "usual", due=NOW - HOUR)
    target(conn, shop, "usual and later", due=NOW)
    target(conn, shop, "not yet", due=NOW + SECOND, priority=9)
    target(conn, shop, "urgent", due=NOW, priority=9)
    target(conn, shop, "low", due=NOW - DAY, priority=-1)
    assert due(conn, shop, most=3) == ["urgent", "usual", "usual and later"]
    assert due(conn, shop) == ["low"]
    assert due(conn, shop) == []


@unit_of_work
def test_what_is_taken_is_out_of_reach_for_an_hour(conn: Connection) -> None:
    shop = source(conn)
    target(conn, shop, "one")
    assert due(conn, shop) == ["one"]
    assert due(conn, shop, now=NOW + HOUR - SECOND) == []
    assert due(conn, shop, now=NOW + HOUR) == ["one"]


@pytest.mark.parametrize(
    ("values", "watched"),
    [
        pytest.param({"status": "paused"}, False, id="paused"),
        pytest.param({"enabled": 0}, False, id="switched off"),
        pytest.param({"blocked": 1}, False, id="blocked"),
        pytest.param({"status": "broken"}, True, id="broken: its weekly look is due"),
        pytest.param({"status": "stale"}, True, id="stale: somebody comes at last"),
    ],
)
@unit_of_work
def test_who_is_watched(conn: Connection, values: dict[str, Any], watched: bool) -> None:
    shop = source(conn)
    target(conn, shop, "one", **values)
    assert bool(due(conn, shop)) is watched


@unit_of_work
def test_the_page_of_what_was_erased_is_not_watched_again(conn: Connection) -> None:
    shop = source(conn, domain="shop.test", plan="monitor")
    pages = Pages(conn, shop)
    pages.keep(pages.page(staged(1)))
    only = target(conn, shop, "one", record_id=1)
    assert erasure.erase_record(conn, 1, by="ann", reason="asked to", now=NOW)
    again = TargetSpec(url="https://shop.test/one")
    deeds: tuple[tuple[Any, list[Any]], ...] = (
        *((deed, [only]) for deed in (actions.resume, actions.run_now, actions.remove)),
        (actions.add, ["homes", again]),
    )
    for deed, asked in deeds:
        with pytest.raises(Conflict, match="was erased on request"):
            deed(conn, *asked, who="ann", now=NOW)
    view = actions.edit(conn, only, {"enabled": True}, who="ann", now=NOW)
    assert (view.state, view.watched, due(conn, shop)) == ("blocked", False, [])
    assert actions.list_targets(conn, status=TargetStatus.ACTIVE) == []
    assert actions.list_targets(conn) == [view]


@unit_of_work
def test_a_day_after_its_time_a_target_is_stale_until_somebody_comes(conn: Connection) -> None:
    shop = source(conn)
    one_day = target(conn, shop, "a day", due=NOW - DAY)
    target(conn, shop, "less", due=NOW - DAY + SECOND)
    target(conn, shop, "broken", due=NOW - 9 * DAY, status="broken")
    urgent = target(conn, shop, "urgent", due=NOW - 2 * DAY, priority=5)
    assert targets.mark_neglected(conn, shop, before=NOW - DAY, now=NOW) == 2
    assert targets.mark_neglected(conn, shop, before=NOW - DAY, now=NOW) == 0
    stale = rows(conn, "SELECT id FROM targets WHERE status = 'stale' ORDER BY id")
    assert stale == [(one_day,), (urgent,)]
    look(conn, shop, one_day, read=True)
    assert one(conn, f"SELECT status FROM targets WHERE id = {one_day}") == "active"


# -- looks -------------------------------------------------------------------------------------------------


def look(
    conn: Connection,
    source_id: int,
    target_id: int,
    *,
    read: bool = True,
    price_changed: bool = False,
    outcome: FetchOutcome = FetchOutcome.OK,
    failed: FailReason | None = None,
    dropped: Sequence[Dropped] = (),
    now: datetime = NOW,
) -> None:
    """A look at a target comes to its end."""
    reading = Failed(reason=failed) if failed else Extracted()
    travelled = ProcessedPage(
        work=work(conn, source_id, target_id),
        fetched=fetched(outcome),
        page_id=1,
        reading=reading,
        dropped=dropped,
    )
    stored = read and failed is None and not dropped
    got = Persisted(ids=[77], price_changed=price_changed) if stored else None
    target_checks.update_targets(conn, [(travelled, got)], now=now)


def work(conn: Connection, source_id: int, target_id: int) -> Work:
    request = PageRequest(url="https://shop.test/x", purpose=Purpose.TARGET, context={"target": target_id})
    job = Job(id=1, run_id=1, source_id=source_id, site_id=1, request=request, stage=Stage.FETCH, attempts=0)
    lane = Lane(
        site_id=1, domain="shop.test", local=False, token=1, open_at=NOW, politeness=POLITENESS[Preset.GENTLE]
    )
    return Work(job=job, source=sources.load(conn, [source_id])[source_id], lane=lane)


def fetched(outcome: FetchOutcome) -> Fetched:
    url = "https://shop.test/x"
    return Fetched(outcome=outcome, url=url, final_url=url, fetched_at=NOW)


def standing(conn: Connection, target_id: int) -> tuple[Any, ...]:
    (row,) = rows(
        conn,
        "SELECT status, failures, haste, last_status, record_id FROM targets WHERE id = :id",
        id=target_id,
    )
    return row


def next_due(conn: Connection, target_id: int) -> Any:
    return moment(one(conn, "SELECT next_due_at FROM targets WHERE id = :id", id=target_id))


@unit_of_work
def test_a_look_that_read_the_record_comes_again_in_a_day(conn: Connection) -> None:
    shop = source(conn)
    bench = target(conn, shop, "one")
    look(conn, shop, bench)
    assert standing(conn, bench) == ("active", 0, 0, "ok", 77)
    assert next_due(conn, bench) == NOW + DAY


@unit_of_work
def test_a_price_change_halves_the_interval_up_to_three_times_and_calm_gives_it_back(
    conn: Connection,
) -> None:
    shop = source(conn)
    bench = target(conn, shop, "one", interval_s=8 * 3600)
    gaps = []
    for changed in (True, True, True, True, False, False, False, False):
        look(conn, shop, bench, price_changed=changed)
        gaps.append((next_due(conn, bench) - NOW) / HOUR)
    assert gaps == [4, 2, 1, 1, 2, 4, 8, 8]


@unit_of_work
def test_the_fifth_failure_in_a_row_breaks_it_then_it_is_looked_at_weekly(conn: Connection) -> None:
    shop = source(conn)
    bench = target(conn, shop, "one", interval_s=3600)
    for n in range(1, 5):
        look(conn, shop, bench, read=False, outcome=FetchOutcome.NOT_FOUND)
        assert standing(conn, bench) == ("active", n, 0, "not_found", None)
        assert next_due(conn, bench) == NOW + HOUR
    look(conn, shop, bench, read=False)
    assert standing(conn, bench)[:2] == ("broken", 5)
    assert standing(conn, bench)[3] == "unread"
    assert next_due(conn, bench) == NOW + 7 * DAY
    look(conn, shop, bench, now=NOW + 7 * DAY)
    assert standing(conn, bench)[:2] == ("active", 0)
    assert next_due(conn, bench) == NOW + 7 * DAY + HOUR


@unit_of_work
def test_out_of_stock_without_a_price_is_an_answer(conn: Connection) -> None:
    shop = source(conn)
    bench = target(conn, shop, "one", failures=4)
    look(conn, shop, bench, failed=FailReason.OOS_NO_PRICE)
    assert standing(conn, bench)[:2] == ("active", 0)
    look(conn, shop, bench, failed=FailReason.PRICE_NOT_FOUND)
    assert standing(conn, bench)[:2] == ("active", 1)


@unit_of_work
def test_l10_2_five_looks_that_drop_the_item_as_out_of_stock_break_no_target(conn: Connection) -> None:
    shop = source(conn)
    bench = target(conn, shop, "one", interval_s=3600)
    item = Item(fields={"title": "Oak chair", "availability": "Sold out"})
    for _ in range(5):
        look(conn, shop, bench, dropped=[Dropped(reason=DropReason.OOS_NO_PRICE, item=item)])
    assert standing(conn, bench) == ("active", 0, 0, "oos_no_price", None)
    assert next_due(conn, bench) == NOW + HOUR


@unit_of_work
def test_l10_2_an_unchanged_page_that_is_out_of_stock_breaks_no_target(conn: Connection) -> None:
    shop = source(conn)
    bench = target(conn, shop, "one", failures=4)
    last = LastPage(
        id=1, content_hash="ab", adapter_version="1", left_out={DropReason.OOS_NO_PRICE: LeftOut(items=1)}
    )
    same = replace(work(conn, shop, bench), last=last)
    page = ProcessedPage(work=same, fetched=fetched(FetchOutcome.OK), page_id=2, unchanged=True)
    target_checks.update_targets(conn, [(page, Persisted())], now=NOW)
    assert standing(conn, bench) == ("active", 0, 0, "oos_no_price", None)


@unit_of_work
def test_l10_2_an_item_dropped_for_another_reason_is_a_failed_look(conn: Connection) -> None:
    shop = source(conn)
    bench = target(conn, shop, "one")
    look(conn, shop, bench, dropped=[Dropped(reason=DropReason.INVALID_PRICE, item=Item(fields={}))])
    assert standing(conn, bench) == ("active", 1, 0, "unread", None)


@unit_of_work
def test_a_calendar_says_when(conn: Connection) -> None:
    shop = source(conn)
    bench = target(conn, shop, "one", cron="30 6 * * *")
    look(conn, shop, bench, now=NOW + 5 * HOUR)
    assert next_due(conn, bench) == NOW + 6 * HOUR + 30 * MINUTE


@unit_of_work
def test_a_pause_survives_the_look_that_was_under_way(conn: Connection) -> None:
    shop = source(conn)
    bench = target(conn, shop, "one", status="paused")
    look(conn, shop, bench, price_changed=True)
    assert standing(conn, bench)[0] == "paused"


@unit_of_work
def test_a_target_removed_meanwhile_is_no_trouble(conn: Connection) -> None:
    shop = source(conn)
    look(conn, shop, 4711)
    assert rows(conn, "SELECT id FROM targets") == []


def listed(conn: Connection, source_id: int, *names: str, read_at: datetime) -> tuple[int, int]:
    """A document of a feed names these; how many came back and how many are new."""
    named = [FeedAddress(f"https://shop.test/{name}", f"https://shop.test/{name}") for name in names]
    urls = [each.canonical_url for each in named]
    back = feed_targets.keep(conn, source_id, urls, read_at=read_at, now=read_at + MINUTE)
    return back, feed_targets.add(conn, source_id, named, read_at=read_at, who="feed", now=read_at + MINUTE)


@unit_of_work
def test_l10_13_targets_from_a_feed_leave_it_and_come_back(conn: Connection) -> None:
    shop, other = source(conn), source(conn, "other", plan="monitor")
    target(conn, shop, "by hand")
    target(conn, other, "of another source", feed_at=NOW - DAY)
    assert listed(conn, shop, "one", "two", "by hand", read_at=NOW) == (0, 2)
    assert feed_targets.leave(conn, shop, read_at=NOW, now=NOW) == 0
    later = NOW + DAY
    assert listed(conn, shop, "two", "three", read_at=later) == (0, 1)
    assert feed_targets.leave(conn, shop, read_at=later, now=later) == 1
    assert feed_targets.leave(conn, shop, read_at=later, now=later) == 0
    assert sorted(due(conn, shop, now=later + HOUR)) == ["by hand", "three", "two"]
    states = {each.url: each.state for each in actions.list_targets(conn, slug="other")}
    assert "left_feed" not in states.values()
    assert listed(conn, shop, "one", read_at=later + HOUR) == (1, 0)
    assert due(conn, shop, now=later + HOUR + MINUTE) == ["one"]


@unit_of_work
def test_l10_13_what_a_person_switched_off_or_blocked_stays_so(conn: Connection) -> None:
    shop = source(conn, plan="monitor")
    off = target(conn, shop, "off", feed_at=NOW, enabled=0)
    blocked = target(conn, shop, "blocked", feed_at=NOW, blocked=1)
    assert feed_targets.leave(conn, shop, read_at=NOW + HOUR, now=NOW + HOUR) == 0
    assert listed(conn, shop, "off", "blocked", read_at=NOW + DAY) == (0, 0)
    assert [actions.show(conn, each).state for each in (off, blocked)] == ["off", "blocked"]
    assert due(conn, shop, now=NOW + 2 * DAY) == []


@unit_of_work
def test_an_import_takes_a_few_statements_however_long_it_is(conn: Connection) -> None:
    shop = source(conn, "shop", domain="shop.test", plan="monitor")
    target(conn, shop, "7", priority=1, left_feed_at=NOW, enabled=0)
    target(conn, shop, "8", blocked=1, blocked_by="ann")
    target(conn, shop, "9", cron="0 4 * * *", interval_s=60)
    lines = [f"https://shop.test/{number},5,12h,no. {number}" for number in range(1_200)]
    twice = ["https://shop.test/3,6,,", "https://shop.test/3,6,,", "https://elsewhere.test/,1,,"]
    text = "\n".join(["url,priority,interval,notes", *lines, *twice])
    with overheard(conn) as sent:
        done = csv_import.import_csv(conn, "shop", text, who="ann", now=NOW)
    assert len(sent) < 20
    assert (done.added, done.changed, done.unchanged) == (1_197, 3, 1)
    assert [(bad.line, bad.says) for bad in done.bad] == [
        (10, "https://shop.test/8 is blocked by ann"),
        (1_204, "https://elsewhere.test/ is not on shop.test"),
    ]
    columns = "url, priority, interval_s, cron, notes, enabled, left_feed_at, blocked"
    chosen = ", ".join(f"'https://shop.test/{number}'" for number in (3, 7, 8, 9))
    assert rows(conn, f"SELECT {columns} FROM targets WHERE url IN ({chosen}) ORDER BY url") == [
        ("https://shop.test/3", 6, 43_200, None, "no. 3", 1, None, 0),
        ("https://shop.test/7", 5, 43_200, None, "no. 7", 1, None, 0),
        ("https://shop.test/8", 0, 86_400, None, None, 1, None, 1),
        ("https://shop.test/9", 5, 43_200, None, "no. 9", 1, None, 0),
    ]
    assert one(conn, "SELECT count(*) FROM targets WHERE next_due_at > 0 AND created_by = 'ann'") == 1_197
