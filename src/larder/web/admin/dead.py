"""Dead letters: list, retry, discard, add a note."""

from fastapi import APIRouter
from fastapi.responses import Response
from starlette.datastructures import FormData

from larder.actions.operations import dead_letters
from larder.actions.operations.dead_letters import DeadLetterFilter
from larder.store.queue.dead_letters import DeadLetterStatus
from larder.store.reads.lookup import list_slugs
from larder.web.admin.frame import admin_page
from larder.web.admin.paging import PAGE, cursor, paginate, return_path
from larder.web.context import AdminContext, form_ids, form_text

router = APIRouter(prefix="/dead")


@router.get("")
async def list_dead_letters(ctx: AdminContext) -> Response:
    """By group, and the latest."""
    params = ctx.request.query_params
    filters = {name: params.get(name) or None for name in ("source", "stage", "type", "status")}
    status = DeadLetterStatus(filters["status"]) if filters["status"] in list(DeadLetterStatus) else None
    which = DeadLetterFilter(
        source=filters["source"], stage=filters["stage"], type=filters["type"], status=status
    )
    found = await ctx.read(dead_letters.list_dead_letters, which, before=cursor(ctx), limit=PAGE + 1)
    rows, more = paginate(ctx, found.letters)
    return await admin_page(
        ctx, "dead.html", "dead", groups=found.groups, letters=rows, more=more, filters=filters,
        statuses=[str(each) for each in DeadLetterStatus], slugs=await ctx.read(list_slugs),
    )  # fmt: skip


@router.get("/{letter_id:row}")
async def show(ctx: AdminContext, letter_id: int) -> Response:
    """One dead letter."""
    details = await ctx.read(dead_letters.show, letter_id)
    return await admin_page(ctx, "dead_letter.html", "dead", found=details, letter=details.letter)


@router.post("/retry")
async def retry(ctx: AdminContext) -> Response:
    """Retries the selected letters, or a group."""
    form = await ctx.form()
    settings = ctx.app.dispatcher
    done = await ctx.run(dead_letters.retry, _which(form), settings, **ctx.actor)
    tried = len(done.in_line) + len(done.sent_again)
    message = f"Retried: {tried}. Already read by a later run: {len(done.read_since)}."
    result = (
        f"Not retried, because a gate blocks their source: {len(done.held_back)}." if done.held_back else ""
    )
    return ctx.redirect(return_path(form, "/admin/dead"), message, hint=result)


@router.post("/discard")
async def discard(ctx: AdminContext) -> Response:
    """Discards the selected letters, or a group."""
    form = await ctx.form()
    why = form_text(form, "note")
    discarded = await ctx.run(dead_letters.discard, _which(form), why, **ctx.actor)
    return ctx.redirect(return_path(form, "/admin/dead"), f"{len(discarded)} discarded.")


@router.post("/{letter_id:row}/note")
async def note(ctx: AdminContext, letter_id: int) -> Response:
    """Adds a note."""
    form = await ctx.form()
    await ctx.run(dead_letters.add_note, letter_id, form_text(form, "note"), **ctx.actor)
    return ctx.redirect(f"/admin/dead/{letter_id}", "Note saved.")


def _which(form: FormData) -> DeadLetterFilter:
    ids = form_ids(form, "letter")
    if ids:
        return DeadLetterFilter(ids=ids)
    source, stage, kind = (form_text(form, name) or None for name in ("source", "stage", "type"))
    return DeadLetterFilter(source=source, stage=stage, type=kind)
