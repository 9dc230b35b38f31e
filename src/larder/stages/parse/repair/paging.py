"""Repairs the selectors of the next-page link and of the advertised number of rows.

A wrong next-page link ends every run too soon. So if no link is proven, the declared one is removed, provided
that general pagination finds the known next pages.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from turbohtml import Element

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk.page import brief_text_of, text_of
from larder.sdk.selectors import Part, Pick
from larder.sdk.urls import join
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.pagination import is_last
from larder.stages.parse.repair.known_values import Sample, canonical
from larder.stages.parse.repair.selector_names import selectors_below

_NUMBER = re.compile(r"\d[\d.,]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class PagingRepair:
    """The outcome of `next` or `total`."""

    name: str
    stopped: bool = False
    pick: Pick | None = None
    """None although it stopped matching: it is to be removed, or (with a doubt) unknown."""
    doubt: str = ""


def repair_next_link(part: Part, old: Sequence[Sample], new: Sequence[Sample]) -> PagingRepair:
    """The link to the next page."""
    if part.next is None:
        return PagingRepair(name="next")
    expected = _following(part, old)
    expected_pages = [(sample, expected[sample.address]) for sample in new if sample.address in expected]
    missed = [
        (sample, url) for sample, url in expected_pages if url and _leads_to(part.next.picks, sample) != url
    ]
    if not missed:
        return PagingRepair(name="next")
    words = {word for sample in old for pick in part.next.picks for word in _words_of(pick, sample)}
    for pick in _links(missed, words):
        if all(_leads_to([pick], sample) == url for sample, url in expected_pages):
            return PagingRepair(name="next", stopped=True, pick=pick)
    if _is_next_found_without_selector(part, expected_pages):
        return PagingRepair(name="next", stopped=True)
    return PagingRepair(name="next", stopped=True, doubt="next: no link leads where the old one led")


def _following(part: Part, old: Sequence[Sample]) -> dict[str, str]:
    """By address: the next page of each page; empty: none."""
    picks = part.next.picks if part.next else ()
    return {sample.address: _leads_to(picks, sample) for sample in old}


def _leads_to(picks: Sequence[Pick], sample: Sample) -> str:
    href = next((value for pick in picks if (value := pick.read(sample.page.tree))), None)
    return canonical(join(sample.page.url, href) or href) if isinstance(href, str) else ""


def _words_of(pick: Pick, sample: Sample) -> list[str]:
    return [text_of(each) for each in sample.page.tree.select(pick.css)[:1]] if pick.css else []


def _links(missed: Sequence[tuple[Sample, str]], words: set[str]) -> list[Pick]:
    """Links to the right page with the old link's words, or named next."""
    costs: dict[str, float] = {}
    for sample, url in missed:
        root = sample.page.tree
        for link in root.select("a[href]"):
            if canonical(join(sample.page.url, link.attr("href") or "") or "") == url and _is_next(
                link, words
            ):
                for cost, css in selectors_below(link, root):
                    if ":nth" not in css and cost < 6:
                        costs[css] = min(cost, costs.get(css, cost))
    return [
        Pick(css=css, attr="href") for css, _ in sorted(costs.items(), key=lambda each: (each[1], each[0]))
    ]


def _is_next(link: Element, words: set[str]) -> bool:
    text = brief_text_of(link, 10)
    if text.isdigit():
        return False
    return "next" in (link.attr("rel") or "").split() or text in words


def _is_next_found_without_selector(part: Part, expected_pages: Sequence[tuple[Sample, str]]) -> bool:
    """Whether general pagination finds the known next pages."""
    bare = replace(part, next=None)
    tasks = (
        (ExtractionTask(page=sample.page, kind=Kind.LISTING, purpose=Purpose.INDEX, declared=bare), url)
        for sample, url in expected_pages
    )
    return all(is_last(task) is (not url) for task, url in tasks)


def repair_total(part: Part, old: Sequence[Sample], new: Sequence[Sample]) -> PagingRepair:
    """The advertised number of rows: the only text with the old wording."""
    if part.total is None:
        return PagingRepair(name="total")
    worded = {_form(value) for sample in old if isinstance(value := part.total.read(sample.page.tree), str)}
    silent = [sample for sample in new if part.total.read(sample.page.tree) is None]
    if not worded or not silent:
        return PagingRepair(name="total")
    costs: dict[str, float] = {}
    for element in silent[0].page.tree.select("body *"):
        if (text := brief_text_of(element, 6)) and _NUMBER.search(text) and _form(text) in worded:
            for cost, css in selectors_below(element, silent[0].page.tree):
                if ":nth" not in css:
                    costs[css] = min(cost, costs.get(css, cost))
    for css, _ in sorted(costs.items(), key=lambda each: (each[1], each[0])):
        pick = Pick(css=css)
        only = all(len(sample.page.tree.select(css)) == 1 for sample in new)
        if only and all(_form(str(pick.read(sample.page.tree))) in worded for sample in new):
            return PagingRepair(name="total", stopped=True, pick=pick)
    return PagingRepair(name="total", stopped=True)


def _form(text: str) -> str:
    return _NUMBER.sub("#", text)


def changes(paged: Sequence[PagingRepair]) -> Mapping[str, Pick | None]:
    """By name: the new declaration; None: to be removed."""
    return {
        each.name: each.pick
        for each in paged
        if each.stopped and not each.doubt and (each.pick is not None or each.name == "next")
    }
