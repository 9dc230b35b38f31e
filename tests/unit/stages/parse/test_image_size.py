"""An image says how large it is in its first bytes; whatever else comes is no image."""

import random
from struct import pack

import pytest

from larder.core.model.image import ImageFormat, ImageSize, images_of, images_wanted
from larder.stages.parse.image_size import measure


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + pack(">I4sII", 13, b"IHDR", width, height) + b"\x08\x02\0\0\0"


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + pack("<HH", width, height) + b"\0\0\0"


def jpeg(width: int, height: int) -> bytes:
    """With a thumbnail's segment before the frame, and filling between the markers."""
    thumbnail = b"\xff\xe1" + pack(">H", 10) + b"\xff\xc0\0\x11\x08\0\x01\0"
    frame = b"\xff\xff\xc2" + pack(">HBHHB", 17, 8, height, width, 3) + b"\0" * 9
    return b"\xff\xd8" + thumbnail + b"\xff\xd0" + frame


def webp(chunk: bytes, body: bytes) -> bytes:
    return b"RIFF" + pack("<I4s4sI", 4 + 8 + len(body), b"WEBP", chunk, len(body)) + body


def vp8(width: int, height: int) -> bytes:
    return webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + pack("<HH", width, height))


def vp8l(width: int, height: int) -> bytes:
    return webp(b"VP8L", b"\x2f" + pack("<I", (width - 1) | (height - 1) << 14))


def vp8x(width: int, height: int) -> bytes:
    return webp(b"VP8X", b"\0" * 4 + pack("<I", width - 1)[:3] + pack("<I", height - 1)[:3])


MAKERS = {
    ImageFormat.PNG: [png],
    ImageFormat.GIF: [gif],
    ImageFormat.JPEG: [jpeg],
    ImageFormat.WEBP: [vp8, vp8l, vp8x],
}
ALL = [(kind, make) for kind, makers in MAKERS.items() for make in makers]


@pytest.mark.parametrize(("kind", "make"), ALL)
def test_format_and_size_are_read(kind: ImageFormat, make) -> None:  # type: ignore[no-untyped-def]
    assert measure(make(640, 427)) == ImageSize(format=kind, width=640, height=427)


@pytest.mark.parametrize(("kind", "make"), ALL)
def test_an_image_that_is_cut_off_says_nothing(kind: ImageFormat, make) -> None:  # type: ignore[no-untyped-def]
    whole = make(640, 427)
    told = [measure(whole[:length]) for length in range(len(whole))]
    assert all(found in (None, ImageSize(format=kind, width=640, height=427)) for found in told)
    assert told[0] is None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<svg width='640' height='427' onload='alert(1)'/>",
        b"<!doctype html><p>not found",
        b"RIFF\0\0\0\0WAVEfmt ",
        webp(b"VP8 ", b"\0" * 10),
        webp(b"ANIM", b"\0" * 10),
        png(0, 10),
        png(2**31, 10),
        b"\xff\xd8\xff\xd9",
        b"\xff\xd8\xff\xe0\0\0" * 10,
    ],
)
def test_what_is_no_image(body: bytes) -> None:
    assert measure(body) is None


def test_no_bytes_make_it_raise_or_go_on_for_ever() -> None:
    luck = random.Random(1)
    starts = [b"", b"\xff\xd8\xff", *(make(9, 9)[:12] for _, make in ALL)]
    for _ in range(3_000):
        body = luck.choice(starts) + luck.randbytes(luck.randrange(60))
        found = measure(body)
        assert found is None or (found.width > 0 and found.height > 0)


@pytest.mark.parametrize(
    ("asked", "many"),
    [(None, 0), (False, 0), (True, 10), (3, 3), (0, 0), (-1, 0), ("many", 0)],
)
def test_a_source_says_how_many_it_wants(asked: object, many: int) -> None:
    assert images_wanted({} if asked is None else {"images": asked}) == many


def test_the_first_so_many_are_taken() -> None:
    content = {"images": [{"url": f"http://a/{n}", "position": n, "alt": "x"} for n in range(3)]}
    assert [(each.url, each.alt) for each in images_of(content, 2)] == [
        ("http://a/0", "x"),
        ("http://a/1", "x"),
    ]
    assert images_of({}, 2) == []
