"""Reports of `larder up`: a line for each run on a terminal, structured lines in a log."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import Console
from rich.status import Status
from rich.text import Text

from larder.actions.operations.runs import RunView
from larder.cli.common.logs import start_logging
from larder.cli.common.output import span, status_text
from larder.core.plurals import plural

if TYPE_CHECKING:
    from larder.engine.worker.commit_pages import DriverTotals


class RunReporter(Protocol):
    """Receives the events of a driver process."""

    lines: bool
    """Whether log lines of other processes may be mixed in."""

    def say(self, event: str, **facts: Any) -> None:
        """Report an event of the process itself."""
        ...

    def run(self, view: RunView) -> None:
        """Report that a run opened, paused or ended."""
        ...

    def beat(self, tally: "DriverTotals", open_runs: int) -> None:
        """Report progress; called at regular intervals."""
        ...


class LogReporter:
    """Writes log lines as JSON or name=value, in the format of the engine's own log."""

    lines = True

    def __init__(self, *, as_json: bool, level: str) -> None:
        start_logging(as_json=as_json, level=level)
        self._log = logging.getLogger("larder.up")

    def say(self, event: str, **facts: Any) -> None:
        """Write one line."""
        self._log.info(event, extra=facts)

    def run(self, view: RunView) -> None:
        """Write one line with the run's id and source."""
        facts: dict[str, Any] = {
            "run": view.id,
            "source": view.source,
            "kind": str(view.kind),
            "trigger": str(view.trigger),
        }
        if not view.over:
            self._log.info("run " + ("paused" if view.status == "paused" else "opened"), extra=facts)
            return
        facts |= {name: getattr(view, name) for name in ("pages", "inserted", "updated", "failed")}
        facts |= {"status": str(view.status)} | ({"error": view.error} if view.error else {})
        level = logging.INFO if view.status == "completed" else logging.WARNING
        self._log.log(level, "run ended", extra=facts)

    def beat(self, tally: "DriverTotals", open_runs: int) -> None:
        """Log progress at debug level."""
        facts = {"pages": tally.pages, "inserted": tally.inserted, "open_runs": open_runs}
        self._log.debug("at work", extra=facts)


class TerminalReporter:
    """Prints one line per event and a status line below them."""

    lines = False

    def __init__(self, status: Status, console: Console) -> None:
        self._status = status
        self._console = console

    def say(self, event: str, **facts: Any) -> None:
        """Write one line."""
        line = "  ".join(f"{name} {value}" for name, value in facts.items())
        self._print(Text.assemble((event, "bold"), "  ", (line, "bright_black")))

    def run(self, view: RunView) -> None:
        """Print one short line for the run."""
        what = f"run {view.id}  {view.kind} of {view.source}  "
        if not view.over:
            self._print(Text.assemble(what, ("begins" if view.status == "running" else view.status, "cyan")))
            return
        took = span((view.finished_at or view.started_at) - view.started_at)
        counts = f"  {plural(view.pages, 'page')}, {view.inserted} new, {view.updated} changed in {took}"
        self._print(Text.assemble(what, status_text(view.status), counts, (f"  {view.error or ''}", "red")))

    def beat(self, tally: "DriverTotals", open_runs: int) -> None:
        """Update the status line."""
        doing = f"{plural(open_runs, 'run')} open" if open_runs else "waiting"
        self._status.update(
            f"{doing} · {plural(tally.pages, 'page')} · {tally.inserted:,} new · Ctrl-C stops it"
        )

    def _print(self, line: Text) -> None:
        self._console.print(Text.assemble((f"{datetime.now(UTC):%H:%M:%S}  ", "bright_black"), line))


@contextmanager
def open_reporter(*, as_json: bool, level: str) -> Iterator[RunReporter]:
    """A terminal display where stdout is a terminal, otherwise a log."""
    if as_json or not sys.stdout.isatty():
        yield LogReporter(as_json=as_json, level=level)
        return
    console = Console(highlight=False)
    with console.status("starting") as status:
        yield TerminalReporter(status, console)
