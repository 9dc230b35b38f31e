"""How fast is extraction? Milliseconds per real page, whole cascade with normalization, beside extruct.

    python -m bench.extract [--json] [--write]

Both read the same pages of products and amazon (from ../shared/fixtures) in one run, page by page in turn.
What is counted is CPU time, the best of five: whatever else the machine does meanwhile does not count.
"""

import gzip
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import extruct

from bench.written import write
from larder.extraction import extract

FIXTURES = Path(__file__).parents[2] / "shared" / "fixtures"
ROUNDS = 5


def pages() -> list[tuple[str | None, bytes]]:
    found = []
    for name in ("products", "amazon"):
        for line in (FIXTURES / name / "index.jsonl").read_text().splitlines():
            entry = json.loads(line)
            path = FIXTURES / name / entry["file"]
            if path.exists():
                raw = path.read_bytes()
                url = entry.get("url")
                found.append((url, gzip.decompress(raw) if path.suffix == ".gz" else raw))
    return found


def ours(url: str | None, body: bytes) -> bool:
    found = extract(body, url=url, kind="product")
    return bool(found.items and found.items[0].get("price"))


def theirs(url: str | None, body: bytes) -> bool:
    text = body.decode("utf-8", "replace")
    found = extruct.extract(text, base_url=url, syntaxes=["json-ld", "microdata"], errors="ignore")
    return '"price"' in json.dumps(found)


def fastest(read: Callable[[str | None, bytes], bool], url: str | None, body: bytes) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.thread_time()
        read(url, body)
        best = min(best, time.thread_time() - start)
    return best * 1000


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def measure() -> dict[str, Any]:
    sample = pages()
    pairs = [(fastest(ours, url, body), fastest(theirs, url, body)) for url, body in sample]
    mine, peer = [first for first, _ in pairs], [second for _, second in pairs]
    p50 = statistics.median
    return {
        "pages": len(sample),
        "median_kb": round(statistics.median(len(body) for _, body in sample) / 1024),
        "larder_ms": {"p50": round(p50(mine), 2), "p95": round(p95(mine), 2)},
        "extruct_ms": {"p50": round(p50(peer), 2), "p95": round(p95(peer), 2)},
        "ratio": {"p50": round(p50(peer) / p50(mine), 1), "p95": round(p95(peer) / p95(mine), 1)},
        "prices_found": {
            "larder": sum(ours(url, body) for url, body in sample),
            "extruct": sum(theirs(url, body) for url, body in sample),
        },
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
