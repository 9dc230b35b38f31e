"""Every test here runs twice: on SQLite and on PostgreSQL, each with the schema that the migrations make.

The migrations run once a session. On SQLite a test gets a copy of the file; on PostgreSQL, where making a
database takes half a second, all tests share one that is emptied after each.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import pytest

from larder.store.database import Database, open_database
from larder.store.migrations import upgrade
from larder.store.tables import metadata
from tests.administer import administer

if TYPE_CHECKING:
    from tests.contract.faces import Faces

BOTH = ("sqlite", "postgresql")

_EMPTY = ";".join(f"DELETE FROM {table.name}" for table in reversed(metadata.sorted_tables))
_COUNT_ANEW = "SELECT setval(oid, 1, false) FROM pg_class WHERE relkind = 'S'"


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("migrated") / "larder.db"
    asyncio.run(_migrate(f"sqlite:///{path}"))
    return path


@pytest.fixture(scope="session")
def migrated_postgres(postgres_url: str) -> Iterator[str]:
    name = f"larder_{uuid4().hex}"
    asyncio.run(administer(postgres_url, f"CREATE DATABASE {name}"))
    url = urlunsplit(urlsplit(postgres_url)._replace(path=f"/{name}"))
    asyncio.run(_migrate(url))
    yield url
    asyncio.run(administer(postgres_url, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(scope="session")
def empty_postgres(migrated_postgres: str) -> Iterator[Callable[[], None]]:
    """Empties the shared database over one connection: one for each test would be most of the work."""
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        connection = runner.run(asyncpg.connect(migrated_postgres))

        def empty() -> None:
            for statement in (_EMPTY, _COUNT_ANEW):
                runner.run(connection.execute(statement))

        yield empty
        runner.run(connection.close())


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A migrated, empty database."""
    if request.param == "sqlite":
        copy = shutil.copy(request.getfixturevalue("migrated_sqlite"), tmp_path / "larder.db")
        yield f"sqlite:///{copy}"
    else:
        url: str = request.getfixturevalue("migrated_postgres")
        empty: Callable[[], None] = request.getfixturevalue("empty_postgres")
        yield url
        empty()


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """The same, opened."""
    opened = open_database(database_url)
    yield opened
    await opened.close()


@pytest.fixture
async def postgres(migrated_postgres: str) -> AsyncIterator[Database]:
    """For what SQLite cannot have: two writers at once."""
    opened = open_database(migrated_postgres)
    yield opened
    await opened.close()
    await administer(migrated_postgres, _EMPTY, _COUNT_ANEW)


@pytest.fixture
async def faces(database_url: str, tmp_path: Path) -> "AsyncIterator[Faces]":
    """The faces of an empty deployment, without a limit of requests."""
    from tests.contract.faces import opened

    async with opened(database_url, tmp_path, requests_a_minute=0) as found:
        yield found


@pytest.fixture
async def shown(faces: "Faces") -> "Faces":
    """The same, of a deployment that holds something of everything."""
    from tests.contract.faces import stocked

    await faces.app.run(stocked)
    return faces


@pytest.fixture(params=BOTH)
def unmigrated_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without a single table, for this test alone."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'larder.db'}"
    fresh: str = request.getfixturevalue("fresh_postgres")
    return fresh


@pytest.fixture
async def unmigrated(unmigrated_url: str) -> AsyncIterator[Database]:
    """The same, opened."""
    opened = open_database(unmigrated_url)
    yield opened
    await opened.close()


async def _migrate(url: str) -> None:
    opened = open_database(url)
    await opened.run(upgrade.upgrade)
    await opened.close()
