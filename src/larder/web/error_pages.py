"""Error pages, without internal details.

Administrators keep the admin menu. The caller is identified again, because the error may have occurred
before; if that fails, too, the page is that of an anonymous visitor.
"""

from dataclasses import replace

from fastapi import Request
from fastapi.responses import HTMLResponse

from larder.auth import Authenticator
from larder.core.errors import LarderError
from larder.core.model.caller import ANYONE
from larder.core.model.hint import Hint
from larder.store.database import DatabaseError
from larder.store.reads.operators.overview import pending_counts
from larder.web.context import PageContext


def anonymous_context(request: Request) -> PageContext:
    """The context of an anonymous visitor; it needs no database."""
    auth: Authenticator = request.app.state.auth
    return PageContext(request=request, app=auth.app, auth=auth, caller=ANYONE, now=auth.app.clock.now())


async def error_page(
    request: Request, status: int, *, title: str = "Request failed", message: str, hint: Hint | str = ""
) -> HTMLResponse:
    """The error page for the caller."""
    ctx, counts = anonymous_context(request), None
    try:
        ctx = replace(ctx, caller=await ctx.auth.identify(request))
        counts = await ctx.read(pending_counts) if ctx.is_admin else None
    except (LarderError, DatabaseError, OSError):
        ctx = anonymous_context(request)
    content = {"title": title, "message": message, "hint": hint}
    return ctx.page("error.html", status=status, **content, place="", here="", waiting=counts)
