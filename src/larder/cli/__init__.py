"""The command line, over `actions`.

Imports are lazy: `larder --help` is built from the table below, and a command's module is loaded when that
command is called.
"""

import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from importlib import import_module
from types import ModuleType
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand

from larder import __version__
from larder.cli.common.garbage import collect_seldom, end, loading
from larder.cli.common.groups import LeanCommand, LeanGroup
from larder.cli.common.interrupts import handle_signals
from larder.core.errors import LarderError, UsageError
from larder.core.quoting import quoted
from larder.core.validation_messages import validation_message
from larder.rendering.hints import sentence


class Command(NamedTuple):
    """The module of a command, and its line in the overview."""

    module: str
    attribute: str
    panel: str
    help: str


BEGIN, LOOK, WORK, KEEP = "Get started", "Inspect", "Run", "Operate"

COMMANDS = {
    "demo": Command(
        "demo.command", "demo", BEGIN, "Run the real pipeline on simulated sites, with a live view."
    ),
    "init": Command("deployment.init", "init", BEGIN, "Create a Larder in this folder."),
    "source": Command("source.commands", "app", BEGIN, "Add, list, change, enable and remove sources."),
    "site": Command("site", "app", BEGIN, "Show and set the terms, limits and blocks of sites."),
    "scout": Command("scout", "scout", BEGIN, "Search a region for agendas that could become sources."),
    "up": Command("up.commands", "up", WORK, "Run all due work until stopped with Ctrl-C."),
    "tick": Command("up.commands", "tick", WORK, "Run due work for a limited time, for cron."),
    "worker": Command("workers", "worker", WORK, "Do the work as one of several Celery workers."),
    "beat": Command("workers", "beat", WORK, "Send Celery workers the messages that start work."),
    "run": Command("run.commands", "app", WORK, "Start, list, pause, resume and stop runs."),
    "status": Command("status", "status", LOOK, "Show sources, records, freshness and open problems."),
    "why": Command("source.why", "why", LOOK, "Show why a source runs, or why it does not."),
    "try": Command("trial.command", "try_", LOOK, "Show what each strategy reads from a page."),
    "fetch": Command("fetch", "fetch", LOOK, "Fetch one page now and show each step."),
    "records": Command(
        "records.commands", "app", LOOK, "List records; show their history and where each value comes from."
    ),
    "entity": Command(
        "entity", "app", LOOK, "List, link and unlink records of several sources that are one entity."
    ),
    "watch": Command("watch", "app", LOOK, "Saved searches and price rules that send messages."),
    "mcp": Command("mcp", "mcp", LOOK, "Let assistants ask questions about the dataset (MCP)."),
    "export": Command("export", "export", LOOK, "Write the public records into a file."),
    "changes": Command("changes", "changes", LOOK, "List changes to records after a cursor, in order."),
    "errors": Command("errors", "errors", LOOK, "Search the errors of all runs."),
    "summary": Command(
        "summary", "summary", LOOK, "Show or send the summary of all runs since the last one."
    ),
    "sim": Command("sim.commands", "app", LOOK, "Score policies on a simulated site in virtual time."),
    "alert": Command("alert", "app", KEEP, "List and resolve alerts."),
    "target": Command("target", "app", KEEP, "Pages that are checked on a schedule of their own."),
    "adapter": Command("adapter.commands", "app", KEEP, "List, generate, test, enable and disable adapters."),
    "replay": Command("replay.command", "replay", KEEP, "Read stored pages again with today's adapters."),
    "dead": Command("dead", "app", KEEP, "List, retry and discard work that failed for good."),
    "quarantine": Command("quarantine", "app", KEEP, "List, release and reject items that look wrong."),
    "proxy": Command("proxy", "app", KEEP, "Manage the proxy pool and show its health."),
    "secret": Command("secret", "app", KEEP, "Manage encrypted tokens and headers that sources send."),
    "key": Command("key", "app", KEEP, "Create, list and revoke API keys; create sign-in links."),
    "doctor": Command("deployment.doctor", "doctor", KEEP, "Check the deployment and say what to do."),
    "enrich": Command("enrich", "enrich", KEEP, "Ask the language model now, and show what it cost."),
    "maintain": Command("deployment.maintain", "maintain", KEEP, "Run the nightly maintenance now."),
    "backup": Command("deployment.backup", "backup", KEEP, "Write database and stored pages into one file."),
    "restore": Command("deployment.backup", "restore", KEEP, "Restore a backup into an empty place."),
    "db": Command("deployment.db", "app", KEEP, "Show, upgrade, downgrade and copy the database."),
}


class LazyGroup(LeanGroup):
    """A group that lists commands from the table and loads a command when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """The names of the commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """A stand-in with the help text, which is all that the overview needs."""
        entry = COMMANDS.get(cmd_name)
        return entry and TyperCommand(cmd_name, help=entry.help, rich_help_panel=entry.panel)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The real command, loaded for execution."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            close = get_close_matches(name, COMMANDS, n=1)
            raise UsageError(
                f"there is no command {quoted(name)}",
                hint=f"did you mean: larder {close[0]}" if close else "see: larder --help",
            )
        if name in COMMANDS:
            return name, load_command(name), args[1:]
        return super().resolve_command(ctx, args)


def load_command(name: str) -> Any:
    """Load a command."""
    entry = COMMANDS[name]
    found = getattr(_import_module(f"larder.cli.{entry.module}"), entry.attribute)
    app = found if isinstance(found, typer.Typer) else _single_command(found)
    command = typer.main.get_command(app)
    command.name = name
    return command


def _import_module(module: str) -> ModuleType:
    if module in sys.modules:
        return sys.modules[module]
    with loading():
        return import_module(module)


def _single_command(function: Any) -> typer.Typer:
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command(cls=LeanCommand)(function)
    return app


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"larder {__version__}")
        raise typer.Exit


@app.callback()
def larder(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Keep a live, trustworthy copy of things on other people's websites."""


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line: 0 done, 1 failed, 2 wrong use, 130 or 143 stopped by a signal."""
    collect_seldom()
    signals = handle_signals()
    code = exit_code(args)
    signals.ended = True
    end(code)


def exit_code(args: Sequence[str] | None = None) -> int:
    """Run the command line; returns its exit code."""
    return exit_code_of(
        lambda: typer.main.get_command(app).main(args, prog_name="larder", standalone_mode=False)
    )


def exit_code_of(work: Callable[[], Any]) -> int:
    """Call `work`, print its error if any, return the exit code."""
    try:
        code = work()
    except UsageError as error:
        return print_error(str(error), sentence(error.hint), code=2)
    except LarderError as error:
        return print_error(str(error), code=getattr(error, "exit_code", 1))
    except typer.TyperException as error:
        return _usage_error(error)
    except typer.Abort:
        return print_error("stopped", code=130)
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    return code if isinstance(code, int) else 0


def _usage_error(error: typer.TyperException) -> int:
    """Print an error of Typer in our two-line form; a bare command shows its help."""
    context: Any = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        typer.echo(error.format_message())
        return 0
    path = context.command_path if context else "larder"
    return print_error(_usage_message(error), f"see: {path} --help", code=error.exit_code)


def _usage_message(error: typer.TyperException) -> str:
    message = error.format_message().rstrip(".")
    if message.startswith("Got unexpected extra argument"):
        return f"unexpected argument {quoted(message.rpartition(' (')[2].removesuffix(')'))}"
    value, colon, rule = message.partition(": ")
    return _lowercase_first(f"{value}{colon}{validation_message(rule)}")


def print_error(message: str, hint: str = "", *, code: int) -> int:
    """Print one line that says what is wrong, one that says what to do."""
    sys.stderr.write(f"error: {' '.join(message.split())}\n")
    if hint:
        sys.stderr.write(f"hint: {hint}\n")
    return code


def _lowercase_first(text: str) -> str:
    return text[:1].lower() + text[1:]
