"""A forward proxy on loopback through which all connections of Chromium pass the address guard.

Each visit authenticates with a user name of its own, which says which local site it may reach and how much
it may transfer. The proxy resolves names itself and connects to the address that was checked. It refuses
blocked sites, unknown users, and visits beyond their limits.
"""

import asyncio
import base64
import ipaddress
import secrets
import socket
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from aiohttp.abc import AbstractResolver
from aiohttp.resolver import ThreadedResolver

from larder.core.model.outcome import FetchOutcome
from larder.stages.fetch.guard import AddressInfo, Destination, RefusedError, destination, guarded_sockets
from larder.stages.fetch.terms import TermsGate

MAX_HEAD = 64 * 1024
CHUNK = 64 * 1024
CONNECT_SECONDS = 15.0
MAX_CONNECTIONS = 300
MAX_BYTES = 64 * 1024 * 1024
_HOP_BY_HOP = frozenset({"connection", "keep-alive", "proxy-authorization", "proxy-connection"})


@dataclass(slots=True, kw_only=True)
class VisitPass:
    """The rights of one visit, and their use so far."""

    user: str
    local_site: str | None
    connections: int = MAX_CONNECTIONS
    bytes_left: int = MAX_BYTES
    errors: dict[str, tuple[FetchOutcome, str]] = field(default_factory=dict)
    """Hosts that could not or must not be reached, with the reason."""
    _open: set[asyncio.StreamWriter] = field(default_factory=set)

    @contextmanager
    def holding(self, writer: asyncio.StreamWriter) -> Iterator[None]:
        """Registers a connection with the visit while the body runs."""
        self._open.add(writer)
        try:
            yield
        finally:
            self._open.discard(writer)

    def close(self) -> None:
        """Close all open connections."""
        for writer in self._open:
            writer.close()
        self._open.clear()


@dataclass(frozen=True, slots=True)
class _Head:
    """The head of an HTTP message: the three parts of its first line, and its fields."""

    first: tuple[str, str, str]
    fields: tuple[tuple[str, str], ...]

    @classmethod
    def parse(cls, raw: bytes) -> "_Head":
        line, *header_lines = raw.decode("latin-1").rstrip("\r\n").split("\r\n")
        words = [*line.split(" ", 2), "", ""]
        pairs = (text.partition(":") for text in header_lines)
        return cls((words[0], words[1], words[2]), tuple((name, value.strip()) for name, _, value in pairs))

    def get(self, wanted: str) -> str:
        return next((value for name, value in self.fields if name.lower() == wanted), "")

    def for_one_exchange(self, first: Iterable[str]) -> bytes:
        """The head for forwarding: for one exchange, after which the connection is closed."""
        headers = [f"{name}: {value}" for name, value in self.fields if name.lower() not in _HOP_BY_HOP]
        return "\r\n".join([" ".join(first), *headers, "Connection: close", "", ""]).encode("latin-1")


class ProxyGuard:
    """The proxy, as an async context manager."""

    def __init__(self, terms: TermsGate, *, resolver: AbstractResolver | None = None) -> None:
        self._terms = terms
        self._resolver = resolver or ThreadedResolver()
        self._passes: dict[str, VisitPass] = {}
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=MAX_HEAD)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def url(self) -> str:
        """The proxy's URL."""
        if self._server is None:
            raise RuntimeError("the guarding proxy is not running")
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    @asynccontextmanager
    async def visit(self, *, local_site: str | None) -> AsyncIterator[VisitPass]:
        """A pass for one visit, which is revoked at the end; its connections are closed then."""
        visit_pass = VisitPass(user=secrets.token_urlsafe(18), local_site=local_site)
        self._passes[visit_pass.user] = visit_pass
        try:
            yield visit_pass
        finally:
            del self._passes[visit_pass.user]
            visit_pass.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        try:
            await self._serve_connection(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            return  # the browser closed the connection, or sent no HTTP
        except asyncio.CancelledError:
            return  # the proxy is closing, and only the proxy waits for this task
        finally:
            writer.close()

    async def _serve_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one request; challenges for the pass may precede it on the same connection."""
        while True:
            head = _Head.parse(await reader.readuntil(b"\r\n\r\n"))
            visit_pass = self._passes.get(_user(head.get("proxy-authorization")))
            if visit_pass is not None:
                with visit_pass.holding(writer):
                    return await self._forward(visit_pass, head, reader, writer)
            writer.write(_CHALLENGE)
            if head.get("transfer-encoding") or head.get("content-length") not in ("", "0"):
                return None

    async def _forward(
        self, visit_pass: VisitPass, head: _Head, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        method, address, version = head.first
        tunnel = method == "CONNECT"
        try:
            url = f"https://{address}/" if tunnel else address
            target = destination(url, local_site=visit_pass.local_site)
            await self._check_terms(target)
            upstream = await self._connect(visit_pass, target)
        except (OSError, TimeoutError) as error:
            visit_pass.errors[urlsplit(f"//{address}" if tunnel else address).hostname or ""] = _outcome_of(
                error
            )
            writer.write(_NOT_REACHED)
            return
        try:
            if tunnel:
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                upstream[1].write(head.for_one_exchange((method, _path(target.url), version)))
                await _answer_heads(upstream[0], writer)
            await _until_one_ends(visit_pass, (reader, writer), upstream)
        finally:
            upstream[1].close()

    async def _check_terms(self, target: Destination) -> None:
        """Refuse a blocked site: here, too, because some requests (a WebSocket's) cannot be intercepted."""
        objection = await self._terms.objection(target.url, part_of_page=True)
        if objection is not None:
            raise RefusedError(objection.reason)

    async def _connect(
        self, visit_pass: VisitPass, target: Destination
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the first address that answers; each is checked on the socket that connects to it."""
        if visit_pass.connections <= 0:
            raise RefusedError("the page made too many requests")
        visit_pass.connections -= 1
        parts = urlsplit(target.url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        async with asyncio.timeout(CONNECT_SECONDS):
            failure: OSError = _UnresolvedNameError(f"no address for {parts.hostname}")
            for info in await self._addresses(parts.hostname or "", port):
                try:
                    return await _open(info, local=target.local)
                except OSError as error:
                    failure = error
            raise failure

    async def _addresses(self, host: str, port: int) -> list[AddressInfo]:
        literal = _literal(host)
        if literal is not None:
            family = socket.AF_INET if literal.version == 4 else socket.AF_INET6
            return [(family, socket.SOCK_STREAM, 0, "", (host, port))]
        try:
            found = await self._resolver.resolve(host, port, family=socket.AF_UNSPEC)
        except OSError as error:
            raise _UnresolvedNameError(str(error)) from error
        return [
            (one["family"], socket.SOCK_STREAM, 0, "", (one["host"], one["port"] or port)) for one in found
        ]


class _UnresolvedNameError(OSError):
    """The name does not resolve."""


_CHALLENGE = (
    b"HTTP/1.1 407 Proxy Authentication Required\r\n"
    b'Proxy-Authenticate: Basic realm="larder"\r\nContent-Length: 0\r\n\r\n'
)
_NOT_REACHED = b"HTTP/1.1 502 Not reached\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


def _user(authorization: str) -> str:
    """The user name of `Basic …`; empty for anything else."""
    scheme, _, encoded = authorization.partition(" ")
    if scheme.lower() == "basic":
        with suppress(ValueError):
            return base64.b64decode(encoded, validate=True).decode().partition(":")[0]
    return ""


def _outcome_of(error: Exception) -> tuple[FetchOutcome, str]:
    match error:
        case RefusedError():
            return FetchOutcome.ERROR, f"guard: {error}"
        case _UnresolvedNameError():
            return FetchOutcome.DNS_ERROR, str(error)
        case TimeoutError():
            return FetchOutcome.TIMEOUT, "no connection in time"
        case _:
            return FetchOutcome.ERROR, f"{type(error).__name__}: {error}"


def _path(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _literal(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The IP address of a literal host; None for a name."""
    with suppress(ValueError):
        return ipaddress.ip_address(host)
    return None


async def _open(info: AddressInfo, *, local: bool) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    sock = guarded_sockets(local=local)(info)
    sock.setblocking(False)
    try:
        await asyncio.get_running_loop().sock_connect(sock, info[4])
        return await asyncio.open_connection(sock=sock, limit=MAX_HEAD)
    except BaseException:
        sock.close()
        raise


async def _answer_heads(upstream: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send response heads with `Connection: close`: no request for another host reuses the connection."""
    while True:
        head = _Head.parse(await upstream.readuntil(b"\r\n\r\n"))
        writer.write(head.for_one_exchange(head.first))
        if not head.first[1].startswith("1"):
            return


async def _until_one_ends(
    visit_pass: VisitPass,
    browser: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    site: tuple[asyncio.StreamReader, asyncio.StreamWriter],
) -> None:
    up = asyncio.create_task(_carry(visit_pass, browser[0], site[1]))
    down = asyncio.create_task(_carry(visit_pass, site[0], browser[1]))
    try:
        await asyncio.wait((up, down), return_when=asyncio.FIRST_COMPLETED)
    finally:
        up.cancel()
        down.cancel()
        await asyncio.gather(up, down, return_exceptions=True)


async def _carry(visit_pass: VisitPass, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while visit_pass.bytes_left > 0 and (chunk := await reader.read(CHUNK)):
        visit_pass.bytes_left -= len(chunk)
        writer.write(chunk)
        await writer.drain()
