"""Policies are values and rules: what they import is all that they could depend on."""

import ast
from pathlib import Path

import pytest

import larder.core.policy

ALLOWED = {
    "bisect",
    "collections.abc",
    "dataclasses",
    "datetime",
    "decimal",
    "enum",
    "itertools",
    "math",
    "re",
    "statistics",
    "typing",
    "unicodedata",
    "zoneinfo",
}
POLICIES = Path(larder.core.policy.__file__).parent
MODULES = sorted(POLICIES.rglob("*.py"))


def imports(module: Path) -> set[str]:
    tree = ast.parse(module.read_text("utf-8"))
    named = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return named | {
        alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_a_policy_imports_nouns_and_values_only(module: Path) -> None:
    outside = {name for name in imports(module) if not name.startswith("larder.core.")}
    assert outside <= ALLOWED


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_a_policy_does_not_look_at_the_clock(module: Path) -> None:
    calls = {
        node.attr
        for node in ast.walk(ast.parse(module.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
    }
    assert calls.isdisjoint({"now", "utcnow", "today"})


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_every_policy_has_its_tests(module: Path) -> None:
    if module.stem != "__init__":
        folder = Path(__file__).parent / module.parent.relative_to(POLICIES)
        assert (folder / f"test_{module.stem}.py").exists()
