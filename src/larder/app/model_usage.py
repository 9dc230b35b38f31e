"""The language model's usage and budget of this month, read without opening the model."""

from larder.actions.operations import enrichment
from larder.actions.operations.enrichment import EnrichmentUsage
from larder.app.deployment import App
from larder.engine.background.enrichment.budget import BudgetLimits
from larder.settings import Settings


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
