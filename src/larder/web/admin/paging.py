"""Lists that go on: each page begins behind the last row of the one before, and keeps what was asked.

One row more than is shown is read, so the way on is there only where it leads to something.
"""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, TypeVar

from starlette.datastructures import FormData

from larder.web.context import PageContext, form_text, parse_int

T = TypeVar("T")

PAGE = 100


def cursor(ctx: PageContext, at: str = "before") -> int | None:
    """The number behind which this page begins; None: it is the first."""
    return parse_int(ctx.request.query_params.get(at), at)


def paginate(
    ctx: PageContext,
    found: Sequence[T],
    size: int = PAGE,
    *,
    at: str = "before",
    number: Callable[[T], Any] = attrgetter("id"),
) -> tuple[Sequence[T], str]:
    """The rows of a page, and the address of the next; empty: this is the last."""
    shown = found[:size]
    return shown, ctx.url_with(**{at: number(shown[-1])}) if len(found) > size else ""


def return_path(form: FormData, path: str) -> str:
    """The page of a list that a button was pressed on; else its first."""
    back = form_text(form, "back")
    return back if back.startswith(f"{path}?") else path
