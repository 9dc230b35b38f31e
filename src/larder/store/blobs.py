"""Where bodies lie: compressed, content-addressed, many to a file.

A body a file is slow when pages are small, so bodies are appended to pack files: one write for a batch,
one pack for each writer, nothing ever rewritten. A location says pack, offset and length; reading checks
the hash, so a pack that lost its tail in a power cut is noticed, and the job fetches again.
"""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from uuid import uuid4

import zstandard

PACK_SIZE = 64 * 1024 * 1024
LARGEST_BODY = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """Where one body went."""

    content_hash: str
    location: str
    size: int
    stored_size: int


class Blobs(Protocol):
    """A place for bodies."""

    def put(self, bodies: Sequence[bytes]) -> list[Stored]:
        """Store all of them, durably enough to outlive this process."""
        ...

    def get(self, location: str, content_hash: str) -> bytes | None:
        """The body again, or None where it is lost or damaged."""
        ...


def content_hash(body: bytes) -> str:
    """A body's name."""
    return hashlib.sha256(body).hexdigest()


class PackedBlobs:
    """Pack files in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._compress = zstandard.ZstdCompressor(level=3).compress
        self._pack: Path | None = None
        self._end = 0

    def put(self, bodies: Sequence[bytes]) -> list[Stored]:
        """Append a batch to this writer's pack with one write."""
        pack = self._pack_with_room()
        chunks = [self._compress(body) for body in bodies]
        with pack.open("ab") as file:
            file.write(b"".join(chunks))
        stored = []
        for body, chunk in zip(bodies, chunks, strict=True):
            location = f"pack:{pack.name}:{self._end}:{len(chunk)}"
            stored.append(
                Stored(
                    content_hash=content_hash(body), location=location, size=len(body), stored_size=len(chunk)
                )
            )
            self._end += len(chunk)
        return stored

    def get(self, location: str, content_hash: str) -> bytes | None:
        """Read one body and check it."""
        _, name, offset, length = location.split(":")
        path = self._folder / Path(name).name
        if not path.exists():
            return None
        with path.open("rb") as file:
            chunk = os.pread(file.fileno(), int(length), int(offset))
        return _checked(chunk, content_hash)

    def _pack_with_room(self) -> Path:
        if self._pack is None or self._end > PACK_SIZE:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._pack, self._end = self._folder / f"{uuid4().hex}.pack", 0
        return self._pack


def _checked(chunk: bytes, expected: str) -> bytes | None:
    try:
        body = zstandard.ZstdDecompressor().decompress(chunk, max_output_size=LARGEST_BODY)
    except zstandard.ZstdError:
        return None
    return body if content_hash(body) == expected else None
