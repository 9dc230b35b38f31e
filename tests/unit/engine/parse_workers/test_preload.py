"""What parse workers load before their first page."""

import subprocess
import sys

from larder.app.parse_runner import PRELOAD

LISTED = (
    "import sys; from importlib import import_module as load; [*map(load, sys.argv[1:])]; print(*sys.modules)"
)


def test_no_worker_loads_a_database_or_a_server() -> None:
    """A pool is started by each `larder tick`; SQLAlchemy alone took as long to load as all parsers."""
    modules = ("larder.engine.parse_workers.worker", *PRELOAD)
    listed = subprocess.run(
        [sys.executable, "-c", LISTED, *modules], capture_output=True, text=True, check=True
    ).stdout.split()
    assert set(PRELOAD) <= set(listed)
    assert {"sqlalchemy", "pydantic", "fastapi", "larder.store.tables"}.isdisjoint(listed)
