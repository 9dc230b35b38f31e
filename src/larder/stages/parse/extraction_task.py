"""The input of a strategy: a page and what is wanted from it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from larder.core.model.item import Item
from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk.page import Page
from larder.sdk.selectors import Part

Fields: TypeAlias = dict[str, Any]

MAX_ITEMS = 2_000
MAX_BLOCK = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionTask:
    """One page, and what is wanted from it."""

    page: Page
    kind: Kind
    purpose: Purpose
    declared: Part | None = None
    lacking: frozenset[str] | None = None
    """The thing is known already, and only these fields are asked for; None: everything is."""

    @property
    def wants_rows(self) -> bool:
        """An index page gives an item a row, any other page the one thing it is about."""
        return self.purpose is Purpose.INDEX

    def wants(self, field: str) -> bool:
        """Is this field worth looking for?"""
        return self.lacking is None or field in self.lacking


Finder: TypeAlias = Callable[[ExtractionTask], list[Item]]
