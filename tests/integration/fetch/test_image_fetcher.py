"""Images over real HTTP: politely, last, bounded, and only what is an image is kept."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from struct import pack
from typing import Any

import pytest
from sqlalchemy import Connection, text

from larder.app import App, open_app
from larder.app.driver import image_fetcher as open_fetcher
from larder.app.fetching import fetching
from larder.app.maintenance import sweep_pages
from larder.core.model.run import RunKind
from larder.core.model.source import Kind
from larder.engine.background.images import ImageFetcher, adopt_known_images
from larder.engine.background.images import _claim as claimed
from larder.settings import Settings
from larder.stages.fetch.exchange import MAX_BYTES
from larder.store.pages import pages as stored_pages
from larder.store.queue import sources as stored_sources
from tests.contract.world import Pages, enqueue, run, site, source, staged
from tests.integration.fetch.hostile import SITE, Hostile, Names, WallClock, reply

PNG = b"\x89PNG\r\n\x1a\n" + pack(">I4sII", 13, b"IHDR", 640, 427) + b"\x08\x02\0\0\0"
GIF = b"GIF89a" + pack("<HH", 3, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rooms:
    """A Larder with one shop, and its image fetcher."""

    app: App
    images: ImageFetcher
    clock: WallClock

    async def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return await self.app.run(lambda conn: [tuple(row) for row in conn.execute(text(sql))])

    async def show(self, *urls: str, **params: Any) -> None:
        """The shop has one product with these images."""

        def work(conn: Connection) -> None:
            site(conn, SITE, local=1, spacing_ms=1)
            shop = Pages(conn, source(conn, domain=SITE, kind="product", params={"images": True, **params}))
            run(conn, shop.source.id)
            images = [{"url": url, "position": n} for n, url in enumerate(urls)]
            shop.keep(shop.page(staged(1, kind=Kind.PRODUCT, images=images), at=self.clock.now()))

        await self.app.run(work)


@pytest.fixture
async def rooms(tmp_path: Path) -> AsyncIterator[Rooms]:
    settings = Settings(data=tmp_path, strict=False)
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(open_app(settings, resolver=Names(), upgrade=True))
        app.clock = clock = WallClock()
        ways = await stack.enter_async_context(fetching(app))
        images = open_fetcher(app, ways)
        stack.push_async_callback(images.end)
        yield Rooms(app=app, images=images, clock=clock)


async def test_an_image_is_fetched_measured_and_stored(server: Hostile, rooms: Rooms) -> None:
    server.scripts |= {"/a.png": reply(PNG, Content_Type="image/png"), "/b": reply(GIF)}
    await rooms.show(server.url("/a.png"), server.url("/b"), server.url("/c"))
    assert await rooms.images.round() == 2
    kept = "SELECT format, width, height, next_at, error FROM images ORDER BY position"
    assert await rooms.rows(kept) == [
        ("png", 640, 427, None, None),
        ("gif", 3, 2, None, None),
        (None, None, None, None, "not_found: answered 404"),
    ]
    assert server.paths() == ["/robots.txt", "/a.png", "/b", "/c"]
    assert "image/png" in server.log[1].headers["accept"]
    (name, place) = (
        await rooms.rows("SELECT blobs.content_hash, location FROM blobs JOIN images USING (content_hash)")
    )[0]
    assert await rooms.app.blobs().get(place, name) in (PNG, GIF)
    assert await rooms.images.round() == 0
    assert len(server.log) == 4, "what is settled is not asked for again"


async def test_the_same_bytes_are_stored_once(server: Hostile, rooms: Rooms) -> None:
    server.scripts |= {"/a": reply(PNG), "/b": reply(PNG)}
    await rooms.show(server.url("/a"), server.url("/b"))
    assert await rooms.images.round() == 2
    assert await rooms.rows("SELECT count(*) FROM blobs") == [(1,)]
    assert await rooms.rows("SELECT count(DISTINCT content_hash) FROM images") == [(1,)]


async def test_robots_txt_is_obeyed_where_the_image_lies(server: Hostile, rooms: Rooms) -> None:
    server.scripts |= {
        "/robots.txt": reply(b"User-agent: *\nDisallow: /private"),
        "/private/a.png": reply(PNG),
    }
    await rooms.show(server.url("/private/a.png"))
    assert await rooms.images.round() == 0
    assert server.paths() == ["/robots.txt"]


async def test_no_image_leads_into_our_own_house(server: Hostile, rooms: Rooms) -> None:
    server.scripts["/a"] = reply(status="302 Found", Location=f"http://127.0.0.1:{server.port}/secret")
    await rooms.show(f"http://127.0.0.1:{server.port}/secret", server.url("/a"))
    assert await rooms.images.round() == 0
    assert "/secret" not in server.paths()
    assert await rooms.rows("SELECT count(*) FROM blobs") == [(0,)]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"<svg onload='alert(1)'/>", "not an image in a supported format"),
        (b"<html>a page about an image</html>", "not an image in a supported format"),
        (b"", "not an image in a supported format"),
        (PNG + b"\0" * MAX_BYTES, "too_large 200"),
    ],
    ids=["script", "page", "nothing", "endless"],
)
async def test_what_is_no_image_is_not_kept(server: Hostile, rooms: Rooms, body: bytes, error: str) -> None:
    server.scripts["/a.png"] = reply(body, Content_Type="image/png")
    await rooms.show(server.url("/a.png"))
    assert await rooms.images.round() == 0
    ((said,),) = await rooms.rows("SELECT error FROM images")
    assert said.startswith(error.split(maxsplit=1)[0])
    assert await rooms.rows("SELECT count(*) FROM blobs") == [(0,)]


async def test_images_wait_for_as_long_as_the_site_has_pages_in_line(server: Hostile, rooms: Rooms) -> None:
    server.scripts["/a"] = reply(PNG)
    await rooms.show(server.url("/a"))

    def in_line(conn: Connection) -> None:
        now = rooms.clock.now()
        sweep = run(conn, 1, RunKind.SWEEP, now=now)
        enqueue(conn, sweep, [server.url("/page")], kind=RunKind.SWEEP, now=now)

    await rooms.app.run(in_line)
    assert await rooms.images.round() == 0
    assert server.log == []
    await rooms.app.run(lambda conn: conn.execute(text("UPDATE jobs SET status = 'done'")))
    rooms.clock.ahead += timedelta(minutes=2)
    assert await rooms.images.round() == 1


async def test_a_page_that_comes_into_line_waits_for_one_image_at_most(server: Hostile, rooms: Rooms) -> None:
    """It appears while the first of three images is being fetched."""
    urls = [f"/{n}" for n in range(3)]
    stock = reply(PNG)

    async def appears(request: Any, writer: asyncio.StreamWriter) -> None:
        now = rooms.clock.now()
        await rooms.app.run(lambda conn: enqueue(conn, 1, [server.url("/page")], now=now))
        await stock(request, writer)

    server.scripts |= dict.fromkeys(urls, appears)
    await rooms.show(*(server.url(url) for url in urls))
    assert await rooms.images.round() == 1
    assert server.paths() == ["/robots.txt", "/0"]


async def test_a_site_that_asks_to_be_left_alone_is(server: Hostile, rooms: Rooms) -> None:
    server.scripts |= {"/a": reply(status="429 Slow Down", Retry_After="7200"), "/b": reply(PNG)}
    await rooms.show(server.url("/a"), server.url("/b"))
    began = rooms.clock.now()
    assert await rooms.images.round() == 0
    assert server.paths() == ["/robots.txt", "/a"]
    due = await rooms.rows("SELECT next_at, tries FROM images ORDER BY position")
    assert [tries for _, tries in due] == [1, 0]
    assert all(at >= _micros(began + timedelta(hours=2)) for at, _ in due)


async def test_it_is_tried_three_times_and_then_left(server: Hostile, rooms: Rooms) -> None:
    server.scripts["/a"] = reply(status="500 Oh No")
    await rooms.show(server.url("/a"))
    for _ in range(5):
        await rooms.images.round()
        rooms.clock.ahead += timedelta(days=1)
    assert server.paths().count("/a") == 3
    assert await rooms.rows("SELECT next_at, error FROM images") == [(None, "error: answered 500")]


@pytest.mark.parametrize(("host", "sent"), [(SITE, "hush"), (f"cdn.{SITE}", "hush"), ("cdn.test", None)])
async def test_a_sources_secrets_stay_on_its_own_site(rooms: Rooms, host: str, sent: str | None) -> None:
    await rooms.show(f"http://{host}/a.png", headers={"Authorization": "hush"})
    (errand,) = await rooms.app.run(claimed, now=rooms.clock.now())
    request = await rooms.images._request(errand)
    assert (request.headers.get("Authorization"), request.jar) == (sent, "homes" if sent else None)


async def test_bodies_of_images_outlive_the_nightly_sweep_and_go_with_their_record(
    server: Hostile, rooms: Rooms
) -> None:
    server.scripts["/a"] = reply(PNG)
    await rooms.show(server.url("/a"))
    await rooms.images.round()
    rooms.clock.ahead += timedelta(days=100)
    await sweep_pages(rooms.app)
    assert await rooms.rows("SELECT count(*) FROM blobs") == [(1,)]
    await rooms.app.run(
        lambda conn: conn.execute(text("UPDATE records SET active = 0, deactivated_at = first_seen_at"))
    )
    await sweep_pages(rooms.app)
    assert await rooms.rows("SELECT count(*) FROM blobs") == [(0,)]
    assert await rooms.app.run(stored_pages.known_bodies, ["x"]) == set()


async def test_records_known_before_their_source_wanted_images_are_caught_up_with_once(rooms: Rooms) -> None:
    await rooms.show("http://cdn.test/a", "http://cdn.test/b", images=False)
    now = rooms.clock.now()
    assert await adopt_known_images(rooms.app.database, now=now) == 0
    for wants, looked, due in (({"images": 1}, 1, 1), ({"images": 1}, 0, 1), ({"images": 2}, 1, 2)):
        await rooms.app.run(stored_sources.update_source, 1, {"params": wants}, now=now)
        assert await adopt_known_images(rooms.app.database, now=now) == looked
        assert await rooms.rows("SELECT count(*) FROM images WHERE next_at IS NOT NULL") == [(due,)]


def _micros(at: datetime) -> int:
    return int(at.timestamp() * 1_000_000)
