"""The question to a language model about one part of a broken declaration.

Pure, so it can run in a worker.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from larder.engine.healing.check_selectors import OpenedPages
from larder.engine.healing.pages import DETAIL, INDEX, HealingPages
from larder.engine.processing.meaning import meaning_on
from larder.sdk.selectors import read_selectors
from larder.stages.enrich.page_skeleton import page_skeleton
from larder.stages.enrich.selectors import MAX_PAGES, MAX_VALUES, SelectorRequest, WantedSelector
from larder.stages.parse.repair import Known, Reader, known_rows_of_pages, learn_pages

UNSAID = frozenset({"url", "images"})
"""Fields whose values are addresses; they are not sent."""


def selector_request(
    gathered: HealingPages, opened: OpenedPages, part: str, broken: Sequence[str], row: str
) -> SelectorRequest | None:
    """The question about selectors that stopped matching; None where nothing known could prove an answer.

    `row`: the selector of rows that the rules found, if any.
    """
    new = opened.new[part][:MAX_PAGES]
    known = [
        each for each in _known(gathered, opened, part) if _is_shown(each, [s.page.visible for s in new])
    ]
    if not known or not broken:
        return None
    paths = _with_fields(gathered.declared[part], part, broken)
    wanted = [WantedSelector(path=path, values=_values(path, known)) for path in paths]
    return SelectorRequest(
        kind=str(gathered.source.kind),
        wanted=wanted,
        pages=[page_skeleton(sample.page) for sample in new],
        row=row,
    )


def _with_fields(declared: Mapping[str, Any], part: str, broken: Sequence[str]) -> list[str]:
    """The broken fields; all fields if the rows are built differently now."""
    fields = declared.get("fields", {}) if f"{part}.row" in broken else {}
    return list(dict.fromkeys((*broken, *(f"{part}.fields.{name}" for name in fields))))


def _known(gathered: HealingPages, opened: OpenedPages, part: str) -> Iterable[Known]:
    declared: Mapping[str, Any] = gathered.declared[part]
    understand = meaning_on(gathered.source, index=part == INDEX)
    if part == INDEX:
        return known_rows_of_pages(declared, opened.old[INDEX], understand).values()
    read = read_selectors({DETAIL: declared}).detail
    return learn_pages(read, opened.old[DETAIL], Reader(understand)).values() if read else ()


def _is_shown(known: Known, texts: Sequence[str]) -> bool:
    """Whether some known value is on a new page."""
    raw_texts = [value for name, value in known.raw.items() if isinstance(value, str) and name not in UNSAID]
    return any(value in text for value in raw_texts if len(value) > 2 for text in texts)


def _values(path: str, known: Sequence[Known]) -> tuple[str, ...]:
    name = path.rpartition(".")[2]
    if path.endswith(".row") or name in UNSAID:
        return ()
    found = (each.raw.get(name) for each in known)
    return tuple(dict.fromkeys(value for value in found if isinstance(value, str)))[:MAX_VALUES]
