"""Dead letters: look, retry, discard, note; one by one or a whole group."""

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
from larder.api.request_bodies import Before, Id, Limit, OfSource, RequestBody, example
from larder.engine.scheduling.dead_letter_retries import Retried
from larder.request_validation import MAX_ID
from larder.store.queue.dead_letters import DeadLetterStatus

router = APIRouter(prefix="/dead-letters", tags=["dead letters"])

LetterId = Annotated[int, Field(ge=1, le=MAX_ID)]


class LetterSelection(RequestBody):
    """Letters by number, or by what they have in common."""

    ids: list[LetterId] = Field(default=[], max_length=MAX_LETTERS, description="Their numbers.")
    source: str | None = Field(default=None, max_length=64, description="All of this source.")
    stage: str | None = Field(default=None, max_length=50, description="All that failed at this stage.")
    type: str | None = Field(default=None, max_length=200, description="All that failed in this way.")

    def asked(self) -> DeadLetterFilter:
        """As the actions want it."""
        return DeadLetterFilter(ids=self.ids, source=self.source, stage=self.stage, type=self.type)


class DiscardRequest(LetterSelection):
    """The same, with a word on why."""

    model_config = example(ids=[5], note="the page was removed")

    note: str = Field(default="", max_length=2_000, description="Why, for whoever comes after you.")


class Note(RequestBody):
    """What was found out."""

    text: str = Field(min_length=1, max_length=2_000, description="What you found out.")


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterIds:
    """Numbers of letters."""

    ids: Sequence[int]


@router.get("", summary="Dead letters, by group and the latest")
async def every(
    ctx: AdminContext,
    *,
    source: OfSource = None,
    stage: Annotated[str | None, Query(max_length=50, description="Only of this stage.")] = None,
    type: Annotated[str | None, Query(max_length=200, description="Only of this type.")] = None,  # noqa: A002
    status: Annotated[DeadLetterStatus | None, Query(description="Only in this status.")] = None,
    before: Before = None,
    limit: Limit = 50,
) -> DeadLetterList:
    """Groups with how many there are of each; letters, newest first: `before` goes on from the last."""
    asked = DeadLetterFilter(source=source, stage=stage, type=type, status=status)
    return await ctx.look(dead_letters.list_dead_letters, asked, before=before, limit=limit)


@router.get("/{letter_id:row}", summary="One dead letter")
async def show(ctx: AdminContext, letter_id: Id) -> DeadLetterDetails:
    """With its trace, and what it would go on from."""
    return await ctx.look(dead_letters.show, letter_id)


@router.post("/retry", summary="Retry dead letters")
async def retry(ctx: AdminContext, body: LetterSelection) -> Retried:
    """Puts work back into line where it failed; a shut gate is said, not forced."""
    return await ctx.do(dead_letters.retry, body.asked(), ctx.dispatcher, **ctx.actor)


@router.post("/discard", summary="Discard dead letters")
async def discard(ctx: AdminContext, body: DiscardRequest) -> LetterIds:
    """They stay on record; which they were."""
    return LetterIds(ids=await ctx.do(dead_letters.discard, body.asked(), body.note, **ctx.actor))


@router.post("/{letter_id:row}/note", summary="Note something on a letter")
async def note(ctx: AdminContext, letter_id: Id, body: Note) -> DeadLetterDetails:
    """For whoever comes after you."""
    return await ctx.do(dead_letters.add_note, letter_id, body.text, **ctx.actor)
