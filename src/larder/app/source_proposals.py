"""Fetches a page once and proposes how to configure a source of it; nothing is stored."""

from dataclasses import dataclass
from functools import partial

from larder.actions.operations import fetch
from larder.app.deployment import App
from larder.app.fetch_advice import fetch_error
from larder.core.model.item import NextPage
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.source import Kind
from larder.extraction import Trial, try_page
from larder.extraction.proposals import Proposal, sitemaps_in
from larder.extraction.trial import STORED
from larder.sdk.urls import origin, registrable_domain
from larder.stages.fetch import FetchRequest
from larder.store.database import Connection
from larder.store.operations import robots


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedSource:
    """What a page shows, and how to configure a source of it."""

    url: str
    kind: str
    adapter: str
    purpose: str
    """`index` or `detail`."""
    items: int
    """Items that were read from the page."""
    stored: int
    """How many of them a run would store."""
    reason: str
    """Why nothing could be read."""
    next_page: NextPage | None
    advertised: int | None
    proposals: tuple[Proposal, ...]
    """Plan, language, currency and feeds, each with its evidence."""


async def propose_source(app: App, url: str, kind: Kind | None, *, local: bool, who: str) -> ProposedSource:
    """Fetch the page, subject to guard, blocks, robots.txt and rate limit, and read it in a parse worker.

    `local`: a private address is allowed, and audited.
    """
    page = await _fetched(app, url, local=local, who=who)
    task = partial(try_page, page.body, url=page.final_url, kind=kind, now=app.clock.now())
    trial = await app.parse_runner.run(task, pages=2)
    return _proposed(trial, sitemaps_in(await app.read(_robots_txt, page.final_url)))


async def _fetched(app: App, url: str, *, local: bool, who: str) -> Fetched:
    _, known = await app.read(fetch.fetch_context, url, None)
    if local:
        await app.run(fetch.audit_private_fetch, url, who=who, now=app.clock.now())
    async with app.previewing() as fetchers:
        site = known or (registrable_domain(url) if local else None)
        page = await fetchers.fetcher.fetch(FetchRequest(url=url, local_site=site))
    if page.outcome is not FetchOutcome.OK or not page.body:
        raise fetch_error(page, allow="send `local: true` to allow it")
    return page


def _robots_txt(conn: Connection, url: str) -> str:
    stored = robots.read(conn, origin(url))
    return (stored.body or "") if stored is not None else ""


def _proposed(trial: Trial, sitemaps: list[Proposal]) -> ProposedSource:
    return ProposedSource(
        url=trial.url,
        kind=trial.kind,
        adapter=trial.adapter,
        purpose=trial.purpose,
        items=len(trial.items),
        stored=sum(item.verdict == STORED for item in trial.items),
        reason=trial.reason,
        next_page=trial.next_page,
        advertised=trial.advertised,
        proposals=(*trial.proposals, *sitemaps),
    )
