"""Opens the fetchers that the settings configure, behind one gate and one escalation."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from larder.app.deployment import App
from larder.core.errors import not_installed
from larder.core.model.source import FetcherName
from larder.engine.request_identity import Identity
from larder.engine.worker.fallback import StoredFallback
from larder.engine.worker.rate_limits import LaneSlots, StoredRobots, StoredTerms
from larder.stages.fetch.actor.call_store import DatabaseCallStore
from larder.stages.fetch.actor.fetcher import ActorFetcher
from larder.stages.fetch.browser.fetcher import BrowserFetcher, browser_user_agent
from larder.stages.fetch.browser.guard_proxy import ProxyGuard
from larder.stages.fetch.browser.process import BrowserLimits, BrowserProcess
from larder.stages.fetch.client import Client
from larder.stages.fetch.escalation import EscalatingFetcher
from larder.stages.fetch.gate import RequestGate
from larder.stages.fetch.http import HttpFetcher, larder_user_agent
from larder.stages.fetch.permit import StepListener
from larder.stages.fetch.proxy.pool import ProxyPool
from larder.stages.fetch.relay import RelayFetcher, RelayService
from larder.stages.fetch.request import Fetcher
from larder.stages.fetch.terms import TermsGate
from larder.store.operations.access import secrets
from larder.store.operations.access.secrets import SecretCipher
from larder.store.pages.blobs import Blobs


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetchers:
    """The fetchers of a deployment, its blobs, and the identity it sends."""

    fetcher: Fetcher
    http: Fetcher
    """Plain HTTP alone."""
    blobs: Blobs
    identity: Identity


@asynccontextmanager
async def fetching(
    app: App, tell: StepListener | None = None, *, preview: bool = False
) -> AsyncIterator[Fetchers]:
    """Open every fetcher of this deployment; `tell` is called for each step.

    `preview`: a person looks at a page, so the site's terms need not be reviewed.
    """
    box = SecretCipher(app.settings.secret_key.get_secret_value())
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(
            Client(app.clock, user_agent=larder_user_agent(app.settings.contact), resolver=app.resolver)
        )
        terms = _terms(app, preview=preview)
        gate = _gate(app, client, terms, tell)
        pool = ProxyPool(app.database, app.clock, app.dispatcher.chance, box)
        stack.push_async_callback(pool.flush)
        http = HttpFetcher(client, gate, app.clock, routes=pool)
        fetchers: dict[FetcherName, Fetcher] = {FetcherName.HTTP: http}
        if app.settings.browser is not None:
            fetchers[FetcherName.BROWSER] = await _browser(app, stack, gate, terms)
        if app.settings.relay_key:
            fetchers[FetcherName.RELAY] = RelayFetcher(client, gate, app.clock, service=_relay(app))
        blobs = app.blobs()
        stack.push_async_callback(blobs.close)
        yield Fetchers(
            fetcher=_escalation(app, fetchers, blobs, tell),
            http=http,
            blobs=blobs,
            identity=_identity(app, box),
        )


def _terms(app: App, *, preview: bool) -> TermsGate:
    return TermsGate(StoredTerms(app.database, app.clock), need_review=app.settings.strict and not preview)


def _gate(app: App, client: Client, terms: TermsGate, tell: StepListener | None) -> RequestGate:
    return RequestGate(
        client,
        terms=terms,
        slots=LaneSlots(app.database, app.clock, app.dispatcher.chance),
        robots=StoredRobots(app.database, agent=app.settings.agent),
        clock=app.clock,
        agent=app.settings.agent,
        strict=app.settings.strict,
        tell=tell,
    )


async def _browser(app: App, stack: AsyncExitStack, gate: RequestGate, terms: TermsGate) -> BrowserFetcher:
    proxy = await stack.enter_async_context(ProxyGuard(terms, resolver=app.resolver))
    memory = app.settings.browser_memory_mb * 1024 * 1024
    limits = BrowserLimits(pages=app.settings.browser_pages, recycle_memory=memory // 2, most_memory=memory)
    process = BrowserProcess(app.settings.browser, limits=limits)
    stack.push_async_callback(process.close)
    agent = browser_user_agent(app.settings.contact)
    return BrowserFetcher(process, proxy, gate, app.clock, user_agent=agent)


def _relay(app: App) -> RelayService:
    return RelayService(url=app.settings.relay_url, key=app.settings.relay_key.get_secret_value())


def _escalation(
    app: App, fetchers: dict[FetcherName, Fetcher], blobs: Blobs, tell: StepListener | None
) -> EscalatingFetcher:
    credits_a_month = app.settings.relay_credits or None
    return EscalatingFetcher(
        fetchers,
        fallback=StoredFallback(app.database, blobs, app.clock, credits_a_month=credits_a_month),
        clock=app.clock,
        javascript={name for name, adapter in app.dispatcher.adapters.items() if adapter.manifest.javascript},
        tell=tell,
    )


def _identity(app: App, box: SecretCipher) -> Identity:
    async def reveal(name: str) -> str | None:
        secret = await app.run(secrets.get, name, box)
        return None if secret is None else secret.reveal()

    return Identity(user_agents=app.settings.user_agents, reveal=reveal)


def actors(app: App) -> ActorFetcher | None:
    """The fetcher for actor sources, if a token is configured."""
    settings = app.settings
    if not settings.apify_token:
        return None
    try:
        from larder.stages.fetch.actor.apify import Apify  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise not_installed("an actor source", "actors") from error
    return ActorFetcher(
        Apify(settings.apify_token.get_secret_value(), url=settings.apify_url),
        DatabaseCallStore(app.database, app.clock, budget=settings.apify_budget_usd or None),
        app.clock,
        terms=_terms(app, preview=False),
        actors=settings.actors,
        poll=timedelta(seconds=settings.actor_poll_seconds),
    )
