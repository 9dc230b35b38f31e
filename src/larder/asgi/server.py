"""A server in somebody else's event loop: it takes no signals, and ends when its host does."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.types import ASGIApp

from larder.core.errors import Unusable

MAX_CONNECTIONS = 1_000
"""Connections that are answered at once: strangers' bodies then take no more than 64 MiB."""
SHUTDOWN_TIMEOUT_S = 3
"""Seconds that answers under way get when the host ends."""


class _EmbeddedServer(uvicorn.Server):
    """Leaves signals to its host."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """None of them."""
        yield


@asynccontextmanager
async def serving(faces: ASGIApp, *, host: str, port: int, proxies: Sequence[str] = ()) -> AsyncIterator[str]:
    """Serve for as long as the block lasts; the address at which.

    `proxies`: the addresses whose word counts on who is calling, and how (`X-Forwarded-…`).
    """
    listening = _listen(host, port)
    config = uvicorn.Config(
        faces,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=MAX_CONNECTIONS,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT_S,
    )
    server = _EmbeddedServer(config)
    work = asyncio.create_task(server.serve(sockets=[listening]), name="larder-serving")
    try:
        yield _address(listening)
    finally:
        server.should_exit = True
        await work


def _listen(host: str, port: int) -> socket.socket:
    """Bound before anything else begins: a port that is taken is told at once.

    TCP by name: only then does asyncio send at once what is written. Otherwise the body of an answer would
    wait, up to 40 ms, until the other side acknowledges its head.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise Unusable(
            f"cannot listen on {host}:{port} ({error.strerror})",
            hint="choose another port with --port or LARDER_LISTEN, or use --no-serve",
        ) from error
    listening.listen(1024)
    return listening


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
