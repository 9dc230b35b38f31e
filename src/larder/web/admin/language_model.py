"""The language model: this month's budget, its usage, and why the model is paused, if it is."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.operations import enrichment
from larder.app.model_usage import read_usage
from larder.web.admin.frame import admin_page
from larder.web.context import AdminContext

router = APIRouter(prefix="/language-model")


@router.get("")
async def show(ctx: AdminContext) -> Response:
    """Tokens and money, and the selectors that it was asked for."""
    used = await read_usage(ctx.app)
    questions = await ctx.read(enrichment.list_asked) if used.enabled else ()
    return await admin_page(ctx, "language_model.html", "language-model", used=used, questions=questions)
