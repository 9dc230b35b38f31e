"""All benchmarks, one after the other; what they found as one table.

    python -m bench [NAME …] [--write]

Each is a module with a `main` that prints its figures as JSON when asked to; each measures a peer in the same
run, in rounds that take turns, so that the ratio means something on any machine. One that lacks what it reads
or takes too long says so and is left out. The figures go to bench/results.json and results.md; `--write`
keeps those of each benchmark in bench/results/NAME.json as well.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).parent / "results.json"
TITLES = ["what", "Larder", "beside", "ratio", "spread", "goal", "met", "rounds"]
LONGEST = 900
"""Seconds that one benchmark may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured figure beside its peer's."""

    name: str
    ours: float
    peer: float
    ratio: float
    """Above 1 is better for us, unless the goal is a most."""
    unit: str
    beside: str = ""
    rounds: int = 1
    spread: Sequence[float] = ()
    """The lowest and the highest ratio of a round."""
    least: float | None = None
    most: float | None = None

    @property
    def goal(self) -> str:
        """The ratio that is asked for; empty where none is."""
        if self.least is not None:
            return f"≥ {self.least:g}"
        return f"≤ {self.most:g}" if self.most is not None else ""

    @property
    def met(self) -> bool | None:
        """Whether the goal is reached; None where there is none."""
        if self.least is not None:
            return self.ratio >= self.least
        return self.ratio <= self.most if self.most is not None else None

    def row(self) -> dict[str, Any]:
        """As it is written to results.json."""
        told = {key: value for key, value in asdict(self).items() if key not in ("least", "most")}
        return {**told, "goal": self.goal, "met": self.met}


_JOURNEYS = {"small": ("small pages", None, 2.0), "large": ("50 KB pages", 4.0, 3.0)}
"""Sizes of pages: their name, and the goals of pages a second and of CPU a page."""


def journey(found: dict[str, Any]) -> list[Figure]:
    return [figure for pages, each in found.items() for figure in _journey(each, *_JOURNEYS[pages])]


def _journey(found: dict[str, Any], pages: str, faster: float | None, less: float) -> list[Figure]:
    ours, peer = found["larder"], found["scrapy"]
    rounds = found["rounds"]
    return [
        Figure(
            name=f"whole journey, {pages}: pages a second",
            ours=ours["pages_per_second"], peer=peer["pages_per_second"], ratio=found["ratio"],
            unit="pages/s", beside="Scrapy", rounds=rounds, least=faster,
        ),
        Figure(
            name=f"whole journey, {pages}: CPU a page",
            ours=ours["cpu_ms_per_page"], peer=peer["cpu_ms_per_page"], ratio=found["cpu_ratio"],
            unit="ms", beside="Scrapy", rounds=rounds, spread=found["cpu_spread"], least=less,
        ),
        Figure(
            name=f"whole journey, {pages}: memory of the main process",
            ours=ours["rss_mib"], peer=peer["rss_mib"], ratio=round(peer["rss_mib"] / ours["rss_mib"], 2),
            unit="MiB", beside="Scrapy", rounds=rounds,
        ),
    ]  # fmt: skip


def extract(found: dict[str, Any]) -> list[Figure]:
    kinds = {"real product pages": found} | {
        name: each for name, each in found.items() if isinstance(each, dict) and "pages" in each
    }
    goals = {("real product pages", "p50"): 4.0, ("real product pages", "p95"): 2.5}
    return [
        Figure(
            name=f"extraction, {kind}: {at} of a page",
            ours=each["larder_ms"][at], peer=each["extruct_ms"][at], ratio=each["ratio"][at],
            unit="ms", beside="extruct", rounds=found["rounds"], least=goals.get((kind, at)),
        )
        for kind, each in kinds.items()
        for at in ("p50", "p95")
    ]  # fmt: skip


def fetch(found: dict[str, Any]) -> list[Figure]:
    return [
        Figure(
            name=f"fetch {name}", ours=each["requests_per_second"], peer=found["bare"]["requests_per_second"],
            ratio=each["ratio"], unit="requests/s", beside="bare client",
        )
        for name, each in found.items()
        if name != "bare"
    ]  # fmt: skip


_API_GOALS = {"list": 0.4, "every page another": 0.08, "search": 0.1}


def api(found: dict[str, Any]) -> list[Figure]:
    return [
        Figure(
            name=f"API, {name} of {found['rows']:,} records on {database}",
            ours=each[name]["requests_per_second"], peer=each["bare"]["requests_per_second"],
            ratio=each[name]["ratio"], unit="requests/s", beside="bare FastAPI", least=least,
        )
        for database, each in found.items()
        if isinstance(each, dict)
        for name, least in _API_GOALS.items()
    ]  # fmt: skip


def web(found: dict[str, Any]) -> list[Figure]:
    return [
        Figure(
            name=f"pages over a million records on {database}: first byte p95",
            ours=each["p95_ms"], peer=each["bare_p95_ms"],
            ratio=round(each["bare_p95_ms"] / each["p95_ms"], 2), unit="ms", beside="bare FastAPI",
        )
        for database, each in found.items()
    ]  # fmt: skip


def scale(found: dict[str, Any]) -> list[Figure]:
    cpu, claimed = found["cpu_ms_per_page"], found["lanes_claimed_per_second"]
    return [
        Figure(
            name="two drivers: CPU a page", ours=cpu["2"], peer=cpu["1"], ratio=found["cpu_ratio"],
            unit="ms", beside="one driver", rounds=found["rounds"],
            spread=(found["cpu_ratios"][0], found["cpu_ratios"][-1]), most=1.1,
        ),
        Figure(
            name=f"two workers: lanes claimed of {found['lanes_waiting']:,}",
            ours=claimed["2"], peer=claimed["1"], ratio=round(claimed["2"] / claimed["1"], 2),
            unit="lanes/s", beside="one worker",
        ),
    ]  # fmt: skip


def many_sites(found: list[dict[str, Any]]) -> list[Figure]:
    return [
        Figure(
            name=f"{each['sites']} polite sites, a request in {each['spacing']:g} s each",
            ours=each["requests_per_second"], peer=each["sites"] / each["spacing"],
            ratio=each["of_possible"], unit="requests/s", beside="the sites' limits", least=0.95,
        )
        for each in found
    ]  # fmt: skip


def serving(found: dict[str, Any]) -> list[Figure]:
    kinds = (("larder", "ratio", "", 2.0), ("new", "ratio_of_new", ", queries never asked before", None))
    return [
        Figure(
            name=f"API and pages while a crawl runs flat out on {database}: first byte p95{which}",
            ours=each[name]["p95_ms"], peer=each["bare"]["p95_ms"], ratio=each[ratio],
            unit="ms", beside="bare FastAPI", most=most,
        )
        for database, each in found.items()
        for name, ratio, which, most in kinds
    ]  # fmt: skip


def index_pages(found: dict[str, Any]) -> list[Figure]:
    return [
        Figure(
            name=f"index pages of {found['rows_a_page']} rows: CPU of a commit, a row",
            ours=found["larder_us_a_row"], peer=found["bare_us_a_row"], ratio=found["ratio"],
            unit="µs", beside="bare batch upsert", rounds=found["pages"], spread=found["spread"], least=0.3,
        )
    ]  # fmt: skip


BENCHES: dict[str, Callable[[Any], list[Figure]]] = {
    "api": api,
    "extract": extract,
    "fetch": fetch,
    "index_pages": index_pages,
    "journey": journey,
    "many_sites": many_sites,
    "scale": scale,
    "serving": serving,
    "web": web,
}


def measured(name: str, options: list[str]) -> list[Figure] | str:
    """What a benchmark found, or why it found nothing."""
    command = [sys.executable, "-m", f"bench.{name}", "--json", *options]
    try:
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return f"not measured: it took longer than {LONGEST} s"
    if ran.returncode:
        return f"not measured: {(ran.stderr.strip().splitlines() or ['no reason given'])[-1]}"
    return BENCHES[name](json.loads(ran.stdout))


def markdown(rows: Sequence[Mapping[str, Any]]) -> str:
    """The figures as a table."""
    lines = [TITLES, ["---"] * len(TITLES), *map(_cells, rows)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _cells(row: Mapping[str, Any]) -> list[str]:
    met = {True: "yes", False: "no", None: ""}[row["met"]]
    spread = "–".join(f"{value:g}" for value in row["spread"])
    peer = f"{row['peer']:g} {row['unit']} ({row['beside']})"
    ours = f"{row['ours']:g} {row['unit']}"
    return [row["name"], ours, peer, f"{row['ratio']:g} ×", spread, row["goal"], met, str(row["rounds"])]


def keep(figures: Sequence[Figure]) -> None:
    """Write the figures; those of benchmarks that did not run now stay as they were."""
    names = {each.name for each in figures}
    before = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    rows = [row for row in before if row["name"] not in names] + [each.row() for each in figures]
    RESULTS.write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
    RESULTS.with_suffix(".md").write_text(markdown(rows))


def main(arguments: list[str]) -> int:
    """Run the chosen benchmarks, or all; print and keep what they find."""
    chosen = [name for name in arguments if name in BENCHES] or list(BENCHES)
    options = [option for option in arguments if option.startswith("--")]
    console, figures = Console(), list[Figure]()
    drawn = Table(*TITLES, title="one run on one machine: the ratios hold")
    for name in chosen:
        with console.status(f"{name} …"):
            found = measured(name, options)
        if isinstance(found, str):
            drawn.add_row(name, found)
            continue
        figures += found
        for each in found:
            drawn.add_row(*_cells(each.row()))
    console.print(drawn)
    keep(figures)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
