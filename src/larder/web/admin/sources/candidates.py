"""Candidates: suggested sources to accept or reject."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.sources import candidates, scout
from larder.actions.sources.candidates import CandidateStatus
from larder.web.admin.frame import admin_page
from larder.web.admin.paging import PAGE, cursor, paginate, return_path
from larder.web.context import AdminContext, form_text, parse_int, unknown_action

router = APIRouter(prefix="/candidates")

STATUSES = tuple(str(status) for status in CandidateStatus)


@router.get("")
async def list_candidates(ctx: AdminContext) -> Response:
    """Newest first; by default those without a decision."""
    filters = {"status": ctx.request.query_params.get("status") or CandidateStatus.NEW}
    status = CandidateStatus(filters["status"]) if filters["status"] in STATUSES else None
    found = await ctx.read(candidates.list_candidates, status=status, before=cursor(ctx), limit=PAGE + 1)
    rows, more = paginate(ctx, found)
    return await admin_page(
        ctx,
        "candidates.html",
        "candidates",
        candidates=rows,
        more=more,
        filters=filters,
        statuses=STATUSES,
        region=next(iter(ctx.app.settings.scout_regions), "NL"),
        places=ctx.app.settings.scout_places,
    )


@router.post("/scout")
async def start_scout(ctx: AdminContext) -> Response:
    """Opens a scout of a region."""
    form = await ctx.form()
    limit = parse_int(form_text(form, "places"), "places") or ctx.app.settings.scout_places
    run = await ctx.run(scout.start, form_text(form, "region"), limit, **ctx.actor)
    return ctx.redirect(f"/admin/runs/{run.id}", f"Run {run.id} scouts {run.region}.")


@router.post("/{candidate_id:row}/{action}")
async def act(ctx: AdminContext, candidate_id: int, action: str) -> Response:
    """Accepts or rejects a candidate."""
    form = await ctx.form()
    if action == "accept":
        added = await ctx.run(candidates.accept, candidate_id, ctx.app.dispatcher, **ctx.actor)
        return ctx.redirect(f"/admin/sources/{added.slug}", f"{added.slug} was added as a source.")
    if action == "reject":
        await ctx.run(candidates.reject, candidate_id, **ctx.actor)
        return ctx.redirect(return_path(form, "/admin/candidates"), "Rejected; it is not suggested again.")
    raise unknown_action(action, ("accept", "reject"))
