"""Is my data true, and what is wrong now?"""

from fastapi import APIRouter
from starlette.responses import Response

from larder.actions import overview
from larder.actions.overview import Overview
from larder.api.answers import answer
from larder.api.call import Operator
from larder.api.shapes import gives

router = APIRouter(prefix="/overview", tags=["overview"])


@router.get("", summary="The whole Larder at a glance", **gives(Overview))
async def show(call: Operator) -> Response:
    """Sources, records by badge, runs under way, what waits for a person."""
    return answer(await call.look(overview.overview, now=call.now))
