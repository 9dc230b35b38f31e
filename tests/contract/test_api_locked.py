"""Every route of the document, as whoever might come: without a key, with a lesser, with a revoked one."""

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from larder.actions.access import keys
from larder.asgi.middleware import ANONYMOUS_BODY_BYTES
from larder.auth import COOKIE, CSRF_HEADER
from larder.core.model.caller import Scope
from tests.contract.faces import Client, Faces, caller_of, csrf, opened, stocked
from tests.contract.world import NOW, dump

OPEN = {
    "/records",
    "/records/{record_id}",
    "/records/{record_id}/siblings",
    "/changes",
    "/feed",
    "/health",
    "/ready",
    "/status",  # for holders of a key, unless the settings open it: test_api_status
}
"""What anybody may ask. A route that is not listed here must be closed."""
PIECE = 16_384
LONG = 20 * PIECE
SECRET = "a-secret-that-must-not-be-seen"


@pytest.fixture
async def faces(database_url: str, tmp_path: Path) -> AsyncIterator[Faces]:
    settings: dict[str, Any] = {
        "requests_a_minute": 0,
        "secret_key": "c2VjcmV0LWtleS1vZi10aGlydHktdHdvLWJ5dGVzISE",
    }
    async with opened(database_url, tmp_path, **settings) as these:
        await these.app.run(stocked)
        yield these


async def document(faces: Faces) -> dict[str, Any]:
    described: dict[str, Any] = await faces.get("/api/openapi.json")
    return described


NAMED = {"adapter_id": "listing", "domain": "homes.example", "slug": "homes", "name": "ada"}
"""Parts of a path that are names; the others are numbers."""


def routes(described: dict[str, Any]) -> Iterator[tuple[str, str, str, Any]]:
    """Every (method, path as documented, path to call, body) of it; a body has what is required."""
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            called = path
            for parameter in operation.get("parameters", []):
                name = parameter["name"]
                called = called.replace(f"{{{name}}}", NAMED.get(name, "1"))
            content = operation.get("requestBody", {}).get("content", {})
            schema = content.get("application/json", {}).get("schema")
            yield method, path, f"/api{called}", least(schema, described) if schema else None


def least(schema: dict[str, Any], described: dict[str, Any]) -> Any:
    """A plain value of this schema: its example, its first word, or what its fields require."""
    if "$ref" in schema:
        named = schema["$ref"].rpartition("/")[2]
        return least(described["components"]["schemas"][named], described)
    if "examples" in schema:
        return schema["examples"][0]
    if "enum" in schema:
        return schema["enum"][0]
    if choices := schema.get("oneOf") or schema.get("anyOf"):
        return least(choices[0], described)
    if schema.get("type") == "array":
        return [least(schema["items"], described)]
    if schema.get("type") == "object":
        fields = schema.get("properties", {})
        return {name: least(fields[name], described) for name in schema.get("required", ()) if name in fields}
    return {"boolean": True, "integer": 1, "number": 1, "null": None}.get(schema.get("type", ""), "word")


async def called(client: Client, method: str, path: str, body: Any, **headers: str) -> int:
    answered = await client.request(method.upper(), path, json=body, headers=headers)
    if answered.status_code >= 400:
        assert answered.headers["content-type"] == "application/problem+json"
    return answered.status_code


async def test_what_is_not_public_is_closed(faces: Faces) -> None:
    described = await document(faces)
    closed = {path for path in described["paths"] if path.startswith("/admin/")}
    assert set(described["paths"]) - closed <= OPEN
    for path in closed:
        for operation in described["paths"][path].values():
            assert operation["security"], f"{path} does not say that it needs a key"


async def test_every_admin_route_refuses_whoever_may_not(faces: Faces) -> None:
    revoked = await faces.app.run(keys.add, "rob", Scope.ADMIN, who="test", now=NOW)
    await faces.app.run(keys.revoke, "rob", who="test", now=NOW)
    before = await faces.app.run(dump)
    call, wrong = caller_of(faces.app), {}
    async with call(revoked.key) as robbed, call(faces.admin_key[:-1]) as cut:
        for method, path, where, body in routes(await document(faces)):
            if path in OPEN:
                continue
            statuses = (
                await called(faces.anyone, method, where, body),
                await called(faces.reader, method, where, body),
                await called(robbed, method, where, body),
                await called(cut, method, where, body),
                await called(faces.anyone, method, where, body, authorization="Basic YWRhOmFkYQ=="),
                await called(faces.anyone, method, where, body, cookie=f"{COOKIE}=made-up"),
            )
            if statuses != (401, 403, 401, 401, 401, 401):
                wrong[f"{method} {path}"] = statuses
    assert wrong == {}
    after = await faces.app.run(dump)
    changed = {name for name in before if before[name] != after[name]}
    assert changed <= {"keys"}, "that a key was used is noted, and nothing else"


async def test_every_route_answers_an_admin_and_none_falls_over(faces: Faces) -> None:
    deletes_last = sorted(routes(await document(faces)), key=lambda route: route[0] == "delete")
    answered = {
        f"{method} {path}": await called(faces.admin, method, where.replace("/keys/ada", "/keys/rita"), body)
        for method, path, where, body in deletes_last
    }
    assert {route: status for route, status in answered.items() if status >= 500} == {}
    assert {route for route, status in answered.items() if status in (401, 403)} == set()
    assert sum(status < 300 for status in answered.values()) > len(answered) / 2


async def test_a_bad_key_is_refused_even_where_none_is_needed(faces: Faces) -> None:
    """Taking it for none would hide from its holder that it was revoked."""
    assert await called(faces.anyone, "get", "/api/records", None, authorization="Bearer nonsense") == 401


async def test_whoever_may_change_nothing_is_not_listened_to_for_long(faces: Faces) -> None:
    """A long body is read of operators only: nobody else's is held in memory, let alone parsed."""
    entered = await faces.app.run(keys.sign_in, faces.admin_key, now=NOW)
    answered = {}
    for who, headers in {
        "nobody": {},
        "a bad key": {"authorization": "Bearer nonsense"},
        "a lesser key": {"authorization": f"Bearer {faces.reader_key}"},
        "a made-up cookie": {"cookie": f"{COOKIE}=made-up"},
        "an admin key": {"authorization": f"Bearer {faces.admin_key}"},
        "a session": {"cookie": f"{COOKIE}={entered.token}", CSRF_HEADER: csrf(entered.token)},
    }.items():
        for said in ({}, {"content-length": str(LONG)}):
            taken: list[bytes] = []
            path = "/api/admin/sources/import"
            got = await faces.anyone.post(path, content=pieces(taken), headers={**headers, **said})
            answered[who, bool(said)] = got.status_code, sum(map(len, taken))
    stranger = {False: (413, ANONYMOUS_BODY_BYTES + PIECE), True: (413, 0)}
    strangers = ("nobody", "a bad key", "a lesser key", "a made-up cookie")
    wanted = {(who, said): stranger[said] for who in strangers for said in (False, True)}
    operators = {(who, said): (422, LONG) for who in ("an admin key", "a session") for said in (False, True)}
    assert answered == {**wanted, **operators}


async def pieces(taken: list[bytes]) -> AsyncIterator[bytes]:
    """A long body, of which is noted how much was asked for."""
    for _ in range(LONG // PIECE):
        taken.append(b" " * PIECE)
        yield taken[-1]


ODD_HEADERS = ["Bearer", "Bearer ", "bearer  \t", "Token x", "Bearer " + "x" * 10_000, "Bearer a b c", ","]


async def test_odd_headers_are_refused(faces: Faces) -> None:
    answered = {
        header: await called(faces.anyone, "get", "/api/admin/overview", None, authorization=header)
        for header in ODD_HEADERS
    }
    assert set(answered.values()) == {401}, answered


ODD_PATHS = [
    "/api/admin/sources/..%2f..%2fetc%2fpasswd",
    "/api/admin/sources/%00",
    "/api/admin/sources/homes%00",
    "/api/admin/sources/homes'%20OR%20'1'='1",
    "/api/admin/sources/homes%0d%0aset-cookie:%20a=b",
    "/api/admin/sites/%ed%a0%80",
    "/api/admin/keys/%F0%9F%94%91",
    "/api/admin/runs/-1",
    "/api/admin/runs/9999999999999999999999",
    "/api/records/1%00",
    "/api/records?text=%00",
    "/api/records?after=%00",
    "/api/../admin/overview",
    "//api/admin/overview",
    "/api//admin/overview",
]


async def test_odd_paths_reach_nothing(faces: Faces) -> None:
    for path in ODD_PATHS:
        answered = await faces.admin.get(path)
        assert answered.status_code in (400, 404, 405, 422), (path, answered.text)
        assert "set-cookie" not in answered.headers
        assert "root:" not in answered.text
    assert len((await faces.get("/api/admin/sources", faces.admin))["items"]) == 2


async def test_what_a_caller_says_is_text_in_an_answer_and_no_header(faces: Faces) -> None:
    answered = await faces.admin.get("/api/admin/sources/a%0d%0ax-evil:%201")
    assert answered.status_code == 404
    assert "x-evil" not in answered.headers
    assert answered.headers["content-type"] == "application/problem+json"


async def test_answers_carry_what_keeps_browsers_safe(faces: Faces) -> None:
    for path in ("/api/records", "/api/nowhere", "/", "/nowhere"):
        answered = await faces.anyone.get(path)
        assert answered.headers["permissions-policy"] == "camera=(), microphone=(), geolocation=()"
        assert answered.headers["x-content-type-options"] == "nosniff"
        assert answered.headers["x-frame-options"] == "DENY"
        assert "default-src 'none'" in answered.headers["content-security-policy"]
        assert "access-control-allow-origin" not in answered.headers
        assert "server" not in answered.headers


async def test_no_secret_comes_back(faces: Faces, caplog: pytest.LogCaptureFixture) -> None:
    """Not in an answer, not in an error, not in a log, not in the audit."""
    caplog.set_level(logging.DEBUG)
    proxy = {"url": f"http://user:{SECRET}@proxy.test:3128"}
    said = [
        await faces.admin.put("/api/admin/secrets/token", json={"value": SECRET}),
        await faces.admin.put("/api/admin/secrets/not a name", json={"value": SECRET}),
        await faces.admin.put("/api/admin/secrets/token", json={"value": SECRET, "more": SECRET}),
        await faces.admin.put("/api/admin/secrets/token", json={"value": [SECRET]}),
        await faces.admin.post("/api/admin/proxies", json=proxy),
        await faces.admin.post("/api/admin/proxies", json={"url": f"gopher://u:{SECRET}@x"}),
        await faces.admin.post("/api/admin/proxies", json={"url": {"a": SECRET}}),
    ]
    issued = (await faces.admin.post("/api/admin/keys", json={"name": "eve"})).json()["key"]
    for _, path, where, _ in routes(await document(faces)):
        if "{" not in path:
            said.append(await faces.admin.get(where))
    heard = "".join(each.text + repr(each.headers) for each in said) + caplog.text
    assert SECRET not in heard
    assert issued.split("_", 2)[2] not in heard
    assert faces.admin_key.split("_", 2)[2] not in heard


async def test_the_audit_names_the_key_that_did_it(faces: Faces) -> None:
    await faces.admin.post("/api/admin/sources/homes/disable")
    (line, *_) = (await faces.get("/api/admin/audit", faces.admin))["items"]
    assert (line["who"], line["action"], line["subject"]) == ("ada", "source changed", "homes")
