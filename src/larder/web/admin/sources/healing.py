"""Selector repairs: suggestions with their evidence; check, apply, revert."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.sources import repairs
from larder.app.selector_questions import ask_for_selectors
from larder.core.plurals import plural
from larder.web.admin.frame import admin_page
from larder.web.context import AdminContext, unknown_action

router = APIRouter(prefix="/sources/{slug}/healing")


@router.get("")
async def show(ctx: AdminContext, slug: str) -> Response:
    """The selector repairs of a source."""
    source_repairs = await ctx.read(repairs.show, slug)
    asks = bool(ctx.app.settings.llm_url)
    return await admin_page(ctx, "healing.html", "sources", found=source_repairs, asks=asks)


@router.post("/{action}")
async def act(ctx: AdminContext, slug: str, action: str) -> Response:
    """Checks the pages of the last run, applies proven repairs, or reverts applied ones."""
    await ctx.form()
    app, back = ctx.app, f"/admin/sources/{slug}/healing"
    known = app.dispatcher.adapters
    if action == "look":
        blobs = app.blobs()
        try:
            runner = app.parse_runner
            source_repairs = await repairs.examine(app.database, blobs, app.clock, known, slug, runner=runner)
        finally:
            await blobs.close()
        if source_repairs.run is None:
            return ctx.redirect(back, "The last run has no stored pages to compare.", tone="warn")
        return ctx.redirect(
            back, f"Compared: {plural(len(source_repairs.suggested), 'selector')} stopped matching."
        )
    if action == "ask":
        answered = await ask_for_selectors(app, slug)
        outcome = "; ".join(f"{question.part}: {question.outcome}" for question in answered.asked)
        return ctx.redirect(back, f"Language model: {outcome}.", tone="good" if answered.proven else "warn")
    if action == "apply":
        await ctx.run(repairs.apply, slug, known, **ctx.actor)
        return ctx.redirect(
            back, "The proven selectors are applied; they are reverted if later runs disagree."
        )
    if action == "take-back":
        await ctx.run(repairs.revert, slug, known, **ctx.actor)
        return ctx.redirect(back, "The declared selectors are in use again.")
    raise unknown_action(action, ("look", "ask", "apply", "take-back"))
