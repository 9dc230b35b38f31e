"""Proxies of our own, small and real: http and https (forwarding and CONNECT), and socks5.

Each resolves every name to this machine, as a proxy resolves names itself; each may ask for a password, fall
silent, hang up or refuse, and writes down what it was asked for.
"""

import asyncio
import base64
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

HERE = "127.0.0.1"
Pair = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class ProxyServer:
    """One proxy and how it behaves."""

    scheme: str
    port: int = 0
    user: str = ""
    password: str = ""
    asked: list[str] = field(default_factory=list)
    """`host:port` of every request."""
    hangs_up: bool = False
    refuses: str = ""
    """A status line to answer CONNECT with."""
    socks_reply: int = 0
    leads_to: int | None = None
    """The port that everything is found at; else the one that was asked for."""

    def url(self, user: str | None = None, password: str | None = None) -> str:
        user = self.user if user is None else user
        login = f"{user}:{password or self.password}@" if user else ""
        return f"{self.scheme}://{login}{HERE}:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        speak = self._socks if self.scheme == "socks5" else self._http
        try:
            if not self.hangs_up:
                await speak(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.asked.append("cut")
        finally:
            writer.close()

    async def _http(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.decode("latin-1").split("\r\n")
            method, target, _ = lines[0].split(" ")
            if self.user and not self._knows(lines):
                writer.write(b"HTTP/1.1 407 Who are you?\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                return
            if self.refuses:
                writer.write(
                    f"HTTP/1.1 {self.refuses}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".encode()
                )
                return
            if method == "CONNECT":
                self.asked.append(target)
                writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
                await _join((reader, writer), self.leads_to or int(target.rpartition(":")[2]))
                return
            await self._forward(lines, target, writer)

    def _knows(self, lines: list[str]) -> bool:
        login = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        return f"proxy-authorization: basic {login}".lower() in [line.lower() for line in lines]

    async def _forward(self, lines: list[str], target: str, writer: asyncio.StreamWriter) -> None:
        host, _, path = target.removeprefix("http://").partition("/")
        self.asked.append(host)
        upstream = await asyncio.open_connection(HERE, self.leads_to or int(host.partition(":")[2]))
        kept = [line for line in lines[1:] if line and not line.lower().startswith("proxy-")]
        request = "\r\n".join([f"{lines[0].split(' ')[0]} /{path} HTTP/1.1", *kept, "", ""])
        upstream[1].write(request.encode())
        writer.write(await _response(upstream[0]))
        upstream[1].close()
        await writer.drain()

    async def _socks(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, methods = await reader.readexactly(2)
        offered = await reader.readexactly(methods)
        way = 2 if self.user else 0
        if way not in offered:
            writer.write(b"\x05\xff")
            return
        writer.write(bytes([5, way]))
        if way and not await self._login(reader, writer):
            return
        _, _, _, kind = await reader.readexactly(4)
        length = 4 if kind == 1 else (await reader.readexactly(1))[0]
        host = (await reader.readexactly(length)).decode("latin-1") if kind != 1 else "ip"
        port = int.from_bytes(await reader.readexactly(2), "big")
        self.asked.append(f"{host}:{port}")
        writer.write(bytes([5, self.socks_reply, 0, 1, 0, 0, 0, 0, 0, 0]))
        if not self.socks_reply:
            await _join((reader, writer), self.leads_to or port)

    async def _login(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        _, length = await reader.readexactly(2)
        user = await reader.readexactly(length)
        password = await reader.readexactly((await reader.readexactly(1))[0])
        known = (user.decode(), password.decode()) == (self.user, self.password)
        writer.write(bytes([1, 0 if known else 1]))
        return known


async def _response(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
    return head + await reader.readexactly(int(length or 0))


async def _join(client: Pair, port: int) -> None:
    """Carry bytes both ways until one side is done."""
    server = await asyncio.open_connection(HERE, port)

    async def carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while chunk := await source.read(65_536):
                sink.write(chunk)
                await sink.drain()
        sink.close()

    await asyncio.gather(carry(client[0], server[1]), carry(server[0], client[1]))


@asynccontextmanager
async def proxy_server(scheme: str, tls: ssl.SSLContext | None = None) -> AsyncIterator[ProxyServer]:
    proxy = ProxyServer(scheme)
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        with suppress(asyncio.CancelledError):
            await proxy.serve(reader, writer)

    listener = await asyncio.start_server(serve, HERE, 0, ssl=tls)
    proxy.port = listener.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        listener.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
