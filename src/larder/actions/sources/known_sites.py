"""Finds the source that an address belongs to.

One that checks pages of its site, or a new one with a free slug.
"""

import itertools
from datetime import datetime
from urllib.parse import urlsplit

from larder.actions.sources.spec import SourceSpec, slug_of
from larder.actions.sources.targets import TargetSpec, TargetView, add, monitors_of
from larder.core.model.source import Plan
from larder.sdk.urls import canonical_url
from larder.store.database import Connection
from larder.store.queue import sources
from larder.store.queue.source_rows import SourceRow

_OF_A_SOURCE = frozenset(
    {
        "slug", "adapter", "params", "policy", "feed_url", "cadence_hours", "fetcher", "max_pages",
        "max_items_per_run",
    }
)  # fmt: skip
"""Fields that only a source of its own can have."""


def as_target(conn: Connection, spec: SourceSpec, *, who: str, now: datetime) -> TargetView | None:
    """Add the address as a target of the one source that checks pages of its site; None: there is none."""
    slug = known_monitor(conn, spec)
    return None if slug is None else add(conn, slug, TargetSpec(url=spec.url), who=who, now=now)


def known_monitor(conn: Connection, spec: SourceSpec) -> str | None:
    """The source that takes the address as a target; None if it becomes a source of its own."""
    values = spec.model_fields_set
    another_plan = "plan" in values and spec.plan is not Plan.MONITOR
    if another_plan or not _OF_A_SOURCE.isdisjoint(values) or not _is_single_page(spec.url):
        return None
    rows = [row for row in monitors_of(conn, spec.url) if spec.kind in (None, row.kind)]
    if len(rows) != 1 or canonical_url(rows[0].url) == canonical_url(spec.url):
        return None
    return rows[0].slug


def _is_single_page(url: str) -> bool:
    parts = urlsplit(url)
    return bool(parts.path.strip("/") or parts.query)


def with_free_slug(conn: Connection, given: SourceSpec, spec: SourceSpec) -> SourceSpec:
    """The fields with a free slug, if none was given."""
    if given.slug:
        return spec
    return spec.model_copy(update={"slug": free_slug(conn, spec.url)})


def free_slug(conn: Connection, url: str) -> str:
    """A short name for an address, with a number where others have it."""
    stem = slug_of(url)
    names = itertools.chain([stem], (f"{stem}-{number}" for number in itertools.count(2)))
    return next(name for name in names if _is_free(sources.by_slug(conn, name), url))


def _is_free(row: SourceRow | None, url: str) -> bool:
    """Whether no source has the slug, or only a removed source of the same address, which then continues."""
    return row is None or (row.removed_at is not None and row.url == url)
