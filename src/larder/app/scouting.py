"""Opens a scout with the search provider, the fetchers and the judge that the settings configure."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from larder.app.deployment import App
from larder.app.enriching import language_model
from larder.app.fetching import fetching
from larder.app.notifications import notifier
from larder.core.errors import Unusable
from larder.core.model.hint import Hint
from larder.engine.background.scout.judge import HeuristicJudge, Judge, LlmJudge
from larder.engine.background.scout.scout import Scout
from larder.engine.background.scout.task import ScoutTask
from larder.stages.notify.http_post import session
from larder.stages.search.serper import Serper
from larder.store.operations.access import secrets
from larder.store.operations.access.secrets import SecretCipher

SEARCH_SECRET = "serper"  # noqa: S105 - its name


@asynccontextmanager
async def scouting(app: App) -> AsyncIterator[Scout]:
    """Open a scout; candidates are fetched as previews, for which terms need not be reviewed."""
    key = await search_key(app)
    if not key:
        raise no_key()
    async with AsyncExitStack() as stack:
        fetchers = await stack.enter_async_context(fetching(app, preview=True))
        client = await stack.enter_async_context(session())
        yield Scout(
            database=app.database,
            clock=app.clock,
            provider=Serper(url=app.settings.search_url, key=key, client=client),
            fetcher=fetchers.http,
            judge=await _judge(app, stack),
            post=await stack.enter_async_context(notifier(app)),
            folder=app.settings.data / "scout",
        )


async def _judge(app: App, stack: AsyncExitStack) -> Judge:
    """The language model if one is configured, else heuristics."""
    heuristic = HeuristicJudge(runner=app.parse_runner)
    if not app.settings.llm_url:
        return heuristic
    return LlmJudge(heuristic=heuristic, model=await stack.enter_async_context(language_model(app)))


def scout_task(app: App) -> ScoutTask:
    """The background task that opens and drives scouts."""

    async def has_key() -> bool:
        return bool(await search_key(app))

    return ScoutTask(
        database=app.database,
        clock=app.clock,
        regions=app.settings.scout_regions,
        places=app.settings.scout_places,
        tz=app.settings.timezone,
        has_key=has_key,
        opened=lambda: scouting(app),
    )


async def search_key(app: App) -> str:
    """The API key of the search provider; empty if none is stored."""
    secret = await app.run(
        secrets.get, SEARCH_SECRET, SecretCipher(app.settings.secret_key.get_secret_value())
    )
    return secret.reveal() if secret else ""


def no_key() -> Unusable:
    """The error for a missing search key."""
    return Unusable(
        "the search provider has no API key",
        hint=Hint(text="store one", action="secret.set", target=SEARCH_SECRET),
    )
