"""Bad input: one clear line that says what to do, a code that is not 0, and nothing half-written."""

import os
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from larder.app.data_folder import only_driver
from tests.unit.cli.conftest import PATIENCE, Shell

URL = "https://homes.example/rent"


def rows(shell: Shell, query: str) -> list[Any]:
    with sqlite3.connect(shell.data / "larder.db") as database:
        return database.execute(query).fetchall()


def test_an_unknown_adapter(larder: Shell) -> None:
    answered = larder("source", "add", URL, "--adapter", "nope")
    assert answered.code == 2
    assert answered.complaint[0] == "there is no adapter 'nope'"
    assert "listing" in answered.complaint[1]
    assert rows(larder, "SELECT * FROM sources") + rows(larder, "SELECT * FROM sites") == []


@pytest.mark.parametrize(
    "url", ["homes.example", "htp://x", "https://", "javascript:alert(1)", "https://a b/", ""]
)
def test_a_url_that_is_none(larder: Shell, url: str) -> None:
    answered = larder("source", "add", url, "--kind", "listing")
    assert answered.code == 2
    assert "is not a web address" in answered.complaint[0]
    assert rows(larder, "SELECT * FROM sources") == []


def test_malformed_yaml_names_file_and_line(larder: Shell) -> None:
    (larder.folder / "mine.yaml").write_text("sources:\n  - slug: a\n    url: [\n")
    answered = larder("source", "import", "mine.yaml")
    assert answered.code == 2
    assert answered.complaint[0].startswith("mine.yaml:4: this is not YAML")


def test_a_catalogue_with_one_mistake_adds_nothing(larder: Shell) -> None:
    good = "".join(f"  - {{slug: s{i}, kind: listing, url: 'https://s{i}.example/'}}\n" for i in range(5))
    (larder.folder / "mine.yaml").write_text(
        f"sources:\n{good}  - {{slug: bad, adapter: nope, url: {URL}}}\n"
    )
    answered = larder("source", "import", "mine.yaml")
    assert answered.code == 2
    assert answered.complaint[0] == "mine.yaml:7: there is no adapter 'nope'"
    assert rows(larder, "SELECT * FROM sources") == []


@pytest.mark.parametrize("command", [("source", "list"), ("up",), ("tick",), ("init",), ("db", "upgrade")])
def test_a_database_from_a_newer_version(larder: Shell, command: tuple[str, ...]) -> None:
    with sqlite3.connect(larder.data / "larder.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    answered = larder(*command)
    assert answered.code == 2
    assert "written by a newer Larder (revision 9999" in answered.complaint[0]
    assert rows(larder, "SELECT version_num FROM alembic_version") == [("9999",)]


def test_a_file_that_is_no_database(empty: Shell) -> None:
    empty.data.mkdir()
    (empty.data / "larder.db").write_text("just words, and enough of them to look like a page of something")
    answered = empty("source", "list")
    assert answered.code == 2
    assert "file is not a database" in answered.complaint[0]


def test_l10_27_a_new_data_folder_is_its_owners_alone(empty: Shell) -> None:
    assert empty("init").code == 0
    assert (empty.data.stat().st_mode & 0o777, _mode(empty)) == (0o700, 0o600)


def test_l10_27_a_folder_that_exists_keeps_its_mode(empty: Shell) -> None:
    empty.data.mkdir()
    empty.data.chmod(0o755)
    assert empty("init").code == 0
    (empty.data / "larder.db").chmod(0o644)
    assert empty("source", "list").code == 0
    assert (empty.data.stat().st_mode & 0o777, _mode(empty)) == (0o755, 0o600)


def _mode(shell: Shell) -> int:
    return (shell.data / "larder.db").stat().st_mode & 0o777


@pytest.mark.parametrize("place", ["below-a-file", "/proc/larder", "/dev/null/larder"])
def test_a_folder_that_cannot_be_written(empty: Shell, place: str) -> None:
    (empty.folder / "below-a-file").write_text("")
    folder = str(empty.folder / place / "larder") if place == "below-a-file" else place
    answered = Shell(folder=empty.folder, env={"LARDER_DATA": folder})("init")
    assert answered.code == 2
    assert "cannot be written" in answered.complaint[0]
    assert "LARDER_DATA" in answered.complaint[1]
    assert not Path(folder).exists()


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system with hardly any room."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3000k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting a small file system takes root")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def fill(folder: Path) -> None:
    """Take what is left, to the last byte."""
    with (folder / "ballast").open("wb", buffering=0) as ballast:
        for size in (4096, 1):
            try:
                while True:
                    ballast.write(b"x" * size)
            except OSError:
                continue


def test_a_full_disk_at_the_start(tiny_disk: Path, empty: Shell) -> None:
    fill(tiny_disk)
    shell = Shell(folder=empty.folder, env={"LARDER_DATA": str(tiny_disk / "larder")})
    answered = shell.process("init")
    assert answered.code == 2
    assert "disk is full" in answered.complaint[0] or "No space left" in answered.complaint[0]
    assert sorted(path.name for path in tiny_disk.iterdir()) == ["ballast"]


def test_a_full_disk_later_on(tiny_disk: Path, empty: Shell) -> None:
    shell = Shell(folder=empty.folder, env={"LARDER_DATA": str(tiny_disk / "larder")})
    assert shell("init").code == 0
    fill(tiny_disk)
    answered = shell("source", "import", "apartments-east-coast")
    assert answered.code == 2
    assert "disk is full" in answered.complaint[0]
    (tiny_disk / "ballast").unlink()
    assert shell("source", "list", "--json").json == []
    assert "19 added" in shell("source", "import", "apartments-east-coast").out


def test_a_port_that_is_taken(empty: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        answered = empty.process("demo", "--port", str(port), "--for", "5s")
    assert answered.code == 2
    assert f"port {port} cannot be used" in answered.complaint[0]
    assert "--port" in answered.complaint[1]


def test_a_second_driver_on_the_same_folder(larder: Shell) -> None:
    first = larder.start("up", "--json")
    try:
        assert first.stdout is not None
        assert '"event": "up"' in first.stdout.readline()
        for command in (("up",), ("db", "upgrade")):
            answered = larder.process(*command)
            assert answered.code == 2
            assert (
                f"another Larder process works in this data folder (process {first.pid})"
                in answered.complaint[0]
            )
        assert larder("source", "add", URL, "--kind", "listing").code == 0
    finally:
        first.terminate()
        out, err = first.communicate(timeout=PATIENCE)
    assert (first.returncode, err) == (0, "")
    assert '"event": "down"' in out.splitlines()[-1]


def test_l10_10_a_tick_beside_another_driver_ends_quietly(larder: Shell) -> None:
    with only_driver(larder.data):
        told = larder.process("tick")
        counted = larder.process("tick", "--json")
    assert (told.code, told.err, counted.code, counted.err) == (0, "", 0, "")
    assert f"another Larder process works in this data folder (process {os.getpid()})" in " ".join(
        told.out.split()
    )
    assert (counted.json["pages"], counted.json["runs"]) == (0, 0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LARDER_AT_ONCE", "0"),
        ("LARDER_LOG_LEVEL", "loud"),
        ("LARDER_DATABASE", "mysql://x"),
        ("LARDER_PAGES", "/srv/pages"),
        ("LARDER_TIMEZONE", "Mars/North"),
    ],
)
def test_a_setting_that_makes_no_sense(empty: Shell, name: str, value: str) -> None:
    answered = Shell(folder=empty.folder, env={name: value})("source", "list")
    assert answered.code == 2
    assert name in " ".join(answered.complaint)
