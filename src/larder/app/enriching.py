"""Opens the language model that the settings name, with its budget."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from larder.actions.operations import enrichment
from larder.actions.operations.enrichment import EnrichmentUsage
from larder.actions.sources import repairs
from larder.actions.sources.repairs import SourceRepairs
from larder.app.deployment import App
from larder.core.errors import Unusable
from larder.engine.background.enrichment.budget import BudgetLimits
from larder.engine.background.enrichment.enrich import Enricher
from larder.engine.background.enrichment.model import Model
from larder.engine.background.enrichment.task import EnrichmentTask
from larder.engine.healing.ask_for_selectors import SelectorAsker
from larder.engine.healing.healer import Healer
from larder.settings import Settings
from larder.stages.enrich import OpenAiClient
from larder.stages.enrich.client import LLM_TIMEOUT
from larder.stages.notify.http_post import session
from larder.store.operations.access import secrets
from larder.store.operations.access.secrets import SecretCipher

LLM_SECRET = "llm"  # noqa: S105 - its name


def budget_limits(settings: Settings) -> BudgetLimits:
    """The monthly limits of tokens and money."""
    return BudgetLimits(
        tokens=settings.llm_tokens or None,
        usd=settings.llm_usd or None,
        usd_in=settings.llm_usd_in,
        usd_out=settings.llm_usd_out,
    )


async def read_usage(app: App) -> EnrichmentUsage:
    """Tokens and money the language model used this month."""
    settings = app.settings
    return await app.read(
        enrichment.usage,
        budget_limits(settings),
        model=settings.llm_model,
        enabled=bool(settings.llm_url),
        now=app.clock.now(),
    )


@asynccontextmanager
async def language_model(app: App) -> AsyncIterator[Model]:
    """Open the language model; refuses where none is configured."""
    settings = app.settings
    if not settings.llm_url:
        raise Unusable("no language model is configured", hint="set LARDER_LLM_URL and LARDER_LLM_MODEL")
    box = SecretCipher(settings.secret_key.get_secret_value())
    key = await app.run(secrets.get, LLM_SECRET, box)
    async with session() as client:
        yield Model(
            database=app.database,
            clock=app.clock,
            client=OpenAiClient(
                url=settings.llm_url,
                model=settings.llm_model,
                client=client,
                key=key.reveal() if key else "",
                timeout=LLM_TIMEOUT,
            ),
            limits=budget_limits(settings),
            name=settings.llm_model,
        )


@asynccontextmanager
async def enriching(app: App) -> AsyncIterator[Enricher]:
    """Open what works off the items that wait for the model."""
    async with language_model(app) as model, selector_asker(app, model) as asker:
        yield Enricher(database=app.database, clock=app.clock, model=model, selectors=(asker,))


@asynccontextmanager
async def selector_asker(app: App, model: Model) -> AsyncIterator[SelectorAsker]:
    """Open what asks for selectors, and proves them on stored pages."""
    blobs = app.blobs()
    healer = Healer(
        database=app.database,
        blobs=blobs,
        clock=app.clock,
        adapters=app.dispatcher.adapters,
        runner=app.parse_runner,
    )
    try:
        yield SelectorAsker(healer=healer, model=model)
    finally:
        await blobs.close()


async def ask_for_selectors(app: App, slug: str) -> SourceRepairs:
    """Ask the model now about the broken selectors of a source; nothing is applied."""
    broken = await app.read(repairs.list_broken_parts, slug)
    async with language_model(app) as model, selector_asker(app, model) as asker:
        asked = [await asker.ask(part, applies=False) for part in broken]
    if None in asked:
        usage = await read_usage(app)
        hint = usage.trouble or "its budget of this month is spent"
        raise Unusable("the language model did not answer", hint=hint)
    return await app.read(repairs.show, slug)


def enrichment_tasks(app: App) -> list[EnrichmentTask]:
    """The background task, where a language model is configured."""
    if not app.settings.llm_url:
        return []
    return [EnrichmentTask(database=app.database, clock=app.clock, opened=lambda: enriching(app))]
