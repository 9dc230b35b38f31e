"""Copies a SQLite database beside itself before its schema is upgraded."""

import sqlite3
from contextlib import closing
from pathlib import Path

from larder.core.errors import Unusable
from larder.store.database import sqlite_path
from larder.store.migrations.upgrade import HEAD


def copy_before_upgrade(url: str) -> Path | None:
    """Copy an outdated SQLite database to `NAME.before-REVISION`; None where there is nothing to copy."""
    path = sqlite_path(url)
    if path is None or not path.is_file():
        return None
    copied = path.with_name(f"{path.name}.before-{HEAD}")
    try:
        with closing(sqlite3.connect(path)) as source:
            if not _outdated(source):
                return None
            _copy(source, copied)
    except (sqlite3.Error, OSError) as error:
        raise Unusable(
            f"the database cannot be copied to {copied} before its upgrade ({error}); nothing was changed",
            hint="free disk space, or check the folder's owner, and start again",
        ) from error
    return copied


def _outdated(source: sqlite3.Connection) -> bool:
    """Whether it has a schema, and an earlier one than this version's."""
    found = source.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
    revision = source.execute("SELECT version_num FROM alembic_version").fetchone() if found else None
    return revision is not None and revision[0] < HEAD


def _copy(source: sqlite3.Connection, target: Path) -> None:
    """Copy under a temporary name, and rename when complete."""
    draft = target.with_name(f"{target.name}.part")
    draft.unlink(missing_ok=True)
    try:
        draft.touch(mode=0o600)
        with closing(sqlite3.connect(draft)) as copy:
            source.backup(copy)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
