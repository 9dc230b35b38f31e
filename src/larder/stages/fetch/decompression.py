"""Decodes a body's content encodings, never past a limit: a few bytes may decode to gigabytes.

A truncated body is an error, not a short page: its missing records would look removed.
"""

import zlib
from collections.abc import Callable

import zstandard

from larder.core.quoting import quoted

try:
    import brotli  # type: ignore[import-untyped]
except ImportError:  # an extra; without it br is not requested
    brotli = None

MAX_LAYERS = 3
MAX_PARTS = 32
MAX_WINDOW = 8 * 1024 * 1024  # RFC 9659: the window that a zstd decoder on the web must support, and no more
ZSTD_PIECE = 64  # a block of four bytes may decode to 128 KB: at most 2 MB come from one piece
ZSTD_WRITES = 16_384

Decoder = Callable[[bytes, int], bytes]


class EncodingError(ValueError):
    """The body does not match its headers."""


def decode_body(body: bytes, encodings: str, *, limit: int) -> bytes:
    """The content behind `encodings` (a Content-Encoding header), cut one byte past `limit`."""
    names = (name.strip() for name in encodings.lower().split(","))
    layers = [name for name in names if name not in ("", "identity")]
    if not layers or not body:
        return body
    if len(layers) > MAX_LAYERS:
        raise EncodingError(f"{len(layers)} layers of encoding")
    for layer in reversed(layers):
        if layer not in DECODERS:
            raise EncodingError(f"content encoding {quoted(layer, 40)}")
        body = DECODERS[layer](body, limit)
    return body


def _zlib(body: bytes, limit: int, wbits: int) -> bytes:
    parts: list[bytes] = []
    bytes_left = limit + 1
    while body and bytes_left > 0:
        _check_count(len(parts))
        stream = zlib.decompressobj(wbits)
        try:
            parts.append(stream.decompress(body, bytes_left))
        except zlib.error as error:
            if parts:  # padding may follow a complete member
                break
            raise EncodingError(str(error)) from error
        bytes_left -= len(parts[-1])
        if not stream.eof and bytes_left > 0:
            raise EncodingError("the compressed body is cut off")
        body = stream.unused_data
    return b"".join(parts)


def _check_count(parts: int) -> None:
    """Limit members and frames.

    Each costs a new start, so a body of nothing else would take quadratic time.
    """
    if parts >= MAX_PARTS:
        raise EncodingError(f"more than {MAX_PARTS} compressed parts")


def _gzip(body: bytes, limit: int) -> bytes:
    return _zlib(body, limit, 16 + zlib.MAX_WBITS)


def _deflate(body: bytes, limit: int) -> bytes:
    """Decode zlib's format, or the bare stream that many servers send instead."""
    try:
        return _zlib(body, limit, zlib.MAX_WBITS)
    except EncodingError:
        return _zlib(body, limit, -zlib.MAX_WBITS)


def _zstd(body: bytes, limit: int) -> bytes:
    """Decompress in small pieces: the check for a truncated stream has no limit of its own."""
    content, frames = bytearray(), 0
    stream = None
    try:
        for at in range(0, len(body), ZSTD_PIECE):
            piece = body[at : at + ZSTD_PIECE]
            while piece and len(content) <= limit:
                if stream is None:
                    _check_count(frames)
                    stream, frames = _zstd_stream(), frames + 1
                content += stream.decompress(piece)
                piece, stream = (stream.unused_data, None) if stream.eof else (b"", stream)
    except zstandard.ZstdError as error:
        raise EncodingError(str(error)) from error
    if stream is not None and len(content) <= limit:
        raise EncodingError("the compressed body is cut off")
    del content[limit + 1 :]
    return bytes(content)


def _zstd_stream() -> "zstandard.ZstdDecompressionObj":
    return zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW).decompressobj(write_size=ZSTD_WRITES)


def _brotli(body: bytes, limit: int) -> bytes:
    stream = brotli.Decompressor()
    parts: list[bytes] = []
    bytes_left = limit + 1
    try:
        while not stream.is_finished() and bytes_left > 0:
            part = stream.process(b"" if parts else body, output_buffer_limit=bytes_left)
            if parts and not part:
                raise EncodingError("the compressed body is cut off")
            parts.append(part)
            bytes_left -= len(part)
    except brotli.error as error:
        raise EncodingError(str(error)) from error
    return b"".join(parts)[: limit + 1]


DECODERS: dict[str, Decoder] = {"gzip": _gzip, "x-gzip": _gzip, "deflate": _deflate, "zstd": _zstd}
if brotli is not None:
    DECODERS["br"] = _brotli

ACCEPTED = ", ".join(name for name in DECODERS if name != "x-gzip")
