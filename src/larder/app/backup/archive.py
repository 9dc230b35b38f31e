"""The tar file of a backup: files with checksums, and a manifest at its end."""

import hashlib
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

import orjson
from pydantic import BaseModel, ValidationError

from larder.core.errors import BadInput, Unusable

MANIFEST = "manifest.json"
SQLITE, POSTGRES = "larder.db", "larder.dump"
FOLDERS = ("pages", "spool")
"""Parts of the data folder: page bodies, and pages that wait for the database."""
FORMAT = 1
BLOCK = 1024 * 1024


class BackupManifest(BaseModel):
    """The manifest of a backup: its versions and its contents."""

    format: int
    larder: str
    revision: str
    made_at: datetime
    database: str
    """The name of the database's file."""
    tables: dict[str, int]
    """Rows by table; those of PostgreSQL were counted just before the dump."""
    files: dict[str, str]
    """SHA-256 by name."""
    pages: str
    """The bucket with the page bodies, if they are not in the backup; else empty."""
    bodies_missing: int
    """Packs of page bodies that the database refers to and that were missing."""
    secrets: int
    secret_key: str
    """The beginning of a hash of the key that encrypts the secrets; empty if there was none."""


@dataclass(slots=True)
class BackupWriter:
    """Adds files to a tar file and keeps their checksums."""

    tar: tarfile.TarFile
    files: dict[str, str] = field(default_factory=dict)

    def add(self, path: Path, name: str) -> None:
        """Add a file at its present length: a pack that is being appended to is cut there."""
        with path.open("rb") as file:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = path.stat().st_size, 0o600
            entry.mtime = int(path.stat().st_mtime)
            hashed = _HashingReader(file)
            self.tar.addfile(entry, cast(Any, hashed))
        self.files[name] = hashed.digest

    def finish(self, manifest: BackupManifest) -> None:
        """Write the manifest, without which a backup is not one."""
        body = orjson.dumps(manifest.model_dump(mode="json"), option=orjson.OPT_INDENT_2)
        entry = tarfile.TarInfo(MANIFEST)
        entry.size, entry.mode = len(body), 0o600
        self.tar.addfile(entry, BytesIO(body))


class _HashingReader:
    """A file that hashes all bytes read from it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._hash = file, hashlib.sha256()

    def read(self, size: int = -1, /) -> bytes:
        """Read and hash the next bytes."""
        found = self._file.read(size)
        self._hash.update(found)
        return found

    @property
    def digest(self) -> str:
        """Of all that was read."""
        return self._hash.hexdigest()


@contextmanager
def new_backup(to: Path) -> Iterator[BackupWriter]:
    """A new backup; it gets its name when it is complete, and only its owner can read it."""
    if to.exists():
        raise BadInput(f"{to} exists already", hint="name another file; backups are not overwritten")
    draft = to.with_name(f"{to.name}.part")
    draft.unlink(missing_ok=True)
    try:
        draft.touch(mode=0o600)
        with tarfile.open(draft, "w", format=tarfile.PAX_FORMAT) as tar:
            yield BackupWriter(tar)
        draft.rename(to)
    finally:
        draft.unlink(missing_ok=True)


def unpack(backup: Path, into: Path) -> BackupManifest:
    """Unpack a backup and compare every checksum; nothing but its known files is written."""
    found: dict[str, str] = {}
    text: bytes | None = None
    try:
        with tarfile.open(backup, "r:") as tar:
            for entry in tar:
                file = tar.extractfile(entry) if entry.isreg() else None
                if file is None:
                    raise _damaged(backup, f"{entry.name} is not a regular file")
                if entry.name == MANIFEST:
                    text = file.read(BLOCK * 64)
                else:
                    found[entry.name] = _write(file, into / _safe(backup, entry.name))
    except (tarfile.TarError, EOFError) as error:
        raise _damaged(backup, str(error)) from error
    manifest = _manifest(backup, text)
    _compare(backup, manifest.files, found)
    return manifest


def _safe(backup: Path, name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    known = name in (SQLITE, POSTGRES) or (path.parts[0] in FOLDERS and len(path.parts) >= 2)
    if not known or ".." in path.parts or path.is_absolute():
        raise _damaged(backup, f"{name} is not a file of a backup")
    return path


def _write(file: IO[bytes], to: Path) -> str:
    to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    hashed = _HashingReader(file)
    with to.open("xb") as out:
        to.chmod(0o600)
        while block := hashed.read(BLOCK):
            out.write(block)
    return hashed.digest


def _manifest(backup: Path, text: bytes | None) -> BackupManifest:
    if text is None:
        raise _damaged(backup, "its manifest is missing: it was cut off")
    try:
        manifest = BackupManifest.model_validate_json(text)
    except ValidationError as error:
        raise _damaged(backup, "its manifest cannot be read") from error
    if manifest.format != FORMAT:
        raise Unusable(
            f"{backup} has format {manifest.format}, this version reads {FORMAT}",
            hint="restore it with the version of Larder that wrote it",
        )
    return manifest


def _compare(backup: Path, expected: Mapping[str, str], found: Mapping[str, str]) -> None:
    wrong = sorted(name for name in {*expected, *found} if expected.get(name) != found.get(name))
    if wrong:
        raise _damaged(backup, f"{wrong[0]} does not match its checksum")


def _damaged(backup: Path, why: str) -> Unusable:
    return Unusable(f"{backup} is not a complete backup: {why}", hint="use another backup")


def key_name(key: str) -> str:
    """Enough of a key's hash to identify it, too little to find it."""
    return hashlib.sha256(b"larder secret key " + key.encode()).hexdigest()[:16] if key else ""


def as_json(manifest: BackupManifest) -> dict[str, Any]:
    """The manifest as JSON, without the checksums."""
    return manifest.model_dump(mode="json", exclude={"files"})
