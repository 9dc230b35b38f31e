"""Starts the driver processes of `larder up`, restarts one that dies, and stops them."""

import asyncio
import ctypes
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

_PR_SET_PDEATHSIG = 1
NICENESS = 5
FIRST_RESTART_SECONDS = 1.0
MAX_RESTART_SECONDS = 60.0
STEADY_SECONDS = 60.0
"""A driver that ran for so long is restarted without a longer wait."""
ENDING_SECONDS = 10.0
"""How long drivers may take to end after the second signal."""


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0))


@dataclass(slots=True, kw_only=True)
class Drivers:
    """Starts and restarts driver processes; `say` reports each that ends unexpectedly."""

    count: int
    say: Callable[..., None]
    as_json: bool
    lines: bool
    """Whether they log to standard output; at a terminal they do not."""
    env: Mapping[str, str]
    lock: int | None = None
    """The descriptor of the data folder's lock, if this process holds it for its only driver."""
    _stopping: asyncio.Event = field(default_factory=asyncio.Event)
    _running: set[Process] = field(default_factory=set)

    def stop(self) -> None:
        """Ask the drivers to end; `run` returns after the last of them."""
        self._stopping.set()
        self._terminate()

    async def run(self) -> None:
        """Keep the drivers running until `stop`; when cancelled, end them sooner."""
        try:
            async with asyncio.TaskGroup() as group:
                for number in range(1, self.count + 1):
                    group.create_task(self._keep_running(number))
        finally:
            await self._end()

    async def _keep_running(self, number: int) -> None:
        loop, wait = asyncio.get_running_loop(), FIRST_RESTART_SECONDS
        while not self._stopping.is_set():
            began = loop.time()
            code = await self._run_one()
            if self._stopping.is_set():
                return
            wait = FIRST_RESTART_SECONDS if loop.time() - began > STEADY_SECONDS else wait
            self.say("driver ended", driver=number, code=code, restarts_in=f"{wait:.0f}s")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), wait)
            wait = min(2 * wait, MAX_RESTART_SECONDS)

    async def _run_one(self) -> int:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "larder.cli.up.driver_process", "--drivers", str(self.count)),
            *("--parent", str(os.getpid())),
            *(["--json"] if self.as_json else []),
            *(["--lock", str(self.lock)] if self.lock is not None else []),
            pass_fds=() if self.lock is None else (self.lock,),
            stdin=DEVNULL,
            stdout=None if self.lines else DEVNULL,
            start_new_session=True,  # Ctrl-C at the terminal reaches only this process
            env=self.env,
        )
        self._running.add(process)
        if self._stopping.is_set():
            self._terminate()  # it was still starting when the others were stopped
        code = await process.wait()
        self._running.discard(process)
        return code

    def _terminate(self) -> None:
        for process in self._running:
            with suppress(ProcessLookupError):
                process.terminate()

    async def _end(self) -> None:
        """Send a second signal, which ends work in flight; kill drivers that have not ended then."""
        self._terminate()
        waits = [asyncio.ensure_future(process.wait()) for process in self._running]
        if waits:
            await asyncio.wait(waits, timeout=ENDING_SECONDS)
        for process in self._running:
            with suppress(ProcessLookupError):
                process.kill()


def environment_of_many() -> dict[str, str]:
    """For one of many drivers: parse in one process, and look often for work that another one opened."""
    return {"LARDER_PARSE_WORKERS": "1", "LARDER_TICK_SECONDS": "10", **os.environ}


def environment_of_one(parsers: int) -> dict[str, str]:
    """For the only driver: parse in so many processes."""
    return {**os.environ, "LARDER_PARSE_WORKERS": str(parsers)}


def lower_priority() -> None:
    """Lower the priority, so that requests are answered first if CPU time is short."""
    os.nice(NICENESS)


def die_with_parent() -> None:
    """Have this process killed when its parent dies (Linux; elsewhere the parent is polled)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
