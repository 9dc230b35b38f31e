"""Opens the language model that the settings name, with its budget."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from larder.app.deployment import App
from larder.app.model_usage import budget_limits
from larder.core.errors import Unusable
from larder.engine.background.enrichment.enrich import Enricher
from larder.engine.background.enrichment.model import Model
from larder.engine.background.enrichment.task import EnrichmentTask
from larder.stages.enrich import OpenAiClient
from larder.stages.enrich.client import LLM_TIMEOUT
from larder.stages.notify.http_post import session
from larder.store.operations.access import secrets
from larder.store.operations.access.secrets import SecretCipher

LLM_SECRET = "llm"  # noqa: S105 - its name


@asynccontextmanager
async def language_model(app: App) -> AsyncIterator[Model]:
    """Open the language model; refuses if none is configured."""
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
    """Open the enricher, which processes items that wait for the model."""
    from larder.app.selector_questions import (  # noqa: PLC0415 - usage alone needs no reading of pages
        profile_asker,
        selector_asker,
    )

    async with (
        language_model(app) as model,
        selector_asker(app, model) as asker,
        profile_asker(app, model) as profiles,
    ):
        yield Enricher(database=app.database, clock=app.clock, model=model, selectors=(asker, profiles))


def enrichment_tasks(app: App) -> list[EnrichmentTask]:
    """The background task, if a language model is configured."""
    if not app.settings.llm_url:
        return []
    return [EnrichmentTask(database=app.database, clock=app.clock, opened=lambda: enriching(app))]
