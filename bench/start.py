"""What does a start cost? `larder status` in an empty folder's Larder, beside `scrapy version`.

    python -m bench.start [--json] [--write]

CPU of the whole process, the median of rounds that take turns; each has been started once before.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from bench.written import write

BIN = Path(sys.executable).parent
COMMANDS = {"larder": ("larder", "status"), "scrapy": ("scrapy", "version")}
ROUNDS = 9


def cpu_of(command: tuple[str, ...], folder: str) -> float:
    """Milliseconds of CPU of one process."""
    env = {
        name: value for name, value in os.environ.items() if not name.startswith(("LARDER_", "PYTHONDONT"))
    }
    before = os.times()
    subprocess.run([BIN / command[0], *command[1:]], cwd=folder, env=env, capture_output=True, check=True)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return used * 1000


def measure() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([BIN / "larder", "init"], cwd=folder, capture_output=True, check=True)
        for command in COMMANDS.values():
            cpu_of(command, folder)
        rounds = [
            {name: cpu_of(command, folder) for name, command in COMMANDS.items()} for _ in range(ROUNDS)
        ]
    ratios = sorted(each["larder"] / each["scrapy"] for each in rounds)
    return {
        "rounds": ROUNDS,
        "cpu_ms": {name: round(median(each[name] for each in rounds), 1) for name in COMMANDS},
        "ratio": round(median(ratios), 2),
        "spread": [round(ratios[0], 2), round(ratios[-1], 2)],
    }


def main(arguments: list[str]) -> int:
    found = measure()
    if "--write" in arguments:
        write("start", found)
    print(json.dumps(found, indent=None if "--json" in arguments else 2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
