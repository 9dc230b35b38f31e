"""Verifications: checks whether records still exist."""

from typing import Annotated

from fastapi import APIRouter, Query

from larder.api.context import AdminContext
from larder.api.request_bodies import Before, ListLimit
from larder.api.schemas import Items
from larder.request_validation import MAX_ID
from larder.store.reads.operators import verification_checks
from larder.store.reads.operators.verification_checks import CheckLine

router = APIRouter(prefix="/verifications", tags=["verifications"])


@router.get("", summary="Checks of records")
async def list_checks(
    ctx: AdminContext,
    *,
    run: Annotated[int | None, Query(ge=1, le=MAX_ID, description="Only of this run.")] = None,
    record: Annotated[int | None, Query(ge=1, le=MAX_ID, description="Only of this record.")] = None,
    outcome: Annotated[str | None, Query(max_length=50, description="Only with this outcome.")] = None,
    before: Before = None,
    limit: ListLimit = 100,
) -> Items[CheckLine]:
    """Newest first; the runs themselves are at `/admin/runs?kind=verification`."""
    checks = await ctx.read(
        verification_checks.list_checks, run=run, record=record, outcome=outcome, before=before, limit=limit
    )
    return Items(items=checks)
