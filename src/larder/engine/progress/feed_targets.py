"""Turns the addresses in a feed into targets; targets that left the feed are kept and no longer checked."""

from collections.abc import Sequence
from datetime import datetime

from larder.core.model.source import Source
from larder.engine.work_items import FeedDocument, ProcessedPage
from larder.store.database import Connection
from larder.store.operations import audit
from larder.store.queue import feed_targets

WHO = "feed"
"""Recorded as the author of targets from feeds."""


def update_from_feeds(conn: Connection, ended: Sequence[ProcessedPage], *, now: datetime) -> None:
    """Add the addresses in documents of feeds; existing targets are marked as still in the feed."""
    for page in ended:
        if page.feed is not None:
            read_at = datetime.fromisoformat(page.work.job.request.context["read_at"])
            _update(conn, page.work.source, page.feed, read_at=read_at, now=now)


def _update(
    conn: Connection, source: Source, document: FeedDocument, *, read_at: datetime, now: datetime
) -> None:
    urls = [address.canonical_url for address in (*document.things, *document.others)]
    returned = feed_targets.keep(conn, source.id, urls, read_at=read_at, now=now)
    added = feed_targets.add(conn, source.id, document.things, read_at=read_at, who=WHO, now=now)
    if added or returned:
        counts = {"added": added, "back": returned, "elsewhere": document.elsewhere}
        audit.record(conn, "targets added from feed", source.slug, counts, who=WHO, now=now)


def leave_feed(conn: Connection, source: Source, *, read_at: datetime, now: datetime) -> None:
    """Stop checking targets that the completely read feed did not name."""
    left = feed_targets.leave(conn, source.id, read_at=read_at, now=now)
    if left:
        audit.record(conn, "targets left feed", source.slug, {"left": left}, who=WHO, now=now)
