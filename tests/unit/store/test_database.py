"""Units of work: whole or not at all, wherever they run."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from larder.core.errors import Unusable
from larder.store.database import InlineDatabase, inline_database, open_database
from larder.store.database.write_errors import is_unavailable


def counted(conn: Connection) -> int:
    return len(conn.execute(text("SELECT 1 FROM things")).all())


def make(conn: Connection) -> None:
    conn.execute(text("CREATE TABLE things (n INTEGER PRIMARY KEY)"))


def add(conn: Connection, n: int, *, fail: bool = False) -> int:
    conn.execute(text("INSERT INTO things VALUES (:n)"), {"n": n})
    if fail:
        raise LookupError("too late")
    return n


def test_inline_work_is_done_in_the_callers_own_thread_and_undone_as_a_whole() -> None:
    database = inline_database()
    database.now(make)
    assert database.now(add, 1) == 1
    with pytest.raises(LookupError):
        database.now(add, 2, fail=True)
    assert database.now(counted) == 1


async def test_the_writer_thread_does_one_work_after_the_other(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'x.db'}")
    await database.run(make)
    done = await asyncio.gather(
        *(database.run(add, n, fail=n % 3 == 0) for n in range(1, 31)), return_exceptions=True
    )
    assert await database.run(counted) == 20
    assert sum(isinstance(each, LookupError) for each in done) == 10
    await database.close()


async def test_two_programs_share_a_file(tmp_path: Path) -> None:
    ours, theirs = (open_database(f"sqlite:///{tmp_path / 'x.db'}") for _ in range(2))
    await ours.run(make)
    await asyncio.gather(
        *(database.run(add, 2 * n + i) for n in range(10) for i, database in enumerate((ours, theirs)))
    )
    assert await ours.run(counted) == 20
    await ours.close()
    await theirs.close()


def test_a_database_that_cannot_be_used_is_said_without_its_password() -> None:
    with pytest.raises(Unusable) as said:
        open_database("mysql://me:secret@host/db")
    assert "secret" not in str(said.value)
    assert "LARDER_DATABASE" in said.value.hint.text


def error_of(database: InlineDatabase, sql: str) -> DBAPIError:
    with pytest.raises(DBAPIError) as raised:
        database.now(lambda conn: conn.execute(text(sql)))
    return raised.value


def test_a_full_disk_is_the_databases_trouble_a_refused_row_is_the_rows() -> None:
    database = inline_database()
    database.now(make)
    database.now(add, 1)
    refused = error_of(database, "INSERT INTO things VALUES (1)")
    assert isinstance(refused, IntegrityError)
    assert not is_unavailable(refused)
    database.now(lambda conn: conn.exec_driver_sql("PRAGMA max_page_count = 3"))
    full = error_of(
        database,
        "INSERT INTO things SELECT value + 100 FROM json_each('[" + ",".join(map(str, range(9_000))) + "]')",
    )
    assert isinstance(full, OperationalError)
    assert is_unavailable(full)
    assert database.now(counted) == 1, "nothing is half-written"


@pytest.mark.parametrize(
    ("error", "away"),
    [
        pytest.param(OSError(28, "No space left on device"), True, id="the disk under a body"),
        pytest.param(ConnectionRefusedError(), True, id="nobody there"),
        pytest.param(ValueError("what is this?"), False, id="a bug of ours"),
        pytest.param(KeyError("x"), False, id="another"),
    ],
)
def test_whose_fault(error: Exception, away: bool) -> None:
    assert is_unavailable(error) == away


def test_l10_27_a_database_file_is_its_owners_alone(tmp_path: Path) -> None:
    new, old = tmp_path / "new.db", tmp_path / "old.db"
    old.touch()
    old.chmod(0o644)
    for path in (new, old):
        asyncio.run(_made(path))
        assert path.stat().st_mode & 0o777 == 0o600


async def _made(path: Path) -> None:
    database = open_database(f"sqlite:///{path}")
    await database.run(make)
    await database.close()
