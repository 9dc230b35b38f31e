"""Stores bodies in files: compressed, content-addressed, many to a file.

One file per body is slow when pages are small, so bodies are appended to packs: one write for a batch, one
pack for each writer, nothing ever rewritten. A location is pack, offset and length. Reading checks the hash,
so a pack that was cut short by a power failure is detected, and the job fetches again.

A writer holds a lock on the pack it appends to. Only an unlocked pack can be dropped, so a body that was just
written and is not yet in the database is never deleted.
"""

import asyncio
import fcntl
import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol
from uuid import uuid4

import zstandard

PACK_SIZE = 64 * 1024 * 1024
LARGEST_BODY = 32 * 1024 * 1024
LEVEL = 3
SUFFIX = ".pack"


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyLocation:
    """The location of one body."""

    content_hash: str
    location: str
    size: int
    stored_size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """A file of bodies; `key` is the prefix of their locations."""

    key: str
    size: int
    written_at: datetime


class Blobs(Protocol):
    """A place for bodies."""

    async def put(self, bodies: Sequence[bytes]) -> list[BodyLocation]:
        """Store all bodies, so that they survive the end of this process."""
        ...

    async def get(self, location: str, content_hash: str) -> bytes | None:
        """The body; None if it is lost or damaged."""
        ...

    async def packs(self) -> list[Pack]:
        """All packs."""
        ...

    async def drop(self, keys: Sequence[str]) -> int:
        """Delete packs except those being written; returns the number deleted."""
        ...

    async def close(self) -> None:
        """Close all open files."""
        ...


def content_hash(body: bytes) -> str:
    """The hash under which a body is stored."""
    return hashlib.sha256(body).hexdigest()


def compress(bodies: Sequence[bytes]) -> list[bytes]:
    """Compress each body separately, so that each can be read alone."""
    compress = zstandard.ZstdCompressor(level=LEVEL).compress
    return [compress(body) for body in bodies]


def decompress(chunk: bytes, expected: str) -> bytes | None:
    """The body of a chunk, if its hash is the expected one."""
    try:
        body = zstandard.ZstdDecompressor().decompress(chunk, max_output_size=LARGEST_BODY)
    except zstandard.ZstdError:
        return None
    return body if content_hash(body) == expected else None


def locations(
    key: str, start: int, bodies: Sequence[bytes], chunks: Sequence[bytes]
) -> Iterator[BodyLocation]:
    """The locations of a batch's chunks that were written to a pack at `start`."""
    for body, chunk in zip(bodies, chunks, strict=True):
        yield BodyLocation(
            content_hash=content_hash(body),
            location=f"{key}:{start}:{len(chunk)}",
            size=len(body),
            stored_size=len(chunk),
        )
        start += len(chunk)


def pack_of(location: str) -> str:
    """The key of the pack a location lies in."""
    return location.rsplit(":", 2)[0]


class PackedBlobs:
    """Packs in one folder.

    `sync`: every batch is flushed to the disk, not only to the kernel, before it counts.
    """

    scheme = "pack"

    def __init__(self, folder: Path, *, sync: bool = False, pack_size: int = PACK_SIZE) -> None:
        self._folder = folder
        self._sync = sync
        self._pack_size = pack_size
        self._pack: _OpenPack | None = None

    async def put(self, bodies: Sequence[bytes]) -> list[BodyLocation]:
        """Append a batch to this writer's pack with one write."""
        return await asyncio.to_thread(self._put, bodies)

    async def get(self, location: str, content_hash: str) -> bytes | None:
        """Read one body and check it."""
        return await asyncio.to_thread(self.read, location, content_hash)

    async def packs(self) -> list[Pack]:
        """The folder's packs."""
        return await asyncio.to_thread(lambda: list(self._packs()))

    async def drop(self, keys: Sequence[str]) -> int:
        """Unlink packs that no writer holds."""
        return await asyncio.to_thread(lambda: sum(_unlinked(self._path(key)) for key in keys))

    async def close(self) -> None:
        """Close the pack; the next batch begins another."""
        if self._pack is not None:
            self._pack.close()
            self._pack = None

    def _put(self, bodies: Sequence[bytes]) -> list[BodyLocation]:
        pack, chunks = self._pack_with_room(), compress(bodies)
        start = pack.append(b"".join(chunks), sync=self._sync)
        return list(locations(f"{self.scheme}:{pack.path.name}", start, bodies, chunks))

    def read(self, location: str, content_hash: str) -> bytes | None:
        """Read in the caller's thread."""
        scheme, _, offset, length = location.split(":")
        if scheme != self.scheme:
            return None
        try:
            with self._path(pack_of(location)).open("rb") as file:
                chunk = os.pread(file.fileno(), int(length), int(offset))
        except FileNotFoundError:
            return None
        return decompress(chunk, content_hash)

    def _packs(self) -> Iterator[Pack]:
        for path in self._folder.glob(f"*{SUFFIX}"):
            try:
                stat = path.stat()
            except FileNotFoundError:
                continue  # another process dropped it first
            written_at = datetime.fromtimestamp(stat.st_mtime, UTC)
            yield Pack(key=f"{self.scheme}:{path.name}", size=stat.st_size, written_at=written_at)

    def _path(self, key: str) -> Path:
        return self._folder / Path(key.partition(":")[2]).name

    def _pack_with_room(self) -> "_OpenPack":
        if self._pack is not None and self._pack.end > self._pack_size:
            self._pack.close()
            self._pack = None
        if self._pack is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._pack = _OpenPack(self._folder / f"{uuid4().hex}{SUFFIX}")
        return self._pack


class _OpenPack:
    """A pack that is being written, locked by its writer's process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.end = 0
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        fcntl.flock(self._file, fcntl.LOCK_SH)

    def append(self, chunk: bytes, *, sync: bool) -> int:
        """Append a chunk; returns its offset.

        Bytes that a full disk cut off are overwritten by the next batch.
        """
        start, written = self.end, 0
        while written < len(chunk):
            written += os.pwrite(self._file, memoryview(chunk)[written:], start + written)
        if sync:
            os.fdatasync(self._file)
        self.end = start + written
        return start

    def close(self) -> None:
        """Flush a finished pack to the disk before the next one begins."""
        os.fdatasync(self._file)
        os.close(self._file)


def _unlinked(path: Path) -> bool:
    try:
        file = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    else:
        path.unlink(missing_ok=True)
        return True
    finally:
        os.close(file)
