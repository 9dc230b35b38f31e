"""Sites: terms, robots.txt, limits and blocks; politeness belongs to the site."""

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError

from larder.actions.sources import sites
from larder.actions.sources.spec import SiteSpec
from larder.core.errors import BadInput, NotThere
from larder.core.model.site import POLITENESS, Preset
from larder.web.admin.frame import answer
from larder.web.context import Operator, text

router = APIRouter(prefix="/sites")

ROBOTS = {
    "rules": "has rules, which are kept",
    "open": "none: everything may be read",
    "closed": "closed: nothing may be read",
    "undecided": "cannot be fetched: nothing is read until it can",
    None: "not fetched yet",
}
"""What each state of a robots.txt means."""


@router.get("")
async def every(visit: Operator) -> Response:
    """All sites."""
    return await answer(visit, "sites.html", "sites", sites=await visit.look(sites.list_sites), says=ROBOTS)


@router.get("/{domain}")
async def one(visit: Operator, domain: str) -> Response:
    """One site."""
    found = await visit.look(sites.show, domain)
    files = await visit.look(sites.robots_files, found.domain)
    usual = POLITENESS[Preset(found.preset)]
    return await answer(
        visit, "site.html", "sites", site=found, files=files, presets=list(Preset), usual=usual, says=ROBOTS
    )


@router.post("/{domain}/change")
async def change(visit: Operator, domain: str) -> Response:
    """Its pace and its notes; a field that was emptied is what the preset gives, or nothing."""
    form = await visit.form()
    asked = ("preset", "spacing", "spacing_max", "at_once", "notes")
    try:
        spec = SiteSpec.model_validate({name: text(form, name) or None for name in asked if name in form})
    except ValidationError as error:
        first = error.errors()[0]
        raise BadInput(f"{first['loc'][-1]}: {first['msg']}", hint="nothing was changed") from error
    await visit.do(sites.change, domain, spec, who=visit.who, now=visit.now)
    return visit.back(f"/admin/sites/{domain}", f"{domain} is changed.")


@router.post("/{domain}/{action}")
async def act(visit: Operator, domain: str, action: str) -> Response:
    """Review its terms, block it, let it be again."""
    form = await visit.form()
    back = text(form, "back") or f"/admin/sites/{domain}"
    if action == "review":
        await visit.do(sites.review, domain, who=visit.who, now=visit.now)
        return visit.back(back, f"The terms of {domain} are marked as read by {visit.who}.")
    if action == "block":
        await visit.do(sites.block, domain, text(form, "reason"), who=visit.who, now=visit.now)
        return visit.back(back, f"Nothing of {domain} is fetched any more.", tone="warn")
    if action == "unblock":
        await visit.do(sites.unblock, domain, who=visit.who, now=visit.now)
        return visit.back(back, f"{domain} may be fetched again.")
    raise NotThere(f"nothing is called {action!r} here")
