"""`larder init`: creates a deployment, completely or not at all."""

from contextlib import suppress
from pathlib import Path

from rich.text import Text

from larder.app import open_app
from larder.cli.common.output import JsonOption, print_json, print_text
from larder.cli.common.session import run_async
from larder.settings import Settings, load
from larder.store.database import DriverError, open_database, sqlite_path
from larder.store.database.write_errors import explain
from larder.store.migrations import upgrade
from larder.store.migrations.backup import copy_before_upgrade


def init(as_json: JsonOption = False) -> None:
    """Create a Larder in this folder: the data folder and the database.

    If one exists, its database is upgraded to this version's schema; SQLite is copied before, beside itself.
    """
    settings = load()
    path = sqlite_path(settings.database_url)
    is_new = run_async(_is_empty(settings)) if path is None else not path.exists()
    paths = _missing_folders(path) if path is not None and is_new else []
    copied = copy_before_upgrade(settings.database_url)
    try:
        revision = run_async(_upgraded(settings))
    except BaseException:
        if path is not None and is_new:
            _undo(path, paths)
        raise
    location = str(path) if path else settings.database_url.rsplit("@", 1)[-1]
    if as_json:
        backup = {"backup": str(copied)} if copied else {}
        print_json({"database": location, "revision": revision, "new": is_new, **backup})
        return
    if copied:
        print_text(f"The database as it was before is in {copied}; delete it once everything works.")
    print_text(
        Text(
            f"{'Created' if is_new else 'Found'} a Larder at {location} (revision {revision}).", style="green"
        ),
        Text.assemble("Add a first source:  ", ("larder source add https://… --kind listing", "bold")),
        Text.assemble("Then start it:       ", ("larder up", "bold")),
    )


async def _is_empty(settings: Settings) -> bool:
    """Whether a server's database has none of our tables yet."""
    database = open_database(settings.database_url)
    try:
        return await database.run(upgrade.revision) is None
    except (DriverError, OSError) as error:
        raise explain(error) from error
    finally:
        await database.close()


async def _upgraded(settings: Settings) -> str | None:
    async with open_app(settings, upgrade=True) as app:
        return await app.run(upgrade.revision)


def _missing_folders(path: Path) -> list[Path]:
    """The missing parent folders of a file, deepest first."""
    missing = []
    folder = path.parent
    with suppress(OSError):
        while not folder.exists():
            missing.append(folder)
            folder = folder.parent
    return missing


def _undo(path: Path, paths: list[Path]) -> None:
    """Delete files that a failed `init` created."""
    with suppress(OSError):
        for suffix in ("", "-wal", "-shm", "-journal"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        for folder in paths:
            folder.rmdir()
