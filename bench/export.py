"""How fast is the dataset written into a file? Beside `sqlite3 .dump` and COPY of the same records.

    python -m bench.export [DATABASE_URL … | --million NAME] [ROWS] [--filled] [--json]

The dataset is that of `bench.api_dataset`, 20,000 records on SQLite unless said otherwise; a database that is
not said to be filled must be empty. Each format is written by a process of its own, which also tells its
largest memory; the figure is rows a second of all public records, and CPU a row with that of a PostgreSQL on
this machine. The peers write every column as it is stored; Larder checks visibility and confidence, and
flattens the content of each record.
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

import asyncpg

from bench import api_dataset
from bench.api_server import StandingClock
from bench.many_sites import cpu_seconds
from bench.million import with_million
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
        "cpu_us": round((time.process_time() - cpu) * 1e6 / rows, 2),
        "rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def _child(url: str, form: str, to: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.export", "--child", url, form, str(to)]
    before = _server_cpu(url)
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(ran.stdout)
    return _with_server(found, _server_cpu(url) - before)


def _peer(url: str, rows: int) -> dict[str, Any]:
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    server = _server_cpu(url)
    subprocess.run(_copying(url), stdout=subprocess.DEVNULL, check=True)
    after, took = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - began
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = {"rows": rows, "rows_per_second": round(rows / took), "cpu_us": round(cpu * 1e6 / rows, 2)}
    return _with_server(found, _server_cpu(url) - server)


def _copying(url: str) -> list[str]:
    """The command of the peer."""
    if url.startswith("sqlite"):
        return ["sqlite3", url.removeprefix("sqlite:///"), ".dump records"]
    return ["psql", "--no-psqlrc", "--quiet", url, "--command", "COPY records TO STDOUT"]


def _with_server(found: dict[str, Any], cpu: float) -> dict[str, Any]:
    """CPU a row with that of the server."""
    server = round(cpu * 1e6 / found["rows"], 2)
    return {**found, "server_cpu_us": server, "all_cpu_us": round(found["cpu_us"] + server, 2)}


def _server_cpu(url: str) -> float:
    """Seconds that a PostgreSQL on this machine has used; of SQLite none."""
    return 0.0 if url.startswith("sqlite") else cpu_seconds(of=frozenset({asyncio.run(_postmaster(url))}))


async def _postmaster(url: str) -> int:
    connection = await asyncpg.connect(url)
    try:
        folder = Path(await connection.fetchval("SHOW data_directory"))
    finally:
        await connection.close()
    return int((folder / "postmaster.pid").read_text().split()[0])


def _measured(url: str, stored: int) -> dict[str, Any]:
    beside, ours = _peer(url, stored), dict[str, dict[str, Any]]()
    with tempfile.TemporaryDirectory() as folder:
        for form in FILES:
            ours[form.value] = _child(url, form.value, Path(folder) / f"out.{form}")
            print(form, ours[form.value], beside, file=sys.stderr)  # a long run that is cut off is not lost
    for each in ours.values():
        each["ratio"] = round(each["rows_per_second"] / beside["rows_per_second"], 3)
        each["cpu_ratio"] = round(beside["all_cpu_us"] / each["all_cpu_us"], 3)
    return {"peer": beside, **ours}


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--child"]:
        url, form, to = arguments[1:]
        print(json.dumps(asyncio.run(_write(url, ExportFormat(form), Path(to)))))
        return 0
    arguments = with_million(arguments)
    with tempfile.TemporaryDirectory() as name:
        urls = [each for each in arguments if "://" in each] or [f"sqlite:///{name}/larder.db"]
        stored = "--filled" in arguments
        count = next(
            (int(each) for each in arguments if each.isdecimal()), api_dataset.ROWS if stored else ROWS
        )
        found: dict[str, Any] = {"records": count}
        for url in urls:
            if not stored:
                asyncio.run(api_dataset.make(url, count))
            found[url.partition(":")[0]] = _measured(url, count)
    print(json.dumps(found, indent=None if "--json" in arguments else 2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
