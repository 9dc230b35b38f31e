"""Restores a backup into an empty place; nothing is moved there before all of it was checked."""

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path

from larder.app.backup.archive import FOLDERS, POSTGRES, SQLITE, BackupManifest, key_name, unpack
from larder.app.data_folder import make_folder
from larder.core.errors import BadInput, Unusable
from larder.core.model.hint import Hint
from larder.core.plurals import plural
from larder.settings import Settings
from larder.store.database import open_database, sqlite_path
from larder.store.migrations import dump, upgrade


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What was restored, and what remains for a person to do."""

    manifest: BackupManifest
    tables: dict[str, int]
    remarks: list[Hint]


async def restore(settings: Settings, backup: Path) -> Restored:
    """Unpack, check, then move into place; counts are compared with those of the backup."""
    _require_file(backup)
    await _require_empty(settings)
    make_folder(settings.data)
    with tempfile.TemporaryDirectory(dir=settings.data, prefix=".restore-") as folder:
        manifest = await asyncio.to_thread(unpack, backup, Path(folder))
        _require_same_kind(settings, manifest)
        tables = await _restore_database(settings, Path(folder), manifest)
        for name in FOLDERS:
            if (Path(folder) / name).is_dir():
                (Path(folder) / name).rename(settings.data / name)
    return Restored(manifest=manifest, tables=tables, remarks=_remarks(settings, manifest))


def _require_file(backup: Path) -> None:
    if not backup.is_file():
        raise BadInput(f"there is no file {backup}", hint="name a backup of Larder")


async def _require_empty(settings: Settings) -> None:
    """Refuse to overwrite anything."""
    path = sqlite_path(settings.database_url)
    paths = [path] if path is not None else []
    for each in (*paths, *(settings.data / name for name in FOLDERS)):
        if each.exists() and (each.is_file() or any(each.iterdir())):
            raise BadInput(
                f"{each} exists already: a restore does not overwrite",
                hint="set LARDER_DATA to an empty folder, or move the old data away",
            )
        if each.is_dir():
            each.rmdir()
    if path is None:
        await _require_empty_postgres(settings.database_url)


async def _require_empty_postgres(url: str) -> None:
    database = open_database(url)
    try:
        empty = await database.run(dump.is_empty)
    finally:
        await database.close()
    if not empty:
        raise BadInput(
            "the database holds tables already: a restore does not overwrite",
            hint="create an empty database and set LARDER_DATABASE to it",
        )


def _require_same_kind(settings: Settings, manifest: BackupManifest) -> None:
    expected = SQLITE if settings.embedded else POSTGRES
    if manifest.database != expected:
        kinds = {SQLITE: "SQLite", POSTGRES: "PostgreSQL"}
        raise BadInput(
            f"the backup is of {kinds[manifest.database]}, LARDER_DATABASE names {kinds[expected]}",
            hint=Hint(
                text=f"restore it into {kinds[manifest.database]}, then copy the data", action="database.copy"
            ),
        )
    if manifest.revision > upgrade.HEAD:
        raise Unusable(
            f"the backup is of a newer Larder ({manifest.larder}, revision {manifest.revision})",
            hint="install that version first",
        )


async def _restore_database(settings: Settings, folder: Path, manifest: BackupManifest) -> dict[str, int]:
    path = sqlite_path(settings.database_url)
    if path is None:
        await asyncio.to_thread(dump.load_postgres, settings.database_url, folder / POSTGRES)
        return await _counted(settings.database_url, manifest)
    copy = folder / SQLITE
    await asyncio.to_thread(dump.check_sqlite, copy)
    tables = await _counted(f"sqlite:///{copy}", manifest)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    copy.rename(path)
    return tables


async def _counted(url: str, manifest: BackupManifest) -> dict[str, int]:
    """Rows by table; for an older schema those of the backup, as its tables may differ."""
    if manifest.revision != upgrade.HEAD:
        return manifest.tables
    database = open_database(url)
    try:
        found = await database.run(dump.count_tables)
    finally:
        await database.close()
    if manifest.database == SQLITE and found != manifest.tables:
        wrong = next(name for name, count in found.items() if count != manifest.tables.get(name))
        raise Unusable(
            f"table {wrong} has {found[wrong]} rows, the backup had {manifest.tables.get(wrong)}",
            hint="use another backup",
        )
    return found


def _remarks(settings: Settings, manifest: BackupManifest) -> list[Hint]:
    remarks = []
    if manifest.revision != upgrade.HEAD:
        remarks.append(Hint(text="The schema is of an older version", action="database.upgrade"))
    if manifest.secrets and key_name(settings.secret_key.get_secret_value()) != manifest.secret_key:
        secrets = plural(manifest.secrets, "secret")
        remarks.append(Hint(text=f"{secrets} cannot be decrypted: set LARDER_SECRET_KEY to the old key"))
    if manifest.bodies_missing:
        files = plural(manifest.bodies_missing, "file of page bodies was", "files of page bodies were")
        remarks.append(Hint(text=f"{files} missing when the backup was made"))
    if manifest.pages:
        remarks.append(Hint(text=f"Page bodies are in {manifest.pages}; they are not part of the backup"))
    return remarks
