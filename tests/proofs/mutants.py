"""Pages as no site would send them, made from pages as sites do: cut, doubled, spliced, garbled."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from larder import adapters
from larder.sdk.testing import cases
from tests.unit.extraction.platforms import AGENDAS, SHOPS

LONGEST = 20_000
PIECES = (
    b"<", b">", b"&", b"\x00", b"\xff\xfe", b"<!--", b"-->", b"</script>", b'"', b"'", b"{", b"}", b"[", b"]",
    b"<script type=application/ld+json>", b'{"@type":"Product","offers":', b"itemscope itemprop=offers ",
    b"<del>", b"<template>", b"<svg>", b"<table><tr><td>", b"&#x", b"\\u", b"1e999", b"-0", b"9" * 20,
    b"\xc4\xb0", "€ 1.234,56".encode(), b"31-02-2026", b"29:99", b"SKU:", b"class=price", b"<h1>",
    b"<base href=//[>", b"\xe2\x80\xae",
)  # fmt: skip

Mutation = Callable[[bytes, Random], bytes]


def seeds() -> list[bytes]:
    """Our own pages: those of shop and agenda systems, and the adapters' fixtures."""
    made = [shop.html.encode() for shop in SHOPS.values()]
    made += [agenda.html.encode() for agenda in AGENDAS.values()]
    saved = [case.body for adapter in adapters.known() for case in cases(adapter) if case.body]
    return [page[:LONGEST] for page in (*made, *saved)]


def write(folder: Path) -> Path:
    """The seeds as files, for a fuzzer that wants a folder of them."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, page in enumerate(seeds()):
        (folder / f"{number:03}").write_bytes(bytes([number % 256]) + page)
    return folder


def mutants(many: int, random: Random) -> Iterator[bytes]:
    """The same for the same seed."""
    pages = seeds()
    for _ in range(many):
        page = random.choice(pages)
        for _ in range(random.randint(1, 8)):
            page = random.choice(MUTATIONS)(page, random)
        yield page[:LONGEST]


def _cut(page: bytes, random: Random) -> bytes:
    start, end = sorted((random.randint(0, len(page)), random.randint(0, len(page))))
    return page[:start] + page[end:]


def _doubled(page: bytes, random: Random) -> bytes:
    start, end = sorted((random.randint(0, len(page)), random.randint(0, len(page))))
    return page[:end] + page[start:end] * random.randint(1, 3) + page[end:]


def _garbled(page: bytes, random: Random) -> bytes:
    changed = bytearray(page)
    for _ in range(random.randint(1, 20)):
        if changed:
            changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def _spliced(page: bytes, random: Random) -> bytes:
    at = random.randint(0, len(page))
    return page[:at] + random.choice(PIECES) * random.choice((1, 1, 1, 50)) + page[at:]


def _crossed(page: bytes, random: Random) -> bytes:
    other = random.choice(_pages())
    return page[: random.randint(0, len(page))] + other[random.randint(0, len(other)) :]


_known: list[bytes] = []


def _pages() -> Sequence[bytes]:
    _known.extend(() if _known else seeds())
    return _known


MUTATIONS: tuple[Mutation, ...] = (_cut, _doubled, _garbled, _spliced, _crossed)
