"""How fast is the whole journey? Pages a second of a discovery on embedded SQLite, beside Scrapy.

    python -m bench.journey [--json] [--write] [--only small|large]

Once with small pages (5 KB), once with pages of 50 KB. Both read the same made-up site (its own process,
pages drawn in advance) to the end: the index, then every listing's page, robots.txt obeyed, so many requests
at once and no pause between them; the same fields end as rows in SQLite. Each is a process of its own, in
alternating rounds of one run. Larder also keeps every body, every version, price and seller history and the
sightings; Scrapy keeps the rows. CPU is that of all processes of each, Larder's parse workers among them.
"""

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULT = Path(__file__).parent / "results" / "journey.json"
LISTINGS = {"small": 2_000, "large": 1_000}
BYTES = {"small": 0, "large": 50_000}
"""Of a listing's own page; 0: as the site draws it."""
AT_ONCE = 32
ROUNDS = 3
PEERS = ("larder", "scrapy")

Cost = dict[str, float]


@contextmanager
def site(listings: int, size: int) -> Iterator[int]:
    command = [sys.executable, "-m", "bench.homes", str(listings), str(size)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        yield int(process.stdout.readline() if process.stdout else 0)
    finally:
        process.kill()
        process.communicate()


def crawl(peer: str, port: int, listings: int) -> Cost:
    """One round; a crawl that left something out does not count."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", f"bench.journey_{peer}", str(port), str(AT_ONCE), folder]
        said = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    cost: Cost = json.loads(said.splitlines()[-1])
    if cost["rows"] != listings or cost["pages"] != listings + -(-listings // 90):
        raise RuntimeError(f"{peer} read {cost['pages']} pages into {cost['rows']} rows")
    return cost


def race(pages: str) -> dict[str, list[Cost]]:
    listings = LISTINGS[pages]
    with site(listings, BYTES[pages]) as port:
        rounds = [{peer: crawl(peer, port, listings) for peer in PEERS} for _ in range(ROUNDS)]
    return {peer: [each[peer] for each in rounds] for peer in PEERS}


def verdict(costs: dict[str, list[Cost]]) -> dict[str, Any]:
    """Medians, and ratios of rounds that ran next to each other."""
    told: dict[str, Any] = {peer: _medians(rounds) for peer, rounds in costs.items()}
    pairs = list(zip(costs["larder"], costs["scrapy"], strict=True))
    told["ratio"] = round(statistics.median(b["seconds"] / a["seconds"] for a, b in pairs), 2)
    less = [b["cpu"] / a["cpu"] for a, b in pairs]
    told["cpu_ratio"] = round(statistics.median(less), 2)
    told |= {"rounds": len(pairs), "cpu_spread": [round(min(less), 2), round(max(less), 2)]}
    return told


def _medians(rounds: list[Cost]) -> Cost:
    return {
        "pages_per_second": round(statistics.median(r["pages"] / r["seconds"] for r in rounds)),
        "cpu_seconds": round(statistics.median(r["cpu"] for r in rounds), 2),
        "cpu_ms_per_page": round(statistics.median(r["cpu"] / r["pages"] * 1000 for r in rounds), 2),
        "rss_mib": round(statistics.median(r["rss_kib"] for r in rounds) / 1024),
    }


def main(arguments: list[str]) -> int:
    chosen = [pages for pages in LISTINGS if "--only" not in arguments or pages in arguments]
    costs = {pages: race(pages) for pages in chosen}
    found = {pages: verdict(each) for pages, each in costs.items()}
    if "--write" in arguments:
        machine = {"cores": os.cpu_count(), "python": platform.python_version()}
        setting = {
            "listings": LISTINGS,
            "bytes": BYTES,
            "at_once": AT_ONCE,
            "rounds": ROUNDS,
            "machine": machine,
        }
        date = datetime.now(UTC).date().isoformat()
        RESULT.parent.mkdir(exist_ok=True)
        RESULT.write_text(
            json.dumps({"date": date, **setting, "found": found, "all": costs}, indent=2) + "\n"
        )
    if "--json" in arguments:
        print(json.dumps(found, indent=2))
        return 0
    for pages, told in found.items():
        show(pages, told)
    return 0


def show(pages: str, told: dict[str, Any]) -> None:
    """Print what was found with pages of one size."""
    print(f"{pages:8} {'pages/s':>8} {'CPU s':>7} {'CPU ms a page':>14} {'RSS MiB':>8}")
    for peer in PEERS:
        found = told[peer]
        print(
            f"{peer:8} {found['pages_per_second']:8} {found['cpu_seconds']:7} "
            f"{found['cpu_ms_per_page']:14} {found['rss_mib']:8}"
        )
    print(f"pages a second: {told['ratio']} times Scrapy's; CPU a page: {told['cpu_ratio']} times less")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
