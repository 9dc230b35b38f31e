"""Where an index shows its rows, their fields and the link to the next page, as declared selectors."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from larder.sdk.selectors import Field
from larder.sdk.urls import join
from larder.stages.parse.repair.evidence import Evidence, ValuePlaces
from larder.stages.parse.repair.fields import find_selectors
from larder.stages.parse.repair.known_values import Known, Reader, Sample, canonical
from larder.stages.parse.repair.rows import (
    MIN_KNOWN_RECORDS,
    Marked,
    mark_known_records,
    row_names,
    row_scopes,
)
from larder.stages.parse.repair.selector_names import selectors_below

MIN_ROWS = 3
MAX_ROW_SELECTORS = 4
"""Maximum row selectors that are tried, the best first."""
NAMES_COUNTED = 40
_LEADS_ON = re.compile(r"next|volgende|weiter|suivant|siguiente|successiv|avanti", re.IGNORECASE)
REQUIRED_FIELDS = frozenset({"title", "url"})


def index_part(
    sample: Sample, known: Mapping[str, Known], names: Sequence[str], reader: Reader, *, next_url: str
) -> dict[str, Any] | None:
    """The part `index` of a declaration; None if no selector takes each row by itself."""
    marked = mark_known_records(sample, known.values())
    if len(marked.marks) < max(MIN_KNOWN_RECORDS, MIN_ROWS):
        return None
    places = ValuePlaces(reader)
    for css in _row_names(marked, known):
        evidence = Evidence(scopes=row_scopes(css, marked, known), archived=(), places=places)
        fields = {name: picks for name in ("url", *names) if (picks := _field(name, evidence))}
        if fields.keys() >= REQUIRED_FIELDS:
            following = _next(sample, next_url)
            return {"row": css, "fields": fields, **({"next": following} if following else {})}
    return None


def _row_names(marked: Marked, known: Mapping[str, Known]) -> list[str]:
    """The names that include most rows, the most stable first.

    A name must not exclude rows that are sold out, say.
    """
    found = [(css, len(row_scopes(css, marked, known))) for _, css in row_names([marked])[:NAMES_COUNTED]]
    most = max((rows for _, rows in found), default=0)
    return [css for css, rows in found if rows == most][:MAX_ROW_SELECTORS]


def _field(name: str, evidence: Evidence) -> Any:
    """The selector that reads a field in every row that has it."""
    about = evidence.about(name)
    if len(about.scopes) < MIN_ROWS:
        return None
    picks = find_selectors(Field(name=name, picks=()), about, least=MIN_ROWS)
    return picks[0].declared() if len(picks) == 1 else [pick.declared() for pick in picks] or None


def _next(sample: Sample, next_url: str) -> str:
    """The selector of the link to the next page; empty if no name of the link means that."""
    root, wanted = sample.page.tree, canonical(next_url) if next_url else ""
    links = [
        each
        for each in root.select("a[href]")
        if wanted and _target(sample, each.attr("href") or "") == wanted
    ]
    names = sorted(
        name for each in links[:3] for name in selectors_below(each, root) if _LEADS_ON.search(name[1])
    )
    return next((f"{css}@href" for _, css in names if len(root.select(css)) == 1), "")


def _target(sample: Sample, href: str) -> str:
    return canonical(join(sample.page.url, href) or href)
