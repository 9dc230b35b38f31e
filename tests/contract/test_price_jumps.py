"""A price that looks like a decimal slip waits in quarantine for a second reading; on both databases."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from larder.core.model.job import Purpose
from larder.engine.commit.page_result import with_price_jumps
from larder.engine.work_items import ProcessedPage
from larder.stages.persist import Persisted
from larder.store.queue import failures
from tests.contract.world import DAY, HOUR, NOW, Pages, one, rows, source, staged, unit_of_work


class _Doubting:
    """A source whose pages are read by runs."""

    def __init__(self, conn: Connection) -> None:
        self.conn, self.pages = conn, Pages(conn, source(conn))

    def read(self, price: int, at: datetime, purpose: Purpose = Purpose.DETAIL, **fields: Any) -> Persisted:
        item = staged(1, price_minor=price, **{"currency": "EUR", **fields})
        page = replace(self.pages.page(item, at=at, purpose=purpose), doubts_prices=True)
        (got,) = self.pages.keep(page)
        self._quarantine(got, page.page_id, at)
        return got

    def _quarantine(self, got: Persisted, page_id: int, at: datetime) -> None:
        """As a commit does it; of the page only its numbers matter."""
        each = ProcessedPage(work=None, fetched=None, page_id=page_id)  # type: ignore[arg-type]
        held = with_price_jumps(each, got).quarantined
        origin = {"job_id": page_id, "run_id": 1, "source_id": 1, "page_id": page_id, "observed_at": at}
        failures.add_to_quarantine(
            self.conn,
            [
                {
                    **origin,
                    "source_id": self.pages.source.id,
                    "reason": q.reason,
                    "details": q.details,
                    "item": dict(q.item.fields),
                    "identity_key": q.identity_key,
                    "price_minor": q.price_minor,
                }
                for q in held
            ],
            now=at,
        )

    @property
    def price(self) -> int:
        price: int = one(self.conn, "SELECT price_minor FROM records")
        return price

    @property
    def quarantine(self) -> list[tuple[Any, ...]]:
        return rows(self.conn, "SELECT reason, status, decided_by FROM quarantine ORDER BY id")


@unit_of_work
def test_the_record_keeps_its_price_and_is_seen_all_the_same(conn: Connection) -> None:
    site = _Doubting(conn)
    site.read(129900, NOW)
    got = site.read(1299, NOW + DAY, seller="Anna")
    assert site.price == 129900
    assert site.quarantine == [("price_jump", "pending", None)]
    assert one(conn, "SELECT seller FROM records") == "Anna"
    assert len(got.ids) == 1
    assert one(conn, "SELECT details FROM quarantine") == (
        "€12.99, last €1,299.00: is the decimal point in the wrong place?"
    )
    assert one(conn, "SELECT count(*) FROM observations WHERE field = 'price'") == 1


@unit_of_work
def test_a_second_reading_of_the_same_price_releases_it(conn: Connection) -> None:
    site = _Doubting(conn)
    site.read(129900, NOW)
    site.read(1299, NOW + DAY)
    got = site.read(1299, NOW + DAY + HOUR)
    assert (site.price, got.price_changed) == (1299, True)
    assert site.quarantine == [("price_jump", "released", "larder")]


@unit_of_work
def test_another_jump_confirms_nothing(conn: Connection) -> None:
    site = _Doubting(conn)
    site.read(129900, NOW)
    site.read(1299, NOW + DAY)
    site.read(12990, NOW + 2 * DAY)
    assert site.price == 129900
    assert [status for _, status, _ in site.quarantine] == ["pending", "pending"]


@unit_of_work
def test_an_index_row_is_confirmed_by_the_own_page(conn: Connection) -> None:
    site = _Doubting(conn)
    site.read(129900, NOW)
    site.read(1299, NOW + DAY, Purpose.INDEX)
    site.read(1299, NOW + DAY + HOUR)
    assert site.price == 1299


@unit_of_work
def test_ordinary_changes_and_other_currencies_are_believed_at_once(conn: Connection) -> None:
    site = _Doubting(conn)
    site.read(129900, NOW)
    site.read(99900, NOW + DAY)
    assert site.price == 99900
    site.read(9990, NOW + 2 * DAY, currency="USD")
    assert site.price == 9990
    assert site.quarantine == []


@unit_of_work
def test_what_a_person_releases_or_a_replay_reads_is_not_doubted(conn: Connection) -> None:
    pages = Pages(conn, source(conn))
    pages.keep(pages.page(staged(1, price_minor=129900, currency="EUR")))
    pages.keep(pages.page(staged(1, price_minor=1299, currency="EUR"), at=NOW + DAY))
    assert one(conn, "SELECT price_minor FROM records") == 1299
