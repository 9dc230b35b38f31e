"""Keys and sessions: who is authenticated, by what, and for how long; what is stored of the keys."""

import asyncio
import hmac
import re
import threading
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from larder.actions.access import keys
from larder.app import App, open_app
from larder.auth import COOKIE, CSRF_HEADER
from larder.cli.up.serving import ServeOptions
from larder.core.errors import BadInput, Conflict, NotFound, NotSignedIn
from larder.core.model.caller import Scope
from larder.engine.clock import VirtualClock
from larder.settings import Settings
from larder.store.operations.access import keys as stored_keys
from larder.store.operations.access import sessions
from larder.web.context import FLASH_COOKIE, THEME_COOKIE
from larder.web.flash import COOKIE as ONCE_COOKIE
from tests.contract.faces import Client, Faces, caller_of, csrf, opened
from tests.contract.world import DAY, MINUTE, NOW, SECOND, dump, one, rows, unit_of_work

BY: dict[str, Any] = {"who": "ada", "now": NOW}
ADMIN = "/api/admin/overview"


@pytest.fixture
async def faces(database_url: str, tmp_path: Path) -> AsyncIterator[Faces]:
    async with opened(database_url, tmp_path) as these:
        yield these


@unit_of_work
def test_a_key_is_kept_as_its_hash_alone(conn: Connection) -> None:
    issued = keys.add(conn, "ada", Scope.ADMIN, **BY)
    secret = issued.key.split("_", 2)[2]
    assert secret not in repr(dump(conn))
    row = stored_keys.find(conn, issued.key, now=NOW)
    assert row is not None
    assert stored_keys.caller_from_row(row).may(Scope.READ)


@pytest.mark.parametrize(
    "wrong",
    ["", "larder_", "x", "larder_00000000_" + "a" * 43, "larder_00000000_" + "é" * 43, "a" * 100_000],
    ids=["nothing", "a beginning", "a letter", "an unknown prefix", "no ASCII", "very long"],
)
@unit_of_work
def test_anything_else_opens_nothing(conn: Connection, wrong: str) -> None:
    issued = keys.add(conn, "ada", **BY)
    assert stored_keys.find(conn, wrong, now=NOW) is None
    assert stored_keys.find(conn, issued.key[:-1] + ("a" if issued.key[-1] != "a" else "b"), now=NOW) is None


@pytest.mark.parametrize("known", [True, False], ids=["known prefix", "unknown prefix"])
async def test_whatever_is_shown_is_compared_in_constant_time(
    faces: Faces, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    compared: list[tuple[int, int]] = []
    real = hmac.compare_digest

    def watched(a: str, b: str) -> bool:
        compared.append((len(a), len(b)))
        return real(a, b)

    monkeypatch.setattr(hmac, "compare_digest", watched)
    prefix = faces.admin_key.split("_")[1] if known else "00000000"
    shown = f"larder_{prefix}_{'x' * 43}"
    answered = await faces.anyone.get(ADMIN, headers={"authorization": f"Bearer {shown}"})
    assert answered.status_code == 401
    assert compared == [(64, 64)], "whole hashes, whatever was found"


@unit_of_work
def test_a_key_is_good_until_it_expires_or_is_revoked(conn: Connection) -> None:
    issued = keys.add(conn, "ada", lasts=timedelta(minutes=1), **BY)
    assert stored_keys.find(conn, issued.key, now=NOW + MINUTE - SECOND) is not None
    assert stored_keys.find(conn, issued.key, now=NOW + MINUTE) is None
    lasting = keys.add(conn, "bea", **BY)
    assert keys.revoke(conn, "bea", **BY).revoked_at == NOW
    assert stored_keys.find(conn, lasting.key, now=NOW) is None
    with pytest.raises(NotFound):
        keys.revoke(conn, "bea", **BY)


@unit_of_work
def test_names_are_for_one_key_at_a_time(conn: Connection) -> None:
    keys.add(conn, "ada", **BY)
    with pytest.raises(Conflict):
        keys.add(conn, "ada", **BY)
    keys.revoke(conn, "ada", **BY)
    keys.add(conn, "ada", **BY)
    assert [view.name for view in keys.list_keys(conn)] == ["ada", "ada"]
    with pytest.raises(BadInput):
        keys.add(conn, "no name\r\nat all", **BY)


@unit_of_work
def test_its_last_use_is_written_once_a_minute(conn: Connection) -> None:
    keys.add(conn, "ada", **BY)
    for seconds, written in ((0, 0), (59, 0), (60, 60), (61, 60)):
        stored_keys.mark_used(conn, 1, now=NOW + seconds * SECOND)
        (view,) = keys.list_keys(conn)
        assert view.last_used_at == NOW + written * SECOND


async def test_using_a_key_is_noted(faces: Faces) -> None:
    await faces.get(ADMIN, faces.admin)
    await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))
    views = {view.name: view.last_used_at for view in await faces.app.read(keys.list_keys)}
    assert views == {"ada": NOW, "rita": None}


async def test_l10_27_a_read_with_a_key_waits_for_no_writer(tmp_path: Path) -> None:
    released = threading.Event()
    settings = Settings(data=tmp_path, requests_a_minute=0, allowed_hosts=["larder.test"])
    async with open_app(settings, upgrade=True) as app:
        issued = await app.run(keys.add, "ada", Scope.READ, who="test", now=NOW)
        writing = asyncio.create_task(app.run(lambda _: released.wait(60)))
        async with caller_of(app)(issued.key) as reader:
            answers = [await reader.get("/api/records") for _ in range(3)]
        assert [each.status_code for each in answers] == [200, 200, 200]
        assert not writing.done()
        released.set()
        await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))
        (view,) = await app.read(keys.list_keys)
        assert view.last_used_at is not None


async def test_a_link_lets_one_browser_in_once(faces: Faces) -> None:
    ticket = await faces.app.run(keys.create_ticket, who="ada", now=NOW)
    entered = await faces.anyone.get("/enter", params={"ticket": ticket})
    assert entered.status_code == 303
    cookie = entered.headers["set-cookie"].lower()
    assert all(each in cookie for each in ("httponly", "samesite=lax", "path=/"))
    assert "secure" not in cookie
    assert ticket not in repr(entered.headers)
    assert (await faces.anyone.get(ADMIN)).status_code == 200
    again = await faces.anyone.get("/enter", params={"ticket": ticket}, headers={"cookie": ""})
    assert again.status_code == 403
    assert "set-cookie" not in again.headers


async def test_a_cookie_is_secure_where_the_way_is(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path, public_url="https://larder.example") as faces:
        ticket = await faces.app.run(keys.create_ticket, who="ada", now=NOW)
        entered = await faces.anyone.get("/enter", params={"ticket": ticket})
        assert "secure" in entered.headers["set-cookie"].lower()


async def test_the_last_use_of_a_key_is_written_before_the_database_closes(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = App.run

    async def late(*args: Any, **kwargs: Any) -> Any:
        for _ in range(10_000):
            await asyncio.sleep(0)
        return await write(*args, **kwargs)

    async with opened(database_url, tmp_path) as faces:
        monkeypatch.setattr(App, "run", late)
        await faces.get("/api/records", faces.reader)
    monkeypatch.undo()
    async with open_app(faces.app.settings) as again:
        used = await again.read(one, "SELECT last_used_at FROM keys WHERE name = 'rita'")
    assert used is not None


async def test_what_is_no_good_writes_nothing(faces: Faces, monkeypatch: pytest.MonkeyPatch) -> None:
    """On SQLite there is one writer: a stranger must not make everybody wait for it."""

    async def written(*_: object, **__: object) -> None:
        pytest.fail("a stranger wrote")

    monkeypatch.setattr(App, "run", written)
    assert (await faces.anyone.get("/enter", params={"ticket": "made-up"})).status_code == 403
    for key in ("made-up", faces.reader_key):
        assert (await faces.anyone.post("/sign-in", data={"key": key})).status_code == 403


async def test_the_limit_is_one_for_all_that_is_served(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path, requests_a_minute=3) as faces:
        paths = ("/enter?ticket=made-up", "/sign-in", "/api/ready")
        assert [(await faces.anyone.get(path)).status_code for path in paths] == [403, 200, 200]
        refused = [await faces.anyone.get(path) for path in paths]
        assert [each.status_code for each in refused] == [429, 429, 429]
        assert all(1 <= int(each.headers["retry-after"]) <= 20 for each in refused)


@pytest.mark.parametrize(("trusted", "last"), [([], 429), (["127.0.0.1"], 200)], ids=["nobody", "a proxy"])
async def test_the_limit_counts_whom_a_trusted_proxy_names(
    database_url: str, tmp_path: Path, trusted: list[str], last: int
) -> None:
    """Over real HTTP, as `larder up` serves it."""
    async with (
        opened(database_url, tmp_path, requests_a_minute=2, trusted_proxies=trusted) as faces,
        ServeOptions(port=0).at(faces.app) as told,
        Client(base_url=told["address"]) as client,
    ):
        named = [{"x-forwarded-for": f"203.0.113.{number}"} for number in (1, 2, 3)]
        codes = [(await client.get("/api/ready", headers=each)).status_code for each in named]
        assert codes == [200, 200, last]


async def test_every_link_of_the_first_page_leads_somewhere(faces: Faces) -> None:
    """The way in, above all."""
    links = set(re.findall(r'href="(/[^"]*)"', (await faces.anyone.get("/")).text))
    assert "/sign-in" in links
    answered = {link: (await faces.anyone.get(link.replace("&amp;", "&"))).status_code for link in links}
    assert {link for link, status in answered.items() if status >= 400} == set()


@unit_of_work
def test_a_ticket_is_for_now(conn: Connection) -> None:
    late = keys.create_ticket(conn, **BY)
    with pytest.raises(NotSignedIn):
        keys.redeem_ticket(conn, late, now=NOW + keys.TICKET_LIFETIME)
    with pytest.raises(NotSignedIn):
        keys.redeem_ticket(conn, "never given out", now=NOW)
    assert sessions.find(conn, late, now=NOW) is None, "a ticket is no session"


@unit_of_work
def test_a_session_is_kept_as_its_hash_and_ends(conn: Connection) -> None:
    entered = keys.redeem_ticket(conn, keys.create_ticket(conn, **BY), now=NOW)
    assert entered.token not in repr(dump(conn))
    assert sessions.find(conn, entered.token, now=NOW + keys.SESSION_LIFETIME - SECOND) is not None
    assert sessions.find(conn, entered.token, now=NOW + keys.SESSION_LIFETIME) is None
    sessions.revoke(conn, entered.token)
    assert sessions.find(conn, entered.token, now=NOW) is None


@unit_of_work
def test_what_is_over_is_swept_out_when_somebody_comes_in(conn: Connection) -> None:
    keys.redeem_ticket(conn, keys.create_ticket(conn, **BY), now=NOW)
    later = NOW + keys.SESSION_LIFETIME
    keys.redeem_ticket(conn, keys.create_ticket(conn, who="ada", now=later), now=later)
    assert rows(conn, "SELECT count(*) FROM sessions") == [(1,)]


@unit_of_work
def test_a_session_ends_with_the_key_that_opened_it(conn: Connection) -> None:
    issued = keys.add(conn, "ada", Scope.ADMIN, **BY)
    entered = keys.sign_in(conn, issued.key, now=NOW)
    assert sessions.find(conn, entered.token, now=NOW) is not None
    keys.revoke(conn, "ada", **BY)
    assert sessions.find(conn, entered.token, now=NOW) is None


async def test_what_a_key_opened_by_link_ends_with_the_key(faces: Faces) -> None:
    """Also what came of it later: a link made from the session that a link opened."""
    boss = await faces.app.run(keys.add, "boss", Scope.ADMIN, **BY)
    async with caller_of(faces.app)("") as browser, caller_of(faces.app)("") as another:
        await browser.get("/enter", params={"ticket": await _ticket(faces.admin)})
        ticket = await _ticket(browser, **{CSRF_HEADER: csrf(browser.cookies[COOKIE])})
        await another.get("/enter", params={"ticket": ticket})
        unused = await _ticket(faces.admin)
        assert [(await each.get(ADMIN)).status_code for each in (browser, another)] == [200, 200]
        bearer = {"authorization": f"Bearer {boss.key}"}
        assert (await faces.anyone.delete("/api/admin/keys/ada", headers=bearer)).status_code == 200
        assert [(await each.get(ADMIN)).status_code for each in (browser, another)] == [401, 401]
        assert (await faces.anyone.get("/enter", params={"ticket": unused})).status_code == 403


@unit_of_work
def test_a_link_is_no_longer_good_than_its_key(conn: Connection) -> None:
    issued = keys.add(conn, "ada", Scope.ADMIN, lasts=2 * MINUTE, **BY)
    early, late = (keys.create_ticket(conn, key=issued.view.prefix, **BY) for _ in range(2))
    entered = keys.redeem_ticket(conn, early, now=NOW + MINUTE)
    assert entered.caller.key == issued.view.prefix
    assert sessions.find(conn, entered.token, now=NOW + 2 * MINUTE) is None
    with pytest.raises(NotSignedIn):
        keys.redeem_ticket(conn, late, now=NOW + 2 * MINUTE)


@unit_of_work
def test_a_link_that_no_key_made_outlives_every_key(conn: Connection) -> None:
    keys.add(conn, "ada", Scope.ADMIN, **BY)
    ticket = keys.create_ticket(conn, **BY)
    keys.revoke(conn, "ada", **BY)
    entered = keys.redeem_ticket(conn, ticket, now=NOW)
    assert sessions.find(conn, entered.token, now=NOW) == entered.caller


async def test_keys_links_and_sessions_go_by_a_clock_that_skips_nothing(faces: Faces) -> None:
    """The demo's own clock is days ahead: none of them ends the sooner for it, or lasts the longer."""
    faces.app.clock = VirtualClock(NOW + 30 * DAY)
    async with caller_of(faces.app)("") as browser:
        await browser.post("/sign-in", data={"key": faces.admin_key})
        ticket = await _ticket(faces.admin)
        assert (await browser.get(ADMIN)).status_code == 200, "no link sweeps out whoever is in"
        form = {"csrf": csrf(browser.cookies[COOKIE]), "name": "paged", "scope": "admin", "days": "1"}
        assert "expired" not in (await browser.post("/admin/keys/add", data=form)).text
    await faces.admin.post("/api/admin/keys", json={"name": "called", "days": 1})
    await faces.admin.delete("/api/admin/keys/rita")
    views = {view.name: view for view in await faces.app.read(keys.list_keys)}
    assert {views[name].expires_at for name in ("paged", "called")} == {NOW + DAY}
    assert views["rita"].revoked_at == NOW
    faces.app.wall = VirtualClock(NOW + keys.TICKET_LIFETIME)
    assert (await faces.anyone.get("/enter", params={"ticket": ticket})).status_code == 403


@unit_of_work
def test_only_an_admin_key_signs_in(conn: Connection) -> None:
    with pytest.raises(NotSignedIn):
        keys.sign_in(conn, keys.add(conn, "rita", Scope.READ, **BY).key, now=NOW)


async def test_a_cookie_alone_changes_nothing(faces: Faces) -> None:
    """Another site can make a browser send it; it cannot read our token."""
    entered = await faces.app.run(keys.sign_in, faces.admin_key, now=NOW)
    cookie = {"cookie": f"{COOKIE}={entered.token}"}
    path = "/api/admin/adapters/listing/disable"
    for wrong in (b"", "é".encode(), b"0" * 64):
        refused = await faces.anyone.post(path, headers=_raw({**cookie, "x-csrf-token": wrong}))
        assert refused.status_code == 403
    ours = csrf(entered.token)
    assert (await faces.anyone.post(path, headers={**cookie, "x-csrf-token": ours})).status_code == 200


async def test_a_session_that_is_over_sees_what_is_public(faces: Faces) -> None:
    """Unlike a key that is shown and bad: nobody chose to send a cookie."""
    stale = {"cookie": f"{COOKIE}=long-gone"}
    assert (await faces.anyone.get("/api/records", headers=stale)).status_code == 200
    assert (await faces.anyone.get(ADMIN, headers=stale)).status_code == 401


GARBAGE = {
    "three numbers": b"[1,2,3]",
    "five numbers": b"[1,2,3,4,5]",
    "lists": b"[[],[],[],[],[]]",
    "an object": b'{"a":1,"b":2,"c":3,"d":4,"e":5}',
    "another page": b'["a","b","c",["key.list"],{}]',
    "half a surrogate": b'["%5Cud800","good","","",""]',
    "deep": b"%5B" * 3_000,
    "deep within five": b'["a","good","",' + b"[" * 900 + b"]" * 900 + b',""]',
    "no JSON": b"}{",
    "bad UTF-8": b"%FF%FE",
    "raw bytes": b"\xff\xfe\x01",
    "octal": rb'"\000\377\012"',
    "a digit": b"7",
    "null": b"null",
    "five nulls": b"[null,null,null,null,null]",
    "a link without a target": b'["a","good","b","key.list",null]',
    "empty": b"",
}


@pytest.mark.parametrize("case", GARBAGE)
async def test_l10_27_a_cookie_of_somebody_else_is_ignored(faces: Faces, case: str) -> None:
    """Browsers send the cookies of every port of a host to all of them."""
    names = (FLASH_COOKIE.encode(), THEME_COOKIE.encode(), COOKIE.encode(), ONCE_COOKIE.encode())
    foreign = {"cookie": b"; ".join(name + b"=" + GARBAGE[case] for name in names)}
    for client, path in ((faces.anyone, "/"), (faces.anyone, "/sign-in"), (faces.admin, "/admin")):
        plain = await client.get(path)
        answered = await client.get(path, headers=_raw(foreign))
        assert (answered.status_code, 'role="status"' in answered.text) == (
            plain.status_code,
            'role="status"' in plain.text,
        )
        assert answered.status_code < 500


async def _ticket(client: Client, **headers: str) -> str:
    """Of a link that this caller makes."""
    made = await client.post("/api/admin/keys/link", headers=headers)
    return str(made.json()["link"].partition("ticket=")[2])


def _raw(headers: dict[str, Any]) -> dict[bytes, bytes]:
    """Whatever a hostile client puts on the wire."""
    return {n.encode(): v if isinstance(v, bytes) else v.encode() for n, v in headers.items()}
