"""The options that make a query, for every command that asks the dataset: each is named here alone."""

import inspect
from collections.abc import Callable
from inspect import Parameter
from operator import attrgetter
from typing import Annotated, Any, TypedDict, TypeVar, get_type_hints

import typer

from larder.core.model.source import Kind
from larder.store.reads.query import Query, Sort, parse_place

Command = TypeVar("Command", bound=Callable[..., None])


class QueryOptions(TypedDict):
    """What was asked for; what was not is None."""

    text: Annotated[str | None, typer.Option(help="Full-text search.")]
    source: Annotated[str | None, typer.Option(help="Only of this source.")]
    site: Annotated[str | None, typer.Option(help="Only of this site.")]
    kind: Annotated[Kind | None, typer.Option(help="Only of this kind.")]
    price_min: Annotated[int | None, typer.Option(help="In minor units: 120000 is 1,200.00.")]
    price_max: Annotated[int | None, typer.Option(help="In minor units.")]
    rooms_min: Annotated[float | None, typer.Option(help="Of homes: at least so many rooms.")]
    category: Annotated[str | None, typer.Option(help="Only of this category.")]
    brand: Annotated[str | None, typer.Option(help="Only of this brand.")]
    near: Annotated[str | None, typer.Option(help="Only near these coordinates.", metavar="LAT,LON")]
    within_km: Annotated[float | None, typer.Option(help="Maximum distance in kilometres.")]


def with_query_options(command: Command) -> Command:
    """Give a command that takes `**asked` an option for each; they come before its own."""
    signature = inspect.signature(command)
    own = (each for each in signature.parameters.values() if each.kind is not Parameter.VAR_KEYWORD)
    options = (
        Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=hint)
        for name, hint in get_type_hints(QueryOptions, include_extras=True).items()
    )
    parameters = sorted([*options, *own], key=attrgetter("kind"))
    command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return command


def build_query(asked: QueryOptions, sort: Sort | None = None) -> Query:
    """What these options ask for."""
    fields: dict[str, Any] = {**asked, "near": parse_place(asked["near"])}
    return Query(**fields, sort=sort)
