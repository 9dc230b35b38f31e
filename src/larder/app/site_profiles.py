"""Loads the pages from which a site profile is learned: those of the last run, else a few requests.

Requests go through the same gate as all others (guard, blocks, robots.txt, the site's rate limit), one after
the other; the first refusal ends it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from larder.actions.sources import site_profiles
from larder.actions.sources.site_profiles import LearnedSource, ProfileView
from larder.app.deployment import App
from larder.app.fetching import Fetchers
from larder.core.errors import BadInput, Unusable
from larder.core.model.outcome import FetchOutcome
from larder.core.model.site_profile import SiteProfile
from larder.core.model.source import Source
from larder.engine.healing.healer import reads_itself
from larder.engine.healing.stored_samples import (
    MAX_PAGES_OF_RUN,
    LearningPages,
    as_sample,
    open_learning_pages,
)
from larder.engine.processing.learn_profile import detail_urls, learn_profile
from larder.extraction import try_page
from larder.runs import EXTRACTING
from larder.sdk.adapter import SiteAdapter
from larder.stages.fetch import FetchRequest
from larder.stages.parse.repair import Sample
from larder.store.operations.repairs import last_run
from larder.store.operations.selector_questions import load_candidates
from larder.store.pages.run_pages import list_fetched

PAGE_FIELDS = frozenset({"language", "currency"})
REFUSED = frozenset({FetchOutcome.BLOCKED, FetchOutcome.ROBOTS_BLOCKED, FetchOutcome.TERMS})


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedProfile:
    """A learned profile and the number of requests it took."""

    profile: SiteProfile | None
    details: int
    """Detail pages that were read."""
    requests: int
    stopped: str = ""
    """Why fewer pages than wanted were fetched."""
    index: Sample | None = None


async def learn_site_profile(
    app: App, source: Source, *, local_site: str | None = None, index: Sample | None = None
) -> LearnedProfile:
    """Learn the profile of a source, which need not be stored (its id is 0 then); nothing is stored here.

    `index`: its index page, if that was fetched already.
    """
    adapter = app.dispatcher.adapters[source.adapter]
    if reads_itself(adapter):
        raise BadInput(
            f"the adapter {adapter.id} reads its pages by its own code",
            hint="a site profile is for the adapters event, listing and product",
        )
    stored = await _stored(app, source, adapter)
    if stored is not None and stored.enough:
        return await _learned(app, source, adapter, stored.index, stored.details)
    async with app.previewing() as fetchers:
        fetching = _Requests(app=app, ways=fetchers, source=source, local_site=local_site)
        return await fetching.learn(adapter, index or await fetching.index())


async def learn_source(app: App, slug: str, *, who: str) -> LearnedSource:
    """Learn the profile of a stored source and store it: applied if its proof is good."""
    source, local_site = await app.read(site_profiles.source_to_learn, slug)
    result = await learn_site_profile(app, source, local_site=local_site)
    view: ProfileView | None = None
    if result.profile is not None:
        now, adapters = app.clock.now(), app.dispatcher.adapters
        view = await app.run(site_profiles.store, slug, result.profile, adapters, who=who, now=now)
    return LearnedSource(
        source=slug,
        profile=view,
        details=result.details,
        requests=result.requests,
        stopped=result.stopped,
        page_fields=await _page_fields(app, source, result.index),
    )


async def _page_fields(app: App, source: Source, index: Sample | None) -> dict[str, str]:
    """The language and the currency that the index page shows."""
    if index is None:
        return {}
    body = index.page.markup.body
    task = partial(try_page, body, url=index.page.url, kind=source.kind, now=app.clock.now())
    trial = await app.parse_runner.run(task, pages=2)
    return {each.field: each.value for each in trial.proposals if each.field in PAGE_FIELDS}


async def _learned(
    app: App, source: Source, adapter: SiteAdapter, index: Sample, details: Sequence[Sample]
) -> LearnedProfile:
    now = app.clock.now()
    proposed = await app.read(load_candidates, source.id) if source.id else {}
    task = partial(learn_profile, source, adapter, index, details, now=now, proposed=proposed)
    profile = await app.parse_runner.run(task, pages=1 + len(details))
    return LearnedProfile(profile=profile, details=len(details), requests=0, index=index)


async def _stored(app: App, source: Source, adapter: SiteAdapter) -> LearningPages | None:
    """Pages of the last run, if their bodies are stored."""
    run_id = await app.read(last_run, source.id, EXTRACTING) if source.id else None
    if run_id is None:
        return None
    fetched = await app.read(list_fetched, run_id, limit=MAX_PAGES_OF_RUN)
    blobs = app.blobs()
    try:
        return await open_learning_pages(blobs, app.parse_runner, fetched, source, adapter)
    finally:
        await blobs.close()


@dataclass(slots=True, kw_only=True)
class _Requests:
    """Fetches the pages one by one."""

    app: App
    ways: Fetchers
    source: Source
    local_site: str | None
    sent: int = 0
    stopped: str = ""

    async def index(self) -> Sample:
        """Fetch the index page; Unusable if it cannot be fetched."""
        if (sample := await self._fetch(self.source.url)) is not None:
            return sample
        message = f"the index page could not be fetched: {self.stopped}"
        raise Unusable(message, hint="check the address of the source, and what its site allows")

    async def learn(self, adapter: SiteAdapter, first: Sample) -> LearnedProfile:
        """The profile, from pages of the index page's rows."""
        urls = await self.app.parse_runner.run(partial(detail_urls, self.source, adapter, first))
        if not urls:
            raise Unusable(
                f"{self.source.url} shows no rows with pages of their own",
                hint="a site profile is learned from an index page and its detail pages",
            )
        result = await _learned(self.app, self.source, adapter, first, await self._details(urls))
        return replace(result, requests=self.sent, stopped=self.stopped)

    async def _details(self, urls: Sequence[str]) -> list[Sample]:
        samples: list[Sample] = []
        for url in urls:
            sample = await self._fetch(url)
            if sample is not None:
                samples.append(sample)
            elif self.stopped:
                break
        return samples

    async def _fetch(self, url: str) -> Sample | None:
        who = self.source if self.source.id else None
        self.sent += 1
        fetched = await self.ways.fetcher.fetch(
            FetchRequest(
                url=url,
                source=who,
                local_site=self.local_site,
                jar=who.slug if who else None,
                user_agent=self.ways.identity.user_agent(who) if who else None,
                headers=await self.ways.identity.headers(who) if who else {},
            )
        )
        if fetched.outcome is FetchOutcome.OK and fetched.body:
            return as_sample(fetched)
        if fetched.outcome in REFUSED or self.sent == 1:
            self.stopped = fetched.outcome.replace("_", " ") + (
                f" ({fetched.error})" if fetched.error else ""
            )
        return None
