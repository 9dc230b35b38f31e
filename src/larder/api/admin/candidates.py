"""Candidates: places that may be worth a source, found by scouting; accept or reject."""

from typing import Annotated

from fastapi import APIRouter, Query

from larder.actions.sources import candidates
from larder.actions.sources.candidates import CandidateStatus, CandidateView
from larder.actions.sources.sources import SavedSource
from larder.api.context import AdminContext
from larder.api.request_bodies import Before, Id, Limit
from larder.api.schemas import Items

router = APIRouter(prefix="/candidates", tags=["candidates"])


@router.get("", summary="Candidates")
async def every(
    ctx: AdminContext,
    status: Annotated[CandidateStatus | None, Query(description="Only in this status.")] = None,
    before: Before = None,
    limit: Limit = 100,
) -> Items[CandidateView]:
    """Newest first."""
    return Items(items=await ctx.look(candidates.list_candidates, status=status, before=before, limit=limit))


@router.get("/{candidate_id:row}", summary="One candidate")
async def show(ctx: AdminContext, candidate_id: Id) -> CandidateView:
    """With the evidence it was judged by."""
    return await ctx.look(candidates.show, candidate_id)


@router.post("/{candidate_id:row}/accept", summary="Make it a source", status_code=201)
async def accept(ctx: AdminContext, candidate_id: Id) -> SavedSource:
    """Hidden, and not before its site's terms were read."""
    return await ctx.do(candidates.accept, candidate_id, ctx.dispatcher, **ctx.actor)


@router.post("/{candidate_id:row}/reject", summary="It is none")
async def reject(ctx: AdminContext, candidate_id: Id) -> CandidateView:
    """It stays on record, so that it is not found again."""
    return await ctx.do(candidates.reject, candidate_id, **ctx.actor)
