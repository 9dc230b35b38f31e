"""Records over HTTP: narrowed, sorted, paged, picked, and asked for again at no cost."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from larder.actions.dataset import corrections
from larder.actions.dataset.public_record import FIELD_NAMES
from tests.contract.faces import Faces, opened
from tests.contract.world import HOUR, NOW, Pages, run, source, staged

PLACES = {"latitude": 52.0, "longitude": 4.9}


def many(conn: Connection) -> None:
    """Twelve homes whose prices fall as their numbers rise; the seventh cannot be had any more."""
    source_id = source(conn, visibility="public")
    run_id = run(conn, source_id)
    pages = Pages(conn, source_id)
    for number in range(1, 13):
        said: dict[str, Any] = {"price_minor": 200_000 - number, "currency": "EUR", **PLACES}
        page = pages.page(staged(number, **said), at=NOW + number * HOUR / 60, run_id=run_id)
        pages.keep(page)


@pytest.fixture
async def faces(database_url: str, tmp_path: Path) -> AsyncIterator[Faces]:
    async with opened(database_url, tmp_path) as these:
        await these.app.run(many)
        these.clock.advance(NOW + HOUR)
        yield these


async def test_one_carries_how_far_it_can_be_trusted(faces: Faces) -> None:
    found = (await faces.get("/api/records", limit=1))["items"][0]
    assert list(found) == list(FIELD_NAMES)
    assert (found["title"], found["source"], found["active"]) == ("Home 12", "homes", True)
    assert found["freshness_confidence"] == 99
    assert found["badge"] == {"colour": "green", "text": "recently verified"}
    assert found["first_seen_at"] == "2026-01-05T00:12:00Z"


@pytest.mark.parametrize("fields", ["id,title", "badge", None], ids=["some", "one", "all"])
@pytest.mark.parametrize("path", ["/records", "/admin/records"])
async def test_l10_27_answers_with_selected_fields_obey_their_schema(
    faces: Faces, path: str, fields: str | None
) -> None:
    described = await faces.get("/api/openapi.json")
    page = described["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    schema = schema_of(described, schema_of(described, page)["properties"]["items"]["items"])
    asked = {"fields": fields} if fields else {}
    found = await faces.get(f"/api{path}", faces.admin, limit=3, **asked)
    assert len(found["items"]) == 3
    for each in found["items"]:
        assert set(schema.get("required", ())) <= set(each) <= set(schema["properties"])


def schema_of(described: dict[str, Any], reference: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = described["components"]["schemas"][reference["$ref"].rpartition("/")[2]]
    return found


async def test_pages_follow_one_another_without_gap_or_double(faces: Faces) -> None:
    titles, after = [], None
    while True:
        asked: dict[str, Any] = {"limit": 5, "sort": "price", **({"after": after} if after else {})}
        page = await faces.get("/api/records", **asked)
        titles += [each["title"] for each in page["items"]]
        if (after := page["next"]) is None:
            break
    assert titles == [f"Home {number}" for number in range(12, 0, -1)]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        pytest.param({"price_max": "1999.90"}, {10, 11, 12}, id="at most"),
        pytest.param({"price_min_minor": 199_998}, {1, 2}, id="at least"),
        pytest.param({"text": "Home 3"}, {3}, id="words"),
        pytest.param({"kind": "event"}, set(), id="another kind"),
        pytest.param({"source": "homes", "limit": 2}, {11, 12}, id="of a source"),
        pytest.param({"source": "nobody"}, set(), id="of no source"),
        pytest.param({"near": "52.0,4.9", "within_km": 1, "limit": 1}, {12}, id="near"),
        pytest.param({"near": "40.0,4.9", "within_km": 1}, set(), id="far away"),
    ],
)
async def test_filters(faces: Faces, asked: dict[str, Any], found: set[int]) -> None:
    items = (await faces.get("/api/records", **asked))["items"]
    assert {int(each["title"].split()[-1]) for each in items} >= found
    assert found or not items


async def test_only_the_fields_that_were_asked_for(faces: Faces) -> None:
    page = await faces.get("/api/records", fields="title, id", limit=1)
    assert [list(each) for each in page["items"]] == [["id", "title"]]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"limt": 5}, "unknown parameter 'limt'"),
        ({"fields": "id,colour"}, "a record has no field 'colour'"),
        ({"after": "nonsense"}, "the cursor belongs to another query"),
        ({"near": "91,4"}, "invalid coordinates: 91,4"),
        ({"sort": "distance"}, "sort distance needs near"),
        ({"limit": 0}, "query.limit: must be at least 1"),
        ({"limit": 201}, "query.limit: must be at most 200"),
        (
            {"starts_after": "2026-01-01T00:00:00"},
            "query.starts_after: needs a time zone, such as 2026-05-01T18:00:00+02:00",
        ),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
async def test_what_cannot_be_meant_is_told(faces: Faces, asked: dict[str, Any], says: str) -> None:
    refused = await faces.anyone.get("/api/records", params=asked)
    assert refused.status_code == 422
    assert refused.headers["content-type"] == "application/problem+json"
    problem = refused.json()
    assert (problem["status"], problem["detail"], problem["title"]) == (422, says, "Unprocessable Entity")
    assert problem.get("hint") or problem.get("wrong")


async def test_asking_again_costs_nothing(faces: Faces) -> None:
    first = await faces.anyone.get("/api/records", params={"limit": 2})
    tag = first.headers["etag"]
    for given in (tag, f'"other", {tag}', tag.removeprefix("W/"), "*"):
        again = await faces.anyone.get("/api/records", params={"limit": 2}, headers={"if-none-match": given})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    other = await faces.anyone.get("/api/records", params={"limit": 3}, headers={"if-none-match": tag})
    assert other.status_code == 200
    assert first.headers["cache-control"] == "public, no-cache"
    assert "private" in (await faces.reader.get("/api/records")).headers["cache-control"]


async def test_one_with_its_history_and_where_each_value_comes_from(faces: Faces) -> None:
    await faces.app.run(corrections.pin, 1, "title", "Home One", who="ada", now=NOW)
    one = await faces.get("/api/records/1")
    assert one["record"]["title"] == "Home One"
    assert [each["amount"] for each in one["prices"]] == [199_999]
    assert [each["content"]["title"] for each in one["versions"]] == ["Home 1"]
    pinned = next(each for each in one["origins"] if each["field"] == "title")
    assert pinned["pinned_by"] == "an operator", "whose hand it was is nobody's business"
    assert (await faces.anyone.get("/api/records/999")).status_code == 404


async def test_what_fell_below_the_line_is_not_there(faces: Faces) -> None:
    faces.clock.advance(NOW + 31 * HOUR)
    assert (await faces.get("/api/records"))["items"] == []
    assert (await faces.anyone.get("/api/records/1")).status_code == 404
    assert len((await faces.get("/api/admin/records", faces.admin))["items"]) == 12


async def test_a_caller_who_asks_too_much_is_told_when_to_come_back(
    database_url: str, tmp_path: Path
) -> None:
    async with opened(database_url, tmp_path, requests_a_minute=3) as faces:
        codes = [(await faces.anyone.get("/api/ready")).status_code for _ in range(4)]
        assert codes == [200, 200, 200, 429]
        refused = await faces.anyone.get("/api/ready")
        assert 1 <= int(refused.headers["retry-after"]) <= 20
        assert (await faces.reader.get("/api/ready")).status_code == 200, "another caller, another count"


async def test_a_body_may_only_be_so_long(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path, request_bytes=1_000) as faces:

        async def endless() -> AsyncIterator[bytes]:
            while True:
                yield b"x" * 500

        for body in (b"x" * 1_001, endless()):
            refused = await faces.admin.post("/api/admin/sources/import", content=body)
            assert refused.status_code == 413
            assert refused.headers["content-type"] == "application/problem+json"
            assert refused.json()["status"] == 413


async def test_other_sites_scripts_are_let_in_by_name_only(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path, cors_origins=["https://mine.example"]) as faces:
        for origin, allowed in (
            ("https://mine.example", "https://mine.example"),
            ("https://x.example", None),
        ):
            answered = await faces.anyone.get("/api/records", headers={"origin": origin})
            assert answered.headers.get("access-control-allow-origin") == allowed
            assert "access-control-allow-credentials" not in answered.headers


async def test_a_cached_answer_is_given_only_to_who_may_have_it(faces: Faces) -> None:
    path = "/api/records?kind=listing&limit=2"
    first = await faces.anyone.get(path)
    again = await faces.anyone.get(path)
    assert (again.content, again.headers["etag"]) == (first.content, first.headers["etag"])
    assert again.headers["cache-control"] == "public, no-cache"
    assert (await faces.reader.get(path)).headers["cache-control"] == "private, no-cache"
    wrong = await faces.anyone.get(path, headers={"authorization": "Bearer wrong"})
    assert wrong.status_code in (401, 403)
    unchanged = await faces.anyone.get(path, headers={"if-none-match": first.headers["etag"]})
    assert unchanged.status_code == 304


async def test_a_cached_answer_is_not_given_after_a_commit_or_when_time_changes_it(faces: Faces) -> None:
    path = "/api/records?limit=2"
    before = (await faces.anyone.get(path)).json()
    await faces.app.run(corrections.pin, 12, "title", "Blue home", who="me", now=NOW)
    changed = (await faces.anyone.get(path)).json()
    assert (before["items"][0]["title"], changed["items"][0]["title"]) == ("Home 12", "Blue home")
    faces.clock.advance(NOW + 31 * HOUR)
    assert (await faces.anyone.get(path)).json()["items"] == []


async def test_cached_answers_count_for_the_rate_limit(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path, requests_a_minute=3) as faces:
        codes = [(await faces.anyone.get("/api/records")).status_code for _ in range(4)]
        assert codes == [200, 200, 200, 429]
