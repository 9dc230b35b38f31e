"""JSON-LD nodes of a page. A broken block is repaired; one that cannot be repaired is skipped.

Blocks are found in the page's text, without building a tree: most shop pages need nothing else.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeAlias

from larder.sdk.lenient_json import RepairBudget, parse_lenient_json
from larder.sdk.scripts import Script

JsonValue: TypeAlias = Any

MAX_BLOCKS = 200
MAX_NODES = 5_000


def read_json_ld(scripts: Iterable[Script]) -> list[dict[str, JsonValue]]:
    """All nodes with a type, lists and `@graph`s opened, in document order."""
    nodes: list[dict[str, JsonValue]] = []
    budget = RepairBudget()
    blocks = (script.text for script in scripts if script.is_json_ld and not script.is_commented)
    for block in islice(blocks, MAX_BLOCKS):
        nodes.extend(_nodes(parse_lenient_json(block, budget)))
        if len(nodes) >= MAX_NODES:
            return nodes[:MAX_NODES]
    return nodes


def _nodes(value: JsonValue, depth: int = 0) -> Iterator[dict[str, JsonValue]]:
    if isinstance(value, list) and depth < 5:
        for part in value:
            yield from _nodes(part, depth + 1)
    elif isinstance(value, dict):
        if types_of(value):
            yield value
        yield from _nodes(value.get("@graph"), depth + 1)


def types_of(node: JsonValue) -> tuple[str, ...]:
    """A node's types without their namespace: `http://schema.org/Product` is `Product`."""
    declared = node.get("@type") if isinstance(node, dict) else None
    if isinstance(declared, str):
        return (_bare(declared),)
    names = declared if isinstance(declared, list) else ()
    return tuple(_bare(name) for name in names if isinstance(name, str))


def _bare(name: str) -> str:
    return name.rstrip("/").rsplit("/", 1)[-1].rsplit(":", 1)[-1]
