"""PgBouncer in transaction mode: each transaction may get another connection, and connections are shared."""

import asyncio
import os
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import urlsplit

import pytest
from sqlalchemy import Connection, text

from larder.app import App, open_app
from larder.core.errors import Unusable
from larder.settings import Settings
from larder.store.database.postgres import NO_PREPARED_STATEMENTS
from tests.proofs.deployment import deployed
from tests.services import free_port, program

UNPREPARED = f"?{NO_PREPARED_STATEMENTS}=0"
SERVER_CONNECTIONS = 2
PATIENCE = 200
CONFIG = """
[databases]
* = host={host} port={server_port} user={user} password={password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {connections}
log_connections = 0
log_disconnections = 0
"""


@pytest.fixture
def bouncer(fresh_postgres: str) -> Iterator[str]:
    """The URL of a database behind a PgBouncer with two connections to its server."""
    bouncer_program = program("pgbouncer")
    server, port = urlsplit(fresh_postgres), free_port()
    config = CONFIG.format(
        host=server.hostname,
        server_port=server.port,
        user=server.username,
        password=server.password,
        port=port,
        connections=SERVER_CONNECTIONS,
    )
    owner = "nobody" if os.geteuid() == 0 else None  # it refuses to run as root
    with NamedTemporaryFile(prefix="larder-pgbouncer-", mode="w") as file:
        file.write(config)
        file.flush()
        if owner:
            shutil.chown(file.name, owner)
        process = subprocess.Popen([bouncer_program, file.name], stderr=subprocess.PIPE, user=owner)
        try:
            listens(process, port)
            yield f"postgresql://larder@127.0.0.1:{port}{server.path}"
        finally:
            process.kill()
            process.communicate()


def listens(process: "subprocess.Popen[bytes]", port: int) -> None:
    """Wait for its log to say so."""
    assert process.stderr is not None
    for line in process.stderr:
        if b"process up" in line:
            socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
            return
    raise AssertionError("pgbouncer ended")


@asynccontextmanager
async def opened(url: str, *, upgrade: bool = False, seconds: float = 7) -> AsyncIterator[App]:
    settings = Settings(database=url, statement_seconds=seconds)
    async with open_app(settings, upgrade=upgrade) as app:
        yield app


async def test_many_units_of_work_share_two_connections(bouncer: str) -> None:
    async with opened(bouncer + UNPREPARED, upgrade=True):
        pass
    async with opened(bouncer + UNPREPARED) as app:
        told = await asyncio.gather(*(app.run(tell, number) for number in range(60)))
        assert told == [(number, "7s", "10s") for number in range(60)]
        reads = await asyncio.gather(*(app.read(tell, number) for number in range(60)))
        assert reads == told
    async with opened(bouncer + UNPREPARED, seconds=0) as app:
        assert await app.run(prepared) == 0, "nothing stays on connections that others get"
        assert await app.run(limit) == "0", "limits end with their transaction"


async def test_a_statement_that_takes_too_long_is_cancelled(bouncer: str) -> None:
    async with opened(bouncer + UNPREPARED, upgrade=True):
        pass
    async with opened(bouncer + UNPREPARED, seconds=0.2) as app:
        with pytest.raises(Unusable, match="statement timeout"):
            await app.run(wait)


@pytest.mark.slow
def test_a_driver_works_through_it(bouncer: str, tmp_path: Path) -> None:
    folder = tmp_path / "deployment"
    folder.mkdir()
    with deployed(folder, database=bouncer + UNPREPARED, sites=2, listings=8) as many:
        ticking = many.start("tick", "--budget", "60s")
        assert ticking.wait(PATIENCE) == 0, many.logs()
        assert many.wrong() == []


async def test_without_a_pooler_limits_belong_to_the_connection(fresh_postgres: str) -> None:
    async with opened(fresh_postgres, upgrade=True):
        pass
    async with opened(fresh_postgres) as app:
        assert await app.run(tell, 1) == (1, "7s", "10s")
        assert await app.run(prepared) > 0, "statements are prepared once"


def tell(conn: Connection, number: int) -> tuple[int, str, str]:
    """A number that was sent as a parameter, and the limits that hold."""
    told = conn.execute(text("SELECT CAST(:number AS integer)"), {"number": number}).scalar_one()
    return told, limit(conn), conn.execute(text("SHOW idle_in_transaction_session_timeout")).scalar_one()


def limit(conn: Connection) -> str:
    return str(conn.execute(text("SHOW statement_timeout")).scalar_one())


def wait(conn: Connection) -> None:
    conn.execute(text("SELECT pg_sleep(30)"))


def prepared(conn: Connection) -> int:
    """Named statements that this connection keeps."""
    return int(conn.execute(text("SELECT count(*) FROM pg_prepared_statements")).scalar_one())
