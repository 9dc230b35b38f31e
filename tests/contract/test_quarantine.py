"""Items in quarantine go on as of when they were seen, or stay out; both are on record."""

from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, select

from larder import adapters
from larder.actions.dataset import quarantine
from larder.core.errors import BadInput
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.store.dataset import erasure
from larder.store.queue import failures
from larder.store.tables import audit, observations, pages, records
from tests.contract import world
from tests.contract.world import HOUR, MINUTE, NOW, unit_of_work

HOW = DispatchSettings(adapters={each.id: each for each in adapters.known()}, chance=Random(1))
BY: dict[str, Any] = {"who": "ada", "now": NOW + HOUR}
URL = "http://homes.test/listing/1"


def set_aside(conn: Connection, reason: str = "zero_price", **fields: Any) -> int:
    """An item of an index page, waiting."""
    if conn.scalar(select(pages.c.id)) is None:
        source_id = world.source(conn)
        world.enqueue(conn, world.run(conn, source_id), ["http://homes.test/listings"], source_id=source_id)
        row = {"job_id": 1, "source_id": source_id, "url": "http://homes.test/listings", "outcome": "ok"}
        conn.execute(pages.insert().values(**row, fetched_at=NOW))
    said = {"title": "A home", "url": "/listing/1", "price": "€ 0", **fields}
    row = {"source_id": 1, "run_id": 1, "job_id": 1, "page_id": 1, "reason": reason, "details": "€ 0"}
    failures.add_to_quarantine(conn, [{**row, "item": said, "observed_at": NOW}], now=NOW)
    return quarantine.list_items(conn)[0].id


@unit_of_work
def test_it_is_shown_with_its_page_and_its_raw_values(conn: Connection) -> None:
    set_aside(conn)
    (view,) = quarantine.list_items(conn, source="homes")
    assert (view.reason, view.url, view.item["price"]) == ("zero_price", "http://homes.test/listings", "€ 0")
    assert quarantine.show(conn, view.id) == view


@unit_of_work
def test_released_it_goes_on_as_of_when_it_was_seen(conn: Connection) -> None:
    done = quarantine.release(conn, set_aside(conn), HOW, note="it is a gift", **BY)
    record = conn.execute(select(records)).one()
    assert (done.record_id, done.new) == (record.id, True)
    assert (record.title, record.price_minor, record.first_seen_at) == ("A home", 0, NOW)
    (view,) = quarantine.list_items(conn, status=quarantine.QuarantineStatus.RELEASED)
    assert (view.decided_by, view.note, view.item["price"]) == ("ada", "it is a gift", "€ 0")
    assert conn.scalars(select(audit.c.action)).all() == ["item released"]


@unit_of_work
def test_a_value_can_be_put_right_on_the_way(conn: Connection) -> None:
    quarantine.release(conn, set_aside(conn), HOW, {"price": "1250.50"}, **BY)
    found = conn.execute(select(observations.c.field, observations.c.amount, observations.c.observed_at))
    assert found.all() == [("price", 125050, NOW)]


@unit_of_work
def test_it_does_not_speak_over_what_was_seen_since(conn: Connection) -> None:
    waits = set_aside(conn, platform_id="7")
    known = world.Pages(conn, 1)
    newer = world.staged(7, key="PID:7", url=URL, price_minor=70000, currency="EUR")
    known.keep(known.page(newer, at=NOW + MINUTE))
    done = quarantine.release(conn, waits, HOW, {"price": "650"}, **BY)
    record = conn.execute(select(records)).one()
    assert (done.new, record.price_minor, record.last_seen_at) == (False, 70000, NOW + MINUTE)
    history = select(observations.c.amount).where(observations.c.field == "price")
    assert conn.scalars(history.order_by(observations.c.observed_at)).all() == [65000, 70000]


@pytest.mark.parametrize(
    ("fields", "given", "says"),
    [
        ({"price": ["€ 5", "€ 9"]}, {}, "cannot be released: ambiguous_price"),
        ({"title": None}, {}, "cannot be released: missing_required_field \\(title\\)"),
        ({}, {"prize": "12"}, "setting 'prize' changes nothing"),
    ],
)
@unit_of_work
def test_what_cannot_go_on_stays(conn: Connection, fields: Any, given: Any, says: str) -> None:
    waits = set_aside(conn, **fields)
    with pytest.raises(BadInput, match=says), conn.begin_nested():
        quarantine.release(conn, waits, HOW, given, **BY)
    assert quarantine.show(conn, waits).status == "pending"


@unit_of_work
def test_it_is_decided_once(conn: Connection) -> None:
    waits = set_aside(conn)
    assert [view.note for view in quarantine.reject(conn, [waits], "a typo of theirs", **BY)] == [
        "a typo of theirs"
    ]
    with pytest.raises(BadInput, match="decided already"):
        quarantine.release(conn, waits, HOW, **BY)
    assert quarantine.list_items(conn) == []
    assert conn.scalar(select(records.c.id)) is None


@unit_of_work
def test_what_was_erased_does_not_come_back_through_here(conn: Connection) -> None:
    first, second = set_aside(conn), set_aside(conn)
    done = quarantine.release(conn, first, HOW, **BY)
    erasure.erase_record(conn, done.record_id or 0, by="ada", reason="asked", now=NOW)
    assert quarantine.release(conn, second, HOW, **BY).record_id is None


@unit_of_work
def test_there_is_no_such_item(conn: Connection) -> None:
    with pytest.raises(BadInput, match="there is no item 9"):
        quarantine.show(conn, 9)
