"""What a pool and its workers send each other over a private socket pair.

Both ends are this program, so tasks and results are pickled; nothing from outside is ever unpickled. An
adapter travels as its id and its revision: its code is loaded in the worker as it was here.
"""

import io
import pickle
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from larder import adapters
from larder.core.errors import Unusable
from larder.sdk.adapter import SiteAdapter
from larder.sdk.revision import revision

TASK = struct.Struct(">dQ")
"""Of a task: the CPU seconds that it may take, and its length."""
REPLY = struct.Struct(">BQ")
"""Of a reply: its kind, and its length."""
MAX_REPLY = 256 * 1024 * 1024


class ReplyKind(IntEnum):
    """What a reply is."""

    READY = 0
    RESULT = 1
    ERROR = 2
    OUT_OF_MEMORY = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSetup:
    """What a fork server needs before it forks its first worker."""

    path: Sequence[str]
    """The module search path."""
    preload: Sequence[str]
    """Modules that are imported before a worker is forked."""
    adapters_dir: Path | None
    memory_bytes: int


class _TaskPickler(pickle.Pickler):
    def persistent_id(self, obj: Any) -> tuple[str, str] | None:
        return (obj.id, revision(obj)) if isinstance(obj, SiteAdapter) else None


class _TaskUnpickler(pickle.Unpickler):
    def persistent_load(self, pid: tuple[str, str]) -> SiteAdapter:
        adapter_id, expected = pid
        adapter = adapters.find(adapter_id)
        if revision(adapter) != expected:
            message = f"the files of adapter {adapter_id!r} were changed after this process was started"
            raise Unusable(message, hint="restart larder, so that all of it uses the same version")
        return adapter


def dump_task(task: Callable[[], Any]) -> bytes:
    """A task for a worker: a function that a module has by name, or a partial of one."""
    buffer = io.BytesIO()
    _TaskPickler(buffer, protocol=pickle.HIGHEST_PROTOCOL).dump(task)
    return buffer.getvalue()


def load_task(message: bytes) -> Callable[[], Any]:
    """The task, in the worker."""
    task: Callable[[], Any] = _TaskUnpickler(io.BytesIO(message)).load()
    return task


def dump_error(error: Exception) -> bytes:
    """An error for the caller; one that cannot be sent is described."""
    try:
        message = pickle.dumps(error)
        pickle.loads(message)  # noqa: S301 - just made
    except Exception:  # noqa: BLE001 - whatever an adapter raises
        return pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"[:2_000]))
    return message


def load_reply(message: bytes) -> Any:
    """A worker's result or error. Only a process that this one started can have sent it."""
    return pickle.loads(message)  # noqa: S301
