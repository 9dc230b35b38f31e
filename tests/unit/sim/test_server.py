"""The made-up web over real sockets, on loopback."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from aiohttp import ClientConnectionError, ClientSession, TCPConnector

from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.faults import Fault, FaultKind
from larder.sim.hostnames import SimResolver
from larder.sim.layouts import Layout
from larder.sim.request_log import RequestLog
from larder.sim.server import SimServer, main
from larder.sim.site import SimRequest

START = datetime(2026, 3, 1, tzinfo=UTC)
TRUTH = ClassifiedsTruth(seed=7, start=START, stock=30, arrivals_per_day=500)


def sites() -> list[ClassifiedsSite]:
    return [
        ClassifiedsSite(name=f"{layout}.test", classifieds=TRUTH, layout=layout, per_page=10)
        for layout in Layout
    ]


def still() -> float:
    return 0.0


@asynccontextmanager
async def browsing(resolver: SimResolver) -> AsyncIterator[ClientSession]:
    connector = TCPConnector(resolver=resolver, use_dns_cache=False)
    async with ClientSession(connector=connector, headers={"User-Agent": "tester"}) as session:
        yield session


@pytest.mark.parametrize("layout", list(Layout))
async def test_each_layout_is_served_as_the_site_answers(layout: Layout) -> None:
    async with SimServer(sites(), start=START, wall=still) as server, browsing(server.resolver()) as session:
        site = server.sites[f"{layout}.test"]
        for path in (
            "/listings?page=2",
            f"/listing/{TRUTH.index(START, 1, 1).rows[0].platform_id}",
            "/robots.txt",
        ):
            url = f"http://{layout}.test{path}"
            async with session.get(url) as got:
                body = await got.read()
            expected = site.respond(SimRequest.of(url), START)
            assert (got.status, body) == (200, expected.body)
            assert got.headers["Content-Type"] == expected.headers["Content-Type"]


async def test_names_win_over_the_ports_of_urls() -> None:
    async with SimServer(sites(), start=START) as server, browsing(server.resolver()) as session:
        async with session.get("http://cards.test:9/listings") as got:
            assert got.status == 200
        with pytest.raises(ClientConnectionError):
            await session.get("http://example.org/")


async def test_sites_are_told_apart_by_host() -> None:
    async with SimServer(sites(), start=START) as server, ClientSession() as session:
        for host, status in {"table.test": 200, "table.localhost": 200, "unknown.test": 421}.items():
            async with session.get(f"http://127.0.0.1:{server.port}/", headers={"Host": host}) as got:
                assert got.status == status
        assert [visit.host for visit in server.request_log.requests] == [
            "table.test",
            "table.test",
            "unknown.test",
        ]


async def test_every_visit_is_witnessed() -> None:
    async with SimServer(sites(), start=START, wall=still) as server, browsing(server.resolver()) as session:
        await session.get("http://cards.test/listings?page=1&x=%20y")
        await session.head("http://cards.test/listing/1")
    first, second = server.request_log.requests
    assert (first.path, first.method, first.status) == ("/listings?page=1&x=%20y", "GET", 200)
    assert (second.path, second.method, second.status) == ("/listing/1", "HEAD", 404)
    assert (first.host, first.agent, first.at, first.arrived) == ("cards.test", "tester", START, 0.0)


async def test_visits_under_way_together_are_seen_as_such() -> None:
    slow = Fault(kind=FaultKind.SLOW, delay=timedelta(seconds=0.5))
    place = ClassifiedsSite(name="slow.test", classifieds=TRUTH, faults=[slow])
    async with SimServer([place], start=START) as server, browsing(server.resolver()) as session:
        await asyncio.gather(*(session.get("http://slow.test/robots.txt") for _ in range(3)))
        assert server.request_log.max_concurrent() == 3


async def test_a_cut_connection_gives_no_answer() -> None:
    place = ClassifiedsSite(name="down.test", classifieds=TRUTH, faults=[Fault(kind=FaultKind.CUT)])
    async with SimServer([place], start=START) as server, browsing(server.resolver()) as session:
        with pytest.raises(ClientConnectionError):
            await session.get("http://down.test/listings")
        assert {visit.status for visit in server.request_log.requests} == {0}


async def test_faults_may_come_and_go_while_it_runs() -> None:
    place = ClassifiedsSite(name="homes.test", classifieds=TRUTH)
    async with SimServer([place], start=START) as server, browsing(server.resolver()) as session:
        place.faults.append(Fault(kind=FaultKind.LIMITED, delay=timedelta(seconds=30)))
        async with session.get("http://homes.test/listings") as got:
            assert (got.status, got.headers["Retry-After"]) == (429, "30")
        place.faults.clear()
        async with session.get("http://homes.test/listings") as got:
            assert got.status == 200


async def test_time_runs_faster_than_the_wall() -> None:
    seconds = iter(range(100))
    server = SimServer(sites(), start=START, speed=3600.0, wall=lambda: float(next(seconds)))
    assert [server.now() for _ in range(3)] == [START + timedelta(hours=hour) for hour in (1, 2, 3)]


async def test_what_it_serves_moves_with_its_time() -> None:
    wall = [0.0]
    server = SimServer(sites(), start=START, speed=86400.0, wall=lambda: wall[0])
    async with server, browsing(server.resolver()) as session:
        shown = []
        for wall[0] in (0.0, 1.0):
            async with session.get("http://cards.test/listings") as got:
                shown.append(await got.text())
    later = TRUTH.count(START + timedelta(days=1))
    assert ">30 adverts<" in shown[0]
    assert f">{later} adverts<" in shown[1]
    assert later > 30


@pytest.mark.parametrize("wrong", ["--site homes.test:marble", "--start someday", "--port many"])
def test_what_cannot_be_served_is_said(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(wrong.split())
    assert wrong.split()[1] in capsys.readouterr().err


async def test_a_port_in_use_is_said() -> None:
    async with SimServer(sites(), start=START) as server:
        with pytest.raises(SystemExit, match=f"cannot serve on port {server.port}"):
            await asyncio.to_thread(main, ["--port", str(server.port), "--stock", "1"])


async def test_it_runs_as_a_process_of_its_own(tmp_path: Path) -> None:
    log = tmp_path / "visits.jsonl"
    command = f"-m larder.sim.server --stock 25 --seed 3 --site homes.test --site cars.test:table --log {log}"
    server = await asyncio.create_subprocess_exec(
        sys.executable, *command.split(), stdout=asyncio.subprocess.PIPE
    )
    assert server.stdout is not None
    told = json.loads(await server.stdout.readline())
    async with browsing(SimResolver({"*.test": told["port"]})) as session:
        for name in ("homes.test", "cars.test"):
            async with session.get(f"http://{name}/listings") as got:
                assert got.status == 200
    server.terminate()
    assert await server.wait() == 0
    assert [visit.host for visit in RequestLog.read(log).requests] == ["homes.test", "cars.test"]
    assert told["sites"]["cars.test"] == f"http://cars.localhost:{told['port']}/"


async def test_shops_and_agendas_are_served_beside_each_other() -> None:
    command = (
        "-m larder.sim.server --goods 40 --shop goods.test --shop corner.test:cards --agenda stad.test:cards"
    )
    server = await asyncio.create_subprocess_exec(
        sys.executable, *command.split(), stdout=asyncio.subprocess.PIPE
    )
    assert server.stdout is not None
    told = json.loads(await server.stdout.readline())
    assert set(told["sites"]) == {"goods.test", "corner.test", "stad.test"}
    pages = {}
    async with browsing(SimResolver({"*.test": told["port"]})) as session:
        for url in ("goods.test/products", "corner.test/products", "stad.test/agenda"):
            async with session.get(f"http://{url}") as got:
                pages[url] = await got.text()
    server.terminate()
    assert await server.wait() == 0
    assert "application/ld+json" in pages["goods.test/products"]
    assert 'class="now"' in pages["corner.test/products"]
    assert "evenementen" in pages["stad.test/agenda"]
