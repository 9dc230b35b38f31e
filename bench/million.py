"""The million records that benchmarks of reading share: made once for each database, and kept.

    python -m bench.million [sqlite] [postgresql]

They are `bench.api_dataset`'s, in the folder `.bench` and in a database of the PostgreSQL that tests use; a
dataset belongs to one state of the schema. `--million sqlite` or `--million postgresql` is what a benchmark
is given to use one.
"""

import asyncio
import sys
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from bench import api_dataset
from larder.store.migrations.upgrade import HEAD
from tests.proofs.postgres import server

FOLDER = Path(__file__).resolve().parents[1] / ".bench"


def filled(database: str) -> str:
    """The URL of the dataset; it is made first where it is missing."""
    name = f"larder_million_{HEAD}"
    return _sqlite(name) if database == "sqlite" else asyncio.run(_postgresql(name))


def _sqlite(name: str) -> str:
    FOLDER.mkdir(exist_ok=True)
    path, part = FOLDER / f"{name}.db", FOLDER / "filling.db"
    if not path.exists():
        part.unlink(missing_ok=True)
        asyncio.run(api_dataset.make(f"sqlite:///{part}", api_dataset.ROWS))
        part.rename(path)
    return f"sqlite:///{path}"


async def _postgresql(name: str) -> str:
    part, root = f"{name}_part", server()
    administer = await asyncpg.connect(root)
    try:
        if not await administer.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", name):
            await administer.execute(f"DROP DATABASE IF EXISTS {part} WITH (FORCE)")
            await administer.execute(f"CREATE DATABASE {part}")
            await api_dataset.make(_named(root, part), api_dataset.ROWS)
            await _vacuum(_named(root, part))
            await administer.execute(f"ALTER DATABASE {part} RENAME TO {name}")
    finally:
        await administer.close()
    return _named(root, name)


async def _vacuum(url: str) -> None:
    """As autovacuum would have left it after a night: what an index says is read nowhere else."""
    conn = await asyncpg.connect(url)
    try:
        await conn.execute("VACUUM (ANALYZE)")
    finally:
        await conn.close()


def _named(root: str, name: str) -> str:
    return urlunsplit(urlsplit(root)._replace(path=f"/{name}"))


def with_million(arguments: list[str]) -> list[str]:
    """`--million NAME` as the URL of a dataset that is there."""
    if "--million" not in arguments:
        return arguments
    at = arguments.index("--million")
    return [*arguments[:at], filled(arguments[at + 1]), "--filled", *arguments[at + 2 :]]


if __name__ == "__main__":
    for each in sys.argv[1:] or ("sqlite", "postgresql"):
        print(filled(each).rpartition("@")[2])
