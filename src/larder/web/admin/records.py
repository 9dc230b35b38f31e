"""Records as an operator finds them: hidden and inactive ones, too."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions import records
from larder.core.model.source import Kind
from larder.web.admin.frame import answer
from larder.web.visit import Operator

router = APIRouter(prefix="/records")

PAGE = 100


@router.get("")
async def every(visit: Operator) -> Response:
    """The newest, or those that fit."""
    asked: dict[str, Any] = {
        name: visit.request.query_params.get(name) or None for name in ("text", "source", "kind")
    }
    kind = Kind(asked["kind"]) if asked["kind"] in list(Kind) else None
    found = await visit.look(
        records.find, source=asked["source"], kind=kind, text=asked["text"], limit=PAGE, now=visit.now
    )
    return await answer(
        visit, "records.html", "records", records=found, asked=asked, kinds=[str(k) for k in Kind]
    )
