"""Fetches one page now and reports each step, with the settings of a source or without."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from larder.core.model.page import Fetched
from larder.core.model.source import Source
from larder.sdk.urls import registrable_domain
from larder.store.database import Connection
from larder.store.operations import audit
from larder.store.pages import pages
from larder.store.pages.blobs import BodyLocation
from larder.store.queue import sources
from larder.store.reads.lookup import source_row
from larder.store.reads.operators.sites import is_local
from larder.store.reads.rows import view_of

BODY_KEPT_FOR = timedelta(days=1)
"""How long a body without a page is kept after it was last viewed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchStep:
    """An event of the fetch, with the seconds since its start."""

    name: str
    said: str
    after_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchReport:
    """The result of a single fetch."""

    url: str
    final_url: str
    outcome: str
    status: int | None
    fetcher: str
    error: str
    hops: Sequence[tuple[str, int]]
    steps: Sequence[FetchStep]
    took_s: float
    size: int
    content_hash: str | None
    content_type: str | None
    location: str | None
    """The location of the body, if it was kept."""

    @classmethod
    def of(cls, fetched: Fetched, steps: Sequence[FetchStep], stored: BodyLocation | None) -> "FetchReport":
        """The report on a fetch."""
        return view_of(
            cls,
            fetched,
            hops=[(hop.url, hop.status) for hop in fetched.hops],
            steps=steps,
            took_s=round(fetched.duration.total_seconds(), 3),
            size=len(fetched.body),
            content_type=fetched.headers.get("content-type"),
            location=stored.location if stored else None,
        )


def fetch_context(conn: Connection, url: str, slug: str | None) -> tuple[Source | None, str | None]:
    """The named source, and the URL's site if it is marked as local."""
    domain = registrable_domain(url) or ""
    return (_source(conn, slug) if slug else None), (domain if is_local(conn, domain) else None)


def audit_private_fetch(conn: Connection, url: str, *, who: str, now: datetime) -> None:
    """Record that a person allowed a request to a private address, before it is sent."""
    subject = registrable_domain(url) or url
    audit.record(conn, "private address fetched", subject, {"url": url}, who=who, now=now)


def keep_body(conn: Connection, stored: BodyLocation, *, now: datetime) -> None:
    """Store the location of a body, which is kept for `BODY_KEPT_FOR`."""
    pages.set_locations(conn, [stored], now=now + BODY_KEPT_FOR)


def extend_body(conn: Connection, content_hash: str, *, now: datetime) -> bool:
    """Keep a body for as long again; False if it is deleted already."""
    pages.touch_bodies(conn, [content_hash], now=now + BODY_KEPT_FOR)
    return bool(pages.known_bodies(conn, [content_hash]))


def _source(conn: Connection, slug: str) -> Source:
    found = source_row(conn, slug).id
    return sources.load(conn, [found])[found]
