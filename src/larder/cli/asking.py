"""The options that make a query, for every command that asks the dataset for something."""

from typing import Annotated

import typer

from larder.core.model.source import Kind

Source = Annotated[str | None, typer.Option(help="Only of this source.")]
Site = Annotated[str | None, typer.Option(help="Only of this site.")]
OfKind = Annotated[Kind | None, typer.Option(help="Only of this kind.")]
PriceMin = Annotated[int | None, typer.Option(help="In minor units: 120000 is 1,200.00.")]
PriceMax = Annotated[int | None, typer.Option(help="In minor units.")]
RoomsMin = Annotated[float | None, typer.Option(help="Of homes: at least so many rooms.")]
Category = Annotated[str | None, typer.Option(help="Only of this category.")]
Brand = Annotated[str | None, typer.Option(help="Only of this brand.")]
Near = Annotated[str | None, typer.Option(help="Only near this place.", metavar="LAT,LON")]
WithinKm = Annotated[float | None, typer.Option(help="How near.")]
