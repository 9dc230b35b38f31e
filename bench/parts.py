"""The rows of the table: which benchmark makes them, how it is started, and how long that takes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bench import figures
from bench.figure import Figure


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that are measured together."""

    name: str
    module: str
    figures: Callable[[Any], list[Figure]]
    options: tuple[str, ...] = ()


SHORT = (
    Part("journey small", "journey", figures.journey, ("small",)),
    Part("journey large", "journey", figures.journey, ("large",)),
    Part("journey real", "journey", figures.journey, ("real",)),
    Part("journey postgresql", "journey", figures.journey, ("postgresql",)),
    Part("extract", "extract", figures.extract),
    Part("fetch", "fetch", figures.fetch),
    Part("index_pages", "index_pages", figures.index_pages),
    Part("unchanged", "unchanged", figures.unchanged),
    Part("start", "start", figures.start),
    Part("scale", "scale", figures.scale, ("--rounds", "3")),
    Part("many_sites 200", "many_sites", figures.many_sites, ("--sites", "200", "--spacing", "1")),
    Part("many_sites 1000", "many_sites", figures.many_sites, ("--sites", "1000", "--spacing", "5")),
    Part("serving sqlite", "serving", figures.serving, ("--on", "sqlite")),
    Part("serving postgresql", "serving", figures.serving, ("--on", "postgresql")),
    Part("ticks", "ticks", figures.ticks),
)
"""A quarter of an hour on a quiet machine of two cores."""
MILLION = tuple(
    Part(f"{module} {database}", module, found, ("--million", database))
    for database in ("sqlite", "postgresql")
    for module, found in (("api", figures.api), ("web", figures.web), ("export", figures.export))
)
"""Over a million records, which are made once for all of them."""
LONG = (
    Part("tables", "tables", figures.tables),
    Part("memory", "memory", figures.memory),
    Part("suite", "suite", figures.suite),
)
"""Each takes ten minutes and more."""
GROUPS = {"short": SHORT, "million": MILLION, "long": LONG}
USUAL = (*SHORT, *MILLION)
EVERY = (*USUAL, *LONG)
