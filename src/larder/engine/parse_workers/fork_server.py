"""Starts the fork server, has it fork and kill workers, and sends tasks to a worker."""

import asyncio
import contextlib
import os
import pickle
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

from larder.core.errors import Unusable
from larder.engine.parse_workers.messages import REPLY, TASK, ReplyKind, WorkerSetup
from larder.engine.parse_workers.worker import FORK, KILL, PID

START_SECONDS = 120
"""How long a worker may take to start: the first waits for all imports."""
STOP_SECONDS = 5
MAX_TRACE = 8_000
NO_PID = PID.pack(0)


class WorkerDied(Exception):
    """A worker ended before it replied; `trace` is where it was, if known."""

    def __init__(self, trace: str) -> None:
        super().__init__(trace)
        self.trace = trace


class ForkServer:
    """The process that forks workers."""

    def __init__(self, setup: WorkerSetup) -> None:
        sock, child_sock = socket.socketpair(type=socket.SOCK_SEQPACKET)  # one message is one order
        with child_sock:
            self._process = subprocess.Popen(  # noqa: S603 - this program itself
                [sys.executable, "-P", "-m", "larder.engine.parse_workers.worker", str(child_sock.fileno())],
                pass_fds=[child_sock.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=_environment(),
            )
        self._control = sock
        self._control.send(pickle.dumps(setup))

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    async def fork(self) -> "WorkerProcess":
        """Start a worker; `Unusable` where that fails."""
        worker = await self._connect()
        try:
            _, pid = await asyncio.wait_for(worker.receive(), START_SECONDS)
        except (OSError, TimeoutError, WorkerDied) as error:
            worker.close()
            message = f"the process that parses pages did not start ({type(error).__name__}: {error})"
            raise Unusable(message, hint="standard error says why; free memory and try again") from error
        except BaseException:
            worker.close()
            raise
        worker.pid = PID.unpack(pid)[0]
        return worker

    async def _connect(self) -> "WorkerProcess":
        """Connect to a worker that is being forked; if the server is gone, its socket is closed at once."""
        sock, child_sock = socket.socketpair()
        trace = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the worker
        with child_sock, contextlib.suppress(OSError):
            socket.send_fds(self._control, [FORK + NO_PID], [child_sock.fileno(), trace.fileno()])
        reader, writer = await asyncio.open_unix_connection(sock=sock)
        return WorkerProcess(reader, writer, trace, pid=0, server=self)

    def kill(self, pid: int) -> None:
        """Kill a worker at once."""
        with contextlib.suppress(OSError):  # the server has ended, and its workers with it
            self._control.send(KILL + PID.pack(pid))

    def close(self) -> None:
        """End the server with all of its workers."""
        self._control.close()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _environment() -> dict[str, str]:
    """The environment without Larder's settings: a worker needs no secret."""
    return {name: value for name, value in os.environ.items() if not name.startswith("LARDER_")}


@dataclass(slots=True)
class WorkerProcess:
    """One worker, seen from the process that gives it tasks."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    trace: IO[bytes]
    pid: int
    server: ForkServer
    pages: int = 0
    """Pages read so far."""

    @property
    def ended(self) -> bool:
        """Whether it has closed its end of the socket."""
        return self.reader.at_eof()

    def send(self, messages: Sequence[bytes], *, cpu_seconds: float) -> None:
        """Send tasks, each with its limit of CPU seconds; `receive` returns their replies in this order.

        It does not wait until they are read: the worker may have to send a reply first.
        """
        following = [*[True] * (len(messages) - 1), False]
        for message, more in zip(messages, following, strict=True):
            self.writer.write(TASK.pack(cpu_seconds, more, len(message)) + message)

    async def receive(self) -> tuple[ReplyKind, bytes]:
        """The next reply."""
        try:
            kind, length = REPLY.unpack(await self.reader.readexactly(REPLY.size))
            return ReplyKind(kind), await self.reader.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError):
            raise WorkerDied(self._read_trace()) from None

    def _read_trace(self) -> str:
        self.trace.seek(0)
        return self.trace.read(MAX_TRACE).decode("utf-8", "replace")

    def close(self) -> None:
        """End the worker: an idle one ends with its socket."""
        self.writer.close()
        self.trace.close()

    def kill(self) -> None:
        """Kill the process."""
        self.server.kill(self.pid)
        self.close()
