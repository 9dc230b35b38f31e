"""Describes the fields of answers in the OpenAPI document with the docstring below each field.

The sources are parsed when the document is made, and not by pydantic, which would parse them for every field
of every route at startup: that takes longer than the rest of the start.
"""

import ast
import inspect
from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass
from functools import cache
from types import ModuleType
from typing import Any, get_args, get_origin, get_type_hints

Texts = dict[str, str]


def describe_fields(schemas: dict[str, Any], answers: Iterable[Any]) -> None:
    """Add the texts to the schemas of all dataclasses that the answers hold."""
    for kind in _dataclasses(answers):
        fields = schemas.get(kind.__name__, {}).get("properties", {})
        for name, text in _texts_of_fields(kind).items():
            if name in fields:
                fields[name].setdefault("description", text)


def _dataclasses(kinds: Iterable[Any]) -> Iterator[type]:
    """All dataclasses within these types."""
    waiting, seen = list(kinds), set[Any]()
    while waiting:
        kind = waiting.pop()
        waiting.extend(part for part in (get_origin(kind), *get_args(kind)) if part is not None)
        if isinstance(kind, type) and is_dataclass(kind) and kind not in seen:
            seen.add(kind)
            waiting.extend(get_type_hints(kind).values())
            waiting.extend(get_type_hints(member).get("return") for member in _properties(kind))
            yield kind


def _properties(kind: type) -> list[Any]:
    wrapped = (getattr(member, "wrapped", member) for member in vars(kind).values())
    return [member.fget for member in wrapped if isinstance(member, property)]


def _texts_of_fields(kind: type) -> Texts:
    texts: Texts = {}
    for base in reversed(kind.__mro__):
        if is_dataclass(base) and (module := inspect.getmodule(base)):
            texts |= _texts_of_module(module).get(base.__qualname__, {})
    return texts


@cache
def _texts_of_module(module: ModuleType) -> dict[str, Texts]:
    classes = (
        node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.ClassDef)
    )
    return {node.name: dict(_texts_of_class(node)) for node in classes}


def _texts_of_class(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in zip(node.body, node.body[1:], strict=False):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, inspect.cleandoc(text)
