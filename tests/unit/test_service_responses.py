"""The body of an answer is read to its end, however many packets bring it, and never beyond the limit."""

import aiohttp
import pytest
from aiohttp import web

from larder.service_responses import ResponseTooLongError, read_bounded

BODY = b"x" * 900_000


async def _read(limit: int) -> bytes:
    async def answer(_: web.BaseRequest) -> web.Response:
        return web.Response(body=BODY)

    runner = web.ServerRunner(web.Server(answer))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}/"
    try:
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            return await read_bounded(response, limit)
    finally:
        await runner.cleanup()


@pytest.mark.parametrize("limit", [len(BODY), 2 * len(BODY)])
async def test_the_whole_body_is_read(limit: int) -> None:
    assert await _read(limit) == BODY


async def test_a_longer_body_is_refused() -> None:
    with pytest.raises(ResponseTooLongError, match="longer than 899,999 bytes"):
        await _read(len(BODY) - 1)
