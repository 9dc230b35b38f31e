"""Serves simulated sites over real HTTP, on loopback only: many on one port, by their Host header.

Site time is `start` plus the wall's time times `speed`, or what a `clock` says. Besides `homes.test` a site
answers to `homes.localhost`, which browsers find by themselves; one named `127.0.0.2` is served at that
address. `python -m larder.sim.server` runs it as a process of its own and prints one JSON line with its port.
"""

import argparse
import asyncio
import json
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType

from aiohttp import web

from larder.sim.agenda import AgendaTruth
from larder.sim.agenda_site import AgendaSite
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.hostnames import LOOPBACK, SimResolver
from larder.sim.layouts import Layout
from larder.sim.request_log import LoggedRequest, RequestLog
from larder.sim.shop import ShopTruth
from larder.sim.shop_site import ShopSite
from larder.sim.site import SimRequest, SimResponse, SimSite

Wall = Callable[[], float]


class SimServer:
    """Serves sites while its context is open."""

    def __init__(
        self,
        sites: Iterable[SimSite],
        *,
        start: datetime,
        speed: float = 1.0,
        port: int = 0,
        request_log: RequestLog | None = None,
        wall: Wall = time.monotonic,
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        self.sites = {site.name: site for site in sites}
        self.start = start
        self.speed = speed
        self.port = port
        self.request_log = request_log or RequestLog()
        self._wall = wall
        self._clock = clock
        self._began = wall()
        self._runner = web.ServerRunner(web.Server(self._serve, access_log=None), shutdown_timeout=1.0)

    async def __aenter__(self) -> "SimServer":
        await self._runner.setup()
        listening = web.TCPSite(self._runner, LOOPBACK, self.port)
        await listening.start()
        self.port = self._runner.addresses[0][1]
        for name in filter(_is_address, self.sites):
            await web.TCPSite(self._runner, name, self.port).start()
        self._began = self._wall()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._runner.cleanup()
        self.request_log.close()

    def now(self) -> datetime:
        """The time on all sites."""
        if self._clock is not None:
            return self._clock()
        return self.start + timedelta(seconds=(self._wall() - self._began) * self.speed)

    def resolver(self) -> SimResolver:
        """A resolver of these sites for an aiohttp client."""
        return SimResolver({"*.test": self.port, "*.localhost": self.port})

    def addresses(self) -> dict[str, str]:
        """The address of each site for a browser."""
        return {name: f"http://{_local(name)}:{self.port}/" for name in self.sites}

    async def _serve(self, request: web.BaseRequest) -> web.StreamResponse:
        arrived, at = self._wall(), self.now()
        host = request.host.partition(":")[0].lower()
        site = self.sites.get(host) or self.sites.get(_test(host))
        response = (
            site.respond(_request(request), at) if site else SimResponse(status=421, body=b"No such site.\n")
        )
        try:
            await asyncio.sleep(response.delay.total_seconds())
        finally:
            self.request_log.record(
                LoggedRequest(
                    arrived=arrived,
                    left=self._wall(),
                    at=at,
                    host=site.name if site else host,
                    method=request.method,
                    path=request.raw_path,
                    status=response.status,
                    agent=request.headers.get("User-Agent", ""),
                )
            )
        if response.cut and request.transport is not None:
            request.transport.abort()
        return web.Response(status=response.status or 500, headers=response.headers, body=response.body)


def _request(request: web.BaseRequest) -> SimRequest:
    return SimRequest(
        path=request.path,
        query=dict(request.query),
        method=request.method,
        host=request.host,
        headers=dict(request.headers),
    )


def _is_address(name: str) -> bool:
    """A site named by a loopback address of its own, which every program finds."""
    return name.startswith("127.") and name != LOOPBACK


def _local(name: str) -> str:
    return name.removesuffix(".test") + ".localhost"


def _test(name: str) -> str:
    return name.removesuffix(".localhost") + ".test"


async def _run(args: argparse.Namespace) -> None:
    request_log = RequestLog(log=args.log)
    sites: list[SimSite] = [
        make(name, layout, args, seed)
        for make, option in ((_site, args.site), (_shop, args.shop), (_agenda, args.agenda))
        for seed, (name, layout) in enumerate(option, start=args.seed)
    ]
    async with SimServer(
        sites, start=args.start, speed=args.speed, port=args.port, request_log=request_log
    ) as server:
        started = {"port": server.port, "start": server.start.isoformat(), "sites": server.addresses()}
        sys.stdout.write(json.dumps(started) + "\n")
        sys.stdout.flush()
        await _until_told()


async def _until_told() -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await stop.wait()


def _site(name: str, layout: Layout, args: argparse.Namespace, seed: int) -> SimSite:
    """Each site has a seed of its own, and so its own listings."""
    truth = ClassifiedsTruth(
        seed=seed,
        start=args.start,
        stock=args.stock,
        arrivals_per_day=args.arrivals,
        mean_life_days=args.life,
        price_changes_per_day=args.prices,
        bumps_per_day=args.bumps,
    )
    return ClassifiedsSite(name=name, classifieds=truth, layout=layout, per_page=args.per_page)


def _shop(name: str, layout: Layout, args: argparse.Namespace, seed: int) -> SimSite:
    """Shops share their products; each has its own titles."""
    truth = ShopTruth(seed=seed, start=args.start, goods=args.goods, title_style=seed - args.seed)
    return ShopSite(name=name, assortment=truth, layout=layout, per_page=args.per_page)


def _agenda(name: str, layout: Layout, args: argparse.Namespace, seed: int) -> SimSite:
    """Agendas share their events; each has its own titles."""
    truth = AgendaTruth(seed=seed, start=args.start, title_style=seed - args.seed)
    return AgendaSite(name=name, agenda=truth, layout=layout, per_page=args.per_page)


def _declared(text: str) -> tuple[str, Layout]:
    """`homes.test` or `homes.test:cards`."""
    name, _, layout = text.partition(":")
    return name, Layout(layout or Layout.JSONLD)


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="larder.sim.server", description="Serve simulated sites on loopback."
    )
    layouts = ", ".join(Layout)
    parser.add_argument(
        "--site",
        action="append",
        type=_declared,
        metavar="NAME[:LAYOUT]",
        help=f"repeatable; {layouts}",
        default=[],
    )
    for kind in ("shop", "agenda"):
        parser.add_argument(
            f"--{kind}",
            action="append",
            type=_declared,
            metavar="NAME[:LAYOUT]",
            help="repeatable; jsonld or cards",
            default=[],
        )
    parser.add_argument("--goods", type=int, default=200, help="goods in the world at the start")
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--stock", type=int, default=2000, help="listings at the start")
    parser.add_argument("--arrivals", type=float, help="new listings a day (as many as leave)")
    parser.add_argument("--life", type=float, default=30.0, help="mean life of a listing in days")
    parser.add_argument("--prices", type=float, default=0.02, help="price changes a day, each listing")
    parser.add_argument("--bumps", type=float, default=0.02, help="bumps a day, each listing")
    parser.add_argument("--per-page", type=int, default=90)
    parser.add_argument(
        "--start", type=_moment, default=datetime.now(UTC), help="site time at the start (now)"
    )
    parser.add_argument("--speed", type=float, default=1.0, help="site seconds in a second")
    parser.add_argument("--log", type=Path, help="append every visit to this file as a JSON line")
    args = parser.parse_args(argv)
    if not (args.site or args.shop or args.agenda):
        args.site = [("homes.test", Layout.JSONLD)]
    return args


def main(argv: Sequence[str] | None = None) -> None:
    """Serve until a signal stops it."""
    args = _arguments(argv)
    try:
        asyncio.run(_run(args))
    except OSError as error:
        raise SystemExit(f"cannot serve on port {args.port}: {error.strerror}") from error


if __name__ == "__main__":
    main()
