"""Live parts of pages: the server renders a part again and sends it if it changed (server-sent events).

A part is a template of its own, so that an update shows what a reload would show. A stream sends `end` when
nothing more will change; otherwise it ends after a while, and the browser reconnects.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from fastapi.responses import StreamingResponse

from larder.core.errors import NotAllowed
from larder.core.model.caller import Scope
from larder.web.context import PageContext

INTERVAL_S = 1.0
"""Seconds between two updates."""
MAX_UPDATES = 600
"""Updates of one stream."""
END = "event: end\ndata:\n\n"


Draw = Callable[[], Awaitable[str]]


async def stream(
    ctx: PageContext, draw: Draw, *, interval: float = INTERVAL_S, over: Callable[[], bool] = lambda: False
) -> StreamingResponse:
    """Sends the text of `draw` when it changed, until `over` or until the caller loses access."""
    first = await draw()
    return StreamingResponse(
        _events(ctx, first, draw, interval, over),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _events(
    ctx: PageContext, first: str, draw: Draw, interval: float, over: Callable[[], bool]
) -> AsyncIterator[str]:
    yield _event(first)
    sent = first
    for _ in range(MAX_UPDATES):
        if over():
            yield END
            return
        await asyncio.sleep(interval)
        if await ctx.request.is_disconnected():
            return
        if not await _still_admin(ctx):
            yield END
            return
        ctx.now = ctx.app.clock.now()
        drawn = await draw()
        yield _event(drawn) if drawn != sent else ": still here\n\n"
        sent = drawn
    yield "retry: 1000\n\n"


async def _still_admin(ctx: PageContext) -> bool:
    """Whether the key or session is still valid."""
    try:
        return (await ctx.auth.identify(ctx.request)).may(Scope.ADMIN)
    except NotAllowed:
        return False


def _event(text: str) -> str:
    lines = "".join(f"data: {line}\n" for line in text.splitlines())
    return f"event: part\n{lines}\n"
