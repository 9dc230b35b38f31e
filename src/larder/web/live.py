"""Parts of pages that stay live: the server draws a part anew and sends it when it differs.

A part is a template of its own, so that what a script puts in place is just what a reload would show. A
stream says when nothing more will come; else it ends after a while, and browsers come again on their own.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from fastapi.responses import StreamingResponse

from larder.web.visit import Visit

BEAT = 1.0
"""Seconds between two looks."""
LONGEST = 600
"""Looks of one stream."""


Draw = Callable[[], Awaitable[str]]


def stream(
    visit: Visit, draw: Draw, *, beat: float = BEAT, over: Callable[[], bool] = lambda: False
) -> StreamingResponse:
    """Send `draw`'s text whenever it changed, until what it shows is `over`."""
    return StreamingResponse(
        _events(visit, draw, beat, over),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _events(visit: Visit, draw: Draw, beat: float, over: Callable[[], bool]) -> AsyncIterator[str]:
    sent = None
    for _ in range(LONGEST):
        if await visit.request.is_disconnected():
            return
        visit.now = visit.app.clock.now()
        drawn = await draw()
        if drawn != sent:
            sent = drawn
            yield _event("part", drawn)
        else:
            yield ": still here\n\n"
        if over():
            yield "event: end\ndata:\n\n"
            return
        await asyncio.sleep(beat)
    yield "retry: 1000\n\n"


def _event(name: str, text: str) -> str:
    lines = "".join(f"data: {line}\n" for line in text.splitlines())
    return f"event: {name}\n{lines}\n"
