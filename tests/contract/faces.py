"""A deployment with its faces, called as a browser or a program calls them, at a time that stands still."""

import asyncio
import hmac
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from sqlalchemy import Connection, insert, text

from larder.actions.access import keys
from larder.app import App, open_app
from larder.asgi import application
from larder.core.model.caller import Scope
from larder.engine.clock import VirtualClock
from larder.settings import Settings
from larder.store.tables import (
    alerts,
    candidates,
    dead_letters,
    errors,
    proxies,
    quarantine,
    runs,
    targets,
    verifications,
)
from tests.contract.world import HOUR, NOW, Pages, run, source, staged

Client = httpx2.AsyncClient
HIDDEN = "unseen"
"""Stands in everything that belongs to the hidden source."""


@dataclass(kw_only=True)
class Faces:
    """The faces of one deployment, and the keys to it."""

    app: App
    anyone: Client
    admin: Client
    reader: Client
    admin_key: str
    reader_key: str

    @property
    def clock(self) -> VirtualClock:
        assert isinstance(self.app.clock, VirtualClock)
        return self.app.clock

    async def settled(self) -> None:
        """Wait until the feed of changes reaches the last one.

        On PostgreSQL it ends before the oldest open transaction of the whole server, which other tests use.
        """
        newest = await self.app.read(_snapshot_end, "xmax")
        for _ in range(6_000):
            if await self.app.read(_snapshot_end, "xmin") >= newest:
                return
            await asyncio.sleep(0.03)
        raise AssertionError("a transaction of another test is open for three minutes")

    async def get(self, path: str, client: Client | None = None, **asked: Any) -> Any:
        """What a path answers, which must be well."""
        if path == "/api/changes":
            await self.settled()
        answered = await (client or self.anyone).get(path, params=asked)
        assert answered.status_code == 200, answered.text
        return answered.json()


def _snapshot_end(conn: Connection, end: str) -> int:
    """The first transaction that may be open (xmin), or the first that has not begun (xmax)."""
    if conn.dialect.name == "sqlite":
        return 0
    number = conn.scalar(
        text(f"SELECT CAST(CAST(pg_snapshot_{end}(pg_current_snapshot()) AS text) AS bigint)")
    )
    assert isinstance(number, int)
    return number


@asynccontextmanager
async def opened(database_url: str, folder: Path, **settings: Any) -> AsyncIterator[Faces]:
    """The faces over a database that is migrated already."""
    here = {"database": database_url, "data": folder, "allowed_hosts": ["larder.test"]}
    chosen = Settings(**{**here, **settings})
    async with open_app(chosen) as app:
        app.clock = app.wall = VirtualClock(NOW)
        admin = await app.run(keys.add, "ada", Scope.ADMIN, who="test", now=NOW)
        reader = await app.run(keys.add, "rita", Scope.READ, who="test", now=NOW)
        call = caller_of(app)
        async with call("") as anyone, call(admin.key) as with_admin, call(reader.key) as with_reader:
            yield Faces(
                app=app,
                anyone=anyone,
                admin=with_admin,
                reader=with_reader,
                admin_key=admin.key,
                reader_key=reader.key,
            )


def caller_of(app: App) -> Callable[[str], Client]:
    """Clients of these faces, each with a key; empty: without."""
    served = httpx2.ASGITransport(app=application(app))

    def client(key: str) -> Client:
        headers = {"authorization": f"Bearer {key}"} if key else {}
        return Client(transport=served, base_url="http://larder.test", headers=headers)

    return client


def csrf(session: str) -> str:
    """What the forms of this session's pages carry."""
    return hmac.new(session.encode(), b"csrf", "sha256").hexdigest()


def stocked(conn: Connection) -> None:
    """A public source and a hidden one, with something of every kind."""
    for slug, visibility in (("homes", "public"), (HIDDEN, "hidden")):
        domain = f"{slug}.test"
        source_id = source(conn, slug, domain=domain, visibility=visibility, name=f"The {slug}")
        run_id = run(conn, source_id)
        pages = Pages(conn, source_id)
        items = [
            staged(
                number,
                title=f"Home {number} {slug}",
                url=f"https://{domain}/listing/{number}",
                price_minor=100_000 + number,
                currency="EUR",
                seller=f"Seller {slug}",
                latitude=52.0 + number / 100,
                longitude=4.9,
            )
            for number in range(1, 6)
        ]
        pages.keep(pages.page(*items, run_id=run_id))
        _troubled(conn, source_id, run_id, slug)
    _looked_after(conn)


def _troubled(conn: Connection, source_id: int, run_id: int, slug: str) -> None:
    ours = {"source_id": source_id, "run_id": run_id}
    failed = {"stage": "parse", "category": "parse", "type": "NoItems", "message": f"nothing on {slug}"}
    conn.execute(insert(errors).values({**ours, **failed, "at": NOW}))
    conn.execute(insert(dead_letters).values({**ours, **failed, "created_at": NOW, "retry_at": NOW + HOUR}))
    item = {"title": f"Odd {slug}", "price": "0"}
    looks = {"reason": "zero_price", "item": item, "observed_at": NOW, "created_at": NOW}
    conn.execute(insert(quarantine).values({**ours, **looks}))
    check = {"record_id": source_id, "run_id": run_id, "at": NOW, "method": "head", "outcome": "alive"}
    conn.execute(insert(verifications).values(check))
    watched = {"url": f"https://{slug}.test/w", "canonical_url": f"https://{slug}.test/w"}
    when = {"interval_s": 3600, "next_due_at": NOW, "created_at": NOW}
    conn.execute(insert(targets).values({"source_id": source_id, **watched, **when}))


def _looked_after(conn: Connection) -> None:
    said = {"name": "circuit_tripped", "severity": "P2", "subject": HIDDEN, "message": f"of {HIDDEN}"}
    conn.execute(insert(alerts).values({**said, "times": 1, "first_at": NOW, "last_at": NOW}))
    conn.execute(
        insert(candidates).values(url=f"https://{HIDDEN}.example/agenda", title="An agenda", found_at=NOW)
    )
    conn.execute(insert(proxies).values(scheme="http", host="proxy.test", port=8080, username=""))
    conn.execute(runs.update().values(state={"watermark": None, "page": 1}))
