"""Site profiles: what was learned about a source's pages, and which reading of them counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from larder.core.errors import BadInput, NotFound
from larder.core.model.hint import Hint
from larder.core.model.site_profile import (
    FieldProof,
    ReadingChoice,
    SampleReading,
    SiteProfile,
    profile_of,
)
from larder.core.model.source import Source
from larder.engine.healing.save_profile import save_profile, without_needless_samples
from larder.sdk.adapter import Adapters
from larder.store.database import Connection
from larder.store.operations.selector_questions import SelectorQuestion
from larder.store.queue import sources
from larder.store.reads.lookup import source_row
from larder.store.reads.operators.sites import is_local


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileField:
    """One field of a profile: its selector and its proof."""

    field: str
    selector: Any
    agreed: int
    pages: int
    general: int
    proven: bool
    proposed: bool
    """A language model proposed the selector; it needs the same proof as any other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileView:
    """A profile for display."""

    source: str
    reading: ReadingChoice
    proven: bool
    pages: int
    """Detail pages from which it was learned."""
    rows: int
    learned_at: str
    fields: Sequence[ProfileField]
    selectors: Mapping[str, Any]
    samples: Sequence[SampleReading]
    """Both readings of the pages, while nobody has chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedSource:
    """The result of learning a site profile."""

    source: str
    profile: ProfileView | None
    """None: no field of the index rows was found on the detail pages."""
    details: int
    """Detail pages that were read."""
    requests: int
    stopped: str = ""
    """Why fewer pages than wanted were fetched."""
    page_fields: Mapping[str, str] = field(default_factory=dict)
    """The language and the currency that the index page shows."""
    asked: SelectorQuestion | None = None
    """The question to a language model, if one was asked now, and the outcome."""


def source_to_learn(conn: Connection, slug: str) -> tuple[Source, str | None]:
    """A source, and its site if that is marked as local."""
    row = source_row(conn, slug)
    local = row.domain if row.domain and is_local(conn, row.domain) else None
    return sources.load(conn, [row.id])[row.id], local


def view_profile(slug: str, profile: SiteProfile) -> ProfileView:
    """The view of a profile, stored or not."""
    return ProfileView(
        source=slug,
        reading=profile.reading,
        proven=profile.proven,
        pages=profile.pages,
        rows=profile.rows,
        learned_at=profile.learned_at,
        fields=[_field(name, proof, profile) for name, proof in profile.fields.items()],
        selectors=profile.selectors,
        samples=profile.samples,
    )


def _field(name: str, proof: FieldProof, profile: SiteProfile) -> ProfileField:
    declared = profile.selectors.get("detail", {}).get("fields", {})
    return ProfileField(
        field=name,
        selector=declared.get(name),
        agreed=proof.agreed,
        pages=proof.pages,
        general=proof.general,
        proven=proof.proven,
        proposed=name in profile.proposed,
    )


def find(conn: Connection, slug: str) -> ProfileView | None:
    """The profile of a source; None if none was learned."""
    profile = profile_of(source_row(conn, slug).params or {})
    return view_profile(slug, profile) if profile else None


def show(conn: Connection, slug: str) -> ProfileView:
    """The profile of a source; NotFound if none was learned."""
    profile = find(conn, slug)
    if profile is None:
        raise NotFound(f"{slug} has no site profile", hint=Hint(action="source.learn", target=slug))
    return profile


def store(
    conn: Connection, slug: str, profile: SiteProfile, adapters: Adapters, *, who: str, now: datetime
) -> ProfileView:
    """Store a learned profile: applied if its proof is good, else both readings wait for a choice."""
    save_profile(conn, slug, without_needless_samples(profile), adapters, who=who, now=now)
    return show(conn, slug)


def choose(
    conn: Connection, slug: str, reading: ReadingChoice, adapters: Adapters, *, who: str, now: datetime
) -> ProfileView:
    """Use the profile's reading, or the general one; the profile itself is kept."""
    if reading is ReadingChoice.UNDECIDED:
        raise BadInput("reading: choose profile or general", hint=Hint(action="source.learn", target=slug))
    profile = profile_of(source_row(conn, slug).params or {})
    if profile is None:
        raise NotFound(f"{slug} has no site profile", hint=Hint(action="source.learn", target=slug))
    save_profile(conn, slug, profile.chosen(reading), adapters, who=who, now=now)
    return show(conn, slug)
