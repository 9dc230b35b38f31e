"""What is proposed, and the evidence for and against it."""

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
    """(what was known, what it reads now)."""
    proposed: bool = False
    """A language model named it; its proof is that of any other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """The outcome of one part of a declaration, and how to repair it."""

    part: str
    stopped: tuple[str, ...] = ()
    """Selectors that no longer give what they gave, by path."""
    changes: tuple[SelectorChange, ...] = ()
    doubts: tuple[str, ...] = ()
    """Why it is not proven."""
    figures: Mapping[str, int] = field(default_factory=dict)

    @property
    def broken(self) -> bool:
        """Something stopped matching."""
        return bool(self.stopped)

    @property
    def proven(self) -> bool:
        """May be applied without a person."""
        return bool(self.changes) and not self.doubts
