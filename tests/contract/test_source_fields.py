"""Command line, API and pages can say the same of a source: each sets, changes and removes every field."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import select

from larder.actions.sources.fields import EDITABLE
from larder.api.admin.sources import SourceChange
from larder.cli import load_command
from larder.store.tables import records
from tests.contract.faces import Faces, opened, stocked
from tests.contract.source_samples import BEFORE, DEFAULTS, KEPT, STORED, WRITTEN


@pytest.fixture
async def shown(database_url: str, tmp_path: Path) -> AsyncIterator[Faces]:
    async with opened(database_url, tmp_path) as found:
        made = await found.admin.post("/api/admin/sources", json=BEFORE)
        assert made.status_code == 201, made.text
        yield found


async def _stored(shown: Faces) -> dict[str, Any]:
    fields = (await shown.get("/api/admin/sources/goods", shown.admin))["fields"]
    return {name: fields[name] for name in STORED}


async def test_l10_12_all_three_name_the_same_fields(shown: Faces) -> None:
    page = (await shown.admin.get("/admin/sources/goods")).text
    form = page[page.index("/admin/sources/goods/change") : page.index("Remove this source")]
    on_page = set(re.findall(r'name="([a-z_]+)"', form)) - {"csrf"}
    options = {each.name for each in load_command("source").commands["set"].params}
    own = {"slug", "file", "public", "reset", "as_json"}
    assert set(SourceChange.model_fields) == on_page == options - own == set(EDITABLE) == set(WRITTEN)


async def test_l10_12_the_api_sets_and_removes_every_field(shown: Faces) -> None:
    said = {name: yaml.safe_load(text) if name != "place" else text for name, text in WRITTEN.items()}
    answered = await shown.admin.patch("/api/admin/sources/goods", json=said)
    assert answered.status_code == 200, answered.text
    assert await _stored(shown) == STORED
    removed = await shown.admin.patch("/api/admin/sources/goods", json=dict.fromkeys(set(said) - {*KEPT}))
    assert removed.status_code == 200, removed.text
    assert await _stored(shown) == DEFAULTS
    refused = await shown.admin.patch("/api/admin/sources/goods", json={"url": None})
    assert (refused.status_code, refused.json()["detail"]) == (422, "url cannot be removed")


async def test_l10_12_the_form_sets_and_removes_every_field(shown: Faces) -> None:
    answered = await shown.admin.post("/admin/sources/goods/change", data=WRITTEN)
    assert answered.status_code == 303, answered.text[:500]
    assert await _stored(shown) == STORED
    page = (await shown.admin.get("/admin/sources/goods")).text
    assert "city: Utrecht" in page
    assert "only the pages that you name as targets" in page
    empty = {name: WRITTEN[name] if name in KEPT else "" for name in WRITTEN}
    answered = await shown.admin.post("/admin/sources/goods/change", data=empty)
    assert answered.status_code == 303, answered.text[:500]
    assert await _stored(shown) == DEFAULTS


async def test_l10_12_put_resets_what_it_does_not_name(shown: Faces) -> None:
    await shown.admin.patch("/api/admin/sources/goods", json={"tier": "hot", "currency": "EUR"})
    said = {"url": STORED["url"], "kind": "product", "tier": "cool"}
    answered = await shown.admin.put("/api/admin/sources/goods", json=said)
    assert answered.status_code == 200, answered.text
    assert await _stored(shown) == DEFAULTS | {"tier": "cool"}


async def test_l10_11_a_limit_that_is_refused_is_named_without_the_exception(shown: Faces) -> None:
    body = {"params": {"sweep_overlap": 99_999}}
    answered = await shown.admin.patch("/api/admin/sources/goods", json=body)
    assert answered.status_code == 422
    assert answered.json()["detail"].startswith("body.params: sweep_overlap is ")


async def test_l12_a_source_can_have_the_plan_adaptive_with_a_budget(shown: Faces) -> None:
    said = {"plan": "adaptive", "params": {"requests_per_day": 1_500}}
    answered = await shown.admin.patch("/api/admin/sources/goods", json=said)
    assert answered.status_code == 200, answered.text
    assert (await _stored(shown))["plan"] == "adaptive"
    refused = await shown.admin.patch("/api/admin/sources/goods", json={"params": {"requests_per_day": -1}})
    assert refused.status_code == 422
    assert "requests_per_day is '-1'" in refused.text


@pytest.mark.parametrize("records", ["kept", "hidden", "erased"])
async def test_l10_12_a_removed_source_is_in_no_list_and_continues_when_added_again(
    shown: Faces, records: str
) -> None:
    answered = await shown.admin.delete("/api/admin/sources/goods", params={"records": records})
    assert (answered.status_code, answered.json()["records"]) == (200, records)
    assert (await shown.get("/api/admin/sources", shown.admin))["items"] == []
    assert (await shown.admin.get("/api/admin/sources/goods")).status_code == 404
    again = await shown.admin.post("/api/admin/sources", json={"url": BEFORE["url"], "kind": "product"})
    assert (again.status_code, again.json()["slug"], again.json()["change"]) == (201, "goods", "added")
    assert (await _stored(shown))["enabled"] == 1


async def test_l10_13_a_market_is_added_by_city_and_state(shown: Faces) -> None:
    market = {"slug": "market", "adapter": "apartments", "params": {"city": "San Antonio", "state": "TX"}}
    added = await shown.admin.post("/api/admin/markets", json=market)
    assert added.status_code == 201, added.text
    fields = (await shown.get("/api/admin/markets/market", shown.admin))["fields"]
    assert fields["url"] == "https://www.apartments.com/san-antonio-tx/"
    refused = await shown.admin.post("/api/admin/sources", json=market | {"adapter": "listing", "slug": "x"})
    assert refused.status_code == 422


async def test_l10_13_put_replaces_sites_watches_and_targets(shown: Faces) -> None:
    await shown.admin.patch("/api/admin/sites/goods.test", json={"at_once": 3, "notes": "slow"})
    site = (await shown.admin.put("/api/admin/sites/goods.test", json={"spacing": 4})).json()
    assert (site["chosen"]["spacing"], site["chosen"]["at_once"], site["notes"]) == (4.0, None, None)
    asked = {"name": "w", "query": {"text": "tea"}, "falls_percent": 5, "channel": "log"}
    watch = (await shown.admin.post("/api/admin/watches", json=asked)).json()
    path = f"/api/admin/watches/{watch['id']}"
    put = (await shown.admin.put(path, json={"name": "v", "query": {"text": "pot"}})).json()
    assert (put["name"], put["on"], put["channel"], put["asks"]) == ("v", "new_match", None, {"text": "pot"})
    await shown.admin.patch("/api/admin/sources/goods", json={"plan": "monitor"})
    page = {
        "source": "goods",
        "url": "https://goods.test/1",
        "cron": "0 6 * * *",
        "notes": "x",
        "priority": 5,
    }
    target = (await shown.admin.post("/api/admin/targets", json=page)).json()
    path = f"/api/admin/targets/{target['id']}"
    put = (await shown.admin.put(path, json={"priority": 2})).json()
    assert (put["priority"], put["cron"], put["notes"] or None) == (2, None, None)


async def test_l10_13_saved_counts_are_written(shown: Faces) -> None:
    await shown.app.run(stocked)
    record = (await shown.get("/api/records"))["items"][0]["id"]
    answered = await shown.admin.put(f"/api/admin/records/{record}/saved", json={"saved": 12})
    assert (answered.status_code, answered.json()["records"]) == (200, 1)
    count = select(records.c.saved).where(records.c.id == record)
    assert await shown.app.run(lambda conn: conn.scalar(count)) == 12


async def test_l10_13_interest_is_written_and_pages_do_not_change_it(shown: Faces) -> None:
    await shown.app.run(stocked)
    record = (await shown.get("/api/records"))["items"][0]["id"]
    path = f"/api/admin/records/{record}/interested"
    answered = await shown.admin.put(path, json={"interested": 1204})
    assert (answered.status_code, answered.json()["says"]) == (
        200,
        f"1,204 people are interested in record {record}.",
    )
    read = await shown.get(f"/api/records/{record}")
    assert read["record"]["content"]["interested"] == 1204
    assert (await shown.admin.put(path, json={"interested": -1})).status_code == 422
    assert (await shown.admin.delete(f"/api/admin/records/{record}/pins/interested")).status_code == 200
