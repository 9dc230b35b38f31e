"""The demo ends by itself or when told, cleanly, and its last line sums up."""

import asyncio
import json
import signal
from pathlib import Path

from tests.acceptance.conftest import PATIENCE, Shell


async def test_it_ends_by_itself_with_a_sum(tmp_path: Path) -> None:
    for seconds in (6, 20, 60):  # a busy machine reads little in six seconds
        lines = (await Shell(folder=tmp_path)("demo", "--for", f"{seconds}s", "--json")).splitlines()
        told = [json.loads(line) for line in lines]
        if (last := told[-1])["requests"] > 10 and last["records"]:
            break
    assert {"records", "live", "recall", "requests", "doubled"} <= last.keys()
    assert [each["event"] for each in told[:-1]] == ["serving"] + ["progress"] * (len(told) - 2)
    assert last["event"] == "done"
    assert last["doubled"] == 0
    assert 0 < last["records"] <= last["live"] + last["gone_unnoticed"]
    assert last["requests"] > 10
    assert last["linked_rightly"] > 0.97 or not last["on_several_sites"]
    assert len(last["sites"]) == 7
    assert not any(tmp_path.iterdir())  # noqa: ASYNC240 - an empty folder is quickly read


async def test_a_signal_ends_it_cleanly_and_what_it_kept_can_be_looked_at(tmp_path: Path) -> None:
    shell = Shell(folder=tmp_path)
    process = await shell.start("demo", "--data", "kept")
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE):
        async for line in process.stdout:
            if b" known (" in line and b" 0 of" not in line:
                break
        process.send_signal(signal.SIGINT)
        out, err = await process.communicate()
    assert (process.returncode, err) == (0, b"")
    assert out.decode().splitlines()[-1].startswith("Done.")
    kept = Shell(folder=tmp_path, env={"LARDER_DATA": "kept"})
    assert (await kept.json("status"))["public"] > 0
    assert "there is a Larder in it" in (await _complaint(kept, "demo", "--data", "kept"))


async def _complaint(shell: Shell, *args: str) -> str:
    process = await shell.start(*args)
    _, err = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 2
    return err.decode()
