"""Real pages, where they are at hand: no false alarm, and no exception when they are damaged."""

import gzip
import random
from pathlib import Path

import pytest

from larder.extraction import extract
from larder.sdk import Page
from larder.stages.parse.blocked import block_reason

FIXTURES = Path(__file__).parents[5] / "shared" / "fixtures"
PAGES = sorted(FIXTURES.glob("*/pages/**/*.htm*")) if FIXTURES.is_dir() else []

pytestmark = pytest.mark.skipif(not PAGES, reason="the shared pages are not at hand")


def body(path: Path) -> bytes:
    raw = path.read_bytes()
    return gzip.decompress(raw) if path.suffix == ".gz" else raw


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_real_page_is_taken_for_a_refusal(path: Path) -> None:
    assert block_reason(Page("https://x.test/", body(path))) is None


@pytest.mark.parametrize("path", PAGES[::7], ids=lambda path: path.name)
def test_a_damaged_page_does_not_raise(path: Path) -> None:
    chance = random.Random(path.name)
    damaged = bytearray(body(path)[:200_000])
    for _ in range(200):
        at = chance.randrange(len(damaged))
        damaged[at : at + chance.randrange(3)] = bytes([chance.randrange(256)])
    for kind in ("product", "event", "listing", None):
        found = extract(bytes(damaged), url="https://x.test/a", kind=kind)
        assert found.ok is (found.reason is None)
        assert not [note for note in found.notes if "Error" in note]
