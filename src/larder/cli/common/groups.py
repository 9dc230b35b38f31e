"""Makes the groups of commands, so that all of them behave alike."""

import typer


def command_group(description: str) -> typer.Typer:
    """A group such as `larder source`; without a command it prints its help."""
    return typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, help=description)
