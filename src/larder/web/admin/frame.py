"""The frame of the admin pages: the menu with its counts."""

from collections.abc import Callable, Mapping
from typing import Any

from fastapi.responses import HTMLResponse

from larder.store.reads.operators.overview import pending_counts
from larder.web.context import PageContext, unknown_action


async def admin_page(ctx: PageContext, template: str, here: str, **context: Any) -> HTMLResponse:
    """An admin page; `here` is its menu entry."""
    counts = await ctx.read(pending_counts)
    return ctx.page(f"admin/{template}", place="admin", here=here, waiting=counts, **context)


ButtonAction = tuple[Callable[..., Any], str]
"""What a button does, and the text that confirms it."""


def find_action(actions: Mapping[str, ButtonAction], name: str) -> ButtonAction:
    """The action of a button; NotFound for any other name."""
    if name not in actions:
        raise unknown_action(name, actions)
    return actions[name]
