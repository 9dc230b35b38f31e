"""What a benchmark found, kept in bench/results: figures, their day, and what explains them."""

import json
import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


def write(name: str, found: Mapping[str, Any]) -> None:
    machine = {"cores": os.cpu_count(), "python": platform.python_version()}
    told = {"date": datetime.now(UTC).date().isoformat(), "machine": machine, "found": found}
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n")
