"""Undo a body's content encodings, never past a limit: a few bytes may claim to be gigabytes.

A body that ends too early is an error, not a short page: what is missing from it would look gone.
"""

import zlib
from collections.abc import Callable

import zstandard

try:
    import brotli  # type: ignore[import-untyped]
except ImportError:  # an extra; without it br is simply not asked for
    brotli = None

MAX_LAYERS = 3
MAX_WINDOW = 8 * 1024 * 1024  # RFC 9659: what a zstd decoder on the web must have, and no more
ZSTD_PIECE = 64  # a block of four bytes may stand for 128 KB: at most 2 MB come of one piece
ZSTD_WRITES = 16_384

Decoder = Callable[[bytes, int], bytes]


class EncodingError(ValueError):
    """The body is not what its headers say."""


def decoded(body: bytes, encodings: str, *, limit: int) -> bytes:
    """The content behind `encodings` (a Content-Encoding header), cut one byte past `limit`."""
    named = (name.strip() for name in encodings.lower().split(","))
    layers = [name for name in named if name not in ("", "identity")]
    if not layers or not body:
        return body
    if len(layers) > MAX_LAYERS:
        raise EncodingError(f"{len(layers)} layers of encoding")
    for layer in reversed(layers):
        if layer not in DECODERS:
            raise EncodingError(f"content encoding {layer[:40]!r}")
        body = DECODERS[layer](body, limit)
    return body


def _zlib(body: bytes, limit: int, wbits: int) -> bytes:
    content = bytearray()
    while body and len(content) <= limit:
        stream = zlib.decompressobj(wbits)
        try:
            content += stream.decompress(body, limit + 1 - len(content))
        except zlib.error as error:
            if content:  # what follows a complete member may be padding
                break
            raise EncodingError(str(error)) from error
        if not stream.eof and len(content) <= limit:
            raise EncodingError("the compressed body is cut off")
        body = stream.unused_data
    return bytes(content)


def _gzip(body: bytes, limit: int) -> bytes:
    return _zlib(body, limit, 16 + zlib.MAX_WBITS)


def _deflate(body: bytes, limit: int) -> bytes:
    """Meant to be zlib's format; many send the bare stream."""
    try:
        return _zlib(body, limit, zlib.MAX_WBITS)
    except EncodingError:
        return _zlib(body, limit, -zlib.MAX_WBITS)


def _zstd(body: bytes, limit: int) -> bytes:
    """Fed in small pieces: what tells a cut stream from a whole one has no limit of its own."""
    content = bytearray()
    stream = None
    try:
        for at in range(0, len(body), ZSTD_PIECE):
            piece = body[at : at + ZSTD_PIECE]
            while piece and len(content) <= limit:
                stream = stream or _zstd_stream()
                content += stream.decompress(piece)
                piece, stream = (stream.unused_data, None) if stream.eof else (b"", stream)
    except zstandard.ZstdError as error:
        raise EncodingError(str(error)) from error
    if stream is not None and len(content) <= limit:
        raise EncodingError("the compressed body is cut off")
    return bytes(content[: limit + 1])


def _zstd_stream() -> "zstandard.ZstdDecompressionObj":
    return zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW).decompressobj(write_size=ZSTD_WRITES)


def _brotli(body: bytes, limit: int) -> bytes:
    stream = brotli.Decompressor()
    content = bytearray()
    try:
        content += stream.process(body, output_buffer_limit=limit + 1)
        while not stream.is_finished() and len(content) <= limit:
            more = stream.process(b"", output_buffer_limit=limit + 1 - len(content))
            if not more:
                raise EncodingError("the compressed body is cut off")
            content += more
    except brotli.error as error:
        raise EncodingError(str(error)) from error
    return bytes(content[: limit + 1])


DECODERS: dict[str, Decoder] = {"gzip": _gzip, "x-gzip": _gzip, "deflate": _deflate, "zstd": _zstd}
if brotli is not None:
    DECODERS["br"] = _brotli

ACCEPTED = ", ".join(name for name in DECODERS if name != "x-gzip")
