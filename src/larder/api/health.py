"""Is it up, and can it work? For whoever watches processes; neither says anything about the dataset."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from larder import __version__
from larder.api.context import PublicContext
from larder.core.errors import Unusable
from larder.core.model.hint import Hint
from larder.request_validation import DatabaseUnavailable
from larder.store.migrations import upgrade

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """It answers."""

    status: str = Field(examples=["ok"])
    version: str = Field(examples=["0.1.0"])


@router.get("/health", summary="Is the process up?")
async def health() -> Health:
    """Answers as long as the process lives, without asking the database."""
    return Health(status="ok", version=__version__)


@router.get("/ready", summary="Can it do its work?")
async def ready(ctx: PublicContext) -> Health:
    """Answers 503 where the database cannot be reached, or its schema is another version's."""
    try:
        await ctx.look(upgrade.check)
    except Unusable as error:
        raise DatabaseUnavailable(
            "the database is another version's",
            hint=Hint(text="upgrade the database", action="database.upgrade"),
        ) from error
    return Health(status="ok", version=__version__)
