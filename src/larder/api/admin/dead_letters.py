"""Dead letters: list, retry, discard, add a note; single ones or groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from larder.actions.operations import dead_letters
from larder.actions.operations.dead_letters import (
    MAX_LETTERS,
    DeadLetterDetails,
    DeadLetterFilter,
    DeadLetterList,
)
from larder.api.context import AdminContext
from larder.api.request_bodies import Before, ListLimit, OfSource, RequestBody, RowId, example
from larder.engine.scheduling.dead_letter_retries import Retried
from larder.request_validation import MAX_ID
from larder.store.queue.dead_letters import DeadLetterStatus

router = APIRouter(prefix="/dead-letters", tags=["dead letters"])

LetterId = Annotated[int, Field(ge=1, le=MAX_ID)]


class DeadLetterChoice(RequestBody):
    """Dead letters by id, or all that match."""

    ids: list[LetterId] = Field(default=[], max_length=MAX_LETTERS, description="Ids.")
    source: str | None = Field(default=None, max_length=64, description="All of this source.")
    stage: str | None = Field(default=None, max_length=50, description="All that failed at this stage.")
    type: str | None = Field(default=None, max_length=200, description="All with this error type.")

    def selection(self) -> DeadLetterFilter:
        """As a filter of the actions."""
        return DeadLetterFilter(ids=self.ids, source=self.source, stage=self.stage, type=self.type)


class DiscardRequest(DeadLetterChoice):
    """Dead letters to discard, with a reason."""

    model_config = example(ids=[5], note="the page was removed")

    note: str = Field(default="", max_length=2_000, description="Reason, for the audit log.")


class Note(RequestBody):
    """A note on a dead letter."""

    text: str = Field(min_length=1, max_length=2_000, description="The note.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetterIds:
    """Ids of dead letters."""

    ids: Sequence[int]


@router.get("", summary="Dead letters, grouped and the latest")
async def list_dead_letters(
    ctx: AdminContext,
    *,
    source: OfSource = None,
    stage: Annotated[str | None, Query(max_length=50, description="Only of this stage.")] = None,
    type: Annotated[str | None, Query(max_length=200, description="Only of this type.")] = None,  # noqa: A002
    status: Annotated[DeadLetterStatus | None, Query(description="Only in this status.")] = None,
    before: Before = None,
    limit: ListLimit = 50,
) -> DeadLetterList:
    """Groups with their counts, and single letters, newest first; `before` continues after a page."""
    filters = DeadLetterFilter(source=source, stage=stage, type=type, status=status)
    return await ctx.read(dead_letters.list_dead_letters, filters, before=before, limit=limit)


@router.get("/{letter_id:row}", summary="One dead letter")
async def show(ctx: AdminContext, letter_id: RowId) -> DeadLetterDetails:
    """With its stack trace and the data that a retry starts from."""
    return await ctx.read(dead_letters.show, letter_id)


@router.post("/retry", summary="Retry dead letters")
async def retry(ctx: AdminContext, body: DeadLetterChoice) -> Retried:
    """Queues the jobs again at the failed stage; those of blocked sources are reported, not retried."""
    return await ctx.run(dead_letters.retry, body.selection(), ctx.dispatcher, **ctx.actor)


@router.post("/discard", summary="Discard dead letters")
async def discard(ctx: AdminContext, body: DiscardRequest) -> DeadLetterIds:
    """Marks them as discarded; they are not deleted. Returns their ids."""
    return DeadLetterIds(ids=await ctx.run(dead_letters.discard, body.selection(), body.note, **ctx.actor))


@router.post("/{letter_id:row}/note", summary="Add a note to a dead letter")
async def note(ctx: AdminContext, letter_id: RowId, body: Note) -> DeadLetterDetails:
    """Appends a note."""
    return await ctx.run(dead_letters.add_note, letter_id, body.text, **ctx.actor)
