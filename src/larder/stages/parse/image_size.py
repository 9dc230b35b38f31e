"""Reads an image's format and size from its first bytes, without decoding it: decompression bombs are
harmless.

A body that is not clearly PNG, JPEG, GIF or WebP is no image, whatever its server calls it.
"""

from struct import error as Cut  # noqa: N812 - what it means here
from struct import unpack_from

from larder.core.model.image import ImageFormat, ImageSize

_PNG = b"\x89PNG\r\n\x1a\n"
_GIF = (b"GIF87a", b"GIF89a")
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers that begin a frame, without the three that only look similar."""
_BARE = frozenset({0x01, *range(0xD0, 0xDA)})
"""JPEG markers without a length."""


def measure(body: bytes) -> ImageSize | None:
    """Format and size; None if it is no image, or one that is truncated before them."""
    try:
        return _measure(body)
    except (Cut, IndexError):
        return None


def _measure(body: bytes) -> ImageSize | None:
    if body.startswith(_PNG) and body[12:16] == b"IHDR":
        return _valid_size(ImageFormat.PNG, *unpack_from(">II", body, 16))
    if body.startswith(_GIF):
        return _valid_size(ImageFormat.GIF, *unpack_from("<HH", body, 6))
    if body.startswith(b"RIFF") and body[8:12] == b"WEBP":
        return _webp(body)
    return _jpeg(body) if body.startswith(b"\xff\xd8\xff") else None


def _valid_size(kind: ImageFormat, width: int, height: int) -> ImageSize | None:
    """Whether an image has at least a pixel, and no more than a column can store."""
    fits = 0 < width < 2**31 and 0 < height < 2**31
    return ImageSize(format=kind, width=width, height=height) if fits else None


def _webp(body: bytes) -> ImageSize | None:
    match body[12:16]:
        case b"VP8 " if body[23:26] == b"\x9d\x01\x2a":
            width, height = unpack_from("<HH", body, 26)
            return _valid_size(ImageFormat.WEBP, width & 0x3FFF, height & 0x3FFF)
        case b"VP8L" if body[20] == 0x2F:
            (bits,) = unpack_from("<I", body, 21)
            return _valid_size(ImageFormat.WEBP, (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case b"VP8X":
            low_w, high_w, low_h, high_h = unpack_from("<HBHB", body, 24)
            return _valid_size(ImageFormat.WEBP, (high_w << 16 | low_w) + 1, (high_h << 16 | low_h) + 1)
        case _:
            return None


def _jpeg(body: bytes) -> ImageSize | None:
    """Format and size, segment by segment up to the first frame; each step goes forward, so it ends."""
    at = 2
    while body[at] == 0xFF:
        marker = body[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in _BARE:
            at += 2
        elif marker in _FRAMES:
            height, width = unpack_from(">HH", body, at + 5)
            return _valid_size(ImageFormat.JPEG, width, height)
        else:
            (length,) = unpack_from(">H", body, at + 2)
            at += 2 + length
    return None
