"""How fast is the whole journey? Pages a second of a discovery on embedded SQLite, beside Scrapy and Crawlee.

    python -m bench.journey [--json] [--write] [--rounds 3] [small] [large] [real] [postgresql]

With small pages (5 KB), with pages of 50 KB (Crawlee reads these as well), with those on PostgreSQL, and with
real pages of shops, which Scrapy reads by extruct. All read the same site (its own process, pages drawn in
advance) to the end: the index, then every page of a thing, robots.txt obeyed, so many requests at once and no
pause between them; the same fields end as rows in SQLite. Each is a process of its own, in alternating rounds
of one run. Larder also keeps every body, every version, price and seller history and the sightings; the peers
keep the rows. CPU is that of all processes of each, Larder's parse workers among them, but not that of a
server.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.written import write
from tests.proofs.postgres import empty_database

ROOT = Path(__file__).resolve().parents[1]
AT_ONCE = 32
ROUNDS = 3

Cost = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What is read, and by whom beside Larder."""

    served: tuple[str, ...]
    """The command of its server."""
    listings: int | None = 1_000
    """Of which each must become a row; None: as many as there are."""
    peers: tuple[str, ...] = ("scrapy",)
    shops: bool = False
    postgresql: bool = False


SITES = {
    "small": Site(served=("homes", "2000"), listings=2_000),
    "large": Site(served=("homes", "1000", "50000"), peers=("scrapy", "crawlee")),
    "real": Site(served=("shop_pages", "3"), listings=None, shops=True),
    "postgresql": Site(served=("homes", "1000", "50000"), postgresql=True),
}


@contextmanager
def served(command: tuple[str, ...]) -> Iterator[int]:
    """The port of a site that another process serves."""
    run = [sys.executable, "-m", f"bench.{command[0]}", *command[1:]]
    process = subprocess.Popen(run, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        said = process.stdout.readline() if process.stdout else ""
        if not said:
            raise SystemExit(f"{command[0]} does not serve")
        yield int(said)
    finally:
        process.kill()
        process.communicate()


def crawl(peer: str, port: int, site: Site) -> Cost:
    """One round; a crawl that left something out does not count."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        command = [sys.executable, "-m", f"bench.journey_{peer}", str(port), str(AT_ONCE), folder]
        command += ["shops"] if site.shops else []
        command += [stack.enter_context(empty_database())] if site.postgresql and peer == "larder" else []
        said = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    cost: Cost = json.loads(said.splitlines()[-1])
    wanted = site.listings
    if wanted and (cost["rows"] != wanted or cost["pages"] != wanted + -(-wanted // 90)):
        raise RuntimeError(f"{peer} read {cost['pages']} pages into {cost['rows']} rows")
    return cost


def race(site: Site, rounds: int) -> dict[str, list[Cost]]:
    """What Larder and each peer took, round by round."""
    peers = ("larder", *site.peers)
    with served(site.served) as port:
        costs = [{peer: crawl(peer, port, site) for peer in peers} for _ in range(rounds)]
    return {peer: [each[peer] for each in costs] for peer in peers}


def verdict(costs: dict[str, list[Cost]]) -> dict[str, Any]:
    """Medians, and ratios of rounds that ran next to each other."""
    told: dict[str, Any] = {peer: _medians(rounds) for peer, rounds in costs.items()}
    ours = costs["larder"]
    beside = {peer: _beside(ours, rounds) for peer, rounds in costs.items() if peer != "larder"}
    return {**told, "beside": beside, "rounds": len(ours)}


def _beside(ours: list[Cost], peer: list[Cost]) -> dict[str, Any]:
    pairs = list(zip(ours, peer, strict=True))
    less = [b["cpu"] / b["pages"] / (a["cpu"] / a["pages"]) for a, b in pairs]
    faster = [b["seconds"] / b["pages"] / (a["seconds"] / a["pages"]) for a, b in pairs]
    return {
        "ratio": round(statistics.median(faster), 2),
        "spread": [round(min(faster), 2), round(max(faster), 2)],
        "cpu_ratio": round(statistics.median(less), 2),
        "cpu_spread": [round(min(less), 2), round(max(less), 2)],
    }


def _medians(rounds: list[Cost]) -> Cost:
    return {
        "pages": rounds[0]["pages"],
        "rows": rounds[0]["rows"],
        "pages_per_second": round(statistics.median(r["pages"] / r["seconds"] for r in rounds)),
        "cpu_seconds": round(statistics.median(r["cpu"] for r in rounds), 2),
        "cpu_ms_per_page": round(statistics.median(r["cpu"] / r["pages"] * 1000 for r in rounds), 2),
        "rss_mib": round(statistics.median(r["rss_kib"] for r in rounds) / 1024),
    }


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sites", nargs="*", choices=[[], *SITES])
    parser.add_argument("--only", action="append", default=[], choices=list(SITES))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args(arguments)
    chosen = [*asked.sites, *asked.only] or ["small", "large"]
    costs = {name: race(SITES[name], asked.rounds) for name in chosen}
    found = {name: verdict(each) for name, each in costs.items()}
    if asked.write:
        write("journey", {**found, "at_once": AT_ONCE, "all": costs})
    if asked.json:
        print(json.dumps(found))
        return 0
    for name, told in found.items():
        show(name, told)
    return 0


def show(name: str, told: dict[str, Any]) -> None:
    """Print what was found with one site."""
    print(f"{name:10} {'pages/s':>8} {'CPU s':>7} {'CPU ms a page':>14} {'RSS MiB':>8} {'rows':>6}")
    for peer in ("larder", *told["beside"]):
        found = told[peer]
        print(
            f"{peer:10} {found['pages_per_second']:8} {found['cpu_seconds']:7} "
            f"{found['cpu_ms_per_page']:14} {found['rss_mib']:8} {found['rows']:6}"
        )
    for peer, ratio in told["beside"].items():
        print(
            f"{ratio['ratio']} times the pages a second of {peer}; CPU a page {ratio['cpu_ratio']} times less"
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
