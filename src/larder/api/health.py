"""Liveness and readiness checks for process supervisors."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from larder import __version__
from larder.api.context import PublicContext
from larder.app.data_folder import is_full
from larder.core.errors import Unusable
from larder.core.model.hint import Hint
from larder.request_validation import DatabaseUnavailable
from larder.store.migrations import upgrade

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """The service responds."""

    status: str = Field(examples=["ok"])
    version: str = Field(examples=["0.1.0"])


class Readiness(Health):
    """The service answers requests; `disk_full`: it reads only, because nothing can be written."""

    disk_full: bool


@router.get("/health", summary="Is the process up?")
async def health() -> Health:
    """200 while the process runs; the database is not queried."""
    return Health(status="ok", version=__version__)


@router.get("/ready", summary="Is the service ready?")
async def ready(ctx: PublicContext) -> Readiness:
    """503 if the database is unreachable or its schema has another version.

    `status` is `degraded` while the disk of the data folder is full: reads continue, runs wait for space.
    """
    try:
        await ctx.read(upgrade.check)
    except Unusable as error:
        raise DatabaseUnavailable(
            "the database schema has another version",
            hint=Hint(text="upgrade the database", action="database.upgrade"),
        ) from error
    full = is_full(ctx.app.settings.data)
    return Readiness(status="degraded" if full else "ok", version=__version__, disk_full=full)
