"""A place for bodies, whichever it is: local packs, and two servers that speak S3."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from larder.core.errors import Unusable
from larder.store.pages.blobs import Blobs, PackedBlobs, content_hash, pack_of
from larder.store.pages.blobs_s3 import open_bucket
from tests.integration.store.s3 import KEY, SECRET, Server

PAGES = [b"<html>one</html>" * 50, b"<html>two</html>", bytes(range(256)) * 40]


def bucket(server: Server, secret: str = SECRET) -> Blobs:
    """A prefix of its own for each test."""
    url = f"s3://{server.bucket}/{uuid4().hex}"
    return open_bucket(url, endpoint=server.endpoint, key=KEY, secret=secret)


@pytest.fixture(params=["packs", "rclone", "moto"])
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> Blobs:
    if request.param == "packs":
        return PackedBlobs(tmp_path / "pages")
    return bucket(request.getfixturevalue(f"{request.param}_server"))


async def test_what_is_put_can_be_got(blobs: Blobs) -> None:
    stored = await blobs.put(PAGES)
    assert [s.content_hash for s in stored] == [content_hash(page) for page in PAGES]
    assert [s.size for s in stored] == [len(page) for page in PAGES]
    assert [await blobs.get(s.location, s.content_hash) for s in stored] == PAGES


async def test_a_batch_lies_in_one_pack_as_large_as_its_parts(blobs: Blobs) -> None:
    stored = await blobs.put(PAGES)
    (pack,) = await blobs.packs()
    assert {pack_of(s.location) for s in stored} == {pack.key}
    assert pack.size == sum(s.stored_size for s in stored)
    assert abs(datetime.now(UTC) - pack.written_at) < timedelta(minutes=5)


async def test_a_body_under_another_ones_hash_is_not_given_out(blobs: Blobs) -> None:
    first, second, _ = await blobs.put(PAGES)
    assert await blobs.get(first.location, second.content_hash) is None
    assert await blobs.get(second.location, second.content_hash) == PAGES[1]


async def test_a_place_beyond_the_pack_is_lost_not_an_error(blobs: Blobs) -> None:
    (stored, *_) = await blobs.put(PAGES)
    key = pack_of(stored.location)
    gone = f"{key.partition(':')[0]}:{uuid4().hex}.pack:0:10"
    assert await blobs.get(gone, stored.content_hash) is None
    assert await blobs.get(f"other:{key.partition(':')[2]}:0:10", stored.content_hash) is None


async def test_dropped_packs_are_gone_and_the_others_stay(blobs: Blobs) -> None:
    (old,) = await blobs.put(PAGES[:1])
    await blobs.close()
    (kept,) = await blobs.put(PAGES[1:2])
    assert await blobs.drop([pack_of(old.location)]) == 1
    assert await blobs.get(old.location, old.content_hash) is None
    assert await blobs.get(kept.location, kept.content_hash) == PAGES[1]
    assert [pack.key for pack in await blobs.packs()] == [pack_of(kept.location)]


async def test_an_empty_place_has_no_packs(blobs: Blobs) -> None:
    assert await blobs.packs() == []


async def test_a_wrong_key_is_an_error_that_does_not_show_it(rclone_server: Server) -> None:
    shut = bucket(rclone_server, secret="not-the-secret")
    with pytest.raises(OSError, match="cannot be written to the bucket") as refused:
        await shut.put(PAGES)
    assert "not-the-secret" not in str(refused.value)


@pytest.mark.parametrize("url", ["pages", "s3://", "https://bucket/x"])
def test_what_is_no_bucket_is_told(url: str) -> None:
    with pytest.raises(Unusable, match="not a bucket URL") as refused:
        open_bucket(url)
    assert "s3://bucket" in refused.value.hint.text


async def test_a_pack_that_is_written_to_cannot_be_dropped(tmp_path: Path) -> None:
    writer, sweeper = PackedBlobs(tmp_path), PackedBlobs(tmp_path)
    (stored,) = await writer.put(PAGES[:1])
    assert await sweeper.drop([pack_of(stored.location)]) == 0
    (more,) = await writer.put(PAGES[1:2])
    assert await sweeper.get(stored.location, stored.content_hash) == PAGES[0]
    assert await sweeper.get(more.location, more.content_hash) == PAGES[1]
    await writer.close()
    assert await sweeper.drop([pack_of(stored.location)]) == 1


async def test_full_packs_are_followed_by_new_ones(tmp_path: Path) -> None:
    blobs = PackedBlobs(tmp_path, pack_size=50)
    stored = [(await blobs.put([page]))[0] for page in PAGES]
    assert len(await blobs.packs()) > 1
    assert [await blobs.get(s.location, s.content_hash) for s in stored] == PAGES


Damage = Callable[[bytes], bytes]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda pack: pack[: len(pack) // 2], id="lost its tail"),
        pytest.param(lambda pack: bytes(len(pack)), id="all zeros after a power cut"),
        pytest.param(lambda pack: pack[:0], id="empty"),
    ],
)
async def test_a_damaged_pack_is_noticed(damage: Damage, tmp_path: Path) -> None:
    blobs = PackedBlobs(tmp_path)
    (stored,) = await blobs.put(PAGES[:1])
    pack = tmp_path / pack_of(stored.location).partition(":")[2]
    pack.write_bytes(damage(pack.read_bytes()))
    assert await blobs.get(stored.location, stored.content_hash) is None


async def test_a_location_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "outside.pack").write_bytes(b"secret")
    blobs = PackedBlobs(tmp_path / "pages")
    assert await blobs.get("pack:../outside.pack:0:6", content_hash(b"secret")) is None


async def test_a_batch_cut_off_by_a_full_disk_leaves_no_gap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    blobs = PackedBlobs(tmp_path)
    (before,) = await blobs.put(PAGES[:1])
    whole = os.pwrite
    calls = []

    def fills_up(file: int, chunk: bytes, offset: int) -> int:
        calls.append(offset)
        if len(calls) > 1:
            raise OSError(28, "No space left on device")
        return whole(file, chunk[:5], offset)

    monkeypatch.setattr(os, "pwrite", fills_up)
    with pytest.raises(OSError, match="No space"):
        await blobs.put(PAGES[1:2])
    monkeypatch.undo()
    (after,) = await blobs.put(PAGES[2:])
    assert await blobs.get(before.location, before.content_hash) == PAGES[0]
    assert await blobs.get(after.location, after.content_hash) == PAGES[2]
