"""YAML with its line numbers, so that an error can name the line to change."""

from collections.abc import Hashable, Iterable

import yaml

from larder.core.errors import BadInput
from larder.sdk.declarations.bounded_yaml import MAX_CHARACTERS, PastLimit, compose_and_load

Trail = Iterable[Hashable]


class Lines:
    """A YAML text with the lines of its values."""

    def __init__(self, text: str, *, name: str) -> None:
        self.name = name
        if len(text) > MAX_CHARACTERS:
            raise BadInput(
                f"{name} is larger than {MAX_CHARACTERS // 1_000_000} MB", hint="split it into several files"
            )
        try:
            self.tree, self.value = compose_and_load(text)
        except yaml.MarkedYAMLError as error:
            raise self._broken(error) from error
        except (yaml.YAMLError, ValueError) as error:
            message = str(error).splitlines()[0]
            raise BadInput(f"{name}: this is not YAML ({message})", hint="save it as plain text") from error

    def _broken(self, error: yaml.MarkedYAMLError) -> BadInput:
        mark = error.problem_mark or error.context_mark
        location = f"{self.name}:{mark.line + 1}" if mark else self.name
        if isinstance(error, PastLimit):
            return BadInput(f"{location}: {error.problem}", hint="simplify or split the file")
        return BadInput(
            f"{location}: this is not YAML ({error.problem or error.context})",
            hint="check quotes, colons and indentation around that line",
        )

    def where(self, trail: Trail = ()) -> str:
        """`file:line` of a value, or of the nearest value around it."""
        return f"{self.name}:{line_of(self.tree, trail)}"


def line_of(tree: yaml.Node | None, trail: Trail) -> int:
    """The line of a value, from 1; that of the nearest value around it if it is absent."""
    line = tree.start_mark.line if tree is not None else 0
    node = tree
    for part in trail:
        key, node = _below(node, part)
        if node is None:
            break
        line = (key or node).start_mark.line
    return int(line) + 1


def _below(node: yaml.Node | None, part: Hashable) -> tuple[yaml.Node | None, yaml.Node | None]:
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        return None, node.value[part]
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == str(part)), (None, None))
    return None, None
