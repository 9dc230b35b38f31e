"""A proposal, and the evidence for and against it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectorChange:
    """One selector to be replaced."""

    path: str
    """Where it is in the declaration: `index.row`, `detail.fields.price`."""
    before: Any
    after: Any
    agreed: int = 0
    """Known values that it finds again."""
    examples: tuple[tuple[str, str], ...] = ()
    """Pairs: the known value, the value read now."""
    proposed: bool = False
    """A language model proposed it; it needs the same proof as any other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """The outcome for one part of a declaration, with its repair."""

    part: str
    stopped: tuple[str, ...] = ()
    """Selectors that no longer read the known values, by path."""
    changes: tuple[SelectorChange, ...] = ()
    doubts: tuple[str, ...] = ()
    """Why it is not proven."""
    figures: Mapping[str, int] = field(default_factory=dict)

    @property
    def broken(self) -> bool:
        """Whether something stopped matching."""
        return bool(self.stopped)

    @property
    def proven(self) -> bool:
        """Whether it may be applied without a person."""
        return bool(self.changes) and not self.doubts
