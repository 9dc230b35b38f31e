"""Candidates: suggested sources to accept or reject."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from larder.actions.operations.runs import RunView
from larder.actions.sources import candidates, scout
from larder.actions.sources.candidates import CandidateStatus, CandidateView
from larder.actions.sources.sources import SavedSource
from larder.api.context import AdminContext
from larder.api.request_bodies import Before, ListLimit, RequestBody, RowId, example
from larder.api.schemas import Items

router = APIRouter(prefix="/candidates", tags=["candidates"])


@router.get("", summary="Candidates")
async def list_candidates(
    ctx: AdminContext,
    status: Annotated[CandidateStatus | None, Query(description="Only in this status.")] = None,
    before: Before = None,
    limit: ListLimit = 100,
) -> Items[CandidateView]:
    """Newest first."""
    return Items(items=await ctx.read(candidates.list_candidates, status=status, before=before, limit=limit))


class ScoutRequest(RequestBody):
    """Which region to search."""

    model_config = example(region="NL", places=20)

    region: str = Field(
        max_length=40, description="A country (`NL`), a part of one (`NL-07`) or a Dutch province."
    )
    places: int = Field(
        default=20, ge=1, le=scout.MAX_PLACES, description="Places to search, the largest first."
    )


@router.post("/scout", summary="Scout a region", status_code=202)
async def start_scout(ctx: AdminContext, body: ScoutRequest) -> RunView:
    """Opens a scout, which searches the region's places in the background. Each place costs five queries."""
    return await ctx.run(scout.start, body.region, body.places, **ctx.actor)


@router.get("/{candidate_id:row}", summary="One candidate")
async def show(ctx: AdminContext, candidate_id: RowId) -> CandidateView:
    """With the evidence for its score."""
    return await ctx.read(candidates.show, candidate_id)


@router.post("/{candidate_id:row}/accept", summary="Accept a candidate", status_code=201)
async def accept(ctx: AdminContext, candidate_id: RowId) -> SavedSource:
    """Adds a hidden source; it runs only after the terms of its site are reviewed."""
    return await ctx.run(candidates.accept, candidate_id, ctx.dispatcher, **ctx.actor)


@router.post("/{candidate_id:row}/reject", summary="Reject a candidate")
async def reject(ctx: AdminContext, candidate_id: RowId) -> CandidateView:
    """It is kept as rejected, so that it is not suggested again."""
    return await ctx.run(candidates.reject, candidate_id, **ctx.actor)
