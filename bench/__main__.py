"""All benchmarks, one after the other; what they found as one table.

    python -m bench [NAME …] [--again] [OPTION …]

Each is a module with a `main` that prints its figures as JSON when asked to; each measures a peer in the same
run, in rounds that take turns, so that the ratio means something on any machine. Its rows go to
bench/results.json and results.md as soon as they are known; what was measured with the present source is not
measured again, so that a run that was ended goes on where it was. A NAME is one of `bench/parts.py`, a module
or a group: `short` and `million` run by themselves, `long` only if it is named. Other options are the
benchmark's own. One that lacks what it reads or takes too long says so and is left out.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console

from bench.figure import Figure
from bench.parts import EVERY, GROUPS, USUAL, Part
from tests.proofs.proof import digest_of

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).parent / "results.json"
TITLES = ["what", "Larder", "beside", "ratio", "spread", "goal", "met", "rounds", "load"]
LONGEST = 3600
"""Seconds that one part may take."""

Row = dict[str, Any]


def measured(part: Part, options: Sequence[str]) -> list[Figure] | str:
    """What a benchmark found, or why it found nothing."""
    command = [sys.executable, "-m", f"bench.{part.module}", "--json", *part.options, *options]
    try:
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return f"not measured: it took longer than {LONGEST} s"
    if ran.returncode:
        return f"not measured: {(ran.stderr.strip().splitlines() or ['no reason given'])[-1]}"
    return part.figures(json.loads(ran.stdout))


def markdown(rows: Sequence[Mapping[str, Any]]) -> str:
    """The figures as a table."""
    lines = [TITLES, ["---"] * len(TITLES), *map(_cells, rows)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _cells(row: Mapping[str, Any]) -> list[str]:
    met = {True: "yes", False: "no", None: ""}[row["met"]]
    spread = "–".join(f"{value:g}" for value in row["spread"])
    peer = f"{row['peer']:g} {row['unit']} ({row['beside']})"
    ours, load = f"{row['ours']:g} {row['unit']}", row.get("load", "")
    ratio, rounds = f"{row['ratio']:g} ×", str(row["rounds"])
    return [row["name"], ours, peer, ratio, spread, row["goal"], met, rounds, f"{load}"]


def known() -> list[Row]:
    """The rows that are written down."""
    rows: list[Row] = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    return rows


def keep(part: Part, found: Sequence[Figure], source: str, load: float) -> None:
    """Write the rows of a part in the place of those it had, in the order of the parts."""
    names = [each.name for each in EVERY]
    made = {"part": part.name, "source": source, "date": datetime.now(UTC).date().isoformat(), "load": load}
    others = [row for row in known() if row.get("part") in names and row["part"] != part.name]
    rows = [*others, *({**each.row(), **made} for each in found)]
    rows.sort(key=lambda row: names.index(row["part"]))
    RESULTS.write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
    RESULTS.with_suffix(".md").write_text(markdown(rows))


def chosen(names: Sequence[str]) -> list[Part]:
    """The parts that were named, or the usual ones."""
    named = [part for name in names for part in GROUPS.get(name, ())]
    named += [part for part in EVERY if {part.name, part.module} & set(names)]
    return named or list(USUAL)


def main(arguments: list[str]) -> int:
    """Run the chosen benchmarks; print and keep what they find."""
    every = {*GROUPS, *(part.name for part in EVERY), *(part.module for part in EVERY)}
    names = [each for each in arguments if each in every]
    options = [each for each in arguments if each not in every and each != "--again"]
    source, console = digest_of("src/larder", "bench"), Console(highlight=False)
    done = set() if "--again" in arguments else {r["part"] for r in known() if r.get("source") == source}
    for part in chosen(names):
        if part.name in done:
            console.print(f"{part.name}: known")
            continue
        began, load = time.monotonic(), round(os.getloadavg()[0], 1)
        found = measured(part, options)
        console.print(f"{part.name}: {time.monotonic() - began:.0f} s")
        if isinstance(found, str):
            console.print(f"  {found}")
            continue
        keep(part, found, source, load)
        for each in found:
            console.print(f"  {' · '.join(cell for cell in _cells(each.row()) if cell)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
