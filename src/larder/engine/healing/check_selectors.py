"""Checks a run's pages against each part of a source's declaration. Pure, so it can run in a thread."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from larder.engine.healing.pages import DETAIL, INDEX, HealingPages
from larder.engine.processing.meaning import meaning_on
from larder.sdk.declarations.overlay import apply_repair
from larder.stages.parse.repair import (
    ReadMeaning,
    Sample,
    Suggestion,
    known_rows_of_pages,
    read_proposed,
    reads_as_before,
    reads_new_pages_right,
    suggest_detail,
    suggest_index,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedPages:
    """Pages with their bodies, by part."""

    new: Mapping[str, Sequence[Sample]]
    old: Mapping[str, Sequence[Sample]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectorCheck:
    """The findings about one part."""

    suggestion: Suggestion
    old_layout: bool = False
    """Whether the original declaration reads the new pages."""


def check_selectors(gathered: HealingPages, pages: OpenedPages) -> list[SelectorCheck]:
    """Check both parts, the index first: its records help to read their detail pages."""
    declared = deepcopy(dict(gathered.declared))
    checks: list[SelectorCheck] = []
    if INDEX in declared and pages.new[INDEX] and pages.old[INDEX]:
        checks.append(_index(gathered, pages, declared))
        for change in checks[0].suggestion.changes if checks[0].suggestion.proven else ():
            apply_repair(declared, change.path, change.before, change.after)
    if DETAIL in declared and pages.new[DETAIL] and (pages.old[DETAIL] or INDEX in declared):
        checks.append(_detail(gathered, pages, declared))
    return checks


def _index(gathered: HealingPages, pages: OpenedPages, declared: Mapping[str, Any]) -> SelectorCheck:
    understand = meaning_on(gathered.source, index=True)
    old, new = pages.old[INDEX], pages.new[INDEX]
    if reads_as_before(INDEX, declared[INDEX], old, new):
        return SelectorCheck(suggestion=Suggestion(part=INDEX))
    proposed = read_proposed(INDEX, gathered.proposed)
    suggestion = suggest_index(declared[INDEX], old, new, understand, proposed=proposed)
    return SelectorCheck(
        suggestion=suggestion, old_layout=_is_old(gathered, pages, INDEX, suggestion, understand)
    )


def _detail(gathered: HealingPages, opened: OpenedPages, declared: Mapping[str, Any]) -> SelectorCheck:
    if reads_as_before(DETAIL, declared[DETAIL], opened.old[DETAIL], opened.new[DETAIL]):
        return SelectorCheck(suggestion=Suggestion(part=DETAIL))
    understand = meaning_on(gathered.source, index=False)
    expected = {}
    if INDEX in declared:
        pages = [*opened.old[INDEX], *opened.new[INDEX]]
        before = known_rows_of_pages(gathered.declared[INDEX], pages, meaning_on(gathered.source, index=True))
        expected = before | known_rows_of_pages(
            declared[INDEX], pages, meaning_on(gathered.source, index=True)
        )
    suggestion = suggest_detail(
        declared[DETAIL],
        opened.old[DETAIL],
        opened.new[DETAIL],
        understand,
        known_before=expected,
        proposed=read_proposed(DETAIL, gathered.proposed),
    )
    return SelectorCheck(
        suggestion=suggestion, old_layout=_is_old(gathered, opened, DETAIL, suggestion, understand)
    )


def _is_old(
    gathered: HealingPages, pages: OpenedPages, part: str, suggestion: Suggestion, understand: ReadMeaning
) -> bool:
    if not suggestion.broken or not gathered.repaired[part] or part not in gathered.original:
        return False
    before = (gathered.declared[part], pages.old[part])
    return reads_new_pages_right(part, gathered.original[part], pages.new[part], understand, by=before)
