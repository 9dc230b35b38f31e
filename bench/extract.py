"""How fast is extraction? Milliseconds per real page, whole cascade with normalization, beside extruct.

    python -m bench.extract [--json] [--write]

Both read the same pages (from ../shared/fixtures) in one run: rounds over all pages, each by both in turn.
What is counted is CPU time, the best of five rounds: whatever else the machine does meanwhile does not
count, and what a page left in a cache is mostly gone when its turn comes again.
"""

import gzip
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import extruct

from bench.written import write
from larder.extraction import extract

FIXTURES = Path(__file__).parents[2] / "shared" / "fixtures"
ROUNDS = 5


Sample = tuple[str, str | None, bytes]
"""What a page is read as, its address and its body."""


def products() -> list[Sample]:
    entries = [
        (FIXTURES / name, json.loads(line))
        for name in ("products", "amazon")
        for line in (FIXTURES / name / "index.jsonl").read_text().splitlines()
    ]
    return [
        ("product", entry.get("url"), body(folder / entry["file"]))
        for folder, entry in entries
        if (folder / entry["file"]).exists()
    ]


def wild() -> dict[str, list[Sample]]:
    """Pages of sites that nothing was made for: by what they show."""
    found: dict[str, list[Sample]] = {}
    for name, kind in (("products", "product"), ("listings", "listing"), ("events", "event")):
        for line in (FIXTURES / "wild" / name / "cases.jsonl").read_text().splitlines():
            case = json.loads(line)
            shown = "wild index pages" if kind == "listing" and "rows" in case["expected"] else f"wild {name}"
            page = body(FIXTURES / "wild" / name / case["file"])
            found.setdefault(shown, []).append((kind, case["url"], page))
    return found


def body(path: Path) -> bytes:
    raw = path.read_bytes()
    return gzip.decompress(raw) if path.suffix == ".gz" else raw


def ours(kind: str, url: str | None, body: bytes) -> bool:
    found = extract(body, url=url, kind=kind)
    return bool(found.items and found.items[0].get("price"))


def theirs(_kind: str, url: str | None, body: bytes) -> bool:
    text = body.decode("utf-8", "replace")
    found = extruct.extract(text, base_url=url, syntaxes=["json-ld", "microdata"], errors="ignore")
    return '"price"' in json.dumps(found)


def fastest(sample: list[Sample]) -> tuple[list[float], list[float]]:
    """Milliseconds for each page: ours and theirs."""
    best = [[float("inf")] * len(sample) for _ in READERS]
    for _ in range(ROUNDS):
        for at, page in enumerate(sample):
            for times, read in zip(best, READERS, strict=True):
                start = time.thread_time()
                read(*page)
                times[at] = min(times[at], (time.thread_time() - start) * 1000)
    return best[0], best[1]


READERS = (ours, theirs)


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def compared(sample: list[Sample]) -> dict[str, Any]:
    mine, peer = fastest(sample)
    p50 = statistics.median
    return {
        "pages": len(sample),
        "median_kb": round(p50(len(page) for _, _, page in sample) / 1024),
        "larder_ms": {"p50": round(p50(mine), 2), "p95": round(p95(mine), 2)},
        "extruct_ms": {"p50": round(p50(peer), 2), "p95": round(p95(peer), 2)},
        "ratio": {"p50": round(p50(peer) / p50(mine), 1), "p95": round(p95(peer) / p95(mine), 1)},
    }


def measure() -> dict[str, Any]:
    sample = products()
    return {
        "rounds": ROUNDS,
        **compared(sample),
        "prices_found": {
            "larder": sum(ours(*page) for page in sample),
            "extruct": sum(theirs(*page) for page in sample),
        },
        **{name: compared(pages) for name, pages in wild().items()},
    }


def main(arguments: list[str]) -> int:
    if not FIXTURES.is_dir():
        print(f"no pages to measure with: {FIXTURES} is absent", file=sys.stderr)
        return 2
    figures = measure()
    if "--write" in arguments:
        write("extract", figures)
    if "--json" in arguments:
        print(json.dumps(figures))
        return 0
    for name, value in figures.items():
        print(f"{name:14} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
