"""Does memory grow with the pages that a process has read? After a million of them, beside ten thousand.

    python -m bench.memory [--json] [--write] [--pages 1000000]

The real driver and store on SQLite in virtual time watch 20,000 pages (`bench.unchanged`), of which one in
twenty has changed at each look. A million take more than a quarter of an hour: `make bench` leaves it out.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench import unchanged
from bench.written import write

WATCHED, FIRST, PAGES = 20_000, 10_000, 1_000_000
CHANGES = 20
"""One page in so many has changed."""
STATUS = Path("/proc/self/status")


def answer(number: str, turn: int, size: int) -> tuple[int, bytes]:
    """A changed page, else 304."""
    if turn and (int(number) + turn) % CHANGES:
        return 304, b""
    return unchanged.changed(number, turn, size)


def resident_mib() -> float:
    """Of this process, now."""
    line = next(each for each in STATUS.read_text().splitlines() if each.startswith("VmRSS:"))
    return round(int(line.split()[1]) / 1024, 1)


def measure(pages: int) -> dict[str, Any]:
    seen: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        shop = unchanged.Shop(answer, 0, Path(folder), pages=WATCHED)
        while shop.pages < pages:
            shop.step()
            if shop.pages >= FIRST:
                seen.setdefault(shop.pages // FIRST * FIRST, resident_mib())
    first, last = min(seen), max(seen)
    return {
        "first_pages": first,
        "first_mib": seen[first],
        "pages": shop.pages,
        "mib": seen[last],
        "seen": seen,
    }


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    found = measure(options.pages)
    if options.write:
        write("memory", found)
    print(json.dumps(found, indent=None if options.json else 2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
