"""Compressed bodies: whole, cut off, and far larger than they look."""

import gzip
import tracemalloc
import zlib

import brotli  # type: ignore[import-untyped]
import pytest
import zstandard

from larder.stages.fetch.decompression import ACCEPTED, EncodingError, decode_body

PAGE = b"<p>" + bytes(range(256)) * 400
LIMIT = 1_000_000


def _raw_deflate(content: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return stream.compress(content) + stream.flush()


def _zstd(content: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(content)


ENCODERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": _zstd,
}


@pytest.mark.parametrize("name", ENCODERS)
def test_every_encoding_we_accept_comes_back_whole(name: str) -> None:
    assert decode_body(ENCODERS[name](PAGE), name.upper(), limit=LIMIT) == PAGE


def test_we_ask_for_what_we_can_undo() -> None:
    assert set(ACCEPTED.split(", ")) == set(ENCODERS) - {"x-gzip"}


@pytest.mark.parametrize(
    ("body", "encodings", "content"),
    [
        pytest.param(PAGE, "", PAGE, id="none"),
        pytest.param(PAGE, "identity", PAGE, id="identity"),
        pytest.param(b"", "gzip", b"", id="no body at all"),
        pytest.param(_raw_deflate(PAGE), "deflate", PAGE, id="bare deflate"),
        pytest.param(gzip.compress(brotli.compress(PAGE)), "br, gzip", PAGE, id="two layers"),
        pytest.param(gzip.compress(b"a") + gzip.compress(b"b"), "gzip", b"ab", id="two members"),
        pytest.param(gzip.compress(b"a") + b"\0\0\0", "gzip", b"a", id="padding"),
        pytest.param(_zstd(b"a") + _zstd(b"b"), "zstd", b"ab", id="two frames"),
    ],
)
def test_forms(body: bytes, encodings: str, content: bytes) -> None:
    assert decode_body(body, encodings, limit=LIMIT) == content


@pytest.mark.parametrize("name", ENCODERS)
def test_a_body_that_ends_too_early_is_no_page(name: str) -> None:
    with pytest.raises(EncodingError):
        decode_body(ENCODERS[name](PAGE)[:-9], name, limit=LIMIT)


@pytest.mark.parametrize("name", ENCODERS)
def test_a_body_that_is_something_else_is_no_page(name: str) -> None:
    with pytest.raises(EncodingError):
        decode_body(b"<!doctype html><p>plain", name, limit=LIMIT)


@pytest.mark.parametrize("encodings", ["lzma", "gzip, gzip, gzip, gzip", "\u2603"])
def test_unknown_or_absurd_encodings(encodings: str) -> None:
    with pytest.raises(EncodingError):
        decode_body(b"x", encodings, limit=LIMIT)


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_a_body_of_nothing_but_beginnings_is_no_page(name: str) -> None:
    with pytest.raises(EncodingError, match="more than 32"):
        decode_body(ENCODERS[name](b"a") * 33, name, limit=LIMIT)


@pytest.mark.parametrize("name", ENCODERS)
def test_a_bomb_goes_off_one_byte_past_the_limit(name: str) -> None:
    bomb = ENCODERS[name](bytes(20_000_000))
    tracemalloc.start()
    try:
        content = decode_body(bomb, name, limit=LIMIT)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(content) == LIMIT + 1
    assert peak < 8_000_000
