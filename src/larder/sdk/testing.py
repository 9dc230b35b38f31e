"""Fixture folders that become tests by themselves.

An adapter's folder may hold `fixtures/<case>/` with a `page.html` (or `items.json`, an actor's rows) and an
`expected.json`:

    {"url": "https://…", "purpose": "detail", "items": [{"title": "Kettle", "price": "24.90"}]}
    {"url": "https://…", "purpose": "index", "failed": "blocked_page"}

Only the fields that are named are compared; `count`, `last`, `advertised` and `strategy` may be named too.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from larder.core.model.item import Extracted, Failed
from larder.core.model.job import Purpose
from larder.core.plurals import plural
from larder.sdk.adapter import SiteAdapter
from larder.sdk.page import Page

_ABOUT_PAGE = ("last", "advertised", "strategy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One fixture folder."""

    name: str
    adapter: SiteAdapter
    url: str
    purpose: Purpose
    expected: dict[str, Any]
    body: bytes = b""
    rows: tuple[dict[str, Any], ...] | None = None
    """An actor's rows, where there is no page."""

    @property
    def page(self) -> Page:
        """The saved page."""
        return Page(self.url, self.body)


def cases(adapter: SiteAdapter) -> Iterator[Case]:
    """The fixture folders of an adapter, by name."""
    root = files(adapter.package()) / "fixtures"
    folders = sorted(root.iterdir(), key=lambda folder: folder.name) if root.is_dir() else []
    for folder in folders:
        if (folder / "expected.json").is_file():
            yield _case(folder, adapter)


def _case(folder: Traversable, adapter: SiteAdapter) -> Case:
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    page, rows = folder / "page.html", folder / "items.json"
    return Case(
        name=folder.name,
        adapter=adapter,
        url=expected.get("url", ""),
        purpose=Purpose(expected.get("purpose", "detail")),
        expected=expected,
        body=page.read_bytes() if page.is_file() else b"",
        rows=tuple(json.loads(rows.read_text(encoding="utf-8"))) if rows.is_file() else None,
    )


def differences(expected: dict[str, Any], result: Extracted | Failed) -> list[str]:
    """The differences from the expected result, one line each; empty if there are none."""
    if "failed" in expected or isinstance(result, Failed):
        found = (
            f"failed: {result.reason}" if isinstance(result, Failed) else plural(len(result.items), "item")
        )
        expected_text = f"failed: {expected['failed']}" if "failed" in expected else "items"
        return [] if found == expected_text else [f"expected {expected_text}, got {found}"]
    differing = [name for name in _ABOUT_PAGE if name in expected and getattr(result, name) != expected[name]]
    wrong = [_difference(name, expected[name], getattr(result, name)) for name in differing]
    count = expected.get("count", len(expected.get("items", [])))
    if len(result.items) != count:
        wrong.append(f"expected {plural(count, 'item')}, got {len(result.items)}")
    return wrong + _item_differences(expected, result)


def _difference(name: str, expected: Any, found: Any) -> str:
    """A difference as JSON, because `expected.json` is JSON."""
    return f"{name}: expected {_as_json(expected)}, got {_as_json(found)}"


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _item_differences(expected: dict[str, Any], result: Extracted) -> list[str]:
    pairs = enumerate(zip(expected.get("items", []), result.items, strict=False), start=1)
    return [
        _difference(f"item {number}, {name}", value, item.fields.get(name))
        for number, (expected_item, item) in pairs
        for name, value in expected_item.items()
        if item.fields.get(name) != value
    ]
