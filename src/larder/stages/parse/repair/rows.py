"""Finds the rows of an index whose layout has changed.

Known records are found by their links (else ids, else titles); the largest element around each without
another record is its row. A row selector is good only if it matches each known record exactly once, and no
two in one row.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from urllib.parse import parse_qsl, urlsplit

from turbohtml import Element, Node

from larder.sdk.page import brief_text_of
from larder.sdk.urls import join
from larder.stages.parse.repair.known_values import Known, Sample, SampleScope, canonical
from larder.stages.parse.repair.selector_names import Name, classes, own_selectors, selectors_below

MAX_LINKS = 3_000
MAX_SELECTORS = 400
MIN_KNOWN_RECORDS = 2
"""Known records that a page must show before its rows are searched."""
MIN_SHARE_IN_ROWS = 0.8

_DIGIT = re.compile(r"\d")

RowSignature = tuple[str, tuple[str, ...], frozenset[str]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Marked:
    """A page on which known records were found."""

    sample: Sample
    marks: Mapping[str, Sequence[Element]]
    """By record: the elements that identify it."""
    held: Mapping[Node, frozenset[str]] = field(default_factory=dict)
    """By element: the records within, known or with the same kind of address."""


def mark_known_records(sample: Sample, known: Collection[Known]) -> Marked:
    """Find known records on a page."""
    links = _links(sample)
    by_url = {each.values["url"]["url"]: each.key for each in known if "url" in each.values}
    like = url_shapes(by_url)
    marks: defaultdict[str, list[Element]] = defaultdict(list)
    others: list[tuple[str, Element]] = []
    for element, url in links:
        if url in by_url:
            marks[by_url[url]].append(element)
        elif shape_of(url, like) in like:
            others.append((url, element))
    if len(marks) < MIN_KNOWN_RECORDS:
        marks, others = _by_words(sample, known), []
    named = chain(((key, each) for key, found in marks.items() for each in found), others)
    return Marked(sample=sample, marks=marks, held=_held(named))


def _links(sample: Sample) -> list[tuple[Element, str]]:
    found = sample.page.tree.select("a[href], [data-href], [data-url]")[:MAX_LINKS]
    given = (
        (each, each.attr("href") or each.attr("data-href") or each.attr("data-url") or "") for each in found
    )
    return [(each, canonical(join(sample.page.url, href) or href)) for each, href in given if href]


def url_shapes(urls: Iterable[str]) -> frozenset[RowSignature]:
    """The common parts of records' addresses: host, constant parts, parameters."""
    split = [_split(url) for url in urls]
    by_form: defaultdict[tuple[str, int, frozenset[str]], list[tuple[str, ...]]] = defaultdict(list)
    for host, parts, names in split:
        by_form[host, len(parts), names].append(parts)
    return frozenset(
        (host, tuple(_common(column) for column in zip(*rows, strict=True)), names)
        for (host, _, names), rows in by_form.items()
        if len(rows) >= MIN_KNOWN_RECORDS
    )


def _common(column: Sequence[str]) -> str:
    """The common form of one part of several addresses.

    `#` if each has a number in it, `*` if they differ.
    """
    if len(set(column)) == 1:
        return column[0]
    return "#" if all(_DIGIT.search(each) for each in column) else "*"


def shape_of(url: str, like: frozenset[RowSignature]) -> RowSignature | None:
    """The shape among `like` that an address has."""
    host, parts, names = _split(url)
    fits = (
        shape
        for shape in like
        if shape[0] == host
        and shape[2] == names
        and len(shape[1]) == len(parts)
        and all(_fits(part, like_) for part, like_ in zip(parts, shape[1], strict=True))
    )
    return next(fits, None)


def _fits(part: str, like: str) -> bool:
    return like in ("*", part) or (like == "#" and _DIGIT.search(part) is not None)


def _split(url: str) -> tuple[str, tuple[str, ...], frozenset[str]]:
    parts = urlsplit(url)
    return parts.netloc, tuple(parts.path.split("/")), frozenset(name for name, _ in parse_qsl(parts.query))


def _by_words(sample: Sample, known: Collection[Known]) -> defaultdict[str, list[Element]]:
    """Records found by an id in an attribute, or by a title that no other record has."""
    wanted: defaultdict[str, set[str]] = defaultdict(set)
    for each in known:
        for name in ("platform_id", "sku", "title"):
            if isinstance(value := each.raw.get(name), str) and len(value) > 2:
                wanted[value].add(each.key)
    unique = {words: next(iter(keys)) for words, keys in wanted.items() if len(keys) == 1}
    marks: defaultdict[str, list[Element]] = defaultdict(list)
    for element in sample.page.tree.select("body *")[: 4 * MAX_LINKS]:
        words = {element.attr(name) or "" for name in element.attrs if name.startswith("data-")}
        words.add(brief_text_of(element, 20))
        for value in words & unique.keys():
            marks[unique[value]].append(element)
    return marks


def _held(named: Iterable[tuple[str, Element]]) -> dict[Node, frozenset[str]]:
    held: defaultdict[Node, set[str]] = defaultdict(set)
    for key, element in named:
        for node in (element, *element.ancestors):
            held[node].add(key)
    return {node: frozenset(keys) for node, keys in held.items()}


def row_names(pages: Sequence[Marked]) -> list[tuple[float, str]]:
    """Selectors that match every known record of these pages in a row of its own, the best first."""
    candidates: dict[str, float] = {}
    for page in pages:
        for keys in list(page.marks.values())[:6]:
            for cost, css in _names(page, keys[0]):
                candidates[css] = min(cost, candidates.get(css, cost))
    ordered = sorted((cost, css) for css, cost in candidates.items())[:MAX_SELECTORS]
    refined = [each for cost, css in ordered for each in ((cost, css), *_without_strangers(cost, css, pages))]
    fit = [
        (cost + _unknown_row_cost(css, pages), css)
        for cost, css in refined
        if has_one_record_a_row(css, pages)
    ]
    return sorted(set(fit))


def _names(page: Marked, mark_: Element) -> Iterable[Name]:
    """The names of everything around a mark without another record; the outermost is cheapest."""
    around = [node for node in (mark_, *mark_.ancestors) if isinstance(node, Element)]
    alone = [node for node in around if len(page.held.get(node, ())) == 1]
    for depth, element in enumerate(reversed(alone)):
        for cost, css in own_selectors(element):
            yield cost + depth / 2, css
        root = page.sample.page.tree
        yield from (
            (cost + depth / 2, css) for cost, css in selectors_below(element, root) if ":nth" not in css
        )


def has_one_record_a_row(css: str, pages: Sequence[Marked]) -> bool:
    """Whether each row is one record's, and hardly a record is missing (some may be linked from
    elsewhere).
    """
    return all(_separates_on(css, page) for page in pages)


def _separates_on(css: str, page: Marked) -> bool:
    times: Counter[str] = Counter()
    for row in page.sample.page.tree.select(css):
        within = page.held.get(row, frozenset())
        if len(within) > 1:
            return False
        times.update(within)
    taken_in = sum(times[key] == 1 for key in page.marks)
    return (
        taken_in >= MIN_KNOWN_RECORDS
        and taken_in >= MIN_SHARE_IN_ROWS * len(page.marks)
        and max(times.values()) == 1
    )


def _unknown_row_cost(css: str, pages: Sequence[Marked]) -> float:
    """The cost of matching elements without a record, higher than that of any name."""
    rows = [(page, row) for page in pages for row in page.sample.page.tree.select(css)]
    return 100.0 * sum(not page.held.get(row) for page, row in rows) / max(1, len(rows))


def _without_strangers(cost: float, css: str, pages: Sequence[Marked]) -> list[Name]:
    """The cost without names that only a few rows have: advertisements, for example."""
    rows = [row for page in pages for row in page.sample.page.tree.select(css)]
    called = Counter(name for row in rows for name in classes(row))
    few = [name for name, times in called.items() if times * 2 < len(rows)]
    return [(cost + 0.5, f"{css}:not(.{name})") for name in few[:4]] if "," not in css else []


def row_scopes(css: str, page: Marked, known: Mapping[str, Known]) -> list[SampleScope]:
    """The rows of known records that a selector matches on a page."""
    found = ((row, page.held.get(row, frozenset())) for row in page.sample.page.tree.select(css))
    one = ((row, next(iter(keys))) for row, keys in found if len(keys) == 1)
    return [SampleScope(sample=page.sample, node=row, known=known[key]) for row, key in one if key in known]


def distinguishing_selectors(css: str, pages: Sequence[Marked], archived: Sequence[Marked]) -> list[str]:
    """Selectors for the same rows, by a name that no row of an archived page has."""
    rows = [row for page in pages for row in page.sample.page.tree.select(css) if page.held.get(row)]
    before = [row for page in archived for row in page.sample.page.tree.select(css)]
    if not rows or not before or ":" in css:
        return []
    inner = {name: cost for each in rows[0].select("*") for cost, name in own_selectors(each)}
    new = sorted((cost, name) for name, cost in inner.items() if not any(row.select(name) for row in before))
    return [f"{css}:has({name})" for _, name in new if all(row.select(name) for row in rows)][:1]
