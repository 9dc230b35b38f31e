"""A page that takes for ever to parse costs its site one page, and nobody else anything."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientSession, web

from tests.acceptance.conftest import HOST, Shell, Up

ADAPTER = """
from pathlib import Path

from larder.sdk import Extracted, Item, Kind, SiteAdapter


class Endless(SiteAdapter):
    id, version, domain, kind = "endless", "1.0.0", None, Kind.PRODUCT

    def read_index(self, page):
        rows = [{"title": node.text, "url": node.attr("href"), "price": "EUR 5.00"} for node in page.css("a")]
        return Extracted(items=tuple(Item(fields=row) for row in rows), last=True)

    def read_detail(self, page):
        if b"ENDLESS" in page.markup.body:
            told = Path(__file__).parent / "begun"
            if told.is_fifo():
                told.write_text("begun")
            while True:
                pass
        return Extracted(items=(Item(fields={"title": page.first("h1").text, "price": "EUR 5.00"}),))
"""


@pytest.fixture
async def shop() -> AsyncIterator[str]:
    """Three products, one of which nobody can read."""
    links = "".join(f"<a href=/{name}>{name}</a>" for name in ("kettle", "endless", "teapot"))

    async def answer(request: web.Request) -> web.Response:
        name = request.path.strip("/")
        if name == "robots.txt":
            return web.Response(status=404)
        text = f"<h1>{name}</h1>{name.upper()}" if name else links
        return web.Response(text=text, content_type="text/html")

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, HOST, 0)
    await site.start()
    yield f"http://{HOST}:{runner.addresses[0][1]}/"
    await runner.cleanup()


@pytest.fixture
def adapter(larder: Shell) -> Path:
    folder = larder.folder / "adapters" / "endless"
    folder.mkdir(parents=True)
    (folder / "adapter.py").write_text(ADAPTER)
    (folder / "manifest.yaml").write_text("owner: nobody\nsummary: reads some pages for ever\n")
    larder.env["LARDER_ADAPTERS_DIR"] = str(folder.parent)
    return folder


async def add_shop(larder: Shell, url: str) -> None:
    await larder("site", "review", HOST)
    await larder("site", "set", HOST, "--local", "--spacing", "5ms")
    await larder("source", "add", url, "--adapter", "endless", "--kind", "product", "--slug", "shop")


@pytest.mark.usefixtures("adapter")
async def test_l10_20_a_page_that_takes_too_long_is_a_dead_letter_and_its_run_goes_on(
    larder: Shell, shop: str
) -> None:
    larder.env["LARDER_PARSE_SECONDS"] = "1"
    await add_shop(larder, shop)
    run = await larder.json("run", "start", "shop")
    assert (run["status"], run["failed"], run["inserted"]) == ("partial", 1, 3)
    (letter,) = (await larder.json("dead", "list"))["letters"]
    assert (letter["type"], letter["url"]) == ("parse_timeout", f"{shop}endless")
    shown = await larder.json("dead", "show", str(letter["id"]))
    assert "in read_detail" in shown["trace"]


async def test_l10_20_the_api_answers_and_sigterm_ends_it_while_a_page_is_parsed_for_ever(
    larder: Shell, adapter: Path, shop: str
) -> None:
    larder.env["LARDER_PARSE_SECONDS"] = "3000"
    os.mkfifo(adapter / "begun")
    await add_shop(larder, shop)
    process = await larder.start("up", "--json")
    up = Up(process=process)
    address = (await up.until("up"))["address"]
    assert await asyncio.to_thread((adapter / "begun").read_text) == "begun"
    async with ClientSession() as visitor, visitor.get(f"{address}/api/health") as answer:
        assert answer.status == 200
    assert await up.end() == 0


async def test_l10_20_a_trial_of_such_a_page_ends_with_what_to_do(larder: Shell, adapter: Path) -> None:
    larder.env["LARDER_PARSE_SECONDS"] = "0.5"
    page = adapter / "page.html"
    page.write_text("<h1>ENDLESS</h1>")
    process = await larder.start("try", str(page), "--adapter", "endless")
    _, error = await asyncio.wait_for(process.communicate(), 200)
    assert process.returncode == 2
    assert error.decode().splitlines()[-2:] == [
        "error: reading the page took more than 1 CPU second",
        "hint: if the page needs more, raise LARDER_PARSE_SECONDS",
    ]
