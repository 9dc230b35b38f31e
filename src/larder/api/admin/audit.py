"""The audit: who changed what, and when."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from larder.actions.operations import audit
from larder.actions.operations.audit import AuditEntry
from larder.api.context import AdminContext
from larder.api.request_bodies import Before, Limit
from larder.api.responses import list_response
from larder.api.schemas import gives

router = APIRouter(prefix="/audit", tags=["audit"])


@router.get("", summary="Who changed what, and when", **gives(AuditEntry, many=True))
async def every(
    ctx: AdminContext,
    who: Annotated[str | None, Query(max_length=64, description="Only by this hand.")] = None,
    subject: Annotated[str | None, Query(max_length=300, description="Only of this.")] = None,
    before: Before = None,
    limit: Limit = 100,
) -> Response:
    """Newest first."""
    return list_response(
        await ctx.look(audit.list_entries, who=who, subject=subject, before=before, limit=limit)
    )
