"""Sources are added to a Larder at work, by every way there is, and it never restarts."""

from typing import Any

import pytest

from larder.sim.server import SimServer
from tests.acceptance.conftest import HOST, Shell, Up

ROW = "INSERT INTO sources (slug, kind, url, adapter) VALUES (:slug, 'listing', :url, :adapter)"


async def by_hand(larder: Shell, *rows: tuple[Any, ...]) -> None:
    await larder.execute(ROW, [dict(zip(("slug", "url", "adapter"), row, strict=True)) for row in rows])


async def test_by_command_by_catalogue_and_by_one_row(larder: Shell, up: Up, web: SimServer) -> None:
    index = f"http://{HOST}:{web.port}/listings"
    await larder("site", "review", HOST)
    await larder("site", "set", HOST, "--local", "--spacing", "5ms", "--at-once", "4")

    await larder("source", "add", f"{index}?for=command", "--kind", "listing", "--slug", "by-command")
    first = await up.until("run ended", source="by-command")
    assert (first["status"], first["inserted"]) == ("completed", 30)

    catalogue = f"sources: [{{slug: by-catalogue, kind: listing, url: '{index}?for=catalogue'}}]"
    (larder.folder / "mine.yaml").write_text(catalogue)
    await larder("source", "import", "mine.yaml")
    assert (await up.until("run ended", source="by-catalogue"))["inserted"] == 30

    await by_hand(larder, ("by-row", f"{index}?for=row", "listing"))
    assert (await up.until("run ended", source="by-row"))["inserted"] == 30

    await by_hand(
        larder, ("no-address", "nonsense", "listing"), ("no-adapter", f"{index}?for=nobody", "nope")
    )
    await by_hand(larder, ("after-them", f"{index}?for=after", "listing"))
    assert (await up.until("run ended", source="after-them"))["inserted"] == 30
    reasons = {
        slug: (await larder.json("why", slug))["review_reason"] for slug in ("no-address", "no-adapter")
    }
    assert reasons == {
        "no-address": "'nonsense' is not a web address",
        "no-adapter": "there is no adapter 'nope'",
    }
    assert await up.end() == 0


@pytest.mark.every_engine
async def test_a_site_is_read_alike_on_every_engine(larder: Shell, web: SimServer) -> None:
    await larder("site", "set", HOST, "--local", "--spacing", "5ms")
    url = f"http://{HOST}:{web.port}/listings"
    await larder("source", "add", url, "--kind", "listing", "--slug", "homes", "--terms-reviewed")
    up = Up(process=await larder.start("up", "--json"))
    ended = await up.until("run ended", source="homes")
    assert (ended["status"], ended["inserted"], ended["failed"]) == ("completed", 30, 0)
    assert web.request_log.fetched_twice() == {}
    assert await up.end() == 0


async def test_a_run_by_hand_is_done_by_the_one_who_drives(larder: Shell, up: Up, web: SimServer) -> None:
    await larder("site", "review", HOST)
    await larder("site", "set", HOST, "--local", "--spacing", "5ms")
    url = f"http://{HOST}:{web.port}/listings"
    await larder("source", "add", url, "--kind", "listing", "--slug", "homes")
    await up.until("run ended", source="homes", kind="discovery")
    run = await larder.json("run", "start", "homes", "--kind", "discovery")
    assert (run["status"], run["trigger"], run["inserted"], run["failed"]) == ("completed", "manual", 0, 0)
    assert await up.end() == 0


async def test_without_a_driver_a_run_by_hand_drives_itself(larder: Shell, web: SimServer) -> None:
    await larder("site", "review", HOST)
    await larder("site", "set", HOST, "--local", "--spacing", "5ms")
    url = f"http://{HOST}:{web.port}/listings"
    await larder("source", "add", url, "--kind", "listing", "--slug", "homes", "--public")
    run = await larder.json("run", "start", "homes")
    assert (run["status"], run["inserted"]) == ("completed", 30)
    shown = await larder.json("records", "list", "--public", "--limit", "100")
    assert len(shown) == 30
    one = await larder.json("records", "show", str(shown[0]["id"]))
    assert one["prices"][0]["amount"] == shown[0]["price_minor"]
    assert web.request_log.fetched_twice() == {}


async def test_l10_10_a_run_by_hand_opens_no_run_of_another_source(larder: Shell, web: SimServer) -> None:
    await larder("site", "review", HOST)
    await larder("site", "set", HOST, "--local", "--spacing", "5ms")
    for slug in ("homes", "flats"):
        url = f"http://{HOST}:{web.port}/listings?for={slug}"
        await larder("source", "add", url, "--kind", "listing", "--slug", slug)
    assert (await larder.json("run", "start", "homes"))["status"] == "completed"
    assert {run["source"] for run in await larder.json("run", "list")} == {"homes"}


async def test_ticks_do_what_up_does_a_bit_at_a_time(larder: Shell, web: SimServer) -> None:
    await larder("site", "review", HOST)
    await larder("site", "set", HOST, "--local", "--spacing", "5ms")
    url = f"http://{HOST}:{web.port}/listings"
    await larder("source", "add", url, "--kind", "listing", "--slug", "homes")
    told = await larder.json("tick", "--budget", "40s")
    assert told["inserted"] == 30
    assert (await larder.json("status"))["records"] == 30
