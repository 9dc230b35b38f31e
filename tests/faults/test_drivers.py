"""`larder up --workers` on PostgreSQL: several drivers, one of them killed, then their parent."""

import os
import select
import signal
import subprocess
from pathlib import Path

import pytest

from tests.proofs.deployment import PATIENCE, Deployment, deployed


@pytest.mark.slow
def test_a_driver_that_dies_is_restarted_and_loses_nothing(tmp_path: Path, fresh_postgres: str) -> None:
    with deployed(tmp_path, database=fresh_postgres, sites=3, listings=30) as many:
        up = many.start("up", "--workers", "2", "--json", "--port", "0")
        many.until("pages are fetched", lambda: many.requests() > 5)
        first, second = pids(many, up, 2)
        os.kill(first, signal.SIGKILL)
        many.until("it is restarted", lambda: len(pids(many, up)) == 3)
        many.until_read()
        assert many.wrong() == [], many.logs()
        (said,) = [line for line in many.log(up) if line["event"] == "driver ended"]
        assert said["code"] == -9
        assert many.end() == [0], many.logs()
        assert many.log(up)[-1]["event"] == "down"
        assert not any(map(alive, [second, *pids(many, up)]))


@pytest.mark.slow
def test_drivers_end_when_the_process_that_started_them_is_gone(tmp_path: Path, fresh_postgres: str) -> None:
    with deployed(tmp_path, database=fresh_postgres, sites=1, listings=1) as many:
        up = many.start("up", "--workers", "2", "--json", "--no-serve")
        ends = [os.pidfd_open(pid) for pid in pids(many, up, 2)]
        up.kill()
        ended = [select.select([end], [], [], PATIENCE)[0] for end in ends]
        assert ended == [[end] for end in ends]


@pytest.mark.slow
def test_l11_a_single_driver_is_not_the_process_that_serves(tmp_path: Path, fresh_postgres: str) -> None:
    with deployed(tmp_path, database=fresh_postgres, sites=1, listings=1) as many:
        up = many.start("up", "--workers", "1", "--json", "--port", "0")
        (driver,) = pids(many, up, 1)
        assert driver != up.pid
        many.until_read()
        assert many.end() == [0], many.logs()
        assert not alive(driver)


def pids(many: Deployment, up: "subprocess.Popen[bytes]", count: int = 0) -> list[int]:
    """Of the drivers that have started so far, at least so many."""

    def started() -> list[int]:
        return [line["pid"] for line in many.log(up) if line["event"] == "driver up"]

    many.until(f"{count} drivers are up", lambda: len(started()) >= count)
    return started()


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
