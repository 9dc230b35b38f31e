"""What `larder doctor` finds, and what it says to do."""

import asyncio
import io
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from secrets import token_urlsafe
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from tests.unit.cli.conftest import Shell


def findings(shell: Shell) -> tuple[int, dict[str, dict[str, str]]]:
    said = shell("doctor", "--json")
    return said.code, {each["check"]: each for each in said.json}


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    made = Shell(folder=tmp_path)
    assert made("init").code == 0
    return made


def test_a_new_deployment_is_healthy(shell: Shell) -> None:
    code, found = findings(shell)
    assert code == 0
    assert {name for name, each in found.items() if each["health"] not in ("ok", "off")} == set()
    assert found["parse workers"]["health"] == "ok"
    assert "ok" in shell("doctor").out


def test_a_browser_that_is_not_there_is_named_with_the_setting(shell: Shell) -> None:
    missing = Shell(folder=shell.folder, env={"LARDER_BROWSER": "/nowhere/chromium"})
    code, found = findings(missing)
    assert code == 1
    assert found["browser"]["health"] == "failed"
    assert "/nowhere/chromium" in found["browser"]["message"]
    assert "LARDER_BROWSER" in found["browser"]["hint"]


def test_a_service_that_does_not_answer_is_a_warning(shell: Shell) -> None:
    away = Shell(folder=shell.folder, env={"LARDER_GEOCODER": "http://127.0.0.1:9/search"})
    code, found = findings(away)
    assert (code, found["outside services"]["health"]) == (0, "warning")
    assert "geocoder" in found["outside services"]["message"]


def test_an_invalid_secret_key_is_named_with_the_setting(shell: Shell) -> None:
    invalid = Shell(folder=shell.folder, env={"LARDER_SECRET_KEY": "short"})
    code, found = findings(invalid)
    assert (code, found["secret key"]["health"]) == (1, "failed")
    assert "LARDER_SECRET_KEY is not 32 bytes" in found["secret key"]["message"]
    assert "token_urlsafe" in found["secret key"]["hint"]


@pytest.mark.parametrize(
    ("key", "says"), [("", "without a key"), (token_urlsafe(32), "with this key")], ids=["none", "another"]
)
def test_l11_a_machine_that_cannot_decrypt_the_secrets_is_told_so(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, key: str, says: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("a-key\n"))
    stored_with = Shell(folder=shell.folder, env={"LARDER_SECRET_KEY": token_urlsafe(32)})
    assert stored_with("secret", "set", "serper").code == 0
    assert findings(stored_with)[1]["secret key"]["health"] == "ok"
    code, found = findings(Shell(folder=shell.folder, env={"LARDER_SECRET_KEY": key} if key else {}))
    assert (code, found["secret key"]["health"]) == (1, "failed")
    assert found["secret key"]["message"] == f"1 stored secret (serper) cannot be decrypted {says}"
    assert "LARDER_SECRET_KEY" in found["secret key"]["hint"]


@pytest.mark.parametrize("command", ["worker", "beat"])
def test_an_invalid_secret_key_is_refused_before_any_message(shell: Shell, command: str) -> None:
    """The database and the broker are nobody's: neither is asked."""
    nobodys = {"LARDER_DATABASE": "postgresql://u:p@127.0.0.1:9/x", "LARDER_BROKER": "redis://127.0.0.1:9/0"}
    said = Shell(folder=shell.folder, env={**nobodys, "LARDER_SECRET_KEY": "short"})(command)
    assert (said.code, "LARDER_SECRET_KEY is not 32 bytes" in said.err) == (2, True)


def test_without_key_and_address_search_and_language_model_are_off(shell: Shell) -> None:
    code, found = findings(shell)
    assert (code, found["search provider"]["health"], found["language model"]["health"]) == (0, "off", "off")
    assert "no secret serper" in found["search provider"]["message"]


def test_search_and_language_model_are_connected_to(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("a-key\n"))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        there, away = f"http://127.0.0.1:{listening.getsockname()[1]}/v1", "http://127.0.0.1:9/search"
        env = {"LARDER_LLM_URL": there, "LARDER_SEARCH_URL": away, "LARDER_SECRET_KEY": token_urlsafe(32)}
        configured = Shell(folder=shell.folder, env=env)
        assert configured("secret", "set", "serper").code == 0
        code, found = findings(configured)
    assert (code, found["language model"]["health"], found["search provider"]["health"]) == (
        0,
        "ok",
        "warning",
    )
    assert "without a key" in found["language model"]["message"]
    assert "LARDER_SEARCH_URL" in found["search provider"]["hint"]


def test_a_broker_beside_sqlite_is_refused(shell: Shell) -> None:
    code, found = findings(Shell(folder=shell.folder, env={"LARDER_BROKER": "redis://127.0.0.1:9/0"}))
    assert (code, found["broker"]["health"]) == (1, "failed")
    assert "PostgreSQL" in found["broker"]["message"]


@pytest.mark.parametrize(("port", "health"), [("9", "failed"), ("", "ok")])
def test_the_broker_is_connected_to(
    tmp_path: Path, fresh_postgres: str, redis_url: str, port: str, health: str
) -> None:
    broker = f"redis://127.0.0.1:{port}/0" if port else redis_url
    many = Shell(folder=tmp_path, env={"LARDER_DATABASE": fresh_postgres, "LARDER_BROKER": broker})
    assert many("init").code == 0
    code, found = findings(many)
    assert found["broker"]["health"] == health, found
    assert code == (health == "failed")
    assert found["clock"]["health"] == "ok"


REFUSED = {
    "redis, another login": ("redis", "//someone:wrong@", "", "refuses the login", "user and password"),
    "rabbitmq, another login": ("rabbitmq", "//someone:wrong@", "", "refuses the login", "user and password"),
    "redis, a database that is not there": ("redis", "", "/99", "out of range", "what follows the host"),
    "rabbitmq, a virtual host that is not there": ("rabbitmq", "", "/nope", "NOT_ALLOWED", "what follows"),
}


@pytest.fixture(params=list(REFUSED.values()), ids=list(REFUSED))
def refused(tmp_path: Path, fresh_postgres: str, request: pytest.FixtureRequest) -> tuple[Shell, str, str]:
    """A deployment whose broker refuses it, what the broker says, and what is to be done."""
    engine, login, path, says, hint = request.param
    parts = urlsplit(request.getfixturevalue(f"{engine}_url"))
    netloc = f"{login[2:]}{parts.hostname}:{parts.port}" if login else parts.netloc
    broker = urlunsplit(parts._replace(netloc=netloc, path=path or parts.path))
    shell = Shell(folder=tmp_path, env={"LARDER_DATABASE": fresh_postgres, "LARDER_BROKER": broker})
    assert shell("init").code == 0
    return shell, says, hint


def test_l11_a_broker_that_refuses_is_not_told_to_be_started(refused: tuple[Shell, str, str]) -> None:
    shell, says, hint = refused
    _, found = findings(shell)
    assert found["broker"]["health"] == "failed"
    assert says in found["broker"]["message"], found["broker"]
    assert hint in found["broker"]["hint"]
    assert "LARDER_BROKER" in found["broker"]["hint"]


@pytest.mark.parametrize("command", ["worker", "beat"])
def test_l11_worker_and_beat_end_where_the_broker_refuses_them(
    refused: tuple[Shell, str, str], command: str
) -> None:
    shell, says, hint = refused
    said = shell(command)
    assert (said.code, says in said.complaint[0], hint in said.complaint[1]) == (2, True, True), said.err


def test_l11_without_a_database_what_does_not_need_it_is_checked(tmp_path: Path, redis_url: str) -> None:
    nobodys = {"LARDER_DATABASE": "postgresql://u:p@127.0.0.1:9/x", "LARDER_BROKER": redis_url}
    code, found = findings(Shell(folder=tmp_path, env=nobodys))
    assert (code, found["database"]["health"]) == (1, "failed")
    assert "LARDER_DATABASE" in found["database"]["hint"]
    assert (found["broker"]["health"], found["parse workers"]["health"]) == ("ok", "ok")
    assert found["secret key"]["message"] == "not checked: the database cannot be used"


def test_l11_a_database_without_tables_is_told_how_to_be_upgraded(
    tmp_path: Path, fresh_postgres: str
) -> None:
    code, found = findings(Shell(folder=tmp_path, env={"LARDER_DATABASE": fresh_postgres}))
    assert (code, found["database"]["health"]) == (1, "failed")
    assert found["database"]["hint"] == "upgrade it: larder db upgrade"


def test_l11_a_bucket_that_cannot_be_written_is_named_with_its_settings(shell: Shell) -> None:
    env = {"LARDER_PAGES": "s3://x", "LARDER_PAGES_ENDPOINT": "http://127.0.0.1:9"}
    env |= {"LARDER_PAGES_ACCESS_KEY": "a", "LARDER_PAGES_SECRET": "b"}
    code, found = findings(Shell(folder=shell.folder, env=env))
    assert (code, found["page bodies"]["health"]) == (1, "failed")
    assert found["page bodies"]["message"].startswith("s3://x: pages cannot be written to the bucket")
    assert "LARDER_PAGES_ENDPOINT" in found["page bodies"]["hint"]


async def _two_hosts_at_work(database: str) -> None:
    connection = await asyncpg.connect(database)
    try:
        await connection.execute(
            "INSERT INTO sites (id, domain, created_at) VALUES (1, 'a.test', 0), (2, 'b.test', 0)"
        )
        await connection.execute(
            "INSERT INTO lanes (site_id, lease_owner, lease_until) "
            "VALUES (1, 'ann:1:x', 9000000000000000), (2, 'ben:2:y', 9000000000000000)"
        )
    finally:
        await connection.close()


def test_bodies_on_the_disks_of_two_machines_are_refused(tmp_path: Path, fresh_postgres: str) -> None:
    many = Shell(folder=tmp_path, env={"LARDER_DATABASE": fresh_postgres})
    assert many("init").code == 0
    assert findings(many)[0] == 0
    asyncio.run(_two_hosts_at_work(fresh_postgres))
    code, found = findings(many)
    assert (code, found["page bodies"]["health"]) == (1, "failed")
    assert "ann, ben" in found["page bodies"]["message"]
    assert "LARDER_PAGES" in found["page bodies"]["hint"]


def test_an_old_backup_and_lost_page_bodies_are_told(shell: Shell) -> None:
    assert findings(shell)[1]["backup"]["health"] == "off"
    assert shell("backup", "saved.tar").code == 0
    assert findings(shell)[1]["backup"]["health"] == "ok"
    with closing(sqlite3.connect(shell.data / "larder.db")) as opened:
        opened.execute(
            """UPDATE facts SET value = '"2020-01-01T00:00:00+00:00"' WHERE name = 'backup:last'"""
        )
        opened.execute("INSERT INTO blobs VALUES ('0', 'pack:lost.pack:0:10', 1, 10, 0)")
        opened.commit()
    code, found = findings(shell)
    assert (code, found["backup"]["health"], found["backup"]["hint"]) == (0, "warning", "larder backup FILE")
    assert found["stored pages"]["message"].startswith("missing or truncated: 1 of 1 file ")
    again = shell("backup", "saved.tar")
    assert again.complaint == ("saved.tar exists already", "name another file; backups are not overwritten")


def test_a_backup_is_restored_by_command(shell: Shell, tmp_path: Path) -> None:
    assert shell("backup", "saved.tar", "--json").json["secrets"] == 0
    other = Shell(folder=shell.folder, env={"LARDER_DATA": "restored"})
    assert "restored, as of" in other("restore", "saved.tar").out
    assert findings(other)[0] == 0
    assert "does not overwrite" in other("restore", "saved.tar").err


def damage(shell: Shell, table: str) -> None:
    """Overwrite the page of the database that a table begins on."""
    path = shell.data / "larder.db"
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        ((page,),) = conn.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", [table])
        ((size,),) = conn.execute("PRAGMA page_size")
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xa5" * size)


def test_a_damaged_database_is_found_and_not_backed_up(shell: Shell) -> None:
    damage(shell, "watches")
    code, found = findings(shell)
    assert (code, found["database"]["health"]) == (1, "failed")
    assert found["database"]["message"].startswith("damaged: ")
    assert "docs/runbooks/backup.md" in found["database"]["hint"]
    error, hint = shell("backup", "copy.tar").complaint
    assert error.startswith("the database is damaged (")
    assert hint == "restore the last backup: docs/runbooks/backup.md"
    assert not list(shell.folder.glob("*.tar*"))


def test_a_command_that_meets_damage_says_so(shell: Shell) -> None:
    damage(shell, "watches")
    error, hint = shell("watch", "list").complaint
    assert error.startswith("the database is damaged (")
    assert hint == "restore the last backup: docs/runbooks/backup.md"
