"""The audit log."""

from typing import Annotated

from fastapi import APIRouter, Query

from larder.api.context import AdminContext
from larder.api.request_bodies import Before, ListLimit
from larder.api.schemas import Items
from larder.store.operations import audit
from larder.store.operations.audit import AuditEntry

router = APIRouter(prefix="/audit", tags=["audit"])


@router.get("", summary="Audit log")
async def list_audit_entries(
    ctx: AdminContext,
    who: Annotated[str | None, Query(max_length=64, description="Only by this person or key.")] = None,
    subject: Annotated[str | None, Query(max_length=300, description="Only about this subject.")] = None,
    before: Before = None,
    limit: ListLimit = 100,
) -> Items[AuditEntry]:
    """Newest first."""
    return Items(
        items=await ctx.read(audit.list_entries, who=who, subject=subject, before=before, limit=limit)
    )
