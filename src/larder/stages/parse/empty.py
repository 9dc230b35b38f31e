"""Recognizes an empty index: a page that says it has no results is empty, not broken.

Only a visible statement counts, not one that is hidden or in a template, and a page that shows rows with
dates or prices is not empty.
"""

import re
from dataclasses import dataclass
from itertools import islice

from turbohtml import Element, Node, Text

from larder.core.model.source import Kind
from larder.sdk.jsonld import types_of
from larder.sdk.page import Page
from larder.stages.parse.agenda.element_names import is_hidden_element
from larder.stages.parse.agenda.mentions import mentions
from larder.stages.parse.amounts import AMOUNT
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.heuristic.page_position import lineage

MAX_NODES = 60_000
MAX_TEXT = 100_000
MIN_ROWS = 3
"""A page with so many rows with dates or prices is not empty."""
MAX_PRICES = 300
ROW_HEIGHT = 4
"""Levels from a price up to the element of its row."""
MIN_ROW_LETTERS = 8
"""Letters of a row beside its price; a filter for a price range has fewer."""

_NO_RESULTS = re.compile(
    r"\bno (?:\w+ ){0,2}(?:results|events|listings|products|items|matches|adverts)\b|"
    r"\bnothing (?:was )?found\b|\b0 (?:results|events|listings|resultaten|treffer|ergebnisse|anzeigen)\b|"
    r"\bgeen (?:\w+ ){0,2}(?:resultaten|evenementen|voorstellingen|activiteiten|advertenties|concerten)\b|"
    r"\bkeine (?:\w+ ){0,2}(?:ergebnisse|treffer|veranstaltungen|anzeigen|termine|angebote)\b",
    re.IGNORECASE,
)
_UNSEEN_TAGS = frozenset(
    {"script", "style", "template", "noscript", "option", "head", "title", "svg", "iframe", "dialog"}
)
_ASIDE = frozenset({"nav", "footer", "header", "aside", "form", "label", "select"})
_WATCHED = ", ".join(sorted({*_UNSEEN_TAGS, "[hidden]", "[style]", "[aria-hidden]", "[class]"}))
_LETTERS = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class _VisibleTexts:
    """The visible texts of a page."""

    texts: tuple[Text, ...]
    unseen: frozenset[Node]

    @property
    def text(self) -> str:
        return " ".join(" ".join(each.data for each in self.texts).split())[:MAX_TEXT]


def states_no_results(task: ExtractionTask) -> bool:
    """Whether the page visibly says that there are no rows, and shows none."""
    shown = task.page.cached(_visible_texts)
    claimed = (
        _declared_empty(task, shown) or _has_empty_list(task) or _NO_RESULTS.search(shown.text) is not None
    )
    return claimed and not shows_rows(task)


def shows_rows(task: ExtractionTask) -> bool:
    """Whether there are rows with dates or prices, whether or not they can be read."""
    if task.kind is Kind.EVENT:
        dated = [each for each in mentions(task.page) if not each.in_prose and not each.in_cell]
        return len({each.text for each in dated}) >= MIN_ROWS
    return len(_priced_rows(task.page.cached(_visible_texts))) >= MIN_ROWS


def _declared_empty(task: ExtractionTask, shown: _VisibleTexts) -> bool:
    if task.declared is None or not task.declared.empty:
        return False
    return any(each not in shown.unseen for each in task.page.css(task.declared.empty))


def _has_empty_list(task: ExtractionTask) -> bool:
    nodes = [node for node in task.page.json_ld() if "ItemList" in types_of(node)]
    return any(node.get("itemListElement") == [] or node.get("numberOfItems") in (0, "0") for node in nodes)


def _visible_texts(page: Page) -> _VisibleTexts:
    """The visible texts, found in one pass; everything below a hidden element is hidden."""
    body = page.first("body") or page.first("html")
    if body is None:
        return _VisibleTexts((), frozenset())
    watched, unseen, texts = set(body.select(_WATCHED)), set[Node](), list[Text]()
    for node in islice(body.descendants, MAX_NODES):
        if isinstance(node, Text):
            if node.parent not in unseen and not node.data.isspace():
                texts.append(node)
        elif isinstance(node, Element) and node in watched and node not in unseen and _is_unseen(node):
            unseen.add(node)
            unseen.update(node.descendants)
    return _VisibleTexts(tuple(texts), frozenset(unseen))


def _is_unseen(element: Element) -> bool:
    if element.tag in _UNSEEN_TAGS:
        return element.tag != "dialog" or element.attr("open") is None
    return element.attr("aria-hidden") == "true" or is_hidden_element(element)


def _priced_rows(shown: _VisibleTexts) -> set[Node]:
    """The elements with a price, a link and words; not menus, filters and the basket."""
    rows: set[Node] = set()
    known: dict[Node, bool] = {}
    for text in islice((each for each in shown.texts if AMOUNT.search(each.data)), MAX_PRICES):
        row = _row_around(text, known)
        if row is not None:
            rows.add(row)
    return rows


def _row_around(text: Text, known: dict[Node, bool]) -> Element | None:
    above = [node for node in lineage(text) if isinstance(node, Element)]
    if any(node.tag in _ASIDE for node in above):
        return None
    for node in above[:ROW_HEIGHT]:
        if node not in known:
            known[node] = _is_row(node)
        if known[node]:
            return node
    return None


def _is_row(element: Element) -> bool:
    if element.tag != "a" and element.select_one("a[href]") is None:
        return False
    return len(_LETTERS.findall(AMOUNT.sub(" ", element.text[:2_000]))) >= MIN_ROW_LETTERS
