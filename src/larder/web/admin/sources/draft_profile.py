"""The site profile of a source that is not saved yet: learned from its index page, carried by its form.

The profile is stored as a body of its own for as long as the page itself; the form holds its hash.
"""

from collections.abc import Mapping
from dataclasses import replace

import orjson

from larder.actions.operations import fetch
from larder.app import App
from larder.app.site_profiles import learn_site_profile
from larder.core.errors import Unusable
from larder.core.model.site_profile import ReadingChoice, SiteProfile, profile_of, with_profile
from larder.core.model.source import Source
from larder.extraction.draft import DraftFields, Preview
from larder.sdk import Page
from larder.sdk.urls import registrable_domain
from larder.stages.parse.repair import Sample
from larder.store.reads.stored_bodies import body_location

PROFILE, READING = "profile", "reading"
"""Fields of the form: the hash of the learned profile, and the reading that was chosen."""


async def learn(app: App, values: DraftFields, body: bytes, seen: Preview) -> dict[str, str]:
    """The form's fields with a learned profile; up to five detail pages are fetched."""
    page = Page(values["url"], body)
    source = Source(
        id=0, slug="draft", name="draft", kind=seen.kind, site_id=0, adapter=seen.trial.adapter, url=page.url,
        language=page.language or "en",
    )  # fmt: skip
    _, known = await app.run(fetch.fetch_context, page.url, None)
    site = known or (registrable_domain(page.url) if values.get("local") else None)
    index = Sample(page=page, at=app.clock.now())
    result = await learn_site_profile(app, source, local_site=site, index=index)
    if result.profile is None:
        raise Unusable(
            "no field of the rows was found on their detail pages",
            hint=result.stopped
            or "save the source without a site profile; its pages are then read without one",
        )
    content_hash = await _store(app, result.profile)
    return {**values, PROFILE: content_hash, READING: result.profile.reading.value}


async def load(app: App, values: DraftFields) -> SiteProfile | None:
    """The learned profile with the reading that the form has; None where none was learned, or it expired."""
    content_hash = values.get(PROFILE, "")
    location = await app.read(body_location, content_hash) if content_hash else None
    blobs = app.blobs()
    try:
        body = await blobs.get(location, content_hash) if location else None
    finally:
        await blobs.close()
    profile = profile_of(orjson.loads(body)) if body else None
    return _chosen(profile, values.get(READING, "")) if profile else None


def saved_params(params: Mapping[str, object], profile: SiteProfile | None) -> dict[str, object]:
    """Adapter parameters with the profile; both readings are kept where nobody has chosen."""
    if profile is None:
        return dict(params)
    undecided = profile.reading is ReadingChoice.UNDECIDED
    return with_profile(params, profile if undecided else profile.chosen(profile.reading))


def _chosen(profile: SiteProfile, reading: str) -> SiteProfile:
    samples = profile.samples
    known = reading in set(ReadingChoice)
    return replace(profile.chosen(ReadingChoice(reading)), samples=samples) if known else profile


async def _store(app: App, profile: SiteProfile) -> str:
    blobs = app.blobs()
    try:
        (stored,) = await blobs.put([orjson.dumps(with_profile({}, profile))])
    finally:
        await blobs.close()
    await app.run(fetch.keep_body, stored, now=app.clock.now())
    return stored.content_hash
