"""Fields on which readings disagree are counted and shown with an example, on both databases."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, select, update

from larder.core.model.item import Staged
from larder.core.model.job import Purpose
from larder.store.reads.operators.disputed_fields import list_disputed_fields
from larder.store.tables import versions
from tests.contract.faces import Faces, opened
from tests.contract.world import Pages, run, source, staged, unit_of_work


def disputed_source(conn: Connection) -> int:
    """Three homes: rows and detail pages disagree on two prices; a profile and the markup on one title."""
    source_id = source(conn)
    mine, run_id = Pages(conn, source_id), run(conn, source_id)
    mine.keep(mine.page(*(_home(n, 100_000) for n in range(3)), purpose=Purpose.INDEX, run_id=run_id))
    for n, price in enumerate((100_000, 120_000, 130_000)):
        mine.keep(mine.page(_home(n, price), purpose=Purpose.DETAIL, run_id=run_id))
    first = select(versions.c.id).where(versions.c.purpose == Purpose.DETAIL).order_by(versions.c.id).limit(1)
    told = {"area_m2": "json-ld ≠ profile", "price_minor": "json-ld"}
    conn.execute(update(versions).where(versions.c.id == first.scalar_subquery()).values(strategies=told))
    return source_id


def _home(n: int, price: int) -> Staged:
    return staged(n, title=f"Home {n}", price_minor=price, currency="EUR", area_m2=50 + n)


@unit_of_work
def test_each_field_has_its_count_and_one_example(conn: Connection) -> None:
    found = {each.field: each for each in list_disputed_fields(conn, disputed_source(conn))}
    assert {name: (each.records, each.of) for name, each in found.items()} == {
        "price_minor": (2, 3),
        "area_m2": (1, 3),
    }
    assert found["price_minor"].value in (120_000, 130_000)
    assert found["price_minor"].others == [100_000]
    assert found["area_m2"].strategy == "json-ld ≠ profile"
    assert found["area_m2"].title == "Home 1"


@unit_of_work
def test_a_source_whose_readings_agree_has_none(conn: Connection) -> None:
    source_id = source(conn)
    mine, run_id = Pages(conn, source_id), run(conn, source_id)
    for purpose in (Purpose.INDEX, Purpose.DETAIL):
        mine.keep(mine.page(_home(1, 100_000), purpose=purpose, run_id=run_id))
    assert list_disputed_fields(conn, source_id) == []


@pytest.fixture
async def faces(database_url: str, tmp_path: Path) -> AsyncIterator[Faces]:
    async with opened(database_url, tmp_path, requests_a_minute=0) as these:
        await these.app.run(disputed_source)
        yield these


async def test_the_page_of_a_source_and_the_api_show_them(faces: Faces) -> None:
    page = " ".join((await faces.admin.get("/admin/sources/homes")).text.split())
    told = (await faces.admin.get("/api/admin/sources/homes/why")).json()
    assert "price: readings disagree on 2 of 3 records; for example record" in page
    assert "another page says €1,000.00" in page
    assert [each["field"] for each in told["disputed"]] == ["price_minor", "area_m2"]
