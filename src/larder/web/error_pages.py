"""Pages for what went wrong: calm, without details, and in the frame of whoever came.

An operator whose page fails is still an operator: the menu stays, and the way leads back to the overview. Who
came is asked of the door once more, because an error may come before anybody asked; where even that fails,
the visitor is nobody in particular.
"""

from dataclasses import replace

from fastapi import Request
from fastapi.responses import HTMLResponse
from sqlalchemy.exc import SQLAlchemyError

from larder.auth import Authenticator
from larder.core.errors import LarderError
from larder.core.model.caller import ANYONE
from larder.core.model.hint import Hint
from larder.web.admin.frame import pending_counts
from larder.web.context import PageContext


def anonymous_context(request: Request) -> PageContext:
    """A visit of which nothing is certain: it needs no database."""
    auth: Authenticator = request.app.state.auth
    return PageContext(request=request, app=auth.app, auth=auth, caller=ANYONE, now=auth.app.clock.now())


async def error_page(
    request: Request,
    status: int,
    *,
    title: str = "Request failed",
    message: str = "",
    hint: Hint | str = "",
) -> HTMLResponse:
    """What went wrong, for whoever asked."""
    ctx, counts = anonymous_context(request), None
    try:
        ctx = replace(ctx, caller=await ctx.auth.identify(request))
        counts = await ctx.look(pending_counts) if ctx.is_admin else None
    except (LarderError, SQLAlchemyError, OSError):
        ctx = anonymous_context(request)
    said = {"title": title, "message": message, "hint": hint}
    return ctx.page("error.html", status=status, **said, place="", here="", waiting=counts)
