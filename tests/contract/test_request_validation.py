"""Values that no database can hold are refused before they reach one: by API and web, on both databases."""

from datetime import timedelta
from html import unescape
from itertools import product
from urllib.parse import unquote

import pytest
from sqlalchemy import update

from larder.actions.access import keys
from larder.actions.sources import targets
from larder.actions.sources.spec import SourceSpec
from larder.core.errors import BadInput
from larder.store.database import open_database
from larder.store.tables import sources
from tests.contract.faces import Faces
from tests.contract.world import NOW

ADDRESSES = (
    "/records/{}", "/images/{}", "/admin/runs/{}", "/admin/runs/{}/pages", "/admin/pages/{}",
    "/admin/dead/{}", "/admin/quarantine/{}", "/api/records/{}", "/api/records/{}/siblings",
    "/api/admin/runs/{}", "/api/admin/entities/{}", "/api/admin/targets/{}",
)  # fmt: skip
NO_NUMBERS = ("0", "-1", "9" * 19, "9" * 23, "9" * 5_000, "²", "१")


async def test_a_number_that_no_row_can_have_leads_nowhere(shown: Faces) -> None:
    asked = [address.format(number) for address in ADDRESSES for number in NO_NUMBERS]
    answered = {path[:60]: (await shown.admin.get(path)).status_code for path in asked}
    assert {path: status for path, status in answered.items() if status != 404} == {}


async def test_the_largest_number_is_looked_for(shown: Faces) -> None:
    for face in ("/records", "/api/records"):
        answered = await shown.anyone.get(f"{face}/{'9' * 18}")
        assert (answered.status_code, f"record {'9' * 18}" in answered.text) == (404, True)


@pytest.mark.parametrize("number", ["9" * 19, "1" + "0" * 24, "1" * 5_000])
async def test_a_list_begins_before_no_such_number(shown: Faces, number: str) -> None:
    assert (await shown.admin.get("/admin/runs", params={"before": number})).status_code == 400
    assert (await shown.admin.get("/api/admin/runs", params={"before": number})).status_code == 422


@pytest.mark.parametrize(
    ("charset", "half"),
    [
        ("unicode_escape", rb"\ud800"),
        ("raw_unicode_escape", rb"\ud800"),
        ("utf-7", b"+2AA-"),
        ("undefined", b"a"),
        ("utf-8", b"a\0b"),
    ],
)
async def test_a_form_that_is_not_text_is_refused(shown: Faces, charset: str, half: bytes) -> None:
    sent = {"content-type": f"multipart/form-data; boundary=B; charset={charset}"}
    for path, field in product(("/sign-in", "/theme", "/leave"), (b"key", b"to", b"csrf")):
        body = b'--B\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n--B--\r\n' % (field, half)
        answered = await shown.anyone.post(path, content=body, headers=sent)
        assert (answered.status_code, "the form " in answered.text) == (400, True), (path, field)


@pytest.mark.parametrize("face", ["/", "/api/records"])
async def test_an_address_that_is_not_text_is_refused(shown: Faces, face: str) -> None:
    answered = await shown.anyone.get(face, params={"source": "a\0b"})
    assert answered.status_code in (400, 422)
    assert "the URL contains an invalid character" in answered.text


@pytest.mark.parametrize(("depth", "status"), [(30, 201), (33, 422), (500, 422), (900, 422), (100_000, 400)])
async def test_a_body_has_so_many_levels(shown: Faces, depth: int, status: int) -> None:
    deep = "[" * (depth - 2) + "]" * (depth - 2)
    source = f'{{"url": "https://deep.example", "kind": "listing", "params": {{"deep": {deep}}}}}'
    sent = {"content-type": "application/json"}
    answered = await shown.admin.post("/api/admin/sources", content=source, headers=sent)
    assert answered.status_code == status, answered.text


@pytest.mark.parametrize("days", ["3651", "3650000", "99999999999", "9" * 30])
async def test_no_key_outlasts_ten_years_but_one_for_ever(shown: Faces, days: str) -> None:
    page = await shown.admin.post("/admin/keys/add", data={"name": "k", "days": days})
    assert page.status_code == 303
    assert "days must be a whole number" in unquote(page.headers["set-cookie"])
    assert (
        await shown.admin.post("/api/admin/keys", json={"name": "k", "days": int(days)})
    ).status_code == 422
    with pytest.raises(BadInput, match="at most 3650 days"):
        await shown.app.run(keys.add, "k", lasts=timedelta(days=3651), who="ada", now=NOW)
    made = await shown.admin.post("/admin/keys/add", data={"name": "k", "days": "3650"})
    assert "larder_once=" in made.headers["set-cookie"]


@pytest.mark.parametrize(
    "path", ["/", "/records/1", "/map", "/admin", "/enter", "/api/records/2", "/api/ready"]
)
async def test_a_database_that_is_away_is_told_of_to_the_log_alone(
    shown: Faces, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    there = shown.app.database
    shown.app.database = open_database("postgresql://larder:hunter2@127.0.0.1:1/larder")
    answered = await shown.admin.get(path)
    await shown.app.database.close()
    shown.app.database = there
    assert answered.status_code == 503
    assert "database is unavailable" in unescape(answered.text)
    for private in ("Errno", "127.0.0.1", "LARDER_DATABASE", "hunter2"):
        assert private not in answered.text
    assert "check" not in answered.text
    assert "127.0.0.1" in caplog.text


async def test_a_table_that_is_not_there_is_told_of_to_the_log_alone(
    shown: Faces, caplog: pytest.LogCaptureFixture
) -> None:
    await shown.app.run(lambda conn: conn.exec_driver_sql("ALTER TABLE images RENAME TO others"))
    page, posted = await shown.anyone.get("/"), await shown.admin.post("/admin/records/1/erase")
    await shown.app.run(lambda conn: conn.exec_driver_sql("ALTER TABLE others RENAME TO images"))
    assert (page.status_code, posted.status_code) == (503, 503)
    assert "images" not in page.text + posted.text
    assert "images" in caplog.text


@pytest.mark.parametrize("path", ["/static/nope.css", "/static/", "/static/%2e%2e/shell.py"])
async def test_what_is_no_file_of_ours_is_kept_by_nobody_and_says_nothing(shown: Faces, path: str) -> None:
    said = {"cookie": "larder_said=%5B%22erased%20it%22%2C%22good%22%2C%22%22%5D"}
    answered = await shown.anyone.get(path, headers=said)
    assert (answered.status_code, answered.headers["cache-control"]) == (404, "no-store")
    assert "set-cookie" not in answered.headers
    assert "erased it" not in answered.text


async def test_a_file_of_ours_is_kept(shown: Faces) -> None:
    found = await shown.anyone.get("/static/larder.css", headers={"cookie": "larder_said=%5B%22a%22%5D"})
    again = await shown.anyone.get("/static/larder.css", headers={"if-none-match": found.headers["etag"]})
    assert (found.status_code, again.status_code) == (200, 304)
    for each in (found, again):
        assert each.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert "set-cookie" not in each.headers
    posted = await shown.anyone.post("/static/larder.css")
    assert (posted.status_code, posted.headers["cache-control"]) == (405, "no-store")


OTHER = {"tier": "cool", "visibility": "hidden", "fetcher": "browser", "tz": "Asia/Tokyo", "language": "ja"}


@pytest.mark.parametrize("field", ["tier", "visibility", "fetcher", "tz", "language"])
async def test_l10_12_a_field_that_is_emptied_gets_its_default(shown: Faces, field: str) -> None:
    await shown.app.run(lambda conn: conn.execute(update(sources).values({field: OTHER[field]})))
    emptied = await shown.admin.post("/admin/sources/homes/change", data={field: " ", "name": "Other"})
    assert "homes was saved" in unquote(emptied.headers["set-cookie"])
    fields = (await shown.get("/api/admin/sources/homes", shown.admin))["fields"]
    assert (fields[field], fields["name"]) == (SourceSpec.model_fields[field].default, "Other")


async def test_l10_12_the_address_of_a_source_is_not_emptied(shown: Faces) -> None:
    refused = await shown.admin.post("/admin/sources/homes/change", data={"url": " ", "name": "Other"})
    assert "url cannot be removed" in unquote(refused.headers["set-cookie"])
    assert (await shown.get("/api/admin/sources/homes", shown.admin))["fields"]["name"] == "The homes"


async def test_a_file_of_targets_is_taken_as_far_as_it_is_text(shown: Faces) -> None:
    await shown.app.run(lambda conn: conn.execute(update(sources).values(plan="monitor")))
    lines = b"url,notes\rhttps://homes.test/a,half\0way\rhttps://homes.test/b,\xff\xed\xa0\x80\r"
    taken = await shown.admin.post(
        "/admin/targets/import", data={"source": "homes"}, files={"file": ("targets.csv", lines)}
    )
    assert "2 added" in unquote(taken.headers["set-cookie"])
    noted = {each.url[-1]: each.notes for each in await shown.app.read(targets.list_targets, slug="homes")}
    assert (noted["a"], noted["b"]) == ("halfway", "ÿí\xa0€")  # no UTF-8: a western code page
