"""Errors across runs, by category and words."""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions import errors
from larder.actions.errors import Asked
from larder.core.errors import Category
from larder.web.admin.frame import answer
from larder.web.visit import Operator, whole

router = APIRouter(prefix="/errors")

PAGE = 100
CATEGORIES = tuple(str(category) for category in Category)


@router.get("")
async def every(visit: Operator) -> Response:
    """The latest that fit."""
    params = visit.request.query_params
    said = {name: params.get(name) or None for name in ("source", "category", "text")}
    category = Category(said["category"]) if said["category"] in CATEGORIES else None
    asked = Asked(source=said["source"], category=category, text=said["text"])
    found = await visit.look(errors.every, asked, before=whole(params.get("before"), "before"), limit=PAGE)
    more = f"?{visit.request.url.query}&before={found[-1].id}" if len(found) == PAGE else ""
    return await answer(
        visit, "errors.html", "errors", errors=found, asked=said, categories=CATEGORIES, more=more
    )
