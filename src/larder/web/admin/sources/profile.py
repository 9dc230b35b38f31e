"""The site profile of a source: learn it, see its evidence and both readings, choose one."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.sources import site_profiles
from larder.app.selector_questions import ask_for_profile
from larder.core.model.site_profile import ReadingChoice
from larder.core.plurals import plural
from larder.web.admin.frame import admin_page
from larder.web.context import AdminContext, unknown_action

router = APIRouter(prefix="/sources/{slug}/profile")

_CHOICES = {"use": ReadingChoice.PROFILE, "general": ReadingChoice.GENERAL}
_SAID = {
    ReadingChoice.PROFILE: "The profile is in use; fields that it lacks come from the general reading.",
    ReadingChoice.GENERAL: "The general reading is in use; the profile is stored, but not applied.",
    ReadingChoice.UNDECIDED: "The proof is weak: compare both readings and choose one.",
}


@router.get("")
async def show(ctx: AdminContext, slug: str) -> Response:
    """The profile, or how to get one."""
    profile = await ctx.read(site_profiles.find, slug)
    asks = bool(ctx.app.settings.llm_url)
    return await admin_page(ctx, "profile.html", "sources", profile=profile, slug=slug, asks=asks)


@router.post("/{action}")
async def act(ctx: AdminContext, slug: str, action: str) -> Response:
    """Learns the profile, or chooses a reading."""
    await ctx.form()
    back = f"/admin/sources/{slug}/profile"
    if action == "learn":
        return await _learn(ctx, slug, back)
    if action == "ask":
        result = await ask_for_profile(ctx.app, slug, who=ctx.who)
        outcome = result.asked.outcome if result.asked else ""
        tone = "good" if outcome == "proven" else "warn"
        return ctx.redirect(back, f"Language model: {outcome}.", tone=tone)
    if action not in _CHOICES:
        raise unknown_action(action, ("learn", "ask", *_CHOICES))
    reading, adapters = _CHOICES[action], ctx.app.dispatcher.adapters
    await ctx.run(site_profiles.choose, slug, reading, adapters, **ctx.actor)
    return ctx.redirect(back, _SAID[reading])


async def _learn(ctx: AdminContext, slug: str, back: str) -> Response:
    result = await ctx.app.learn_profile(slug, who=ctx.who)
    if result.profile is None:
        looked = f"No field of the index rows was found on {plural(result.details, 'detail page')}."
        stopped = f" Stopped: {result.stopped}." if result.stopped else ""
        return ctx.redirect(back, looked + stopped, tone="warn")
    reading = result.profile.reading
    tone = "warn" if reading is ReadingChoice.UNDECIDED else "good"
    return ctx.redirect(back, _SAID[reading], tone=tone)
