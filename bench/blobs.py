"""Where bodies should lie: packs against a file for each body, the same pages in the same run.

    python -m bench.blobs [--json]

What storing and reading a page costs each way, and the ratios. Pages are made up but look like pages (some
50 KB, mostly markup); they come in batches, as the driver stores them. The ways take turns, and the best of
each one's rounds counts.
"""

import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from larder.store.pages.blobs import BodyLocation, PackedBlobs, compress, content_hash, decompress

BATCH = 32
ROUNDS = 3
PAGES = 1_000
WORDS = [f"word{n}" for n in range(400)]
CARD = (
    '<li class="result-card result-card--wide"><a class="result-card__link" href="/listing/{n}">'
    '<h2>{title}</h2></a><p class="result-card__text">{text}</p>'
    '<span class="price price--rent">€ {n}</span></li>\n'
)


def pages(count: int) -> list[bytes]:
    luck = random.Random(1)

    def card(n: int) -> str:
        return CARD.format(
            n=n, title=" ".join(luck.choices(WORDS, k=6)), text=" ".join(luck.choices(WORDS, k=25))
        )

    cards = [card(n) for n in range(5_000)]
    return ["".join(luck.choices(cards, k=130)).encode() + str(i).encode() for i in range(count)]


class Files:
    """A file for each body, named by its hash, two folders deep: the usual way."""

    def __init__(self, folder: Path, *, sync: bool = False) -> None:
        self._folder = folder
        self._sync = sync

    def put(self, bodies: Sequence[bytes]) -> list[BodyLocation]:
        return [self._put(body, chunk) for body, chunk in zip(bodies, compress(bodies), strict=True)]

    def _put(self, body: bytes, chunk: bytes) -> BodyLocation:
        name = content_hash(body)
        path = self._folder / name[:2] / name[2:4] / name
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".part")
        with partial.open("wb") as file:
            file.write(chunk)
            if self._sync:
                file.flush()
                os.fdatasync(file.fileno())
        partial.rename(path)
        return BodyLocation(content_hash=name, location=str(path), size=len(body), stored_size=len(chunk))

    def read(self, location: str, content_hash: str) -> bytes | None:
        return decompress(Path(location).read_bytes(), content_hash)


class Packs(PackedBlobs):
    """The product's own, without the hop into a thread that the event loop is spared by."""

    def put_now(self, bodies: Sequence[bytes]) -> list[BodyLocation]:
        return self._put(bodies)


@dataclass
class Way:
    """One way to store, and its best times so far, in seconds."""

    make: Callable[[Path], Files | Packs]
    stored: float = float("inf")
    read: float = float("inf")

    def measure(self, folder: Path, bodies: Sequence[bytes]) -> None:
        store = self.make(folder)
        put = store.put_now if isinstance(store, Packs) else store.put
        started = time.perf_counter()
        places = [place for batch in batches(bodies) for place in put(batch)]
        self.stored = min(self.stored, time.perf_counter() - started)
        shuffled = random.Random(2).sample(places, len(places))
        started = time.perf_counter()
        assert all(store.read(place.location, place.content_hash) is not None for place in shuffled)
        self.read = min(self.read, time.perf_counter() - started)


def batches(bodies: Sequence[bytes]) -> Iterable[Sequence[bytes]]:
    return (bodies[i : i + BATCH] for i in range(0, len(bodies), BATCH))


def squeezing(bodies: Sequence[bytes]) -> float:
    """What compressing and hashing cost, whichever way is taken."""
    started = time.perf_counter()
    for batch in batches(bodies):
        compress(batch)
        for body in batch:
            content_hash(body)
    return time.perf_counter() - started


def measured() -> dict[str, float]:
    """Microseconds a page, and ratios: how many times as fast packs are."""
    bodies = pages(PAGES)
    files, packs = Way(Files), Way(Packs)
    synced_files = Way(lambda folder: Files(folder, sync=True))
    synced_packs = Way(lambda folder: Packs(folder, sync=True))
    bare = min(squeezing(bodies) for _ in range(ROUNDS))
    for _ in range(ROUNDS):
        for way in (files, packs, synced_files, synced_packs):
            with tempfile.TemporaryDirectory() as folder:
                way.measure(Path(folder), bodies)
    times = {
        "compress_and_hash_us": bare,
        "files_store_us": files.stored,
        "packs_store_us": packs.stored,
        "files_read_us": files.read,
        "packs_read_us": packs.read,
        "files_store_synced_us": synced_files.stored,
        "packs_store_synced_us": synced_packs.stored,
    }
    return {
        **{name: round(seconds * 1e6 / PAGES) for name, seconds in times.items()},
        "ratio": round(files.stored / packs.stored, 2),
        "ratio_writing_alone": round((files.stored - bare) / max(packs.stored - bare, 1e-9), 1),
        "ratio_read": round(files.read / packs.read, 2),
        "ratio_synced": round(synced_files.stored / synced_packs.stored, 1),
        "times_smaller": round(sum(map(len, bodies)) / sum(map(len, compress(bodies))), 1),
    }


def main() -> None:
    found = measured()
    if "--json" in sys.argv:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name.replace('_', ' '):28} {value:>10}")


if __name__ == "__main__":
    main()
