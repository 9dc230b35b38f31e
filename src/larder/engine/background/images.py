"""Fetches images of records while their site has no pages waiting.

Images pass the same gate as every request: guard, robots.txt, a slot on their site's lane. As long as a site
has a page queued, none of its images is fetched, so a run is delayed by one image at most. A round is
bounded; what it did not finish is due again.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from larder.core.model.image import images_of, images_wanted
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.source import Source
from larder.core.ports import Clock
from larder.engine.background_task import BackgroundTask
from larder.engine.request_identity import Identity
from larder.sdk.urls import host_of, registrable_domain
from larder.stages.fetch.request import Fetcher, FetchRequest
from larder.stages.parse.image_size import measure
from larder.store.database import Connection, Database
from larder.store.operations import key_values
from larder.store.pages import images, pages
from larder.store.pages.blobs import Blobs
from larder.store.pages.images import ClaimedImage, ImageSource
from larder.store.queue import lanes, sources

ROUND = 20
"""Images claimed at a time."""
LEASE = timedelta(minutes=10)
SITES_AT_ONCE = 4
"""Sites fetched from at a time: bounds the bodies in memory."""
SOON, LATER, MUCH_LATER = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
MAX_TRIES = 3
MOMENT = timedelta(seconds=5)
"""Seconds to wait for images in flight when stopping."""
FOLLOWED = "images_followed"
ACCEPT = "image/webp,image/png,image/jpeg,image/gif,*/*;q=0.1"

_FOR_GOOD = frozenset({FetchOutcome.NOT_FOUND, FetchOutcome.GONE, FetchOutcome.TOO_LARGE})


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageFetch:
    """An image to fetch, and its source."""

    id: int
    url: str
    tries: int
    source: Source
    domain: str
    """The source's site."""
    local: bool
    site_id: int
    """The site of the image."""


@dataclass(slots=True, kw_only=True)
class ImageFetcher(BackgroundTask):
    """Fetches due images in a background task."""

    database: Database
    clock: Clock
    fetcher: Fetcher
    blobs: Blobs
    """Its own blob store: one writer each."""
    identity: Identity = field(default_factory=Identity)
    shutdown_timeout = MOMENT

    async def end(self) -> None:
        """Stop, after waiting a moment for images in flight; the rest is due again."""
        await BackgroundTask.end(self)
        await self.blobs.close()

    async def round(self) -> int:
        """One round; returns how many images were fetched."""
        now = self.clock.now()
        claimed = await self.database.run(_claim, now=now)
        by_site: Mapping[int, list[ImageFetch]] = defaultdict(list)
        for image in claimed:
            by_site[image.site_id].append(image)
        gate = asyncio.Semaphore(SITES_AT_ONCE)
        return sum(await asyncio.gather(*(self._visit(gate, site) for site in by_site.values())))

    async def _visit(self, gate: asyncio.Semaphore, due_images: Sequence[ImageFetch]) -> int:
        """Fetch the images of one site, one after the other, until the site must wait."""
        stored = 0
        async with gate:
            for at, image in enumerate(due_images):
                if await self.database.run(_must_wait, due_images[at:], now=self.clock.now()):
                    break
                stored += await self._fetch(image)
        return stored

    async def _fetch(self, image: ImageFetch) -> bool:
        fetched = await self.fetcher.fetch(await self._request(image))
        body = fetched.body if fetched.outcome is FetchOutcome.OK else b""
        measured = measure(body)
        if measured is None or fetched.content_hash is None:
            await self.database.run(_record_failure, image, fetched, now=self.clock.now())
            return False
        known = await self.database.run(pages.known_bodies, [fetched.content_hash])
        stored = [] if known else await self.blobs.put([body])

        def keep(conn: Connection) -> None:
            now = self.clock.now()
            pages.set_locations(conn, stored, now=now)
            pages.touch_bodies(conn, known, now=now)
            images.mark_stored(conn, image.id, fetched.content_hash or "", measured, now=now)

        await self.database.run(keep)
        return True

    async def _request(self, image: ImageFetch) -> FetchRequest:
        """The request for an image; a source's headers and cookies go to its own site only."""
        source, at_home = image.source, registrable_domain(image.url) == image.domain
        own = await self.identity.headers(source) if at_home else {}
        return FetchRequest(
            url=image.url,
            headers={"Accept": ACCEPT, **own},
            user_agent=self.identity.user_agent(source),
            jar=source.slug if at_home else None,
            proxied=bool(source.params.get("proxies")),
            local_site=image.domain if image.local else None,
        )


async def adopt_known_images(database: Database, *, now: datetime) -> int:
    """Queue images of known records where a source wants images now, or more of them.

    Each source is walked once for each number that it wants; returns how many records were looked at.
    """
    looked = 0
    for source_id, limit in await database.run(_newly_wanted):
        after: str | None = ""
        while after is not None:
            count, after = await database.run(_follow_known, source_id, limit, after, now=now)
            looked += count
        await database.run(key_values.write, f"{FOLLOWED}:{source_id}", limit, now=now)
    return looked


def _newly_wanted(conn: Connection) -> list[tuple[int, int]]:
    """(source, number): what sources want now and did not when they were last walked."""
    sources_wanting = [(row.id, images_wanted(row.params or {})) for row in sources.list_sources(conn)]
    return [
        (i, limit)
        for i, limit in sources_wanting
        if limit and key_values.read(conn, f"{FOLLOWED}:{i}") != limit
    ]


def _follow_known(
    conn: Connection, source_id: int, limit: int, after: str, *, now: datetime
) -> tuple[int, str | None]:
    rows = images.list_records(conn, source_id, after=after)
    images.set_images(conn, {row.id: images_of(row.content, limit) for row in rows}, now=now)
    return len(rows), rows[-1].identity_key if rows else None


def _claim(conn: Connection, *, now: datetime) -> list[ImageFetch]:
    """Claim images that are due; those of inactive records or sources are postponed."""
    due_images = []
    for row in images.claim(conn, now=now, until=now + LEASE, limit=ROUND):
        image = images.source_of(conn, row.record_id)
        if image is None:
            images.postpone(conn, row.id, until=now + MUCH_LATER)
        else:
            due_images.append(_image_fetch(conn, row, image, now=now))
    return due_images


def _image_fetch(conn: Connection, row: ClaimedImage, image: ImageSource, *, now: datetime) -> ImageFetch:
    place = registrable_domain(row.url) or host_of(row.url)
    return ImageFetch(
        id=row.id,
        url=row.url,
        tries=row.tries,
        source=sources.load(conn, [image.source_id])[image.source_id],
        domain=image.domain,
        local=bool(image.local),
        site_id=sources.ensure_site(conn, place, now=now),
    )


def _must_wait(conn: Connection, due_images: Sequence[ImageFetch], *, now: datetime) -> bool:
    """Postpone all images of a site that has pages queued, is cooling down or is blocked."""
    lane = images.lane_state(conn, due_images[0].site_id, now=now)
    until = max(now + SOON if lane.busy else now, lane.cooling_until or now)
    if lane.blocked:
        until = now + MUCH_LATER
    if until == now:
        return False
    for image in due_images:
        images.postpone(conn, image.id, until=until)
    return True


def _record_failure(conn: Connection, image: ImageFetch, fetched: Fetched, *, now: datetime) -> None:
    tries = image.tries + 1
    if fetched.waiting:
        images.postpone(conn, image.id, until=fetched.retry_at or now + SOON)
    elif fetched.outcome is FetchOutcome.OK:
        images.give_up(conn, image.id, "not an image in a supported format", now=now)
    elif fetched.outcome in _FOR_GOOD or tries >= MAX_TRIES:
        images.give_up(conn, image.id, _reason(fetched), now=now)
    else:
        until = max(now + LATER * 2**image.tries, fetched.retry_at or now)
        images.postpone(conn, image.id, until=until, tries=tries)
        if fetched.retry_at:
            lanes.set_cooldown(
                conn, image.site_id, until=fetched.retry_at, reason=f"image: {fetched.outcome}"
            )


def _reason(fetched: Fetched) -> str:
    return f"{fetched.outcome}: {fetched.error}"[:500]
