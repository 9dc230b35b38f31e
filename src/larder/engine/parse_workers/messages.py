"""What a pool and its workers send each other over a private socket pair.

Both ends are this program, so tasks and results are pickled; nothing from outside is ever unpickled. An
adapter travels as its id and its revision: its code is loaded in the worker as it was here. A source is
packed once for all of its pages and unpacked once.
"""

import io
import pickle
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

from larder import adapters
from larder.core.errors import Unusable
from larder.core.model.source import Source
from larder.core.quoting import quoted
from larder.sdk.adapter import SiteAdapter
from larder.sdk.revision import adapter_revision

TASK = struct.Struct(">d?Q")
"""The head of a task.

The CPU seconds that it may take, whether another one follows at once, and its length.
"""
REPLY = struct.Struct(">BQ")
"""The head of a reply: its kind and its length."""
MAX_REPLY = 256 * 1024 * 1024
MAX_SOURCES = 128
"""Maximum sources kept in packed form."""


class ReplyKind(IntEnum):
    """The kind of a reply."""

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
    compiles_patterns: bool = False
    """Compile all patterns before a worker is forked: pages of events need nearly all, others a fifth."""


class _TaskPickler(pickle.Pickler):
    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, SiteAdapter):
            return _load_adapter, (obj.id, adapter_revision(obj))
        return (_load_source, (_dump_source(obj),)) if type(obj) is Source else NotImplemented


def _load_adapter(adapter_id: str, expected: str) -> SiteAdapter:
    adapter = adapters.find(adapter_id)
    if adapter_revision(adapter) != expected:
        message = f"the files of adapter {quoted(adapter_id)} were changed after this process was started"
        raise Unusable(message, hint="restart larder, so that all of it uses the same version")
    return adapter


_DUMPED: dict[int, tuple[Source, bytes]] = {}
"""Packed sources used lately, by identity: many pages have the same."""


def _dump_source(source: Source) -> bytes:
    known = _DUMPED.get(id(source))
    if known is None:
        if len(_DUMPED) >= MAX_SOURCES:
            _DUMPED.clear()
        known = _DUMPED[id(source)] = source, pickle.dumps(source, pickle.HIGHEST_PROTOCOL)
    return known[1]


@lru_cache(MAX_SOURCES)
def _load_source(dumped: bytes) -> Source:
    source: Source = pickle.loads(dumped)  # noqa: S301 - from the process that started this one
    return source


def dump_task(task: Callable[[], Any]) -> bytes:
    """A packed task: a function that a module has by name, or a partial of one."""
    buffer = io.BytesIO()
    _TaskPickler(buffer, protocol=pickle.HIGHEST_PROTOCOL).dump(task)
    return buffer.getvalue()


def load_task(message: bytes) -> Callable[[], Any]:
    """Unpack a task in the worker."""
    task: Callable[[], Any] = pickle.loads(message)  # noqa: S301 - from the process that started this one
    return task


def dump_error(error: Exception) -> bytes:
    """Pack an error for the caller; an error that cannot be packed is described."""
    try:
        message = pickle.dumps(error)
        pickle.loads(message)  # noqa: S301 - just made
    except Exception:  # noqa: BLE001 - whatever an adapter raises
        return pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"[:2_000]))
    return message


def load_reply(message: bytes) -> Any:
    """A worker's result or error. Only a process that this one started can have sent it."""
    return pickle.loads(message)  # noqa: S301
