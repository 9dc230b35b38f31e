"""A backup is made while others write, is restored elsewhere and is the same, row by row and body by body."""

import asyncio
import tarfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import pytest
from pydantic import SecretStr

from larder.app import App, open_app
from larder.app.backup import backup, restore
from larder.core.errors import BadInput, LarderError, Unusable
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.settings import Settings
from larder.store.database import Connection
from larder.store.operations.access import secrets
from larder.store.operations.access.secrets import Secret, SecretCipher
from larder.store.pages import pages
from larder.store.pages.page_rows import NewPage
from tests.contract.world import NOW, Pages, source, staged
from tests.contract.world import dump as all_rows

KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
BODIES = [f"<h1>Home {number}</h1>".encode() * 50 for number in range(30)]


@pytest.fixture(params=["sqlite", "postgresql"])
def deployments(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Settings, Settings]:
    """One to be saved, and an empty one."""
    old: dict[str, Any] = {"data": tmp_path / "old", "secret_key": KEY}
    new: dict[str, Any] = {"data": tmp_path / "new", "secret_key": KEY}
    if request.param == "postgresql":
        old["database"] = request.getfixturevalue("fresh_postgres")
        new["database"] = request.getfixturevalue("another_postgres")
    return Settings(**old), Settings(**new)


@pytest.fixture
async def another_postgres(postgres_url: str) -> AsyncIterator[str]:
    """A second empty database."""
    name = f"larder_{uuid4().hex}"
    connection = await asyncpg.connect(postgres_url)
    await connection.execute(f"CREATE DATABASE {name}")
    yield urlunsplit(urlsplit(postgres_url)._replace(path=f"/{name}"))
    await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await connection.close()


def _filled(conn: Connection) -> None:
    kept = Pages(conn, source(conn, visibility="public"))
    kept.keep(kept.page(*(staged(number, price_minor=number * 100 + 1) for number in range(40))))
    secrets.put(conn, "token", Secret("hush"), SecretCipher(KEY), now=NOW)


async def _store_bodies(app: App) -> None:
    blobs = app.blobs()
    stored = await blobs.put(BODIES)
    await blobs.close()
    got = [_fetched(number) for number in range(len(stored))]
    await app.run(lambda conn: pages.store(conn, [NewPage(n, 1, each) for n, each in enumerate(got)]))
    await app.run(pages.set_locations, stored, now=NOW)


def _fetched(number: int) -> Fetched:
    url = f"https://homes.test/{number}"
    return Fetched(outcome=FetchOutcome.OK, url=url, final_url=url, fetched_at=NOW, body=BODIES[number])


async def _everything(settings: Settings) -> tuple[dict[str, list[Any]], list[bytes | None]]:
    async with open_app(settings) as app:
        rows = await app.read(all_rows, leave_out={"facts": set()})
        blobs = app.blobs()
        found = [await blobs.get(location, name) for name, location, *_ in rows["blobs"]]
        await blobs.close()
    return rows, found


async def test_what_is_restored_is_what_was_saved(
    deployments: tuple[Settings, Settings], tmp_path: Path
) -> None:
    old, new = deployments
    async with open_app(old, upgrade=True) as app:
        await app.run(_filled)
        await _store_bodies(app)
        saved = await backup(old, tmp_path / "larder.tar", now=NOW)
    assert saved.manifest.bodies_missing == 0
    assert saved.manifest.secrets == 1
    assert saved.path.stat().st_mode & 0o077 == 0
    assert KEY.encode() not in saved.path.read_bytes()
    restored = await restore(new, saved.path)
    assert restored.remarks == []
    assert restored.tables["records"] == 40
    before, after = await _everything(old), await _everything(new)
    assert before == after
    assert sorted(body or b"" for body in after[1]) == sorted(BODIES)


async def test_a_backup_while_others_write_is_of_one_moment(
    deployments: tuple[Settings, Settings], tmp_path: Path
) -> None:
    """Each unit of work adds a run's worth of records at once: a backup has all of one or none."""
    old, new = deployments
    async with open_app(old, upgrade=True) as app:
        await app.run(_filled)
        done = asyncio.Event()
        writing = asyncio.create_task(_write_batches(app, done))
        saved = await backup(old, tmp_path / "larder.tar", now=NOW)
        done.set()
        written = await writing
    await restore(new, saved.path)
    rows, _ = await _everything(new)
    records = len(rows["records"])
    assert (records - 40) % 10 == 0
    assert 40 <= records <= 40 + 10 * written


async def _write_batches(app: App, done: asyncio.Event) -> int:
    batches = 0
    while not done.is_set():
        await app.run(_batch, batches)
        batches += 1
    return batches


def _batch(conn: Connection, number: int) -> None:
    kept = Pages(conn, 1)
    kept.keep(kept.page(*(staged(1_000 + number * 10 + n) for n in range(10))))


async def test_a_restore_overwrites_nothing(deployments: tuple[Settings, Settings], tmp_path: Path) -> None:
    old, _ = deployments
    async with open_app(old, upgrade=True) as app:
        await app.run(_filled)
    saved = await backup(old, tmp_path / "larder.tar", now=NOW)
    before = await _everything(old)
    with pytest.raises(BadInput, match="does not overwrite"):
        await restore(old, saved.path)
    with pytest.raises(BadInput, match="exists already"):
        await backup(old, tmp_path / "larder.tar", now=NOW)
    assert await _everything(old) == before


@pytest.fixture
async def saved(tmp_path: Path) -> Path:
    old = Settings(data=tmp_path / "old", secret_key=SecretStr(KEY))
    async with open_app(old, upgrade=True) as app:
        await app.run(_filled)
        await _store_bodies(app)
    return (await backup(old, tmp_path / "larder.tar", now=NOW)).path


async def test_another_key_is_told(saved: Path, tmp_path: Path) -> None:
    restored = await restore(Settings(data=tmp_path / "new"), saved)
    assert [remark for remark in restored.remarks if "1 secret cannot be decrypted" in remark.text]


def _bytes(path: Path) -> bytes:
    return path.read_bytes()


@pytest.mark.parametrize("share", [0.2, 0.6, 0.95])
async def test_a_backup_that_was_cut_off_is_refused(saved: Path, tmp_path: Path, share: float) -> None:
    whole = _bytes(saved)
    cut = tmp_path / "cut.tar"
    cut.write_bytes(whole[: int(len(whole) * share)])
    await _refused(cut, tmp_path, "not a complete backup")


async def test_a_backup_in_which_a_byte_changed_is_refused(saved: Path, tmp_path: Path) -> None:
    whole = bytearray(_bytes(saved))
    whole[5_000] ^= 1
    changed = tmp_path / "changed.tar"
    changed.write_bytes(whole)
    await _refused(changed, tmp_path, "not a complete backup")


@pytest.mark.parametrize("name", ["../outside", "pages/../../outside", "/outside", "other.txt"])
async def test_a_file_that_does_not_belong_there_is_refused(name: str, saved: Path, tmp_path: Path) -> None:
    evil = tmp_path / "evil.tar"
    with tarfile.open(evil, "w") as tar:
        tar.add(saved, arcname=name)
    await _refused(evil, tmp_path, "is not a file of a backup")
    assert not (tmp_path / "outside").exists()


async def _refused(backup: Path, tmp_path: Path, why: str) -> None:
    new = Settings(data=tmp_path / "new")
    with pytest.raises(Unusable, match=why):
        await restore(new, backup)
    assert not (tmp_path / "new" / "larder.db").exists()
    assert [path for path in (tmp_path / "new").iterdir() if not path.name.startswith(".")] == []


async def test_a_pack_that_is_missing_is_told(tmp_path: Path) -> None:
    old = Settings(data=tmp_path / "old")
    async with open_app(old, upgrade=True) as app:
        await _store_bodies(app)
    for pack in (old.data / "pages").iterdir():
        pack.unlink()
    saved = await backup(old, tmp_path / "larder.tar", now=NOW)
    assert saved.manifest.bodies_missing == 1
    restored = await restore(Settings(data=tmp_path / "new"), saved.path)
    assert [remark for remark in restored.remarks if "of page bodies was missing" in remark.text]


async def test_what_is_no_backup_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.tar").write_text("no tar")
    for path in (tmp_path / "text.tar", tmp_path / "none.tar"):
        with pytest.raises(LarderError):
            await restore(Settings(data=tmp_path / "new"), path)
