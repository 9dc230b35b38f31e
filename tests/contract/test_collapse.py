"""One card per thing: linked records of several sources are one, in lists, feed, pages and API."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, update

from larder.actions.dataset import event_feed
from larder.actions.dataset.event_feed import EventFeedQuery
from larder.core.model.source import Kind
from larder.store.reads import public
from larder.store.reads.query import Query, Sort
from larder.store.tables import records
from tests.contract.faces import Faces, opened
from tests.contract.world import NOW, Pages, source, staged, unit_of_work

SHOPS = ("alpha", "beta", "gamma")


def linked(conn: Connection) -> None:
    """The same kettle in three shops and two other things; the entity is known."""
    for number, slug in enumerate(SHOPS, 1):
        shop = Pages(conn, source(conn, slug, domain=f"{slug}.test", visibility="public"))
        kettle = staged(number, title="Copper kettle", price_minor=number * 100, currency="EUR")
        shop.keep(shop.page(kettle, staged(number + 10, title=f"Pot of {slug}")))
    conn.execute(update(records).where(records.c.title == "Copper kettle").values(entity_id=7))


def titles(conn: Connection, **query: Any) -> list[str]:
    found, after = [], None
    while True:
        page = public.find_records(conn, Query(collapse=True, limit=2, after=after, **query), now=NOW)
        found += [row.title for row in page.rows]
        after = page.next
        if after is None:
            return sorted(found)


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"sort": Sort.PRICE},
        {"text": "kettle"},
        {"text": "kettle", "sort": Sort.NEWEST},
        {"source": "gamma"},
    ],
    ids=str,
)
@unit_of_work
def test_l10_16_linked_records_are_one_on_all_pages(conn: Connection, query: dict[str, Any]) -> None:
    linked(conn)
    assert titles(conn, **query).count("Copper kettle") == 1


@unit_of_work
def test_l10_16_the_others_are_found_by_an_index(conn: Connection) -> None:
    if conn.dialect.name != "sqlite":
        return
    linked(conn)
    plans: list[str] = []
    execute = conn.execute

    def explained(statement: Any, *args: Any, **kwargs: Any) -> Any:
        made = statement.compile(dialect=conn.dialect, compile_kwargs={"render_postcompile": True})
        any_values = (None,) * len(made.positiontup or ())
        plans.extend(row[-1] for row in conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {made}", any_values))
        return execute(statement, *args, **kwargs)

    conn.execute = explained  # type: ignore[method-assign]
    public.find_records(conn, Query(collapse=True), now=NOW)
    assert any("ix_records_entity_id" in plan for plan in plans), plans


@unit_of_work
def test_l10_16_a_cancelled_event_leaves_the_feed(conn: Connection) -> None:
    agenda = Pages(conn, source(conn, "agenda", domain="agenda.test", visibility="public", kind=Kind.EVENT))
    starts = "2026-01-09T20:00:00+00:00"
    events = [
        staged(1, kind=Kind.EVENT, title="Jazz", starts_at=starts, status="scheduled"),
        staged(2, kind=Kind.EVENT, title="Blues", starts_at=starts, status="cancelled"),
    ]
    agenda.keep(agenda.page(*events))
    ranked = event_feed.rank_events(conn, EventFeedQuery(), now=NOW).events
    assert [each.row.title for each in ranked] == ["Jazz"]


@pytest.fixture
async def shown(database_url: str, tmp_path: Path) -> AsyncIterator[Faces]:
    async with opened(database_url, tmp_path) as found:
        await found.app.run(linked)
        yield found


async def test_l10_16_api_and_pages_show_one_with_all_its_sources(shown: Faces) -> None:
    kettles = [each for each in (await shown.get("/api/records"))["items"] if "kettle" in each["title"]]
    assert [each["sources"] for each in kettles] == [list(SHOPS)]
    every = (await shown.get("/api/records", collapse="none"))["items"]
    assert len([each for each in every if "kettle" in each["title"]]) == 3
    admin = (await shown.get("/api/admin/records", shown.admin))["items"]
    assert len([each for each in admin if "kettle" in each["title"]]) == 3
    page = (await shown.anyone.get("/")).text
    assert page.count("Copper kettle</a>") == 1
    assert "also on beta, gamma" in page
