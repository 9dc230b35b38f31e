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
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.figures import BENCHES, Figure

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).parent / "results.json"
TITLES = ["what", "Larder", "beside", "ratio", "spread", "goal", "met", "rounds"]
LONGEST = 900
"""Seconds that one benchmark may take."""


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
