"""Pages for what went wrong: calm, without details, and in the frame of whoever came.

An operator whose page fails is still an operator: the menu stays, and the way leads back to the overview. Who
came is asked of the door once more, because an error may come before anybody asked; where even that fails,
the visitor is nobody in particular.
"""

from dataclasses import replace

from fastapi import Request
from fastapi.responses import HTMLResponse
from sqlalchemy.exc import SQLAlchemyError

from larder.auth import Door
from larder.core.errors import LarderError
from larder.core.model.caller import ANYONE
from larder.web.admin.frame import waiting
from larder.web.context import Visit


def stranger(request: Request) -> Visit:
    """A visit of which nothing is certain: it needs no database."""
    door: Door = request.app.state.door
    return Visit(request=request, app=door.app, door=door, caller=ANYONE, now=door.app.clock.now())


async def astray(
    request: Request, status: int, *, title: str = "That did not work", message: str = "", hint: str = ""
) -> HTMLResponse:
    """What went wrong, for whoever asked."""
    visit, counts = stranger(request), None
    try:
        visit = replace(visit, caller=await visit.door.caller(request))
        counts = await visit.look(waiting) if visit.operator else None
    except (LarderError, SQLAlchemyError, OSError):
        visit = stranger(request)
    said = {"title": title, "message": message, "hint": hint}
    return visit.page("error.html", status=status, **said, place="", here="", waiting=counts)
