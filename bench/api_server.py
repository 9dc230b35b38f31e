"""The API over a database, and beside it a bare FastAPI route that returns a constant: one process each.

    python -m bench.api_server larder DATABASE_URL
    python -m bench.api_server bare BYTES

Prints its port, then serves until it is ended.
"""

import asyncio
import socket
import sys
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from starlette.responses import Response

from bench.api_dataset import NOW
from larder.app import open_app
from larder.asgi.routing import application
from larder.settings import Settings


class StandingClock:
    """The hour for which the dataset was made; it goes on by real seconds."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._begun = self._loop.time()

    def now(self) -> datetime:
        return NOW + timedelta(seconds=self._loop.time() - self._begun)

    async def sleep_until(self, moment: datetime) -> None:
        await asyncio.sleep((moment - self.now()).total_seconds())


async def serve(app: Any) -> None:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    print(listening.getsockname()[1], flush=True)
    config = uvicorn.Config(app, log_level="error", access_log=False, lifespan="off")
    await uvicorn.Server(config).serve(sockets=[listening])


async def larder(url: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder), database=url, requests_a_minute=0, strict=False)
        async with open_app(settings) as app:
            app.clock = StandingClock()
            await serve(application(app, web=False))


async def bare(size: int) -> None:
    app, constant = FastAPI(), b"x" * size

    @app.get("/api/records")
    async def constantly() -> Response:
        return Response(constant, media_type="application/json")

    await serve(app)


if __name__ == "__main__":
    asyncio.run(larder(sys.argv[2]) if sys.argv[1] == "larder" else bare(int(sys.argv[2])))
