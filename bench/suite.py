"""How long do all tests take? `make test`, beside the eight minutes that it may take on two idle cores.

python -m bench.suite [--json]
"""

import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SLOWEST = re.compile(r"^([\d.]+)s (?:call|setup|teardown) +(\S+)", re.MULTILINE)


def measure() -> dict[str, Any]:
    """Seconds of the whole, and of its slowest test."""
    began = time.perf_counter()
    ran = subprocess.run(
        ["make", "test", "TESTS=--durations=1"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    took = time.perf_counter() - began
    slowest = SLOWEST.search(ran.stdout)
    if ran.returncode or not slowest:
        raise SystemExit(f"make test failed: {(ran.stdout.strip().splitlines() or ['it said nothing'])[-1]}")
    return {"seconds": round(took), "slowest": float(slowest[1]), "test": slowest[2]}


def main(arguments: list[str]) -> int:
    print(json.dumps(measure(), indent=None if "--json" in arguments else 2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
