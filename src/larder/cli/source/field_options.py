"""The options that set the fields of a source, made from the one table of its fields."""

import inspect
from collections.abc import Callable, Collection, Mapping
from inspect import Parameter
from operator import attrgetter
from typing import Annotated, Any, TypeVar

import typer
from pydantic import ValidationError

from larder.actions.sources.field_checks import first_mistake
from larder.actions.sources.fields import EDITABLE, FieldType, SourceField, parse_mapping
from larder.actions.sources.spec import PLANS, SourceSpec, market_url
from larder.core.errors import BadInput
from larder.core.model.source import Plan
from larder.core.quoting import quoted

CommandFunction = TypeVar("CommandFunction", bound=Callable[..., None])

FLAGS = {"max_items_per_run": ("--max-items", "--max-items-per-run")}
"""Options that also have a shorter name."""


def with_field_options(*, without: Collection[str] = ()) -> Callable[[CommandFunction], CommandFunction]:
    """Give a command that takes `**given` an option for each field; they come before its own."""

    def wrapped(command: CommandFunction) -> CommandFunction:
        signature = inspect.signature(command)
        own = [
            parameter
            for parameter in signature.parameters.values()
            if parameter.kind is not Parameter.VAR_KEYWORD
        ]
        options = [_parameter(field) for name, field in EDITABLE.items() if name not in without]
        parameters = sorted([*own, *options], key=attrgetter("kind"))
        command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return command

    return wrapped


def given_fields(options: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that were given as options."""
    values = {name: value for name, value in options.items() if value not in (None, "")}
    for name, value in values.items():
        if EDITABLE[name].type is FieldType.MAPPING:
            values[name] = parse_mapping(name, value)
    return values


def checked(values: Mapping[str, Any]) -> SourceSpec:
    """A source from its fields; `BadInput` names the invalid field."""
    if "url" not in values and not market_url(values):
        raise BadInput("missing argument URL: the index page of the source", hint="larder source add URL")
    try:
        return SourceSpec.model_validate(dict(values))
    except ValidationError as error:
        text = first_mistake(error).removeprefix("url: ")
        raise BadInput(text, hint="see: larder source add --help") from error


def _parameter(field: SourceField) -> Parameter:
    names = FLAGS.get(field.name, ())
    if field.value_type is Plan:
        option: Any = typer.Option(*names, help=_help(field), parser=_plan, metavar="PLAN")
    elif field.type is FieldType.MAPPING:
        option = typer.Option(*names, help=_help(field), metavar="YAML")
    else:
        option = typer.Option(*names, help=_help(field))
    hint = str if field.type in (FieldType.MAPPING, FieldType.TEXT) else field.value_type
    return Parameter(
        field.name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[hint | None, option]
    )


def _help(field: SourceField) -> str:
    return field.description.replace("`", "")


def _plan(text: str) -> Plan:
    try:
        return Plan(text)
    except ValueError as error:
        raise typer.BadParameter(f"{quoted(text)} is not one of {', '.join(PLANS)}") from error
