"""The processes that parse: a fork server, and the workers that it forks.

The fork server imports everything once, in one thread, and forks a worker for each socket that it is sent. A
worker runs one task after the other. The kernel ends a task that exceeds its CPU time (ITIMER_PROF) or its
memory (RLIMIT_AS), whatever code it is in. No process outlives the one that started it, and none is given the
settings (with their secrets), the database or a network connection.
"""

import contextlib
import ctypes
import faulthandler
import gc
import os
import pickle
import resource
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import IO, Any, cast

from larder import adapters
from larder.core.lazy_pattern import compile_patterns
from larder.engine.parse_workers.messages import (
    MAX_REPLY,
    REPLY,
    TASK,
    ReplyKind,
    WorkerSetup,
    dump_error,
    load_task,
)

FORK, KILL = b"f", b"k"
PID = struct.Struct(">Q")
MAX_SETUP = 1024 * 1024
BUFFER = 64 * 1024
MAX_HELD_SECONDS = 0.05
"""Seconds after which replies no longer wait for others, so that slow pages do not delay quick ones."""
_PR_SET_PDEATHSIG = 1
_IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals sent to a whole process group: the process that started this one decides what ends when."""


def main(control_fd: int) -> None:
    """Serve forks until the other end of the control socket is closed."""
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    control = socket.socket(fileno=control_fd)
    setup = _read_setup(control)
    _preload(setup)
    children: set[int] = set()
    signal.signal(signal.SIGCHLD, lambda *_: _reap(children))
    while (order := _receive_order(control)) is not None:
        if order[0] == KILL:
            _kill(children, PID.unpack(order[1])[0])
        else:
            _fork(control, order[2], children, setup)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for pid in list(children):
        _kill(children, pid)


def _read_setup(control: socket.socket) -> WorkerSetup:
    setup: WorkerSetup = pickle.loads(control.recv(MAX_SETUP))  # noqa: S301 - from the process that started this one
    return setup


def _preload(setup: WorkerSetup) -> None:
    """Import what workers need, so that they start at once and share its memory.

    Garbage collection is off meanwhile: it would take a tenth of the time and find nothing.
    """
    gc.disable()
    sys.path[:] = setup.path
    adapters.load(setup.adapters_dir)
    adapters.known()
    for name in setup.preload:
        import_module(name)
    if setup.compiles_patterns:
        compile_patterns()
    gc.collect()
    gc.freeze()
    gc.enable()


def _receive_order(control: socket.socket) -> tuple[bytes, bytes, list[int]] | None:
    """Read an order of nine bytes, with the descriptors of a new worker; None: the other end is closed."""
    message, descriptors, _, _ = socket.recv_fds(control, 1 + PID.size, 2)
    return (message[:1], message[1:], descriptors) if len(message) == 1 + PID.size else None


def _reap(children: set[int]) -> None:
    with contextlib.suppress(ChildProcessError):
        while (pid := os.waitpid(-1, os.WNOHANG)[0]) != 0:
            children.discard(pid)


def _kill(children: set[int], pid: int) -> None:
    """Kill a worker that has not been reaped: its process id is its own until then."""
    if pid in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _fork(control: socket.socket, descriptors: list[int], children: set[int], setup: WorkerSetup) -> None:
    server = os.getpid()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    pid = os.fork()
    if pid == 0:
        control.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        _run_worker(server, *descriptors, setup=setup)
    children.add(pid)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    for descriptor in descriptors:
        os.close(descriptor)


# -- a worker ----------------------------------------------------------------------------------------------


def _run_worker(server: int, socket_fd: int, trace_fd: int, *, setup: WorkerSetup) -> None:
    """Run a worker until its end; it never returns into the fork server."""
    code = 1
    try:
        _die_with(server)
        _limit(trace_fd, setup.memory_bytes)
        _serve(cast("IO[bytes]", socket.socket(fileno=socket_fd).makefile("rwb", buffering=BUFFER)))
        code = 0
    except (BrokenPipeError, ConnectionResetError):
        code = 0  # nobody waits for the reply
    finally:
        os._exit(code)


def _die_with(server: int) -> None:
    """Die with the fork server (Linux; elsewhere the end of the socket has this effect)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != server:
            os._exit(1)


def _limit(trace_fd: int, memory_bytes: int) -> None:
    """Limit the memory; the place where a task is ended is written to the trace file."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    trace = os.fdopen(trace_fd, "wb", buffering=0)
    faulthandler.enable(trace, all_threads=False)
    faulthandler.register(signal.SIGPROF, trace, all_threads=False, chain=True)


def _serve(stream: IO[bytes]) -> None:
    _reply(stream, ReplyKind.READY, PID.pack(os.getpid()))
    since = time.monotonic()
    while header := stream.read(TASK.size):
        seconds, more, length = TASK.unpack(header)
        kind, message = _answer(stream.read(length), seconds)
        at_once = not more or time.monotonic() - since > MAX_HELD_SECONDS
        _reply(stream, kind, message, at_once=at_once)
        since = time.monotonic() if at_once else since
        if kind is ReplyKind.OUT_OF_MEMORY:
            return


def _reply(stream: IO[bytes], kind: ReplyKind, message: bytes, *, at_once: bool = True) -> None:
    """Send a reply; replies to tasks that came together may be sent together, which wakes the pool less
    often.
    """
    stream.write(REPLY.pack(kind, len(message)))
    stream.write(message)
    if at_once:
        stream.flush()


def _answer(message: bytes, seconds: float) -> tuple[ReplyKind, bytes]:
    """Run a task; modules that it is the first to need are imported before its time begins."""
    try:
        return _timed(load_task(message), seconds)
    except MemoryError:
        return ReplyKind.OUT_OF_MEMORY, b""
    except Exception as error:  # noqa: BLE001 - the caller decides
        return ReplyKind.ERROR, dump_error(error)


def _timed(task: Callable[[], Any], seconds: float) -> tuple[ReplyKind, bytes]:
    """Run a task; the kernel kills the process when its CPU timer runs out."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        result = pickle.dumps(task(), protocol=pickle.HIGHEST_PROTOCOL)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return (ReplyKind.OUT_OF_MEMORY, b"") if len(result) > MAX_REPLY else (ReplyKind.RESULT, result)


if __name__ == "__main__":
    main(int(sys.argv[1]))
