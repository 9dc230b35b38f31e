"""YAML with limits: nesting, values with their aliases expanded, and the length of numbers.

A text past a limit is refused with the line before anything of it is composed or expanded. It is read by
libyaml where PyYAML brings it, so that a text within the limits is read in a second or two.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import yaml
from yaml.composer import ComposerError
from yaml.nodes import ScalarNode
from yaml.resolver import Resolver

MAX_CHARACTERS = 5_000_000
MAX_DEPTH = 50
MAX_VALUES = 100_000
"""Maximum values of a text; each alias counts as all that it expands to."""
MAX_NUMBER_LENGTH = 100
_NUMBERS = frozenset({"tag:yaml.org,2002:int", "tag:yaml.org,2002:float"})
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STARTS = (yaml.SequenceStartEvent, yaml.MappingStartEvent)
_ENDS = (yaml.SequenceEndEvent, yaml.MappingEndEvent)


class PastLimit(ComposerError):
    """A text that exceeds a limit."""


def load_bounded(text: str) -> Any:
    """The plain values of a text; raises `PastLimit` or another `YAMLError` if it cannot be read."""
    check_limits(text)
    return yaml.load(text, _LOADER)  # noqa: S506 - a loader of plain values


def compose_and_load(text: str) -> tuple[Any, Any]:
    """The nodes of a text with their lines (None: it is empty), and its plain values."""
    check_limits(text)
    return yaml.compose(text, _LOADER), yaml.load(text, _LOADER)  # noqa: S506 - as above


def check_limits(text: str) -> None:
    """Raise `PastLimit` at the first event that exceeds a limit."""
    _Counter().count(yaml.parse(text, _LOADER))


@dataclass(slots=True)
class _Counter:
    """Counts the values of a stream of events."""

    values: int = 0
    open: list[tuple[str | None, int]] = field(default_factory=list)
    """The collections around an event: their anchors, and the number of values before them."""
    sizes: dict[str, int] = field(default_factory=dict)
    """The number of values of an anchor; a collection that has not ended has none."""

    def count(self, events: Iterable[Any]) -> None:
        for event in events:
            if isinstance(event, yaml.AliasEvent):
                self._alias(event)
            elif isinstance(event, yaml.ScalarEvent):
                self._scalar(event)
            elif isinstance(event, _STARTS):
                self.open.append((event.anchor, self.values))
                self.values += 1
            elif isinstance(event, _ENDS):
                anchor, before = self.open.pop()
                self._keep(anchor, self.values - before)
            else:
                continue
            _refuse(len(self.open) >= MAX_DEPTH, f"nested deeper than {MAX_DEPTH} levels", event)
            _refuse(self.values > MAX_VALUES, f"more than {MAX_VALUES} values, aliases expanded", event)

    def _alias(self, event: yaml.AliasEvent) -> None:
        unfinished = any(anchor == event.anchor for anchor, _ in self.open)
        _refuse(unfinished, "an alias that contains itself", event)
        self.values += self.sizes.get(event.anchor or "", 1)

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        problem = f"a number longer than {MAX_NUMBER_LENGTH} characters"
        _refuse(len(event.value) > MAX_NUMBER_LENGTH and _is_number(event), problem, event)
        self.values += 1
        self._keep(event.anchor, 1)

    def _keep(self, anchor: str | None, size: int) -> None:
        if anchor is not None:
            self.sizes[anchor] = size


def _is_number(event: yaml.ScalarEvent) -> bool:
    tag = event.tag or Resolver().resolve(ScalarNode, event.value, event.implicit)  # type: ignore[no-untyped-call]
    return tag in _NUMBERS


def _refuse(wrong: bool, problem: str, event: Any) -> None:
    if wrong:
        raise PastLimit(None, None, problem, event.start_mark)
