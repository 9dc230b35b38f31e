"""Signing in and out, and the theme."""

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from larder.core.errors import NotAllowed
from larder.web.context import THEME_COOKIE, THEMES, PublicContext, form_text, local_path

router = APIRouter()


@router.get("/sign-in")
async def sign_in_page(ctx: PublicContext, to: str = "/admin") -> Response:
    """The sign-in page."""
    if ctx.is_admin:
        return RedirectResponse(local_path(to), status_code=303)
    return ctx.page("public/enter.html", to=local_path(to), error=None)


@router.post("/sign-in")
async def sign_in(ctx: PublicContext) -> Response:
    """Opens a session for a key. Without a session there is no CSRF token to check."""
    form = await ctx.unchecked_form()
    to = local_path(form_text(form, "to", "/admin"))
    try:
        entered = await ctx.auth.sign_in(form_text(form, "key"))
    except NotAllowed as error:
        return ctx.page("public/enter.html", status=403, to=to, error=error)
    response = ctx.redirect(to)
    ctx.auth.set_session_cookie(entered, ctx.request, response)
    return response


@router.post("/leave")
async def leave(ctx: PublicContext) -> Response:
    """End the session."""
    await ctx.form()
    response = ctx.redirect("/", "Signed out.")
    await ctx.auth.sign_out(ctx.request, response)
    return response


@router.post("/theme")
async def theme(ctx: PublicContext) -> Response:
    """Sets the theme of this browser."""
    form = await ctx.unchecked_form()
    chosen = form_text(form, "theme")
    response = ctx.redirect(form_text(form, "to", "/"))
    if chosen in THEMES:
        response.set_cookie(THEME_COOKIE, chosen, max_age=31_536_000, path="/", samesite="lax", httponly=True)
    return response
