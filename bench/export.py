"""How fast is the dataset written into a file? Beside `sqlite3 .dump` and COPY of the same records.

    python -m bench.export [ROWS] [--postgres URL] [--json]

The dataset is that of `bench.api_dataset`, 20,000 records unless said otherwise. Each format is written by a
process of its own, which also tells its largest memory; the figure is rows a second of all public records.
With `--postgres` the same is measured there: the database must be empty. CPU of a PostgreSQL server is not
counted, so only rows a second can be compared there. The peers write every column as it is stored; Larder
checks visibility and confidence, and flattens the content of each record.
"""

import asyncio
import gc
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench import api_dataset
from bench.api_server import StandingClock
from larder.app import open_app
from larder.cli.export import RARELY, ExportFormat, _ExportRequest, _opened, _to_file
from larder.settings import Settings
from larder.store.reads.query import Query

ROOT = Path(__file__).resolve().parents[1]
ROWS = 20_000
FILES = (ExportFormat.CSV, ExportFormat.JSONL, ExportFormat.PARQUET)


async def _write(url: str, form: ExportFormat, to: Path) -> dict[str, Any]:
    """In this process: rows, seconds, CPU and memory."""
    wanted = _ExportRequest(query=Query(), form=form, prices=False, hidden=False)
    async with open_app(Settings(data=to.parent, database=url)) as app:
        app.clock = StandingClock()
        gc.set_threshold(RARELY)
        began, cpu = time.perf_counter(), time.process_time()
        with _opened(to, form) as file:
            rows, _ = await _to_file(app, wanted, file)
    return {
        "rows": rows,
        "rows_per_second": round(rows / (time.perf_counter() - began)),
        "rows_per_cpu_second": round(rows / (time.process_time() - cpu)),
        "rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def _child(url: str, form: str, to: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.export", "--child", url, form, str(to)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def _peer(command: list[str], rows: int) -> dict[str, Any]:
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after, took = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - began
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"rows_per_second": round(rows / took), "rows_per_cpu_second": round(rows / cpu)}


def _measured(url: str, folder: Path, peer: list[str], stored: int) -> dict[str, Any]:
    beside, ours = _peer(peer, stored), dict[str, dict[str, Any]]()
    for form in FILES:
        ours[form.value] = _child(url, form.value, folder / f"out.{form}")
        print(form, ours[form.value], beside, file=sys.stderr)  # a long run that is cut off is not lost
    for each in ours.values():
        each["ratio"] = round(each["rows_per_second"] / beside["rows_per_second"], 3)
        each["cpu_ratio"] = round(each["rows_per_cpu_second"] / beside["rows_per_cpu_second"], 3)
    return {"peer": beside, **ours}


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--child"]:
        url, form, to = arguments[1:]
        print(json.dumps(asyncio.run(_write(url, ExportFormat(form), Path(to)))))
        return 0
    count = next((int(each) for each in arguments if each.isdecimal()), ROWS)
    found: dict[str, Any] = {"records": count}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = folder / "larder.db"
        asyncio.run(api_dataset.make(f"sqlite:///{database}", count))
        dump = ["sqlite3", str(database), ".dump records"]
        found["sqlite"] = _measured(f"sqlite:///{database}", folder, dump, count)
        if "--postgres" in arguments:
            url = arguments[arguments.index("--postgres") + 1]
            asyncio.run(api_dataset.make(url, count))
            copy = ["psql", "--no-psqlrc", "--quiet", url, "--command", "COPY records TO STDOUT"]
            found["postgresql"] = _measured(url, folder, copy, count)
    print(json.dumps(found, indent=None if "--json" in arguments else 2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
