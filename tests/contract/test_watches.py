"""Watches: what is new is told once, prices that fall are told when they fell enough, and nothing leaks."""

from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Connection, select, update

from larder.actions.dataset import watches
from larder.core.errors import BadInput, NotFound
from larder.core.policy.watches import WatchOn
from larder.engine.background import watches as watching
from larder.store.dataset import changes
from larder.store.dataset.changes import NewChange
from larder.store.queue import sources
from larder.store.reads.query import Query
from larder.store.tables import audit, outbox, records
from tests.contract.world import HOUR, MINUTE, NOW, Pages, source, staged, unit_of_work

BY: dict[str, Any] = {"who": "me", "now": NOW}


class Shop:
    """A source whose rows change by the hour, and somebody who looks at it after each."""

    def __init__(self, conn: Connection, slug: str = "homes", *, visibility: str = "public") -> None:
        self.conn = conn
        self.pages = Pages(conn, source(conn, slug, domain=f"{slug}.test", visibility=visibility))
        self.at = NOW
        watching.evaluate_watches(conn, now=NOW)

    def shows(self, *items: Any) -> list[str]:
        """The next hour's page; what was told because of it."""
        self.at += HOUR
        self.pages.keep(self.pages.page(*items, at=self.at, run_id=(self.at - NOW) // HOUR + 1))
        return self.told(self.at + MINUTE)

    def told(self, now: datetime) -> list[str]:
        before = len(self.messages())
        commit(self.conn)
        watching.evaluate_watches(self.conn, now=now)
        return [f"{said['name']}: {said['subject']}" for said in self.messages()[before:]]

    def messages(self) -> list[dict[str, Any]]:
        query = select(outbox.c.payload).where(outbox.c.topic == "watch").order_by(outbox.c.id)
        return list(self.conn.scalars(query))


def commit(conn: Connection) -> None:
    """On PostgreSQL the feed shows what is committed; a story is one transaction: this stands in for it."""
    if conn.dialect.name == "postgresql":
        conn.exec_driver_sql("UPDATE changes SET transaction_id = 1 WHERE transaction_id > 1")


def home(number: int, price: int, **said: Any) -> Any:
    return staged(number, price_minor=price, currency="EUR", **said)


@unit_of_work
def test_a_search_tells_of_what_appears_once(conn: Connection) -> None:
    shop = Shop(conn)
    shop.shows(home(1, 1_000_00, rooms=3))
    watches.add(conn, "flat", Query(rooms_min=3, price_max=Decimal(1200)), who="me", now=shop.at + MINUTE)
    assert shop.shows(home(1, 1_000_00, rooms=3, description="new words, no news")) == []
    assert shop.shows(home(2, 1_100_00, rooms=3), home(3, 1_100_00, rooms=2), home(4, 1_300_00, rooms=4)) == [
        "flat: Home 2"
    ]
    assert shop.shows(home(2, 1_050_00, rooms=3)) == []
    assert shop.shows(home(4, 1_150_00, rooms=4)) == ["flat: Home 4"]
    assert shop.told(shop.at + HOUR) == []


@unit_of_work
def test_a_text_is_looked_for_as_everywhere(conn: Connection) -> None:
    shop = Shop(conn)
    watches.add(conn, "fiets", Query(text="fiets"), **BY)
    assert shop.shows(home(1, 5, title="Rode damesfiets"), home(2, 5, title="Bakblik")) == [
        "fiets: Rode damesfiets"
    ]


@unit_of_work
def test_a_price_is_told_when_it_fell_enough_from_its_highest(conn: Connection) -> None:
    shop = Shop(conn)
    shop.shows(home(1, 100_00), home(2, 100_00))
    watches.add(conn, "cheaper", Query(), record=1, falls_percent=10, who="me", now=shop.at + MINUTE)
    assert shop.shows(home(1, 91_00), home(2, 10_00)) == []
    assert shop.shows(home(1, 90_00)) == ["cheaper: Home 1"]
    assert shop.messages()[-1]["message"].startswith("€100.00 → €90.00")
    assert shop.shows(home(1, 82_00)) == []
    assert shop.shows(home(1, 120_00)) == []
    assert shop.shows(home(1, 108_00)) == ["cheaper: Home 1"]


@unit_of_work
def test_a_price_rule_over_a_search_measures_each_record_by_itself(conn: Connection) -> None:
    shop = Shop(conn)
    watches.add(conn, "sale", Query(text="home"), falls_percent=50, **BY)
    assert shop.shows(home(1, 100_00), home(2, 40_00)) == []
    assert shop.shows(home(1, 50_00), home(2, 30_00)) == ["sale: Home 1"]


@unit_of_work
def test_hidden_sources_reach_only_watches_that_are_made_for_them(conn: Connection) -> None:
    shop = Shop(conn, visibility="hidden")
    watches.add(conn, "visitor", Query(text="home"), **BY)
    watches.add(conn, "operator", Query(text="home"), hidden=True, **BY)
    assert shop.shows(home(1, 5)) == ["operator: Home 1"]
    sources.update_source(conn, shop.pages.source.id, {"visibility": "public"}, now=shop.at)
    assert shop.shows(home(1, 4), home(2, 4)) == ["visitor: Home 1", "visitor: Home 2", "operator: Home 2"]


@unit_of_work
def test_whoever_names_what_is_hidden_hears_of_it(conn: Connection) -> None:
    shop = Shop(conn, visibility="hidden")
    shop.shows(home(1, 100_00))
    asked: dict[str, Any] = {"who": "me", "now": shop.at + MINUTE}
    priced = watches.add(conn, "price", Query(), record=1, falls_percent=10, **asked)
    news = watches.add(conn, "news", Query(source="homes"), **asked)
    assert (priced.hidden, news.hidden) == (True, True)
    assert shop.shows(home(1, 80_00), home(2, 5)) == ["price: Home 1", "news: Home 2"]


@unit_of_work
def test_whoever_names_what_is_public_hears_of_nothing_hidden(conn: Connection) -> None:
    shop = Shop(conn)
    shop.shows(home(1, 100_00))
    priced = watches.add(conn, "price", Query(source="homes"), record=1, falls_percent=10, **BY)
    assert not priced.hidden


@unit_of_work
def test_a_paused_watch_tells_nothing_not_even_later(conn: Connection) -> None:
    shop = Shop(conn)
    made = watches.add(conn, "fiets", Query(text="home"), **BY)
    watches.pause(conn, made.id, **BY)
    assert shop.shows(home(1, 5)) == []
    assert watches.resume(conn, made.id, **BY).enabled
    assert shop.shows(home(2, 5)) == ["fiets: Home 2"]
    watches.remove(conn, made.id, **BY)
    assert (watches.list_watches(conn), shop.shows(home(3, 5))) == ([], [])
    assert conn.scalars(select(audit.c.action).order_by(audit.c.id)).all() == [
        "watch add",
        "watch pause",
        "watch resume",
        "watch remove",
    ]


@unit_of_work
def test_batches_are_bounded_and_go_on_where_they_ended(conn: Connection) -> None:
    shop = Shop(conn)
    watches.add(conn, "all", Query(text="home"), channel="slack", **BY)
    shop.pages.keep(shop.pages.page(*(home(i, 5) for i in range(7)), at=NOW + HOUR))
    commit(conn)
    steps = [watching.evaluate_watches(conn, now=NOW + HOUR, limit=3) for _ in range(4)]
    assert (steps, len(shop.messages())) == ([3, 3, 1, 0], 7)
    assert set(conn.scalars(select(outbox.c.channel))) == {"slack"}


@unit_of_work
def test_a_watch_comes_back_as_it_was_made(conn: Connection) -> None:
    query = Query(text="x", near=(52.0, 4.0), within_km=5.0, starts_after=NOW, price_max=Decimal("5.50"))
    made = watches.add(conn, "w", query, falls_percent=5, channel="slack", channels=["slack"], **BY)
    assert watches.list_watches(conn) == [made]
    assert dict(made.asks) == {
        "text": "x", "near": (52.0, 4.0), "within_km": 5.0, "starts_after": NOW, "price_max": Decimal("5.50"),
    }  # fmt: skip


def goods(number: int, price: int | None, stock: str, currency: str = "EUR") -> Any:
    return staged(number, price_minor=price, currency=currency, availability=stock, title=f"Tea {number}")


@unit_of_work
def test_l10_14_prices_are_decimals_in_each_records_own_currency(conn: Connection) -> None:
    shop = Shop(conn)
    watches.add(conn, "tea", Query(price_max=Decimal("20.00")), **BY)
    watches.add(conn, "cents", Query(price_max_minor=2_000), **BY)
    said = shop.shows(
        goods(1, 2_000, "in_stock"), goods(2, 2_001, "in_stock"), goods(3, 20, "in_stock", "JPY"),
        goods(4, 21, "in_stock", "JPY"), goods(5, 20_000, "in_stock", "KWD"),
    )  # fmt: skip
    cents = ["cents: Tea 1", "cents: Tea 3", "cents: Tea 4"]
    assert said == ["tea: Tea 1", "tea: Tea 3", "tea: Tea 5", *cents]


@unit_of_work
def test_l10_14_a_target_price_is_told_each_time_it_is_reached(conn: Connection) -> None:
    shop = Shop(conn)
    shop.shows(goods(1, 30_00, "in_stock"), goods(2, 10_00, "in_stock"))
    asked: dict[str, Any] = {"who": "me", "now": shop.at + MINUTE}
    watches.add(conn, "20", Query(text="tea"), target_price=Decimal(20), **asked)
    assert shop.shows(goods(1, 20_01, "in_stock"), goods(2, 9_00, "in_stock")) == []
    assert shop.shows(goods(1, 20_00, "in_stock"), goods(3, 5_00, "in_stock")) == ["20: Tea 1", "20: Tea 3"]
    assert shop.shows(goods(1, 19_00, "in_stock")) == []
    assert shop.shows(goods(1, 25_00, "in_stock")) == []
    assert shop.shows(goods(1, 18_00, "in_stock")) == ["20: Tea 1"]
    assert shop.messages()[-1]["message"].startswith("€25.00 → €18.00")


@unit_of_work
def test_l10_14_a_drop_is_told_by_amount(conn: Connection) -> None:
    shop = Shop(conn)
    shop.shows(goods(1, 30_00, "in_stock"))
    watches.add(conn, "5 off", Query(), record=1, falls_by=Decimal(5), who="me", now=shop.at + MINUTE)
    assert shop.shows(goods(1, 25_01, "in_stock")) == []
    assert shop.shows(goods(1, 25_00, "in_stock")) == ["5 off: Tea 1"]


@unit_of_work
def test_l10_14_back_in_stock_is_told_and_unknown_stock_tells_nothing(conn: Connection) -> None:
    shop = Shop(conn)
    shop.shows(goods(1, 30_00, "out_of_stock"), goods(2, 30_00, "in_stock"), goods(3, 30_00, "unknown"))
    asked: dict[str, Any] = {"who": "me", "now": shop.at + MINUTE}
    watches.add(conn, "stock", Query(text="tea"), on=WatchOn.BACK_IN_STOCK, **asked)
    watches.add(conn, "drop", Query(text="tea"), falls_percent=10, **asked)
    assert shop.shows(goods(3, 1_00, "unknown"), goods(4, 1_00, "unknown")) == []
    assert shop.shows(goods(1, 30_00, "in_stock"), goods(2, 30_00, "in_stock")) == ["stock: Tea 1"]
    assert shop.messages()[-1]["message"].startswith("back in stock €30.00")
    assert shop.shows(goods(2, 30_00, "backorder")) == []
    assert shop.shows(goods(2, 30_00, "in_stock")) == ["stock: Tea 2"]


@unit_of_work
def test_l10_14_what_is_gone_is_told_of_what_the_watch_knew(conn: Connection) -> None:
    shop = Shop(conn)
    watches.add(conn, "gone", Query(text="tea"), on=WatchOn.GONE, **BY)
    shop.shows(goods(1, 30_00, "in_stock"), home(2, 5))
    conn.execute(update(records).values(active=0))
    lost = [NewChange(i, shop.pages.source.id, "gone", None) for i in (1, 2)]
    changes.add(conn, lost, now=shop.at + MINUTE)
    assert shop.told(shop.at + 2 * MINUTE) == ["gone: Tea 1"]
    assert shop.told(shop.at + HOUR) == []


@unit_of_work
def test_l10_14_a_watch_is_changed_and_tested(conn: Connection) -> None:
    shop = Shop(conn)
    made = watches.add(conn, "tea", Query(text="tea"), channel="slack", **BY)
    shop.shows(goods(1, 30_00, "in_stock"))
    changed = watches.change(
        conn, made.id, {"name": "cheap tea", "target_price": Decimal("12.50"), "channel": None},
        who="me", now=shop.at + MINUTE,
    )  # fmt: skip
    assert (changed.name, changed.on, changed.channel) == ("cheap tea", WatchOn.TARGET_PRICE, None)
    assert dict(changed.asks) == {"text": "tea"}
    assert shop.shows(goods(1, 12_50, "in_stock")) == ["cheap tea: Tea 1"]
    watches.send_test(conn, made.id, **BY)
    assert shop.messages()[-1] | {"test": True} == shop.messages()[-1]
    with pytest.raises(BadInput, match="no channel 'pigeon'"):
        watches.change(conn, made.id, {"channel": "pigeon"}, channels=["slack"], **BY)


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": " "},
        {"query": Query()},
        {"query": Query(price_min=Decimal(-1))},
        {"query": Query(price_min_minor=-1)},
        {"on": WatchOn.PRICE_DROP},
        {"on": WatchOn.GONE, "target_price": Decimal(5)},
        {"falls_percent": 5.0, "falls_by": Decimal(5)},
        {"target_price": Decimal(-5)},
        {"query": Query(source="nowhere")},
        {"falls_percent": 100.0},
        {"record": 1},
        {"record": 77, "falls_percent": 5.0},
        {"channel": "pigeon", "channels": ["slack"]},
    ],
    ids=str,
)
@unit_of_work
def test_what_cannot_be_waited_for_is_refused(conn: Connection, wrong: dict[str, Any]) -> None:
    asked = {"name": "w", "query": Query(text="x"), **wrong}
    with pytest.raises(BadInput) as refused:
        watches.add(conn, asked.pop("name"), asked.pop("query"), **asked, **BY)
    assert refused.value.hint
    with pytest.raises(NotFound):
        watches.pause(conn, 99, **BY)
