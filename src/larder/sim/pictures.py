"""Small PNG pictures for simulated sites: rectangles whose colours follow from the item."""

import colorsys
import zlib
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from struct import pack

WIDTH, HEIGHT = 160, 120
_GROUND, _DOOR, _GLASS, _PAPER = "a9bf9a", "6b4f3a", "f6dd8a", "f1efe8"

Rectangle = tuple[float, float, float, float, bytes]
"""Left, top, right, bottom (excluded) and colour."""


@lru_cache(maxsize=256)
def house(number: int) -> bytes:
    """A house under a sky, its colours drawn from the number."""
    sky, wall, roof = (
        _colour(number * n, *tone) for n, tone in ((47, (0.84, 0.45)), (83, (0.9, 0.35)), (131, (0.4, 0.4)))
    )
    left, right, eaves = 36, 124, 46
    shapes: list[Rectangle] = [(0, 96, WIDTH, HEIGHT, _hex(_GROUND)), (left, eaves, right, 100, wall)]
    shapes += [
        (left - 6 + step, eaves - 1 - step // 2, right + 6 - step, eaves - step // 2, roof)
        for step in range(0, 50, 2)
    ]
    shapes += [
        (x, y, x + 14, y + 14, _hex(_GLASS)) for x in (46, 73, 100) for y in (54, 76) if (x, y) != (73, 76)
    ]
    return png([*shapes, (74, 76, 86, 100, _hex(_DOOR))], behind=sky)


@lru_cache(maxsize=256)
def parcel(name: str) -> bytes:
    """A box on a shelf, its colour drawn from the name."""
    number = int.from_bytes(sha256(name.encode()).digest()[:4])
    side, ribbon = _colour(number, 0.55, 0.5), _colour(number + 160, 0.8, 0.6)
    high = 34 + number % 26
    top = 98 - high
    return png(
        [
            (0, 98, WIDTH, HEIGHT, _hex("d9d2c3")),
            (48, top, 112, 98, side),
            (44, top - 8, 116, top + 6, _colour(number, 0.45, 0.5)),
            (74, top - 8, 86, 98, ribbon),
        ],
        behind=_hex(_PAPER),
    )


def png(shapes: Iterable[Rectangle], *, behind: bytes) -> bytes:
    """A picture of rectangles, later ones over earlier ones."""
    rows = [bytearray(behind * WIDTH) for _ in range(HEIGHT)]
    for left, top, right, bottom, colour in shapes:
        for row in rows[max(0, int(top)) : int(bottom)]:
            row[int(left) * 3 : int(right) * 3] = colour * (int(right) - int(left))
    header = pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows))
    chunks = ((b"IHDR", header), (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, content) for kind, content in chunks)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return pack(">I", len(body)) + kind + body + pack(">I", zlib.crc32(kind + body))


def _colour(degrees: int, light: float, strong: float) -> bytes:
    return bytes(round(part * 255) for part in colorsys.hls_to_rgb(degrees % 360 / 360, light, strong))


def _hex(colour: str) -> bytes:
    return bytes.fromhex(colour)
