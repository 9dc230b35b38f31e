"""Stores a source's site profile as it was decided, and accepts the version that reads its pages with it."""

from dataclasses import replace
from datetime import datetime

from larder.core.model.site_profile import ReadingChoice, SiteProfile, with_profile
from larder.engine.healing.apply_repairs import promote_reading
from larder.sdk.adapter import Adapters
from larder.store.database import Connection
from larder.store.operations import audit
from larder.store.queue import sources
from larder.store.reads.lookup import source_row


def without_needless_samples(profile: SiteProfile) -> SiteProfile:
    """The profile without samples that no choice needs."""
    return profile if profile.reading is ReadingChoice.UNDECIDED else replace(profile, samples=())


def save_profile(
    conn: Connection, slug: str, profile: SiteProfile, adapters: Adapters, *, who: str, now: datetime
) -> None:
    """Store the profile, with a line in the audit log.

    Its version is accepted without a canary: it reads pages differently by design.
    """
    row = source_row(conn, slug)
    params = with_profile(row.params or {}, profile)
    if params != row.params:
        sources.update_source(conn, row.id, {"params": params}, now=now)
        promote_reading(conn, row.id, adapters, by=who, now=now)
        audit.record(conn, "site profile", slug, {"reading": profile.reading.value}, who=who, now=now)
