"""On SQLite `larder up` serves in one process and drives in another; neither outlives the first."""

import json
import os
import select
import signal
import subprocess
from typing import Any

from tests.unit.cli.conftest import PATIENCE, Shell


def test_a_driver_that_dies_is_restarted_while_the_folder_stays_taken(larder: Shell) -> None:
    up = larder.start("up", "--json")
    try:
        os.kill(driver_of(up), signal.SIGKILL)
        assert until(up, "driver ended")["code"] == -signal.SIGKILL
        assert larder.process("up").code == 2
        assert driver_of(up)
    finally:
        up.terminate()
        out, err = up.communicate(timeout=PATIENCE)
    assert (up.returncode, err) == (0, "")
    assert json.loads(out.splitlines()[-1])["event"] == "down"


def test_the_driver_ends_with_the_process_that_started_it(larder: Shell) -> None:
    up = larder.start("up", "--json")
    end = os.pidfd_open(driver_of(up))
    up.kill()
    up.communicate(timeout=PATIENCE)
    assert select.select([end], [], [], PATIENCE)[0] == [end]
    os.close(end)
    assert "left_to" not in json.loads(larder.process("tick", "--json").out)


def driver_of(up: "subprocess.Popen[str]") -> int:
    pid: int = until(up, "driver up")["pid"]
    return pid


def until(up: "subprocess.Popen[str]", event: str) -> dict[str, Any]:
    for line in up.stdout or ():
        told: dict[str, Any] = json.loads(line)
        if told["event"] == event:
            return told
    raise AssertionError(f"it ended before {event}")
