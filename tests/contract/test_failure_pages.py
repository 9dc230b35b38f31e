"""Web pages of failures: dead letters by group, waiting pages, disabled adapters, healing."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

from sqlalchemy import Connection, delete, func, insert, select, update

from larder.actions.sources import adapters
from larder.core.model.run import RunStatus
from larder.core.policy.trust.drift import AdapterHealth
from larder.core.policy.trust.yields import PageYield
from larder.store.operations import adapter_health, drift_batches
from larder.store.queue import runs
from larder.store.tables import dead_letters, jobs, quarantine, schedules, sites, sources
from larder.web.admin.sources.adapters import BATCHES, SITES
from tests.contract.faces import HIDDEN, Faces
from tests.contract.query_plans import _numbers
from tests.contract.statements import overheard
from tests.contract.test_list_plans import _plan
from tests.contract.test_operators import page
from tests.contract.world import MINUTE, NOW, enqueue, site, source, unit_of_work

HEALING = "/admin/sources/homes/healing"
WELL = "All selectors match"


async def press(shown: Faces, path: str, button: str, action: str) -> str:
    """Press the button of that name on a page as a browser would; what is said of it."""
    told = await page(shown, path)
    forms = re.findall(rf'<form[^>]*action="{re.escape(action)}".*?</form>', told)
    (form,) = [each for each in forms if f">{button}</button>" in each]
    fields = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
    answered = await shown.admin.post(action, data={name: unescape(value) for name, value in fields})
    assert answered.status_code == 303, answered.text
    return await page(shown, answered.headers["location"])


# -- dead letters ------------------------------------------------------------------------------------------


async def test_a_group_of_one_source_is_discarded_and_no_other(shown: Faces) -> None:
    told = await press(shown, "/admin/dead?source=homes", "Discard all", "/admin/dead/discard")
    assert "1 discarded." in told
    assert await shown.app.read(_letters) == {"homes": "discarded", HIDDEN: "pending"}


async def test_a_group_of_one_source_is_retried_and_no_other(shown: Faces) -> None:
    await shown.app.run(_dead)
    told = await press(shown, f"/admin/dead?source={HIDDEN}", "Retry all", "/admin/dead/retry")
    assert "Retried: 1." in told
    assert await shown.app.read(_letters) == {"homes": "pending", HIDDEN: "retrying"}


async def test_a_group_leads_to_the_letters_that_it_counts(shown: Faces) -> None:
    told = await page(shown, "/admin/dead?source=homes&status=pending")
    (leads,) = re.findall(r'<a href="([?][^"]+)"><b>NoItems</b></a>', told)
    asked = {"source": ["homes"], "status": ["pending"], "stage": ["parse"], "type": ["NoItems"]}
    assert parse_qs(urlsplit(unescape(leads)).query) == asked


async def test_no_letter_of_a_source_does_not_mean_that_there_is_none(shown: Faces) -> None:
    await shown.app.run(lambda conn: source(conn, "calm", domain="calm.test"))
    told = await page(shown, "/admin/dead", source="calm")
    assert "No dead letters" not in told
    assert "No results" in told


def _dead(conn: Connection) -> None:
    """Each letter is about a job of a run that is over, and nothing keeps its source from running."""
    conn.execute(update(sites).values(terms_reviewed_at=NOW))
    for row in conn.execute(select(dead_letters)).all():
        runs.close(conn, row.run_id, RunStatus.COMPLETED, now=NOW)
        site_id = conn.scalar(select(sources.c.site_id).where(sources.c.id == row.source_id))
        url = f"https://shop.test/{row.id}"
        enqueue(conn, row.run_id, [url], source_id=row.source_id, site_id=site_id or 0)
        job = conn.scalar(select(func.max(jobs.c.id)))
        conn.execute(update(jobs).where(jobs.c.id == job).values(status="dead"))
        about = {"job_id": job, "payload": {"url": url}}
        conn.execute(update(dead_letters).where(dead_letters.c.id == row.id).values(**about))
        conn.execute(insert(schedules).values(source_id=row.source_id, kind="sweep", next_at=NOW))


def _letters(conn: Connection) -> dict[str, str]:
    found = select(sources.c.slug, dead_letters.c.status).join(
        sources, sources.c.id == dead_letters.c.source_id
    )
    return {row.slug: row.status for row in conn.execute(found)}


# -- pages -------------------------------------------------------------------------------------------------


async def test_a_page_that_is_in_line_is_not_said_to_be_read(shown: Faces) -> None:
    await shown.app.run(enqueue, 1, ["https://homes.test/later"])
    job = await shown.app.read(lambda conn: conn.scalar(select(func.max(jobs.c.id))))
    told = await page(shown, f"/admin/pages/{job}")
    assert "None: no items were read." in told
    assert "all stored" not in told


# -- adapters ----------------------------------------------------------------------------------------------


async def test_an_adapter_is_enabled_where_a_person_says_so_and_nowhere_else(shown: Faces) -> None:
    for domain in ("homes.test", "unseen.test"):
        await shown.app.run(adapters.disable, "listing", "odd", site=domain, who="ada", now=NOW)
    answered = await press_enable(shown, "homes.test")
    assert "listing is enabled on homes.test." in answered
    assert "Disabled on unseen.test: odd" in answered
    assert "Disabled on homes.test" not in answered


async def press_enable(shown: Faces, domain: str) -> str:
    told = await page(shown, "/admin/adapters/listing")
    notices = re.findall(r'<div class="notice bad">.*?</div>', told)
    (notice,) = [each for each in notices if f"Disabled on {domain}" in each]
    (sent,) = re.findall(r'name="site" value="([^"]+)"', notice)
    await shown.admin.post("/admin/adapters/listing/enable", data={"site": sent})
    return await page(shown, "/admin/adapters/listing")


async def test_an_adapter_that_is_off_on_one_site_can_be_switched_off_everywhere(shown: Faces) -> None:
    path = "/admin/adapters/listing"
    await shown.app.run(adapters.disable, "listing", "odd", site="homes.test", who="ada", now=NOW)
    assert f'action="{path}/disable"' in await page(shown, path)
    await shown.admin.post(f"{path}/disable", data={"reason": "terms"})
    told = await page(shown, path)
    assert "Disabled on homes.test: odd" in told
    assert "Disabled on all sites: terms" in told
    assert f'action="{path}/disable"' not in told
    told = await press(shown, path, "Enable on all sites", f"{path}/enable")
    assert "listing is enabled." in told
    assert "notice bad" not in told


def _judged(conn: Connection, domain: str, many: int, *, off: bool = False) -> None:
    """So many batches on a site, a minute apart."""
    site_id, batch = site(conn, domain), PageYield(attempted=20, extracted=20, valid=20)
    adapter_health.write(conn, "listing", site_id, AdapterHealth(enabled=not off, last_rate=0.0))
    for number in range(many):
        drift_batches.add_batch(
            conn, batch, adapter="listing", site_id=site_id, run_id=1, version="1", now=NOW + number * MINUTE
        )


async def test_a_busy_site_does_not_push_the_drift_of_others_off_the_page(shown: Faces) -> None:
    await shown.app.run(_judged, "homes.test", 2)
    await shown.app.run(_judged, "unseen.test", BATCHES + 5)
    told = await page(shown, "/admin/adapters/listing")
    for domain, many in (("homes.test", 2), ("unseen.test", BATCHES)):
        (chart,) = re.findall(rf"Failure rate of the latest batches on {domain}.*?</svg>", told)
        assert chart.count("0 of 20 pages failed") == many


async def test_where_an_adapter_is_off_is_drawn_first_however_many_sites_there_are(shown: Faces) -> None:
    await shown.app.run(_judged, "zoo.test", 1, off=True)
    for number in range(SITES):
        await shown.app.run(_judged, f"site-{number}.test", 2)
    drawn = re.findall(r"latest batches on ([\w.-]+)", await page(shown, "/admin/adapters/listing"))
    assert drawn[0] == "zoo.test"
    assert len(set(drawn)) == SITES


@unit_of_work
def test_the_latest_batches_are_found_along_an_index(conn: Connection) -> None:
    for number in range(20):
        _judged(conn, f"site-{number}.test", 0)
    conn.exec_driver_sql(
        f"""INSERT INTO drift_batches (adapter, site_id, attempted, at)
            SELECT 'listing', 1 + n % 20, 20, n FROM {_numbers(conn)}"""
    )
    conn.exec_driver_sql("ANALYZE")
    with overheard(conn) as sent:
        found = drift_batches.latest_batches(conn, "listing", limit=10, each=5)
    assert [len(rows) for rows in found.values()] == 10 * [5]
    plan = [line for asked in sent for line in _plan(conn, *asked)]
    assert [line for line in plan if re.search(r"(SCAN|Seq Scan on) drift_batches", line)] == []
    assert len([line for line in plan if "ix_drift_batches_recent" in line]) >= 11


# -- healing -----------------------------------------------------------------------------------------------


def _declares(conn: Connection) -> None:
    selectors = {"index": {"row": "article", "fields": {"title": "h2"}}}
    conn.execute(update(sources).values(params={"selectors": selectors}))


async def test_selectors_of_a_source_that_never_ran_are_not_said_to_be_well(shown: Faces) -> None:
    await shown.app.run(_declares)
    told = await page(shown, HEALING)
    assert "Not checked yet" in told
    assert WELL not in told
    await shown.app.run(runs.close, 1, RunStatus.COMPLETED, now=NOW)
    assert WELL in await page(shown, HEALING)


async def test_a_look_that_had_nothing_to_look_at_does_not_say_that_it_found_nothing(shown: Faces) -> None:
    await shown.app.run(_declares)
    for _ in ("no run is over", "one is, and left no page"):
        told = await press(shown, HEALING, "Check now", f"{HEALING}/look")
        assert "The last run has no stored pages to compare." in told
        assert "Compared" not in told
        await shown.app.run(runs.close, 1, RunStatus.COMPLETED, now=NOW)


# -- lists that are empty ----------------------------------------------------------------------------------


async def test_an_empty_list_does_not_speak_of_others(shown: Faces) -> None:
    await shown.app.run(lambda conn: conn.execute(delete(quarantine)))
    told = await page(shown, "/admin/quarantine", status="all")
    assert "No items in quarantine" in told
    assert 'href="/admin/quarantine?status=all"' not in told
    assert "There are others" not in await page(shown, "/admin/quarantine", status="rejected")
