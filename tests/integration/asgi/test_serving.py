"""A server in somebody else's event loop: at a free port, told when one is taken, gone when its host is."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator

import aiohttp
import pytest
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from larder.asgi import server, serving
from larder.asgi.middleware import BodyLimitMiddleware
from larder.core.errors import Unusable


async def hello(_: Request) -> PlainTextResponse:
    return PlainTextResponse("hello")


async def endless(_: Request) -> StreamingResponse:
    async def drops() -> AsyncIterator[bytes]:
        yield b"first"
        await asyncio.Event().wait()

    return StreamingResponse(drops())


async def caller(request: Request) -> PlainTextResponse:
    assert request.client is not None
    return PlainTextResponse(f"{request.url.scheme} {request.client.host}")


async def length(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


async def everybody(_: HTTPConnection) -> bool:
    return True


FACE = BodyLimitMiddleware(
    Starlette(
        routes=[
            Route("/", hello),
            Route("/endless", endless),
            Route("/caller", caller),
            Route("/length", length, methods=["POST"]),
        ]
    ),
    most=1_000_000,
    trusts=everybody,
)


async def said(address: str) -> str:
    async with aiohttp.ClientSession() as session, session.get(address) as answered:
        return await answered.text()


async def test_it_answers_for_as_long_as_the_block_lasts() -> None:
    async with serving(FACE, host="127.0.0.1", port=0) as address:
        assert await said(address) == "hello"
    with pytest.raises(aiohttp.ClientConnectionError):
        await said(address)


async def test_on_the_other_internet_protocol_too() -> None:
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    async with serving(FACE, host="::1", port=0) as address:
        assert address.startswith("http://[::1]:")
        assert await said(address) == "hello"


async def test_a_port_that_is_taken_is_told_before_anything_begins() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Unusable, match=rf"cannot listen on 127\.0\.0\.1:{port}"):
            async with serving(FACE, host="127.0.0.1", port=port):
                pytest.fail("it listens where somebody else does")


async def test_an_answer_without_end_does_not_keep_its_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("larder.asgi.server.SHUTDOWN_TIMEOUT_S", 0)
    async with aiohttp.ClientSession() as session:
        async with serving(FACE, host="127.0.0.1", port=0) as address:
            answered = await session.get(f"{address}/endless")
            assert await answered.content.read(5) == b"first"
        answered.close()


async def test_signals_are_left_to_the_host() -> None:
    before = {number: signal.getsignal(number) for number in (2, 15)}
    async with serving(FACE, host="127.0.0.1", port=0) as address:
        await said(address)
        assert {number: signal.getsignal(number) for number in before} == before


@pytest.mark.parametrize(
    ("proxies", "seen"),
    [
        ([], "http 127.0.0.1"),
        (["192.0.2.0/24"], "http 127.0.0.1"),
        (["127.0.0.1/32"], "https 203.0.113.7"),
    ],
    ids=["nobody", "somebody else", "the one who calls"],
)
async def test_who_is_calling_is_believed_of_named_proxies_only(proxies: list[str], seen: str) -> None:
    """Otherwise whoever is told to slow down comes back under another address, as often as they like."""
    forwarded = {"x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https"}
    async with (
        serving(FACE, host="127.0.0.1", port=0, proxies=proxies) as address,
        aiohttp.ClientSession() as session,
        session.get(f"{address}/caller", headers=forwarded) as answered,
    ):
        assert await answered.text() == seen


@pytest.mark.parametrize(("size", "status"), [(0, 200), (1_000_000, 200), (1_000_001, 413)])
async def test_bodies_arrive_whole_or_not_at_all(size: int, status: int) -> None:
    async with (
        serving(FACE, host="127.0.0.1", port=0) as address,
        aiohttp.ClientSession() as session,
        session.post(f"{address}/length", data=b"x" * size) as answered,
    ):
        assert answered.status == status
        assert (await answered.text() == str(size)) is (status == 200)


async def test_half_a_body_is_none() -> None:
    """A caller hangs up in the middle: what came is not taken for the whole."""
    begun: Message = {"type": "http.request", "body": b"price=12", "more_body": True}
    sent = iter([begun, {"type": "http.disconnect"}])
    reached: list[Message] = []

    async def face(scope: Scope, receive: Receive, send: Send) -> None:
        reached.append(await receive())

    async def receive() -> Message:
        return next(sent)

    async def send(message: Message) -> None:
        reached.append(message)

    await BodyLimitMiddleware(face, most=100, trusts=everybody)(
        {"type": "http", "method": "POST", "headers": []}, receive, send
    )
    assert reached == []


async def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    """Whoever sends half of one and then nothing holds neither memory nor a connection."""
    impatient = BodyLimitMiddleware(FACE, most=100, trusts=everybody, within=0)
    async with serving(impatient, host="127.0.0.1", port=0) as address:
        reading, writing = await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))
        writing.write(b"POST /length HTTP/1.1\r\nhost: here\r\ncontent-length: 10\r\n\r\nhalf")
        answered = await reading.read()
        writing.close()
        await writing.wait_closed()
    assert answered.startswith(b"HTTP/1.1 408 ")
    assert b"application/problem+json" in answered


async def test_there_is_an_end_to_how_many_are_served_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("larder.asgi.server.SHUTDOWN_TIMEOUT_S", 0)
    monkeypatch.setattr("larder.asgi.server.MAX_CONNECTIONS", 2)
    async with aiohttp.ClientSession() as session:
        async with serving(FACE, host="127.0.0.1", port=0) as address:
            first = await session.get(f"{address}/endless")
            assert await first.content.read(5) == b"first"
            async with session.get(address) as second:
                assert (first.status, second.status) == (200, 503)
        first.close()


async def test_what_is_written_is_sent_at_once() -> None:
    """Else the body of an answer would wait until its head is acknowledged."""
    undelayed: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def taken(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        undelayed.set_result(
            writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        )
        writer.close()

    async with await asyncio.start_server(taken, sock=server._listen("127.0.0.1", 0)) as listening:
        _, ours = await asyncio.open_connection(*listening.sockets[0].getsockname())
        assert await undelayed
        ours.close()
