"""Keyset pagination of lists; links keep the filters.

One row more than shown is read, so that there is a next link only if there is a next page.
"""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, TypeVar

from starlette.datastructures import FormData

from larder.web.context import PageContext, form_text, parse_int

T = TypeVar("T")

PAGE = 100


def cursor(ctx: PageContext, at: str = "before") -> int | None:
    """The id after which this page begins; None on the first page."""
    return parse_int(ctx.request.query_params.get(at), at)


def paginate(
    ctx: PageContext,
    found: Sequence[T],
    size: int = PAGE,
    *,
    at: str = "before",
    number: Callable[[T], Any] = attrgetter("id"),
) -> tuple[Sequence[T], str]:
    """The rows of a page, and the link to the next one; empty on the last page."""
    shown = found[:size]
    return shown, ctx.url_with(**{at: number(shown[-1])}) if len(found) > size else ""


def return_path(form: FormData, path: str) -> str:
    """The page of the list that the form was sent from; else its first page."""
    back = form_text(form, "back")
    return back if back.startswith(f"{path}?") else path
