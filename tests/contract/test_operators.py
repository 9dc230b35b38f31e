"""What pages say is so: causes in words, counts of what they count, and ways that lead on."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from html import unescape
from typing import Any

import pytest
from sqlalchemy import Connection, delete, func, insert, select, update

from larder.core.model.run import RunKind
from larder.core.policy.trust.drift import AdapterHealth, DisabledWhy, judge_drift
from larder.core.policy.trust.yields import PageYield
from larder.runs.coverage_pass import CoveragePass
from larder.runs.sweep import Sweep
from larder.store.operations import adapter_health
from larder.store.reads.operators.runs import list_runs
from larder.store.tables import alerts, items, jobs, pages, robots, runs, schedules, sources
from larder.web.admin.alert_links import alert_link
from tests.contract.faces import HIDDEN, Faces
from tests.contract.world import NOW, enqueue, run, site, source, unit_of_work


async def page(shown: Faces, path: str, **asked: Any) -> str:
    """The words of a page, on one line."""
    answered = await shown.admin.get(path, params=asked or None)
    assert answered.status_code == 200, answered.text
    return " ".join(answered.text.split())


async def test_an_operator_downloads_hidden_records_too_and_their_prices(shown: Faces) -> None:
    files = {"records.csv": "id,kind,source,title,price", "prices.csv": "id,kind,source,title,url,price"}
    for name, columns in files.items():
        lines = (await shown.admin.get(f"/admin/records/{name}?source={HIDDEN}")).text.splitlines()
        assert lines[0].startswith(columns)
        assert len(lines) > 1
        assert all(f",{HIDDEN}," in line for line in lines[1:])
        assert (await shown.anyone.get(f"/admin/records/{name}")).status_code in (303, 401)


async def test_an_operator_lists_records_by_state(shown: Faces) -> None:
    assert 'href="/records/' in await page(shown, "/admin/records", state="active")
    assert 'href="/records/' not in await page(shown, "/admin/records", state="archived")


def _reads_nothing(conn: Connection) -> None:
    """`product` reads two shops; on one of them two runs in a row read not one item."""
    corner, _ = (source(conn, slug, domain=f"{slug}.test", adapter="product") for slug in ("corner", "other"))
    health = AdapterHealth()
    for extracted in (40, 0, 0):
        batch = PageYield(attempted=2, extracted=extracted, valid=extracted)
        health = judge_drift(health, batch, NOW, reads_index=True).health
        ran = {"source_id": corner, "kind": "sweep", "status": "completed", "trigger": "scheduled"}
        counted = {"drift": {"attempted": 2, "extracted": extracted}, "yield_rate": extracted / 2}
        conn.execute(insert(runs).values(**ran, **counted, started_at=NOW, heartbeat_at=NOW))
    adapter_health.write(conn, "product", site(conn, "corner.test"), health)


async def test_an_adapter_that_is_off_says_why_and_shows_what_it_was_judged_by(shown: Faces) -> None:
    await shown.app.run(_reads_nothing)
    told = await page(shown, "/admin/adapters/product")
    assert "Disabled on corner.test: no item was read in 2 runs in a row" in told
    assert "drift detected" not in told
    assert "Items read on corner.test" in told
    assert ": 40 items on 2 pages" in told
    assert told.count(": 0 items on 2 pages") == 2


async def test_an_adapter_that_runs_elsewhere_is_not_called_off(shown: Faces) -> None:
    await shown.app.run(_reads_nothing)
    assert "disabled on 1 of 2 sites" in await page(shown, "/admin/adapters")


def _sweeping(conn: Connection, state: Mapping[str, Any], certificate: Mapping[str, Any] | None) -> int:
    """A sweep at work, behind one that is over."""
    its = {"source_id": 1, "kind": "sweep", "trigger": "scheduled", "started_at": NOW, "heartbeat_at": NOW}
    conn.execute(insert(runs).values(**its, status="completed", certificate=certificate))
    found = conn.execute(insert(runs).values(**its, status="running", state=state))
    (number,) = found.inserted_primary_key or (0,)
    return int(number)


@pytest.mark.parametrize(
    ("read", "passing", "certificate", "says"),
    [
        (1, {}, None, ["<b>Page 2</b>", "limit: page 50"]),
        (1, {}, {"last_page": 3}, ["<b>Page 2 of 3</b>", "1 page left"]),
        (1, {"pages": 1, "rows": 30, "advertised": 61}, None, ["<b>Page 2 of 3</b>", "1 page left"]),
        (1, {}, {"last_page": 80}, ["<b>Page 2 of 80</b>", "48 pages left in this sweep"]),
    ],
    ids=["nobody knows", "the last pass knew", "the site says", "longer than a sweep"],
)
async def test_a_sweep_says_how_many_pages_are_really_left(
    shown: Faces,
    read: int,
    passing: Mapping[str, Any],
    certificate: Mapping[str, Any] | None,
    says: list[str],
) -> None:
    here = Sweep(
        sweep_start_page=1, page=read + 1, last_page=read, pages_left=50 - read,
        passing=CoveragePass(began_at=NOW.isoformat(), **passing),
    )  # fmt: skip
    number = await shown.app.run(_sweeping, asdict(here), certificate)
    told = await page(shown, f"/admin/runs/{number}")
    assert [each for each in says if each not in told] == []


async def test_a_run_that_is_told_to_pause_is_not_said_to_be_paused(shown: Faces) -> None:
    answered = await shown.admin.post("/admin/runs/1/pause")
    assert answered.status_code == 303
    assert "is paused" in await page(shown, "/admin/runs/1")


def _failing(conn: Connection) -> None:
    """One request of each kind, of which three failed; a run of theirs that failed, and left items out."""
    enqueue(conn, 1, ["https://homes.test/page"])
    job = conn.scalar(select(func.max(jobs.c.id)))
    for outcome in ("ok", "not_found", "timeout", "robots_blocked", "error"):
        url = f"https://homes.test/{outcome}"
        fetched = {"job_id": job, "source_id": 1, "url": url, "outcome": outcome, "fetched_at": NOW}
        conn.execute(insert(pages).values(fetched))
    ended = {"status": "failed", "error_code": "index_unreadable", "error": "page 1 could not be read"}
    conn.execute(update(runs).where(runs.c.id == 1).values(**ended, dropped=2, failed=1))
    left: dict[str, Any] = {"job_id": job, "run_id": 1, "source_id": 1, "fields": {}, "outcome": "dropped"}
    conn.execute(
        insert(items),
        [{**left, "reason": "oos_no_price", "position": n, "observed_at": NOW} for n in range(2)],
    )


async def test_the_share_of_requests_that_failed_leads_to_these_requests(shown: Faces) -> None:
    await shown.app.run(_failing)
    assert 'href="/admin/requests"' in await page(shown, "/admin")
    listed = await page(shown, "/admin/requests")
    assert listed.count('<td data-label="run">') == 3
    assert "disallowed by robots.txt" in listed
    assert "homes.test/not_found" not in listed
    assert "homes.test/not_found" in await page(shown, "/admin/requests", outcome="not_found")
    assert "No results" in await page(shown, "/admin/requests", outcome="gone")


async def test_a_run_says_why_it_failed_and_why_items_were_left_out(shown: Faces) -> None:
    await shown.app.run(_failing)
    told = await page(shown, "/admin/runs/1")
    assert "page 1 could not be read" in told
    assert "Outcomes of its pages: 1 pending" in told
    assert "2 items dropped (out of stock, no price)" in told


async def test_errors_are_not_said_to_be_all_that_failed(shown: Faces) -> None:
    told = await page(shown, "/admin/errors", text="nothing like this")
    assert "No results" in told
    assert 'href="/admin/requests"' in told
    assert 'href="/admin/runs?status=failed"' in told


def _quiet(conn: Connection) -> None:
    """Nobody is called; what waits in quarantine and among the dead letters is all that is left."""
    conn.execute(delete(alerts))
    conn.execute(update(sources).values(enabled=1))


async def test_what_waits_for_a_person_is_named_though_nobody_was_called(shown: Faces) -> None:
    await shown.app.run(_quiet)
    told = await page(shown, "/admin")
    assert "Nothing needs attention" not in told
    assert '<a href="/admin/quarantine"><b>2 items in quarantine</b></a>' in told
    assert '<a href="/admin/dead"><b>2 dead letters</b></a>' in told


def _held_back(conn: Connection) -> None:
    """One adapter is off, and with it three sources."""
    for slug in ("a-shop", "b-shop", "c-shop"):
        source_id = source(conn, slug, domain="corner.test", adapter="product", plan="monitor")
        conn.execute(insert(schedules).values(source_id=source_id, kind="monitor", next_at=NOW))
    off = AdapterHealth().disabled(NOW, by="drift", why=DisabledWhy.DRIFT_DETECTED)
    adapter_health.write(conn, "product", site(conn, "corner.test"), off)


async def test_what_one_cause_holds_back_is_one_line(shown: Faces) -> None:
    await shown.app.run(_held_back)
    told = await page(shown, "/admin")
    assert told.count("the adapter product is disabled (drift detected)") == 1
    assert 'href="/admin/adapters/product"' in told
    assert [slug for slug in ("a-shop", "b-shop", "c-shop") if f"/admin/sources/{slug}" not in told] == []


def _told(conn: Connection, details: Mapping[str, Any]) -> None:
    conn.execute(update(alerts).values(details=dict(details)))


async def test_an_alert_says_how_urgent_it_is_and_leads_to_what_it_is_about(shown: Faces) -> None:
    await shown.app.run(_told, {"run": 1})
    assert '<a href="/admin/runs/1">run 1</a>' in await page(shown, "/admin/alerts")
    await shown.app.run(_told, {"trips": 2})
    told = await page(shown, "/admin/alerts")
    assert f'<a href="/admin/sources/{HIDDEN}"><b>{HIDDEN}</b></a>' in told
    assert "needs action today" in told
    assert "1 time<" in told
    assert ">Mark resolved<" in told


@pytest.mark.parametrize(
    ("name", "subject", "leads"),
    [
        ("adapter_disabled", "product on a-shop", "/admin/adapters/product"),
        ("circuit_tripped", "homes", "/admin/sources/homes"),
        ("selectors_broken", "homes", "/admin/sources/homes/healing"),
        ("dead_letters", "everywhere", "/admin/dead"),
        ("data_audit", "dataset", ""),
    ],
)
def test_where_alerts_lead(name: str, subject: str, leads: str) -> None:
    assert alert_link(name, subject) == leads


async def test_checks_that_are_not_of_an_outcome_are_not_said_to_be_none(shown: Faces) -> None:
    told = await page(shown, "/admin/verification", outcome="gone")
    assert "No checks yet" not in told
    assert "No results" in told


@pytest.mark.parametrize("path", ["/", "/map", "/events"])
async def test_a_search_that_cannot_be_understood_keeps_its_form(shown: Faces, path: str) -> None:
    answered = await shown.anyone.get(path, params={"from": "50", "to": "20", "q": "home"})
    assert answered.status_code == 400
    assert "invalid price range: &#39;50&#39; to &#39;20&#39;" in answered.text
    assert 'name="from" inputmode="decimal" value="50"' in answered.text
    assert 'value="home"' in answered.text


async def test_a_new_key_is_shown_once_and_loading_again_makes_no_other(shown: Faces) -> None:
    made = await shown.admin.post("/admin/keys/add", data={"name": "dashboard"})
    assert (made.status_code, made.headers["location"]) == (303, "/admin/keys")
    assert "it is not shown again" in await page(shown, "/admin/keys")
    assert "it is not shown again" not in await page(shown, "/admin/keys")


async def test_proxies_say_beforehand_that_no_password_can_be_stored(shown: Faces) -> None:
    assert "Proxy passwords cannot be stored" in await page(shown, "/admin/proxies")


async def test_an_interval_that_is_too_short_says_how_to_write_one(shown: Faces) -> None:
    await shown.app.run(_shop)
    sent = {"source": "shop", "csv": "url,interval\nhttps://shop.test/a,1\n"}
    answered = await shown.admin.post("/admin/targets/import", data=sent)
    assert (answered.status_code, answered.headers["location"]) == (303, "/admin/targets?source=shop")
    told = await page(shown, answered.headers["location"])
    assert "line 2: interval 1 s is too short: write 1d or 12h" in told
    assert 'name="to" value="/admin/targets?source=shop"' in told
    assert "too short" not in await page(shown, answered.headers["location"])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
async def test_l10_17_a_spreadsheet_of_another_country_is_imported(shown: Faces, encoding: str) -> None:
    await shown.app.run(_shop)
    sheet = "URL;Interval;Größe\r\nhttps://shop.test/a;1d;groß\r\n".encode(encoding)
    await shown.admin.post(
        "/admin/targets/import", data={"source": "shop"}, files={"file": ("pages.csv", sheet)}
    )
    assert "größe: groß" in await page(shown, "/admin/targets", source="shop")


async def test_l10_17_an_import_asks_before_it_adds_sources_for_other_shops(shown: Faces) -> None:
    await shown.app.run(_shop)
    sent = {"source": "shop", "csv": "url\nhttps://shop.test/a\nhttps://other-shop.example/b\n"}
    await shown.admin.post("/admin/targets/import", data=sent)
    told = await page(shown, "/admin/targets", source="shop")
    assert "No source checks pages of other-shop.example" in told
    await shown.admin.post("/admin/targets/import", data={**sent, "add_sources": "1"})
    assert "https://other-shop.example/b" in await page(shown, "/admin/targets")


async def test_l10_17_the_api_adds_sources_for_other_shops_where_asked(shown: Faces) -> None:
    await shown.app.run(_shop)
    sent = {"source": "shop", "csv": "url\nhttps://shop.test/a\nhttps://other-shop.example/b\n"}
    refused = (await shown.admin.post("/api/admin/targets/import", json=sent)).json()
    assert (refused["added"], [bad["line"] for bad in refused["bad"]]) == (1, [3])
    added = (await shown.admin.post("/api/admin/targets/import", json={**sent, "add_sources": True})).json()
    assert (added["added"], added["changed"], added["unchanged"], added["bad"]) == (1, 0, 1, [])
    listed = (await shown.admin.get("/api/admin/targets", params={"source": "other-shop"})).json()
    assert [each["url"] for each in listed["items"]] == ["https://other-shop.example/b"]


async def test_pages_that_nobody_looks_at_are_not_called_watched(shown: Faces) -> None:
    await shown.admin.post("/admin/targets/add", data={"source": "homes", "url": "https://homes.test/a"})
    told = await page(shown, "/admin/targets")
    assert "homes has the plan index, which has no targets" in told
    await shown.app.run(_shop)
    sent = {"source": "shop", "csv": "url,enabled\nhttps://shop.test/a,no\n"}
    await shown.admin.post("/admin/targets/import", data=sent)
    told = await page(shown, "/admin/targets", source="shop")
    assert '<span class="badge warn">off</span>' in told
    assert ("Run now" in told, "Pause" in told) == (False, False)
    (resume,) = re.findall(r'"(/admin/targets/\d+/resume)"', told)
    await shown.admin.post("/admin/targets/add", data={"source": "shop", "url": "https://shop.test/a"})
    assert "exists already: it is off." in await page(shown, "/admin/targets")
    await shown.admin.post(resume)
    told = await page(shown, "/admin/targets", source="shop")
    assert "is resumed" in told
    assert '<span class="badge good">active</span>' in told


def _shop(conn: Connection) -> None:
    source(conn, "shop", domain="shop.test", plan="monitor")


async def test_limits_and_notes_of_a_site_can_be_taken_back(shown: Faces) -> None:
    change = "/admin/sites/homes.test/change"
    said = {"preset": "gentle", "spacing": "7.5", "spacing_max": "9", "at_once": "3", "notes": "asleep"}
    await shown.admin.post(change, data=said)
    told = await page(shown, "/admin/sites/homes.test")
    assert "7.5 s to 9 s between requests, 3 concurrent" in told
    assert 'name="spacing" inputmode="decimal" value="7.5" placeholder="2"' in told
    await shown.admin.post(change, data={**dict.fromkeys(said, ""), "preset": "classifieds"})
    told = await page(shown, "/admin/sites/homes.test")
    assert "0.5 s to 2 s between requests, 2 concurrent" in told
    assert 'name="spacing" inputmode="decimal" value="" placeholder="0.5"' in told
    assert "asleep" not in told


@pytest.mark.parametrize(
    ("sent_from", "to"),
    [
        ("http://larder.test/admin/runs?kind=sweep", "/admin/runs?kind=sweep"),
        ("http://elsewhere.test/admin/runs", "/admin"),
        ("", "/admin"),
    ],
)
async def test_what_answers_a_form_leads_back_to_the_page_it_was_sent_from(
    shown: Faces, sent_from: str, to: str
) -> None:
    answered = await shown.anyone.post("/admin/runs/1/stop", headers={"referer": sent_from})
    assert answered.status_code == 403
    assert f'name="to" value="{to}"' in answered.text


async def test_a_record_leads_to_a_watch_on_its_price_and_the_watch_says_who_hears_of_it(
    shown: Faces,
) -> None:
    (leads,) = re.findall(r'href="(/admin/watches[?][^"]+)#falls"', await page(shown, "/records/1"))
    form = await page(shown, unescape(leads))
    assert 'name="record" inputmode="numeric" required value="1"' in form
    assert (
        "Notifications go to Larder&#39;s log only" in form or "Notifications go to Larder's log only" in form
    )
    await shown.admin.post("/admin/watches/add", data={"name": "home", "record": "1", "falls": "10"})
    assert "log only" in unescape(await page(shown, "/admin/watches"))


async def test_a_source_that_is_held_back_does_not_say_when_it_runs(shown: Faces) -> None:
    await shown.app.run(_held_back)
    told = await page(shown, "/admin/sources", state="held back")
    assert told.count("when unblocked") == told.count('data-label="next"') > 3


async def test_a_certificate_is_a_sentence(shown: Faces) -> None:
    missed = {"estimate": 0.1, "low": 0, "high": 2}
    walked = {"pages": 1, "rows": 30, "last_page": 1, "advertised": None, "overlap_rows": 0}
    proven = {**walked, "seen": 30, "unseen": 1, "missed": missed}
    await shown.app.run(lambda conn: conn.execute(update(runs).values(certificate=proven)))
    told = await page(shown, "/admin/runs/1")
    assert "The pass read 1 page up to the last page, 1, with 30 rows." in told
    assert "Estimated rows missed: <b>0.1</b> (90 % interval: 0 to 2)." in told


async def test_a_site_shows_its_robots_file_and_when_it_was_fetched(shown: Faces) -> None:
    told = {"state": "rules", "status": 200, "body": "User-agent: *\nDisallow: /cart"}
    kept = {"origin": "https://www.homes.test", "fetched_at": NOW, "expires_at": NOW}
    await shown.app.run(lambda conn: conn.execute(insert(robots).values(**told, **kept)))
    found = await page(shown, "/admin/sites/homes.test")
    assert "https://www.homes.test, fetched" in found
    assert "Disallow: /cart" in found
    assert "has rules, which are obeyed" in await page(shown, "/admin/sites")


@unit_of_work
def test_l10_7_a_verification_sums_up_its_checks(conn: Connection) -> None:
    source_id = source(conn)
    verified, found = run(conn, source_id, RunKind.VERIFICATION), run(conn, source_id)
    state = {"checked": 9, "alive": 5, "struck": 2, "gone": 1, "undecided": 1, "window": 2}
    conn.execute(update(runs).where(runs.c.id == verified).values(state=state))
    conn.execute(update(runs).where(runs.c.id == found).values(state={"gone": "no number"}))
    views = {view.id: view for view in list_runs(conn)}
    assert views[verified].checks == {"checked": 9, "alive": 5, "struck": 2, "gone": 1, "undecided": 1}
    assert views[verified].checks_summary == "9 checked: 5 alive, 2 struck, 1 gone, 1 undecided"
    assert (views[found].checks, views[found].checks_summary) == (None, "")
