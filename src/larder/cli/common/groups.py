"""Creates the groups of commands, so that all of them behave alike and load only what they need."""

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

EVERYWHERE = frozenset({"help", "install_completion", "show_completion"})
"""Flags that every command has."""


def _decided(params: list[Any]) -> list[Any]:
    """Set flags that are not given to False: to convert None, Typer loads pydantic."""
    for each in params:
        if each.name in EVERYWHERE and each.default is None:
            each.default = False
    return params


class LeanCommand(TyperCommand):
    """A command that loads no validator for flags that are not given."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, each flag with a value."""
        return _decided(super().get_params(ctx))


class LeanGroup(TyperGroup):
    """A group with such parameters."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, each flag with a value."""
        return _decided(super().get_params(ctx))


def command_group(description: str) -> typer.Typer:
    """A group such as `larder source`; without a command it prints its help."""
    return typer.Typer(cls=LeanGroup, no_args_is_help=True, pretty_exceptions_enable=False, help=description)
