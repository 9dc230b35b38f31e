"""The command line: a thin face over `actions`.

Nothing is imported before it is asked for: `larder --help` draws its page from the table below; a
command's module is loaded when that command is called.
"""

import gc
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from types import ModuleType
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from larder import __version__
from larder.core.errors import LarderError, UsageError
from larder.rendering.hints import sentence


class Command(NamedTuple):
    """Where a command lives, and what the overview says of it."""

    module: str
    attribute: str
    panel: str
    help: str


BEGIN, LOOK, WORK, KEEP = "Begin", "Look", "Work", "Keep"

COMMANDS = {
    "demo": Command(
        "demo.command", "demo", BEGIN, "See it work: made-up sites, the real pipeline, a live view."
    ),
    "init": Command("init", "init", BEGIN, "Make a new Larder here."),
    "source": Command("source", "app", BEGIN, "Add sources, look at them, switch them on and off."),
    "site": Command("site", "app", BEGIN, "The sites behind the sources: terms, limits, blocks."),
    "up": Command("up.commands", "up", WORK, "Do all work that is due, for ever; Ctrl-C ends it cleanly."),
    "tick": Command("up.commands", "tick", WORK, "Do work that is due for a limited time: for cron."),
    "run": Command("run.commands", "app", WORK, "Start a run now, watch, pause or stop it."),
    "status": Command("status", "status", LOOK, "The whole Larder at a glance."),
    "why": Command("status", "why", LOOK, "Why a source is running, or why it is not."),
    "try": Command("trial.command", "try_", LOOK, "What would be read from a page, strategy by strategy."),
    "fetch": Command("fetch", "fetch", LOOK, "Fetch one page now: robots, lane, hops, where it lies."),
    "records": Command(
        "records.commands", "app", LOOK, "The dataset: records, their prices, where each value is from."
    ),
    "entity": Command(
        "entity", "app", LOOK, "Records of several sources that are one thing: look, link, undo."
    ),
    "watch": Command("watch", "app", LOOK, "Saved searches and price rules that tell you."),
    "export": Command("export", "export", LOOK, "Write what the public may see into a file."),
    "changes": Command("changes", "changes", LOOK, "What happened to records, in order, after a cursor."),
    "errors": Command("errors", "errors", LOOK, "Search what went wrong, across all runs."),
    "summary": Command("summary", "summary", LOOK, "What all runs since the last summary came to; send it."),
    "alert": Command("alert", "app", KEEP, "What a person should know: look, close."),
    "target": Command("target", "app", KEEP, "Named URLs that are watched on a schedule of their own."),
    "adapter": Command("adapter.commands", "app", KEEP, "The adapters that read pages."),
    "replay": Command(
        "replay.command", "replay", KEEP, "Stored pages through today's adapters: look, then put right."
    ),
    "dead": Command("dead", "app", KEEP, "Work that failed for good: look, retry, discard."),
    "quarantine": Command("quarantine", "app", KEEP, "Items that look wrong: look, release, reject."),
    "proxy": Command("proxy", "app", KEEP, "The pool of proxies, and how each does."),
    "secret": Command("secret", "app", KEEP, "Tokens and headers that sources send, kept encrypted."),
    "key": Command("key", "app", KEEP, "Keys to the API: give out, list, revoke; one-time links."),
    "maintain": Command("maintain", "maintain", KEEP, "Do now what is done every night at 3:00."),
    "db": Command("db", "app", KEEP, "The database's schema: up, down, where it is."),
}


class LazyGroup(TyperGroup):
    """Knows every command's name and line of help; loads the command itself when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """In the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """A stand-in with the help: all that the overview needs."""
        entry = COMMANDS.get(cmd_name)
        return entry and TyperCommand(cmd_name, help=entry.help, rich_help_panel=entry.panel)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The real command, where one is to be run."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            close = get_close_matches(name, COMMANDS, n=1)
            raise UsageError(
                f"there is no command {name!r}",
                hint=f"did you mean: larder {close[0]}" if close else "see: larder --help",
            )
        if name in COMMANDS:
            return name, load_command(name), args[1:]
        return super().resolve_command(ctx, args)


def load_command(name: str) -> Any:
    """A command with everything it needs."""
    entry = COMMANDS[name]
    found = getattr(_import_module(f"larder.cli.{entry.module}"), entry.attribute)
    app = found if isinstance(found, typer.Typer) else _single_command(found)
    command = typer.main.get_command(app)
    command.name = name
    return command


def _import_module(module: str) -> ModuleType:
    """Whatever a module makes stays: to look for garbage meanwhile is a tenth of the time it takes."""
    gc.disable()
    try:
        return import_module(module)
    finally:
        gc.enable()


def _single_command(function: Any) -> typer.Typer:
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(function)
    return app


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"larder {__version__}")
        raise typer.Exit


@app.callback()
def larder(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Keep a live, trustworthy copy of things that live on other people's websites."""


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line: 0 done, 1 failed, 2 wrong use, 130 interrupted."""
    sys.exit(exit_code(args))


def exit_code(args: Sequence[str] | None = None) -> int:
    """The same, giving back the exit code."""
    try:
        code = typer.main.get_command(app).main(args, prog_name="larder", standalone_mode=False)
    except UsageError as error:
        return print_error(str(error), sentence(error.hint), code=2)
    except LarderError as error:
        return print_error(str(error), code=1)
    except typer.TyperException as error:
        return _usage_error(error)
    except typer.Abort:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    return code if isinstance(code, int) else 0


def _usage_error(error: typer.TyperException) -> int:
    """What Typer has to say, in our own two lines; a bare command shows its help."""
    context: Any = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        typer.echo(error.format_message())
        return 0
    path = context.command_path if context else "larder"
    return print_error(
        _lowercase_first(error.format_message().rstrip(".")), f"see: {path} --help", code=error.exit_code
    )


def print_error(message: str, hint: str = "", *, code: int) -> int:
    """One line that says what is wrong, one that says what to do."""
    sys.stderr.write(f"error: {' '.join(message.split())}\n")
    if hint:
        sys.stderr.write(f"hint: {hint}\n")
    return code


def _lowercase_first(text: str) -> str:
    return text[:1].lower() + text[1:]
