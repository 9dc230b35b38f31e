"""Which records are one thing: linked with reasons, left alone, taken back, undone for good."""

import asyncio
from typing import Any

import asyncpg
import pytest
from sqlalchemy import Connection, update

from larder.actions.dataset import entities as actions
from larder.core.errors import BadInput, Conflict, NotFound
from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.engine.background.resolver import resolve_all_batch, resolve_batch, resolve_changes
from larder.stages.persist.resolve.linking import Resolved, link_records
from larder.store.database import Database
from larder.store.dataset import entities, erasure
from larder.store.dataset.changes import Cursor
from larder.store.reads.lookup import record_row
from larder.store.reads.records import find_row, same_entity
from larder.store.tables import records
from tests.contract.world import DAY, HOUR, NOW, PATIENCE, Pages, fed, one, rows, source, staged, unit_of_work
from tests.proofs.labels import labelled
from tests.proofs.resolver import PRECISION, RECALL, fill, tally

DRILL = {"title": "Tygo DX 18-412 cordless drill, body only", "brand": "Tygo", "price_minor": 9995}
SAME = {"title": "Cordless drill Tygo DX 18-412 solo", "brand": "TYGO", "price_minor": 10995}
COFFEE = {"title": "Casa Lupo Nero 137 coffee beans, 1 kg", "brand": "Casa Lupo", "price_minor": 1899}
LESS_COFFEE = {"title": "Coffee beans Casa Lupo Nero 137 500g", "brand": "Casa Lupo", "price_minor": 1099}


class Cut(Exception):
    """A process ends in the middle of its work."""


class Shops:
    """Sources that sell, each with its pages."""

    def __init__(self, conn: Connection, *slugs: str, **values: Any) -> None:
        self.conn = conn
        made = {"kind": "product", "adapter": "product", "visibility": "public", **values}
        self.pages = {slug: Pages(conn, source(conn, slug, domain=f"{slug}.test", **made)) for slug in slugs}

    def sell(self, slug: str, number: int, *, at: Any = NOW, **fields: Any) -> int:
        """A product's page is read; the record's number."""
        page = self.pages[slug]
        said = {
            "url": f"https://{slug}.test/{number}",
            "currency": "EUR",
            "availability": "in_stock",
            **fields,
        }
        page.keep(page.page(staged(number, kind=Kind.PRODUCT, **said), at=at, purpose=Purpose.DETAIL))
        found: int = one(
            self.conn,
            "SELECT id FROM records WHERE source_id = :s AND identity_key = :k",
            s=page.source.id,
            k=f"PID:{number}",
        )
        return found


def settle(conn: Connection) -> Resolved:
    """All records are looked at; the feed shows a unit of work its own changes on SQLite only."""
    return resolve_all_batch(conn, 0, now=NOW + HOUR)[1]


def entity_of(conn: Connection, record_id: int) -> int | None:
    found: int | None = one(conn, "SELECT entity_id FROM records WHERE id = :i", i=record_id)
    return found


def together(conn: Connection, *ids: int) -> bool:
    return len({entity_of(conn, i) for i in ids}) == 1 and entity_of(conn, ids[0]) is not None


@unit_of_work
def test_one_product_in_two_shops_is_linked_and_the_link_says_why(conn: Connection) -> None:
    shops = Shops(conn, "one", "two")
    first, second = shops.sell("one", 1, **DRILL), shops.sell("two", 2, **SAME)
    assert settle(conn).linked == 2
    assert together(conn, first, second)
    view = actions.show(conn, record_row(conn, first).entity_id or 0)
    told = {link.record_id: link for link in view.links}
    assert told[second].rule == "product"
    assert told[second].score >= 0.8
    explanation = told[second].explanation
    assert explanation is not None
    assert explanation["beside"] == first
    assert {"brand", "model", "title", "price"} <= {each["feature"] for each in explanation["because"]}
    assert [line.records for line in actions.list_entities(conn)] == [2]
    assert rows(conn, "SELECT change FROM changes WHERE record_id = :i ORDER BY id", i=first)[-1] == (
        "linked",
    )


@unit_of_work
def test_another_size_and_another_thing_are_left_alone(conn: Connection) -> None:
    shops = Shops(conn, "one", "two")
    ids = [
        shops.sell("one", 1, **COFFEE),
        shops.sell("two", 2, **LESS_COFFEE),
        shops.sell("two", 3, **DRILL),
    ]
    assert settle(conn).linked == 0
    assert [entity_of(conn, i) for i in ids] == [None, None, None]


@unit_of_work
def test_one_code_of_two_trusted_shops_is_enough_and_of_others_is_not(conn: Connection) -> None:
    code = {"gtin": "8712345678906", "price_minor": 1000}
    trusted, others = Shops(conn, "a", "b", upc_trusted=1), Shops(conn, "c", "d")
    first = trusted.sell("a", 1, title="Wonderbox", brand="Acme", **code)
    second = trusted.sell("b", 2, title="Acme box of wonders", brand="Acme", **code)
    third = others.sell("c", 3, title="Dreamcase", brand="Zed", **{**code, "gtin": "4006381333931"})
    fourth = others.sell("d", 4, title="Zed cases", brand="Zed", **{**code, "gtin": "4006381333931"})
    settle(conn)
    assert together(conn, first, second)
    assert entity_of(conn, third) is None
    assert entity_of(conn, fourth) is None


@unit_of_work
def test_three_shops_share_one_entity_and_no_shop_is_in_it_twice(conn: Connection) -> None:
    shops = Shops(conn, "one", "two", "three")
    ids = [shops.sell("one", 1, **DRILL), shops.sell("two", 2, **SAME), shops.sell("three", 3, **DRILL)]
    settle(conn)
    again = shops.sell("one", 9, **DRILL)
    settle(conn)
    assert together(conn, *ids)
    assert entity_of(conn, again) is None


NUMBERED = {"title": "Tygo cordless drill", "brand": "Tygo", "price_minor": 9995, "mpn": "TY40417"}


@unit_of_work
def test_who_comes_later_brings_those_together_that_did_not_know_each_other(conn: Connection) -> None:
    shops = Shops(conn, "one", "two", "three")
    ids = [shops.sell("one", 1, **NUMBERED), shops.sell("two", 2, **DRILL)]
    settle(conn)
    assert [entity_of(conn, i) for i in ids] == [None, None]
    third = shops.sell("three", 3, **{**DRILL, "mpn": "40417"})
    assert link_records(conn, [third], now=NOW + HOUR).linked == 3
    assert together(conn, *ids, third)


@unit_of_work
def test_two_entities_that_turn_out_to_be_one_become_one(conn: Connection) -> None:
    shops = Shops(conn, "one", "two", "three", "four", "five")
    ids = [
        shops.sell("one", 1, **NUMBERED),
        shops.sell("two", 2, **NUMBERED),
        shops.sell("three", 3, **DRILL),
        shops.sell("four", 4, **SAME),
    ]
    settle(conn)
    assert len({entity_of(conn, i) for i in ids}) == 2
    fifth = shops.sell("five", 5, **{**DRILL, "mpn": "40417"})
    link_records(conn, [fifth], now=NOW + HOUR)
    assert together(conn, *ids, fifth)
    assert [line.records for line in actions.list_entities(conn)] == [5]
    before = rows(conn, "SELECT * FROM links ORDER BY id")
    settle(conn)
    assert rows(conn, "SELECT * FROM links ORDER BY id") == before


@unit_of_work
def test_done_twice_it_changes_nothing(conn: Connection) -> None:
    shops = Shops(conn, "one", "two")
    ids = [shops.sell("one", 1, **DRILL), shops.sell("two", 2, **SAME)]
    settle(conn)
    before = rows(conn, "SELECT * FROM links"), rows(conn, "SELECT * FROM entity_keys ORDER BY 1, 2")
    assert link_records(conn, ids, now=NOW + DAY) == Resolved(looked_at=2, compared=2)
    assert resolve_all_batch(conn, 0, now=NOW + DAY) == (ids[1], Resolved(looked_at=2, compared=2))
    assert resolve_all_batch(conn, ids[1], now=NOW + DAY) == (None, Resolved())
    assert before == (
        rows(conn, "SELECT * FROM links"),
        rows(conn, "SELECT * FROM entity_keys ORDER BY 1, 2"),
    )


@unit_of_work
def test_a_record_that_turns_out_to_be_another_thing_leaves_and_may_come_back(conn: Connection) -> None:
    shops = Shops(conn, "one", "two")
    first, second = shops.sell("one", 1, **DRILL), shops.sell("two", 2, **SAME)
    settle(conn)
    shops.sell("two", 2, at=NOW + HOUR, **{**SAME, "title": "Cordless drill Tygo DX 18-733 solo"})
    assert link_records(conn, [second], now=NOW + DAY).withdrawn == 1
    assert entity_of(conn, second) is None
    shops.sell("two", 2, at=NOW + 2 * HOUR, **SAME)
    settle(conn)
    assert together(conn, first, second)


@unit_of_work
def test_what_a_person_undid_does_not_come_back_by_itself(conn: Connection) -> None:
    shops = Shops(conn, "one", "two", "three")
    first, second = shops.sell("one", 1, **DRILL), shops.sell("two", 2, **SAME)
    settle(conn)
    actions.undo(conn, second, who="ada", now=NOW + HOUR)
    third = shops.sell("three", 3, **DRILL)
    link_records(conn, [third], now=NOW + HOUR)
    for _ in range(2):
        link_records(conn, [first, second, third], now=NOW + DAY)
    assert together(conn, first, third)
    assert entity_of(conn, second) is None
    (undone,) = actions.show(conn, entity_of(conn, first) or 0).undone
    assert (undone.record_id, undone.undone_by) == (second, "ada")
    assert rows(conn, "SELECT action, who FROM audit") == [("record unlinked", "ada")]


@unit_of_work
def test_even_when_nobody_is_left_in_the_entity(conn: Connection) -> None:
    shops = Shops(conn, "one", "two")
    first, second = shops.sell("one", 1, **DRILL), shops.sell("two", 2, **SAME)
    settle(conn)
    actions.undo(conn, second, who="ada", now=NOW + HOUR)
    actions.undo(conn, first, who="ada", now=NOW + HOUR)
    link_records(conn, [first, second], now=NOW + DAY)
    assert (entity_of(conn, first), entity_of(conn, second)) == (None, None)
    assert actions.list_entities(conn) == []


@unit_of_work
def test_a_link_by_hand_stays_whatever_it_scores(conn: Connection) -> None:
    shops = Shops(conn, "one", "two")
    first, second = shops.sell("one", 1, **COFFEE), shops.sell("two", 2, **DRILL)
    view = actions.link(conn, first, second, who="ada", now=NOW)
    assert {link.rule for link in view.links} == {"by hand"}
    settle(conn)
    assert together(conn, first, second)
    actions.undo(conn, first, who="ada", now=NOW + HOUR)
    actions.link(conn, first, second, who="bram", now=NOW + DAY)
    assert together(conn, first, second)


@unit_of_work
def test_a_link_by_hand_moves_a_record_from_one_entity_to_another(conn: Connection) -> None:
    shops = Shops(conn, "one", "two", "three")
    first, second = shops.sell("one", 1, **DRILL), shops.sell("two", 2, **SAME)
    other = shops.sell("three", 3, **COFFEE)
    settle(conn)
    actions.link(conn, second, other, who="ada", now=NOW + HOUR)
    link_records(conn, [first, second, other], now=NOW + DAY)
    assert together(conn, second, other)
    assert not together(conn, first, second)


@unit_of_work
def test_what_a_person_linked_may_still_be_joined_by_others(conn: Connection) -> None:
    shops = Shops(conn, "one", "two", "three", "four")
    first, second = shops.sell("one", 1, **DRILL), shops.sell("two", 2, **SAME)
    odd = shops.sell("three", 3, **{**COFFEE, "title": "Assorted"})
    settle(conn)
    actions.link(conn, odd, first, who="ada", now=NOW + HOUR)
    fourth = shops.sell("four", 4, **DRILL)
    settle(conn)
    assert together(conn, first, second, odd, fourth)


@unit_of_work
def test_wrong_hands_are_told_so(conn: Connection) -> None:
    shops = Shops(conn, "one", "two")
    first, second = shops.sell("one", 1, **DRILL), shops.sell("two", 2, **SAME)
    flat = Pages(conn, source(conn, "homes"))
    flat.keep(flat.page(staged(7)))
    home = one(conn, "SELECT id FROM records WHERE kind = 'listing'")
    settle(conn)
    who: dict[str, Any] = {"who": "ada", "now": NOW}
    with pytest.raises(BadInput, match="itself"):
        actions.link(conn, first, first, **who)
    with pytest.raises(BadInput, match="is a listing"):
        actions.link(conn, first, home, **who)
    with pytest.raises(Conflict, match="already"):
        actions.link(conn, first, second, **who)
    with pytest.raises(Conflict, match="no entity"):
        actions.undo(conn, home, **who)
    with pytest.raises(NotFound, match="no entity 99"):
        actions.show(conn, 99)


@unit_of_work
def test_siblings_of_hidden_sources_never_leak(conn: Connection) -> None:
    shown, hidden = Shops(conn, "one", "two"), Shops(conn, "three", visibility="hidden")
    first, second = shown.sell("one", 1, **DRILL), shown.sell("two", 2, **SAME)
    third = hidden.sell("three", 3, **DRILL)
    settle(conn)
    assert together(conn, first, second, third)
    now = NOW + HOUR
    assert [row.id for row in actions.public_siblings(conn, first, now)] == [second]
    assert [row.source for row in actions.public_siblings(conn, first, now)] == ["two"]
    assert actions.public_siblings(conn, third, now) == []
    everybody = same_entity(conn, find_row(conn, first, now=now), public_only=False, now=now)
    assert {row.id for row in everybody} == {second, third}
    assert [row.id for row in actions.public_siblings(conn, first, NOW + 40 * DAY)] == []


@unit_of_work
def test_what_is_gone_is_nobodys_candidate(conn: Connection) -> None:
    shops = Shops(conn, "one", "two")
    first = shops.sell("one", 1, **DRILL)
    settle(conn)
    conn.execute(update(records).where(records.c.id == first).values(active=0))
    second = shops.sell("two", 2, **SAME)
    assert link_records(conn, [second], now=NOW) == Resolved(looked_at=1)
    assert settle(conn) == Resolved(looked_at=2)


@unit_of_work
def test_an_erased_record_leaves_no_link_and_no_key(conn: Connection) -> None:
    shops = Shops(conn, "one", "two")
    first, second = shops.sell("one", 1, **DRILL), shops.sell("two", 2, **SAME)
    settle(conn)
    erasure.erase_record(conn, second, by="ada", reason="asked", now=NOW + HOUR)
    settle(conn)
    assert one(conn, "SELECT count(*) FROM entity_keys WHERE record_id = :i", i=second) == 0
    assert list(actions.public_siblings(conn, first, NOW + HOUR)) == []


@unit_of_work
def test_a_key_that_a_crowd_shares_is_passed_over(conn: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entities, "CROWD", 4)
    shops = Shops(conn, "one", "two")
    ids = [shops.sell("one", number, **DRILL) for number in range(1, 5)]
    ids.append(shops.sell("two", 9, **SAME))
    settle(conn)
    assert {entity_of(conn, i) for i in ids} == {None}


async def caught_up(database: Database, many: int) -> Resolved:
    """Follow the feed until so many records were looked at.

    On PostgreSQL the feed waits for every transaction that began before, in whatever database of the server.
    """
    done = Resolved()
    async with asyncio.timeout(PATIENCE):
        while done.looked_at < many:
            done += await resolve_changes(database, now=NOW + HOUR)
    return done


@unit_of_work
def test_of_many_that_share_a_key_the_nearest_are_compared(
    conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entities, "NEAR", 2)
    shops = Shops(conn, "one", "two")
    far = {**DRILL, "title": "Hartmann DX 18-412 spare part", "brand": "Hartmann"}
    for number in range(1, 6):
        shops.sell("one", number, **far)
    nearest, asked = shops.sell("one", 9, **DRILL), shops.sell("two", 1, **SAME)
    settle(conn)
    assert link_records(conn, [asked], now=NOW).compared == 2
    assert together(conn, nearest, asked)


async def test_a_batch_that_is_cut_off_leaves_no_trace_and_is_done_again(database: Database) -> None:
    def stock(conn: Connection) -> list[int]:
        shops = Shops(conn, "one", "two")
        return [shops.sell("one", 1, **DRILL), shops.sell("two", 2, **SAME)]

    def cut_off(conn: Connection) -> None:
        if resolve_batch(conn, now=NOW) is not None:
            assert one(conn, "SELECT count(*) FROM links") == 2
            raise Cut

    async def work() -> None:
        async with asyncio.timeout(PATIENCE):
            while True:
                await database.run(cut_off)

    ids = await database.run(stock)
    with pytest.raises(Cut):
        await work()
    assert await database.run(one, "SELECT count(*) FROM links") == 0
    assert (await caught_up(database, 2)).linked == 2
    assert await database.run(together, *ids)
    assert (await resolve_changes(database, now=NOW + HOUR)).looked_at == 0


async def test_of_two_resolvers_one_waits_for_its_turn(postgres: Database, migrated_postgres: str) -> None:
    def stock(conn: Connection) -> None:
        shops = Shops(conn, "one", "two")
        shops.sell("one", 1, **DRILL)
        shops.sell("two", 2, **SAME)

    await postgres.run(stock)
    await fed(postgres, Cursor(), 2)
    elsewhere = await asyncpg.connect(migrated_postgres)
    async with elsewhere.transaction():
        await elsewhere.execute("SELECT pg_advisory_xact_lock(hashtextextended('larder outbox resolver', 0))")
        assert (await resolve_changes(postgres, now=NOW)).looked_at == 0
    await elsewhere.close()
    assert (await caught_up(postgres, 2)).linked == 2


async def test_only_what_changed_is_looked_at_again(database: Database) -> None:
    def stock(conn: Connection) -> None:
        shops = Shops(conn, "one", "two")
        for number in range(1, 9):
            shops.sell("one", number, **{**COFFEE, "title": f"Casa Lupo Nero {number}37 coffee beans, 1 kg"})

    def dearer(conn: Connection) -> None:
        page = Pages(conn, one(conn, "SELECT id FROM sources WHERE slug = 'one'"))
        said: dict[str, Any] = {
            **COFFEE,
            "title": "Casa Lupo Nero 137 coffee beans, 1 kg",
            "price_minor": 2199,
        }
        item = staged(1, kind=Kind.PRODUCT, **{"currency": "EUR", "url": "https://one.test/1", **said})
        page.keep(page.page(item, at=NOW + HOUR, purpose=Purpose.DETAIL))

    await database.run(stock)
    await caught_up(database, 8)
    await database.run(dearer)
    assert (await caught_up(database, 1)).looked_at == 1


async def test_labelled_records_of_shops_agendas_and_boards(database: Database) -> None:
    labels = labelled(41, goods=120, evenings_a_day=5, flats=90)
    await database.run(fill, labels)
    await caught_up(database, len(labels))
    found = await database.run(tally, labels)
    assert set(found) == {"product", "event", "listing"}
    for kind, each in found.items():
        assert each.true > 60, kind
        assert each.precision >= PRECISION, (kind, each)
        assert each.recall >= RECALL, (kind, each)
