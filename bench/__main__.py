"""All benchmarks, one after the other, and one table of their ratios.

    python -m bench [NAME …] [--write]

Each is a module with a `main` that prints its figures as JSON when asked to; each measures a peer in the same
run, so that the ratio means something on any machine. One that lacks what it reads says so and is left out.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[1]
Line = tuple[str, str, str, str]
"""What is measured, ours, the peer's, the ratio."""


def journey(found: dict[str, Any]) -> list[Line]:
    ours, peer = found["larder"], found["scrapy"]
    return [
        (
            "whole journey, pages a second",
            f"{ours['pages_per_second']}",
            f"{peer['pages_per_second']} (Scrapy)",
            f"{found['ratio']} ×",
        ),
        (
            "whole journey, CPU a page",
            f"{ours['cpu_ms_per_page']} ms",
            f"{peer['cpu_ms_per_page']} ms (Scrapy)",
            f"{found['cpu_ratio']} ×",
        ),
        ("whole journey, memory", f"{ours['rss_mib']} MiB", f"{peer['rss_mib']} MiB (Scrapy)", ""),
    ]


def extract(found: dict[str, Any]) -> list[Line]:
    ours, peer, ratio = found["larder_ms"], found["extruct_ms"], found["ratio"]
    return [
        (f"extraction, {at} of a page", f"{ours[at]} ms", f"{peer[at]} ms (extruct)", f"{ratio[at]} ×")
        for at in ("p50", "p95")
    ]


def fetch(found: dict[str, Any]) -> list[Line]:
    bare = found["bare"]["requests_per_second"]
    return [
        (
            f"fetch {name}, requests a second",
            f"{each['requests_per_second']}",
            f"{bare} (bare client)",
            f"{each['ratio']} ×",
        )
        for name, each in found.items()
        if name != "bare"
    ]


def api(found: dict[str, Any]) -> list[Line]:
    return [
        (
            f"API, {name} of {found['rows']:,} records on {database}, requests a second",
            f"{each[name]['requests_per_second']}",
            f"{each['bare']['requests_per_second']} (bare FastAPI)",
            f"{each[name]['ratio']} ×",
        )
        for database, each in found.items()
        if isinstance(each, dict)
        for name in ("list", "every page another", "search")
    ]


def web(found: dict[str, Any]) -> list[Line]:
    return [
        (
            f"pages over a million records on {database}, first byte p95",
            f"{each['p95_ms']} ms",
            f"{each['bare_p95_ms']} ms (bare FastAPI)",
            f"{round(each['bare_p95_ms'] / each['p95_ms'], 2)} ×",
        )
        for database, each in found.items()
    ]


def scale(found: dict[str, Any]) -> list[Line]:
    cpu, claimed = found["cpu_ms_per_page"], found["lanes_claimed_per_second"]
    return [
        (
            "two drivers, CPU a page",
            f"{cpu['2']} ms",
            f"{cpu['1']} ms (one driver)",
            f"{found['cpu_ratio']} ×",
        ),
        (
            f"two workers, lanes claimed a second of {found['lanes_waiting']:,}",
            f"{claimed['2']}",
            f"{claimed['1']} (one worker)",
            f"{round(claimed['2'] / claimed['1'], 2)} ×",
        ),
    ]


BENCHES: dict[str, Callable[[dict[str, Any]], list[Line]]] = {
    "api": api,
    "extract": extract,
    "fetch": fetch,
    "journey": journey,
    "scale": scale,
    "web": web,
}


def measured(name: str, options: list[str]) -> list[Line]:
    command = [sys.executable, "-m", f"bench.{name}", "--json", *options]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if ran.returncode:
        reason = (ran.stderr.strip().splitlines() or ["no reason given"])[-1]
        return [(name, "not measured", reason, "")]
    return BENCHES[name](json.loads(ran.stdout))


def main(arguments: list[str]) -> int:
    chosen = [name for name in arguments if name in BENCHES] or list(BENCHES)
    options = [option for option in arguments if option.startswith("--")]
    console = Console()
    drawn = Table("what", "Larder", "beside", "ratio", title="one run on one machine: the ratios hold")
    for name in chosen:
        with console.status(f"{name} …"):
            for line in measured(name, options):
                drawn.add_row(*line)
    console.print(drawn)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
