"""Coming in and going out, and the light in which one likes to read."""

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from larder.core.errors import NotAllowed
from larder.web.context import THEME, THEMES, Visitor, own, text

router = APIRouter()


@router.get("/sign-in")
async def sign_in_page(visit: Visitor, to: str = "/admin") -> Response:
    """Where a key is asked for."""
    if visit.operator:
        return RedirectResponse(own(to), status_code=303)
    return visit.page("public/enter.html", to=own(to), error=None)


@router.post("/sign-in")
async def sign_in(visit: Visitor) -> Response:
    """A session for a key. There is no session yet that could be ridden, hence no token."""
    form = await visit.sent()
    to = own(text(form, "to", "/admin"))
    try:
        entered = await visit.door.sign_in(text(form, "key"))
    except NotAllowed as error:
        return visit.page("public/enter.html", status=403, to=to, error=error)
    response = visit.back(to)
    visit.door.keep(entered, visit.request, response)
    return response


@router.post("/leave")
async def leave(visit: Visitor) -> Response:
    """End the session."""
    await visit.form()
    response = visit.back("/", "You are signed out.")
    await visit.door.leave(visit.request, response)
    return response


@router.post("/theme")
async def theme(visit: Visitor) -> Response:
    """Light or dark; it changes nothing but this browser's view."""
    form = await visit.sent()
    chosen = text(form, "theme")
    response = visit.back(text(form, "to", "/"))
    if chosen in THEMES:
        response.set_cookie(THEME, chosen, max_age=31_536_000, path="/", samesite="lax", httponly=True)
    return response
