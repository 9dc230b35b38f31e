"""`scripts/services` for real, on Redis (the quickest of them) with a state folder of its own."""

import importlib.util
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import asyncpg
import pytest

from tests.services import SERVICES, missing, parse_exports


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A state folder in which nothing runs yet, and nothing runs any more afterwards."""
    if not shutil.which("redis-server"):
        missing("redis", "redis-server is not installed")
    with TemporaryDirectory(prefix="larder-") as folder:
        monkeypatch.setenv("LARDER_SERVICES_DIR", folder)
        yield Path(folder)
        services("stop")


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module, for what cannot be brought about from outside."""
    monkeypatch.syspath_prepend(SERVICES.parent)
    loader = SourceFileLoader("services_script", str(SERVICES))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def services(*arguments: str) -> str:
    return subprocess.run([SERVICES, *arguments], capture_output=True, text=True, check=True).stdout


def recorded(state: Path) -> dict[str, Any]:
    stored: dict[str, Any] = json.loads((state / "state.json").read_text())
    return stored


def at_work_in(folder: Path) -> list[int]:
    """The living processes whose working directory is, or was, below the folder."""
    return [int(process.name) for process in Path("/proc").glob("[0-9]*") if works_in(process, folder)]


def works_in(process: Path, folder: Path) -> bool:
    try:
        return str((process / "cwd").readlink()).startswith(f"{folder}/")
    except OSError:  # ended, a zombie, or somebody else's
        return False


def test_a_second_start_finds_the_first(state: Path) -> None:
    services("start", "redis")
    first = recorded(state)
    services("start", "redis")
    assert recorded(state) == first
    assert at_work_in(state) == [first["redis"]["processes"][0][0]]


def test_concurrent_starts_agree_on_one_service(state: Path) -> None:
    callers = [subprocess.Popen([SERVICES, "start", "redis"]) for _ in range(3)]
    assert [caller.wait() for caller in callers] == [0, 0, 0]
    assert at_work_in(state) == [recorded(state)["redis"]["processes"][0][0]]


def test_a_service_that_died_is_started_anew(state: Path) -> None:
    services("start", "redis")
    first = recorded(state)["redis"]
    os.kill(first["processes"][0][0], signal.SIGKILL)
    assert services("status", "redis").split()[1] == "dead"
    services("start", "redis")
    assert recorded(state)["redis"]["url"] != first["url"]
    assert services("status", "redis").split()[1] == "running"


def test_stop_leaves_no_process_and_no_folder(state: Path) -> None:
    services("start", "redis")
    services("stop")
    assert at_work_in(state) == []
    assert {entry.name for entry in state.iterdir()} == {"lock", "state.json"}
    assert services("env") == ""
    services("stop")  # and may be said twice


def test_stop_spares_a_stranger_that_inherited_the_number(state: Path) -> None:
    services("start", "redis")
    stored = recorded(state)
    pid = stored["redis"]["processes"][0][0]
    stored["redis"]["processes"][0][1] -= 1  # as if ours had started a tick earlier, and this were another
    (state / "state.json").write_text(json.dumps(stored))
    services("stop")
    assert at_work_in(state) == [pid]
    os.kill(pid, signal.SIGKILL)


def test_env_names_what_runs_in_words_a_shell_reads(state: Path) -> None:
    services("start", "redis")
    assert parse_exports(services("env")) == {"LARDER_TEST_REDIS": recorded(state)["redis"]["url"]}


def test_unknown_service_is_refused_by_name() -> None:
    refused = subprocess.run([SERVICES, "start", "oracle"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "unknown: oracle" in refused.stderr


def test_without_root_a_missing_program_is_one_line_with_the_next_step(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    redis = script.SERVICES["redis"]
    monkeypatch.setattr(redis, "binary", lambda: None)
    monkeypatch.setattr(script.os, "geteuid", lambda: 1000)
    with pytest.raises(
        script.StartError, match=r"not installed: redis-server; as root: apt-get install redis-server"
    ):
        script.install([redis])


def test_a_service_that_cannot_start_says_why_and_is_forgotten(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = state / "redis-server"
    broken.write_text("#!/bin/sh\necho the disk is made of cheese\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(state), prepend=os.pathsep)
    failed = subprocess.run([SERVICES, "start", "redis"], capture_output=True, text=True, check=False)
    assert failed.returncode == 1
    assert failed.stderr == "services: redis did not start: the disk is made of cheese\n"
    assert recorded(state) == {}


async def test_each_database_is_empty_and_its_own(fresh_postgres: str, postgres_url: str) -> None:
    connection = await asyncpg.connect(fresh_postgres)
    tables = await connection.fetchval(
        "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'"
    )
    await connection.close()
    assert fresh_postgres != postgres_url
    assert tables == 0


@pytest.mark.parametrize(
    ("in_ci", "outcome"),
    [("true", pytest.fail.Exception), ("", pytest.skip.Exception)],
    ids=["CI", "elsewhere"],
)
def test_a_missing_service_fails_in_ci_only(
    in_ci: str, outcome: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", in_ci)
    with pytest.raises(outcome, match="redis is not to be had: no root"):
        missing("redis", "no root")
