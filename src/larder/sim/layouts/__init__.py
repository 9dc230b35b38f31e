"""Layouts of simulated sites. Each shows the same values in other markup.

A layout draws an index page and a listing's page, and declares the selectors by which a source reads them.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Protocol

from larder.sim.classifieds.state import Listing
from larder.sim.classifieds.truth import ListingPage
from larder.sim.layouts import cards, embedded_state, jsonld, microdata, table
from larder.sim.wording import SiteBrand


class Layout(StrEnum):
    """How a page presents its values."""

    JSONLD = "jsonld"
    CARDS = "cards"
    TABLE = "table"
    MICRODATA = "microdata"
    STATE = "state"


class LayoutModule(Protocol):
    """What a layout's module offers."""

    SELECTORS: Mapping[str, Any]

    def index(self, brand: SiteBrand, page: ListingPage[Listing]) -> str:
        """The HTML of an index page."""
        ...

    def detail(self, brand: SiteBrand, listing: Listing) -> str:
        """The HTML of a listing's page."""
        ...


_DRAWINGS: Mapping[Layout, LayoutModule] = {
    Layout.JSONLD: jsonld,
    Layout.CARDS: cards,
    Layout.TABLE: table,
    Layout.MICRODATA: microdata,
    Layout.STATE: embedded_state,
}


def layout_module(layout: Layout) -> LayoutModule:
    """The module that draws a layout."""
    return _DRAWINGS[layout]


def selectors(layout: Layout) -> Mapping[str, Any]:
    """The selectors that a source on such a site declares, ready for YAML."""
    return _DRAWINGS[layout].SELECTORS
