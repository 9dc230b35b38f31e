"""Healing: selectors that stopped matching, the proof of what would replace them, and two orders."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.sources import repairs
from larder.core.errors import NotThere
from larder.web.admin.frame import answer
from larder.web.context import Operator
from larder.web.render import plural

router = APIRouter(prefix="/sources/{slug}/healing")


@router.get("")
async def show(visit: Operator, slug: str) -> Response:
    """How a source's selectors stand."""
    found = await visit.look(repairs.show, slug)
    return await answer(visit, "healing.html", "sources", found=found)


@router.post("/{action}")
async def act(visit: Operator, slug: str, action: str) -> Response:
    """Look at the last run's pages, apply what is proven, take back what was applied."""
    await visit.form()
    app, back = visit.app, f"/admin/sources/{slug}/healing"
    known = app.dispatcher.adapters
    if action == "look":
        blobs = app.blobs()
        try:
            found = await repairs.examine(app.database, blobs, app.clock, known, slug)
        finally:
            await blobs.close()
        if found.run is None:
            return visit.back(back, "There are no pages of a last run to compare.", tone="warn")
        return visit.back(back, f"Looked: {plural(len(found.suggested), 'selector')} stopped matching.")
    if action == "apply":
        await visit.do(repairs.apply, slug, known, who=visit.who, now=visit.now)
        return visit.back(back, "What is proven is applied; it takes itself back if later runs disagree.")
    if action == "take-back":
        await visit.do(repairs.revert, slug, known, who=visit.who, now=visit.now)
        return visit.back(back, "What was declared reads the pages again.")
    raise NotThere(f"nothing is called {action!r} here")
