"""Writes a backup while the deployment runs.

The database is copied first, as of one moment; page bodies after it. Bodies are written before the database
refers to them and their files only grow, so all bodies that the copied database refers to exist.
"""

import asyncio
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from larder import __version__
from larder.app.backup.archive import (
    FOLDERS,
    FORMAT,
    POSTGRES,
    SQLITE,
    BackupManifest,
    BackupWriter,
    key_name,
    new_backup,
)
from larder.core.errors import Unusable
from larder.settings import Settings
from larder.store.database import Connection, open_database, sqlite_path
from larder.store.database.write_errors import damaged
from larder.store.migrations import dump, upgrade
from larder.store.operations import key_values

LAST_BACKUP = "backup:last"


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedBackup:
    """A backup that was written."""

    path: Path
    size: int
    manifest: BackupManifest


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counted:
    revision: str
    tables: dict[str, int]
    packs: dict[str, int]
    secrets: int


async def backup(settings: Settings, to: Path, *, now: datetime) -> SavedBackup:
    """Write everything that a restore needs, except the key of the secrets."""
    try:
        return await _backup(settings, to, now=now)
    except OSError as error:
        raise Unusable(
            f"{to} cannot be written ({error.strerror or error})",
            hint="free disk space, or name another folder",
        ) from error


async def _backup(settings: Settings, to: Path, *, now: datetime) -> SavedBackup:
    name = SQLITE if settings.embedded else POSTGRES
    with new_backup(to) as writer, tempfile.TemporaryDirectory(dir=to.parent, prefix=".backup-") as folder:
        copy = Path(folder) / name
        counts = await _copy_database(settings, copy)
        await asyncio.to_thread(writer.add, copy, name)
        missing = await asyncio.to_thread(_add_bodies, writer, settings, counts)
        manifest = BackupManifest(
            format=FORMAT,
            larder=__version__,
            revision=counts.revision,
            made_at=now,
            database=name,
            tables=counts.tables,
            files=writer.files,
            pages=settings.pages,
            bodies_missing=missing,
            secrets=counts.secrets,
            secret_key=key_name(settings.secret_key.get_secret_value()),
        )
        writer.finish(manifest)
    await _remember(settings, manifest)
    return SavedBackup(path=to, size=await asyncio.to_thread(_size, to), manifest=manifest)


def _size(path: Path) -> int:
    return path.stat().st_size


async def _remember(settings: Settings, manifest: BackupManifest) -> None:
    """Store the time of the last backup for `larder doctor`."""
    database = open_database(settings.database_url)
    try:
        made_at = manifest.made_at
        await database.run(key_values.write, LAST_BACKUP, made_at.isoformat(), now=made_at)
    finally:
        await database.close()


async def _copy_database(settings: Settings, copy: Path) -> _Counted:
    """Copy the database as it is now; SQLite is counted in the copy itself."""
    path = sqlite_path(settings.database_url)
    if path is not None:
        await asyncio.to_thread(dump.copy_sqlite, path, copy)
        if found := await asyncio.to_thread(dump.damage_of, copy):
            raise damaged(found)
        return await _count(f"sqlite:///{copy}")
    counts = await _count(settings.database_url)
    await asyncio.to_thread(dump.dump_postgres, settings.database_url, copy)
    return counts


async def _count(url: str) -> _Counted:
    database = open_database(url)
    try:
        return await database.run(_counts)
    finally:
        await database.close()


def _counts(conn: Connection) -> _Counted:
    upgrade.check(conn)
    return _Counted(
        revision=upgrade.HEAD,
        tables=dump.count_tables(conn),
        packs=dump.needed_packs(conn),
        secrets=dump.count_secrets(conn),
    )


def _add_bodies(writer: BackupWriter, settings: Settings, counts: _Counted) -> int:
    """Add page bodies; the number of packs that the database refers to and that are missing or too short."""
    sizes: dict[str, int] = {}
    for path, name in _files(settings.data):
        try:
            writer.add(path, name)
            sizes[path.name] = path.stat().st_size
        except FileNotFoundError:
            continue  # retention deleted it first; if it is needed, it is counted below
    local = {key: end for key, end in counts.packs.items() if key.startswith("pack:")}
    return sum(sizes.get(key.partition(":")[2], 0) < end for key, end in local.items())


def _files(data: Path) -> Iterator[tuple[Path, str]]:
    for folder in FOLDERS:
        for path in sorted((data / folder).rglob("*")):
            if path.is_file() and not path.is_symlink():
                yield path, path.relative_to(data).as_posix()
