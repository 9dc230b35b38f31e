"""The input of a strategy: a page and the wanted fields."""

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
    """One page, and what to read from it."""

    page: Page
    kind: Kind
    purpose: Purpose
    declared: Part | None = None
    lacking: frozenset[str] | None = None
    """The missing fields, if the thing is known already; None: all fields are wanted."""

    @property
    def wants_rows(self) -> bool:
        """Whether each row is an item; otherwise the page is about one thing."""
        return self.purpose is Purpose.INDEX

    def wants(self, field: str) -> bool:
        """Whether a field is wanted."""
        return self.lacking is None or field in self.lacking


Finder: TypeAlias = Callable[[ExtractionTask], list[Item]]
