"""The query options that commands reading the dataset share."""

import inspect
from collections.abc import Callable
from inspect import Parameter
from operator import attrgetter
from typing import Annotated, Any, TypedDict, TypeVar, get_type_hints

import typer

from larder.actions.dataset.price_range import with_price_range
from larder.core.model.record import Availability
from larder.core.model.source import Kind
from larder.store.reads.query import Query, Sort, parse_place

CommandFunction = TypeVar("CommandFunction", bound=Callable[..., None])


class QueryOptions(TypedDict):
    """The options of a query; None where an option was not given."""

    text: Annotated[str | None, typer.Option(help="Full-text search.")]
    source: Annotated[str | None, typer.Option(help="Only of this source.")]
    site: Annotated[str | None, typer.Option(help="Only of this site.")]
    kind: Annotated[Kind | None, typer.Option(help="Only of this kind.")]
    price_min: Annotated[str | None, typer.Option(help="At least: 1200, 12.50 or 'EUR 1,200'.")]
    price_max: Annotated[str | None, typer.Option(help="At most, written the same way.")]
    price_min_minor: Annotated[
        int | None, typer.Option(help="At least, in minor units: 120000 is 1,200.00.", min=0)
    ]
    price_max_minor: Annotated[int | None, typer.Option(help="At most, in minor units.", min=0)]
    currency: Annotated[str | None, typer.Option(help="Only prices in this currency (ISO 4217).")]
    availability: Annotated[Availability | None, typer.Option(help="Only with this availability.")]
    rooms_min: Annotated[float | None, typer.Option(help="Of homes: at least so many rooms.")]
    category: Annotated[str | None, typer.Option(help="Only of this category.")]
    brand: Annotated[str | None, typer.Option(help="Only of this brand.")]
    near: Annotated[str | None, typer.Option(help="Only near these coordinates.", metavar="LAT,LON")]
    within_km: Annotated[float | None, typer.Option(help="Maximum distance in kilometres.")]


def with_options(options: type) -> Callable[[CommandFunction], CommandFunction]:
    """Give a command that takes `**asked` an option for each of these; they come before its own."""

    def wrapped(command: CommandFunction) -> CommandFunction:
        signature = inspect.signature(command)
        own = (
            parameter
            for parameter in signature.parameters.values()
            if parameter.kind is not Parameter.VAR_KEYWORD
        )
        asked = (
            Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=hint)
            for name, hint in get_type_hints(options, include_extras=True).items()
        )
        parameters = sorted([*asked, *own], key=attrgetter("kind"))
        command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return command

    return wrapped


def with_query_options(command: CommandFunction) -> CommandFunction:
    """Give a command that takes `**asked` the options of a query."""
    return with_options(QueryOptions)(command)


def build_query(options: QueryOptions, sort: Sort | None = None) -> Query:
    """Convert the options into a query."""
    fields: dict[str, Any] = {**options, "near": parse_place(options["near"])}
    low, high = fields.pop("price_min"), fields.pop("price_max")
    return with_price_range(Query(**fields, sort=sort), low, high)
