"""What operators do by HTTP: the same actions as by command, told by whom, and refused with the next step."""

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select, update

from larder.store.queue import lanes, stale_work
from larder.store.tables import targets
from tests.contract.faces import Faces, opened, stocked
from tests.contract.world import DAY, NOW, SECOND

HOMES = {
    "url": "https://rooms.example/rent",
    "kind": "listing",
    "slug": "rooms",
    "site": {"terms_reviewed_by": "ada", "spacing": 0.5},
}


async def did(faces: Faces, method: str, path: str, body: Any = None, *, status: int = 200) -> Any:
    answered = await faces.admin.request(method, f"/api/admin{path}", json=body)
    assert answered.status_code == status, answered.text
    return answered.json()


async def test_a_source_from_its_first_word_to_its_last_run(faces: Faces) -> None:
    added = await did(faces, "POST", "/sources", HOMES, status=201)
    assert (added["change"], added["why"]["state"], added["why"]["hidden"]) == ("added", "ready", True)
    refused = await did(faces, "POST", "/sources", HOMES, status=409)
    assert "already" in refused["detail"]
    run = await did(faces, "POST", "/markets/rooms/scrape", {"kind": "discovery"}, status=201)
    assert (run["status"], run["trigger"], run["source"]) == ("running", "manual", "rooms")
    again = await did(faces, "POST", "/sources/rooms/run", status=409)
    assert again["hint"]
    for verb, status in (("pause", "paused"), ("resume", "running"), ("stop", "stopped")):
        assert (await did(faces, "POST", f"/runs/{run['id']}/{verb}"))["status"] == status
    assert (await did(faces, "POST", f"/runs/{run['id']}/pause", status=409))["detail"]
    (listed,) = (await did(faces, "GET", "/runs?source=rooms&kind=discovery&status=stopped"))["items"]
    assert listed["id"] == run["id"]
    assert (await did(faces, "GET", f"/runs?before={run['id']}"))["items"] == []
    actions = [each["action"] for each in (await did(faces, "GET", "/audit?who=ada"))["items"]]
    assert actions == ["run stopped", "run resumed", "run paused", "run started", "source added"]


async def refused_start(faces: Faces) -> tuple[int, str, str | None, str]:
    answered = await faces.admin.post("/api/admin/sources/rooms/run")
    said = answered.json()
    return answered.status_code, said["reason"], answered.headers.get("retry-after"), said["detail"]


async def test_l10_8_work_that_is_not_queued_says_why_and_when_to_try_again(faces: Faces) -> None:
    await did(faces, "POST", "/sources", HOMES, status=201)
    await did(faces, "POST", "/adapters/listing/disable", {"reason": "they forbid it", "terms": True})
    status, reason, after, detail = await refused_start(faces)
    assert (status, reason, after) == (409, "adapter_disabled", str(6 * 3600))
    assert "(terms)" in detail
    await did(faces, "POST", "/adapters/listing/enable")
    await faces.app.run(lanes.set_cooldown, 1, until=NOW + 90 * SECOND, reason="answered 429")
    status, reason, after, detail = await refused_start(faces)
    assert (status, reason, after) == (429, "rate_limited", "90")
    assert detail.endswith("try again in 1 min")


async def test_l10_8_a_full_queue_is_told_with_its_retry_after(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path, pending_per_site=1) as faces:
        await did(faces, "POST", "/sources", HOMES, status=201)
        await did(faces, "POST", "/sources/rooms/run", {"kind": "discovery"}, status=201)
        answered = await faces.admin.post("/api/admin/sources/rooms/run", json={"kind": "sweep"})
        assert (answered.status_code, answered.headers["retry-after"]) == (429, "60")
        assert answered.json()["reason"] == "queue_full"


SHOP = {
    "url": "https://shop.example/",
    "kind": "product",
    "slug": "shop",
    "plan": "monitor",
    "site": {"terms_reviewed_by": "ada"},
}


async def test_l10_10_all_targets_are_checked_now_by_api_and_by_page(faces: Faces) -> None:
    await did(faces, "POST", "/sources", SHOP, status=201)
    assert "no target" in (await did(faces, "POST", "/targets/run", status=409))["detail"]
    assert "no target of shop" in (await did(faces, "POST", "/sources/shop/run", status=409))["detail"]
    for number in range(3):
        await did(
            faces, "POST", "/targets", {"source": "shop", "url": f"https://shop.example/{number}"}, status=201
        )
    await did(faces, "POST", "/targets/1/pause")
    await faces.app.run(put_off)
    assert (await did(faces, "POST", "/targets/run"))["targets"] == 2
    assert await faces.app.run(due) == [2, 3]
    await faces.app.run(put_off)
    assert (await did(faces, "POST", "/targets/run", {"source": "shop"})) == {"sources": 1, "targets": 2}
    await faces.app.run(put_off)
    run = await did(faces, "POST", "/sources/shop/run", status=201)
    assert (run["kind"], run["open_jobs"]) == ("monitor", 2), "a run by hand looks at all that are watched"


def put_off(conn: Connection) -> None:
    conn.execute(update(targets).values(next_due_at=NOW + DAY))


def due(conn: Connection) -> list[int]:
    return list(conn.scalars(select(targets.c.id).where(targets.c.next_due_at <= NOW).order_by(targets.c.id)))


async def test_l10_11_a_limit_of_a_source_is_set_and_one_out_of_range_is_refused(faces: Faces) -> None:
    await did(faces, "POST", "/sources", {**HOMES, "params": {"sweep_overlap": 2}}, status=201)
    wrong = {"params": {"sweep_overlap": -1}}
    assert "sweep_overlap" in (await did(faces, "PATCH", "/sources/rooms", wrong, status=422))["detail"]


async def test_pages_that_nobody_took_are_put_back_into_line(faces: Faces) -> None:
    await did(faces, "POST", "/sources", HOMES, status=201)
    run = (await did(faces, "POST", "/sources/rooms/run", status=201))["id"]
    assert (await did(faces, "POST", f"/runs/{run}/requeue", status=409))[
        "detail"
    ] == f"run {run} has no stale pages"
    later = NOW + 2 * DAY
    assert await faces.app.run(stale_work.mark_stale, before=later - DAY, now=later) == 1
    assert (await did(faces, "GET", f"/runs/{run}"))["run"]["open_jobs"] == 0
    assert (await did(faces, "POST", f"/runs/{run}/requeue"))["open_jobs"] == 1
    await did(faces, "POST", f"/runs/{run}/stop")
    assert "is stopped" in (await did(faces, "POST", f"/runs/{run}/requeue", status=409))["detail"]


async def test_the_summary_before_its_time_and_a_link_for_a_browser(faces: Faces) -> None:
    assert (await did(faces, "GET", "/summary"))["runs"] == 0
    assert (await did(faces, "POST", "/summary/send"))["until"]
    link = (await did(faces, "POST", "/keys/link", status=201))["link"]
    entered = await faces.anyone.get(link.partition("8321")[2])
    assert entered.status_code == 303


async def test_a_source_is_changed_in_part(faces: Faces) -> None:
    await did(faces, "POST", "/sources", HOMES, status=201)
    changed = await did(faces, "PATCH", "/sources/rooms", {"tier": "hot", "visibility": "public"})
    assert changed["change"] == "changed"
    fields = (await did(faces, "GET", "/sources/rooms"))["fields"]
    assert (fields["tier"], fields["visibility"], fields["url"]) == ("hot", "public", HOMES["url"])
    assert (fields["adapter"], fields["plan"]) == ("listing", "index")
    assert (await did(faces, "PATCH", "/sources/rooms", {"tier": "hot"}))["change"] == "unchanged"
    for wrong, says in (
        ({"url": None}, "url cannot be removed"),
        ({"tier": "tepid"}, "tier"),
        ({"tz": "Nowhere/Else"}, "tz"),
        ({"adapter": "nobody"}, "there is no adapter 'nobody'"),
        ({"policy": {"odd_every": 5}}, "policy"),
        ({"slug": "other"}, "slug"),
    ):
        refused = await did(faces, "PATCH", "/sources/rooms", wrong, status=422)
        assert says in refused["detail"]
    assert "did you mean rooms" in (await did(faces, "PATCH", "/sources/room", {}, status=404))["hint"]


async def test_a_catalogue_comes_whole_or_not_at_all(faces: Faces) -> None:
    good = "sources: [{slug: a, kind: listing, url: 'https://a.example/'}]"
    bad = "sources: [{slug: b, kind: listing, url: 'https://b.example/'}, {slug: c, url: nonsense}]"
    assert [
        each["slug"] for each in (await did(faces, "POST", "/sources/import", {"yaml": good}))["sources"]
    ] == ["a"]
    assert "catalogue:1" in (await did(faces, "POST", "/sources/import", {"yaml": bad}, status=422))["detail"]
    assert [each["slug"] for each in (await did(faces, "GET", "/sources"))["items"]] == ["a"]


async def test_sites_and_adapters(faces: Faces) -> None:
    await did(faces, "POST", "/sources", {**HOMES, "site": None}, status=201)
    assert (await did(faces, "POST", "/sites/rooms.example/review"))["terms_reviewed_by"] == "ada"
    assert (await did(faces, "PATCH", "/sites/rooms.example", {"preset": "crawler"}))["preset"] == "crawler"
    assert (await did(faces, "PATCH", "/sites/rooms.example", {"spacing": 7}))["spacing"] == 7
    assert (await did(faces, "PATCH", "/sites/rooms.example", {"spacing": None}))["spacing"] == 1
    assert (await did(faces, "POST", "/sites/rooms.example/block", {"reason": "asked to"}))["blocked"]
    assert (await did(faces, "POST", "/sources/rooms/run", status=409))["detail"]
    assert not (await did(faces, "POST", "/sites/rooms.example/unblock"))["blocked"]
    assert not (await did(faces, "POST", "/adapters/listing/disable"))["enabled"]
    assert (await did(faces, "POST", "/adapters/listing/enable"))["enabled"]
    there = {"site": "rooms.example"}
    off = await did(faces, "POST", "/adapters/listing/disable", {**there, "reason": "odd prices"})
    assert [(each["site"], each["why"]) for each in off["off"]] == [("rooms.example", "odd prices")]
    assert (await did(faces, "POST", "/adapters/listing/enable", there))["enabled"]
    assert (await did(faces, "POST", "/adapters/listing/enable", there, status=409))["hint"]
    assert "known" in (await did(faces, "GET", "/adapters/nobody", status=404))["hint"]


async def test_targets(faces: Faces) -> None:
    await did(faces, "POST", "/sources", {**HOMES, "plan": "watch"}, status=201)
    url = "https://rooms.example/17"
    one = await did(
        faces, "POST", "/targets", {"source": "rooms", "url": url, "interval_seconds": 3600}, status=201
    )
    assert (one["interval"], one["status"]) == (3600.0, "active")
    sheet = f"url,interval\n{url},2h\nhttps://rooms.example/18,1d\nhttps://other.example/1,1d\n"
    done = await did(faces, "POST", "/targets/import", {"source": "rooms", "csv": sheet})
    assert (done["added"], done["changed"], [each["line"] for each in done["bad"]]) == (1, 1, [4])
    assert (await did(faces, "PATCH", f"/targets/{one['id']}", {"priority": 5}))["priority"] == 5
    assert (await did(faces, "POST", f"/targets/{one['id']}/pause"))["status"] == "paused"
    assert (await did(faces, "POST", f"/targets/{one['id']}/run", status=409))["hint"].startswith("resume it")
    assert len((await did(faces, "GET", "/targets?status=paused"))["items"]) == 1
    assert (await did(faces, "DELETE", f"/targets/{one['id']}"))["url"] == url
    assert (await did(faces, "GET", f"/targets/{one['id']}", status=404))["detail"]


async def test_keys(faces: Faces) -> None:
    issued = await did(faces, "POST", "/keys", {"name": "eve", "scope": "admin", "days": 1}, status=201)
    eve = {"authorization": f"Bearer {issued['key']}"}
    assert (await faces.anyone.get("/api/admin/overview", headers=eve)).status_code == 200
    assert (await did(faces, "DELETE", "/keys/eve"))["revoked_at"]
    assert (await faces.anyone.get("/api/admin/overview", headers=eve)).status_code == 401
    assert all("key" not in each for each in (await did(faces, "GET", "/keys"))["items"])


async def test_what_went_wrong_can_be_found_and_dealt_with(faces: Faces) -> None:
    await faces.app.run(stocked)
    found = await did(faces, "GET", "/errors?category=parse&text=NOTHING&source=homes")
    assert [each["message"] for each in found["items"]] == ["nothing on homes"]
    listed = await did(faces, "GET", "/dead-letters?source=homes")
    assert [(each["stage"], each["many"]) for each in listed["groups"]] == [("parse", 1)]
    letter = listed["letters"][0]["id"]
    assert (await did(faces, "POST", f"/dead-letters/{letter}/note", {"text": "known"}))["notes"]
    assert (await did(faces, "POST", "/dead-letters/discard", {"ids": [letter]})) == {"ids": [letter]}
    assert (await did(faces, "POST", "/dead-letters/discard", {}, status=422))[
        "detail"
    ] == "no dead letters were named"
    (alert,) = (await did(faces, "GET", "/alerts"))["items"]
    assert (await did(faces, "POST", f"/alerts/{alert['id']}/resolve"))["resolved_at"]
    assert (await did(faces, "GET", "/alerts"))["items"] == []
    assert len((await did(faces, "GET", "/alerts?open=false"))["items"]) == 1
    assert (await did(faces, "POST", f"/alerts/{alert['id']}/resolve", status=409))["detail"]
    checks = (await did(faces, "GET", "/verifications?record=1"))["items"]
    assert [(each["method"], each["outcome"]) for each in checks] == [("head", "alive")]


async def test_candidates_become_sources_or_not(faces: Faces) -> None:
    await faces.app.run(stocked)
    (candidate,) = (await did(faces, "GET", "/candidates?status=new"))["items"]
    added = await did(faces, "POST", f"/candidates/{candidate['id']}/accept", status=201)
    assert (added["why"]["state"], added["why"]["hidden"]) == ("held back", True)
    assert (await did(faces, "GET", f"/candidates/{candidate['id']}"))["status"] == "accepted"
    assert (await did(faces, "POST", f"/candidates/{candidate['id']}/reject", status=409))["detail"]


async def test_the_dataset_is_put_right(faces: Faces) -> None:
    await faces.app.run(stocked)
    assert (await did(faces, "PUT", "/records/1/pins/title", {"value": "Home One"}))["records"] == 1
    assert (await faces.get("/api/records/1"))["record"]["title"] == "Home One"
    assert (await did(faces, "DELETE", "/records/1/pins/title"))["records"] == 1
    assert (await did(faces, "DELETE", "/records/1/pins/title", status=422))["detail"]
    assert (await did(faces, "POST", "/records/1/erase", {"reason": "asked to"}))["records"] == 1
    assert (await faces.anyone.get("/api/records/1")).status_code == 404
    done = await did(
        faces, "POST", "/records/erase-seller", {"seller": "seller  HOMES", "reason": "asked to"}
    )
    assert done["records"] == 4
    assert (await faces.get("/api/records"))["items"] == []
