"""Runs uvicorn in an existing event loop, without signal handlers."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.types import ASGIApp

from larder.core.errors import Unusable

MAX_CONNECTIONS = 1_000
"""Concurrent connections; anonymous bodies then take at most 64 MiB."""
SHUTDOWN_TIMEOUT_S = 3
"""Seconds for open responses at shutdown."""


class _EmbeddedServer(uvicorn.Server):
    """A server without signal handlers."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Installs no handlers."""
        yield


@asynccontextmanager
async def serving(faces: ASGIApp, *, host: str, port: int, proxies: Sequence[str] = ()) -> AsyncIterator[str]:
    """Serves while the block runs; yields the address.

    `proxies`: trusted reverse proxies, whose `X-Forwarded-…` headers are used.
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
    """Binds the socket first, so that a port in use is reported at once.

    The protocol is named because asyncio disables Nagle's algorithm only for IPPROTO_TCP; otherwise a body
    waits up to 40 ms for the acknowledgement of its head.
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
