"""How every run kind moves through an index: which page is next, and when the index has ended.

The page itself names the next one; numbers are counted up only if an adapter or a declared `index_url` knows
the addresses. A page that shows nothing new in this walk ends it, no address is requested twice, and a walk
that reads more pages than the site advertised or showed before is over its page budget.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from math import ceil
from typing import Any

from larder.core.model.item import NextEvidence, NextPage, RowShape
from larder.core.model.run import PageSeen, RunStatus
from larder.core.policy.trust.loss import INDEX_UNREADABLE
from larder.runs.fold import DetailPage, IndexPage, RunEnd

PAGE_BUDGET = "page_budget"
"""Why a walk with more pages than expected is paused."""
MIN_BUDGET = 200
"""The least budget of pages for an index that neither advertises its size nor was read to its end before."""
SPARE_PAGES = 10
SPARE_SHARE = 1.5
EMPTY_PAGES = 2
"""Months or weeks of a calendar in a row that may be empty before the walk ends."""
COMPLETE_SHARE = 0.9
TRAIL = 8
"""How many addresses of the last pages are kept: a later run begins a few pages before this one ended."""
MAX_PENDING = 200
"""Sitemaps of a sitemap index that one walk reads."""
KEPT = 12
"""How many hashes of pages and addresses are kept, the first and the last ones: an index repeats those."""
_WEAK = frozenset({NextEvidence.PATTERN, NextEvidence.CURSOR, NextEvidence.CALENDAR})


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The state of a walk through an index; small, because it is saved with every page."""

    numbered: bool = True
    """The adapter knows the address of any page by its number; otherwise links are followed."""
    rows: int = 0
    rows_a_page: int = 0
    """The most rows on one page."""
    advertised: int | None = None
    known_pages: int = 0
    """How many pages the last complete walk had."""
    granted: int = 0
    """The budget if an operator resumes the run."""
    calendar_pages: int = 0
    gaps: int = 0
    """Pages of a calendar in a row without events."""
    promised: bool = False
    """A link on the last page leads to the page that is requested."""
    asked: Sequence[str] = ()
    """Short hashes of the followed addresses."""
    shown: Sequence[str] = ()
    """A short hash of the rows of each page."""
    first_rows: Sequence[str] = ()
    last_rows: Sequence[str] = ()
    trail: Sequence[tuple[int, str]] = ()
    """Numbers and addresses of the last followed pages."""
    repeated: bool = False
    """The last page repeated rows."""
    pending: Sequence[str] = ()
    """Addresses of index pages that a page named and that are not read yet."""
    listed: bool = False
    """A page named index pages: each of them advertises its own rows."""
    cut_short: bool = False
    """The last page said that more follow and gave no address."""
    row_shapes: Sequence[RowShape] = ()
    """Row shapes of the last page that had enough rows to tell."""

    @property
    def budget(self) -> int:
        """How many pages this walk may have."""
        if self.advertised and self.rows_a_page:
            expected = ceil(self.advertised / self.rows_a_page)
            return max(ceil(expected * SPARE_SHARE) + SPARE_PAGES, self.granted)
        return max(MIN_BUDGET, self.known_pages * 2, self.granted)

    def complete(self, pages: int) -> bool:
        """Whether a promised page that is missing may be the end.

        Everything advertised or expected was shown.
        """
        if self.advertised:
            return self.rows >= self.advertised * COMPLETE_SHARE
        return pages >= self.known_pages - 1

    def address(self, page: int) -> str | None:
        """The address of page `page`, if it is one of the last."""
        return next((url for number, url in reversed(self.trail) if number == page), None)


def known_fields(kind: type[Any], state: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a state that this version knows: a run opened before an upgrade continues after it."""
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in state.items() if name in names}


def load(state: Mapping[str, Any] | None) -> Walk:
    """A walk as it was saved."""
    known = known_fields(Walk, state or {})
    trail = [(number, url) for number, url in known.get("trail", ())]
    return Walk(**{**known, "trail": trail, "row_shapes": RowShape.loaded(known.get("row_shapes", ()))})


def stored_rows(walk: Walk) -> Mapping[str, Any]:
    """The row shapes, for the next run: unchanged pages are not read for them again."""
    return {"walk": {"row_shapes": [asdict(shape) for shape in walk.row_shapes]}} if walk.row_shapes else {}


def observe(walk: Walk, seen: PageSeen) -> Walk:
    """The walk after one more page."""
    walk = _named(walk, seen)
    return replace(
        walk,
        rows=walk.rows + (0 if _shown_before(walk, seen) else seen.rows),
        rows_a_page=max(walk.rows_a_page, seen.rows),
        advertised=advertised_in_all(walk, walk.advertised, seen),
        shown=_first_and_latest(walk.shown, seen.shows) if seen.shows else walk.shown,
        first_rows=walk.first_rows or seen.row_names,
        last_rows=seen.row_names,
        repeated=_shown_before(walk, seen),
        gaps=0,
        row_shapes=seen.row_shapes or walk.row_shapes,
    )


def advertised_in_all(walk: Walk, before: int | None, seen: PageSeen) -> int | None:
    """How many rows the index has: as the last page says, or the sum over the pages of a list."""
    if seen.advertised is None:
        return before
    return seen.advertised + (before or 0 if walk.listed else 0)


def repeats(walk: Walk, seen: PageSeen) -> bool:
    """Whether the index repeats rows and so has ended.

    Rows that arrive meanwhile may move a whole page down: if the page says that more follow, only the second
    repetition in a row counts.
    """
    if _shown_before(walk, seen):
        return walk.repeated or seen.last is not False
    names = set(seen.row_names)
    return bool(names and walk.shown) and names <= {*walk.first_rows, *walk.last_rows}


def shows_again(state: Mapping[str, Any], seen: PageSeen) -> bool:
    """Whether an index page shows the same rows as an earlier page of the run; they are counted once."""
    return bool(seen.shows) and seen.shows in (state.get("walk") or {}).get("shown", ())


def _shown_before(walk: Walk, seen: PageSeen) -> bool:
    return bool(seen.shows) and seen.shows in walk.shown


def following(walk: Walk, seen: PageSeen, page: int) -> tuple[Walk, IndexPage | None]:
    """The page after `page`, by what this one says; None if there is none."""
    walk, after = _following(walk, seen, page)
    return walk, after and replace(after, row_shapes=walk.row_shapes)


def _following(walk: Walk, seen: PageSeen, page: int) -> tuple[Walk, IndexPage | None]:
    link = seen.next_page
    if link is None and walk.pending:
        url, *pending = walk.pending
        trail = [*walk.trail[-TRAIL + 1 :], (page + 1, url)]
        walk = replace(walk, pending=pending, trail=trail)
        return walk, IndexPage(number=page + 1, url=url)
    if walk.numbered and not (link and link.evidence is NextEvidence.DECLARED):
        return replace(walk, promised=seen.last is False), IndexPage(number=page + 1)
    if link is None:
        return replace(walk, cut_short=seen.last is False), None
    if (name := short_hash(link.url)) in walk.asked or _endless(walk, link):
        return walk, None
    calendar = walk.calendar_pages + (link.evidence is NextEvidence.CALENDAR)
    walk = replace(
        walk,
        promised=link.evidence not in _WEAK,
        calendar_pages=calendar,
        asked=_first_and_latest(walk.asked, name),
        trail=[*walk.trail[-TRAIL + 1 :], (page + 1, link.url)],
    )
    return walk, IndexPage(number=page + 1, url=link.url)


def rows_out_of_reach(walk: Walk, page: int) -> str:
    """Why a walk ended before the index did; empty if it did not."""
    if not walk.cut_short or (walk.advertised and walk.rows >= walk.advertised):
        return ""
    return (
        f"index page {page} says that more rows follow but links to none of them: declare `next` or `pages`, "
        "or read the source with a browser"
    )


def unreadable_end(page: int, memory: Mapping[str, Any], *, some: bool) -> RunEnd:
    """The end of a run that could not read an index page; `some`: it read others."""
    status = RunStatus.PARTIAL if some else RunStatus.FAILED
    error = f"index page {page} could not be read"
    return RunEnd(status=status, memory=memory, error_code=INDEX_UNREADABLE, error=error)


def pause_over_budget(walk: Walk, pages: int) -> tuple[Walk, str | None]:
    """Why the walk pauses here until a person resumes it; then its budget is extended by as much again."""
    if pages < walk.budget:
        return walk, None
    return replace(walk, granted=pages * 2), PAGE_BUDGET


def without_rows(walk: Walk, seen: PageSeen, pages: int) -> str:
    """`end` if the index is over, `broken` if a page that must exist was not read.

    Empty if other pages are still to be read: an empty or missing sitemap does not end the walk.
    """
    if walk.pending:
        return ""
    if not seen.read and not seen.missing:
        return "end" if walk.advertised and walk.rows >= walk.advertised else "broken"
    if not pages:
        return "broken" if seen.missing else "end"
    return "end" if not walk.promised or walk.complete(pages) else "broken"


def goes_on(seen: PageSeen, pages: int) -> bool:
    """Whether a later page that was not read shows where the next one is."""
    return pages > 0 and not seen.read and seen.next_page is not None


def is_gap(walk: Walk, seen: PageSeen) -> bool:
    """Whether it is a month or a week without events, after which others may follow."""
    following = seen.next_page
    in_calendar = following is not None and following.evidence is NextEvidence.CALENDAR
    return seen.read and not seen.rows and in_calendar and walk.gaps < EMPTY_PAGES


def detail_pages(seen: PageSeen) -> tuple[DetailPage, ...]:
    """The own pages of rows that are new or have too little data."""
    return tuple(
        DetailPage(url=row.url, identity_key=row.identity_key, incomplete=row.incomplete)
        for row in (*seen.new, *seen.incomplete)
        if row.url
    )


def names_pages(seen: PageSeen) -> bool:
    """Whether the page lists index pages instead of rows."""
    return seen.read and bool(seen.indexes) and not seen.rows


def _named(walk: Walk, seen: PageSeen) -> Walk:
    """The walk with the index pages that a page names, each once."""
    if not seen.indexes:
        return walk
    new = [url for url in dict.fromkeys(seen.indexes) if url not in walk.pending]
    return replace(walk, pending=[*walk.pending, *new][:MAX_PENDING], listed=True)


def _endless(walk: Walk, link: NextPage) -> bool:
    """Whether enough of a calendar was read: it always has a next month."""
    return link.evidence is NextEvidence.CALENDAR and walk.calendar_pages >= link.max_calendar_pages


def begin(walk: Walk, page: int) -> IndexPage:
    """The first page of a run: `page`, or the next one with a known address, else the index's first."""
    if page <= 1 or walk.numbered:
        return IndexPage(number=max(1, page), row_shapes=walk.row_shapes)
    number, url = min((known for known in walk.trail if known[0] >= page), default=(1, None))
    return IndexPage(number=number, url=url, row_shapes=walk.row_shapes)


def resumed(walk: Walk, page: int) -> Walk:
    """The walk of a run that begins at `page`: rows have moved since an earlier run saw them."""
    fresh = Walk(numbered=walk.numbered, known_pages=walk.known_pages, row_shapes=walk.row_shapes)
    if page <= 1:
        return fresh
    return replace(
        fresh,
        rows_a_page=walk.rows_a_page,
        advertised=walk.advertised,
        trail=walk.trail,
        pending=walk.pending,
        listed=walk.listed,
    )


def _first_and_latest(names: Sequence[str], name: str) -> Sequence[str]:
    return [*names[:1], *names[1:][-KEPT + 2 :], name]


def short_hash(text: str) -> str:
    """A short hash of an address or of a row's name."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]
