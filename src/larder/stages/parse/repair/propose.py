"""Makes a proposal for one part of a declaration, from the declaration and pages."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from larder.sdk.selectors import Field, Part, Pick, declared_picks, read_selectors
from larder.stages.parse.repair import paging
from larder.stages.parse.repair.evidence import PRICE, Evidence, ValuePlaces, read_field
from larder.stages.parse.repair.field_repairs import Draft, FieldState, repair_fields
from larder.stages.parse.repair.known_values import (
    Known,
    Reader,
    ReadMeaning,
    Sample,
    SampleScope,
    learn_pages,
    learn_rows,
)
from larder.stages.parse.repair.paging import PagingRepair
from larder.stages.parse.repair.proof import archived_doubts, count_pages, count_rows
from larder.stages.parse.repair.proposal import SelectorChange, Suggestion
from larder.stages.parse.repair.proposed import NOTHING, Proposed
from larder.stages.parse.repair.rows import (
    MIN_KNOWN_RECORDS,
    Marked,
    distinguishing_selectors,
    has_one_record_a_row,
    mark_known_records,
    row_names,
    row_scopes,
)

MIN_KNOWN_ROWS = 3
"""Known records that an index must contain before anything is proven."""
MIN_KNOWN_PAGES = 2
"""The same for pages of single things."""
MAX_ROW_SELECTORS = 12
MAX_DISTINGUISHING_SELECTORS = 3
MAX_EXAMPLES = 3


def suggest_index(
    declared: Mapping[str, Any],
    old: Sequence[Sample],
    new: Sequence[Sample],
    understand: ReadMeaning,
    *,
    proposed: Proposed = NOTHING,
) -> Suggestion:
    """The suggestion for index pages; `proposed`: candidates besides those of the rules."""
    part = read_selectors({"index": declared}).index or Part()
    reader = Reader(understand)
    known = learn_rows(part, old, reader)
    marked = [
        page
        for page in (mark_known_records(sample, known.values()) for sample in new)
        if len(page.marks) >= MIN_KNOWN_RECORDS
    ]
    if not marked:
        return _unknown("index", part, old, new)
    paged = (paging.repair_next_link(part, old, new), paging.repair_total(part, old, new))
    archived = [mark_known_records(sample, known.values()) for sample in old]
    draft = _best_rows(part, marked, archived, known, reader, proposed=proposed)
    if draft is None:
        doubt = "row: no selector matches one row for each known record"
        return Suggestion(part="index", stopped=("index.row",), doubts=(doubt,))
    repaired = _with_paging(_as_part(part, draft), paged)
    counted = count_rows(repaired, [page.sample for page in marked], known, reader)
    against = [*draft.doubts, *(each.doubt for each in paged if each.doubt)]
    against += [*counted.doubts(known, needed=MIN_KNOWN_ROWS), *archived_doubts(repaired, old, known, reader)]
    return Suggestion(
        part="index",
        stopped=_stopped("index", part, draft, paged),
        changes=_changes("index", declared, draft, paged, proposed),
        doubts=tuple(against),
        figures={"pages": len(marked), "archived": len(old), "known": len(known), **counted.figures()},
    )


def suggest_detail(
    declared: Mapping[str, Any],
    old: Sequence[Sample],
    new: Sequence[Sample],
    understand: ReadMeaning,
    *,
    known_before: Mapping[str, Known] | None = None,
    proposed: Proposed = NOTHING,
) -> Suggestion:
    """The suggestion for pages of single things; `known_before`: the values in an index."""
    part = read_selectors({"detail": declared}).detail or Part()
    reader = Reader(understand)
    read = learn_pages(part, old, reader)
    known = _merged(part, read, known_before or {})
    about = [sample for sample in new if sample.address in known]
    if len(about) < MIN_KNOWN_PAGES:
        return _unknown("detail", part, old, new)
    here = [SampleScope(sample=each, node=each.page.tree, known=known[each.address]) for each in about]
    archived = [
        SampleScope(sample=each, node=each.page.tree, known=read[each.address])
        for each in old
        if each.address in read
    ]
    evidence = Evidence(scopes=here, archived=archived, places=ValuePlaces(reader))
    draft = repair_fields(part, "", evidence, least=MIN_KNOWN_PAGES, proposed=proposed)
    counted = count_pages(_as_part(part, draft), about, known, reader)
    return Suggestion(
        part="detail",
        stopped=_stopped("detail", part, draft, ()),
        changes=_changes("detail", declared, draft, (), proposed),
        doubts=(*draft.doubts, *counted.doubts(known, needed=MIN_KNOWN_PAGES)),
        figures={"pages": len(about), "archived": len(old), "known": len(known), **counted.figures()},
    )


def reads_new_pages_right(
    name: str,
    declared: Mapping[str, Any],
    new: Sequence[Sample],
    understand: ReadMeaning,
    *,
    by: tuple[Mapping[str, Any], Sequence[Sample]],
) -> bool:
    """Whether a declaration reads new pages right, judged by another one's reading of older pages."""
    reader = Reader(understand)
    before, old = by
    here, there = (getattr(read_selectors({name: each}), name) or Part() for each in (declared, before))
    if name == "index":
        known = learn_rows(there, old, reader)
        return not list(count_rows(here, new, known, reader).doubts(known, needed=MIN_KNOWN_ROWS))
    known = learn_pages(there, old, reader)
    return not list(count_pages(here, new, known, reader).doubts(known, needed=MIN_KNOWN_PAGES))


def known_rows_of_pages(
    declared: Mapping[str, Any], pages: Sequence[Sample], understand: ReadMeaning
) -> dict[str, Known]:
    """The values of records on index pages, by their address."""
    part = read_selectors({"index": declared}).index or Part()
    return learn_rows(part, pages, Reader(understand))


def _merged(part: Part, read: Mapping[str, Known], known: Mapping[str, Known]) -> dict[str, Known]:
    """A page's own value, else the index's; for the price the latest."""
    names = {field.name for field in part.fields}
    merged = dict(read)
    for key, row in known.items():
        page = read.get(key)
        if page is None:
            values = {name: meant for name, meant in row.values.items() if name in names}
            merged[key] = replace(row, values=values)
        elif row.at > page.at and PRICE in row.values and PRICE in page.values:
            values, raw = {**page.values, PRICE: row.values[PRICE]}, {**page.raw, PRICE: row.raw[PRICE]}
            merged[key] = replace(page, values=values, raw=raw)
    return merged


def _best_rows(
    part: Part,
    marked: Sequence[Marked],
    archived: Sequence[Marked],
    known: Mapping[str, Known],
    reader: Reader,
    *,
    proposed: Proposed,
) -> Draft | None:
    """The declared rows, if all is well there; else those in which most can be read."""
    places = ValuePlaces(reader)
    drafts: list[Draft] = []
    names = _row_names(part, marked, known, proposed.rows)
    names += [
        apart
        for css in names[:MAX_DISTINGUISHING_SELECTORS]
        for apart in distinguishing_selectors(css, marked, archived)
    ]
    for css in names:
        evidence = Evidence(
            scopes=[scope for page in marked for scope in row_scopes(css, page, known)],
            archived=[scope for page in archived for scope in row_scopes(css, page, known)],
            places=places,
        )
        drafts.append(repair_fields(part, css, evidence, least=MIN_KNOWN_ROWS, proposed=proposed))
        if css == part.row and drafts[-1].healthy:
            return drafts[-1]
    return max(drafts, key=lambda draft: (draft.read, -len(draft.doubts)), default=None)


def _row_names(
    part: Part, marked: Sequence[Marked], known: Mapping[str, Known], proposed: Sequence[str]
) -> list[str]:
    """The declared selector first, if it still matches rows; of those with the same rows only the best."""
    declared = [part.row] if has_one_record_a_row(part.row, marked) else []
    by_rows: dict[frozenset[int], str] = {}
    for css in [*declared, *(css for _, css in row_names(marked))]:
        rows = frozenset(id(scope.node) for page in marked for scope in row_scopes(css, page, known))
        by_rows.setdefault(rows, css)
    return list(by_rows.values())[:MAX_ROW_SELECTORS] + [
        css for css in proposed if has_one_record_a_row(css, marked)
    ]


def _unknown(name: str, part: Part, old: Sequence[Sample], new: Sequence[Sample]) -> Suggestion:
    """The outcome if no known value is on the new pages: only selectors without a match are reported."""
    fell_silent = [
        f"{name}.fields.{field.name}"
        for field in part.fields
        if _found(field, part, old) and not _found(field, part, new)
    ]
    stopped = tuple(fell_silent) if new and old else ()
    doubts = ("no known record is on the new pages",) if stopped else ()
    return Suggestion(part=name, stopped=stopped, doubts=doubts)


def _found(field: Field, part: Part, samples: Sequence[Sample]) -> bool:
    return any(field.read(row) is not None for sample in samples for row in part.rows(sample.page.tree)[:5])


def _as_part(part: Part, draft: Draft) -> Part:
    fields = tuple(Field(name=name, picks=repaired.picks) for name, repaired in draft.fields.items())
    return replace(part, row=draft.row, fields=fields)


def _with_paging(part: Part, paged: Sequence[PagingRepair]) -> Part:
    for name, pick in paging.changes(paged).items():
        field = Field(name=name, picks=(pick,)) if pick else None
        part = replace(part, next=field) if name == "next" else replace(part, total=field)
    return part


def _stopped(name: str, part: Part, draft: Draft, paged: Sequence[PagingRepair]) -> tuple[str, ...]:
    moved = [f"{name}.row"] if draft.row != part.row else []
    lost = [
        f"{name}.fields.{each.field.name}"
        for each in draft.fields.values()
        if each.state in (FieldState.FOUND, FieldState.UNPROVEN) or (each.doubt and not each.tally.changed)
    ]
    return (*moved, *lost, *(f"{name}.{each.name}" for each in paged if each.stopped))


def _changes(
    name: str, declared: Mapping[str, Any], draft: Draft, paged: Sequence[PagingRepair], proposed: Proposed
) -> tuple[SelectorChange, ...]:
    changes: list[SelectorChange] = []
    if draft.row != declared.get("row", ""):
        changes.append(
            SelectorChange(
                path=f"{name}.row",
                before=declared.get("row"),
                after=draft.row,
                agreed=len(draft.scopes),
                proposed=draft.row in proposed.rows,
            )
        )
    for repaired in draft.fields.values():
        if repaired.state is FieldState.FOUND:
            field, before = repaired.field.name, declared["fields"].get(repaired.field.name)
            changes.append(
                SelectorChange(
                    path=f"{name}.fields.{field}",
                    before=before,
                    after=declared_picks(repaired.picks),
                    agreed=repaired.tally.agreed,
                    examples=_examples(field, repaired.picks, draft.scopes),
                    proposed=proposed.holds(field, repaired.picks),
                )
            )
    for field, pick in paging.changes(paged).items():
        after = pick.declared() if pick else None
        changes.append(SelectorChange(path=f"{name}.{field}", before=declared.get(field), after=after))
    return tuple(changes)


def _examples(
    name: str, picks: Sequence[Pick], scopes_: Sequence[SampleScope]
) -> tuple[tuple[str, str], ...]:
    known = ((scope.known.raw.get(name), read_field(name, picks, scope)) for scope in scopes_)
    return tuple((str(before), str(now)) for before, now in known if before and now)[:MAX_EXAMPLES]
