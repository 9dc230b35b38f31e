"""The data folder of an embedded deployment: it exists, it is writable, and one process drives it."""

import fcntl
import os
import shutil
from contextlib import suppress
from pathlib import Path

from larder.core.errors import AlreadyDriven, Unusable

FULL_BYTES = 16 * 1024**2
"""With less free space writes fail or soon will: SQLite needs space for its log."""

START_BYTES = 65_536
"""Free space needed to open the database: SQLite needs a file beside it even to read."""


def make_folder(folder: Path) -> None:
    """Create the data folder, for its owner alone, and check that it is writable."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _unwritable(folder, None)


def free_bytes(folder: Path) -> int:
    """Free space of the file system of the folder, or of where it would be created."""
    existing = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    return shutil.disk_usage(existing).free


def is_full(folder: Path) -> bool:
    """Whether the file system of the data folder is full, so that nothing can be written."""
    return free_bytes(folder) < FULL_BYTES


def _unwritable(folder: Path, error: OSError | None) -> Unusable:
    cause = f" ({error.strerror})" if error else ""
    return Unusable(
        f"the folder {folder} cannot be written{cause}",
        hint="choose another with LARDER_DATA, or change its owner",
    )


class only_driver:  # noqa: N801 - reads as a statement: with only_driver(folder)
    """Holds the data folder's lock, so that one process drives an embedded deployment.

    `held`: the descriptor of the lock of the process which started this one; both hold it then.
    """

    def __init__(self, folder: Path, *, descriptor: int | None = None) -> None:
        self._path = folder / "driver.lock"
        self._held = descriptor

    def __enter__(self) -> int:
        """Take the lock, or raise an error that names the process that holds it; returns its descriptor."""
        self._file = self._path.open("a+") if self._held is None else os.fdopen(self._held, "a+")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.seek(0)
            holder = self._file.read().strip() or "unknown"
            self._file.close()
            raise AlreadyDriven(
                f"another Larder process works in this data folder (process {holder})",
                hint="stop it first, or let it do the work: it picks up what you add at its next tick",
            ) from error
        if self._held is None:
            self._note_holder()
        return self._file.fileno()

    def _note_holder(self) -> None:
        """Write the holder's process id into the lock file; skipped on a full disk."""
        with suppress(OSError):
            os.truncate(self._file.fileno(), 0)
            os.write(self._file.fileno(), str(os.getpid()).encode())

    def __exit__(self, *_: object) -> None:
        """Release the lock."""
        self._file.close()
