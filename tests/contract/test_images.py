"""Images follow what pages show, are claimed once, and go when their record is long gone."""

from typing import Any

import pytest
from sqlalchemy import Connection

from larder.core.model.image import ImageFormat, ImageSize
from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.store.database import Database
from larder.store.dataset import erasure
from larder.store.pages import images as pictures
from tests.contract.world import DAY, HOUR, MINUTE, NOW, Pages, one, rows, run, source, staged, unit_of_work

LIST = "SELECT url, position, alt, next_at IS NOT NULL FROM images ORDER BY record_id, position"


def shop(conn: Connection, **params: Any) -> Pages:
    pages = Pages(conn, source(conn, kind="product", params=params))
    run(conn, pages.source.id)
    return pages


def product(number: int, *names: str, **fields: Any) -> Any:
    images = [{"url": f"http://cdn.test/{name}", "position": n, "alt": name} for n, name in enumerate(names)]
    return staged(number, kind=Kind.PRODUCT, images=images, **fields)


@unit_of_work
def test_images_are_followed_only_where_a_source_wants_them(conn: Connection) -> None:
    pages = shop(conn)
    pages.keep(pages.page(product(1, "a", "b")))
    assert rows(conn, LIST) == []


@unit_of_work
def test_new_images_are_due_and_those_no_longer_shown_go(conn: Connection) -> None:
    pages = shop(conn, images=2)
    pages.keep(pages.page(product(1, "a", "b", "c"), product(2, "x")))
    assert rows(conn, LIST) == [
        ("http://cdn.test/a", 0, "a", True),
        ("http://cdn.test/b", 1, "b", True),
        ("http://cdn.test/x", 0, "x", True),
    ]
    pages.keep(pages.page(product(1, "b", "d"), product(2, "x"), at=NOW + HOUR))
    assert [row[:2] for row in rows(conn, LIST)] == [
        ("http://cdn.test/b", 0),
        ("http://cdn.test/d", 1),
        ("http://cdn.test/x", 0),
    ]


@unit_of_work
def test_the_same_page_again_asks_for_nothing(conn: Connection) -> None:
    pages = shop(conn, images=True)
    for hours in (0, 1):
        detail = product(1, "a", description="long")
        pages.keep(pages.page(detail, purpose=Purpose.DETAIL, at=NOW + hours * HOUR))
        for row in pictures.claim(conn, now=NOW + hours * HOUR, until=NOW + DAY, limit=9):
            pictures.mark_stored(
                conn, row.id, "h1", ImageSize(format=ImageFormat.PNG, width=4, height=3), now=NOW
            )
    kept = "SELECT content_hash, format, width, height, next_at FROM images"
    assert rows(conn, kept) == [("h1", "png", 4, 3, None)]


async def test_an_image_is_claimed_once_until_its_claim_runs_out(database: Database) -> None:
    def made(conn: Connection) -> None:
        pages = shop(conn, images=True)
        pages.keep(pages.page(product(1, "a", "b", "c")))

    await database.run(made)
    taken = [
        len(await database.run(pictures.claim, now=NOW + after, until=NOW + after + HOUR, limit=2))
        for after in (0 * MINUTE, MINUTE, 2 * MINUTE, 2 * HOUR)
    ]
    assert taken == [2, 1, 0, 2]


@unit_of_work
def test_a_claim_takes_no_more_than_asked_whatever_plan_the_database_chooses(conn: Connection) -> None:
    pages = shop(conn, images=True)
    pages.keep(pages.page(product(1, "a", "b", "c", "d")))
    if conn.dialect.name == "postgresql":
        for plan in ("hashjoin", "mergejoin", "hashagg", "sort", "material"):
            conn.exec_driver_sql(f"SET LOCAL enable_{plan} = off")
    assert len(pictures.claim(conn, now=NOW, until=NOW + HOUR, limit=2)) == 2


@unit_of_work
def test_images_of_what_is_long_gone_are_let_go_and_fetched_again_when_it_is_back(conn: Connection) -> None:
    pages = shop(conn, images=True)
    pages.keep(pages.page(product(1, "a"), product(2, "b")))
    for row in pictures.claim(conn, now=NOW, until=NOW + HOUR, limit=9):
        pictures.mark_stored(
            conn, row.id, f"h{row.record_id}", ImageSize(format=ImageFormat.GIF, width=1, height=1), now=NOW
        )
    conn.exec_driver_sql("UPDATE records SET active = 0, deactivated_at = first_seen_at WHERE id = 1")
    assert pictures.release_bodies(conn, before=NOW) == (set(), 2)
    assert pictures.release_bodies(conn, before=NOW + DAY) == ({"h1"}, 2)
    assert pictures.release_bodies(conn, before=NOW + DAY, after=2) == (set(), None)
    assert rows(conn, "SELECT content_hash, next_at FROM images ORDER BY id") == [(None, None), ("h2", None)]
    pages.keep(pages.page(product(1, "a"), product(2, "b"), at=NOW + HOUR))
    due = rows(conn, "SELECT id FROM images WHERE next_at IS NOT NULL")
    assert due == [(1,)]


@unit_of_work
def test_what_is_erased_takes_its_images_along(conn: Connection) -> None:
    pages = shop(conn, images=True)
    pages.keep(pages.page(product(1, "a")))
    erasure.erase_record(conn, 1, by="ann", reason="asked to", now=NOW)
    assert one(conn, "SELECT count(*) FROM images") == 0


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("records", "active = 0"),
        ("sources", "enabled = 0"),
        ("sources", "needs_review = 1"),
        ("sites", "blocked = 1"),
    ],
)
@unit_of_work
def test_nothing_is_fetched_for_a_record_or_a_source_at_rest(
    conn: Connection, table: str, change: str
) -> None:
    pages = shop(conn, images=True)
    pages.keep(pages.page(product(1, "a")))
    assert pictures.source_of(conn, 1) is not None
    conn.exec_driver_sql(f"UPDATE {table} SET {change}")
    assert pictures.source_of(conn, 1) is None
