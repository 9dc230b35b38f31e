"""The audit: who changed what, and when."""

from typing import Annotated

from fastapi import APIRouter, Query

from larder.api.context import AdminContext
from larder.api.request_bodies import Before, Limit
from larder.api.schemas import Items
from larder.store.operations import audit
from larder.store.operations.audit import AuditEntry

router = APIRouter(prefix="/audit", tags=["audit"])


@router.get("", summary="Who changed what, and when")
async def every(
    ctx: AdminContext,
    who: Annotated[str | None, Query(max_length=64, description="Only by this hand.")] = None,
    subject: Annotated[str | None, Query(max_length=300, description="Only of this.")] = None,
    before: Before = None,
    limit: Limit = 100,
) -> Items[AuditEntry]:
    """Newest first."""
    return Items(
        items=await ctx.look(audit.list_entries, who=who, subject=subject, before=before, limit=limit)
    )
