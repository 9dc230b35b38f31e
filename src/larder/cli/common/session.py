"""Opens a deployment for a command: settings, app, one unit of work, and the operator's name."""

import asyncio
import getpass
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from larder import adapters
from larder.app import App, open_app
from larder.app.data_folder import START_BYTES, free_bytes
from larder.cli.common.interrupts import Interrupted, current_signals
from larder.core.errors import Unusable
from larder.settings import Settings, load
from larder.store.database import Connection, DriverError, sqlite_path
from larder.store.database.write_errors import explain

P = ParamSpec("P")
T = TypeVar("T")


@asynccontextmanager
async def opened_app(settings: Settings | None = None) -> AsyncIterator[App]:
    """Open the Larder of these settings; it is not created if it does not exist."""
    settings = settings or load()
    require_database(settings)
    async with open_app(settings) as app:
        yield app


def require_database(settings: Settings) -> None:
    """Raise a usage error where the data folder has no database."""
    path = sqlite_path(settings.database_url)
    if path is not None and not _is_file(path):
        raise Unusable(f"there is no Larder here: {path} does not exist", hint="make one: larder init")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def load_adapters() -> None:
    """The adapters of these settings, for commands that need no database."""
    adapters.load(load().adapters_dir)


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run it; an error of the database or the disk becomes one line for a person."""
    try:
        return _run_until_signal(work)
    except BrokenPipeError:
        raise
    except (DriverError, OSError) as error:
        raise _full_disk_error(explain(error)) from error
    except Unusable as error:
        raise _full_disk_error(error) from error


def _run_until_signal(work: Coroutine[Any, Any, T]) -> T:
    """Run until done; a signal cancels the work, which closes its resources before the command ends."""
    signals = current_signals()

    async def cancellable() -> T:
        signals.task = asyncio.current_task()
        return await work

    try:
        with asyncio.Runner(loop_factory=_event_loop) as runner:
            signals.loop = runner.get_loop()
            return runner.run(cancellable())
    except asyncio.CancelledError:
        if not signals.received:
            raise
        raise Interrupted(signals.received[-1]) from None
    finally:
        signals.loop = None


def _event_loop() -> asyncio.AbstractEventLoop:
    """uvloop if it is installed, else asyncio's event loop."""
    try:
        import uvloop  # noqa: PLC0415 - nothing is imported before it is needed
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def _full_disk_error(error: Unusable) -> Unusable:
    """The error, or a clearer one if the disk is full: SQLite calls that an I/O error."""
    if not any(words in str(error) for words in ("I/O error", "disk is full")):
        return error
    folder = load().data.absolute()
    free = free_bytes(folder)
    if free >= START_BYTES:
        return error
    return Unusable(
        f"the disk is full: {folder} has {free:,} bytes left",
        hint=f"free {START_BYTES:,} bytes and more there and start again; nothing is half-written",
    )


def run_query(action: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run an action that needs neither time nor dispatcher."""

    async def work() -> T:
        async with opened_app() as app:
            return await app.run(action, *args, **kwargs)

    return run_async(work())


def run_action(action: Callable[..., T], /, *args: Any, **answer: Any) -> T:
    """Run an action in the operator's name at the present time."""

    async def work(app: App) -> T:
        return await app.run(action, *args, **{"who": operator(), "now": app.clock.now(), **answer})

    return with_app(work)


def with_app(work: Callable[[App], Coroutine[Any, Any, T]], settings: Settings | None = None) -> T:
    """Run `work` with an opened app."""

    async def opened_work() -> T:
        async with opened_app(settings) as app:
            return await work(app)

    return run_async(opened_work())


def operator() -> str:
    """The name of the operating system's user, for the audit log."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "operator"
