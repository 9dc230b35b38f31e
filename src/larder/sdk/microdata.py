"""Microdata (and RDFa Lite, the same data in other attributes) in the form of JSON-LD nodes.

We read it ourselves: `content` counts on any tag, because shops put it on spans. Cost is linear in the number
of marked elements, however deep they are.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from turbohtml import Document, Element, Node

MAX_ELEMENTS = 20_000
MAX_REFERENCES = 100
"""Maximum different references: the whole page is searched for each."""

_LINKS = {
    "a": "href", "area": "href", "link": "href",
    "img": "src", "source": "src", "video": "src", "audio": "src", "iframe": "src", "embed": "src",
    "track": "src", "object": "data", "data": "value", "meter": "value", "time": "datetime",
}  # fmt: skip

_TEXTS = frozenset({
    "name", "headline", "title", "brand", "manufacturer", "model", "category", "sku", "mpn", "price",
    "description", "addressLocality", "summary",
})  # fmt: skip
"""Properties whose value is a link's text, not its target, although the vocabulary says otherwise."""


class _Words(NamedTuple):
    """The attributes that mark an item, its type and its properties."""

    scope: str
    type: str
    prop: str


_MICRODATA = _Words("itemscope", "itemtype", "itemprop")
_RDFA = _Words("typeof", "typeof", "property")


def read_microdata(tree: Document) -> list[dict[str, Any]]:
    """The items that belong to no other item, their properties nested."""
    return [*_read(tree, _MICRODATA), *_read(tree, _RDFA)]


def _read(tree: Document, words: _Words) -> list[dict[str, Any]]:
    scopes = tree.select(f"[{words.scope}]")[:MAX_ELEMENTS]
    if not scopes:
        return []
    items = {scope: _item(scope, words) for scope in scopes}
    owned: set[Node] = set()
    owner_of = _Owners(items)
    for prop in tree.select(f"[{words.prop}]")[:MAX_ELEMENTS]:
        owner = owner_of(prop)
        if owner is not None:
            _attach(items[owner], prop, (prop.attr(words.prop) or "").split(), items, owned)
    _attach_references(tree, items, owner_of, owned)
    for scope, item in items.items():
        if not _properties(item):
            item["@value"] = _value(scope)
    return [item for scope, item in items.items() if scope not in owned]


class _Owners:
    """The nearest enclosing item of an element, cached on the way up."""

    def __init__(self, items: dict[Element, dict[str, Any]]) -> None:
        self._items = items
        self._known: dict[Node, Element | None] = {}

    def __call__(self, element: Element) -> Element | None:
        path: list[Node] = []
        node: Node | None = element.parent
        found: Element | None = None
        while node is not None:
            if node in self._known:
                found = self._known[node]
                break
            path.append(node)
            if isinstance(node, Element) and node in self._items:
                found = node
                break
            node = node.parent
        self._known.update(dict.fromkeys(path, found))
        return found


def _item(scope: Element, words: _Words) -> dict[str, Any]:
    types = (scope.attr(words.type) or "").split()
    item: dict[str, Any] = {"@type": types[0] if len(types) == 1 else types} if types else {}
    if scope.attr("itemid"):
        item["@id"] = (scope.attr("itemid") or "").strip()
    return item


def _properties(item: dict[str, Any]) -> bool:
    return any(not name.startswith("@") for name in item)


def _attach(
    item: dict[str, Any],
    prop: Element,
    names: list[str],
    items: dict[Element, dict[str, Any]],
    owned: set[Node],
) -> None:
    value: Any = items.get(prop)
    if value is not None:
        if value is item:
            return
        owned.add(prop)
    else:
        value = _value(prop, names)
    for name in names:
        _add(item, name.rsplit(":", 1)[-1] if "/" not in name else name, value)


def _add(item: dict[str, Any], name: str, value: Any) -> None:
    if name.startswith("@"):
        return
    before = item.get(name)
    if before is None:
        item[name] = value
    elif isinstance(before, list):
        before.append(value)
    else:
        item[name] = [before, value]


def _attach_references(
    tree: Document, items: dict[Element, dict[str, Any]], owner_of: _Owners, owned: set[Node]
) -> None:
    """Attach properties of other elements that an item names with `itemref`."""
    lent = _LentProperties(tree)
    for scope, item in items.items():
        for name in (scope.attr("itemref") or "").split()[:20]:
            for prop in lent(name, scope):
                if owner_of(prop) in (None, scope):
                    _attach(item, prop, (prop.attr("itemprop") or "").split(), items, owned)


class _LentProperties:
    """The properties below the element with an id: each id is searched once, all are bounded."""

    def __init__(self, tree: Document) -> None:
        self._tree = tree
        self._known: dict[str, tuple[Element | None, list[Element]]] = {}
        self._left = MAX_ELEMENTS

    def __call__(self, name: str, scope: Element) -> list[Element]:
        if name not in self._known:
            if len(self._known) >= MAX_REFERENCES:
                return []
            self._known[name] = self._below(name)
        place, elements = self._known[name]
        elements = elements[: self._left] if place is not scope else []
        self._left -= len(elements)
        return elements

    def _below(self, name: str) -> tuple[Element | None, list[Element]]:
        place = self._tree.find(id=name)
        if not isinstance(place, Element):
            return None, []
        return place, [place] if place.attr("itemprop") else place.select("[itemprop]")[:500]


def _value(element: Element, names: Sequence[str] = ()) -> str:
    content = element.attr("content")
    if content is not None:
        return " ".join(content.split())
    attribute = _LINKS.get(element.tag) if element.tag != "a" or _TEXTS.isdisjoint(names) else None
    if attribute is not None and (value := element.attr(attribute)) is not None:
        return value.strip()
    return " ".join(element.to_text().split())
