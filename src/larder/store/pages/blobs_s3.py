"""Stores bodies on S3 and compatible services (MinIO, rclone, …).

A batch is one object: one request a batch, and an object is complete or does not exist. A body is read by a
range request, or from the whole object where a server does not support ranges. Objects are never changed.
Retention deletes only objects older than its grace period: younger ones may not be in the database yet.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

import obstore
from obstore.exceptions import BaseError, GenericError, NotFoundError
from obstore.store import S3Store

from larder.core.errors import Unusable
from larder.core.quoting import quoted
from larder.store.pages.blobs import SUFFIX, BodyLocation, Pack, compress, decompress, locations

LISTED_AT_ONCE = 1_000


class S3Blobs:
    """Packs in a bucket, below a prefix."""

    scheme = "s3"

    def __init__(self, store: S3Store) -> None:
        self._store = store
        self._gives_ranges = True

    async def put(self, bodies: Sequence[bytes]) -> list[BodyLocation]:
        """One object for the batch."""
        chunks = await asyncio.to_thread(compress, bodies)
        name = f"{uuid4().hex}{SUFFIX}"
        try:
            await obstore.put_async(self._store, name, b"".join(chunks))
        except (BaseError, OSError) as error:
            raise OSError(f"pages cannot be written to the bucket: {_first_line(error)}") from error
        return list(locations(f"{self.scheme}:{name}", 0, bodies, chunks))

    async def get(self, location: str, content_hash: str) -> bytes | None:
        """One body, by its range of the object."""
        scheme, name, offset, length = location.split(":")
        if scheme != self.scheme:
            return None
        try:
            chunk = await self._chunk(name, int(offset), int(length))
        except (NotFoundError, FileNotFoundError):
            return None
        except (BaseError, OSError) as error:
            raise OSError(f"pages cannot be read from the bucket: {_first_line(error)}") from error
        return await asyncio.to_thread(decompress, chunk, content_hash)

    async def _chunk(self, name: str, offset: int, length: int) -> bytes:
        if self._gives_ranges:
            try:
                return bytes(await obstore.get_range_async(self._store, name, start=offset, length=length))
            except GenericError as error:
                if "non-partial" not in str(error):
                    raise
                self._gives_ranges = False
        batch = await obstore.get_async(self._store, name)
        return bytes(await batch.bytes_async())[offset : offset + length]

    async def packs(self) -> list[Pack]:
        """All of our objects."""
        packs: list[Pack] = []
        async for batch in obstore.list(self._store, chunk_size=LISTED_AT_ONCE):
            packs += [_pack(meta) for meta in batch if str(meta["path"]).endswith(SUFFIX)]
        return packs

    async def drop(self, keys: Sequence[str]) -> int:
        """Delete objects; S3 objects are never appended to."""
        names = [key.partition(":")[2] for key in keys]
        if names:
            await obstore.delete_async(self._store, names)
        return len(names)

    async def close(self) -> None:
        """Does nothing: no connection is kept between requests."""


def _pack(meta: Mapping[str, Any]) -> Pack:
    return Pack(key=f"{S3Blobs.scheme}:{meta['path']}", size=meta["size"], written_at=meta["last_modified"])


def open_bucket(
    url: str, *, endpoint: str = "", key: str = "", secret: str = "", region: str = "us-east-1"
) -> S3Blobs:
    """`s3://bucket/prefix`; keys may also come from the machine's role."""
    bucket, _, prefix = url.removeprefix("s3://").strip("/").partition("/")
    if not url.startswith("s3://") or not bucket:
        raise Unusable(f"{quoted(url)} is not a bucket URL", hint="write LARDER_PAGES as s3://bucket/prefix")
    values = {
        "endpoint": endpoint,
        "access_key_id": key,
        "secret_access_key": secret,
    }
    config: Any = {name: value for name, value in values.items() if value}
    options: Any = {"allow_http": True} if endpoint.startswith("http:") else {}
    store = S3Store(
        bucket,
        prefix=prefix or None,
        region=region,
        virtual_hosted_style_request=False,
        config=config,
        client_options=options,
        retry_config={"max_retries": 3},
    )
    return S3Blobs(store)


def _first_line(error: Exception) -> str:
    """The first line, without details of requests and headers."""
    return str(error).partition("\n")[0][:300]
