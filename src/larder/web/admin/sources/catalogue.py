"""Several sources at once: a catalogue file, imported whole or not at all."""

import asyncio

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.sources import catalogue
from larder.actions.sources.catalogue import ImportedCatalogue
from larder.core.errors import BadInput
from larder.core.plurals import plural
from larder.web.context import AdminContext
from larder.web.uploads import read_upload

router = APIRouter(prefix="/sources/new")


@router.post("/import")
async def import_catalogue(ctx: AdminContext) -> Response:
    """Adds or changes every source of the file; the first mistake undoes them all."""
    try:
        text = catalogue.decode(await read_upload(await ctx.form(), text="yaml"), name="catalogue")
        read = await asyncio.to_thread(catalogue.parse, text)
        done = await ctx.run(catalogue.import_all, read, ctx.app.dispatcher, **ctx.actor)
    except BadInput as error:
        message = f"Nothing was imported: {error}"
        return ctx.redirect("/admin/sources/new", message, tone="bad", hint=error.hint)
    return ctx.redirect("/admin/sources", _summary(done))


def _summary(done: ImportedCatalogue) -> str:
    counts = ", ".join(f"{done.count(change)} {change}" for change in ("added", "changed", "unchanged"))
    blocked = sum(bool(source.why.blocked_by) for source in done.sources)
    which = "it" if blocked == 1 else "them"
    waiting = f" {plural(blocked, 'source')} cannot run yet: open {which} to see why." if blocked else ""
    return f"{counts}.{waiting}"
