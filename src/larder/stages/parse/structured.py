"""The strategies json-ld and microdata: find the nodes of a page that are its items.

On a detail page the main thing wins, not the related ones beside it. On an index page each row is an item.
"""

import re
from collections.abc import Iterator
from typing import Any

from larder.core.model.item import Item, Strategy
from larder.core.model.source import Kind
from larder.sdk.jsonld import types_of
from larder.sdk.page import Page
from larder.sdk.urls import canonical_url, is_http
from larder.stages.parse.extraction_task import MAX_ITEMS, ExtractionTask, Fields
from larder.stages.parse.heuristic.address import addressed_code
from larder.stages.parse.heuristic.site_name import is_host_name
from larder.stages.parse.index_rows.merge_duplicates import key_of
from larder.stages.parse.json_values import as_list, first_value, json_text
from larder.stages.parse.meta_tags import sale_price
from larder.stages.parse.schema import fields_of, is_node_of_kind

MAX_WALK = 20_000

_ASIDE = frozenset({
    "isRelatedTo", "isSimilarTo", "isAccessoryOrSparePartFor", "isConsumableFor", "review", "reviews",
    "itemReviewed", "brand", "offers", "hasVariant", "model", "subjectOf", "workFeatured", "containsPlace",
    "performer", "organizer", "location", "aggregateRating"
})  # fmt: skip
_CODES = frozenset({"sku", "mpn", "gtin", "gtin13", "gtin14", "gtin12", "gtin8", "productID"})
_NO_ROWS = frozenset({"BreadcrumbList", "SiteNavigationElement", "FAQPage", "HowTo"})
_TEMPLATE = re.compile(r"\{\{.*?\}\}|\$\{.*?\}")

_ZERO = re.compile(r"0+(?:[.,]0+)?")


def json_ld(task: ExtractionTask) -> list[Item]:
    """Items from JSON-LD."""
    return _items(task, task.page.json_ld(), Strategy.JSON_LD)


def microdata(task: ExtractionTask) -> list[Item]:
    """Items from microdata."""
    return _items(task, task.page.microdata(), Strategy.MICRODATA)


def _items(task: ExtractionTask, nodes: list[dict[str, Any]], strategy: Strategy) -> list[Item]:
    found = row_nodes(nodes, task) if task.wants_rows else main_nodes(nodes, task)
    return [_item(node, task, strategy) for node in found if not _is_template(node)][:MAX_ITEMS]


def _item(node: dict[str, Any], task: ExtractionTask, strategy: Strategy) -> Item:
    fields = fields_of(node, task.kind, task.page.url)
    if task.kind is Kind.LISTING and _ZERO.fullmatch(str(fields.get("price", ""))):
        del fields["price"]  # shown on request, or only visible to people
    if task.kind is Kind.PRODUCT and not task.wants_rows:
        fields |= _with_page_values(fields, task.page)
    return Item(fields=fields, strategy=strategy, score=_score(fields, task.kind))


def _with_page_values(fields: Fields, page: Page) -> Fields:
    """The fields with the selling price if the markup has the list price, and the thing's code if it has a
    variant's.
    """
    own: Fields = {}
    if isinstance(price := fields.get("price"), str) and (sold := sale_price(page, price)):
        own["price"] = sold
    if isinstance(code := fields.get("sku"), str) and (stem := addressed_code(page.url, code)):
        own["sku"] = stem
    return own


_SCORED_FIELDS = {
    Kind.PRODUCT: ("title", "price", "availability", "sku"),
    Kind.EVENT: ("title", "starts_at", "venue", "url"),
    Kind.LISTING: ("title", "url", "price", "address"),
}


def _score(fields: dict[str, Any], kind: Kind) -> float:
    wanted = _SCORED_FIELDS[kind]
    return round(0.5 + 0.5 * sum(name in fields for name in wanted) / len(wanted), 2)


def _is_template(node: dict[str, Any]) -> bool:
    """Whether it is a template whose placeholders were not replaced."""
    shown = (json_text(node.get(key)) for key in ("name", "startDate", "url"))
    return any(_TEMPLATE.search(value) for value in shown)


def row_nodes(nodes: list[dict[str, Any]], task: ExtractionTask) -> list[dict[str, Any]]:
    """The elements of a page's lists; else its nodes of the right kind."""
    listed = [row for node in nodes for row in _elements(node, task.kind)]
    found = listed or [
        node
        for node in walk_nodes(nodes)
        if is_node_of_kind(node, task.kind) and "Offer" not in types_of(node)
    ]
    return [] if len(found) == 1 and _is_page_itself(found[0], task.page) else found


def _is_page_itself(node: dict[str, Any], page: Page) -> bool:
    """Whether an index page is marked up as one thing, at its own address."""
    return key_of(json_text(node.get("url"))).partition("?")[0] == key_of(page.url).partition("?")[0] != ""


def _elements(node: dict[str, Any], kind: Kind, depth: int = 0) -> Iterator[dict[str, Any]]:
    if depth > 4 or _NO_ROWS.intersection(types_of(node)):
        return
    for element in as_list(node.get("itemListElement")) + as_list(
        node.get("itemOffered") if depth == 0 else None
    ):
        if not isinstance(element, dict):
            continue
        row = first_value(element.get("item")) if element.get("item") is not None else element
        if isinstance(row, str):
            row = {"url": row, "name": element.get("name")}
        if isinstance(row, dict) and (is_node_of_kind(row, kind) or _is_plain_row(row)):
            yield {**row, "url": row.get("url") or element.get("url")}
    for key in ("mainEntity", "hasPart", "subEvent", "subEvents"):
        for part in as_list(node.get(key)):
            if isinstance(part, dict):
                yield from _elements(part, kind, depth + 1)


def _is_plain_row(row: dict[str, Any]) -> bool:
    """Whether a list element only names a URL."""
    types = set(types_of(row))
    return (not types or types == {"ListItem"}) and bool(row.get("url"))


def main_nodes(nodes: list[dict[str, Any]], task: ExtractionTask) -> list[dict[str, Any]]:
    """The node a detail page is about, if any."""
    candidates = [node for node in walk_nodes(nodes) if is_node_of_kind(node, task.kind)]
    proper = [node for node in candidates if "Offer" not in types_of(node)] or candidates
    proper = [node for node in proper if not _is_the_site(node, task.page)]
    if task.kind is Kind.EVENT:
        return _performances(proper)
    best = _main_node(proper, task)
    if best is None:
        return []
    return [_with_home(best, proper) if task.kind is Kind.LISTING else _with_variants(best, proper)]


def _is_the_site(node: dict[str, Any], page: Page) -> bool:
    """Whether it is the site itself, marked up as a product: its name is the site's."""
    name = json_text(node.get("name"))
    return bool(name) and is_host_name(name, page.url) and name.casefold() not in page.cached(_h1)


def _h1(page: Page) -> str:
    head = page.first("h1")
    return " ".join(head.text.split()).casefold() if head is not None else ""


def _main_node(nodes: list[dict[str, Any]], task: ExtractionTask) -> dict[str, Any] | None:
    """The node that is most likely the page's own thing.

    Each criterion is applied to those left by the last one.
    """
    fields = {id(node): fields_of(node, task.kind, task.page.url) for node in nodes} if len(nodes) > 1 else {}
    for asks in _MAIN_NODE_CHECKS:
        if len(nodes) < 2:
            break
        nodes = [node for node in nodes if asks(fields[id(node)], task)] or nodes
    return nodes[0] if nodes else None


_HOMES = frozenset({
    "Apartment", "House", "SingleFamilyResidence", "ApartmentComplex", "Residence", "Accommodation", "Place",
})  # fmt: skip
_HOME_PROPERTIES = frozenset({
    "floorSize", "numberOfRooms", "numberOfBedrooms", "numberOfBathroomsTotal", "numberOfFullBathrooms",
    "address", "geo",
})  # fmt: skip


def _with_home(node: dict[str, Any], others: list[dict[str, Any]]) -> dict[str, Any]:
    """A listing with the fields of the page's only node for the home; of several homes it may be any."""
    homes = [each for each in others if each is not node and _HOMES.intersection(types_of(each))]
    if len(homes) != 1:
        return _with_variants(node, others)
    return {**{key: value for key, value in homes[0].items() if key in _HOME_PROPERTIES}, **node}


def _with_variants(node: dict[str, Any], others: list[dict[str, Any]]) -> dict[str, Any]:
    """The node without its code if each size is a product of its own under one name."""
    name = json_text(node.get("name"))
    variants = [
        other for other in others if other is not node and name and json_text(other.get("name")) == name
    ]
    if not variants:
        return node
    shared = {
        key: value for key, value in node.items() if key not in _CODES or _all_have(variants, key, value)
    }
    return {**shared, "hasVariant": [*as_list(node.get("hasVariant")), *variants]}


def _all_have(nodes: list[dict[str, Any]], key: str, value: Any) -> bool:
    return all(node.get(key) == value for node in nodes)


def _performances(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    dated = [node for node in nodes if json_text(node.get("startDate"))]
    return dated or nodes[:1]


def _has_price(fields: Fields, _: ExtractionTask) -> bool:
    return "price" in fields and "title" in fields


def _has_page_url(fields: Fields, task: ExtractionTask) -> bool:
    url = fields.get("url", "")
    return is_http(url) and canonical_url(url) in task.page.cached(_addresses)


def _addresses(page: Page) -> frozenset[str]:
    """The page's addresses: its own and the requested one."""
    named = (page.url, page.meta().get("canonical", ""), page.meta().get("og:url", ""))
    return frozenset(canonical_url(each) for each in named if is_http(each))


def _is_headline(fields: Fields, task: ExtractionTask) -> bool:
    title = fields.get("title", "")
    return bool(title) and title.casefold() in task.page.cached(_headlines)


def _headlines(page: Page) -> str:
    """The page's own headline and titles."""
    heads = [page.first("h1"), page.first("title")]
    shown = (" ".join(head.text.split()) for head in heads if head is not None)
    return " ".join([page.meta().get("og:title", ""), *shown]).casefold()


def _has_title(fields: Fields, _: ExtractionTask) -> bool:
    return "title" in fields


_MAIN_NODE_CHECKS = (_has_price, _has_page_url, _is_headline, _has_title)


def walk_nodes(nodes: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Nodes and what they are about, without related things, reviews and brands."""
    pending: list[Any] = list(reversed(nodes))
    seen = 0
    while pending and seen < MAX_WALK:
        node = pending.pop()
        seen += 1
        if isinstance(node, list):
            pending.extend(reversed(node))
        elif isinstance(node, dict):
            yield node
            pending.extend(
                value
                for key, value in reversed(list(node.items()))
                if key not in _ASIDE and isinstance(value, dict | list)
            )
