"""Parts of pages that stay live: the server draws a part anew and sends it when it differs.

A part is a template of its own, so that what a script puts in place is just what a reload would show. Streams
end by themselves after a while; browsers come again on their own.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from fastapi.responses import StreamingResponse

from larder.web.visit import Visit

BEAT = 1.0
"""Seconds between two looks."""
LONGEST = 600
"""Looks of one stream."""


def stream(visit: Visit, draw: Callable[[], Awaitable[str]], *, beat: float = BEAT) -> StreamingResponse:
    """Send `draw`'s text whenever it changed."""
    return StreamingResponse(
        _events(visit, draw, beat),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _events(visit: Visit, draw: Callable[[], Awaitable[str]], beat: float) -> AsyncIterator[str]:
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
        await asyncio.sleep(beat)
    yield "retry: 1000\n\n"


def _event(name: str, text: str) -> str:
    lines = "".join(f"data: {line}\n" for line in text.splitlines())
    return f"event: {name}\n{lines}\n"
