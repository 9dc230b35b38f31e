"""A YAML loader with limits: nesting, values with their aliases expanded, and the length of numbers.

A text past a limit is refused while it is read, with the line: nothing is expanded first.
"""

from typing import Any

import yaml
from yaml.composer import ComposerError
from yaml.nodes import Node, ScalarNode

MAX_CHARACTERS = 5_000_000
MAX_DEPTH = 50
MAX_VALUES = 100_000
"""Values of a text, where each alias counts as all that it stands for."""
MAX_NUMBER_LENGTH = 100
_NUMBERS = frozenset({"tag:yaml.org,2002:int", "tag:yaml.org,2002:float"})


class PastLimit(ComposerError):
    """A text that is past a limit."""


class BoundedLoader(yaml.SafeLoader):
    """Loads plain values only; raises `PastLimit`."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = 0
        self._values = 0
        self._sizes: dict[int, int] = {}
        """How many values a node holds, by its id; a node that is not yet complete has none."""

    def compose_node(self, parent: Node | None, index: Any) -> Node | None:
        """The next node, counted."""
        mark = self.peek_event().start_mark  # type: ignore[no-untyped-call] # untyped in its stubs
        alias = self.check_event(yaml.AliasEvent)
        before = self._values
        self._depth += 1
        self._refuse(self._depth > MAX_DEPTH, f"nested deeper than {MAX_DEPTH} levels", mark)
        node = super().compose_node(parent, index)
        self._depth -= 1
        self._refuse(alias and id(node) not in self._sizes, "an alias within what it stands for", mark)
        self._values += self._sizes[id(node)] if alias else 1
        self._refuse(self._values > MAX_VALUES, f"more than {MAX_VALUES} values, aliases expanded", mark)
        self._refuse(_is_long_number(node), f"a number longer than {MAX_NUMBER_LENGTH} characters", mark)
        self._sizes.setdefault(id(node), self._values - before)
        return node

    def _refuse(self, wrong: bool, problem: str, mark: yaml.Mark) -> None:
        if wrong:
            raise PastLimit(None, None, problem, mark)


def _is_long_number(node: Node | None) -> bool:
    return isinstance(node, ScalarNode) and node.tag in _NUMBERS and len(node.value) > MAX_NUMBER_LENGTH
