"""Checks a run's pages against each part of a source's declaration. Pure, so it can run in a thread."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from larder.engine.healing.pages import DETAIL, INDEX, HealingPages
from larder.engine.processing.meaning import meaning_on
from larder.sdk.declarations.overlay import apply_repair
from larder.stages.parse.repair import (
    Sample,
    Suggestion,
    Understand,
    holds,
    reads_as_before,
    rows_told,
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
    """The original declaration reads the new pages."""


def check_selectors(gathered: HealingPages, opened: OpenedPages) -> list[SelectorCheck]:
    """Check both parts, the index first: its records help to read their detail pages."""
    declared = deepcopy(dict(gathered.declared))
    found: list[SelectorCheck] = []
    if INDEX in declared and opened.new[INDEX] and opened.old[INDEX]:
        found.append(_index(gathered, opened, declared))
        for change in found[0].suggestion.changes if found[0].suggestion.proven else ():
            apply_repair(declared, change.path, change.before, change.after)
    if DETAIL in declared and opened.new[DETAIL] and (opened.old[DETAIL] or INDEX in declared):
        found.append(_detail(gathered, opened, declared))
    return found


def _index(gathered: HealingPages, opened: OpenedPages, declared: Mapping[str, Any]) -> SelectorCheck:
    understand = meaning_on(gathered.source, index=True)
    old, new = opened.old[INDEX], opened.new[INDEX]
    if reads_as_before(INDEX, declared[INDEX], old, new):
        return SelectorCheck(suggestion=Suggestion(part=INDEX))
    suggestion = suggest_index(declared[INDEX], old, new, understand)
    return SelectorCheck(
        suggestion=suggestion, old_layout=_is_old(gathered, opened, INDEX, suggestion, understand)
    )


def _detail(gathered: HealingPages, opened: OpenedPages, declared: Mapping[str, Any]) -> SelectorCheck:
    if reads_as_before(DETAIL, declared[DETAIL], opened.old[DETAIL], opened.new[DETAIL]):
        return SelectorCheck(suggestion=Suggestion(part=DETAIL))
    understand = meaning_on(gathered.source, index=False)
    expected = {}
    if INDEX in declared:
        pages = [*opened.old[INDEX], *opened.new[INDEX]]
        before = rows_told(gathered.declared[INDEX], pages, meaning_on(gathered.source, index=True))
        expected = before | rows_told(declared[INDEX], pages, meaning_on(gathered.source, index=True))
    suggestion = suggest_detail(
        declared[DETAIL], opened.old[DETAIL], opened.new[DETAIL], understand, known_before=expected
    )
    return SelectorCheck(
        suggestion=suggestion, old_layout=_is_old(gathered, opened, DETAIL, suggestion, understand)
    )


def _is_old(
    gathered: HealingPages, opened: OpenedPages, part: str, suggestion: Suggestion, understand: Understand
) -> bool:
    if not suggestion.broken or not gathered.repaired[part] or part not in gathered.original:
        return False
    before = (gathered.declared[part], opened.old[part])
    return holds(part, gathered.original[part], opened.new[part], understand, by=before)
