"""Reads the events of a page from its visible elements: each day with the row that it belongs to."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from turbohtml import Element, Node

from larder.core.model.item import Item, Strategy
from larder.sdk.page import Page, brief_text_of
from larder.sdk.raw_fields import without_empty
from larder.sdk.urls import join
from larder.stages.parse.agenda.detail_page_event import (
    at_page,
    event_of_named_page,
    event_of_page,
    is_announced,
    is_named_by_address,
    is_named_in_singular,
    is_title_of_row,
    page_title,
    with_details,
    with_own_row,
    without_headline_rows,
    without_whole_page,
)
from larder.stages.parse.agenda.duplicate_events import without_duplicates
from larder.stages.parse.agenda.mentions import Mention
from larder.stages.parse.agenda.own_days import MIN_EVENTS, is_too_long, own_days, shown_beside
from larder.stages.parse.agenda.past_headings import past_elements
from larder.stages.parse.agenda.patterns import day_key, days_in, has_year
from larder.stages.parse.agenda.recurring import recurring_events
from larder.stages.parse.agenda.row_facts import image_of, price_of, row_link
from larder.stages.parse.agenda.rows.day_rows import with_rows
from larder.stages.parse.agenda.rows.unread_rows import unread_rows
from larder.stages.parse.agenda.sessions import when_below, when_of
from larder.stages.parse.agenda.status import status_in
from larder.stages.parse.agenda.timetables.day_columns import column_events
from larder.stages.parse.agenda.timetables.day_headings import (
    heads_a_list,
    heads_timetable,
    is_day_heading,
    is_empty_calendar,
)
from larder.stages.parse.agenda.timetables.day_strips import (
    chosen_day,
    other_days,
    repeat_days,
    strips_in,
    undated_entries,
    without_heading_of,
)
from larder.stages.parse.agenda.timetables.entries import entries_below, has_time
from larder.stages.parse.agenda.timetables.stages import stages_of
from larder.stages.parse.agenda.titles.choice import chosen_titles
from larder.stages.parse.agenda.titles.numbers import begins_with_number
from larder.stages.parse.agenda.titles.sections import (
    main_headings_above,
    section_titles,
    titles_above,
    titles_of_cards,
    without_labels,
)
from larder.stages.parse.agenda.titles.texts import Candidate
from larder.stages.parse.agenda.venues import venue_of, venue_of_section
from larder.stages.parse.agenda.words import has_common_words_only, names_document
from larder.stages.parse.extraction_task import MAX_BLOCK, MAX_ITEMS, ExtractionTask, Fields
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.page_position import lineage
from larder.stages.parse.heuristic.sidebar_boxes import other_sections
from larder.stages.parse.interest import interest_in

MAX_BESIDE, MAX_DEPTH, MAX_AROUND = 6, 60, 300
MIN_TITLED_SHARE = 0.4
MAX_LABEL_WEIGHT = 0.6
"""Maximum weight of a row's first words that count as labels beside a headline."""
SCORE, WEAK = 0.5, 0.35


def visible_events(task: ExtractionTask) -> list[Item]:
    """One item for each performance; if no row has a title, the page's headline is the title."""
    title, head = page_title(task)
    headlined = bool(title) and (not has_common_words_only(title) or is_named_in_singular(task, title))
    near: set[Node] = {head, *lineage(head)} if head is not None else set()
    found = own_days(task.page, head, near, rows=task.wants_rows)
    timetable, columns = column_events(task.page, found)
    found = [each for each in found if each.element not in columns]
    named = headlined and is_named_by_address(task, title)
    programme, found = ([], found) if named else _programme_of_day(found, task)
    rows = with_rows(found)
    headlined = named or (headlined and not programme and not is_title_of_row(head, rows))
    rows = without_whole_page(rows, head) if named else rows
    items, rows = _titled_events(rows, title if headlined else "", task, named=named)
    order = {day.element: at for at, (day, _) in enumerate(rows)}
    items.sort(key=lambda pair: order[pair[0].element])
    shown = without_duplicates([item for _, item in [*timetable, *programme, *items]])[:MAX_ITEMS]
    if task.wants_rows:  # alone they would hide rows that are found by their links
        names = {item.fields["title"] for item in shown}
        again = [item for item in recurring_events(task.page) if item.fields["date_text"] not in names]
        unread = unread_rows(row for _, row in rows) if not again else []
        return [*shown, *again, *unread] if shown else []
    if not headlined:
        return shown
    page_event = event_of_named_page(shown, title, task.page) if named else event_of_page(shown, title, head)
    return with_details(at_page(page_event, title), task, head, [day for day, _ in rows])


def _titled_events(
    rows: list[tuple[Mention, Element]], headed: str, task: ExtractionTask, *, named: bool
) -> tuple[list[tuple[Mention, Item]], list[tuple[Mention, Element]]]:
    """The events of the rows, and the rows with titles of their own."""
    if len({day_key(day.text) for day, _ in rows}) == 1:
        announced = is_announced(task, headed) and not any(heads_a_list(*each) for each in rows)
        rows = without_whole_page(rows, task.page.cached(headline)[1]) if announced else rows
        if named or announced:
            titled = {row: Candidate(text=headed, weight=0) for _, row in rows}
            return list(_items(rows, titled, task, score=SCORE if named else WEAK)), rows
    rows, titles = _rows_with_titles(rows, headed, task.page)
    scheduled = task.wants_rows or not headed or (not named and names_document(headed))
    titles |= titles_of_cards(titles) if task.wants_rows else {}
    titles = without_labels(titles, task.page) if scheduled else titles
    titles = titles if task.wants_rows or not headed else without_headline_rows(titles, task.page)
    titles = with_own_row(titles, rows, headed, task.page) if named else titles
    heads = [row not in titles or heads_a_list(day, row) for day, row in rows]
    own = [pair for pair, is_head in zip(rows, heads, strict=True) if not is_head]
    items = list(_items(own, titles, task))
    page_day = [day for day, _ in rows[:1] if named]  # the page follows it, not a list
    alone = (day for (day, _), is_head in zip(rows, heads, strict=True) if is_head)
    below = [day for day in alone if day not in page_day]
    above = titles_above([day.element for day in below])
    items += _items([(day, day.element) for day in below if day.element in above], above, task)
    items += _events_below_days([] if above else below, {row for _, row in own}, task)
    used = {day.element for day, _ in items}
    plain = [
        pair for pair in rows if pair[1] not in titles and not pair[0].in_cell and pair[0].element not in used
    ]
    if _is_agenda(items, len(rows)):  # with related events, the first day is the page's own
        first = plain[:1] == rows[:1] and (named or _is_beside_headline(plain[0][0], task, titles))
        plain = plain[:1] if first else []
    return items + list(_items(*_titled_by_section(plain, headed, task), task, score=WEAK)), rows


def _programme_of_day(
    found: list[Mention], task: ExtractionTask
) -> tuple[list[tuple[Mention, Item]], list[Mention]]:
    """The events below strips of days, and the page's other days; those on a page of one film are its own."""
    strips = strips_in(found)
    others = other_days(strips, found) if strips else found
    events: list[tuple[Mention, Item]] = []
    for strip in strips:
        chosen = chosen_day(strip, others, task.page)
        entries = undated_entries(strip, others)
        titles = _entry_titles(entries, task)
        named = [(chosen, each) for each in entries if each in titles]
        events += _items(named, titles, task, when=when_below)
        others = without_heading_of(chosen, others) if named else others
    several = len({item.fields["title"] for _, item in events}) > 1 or repeat_days(strips, others)
    return (events, others) if task.wants_rows or several else ([], found)


def _is_beside_headline(day: Mention, task: ExtractionTask, titles: Iterable[Node]) -> bool:
    """Whether a box of a detail page contains the headline and the day, and no other row."""
    head = task.page.cached(headline)[1]
    if task.wants_rows or head is None or day.element.closest("a[href]") is not None:
        return False
    above = set(lineage(head, MAX_BESIDE))
    around = next((node for node in lineage(day.element, MAX_BESIDE) if node in above), None)
    taken = {node for row in titles for node in (row, *lineage(row, MAX_DEPTH))}
    return around is not None and around not in taken


def _titled_by_section(
    plain: list[tuple[Mention, Element]], title: str, task: ExtractionTask
) -> tuple[list[tuple[Mention, Element]], dict[Element, Candidate]]:
    """Days without a row's title: titles come from the headings of their lists, else from the page."""
    titles = section_titles(task.page, (row for _, row in plain))
    if task.wants_rows and not titles:
        titles = titles_of_cards({row: Candidate(text="", weight=0) for _, row in plain})
    if task.wants_rows and is_empty_calendar(day for day, _ in plain):
        return [], {}
    if title:
        titles |= {row: Candidate(text=title, weight=0) for _, row in plain if row not in titles}
    return [(day, row) for day, row in plain if row in titles], titles


def _rows_with_titles(
    rows: list[tuple[Mention, Element]], headed: str, page: Page
) -> tuple[list[tuple[Mention, Element]], dict[Element, Candidate]]:
    """The rows and their titles; a row without one is narrowed to its day. Labels are removed."""
    titles = chosen_titles({row for _, row in rows}, headed)
    rows = [(day, row if row in titles or row.tag == "tr" else day.element) for day, row in rows]
    titles |= chosen_titles({row for _, row in rows if row not in titles})
    many = MIN_EVENTS <= len(rows) <= len(titles) * MIN_EVENTS
    plain = len(rows) > 1 and {row for _, row in rows} == set(titles)
    many = many or (plain and not any(best.href for best in titles.values()))
    if headed and many and len({best.text for best in titles.values()}) == 1:
        # a repeated text such as `Showing in: Screen 1` is a place, not a title
        above = main_headings_above(titles, page)
        return rows, {row: best._replace(text=above.get(row, headed)) for row, best in titles.items()}
    brief = headed and len(rows) < MIN_EVENTS
    return rows, {row: best for row, best in titles.items() if not brief or best.weight > MAX_LABEL_WEIGHT}


def _is_agenda(items: list[tuple[Mention, Item]], days: int) -> bool:
    """Whether there are several titles, and few days without one."""
    return (
        len({item.fields["title"] for _, item in items}) >= MIN_EVENTS
        and len(items) >= MIN_TITLED_SHARE * days
    )


def _events_below_days(
    alone: list[Mention], taken: Iterable[Node], task: ExtractionTask
) -> list[tuple[Mention, Item]]:
    """The events below days that stand alone."""
    headings = [each for each in alone if each.in_cell or is_day_heading(each) or heads_timetable(each)]
    below = entries_below(headings, {*taken, *_beside(task)})
    titles = _entry_titles([entry for entries in below.values() for entry in entries], task)
    pairs = [
        (mention, entry)
        for mention in headings
        for entry in below.get(mention.element, ())
        if entry in titles and not is_too_long(entry)
    ]
    if len({mention.element for mention, _ in pairs}) < 2:
        pairs = [(mention, entry) for mention, entry in pairs if has_time(entry)]
    return list(_items(pairs, titles, task, when=when_below, stages=stages_of(below)))


def _entry_titles(entries: list[Element], task: ExtractionTask) -> dict[Element, Candidate]:
    """The titles of entries; for times with only labels, the headings above their days."""
    titles = chosen_titles(set(entries))
    own = without_labels(titles, task.page)
    unnamed = [entry for entry in entries if entry not in own]
    return own if len(own) == len(titles) else {**section_titles(task.page, unnamed), **own}


def _items(
    pairs: Iterable[tuple[Mention, Element]],
    titles: dict[Element, Candidate],
    task: ExtractionTask,
    *,
    score: float = SCORE,
    when: Callable[[Mention, Element], list[Fields]] = when_of,
    stages: Mapping[Element, str] = MappingProxyType({}),
) -> Iterator[tuple[Mention, Item]]:
    for mention, row in pairs:
        common = _common_fields(mention, row, titles[row], task)
        if common["url"] and common["url"] == join(task.page.url, "/"):
            if score != WEAK:
                continue  # the site's name and today's date in a header
            common["url"] = ""
        if score == WEAK and isinstance(row.parent, Element) and not common["status"] and _is_alone(row):
            common["status"] = status_in(row.parent, titles[row].text, _beside(task))
        common["venue"] = common["venue"] or stages.get(row, "") or _venue_of_section(row, score)
        numbered = begins_with_number(common["title"])
        for dated in when(replace(mention, title=common["title"]) if numbered else mention, row):
            fields = without_empty({**common, **dated, "is_past": _is_past(mention, task) or ""})
            block = row.html[:MAX_BLOCK]
            yield mention, Item(fields=fields, strategy=Strategy.HEURISTIC, score=score, block=block)


def _is_alone(row: Element) -> bool:
    """Whether the container of a row without a title has no other day, so that its title is this row's."""
    around = brief_text_of(row.parent, MAX_AROUND) if isinstance(row.parent, Element) else ""
    return len({day_key(found[0]) for found in days_in(around)}) < 2


def _is_past(day: Mention, task: ExtractionTask) -> bool:
    return not (day.exact or day.year or has_year(day.text)) and day.element in task.page.cached(
        past_elements
    )


def _venue_of_section(row: Element, score: float) -> str:
    return venue_of_section(row) if score == WEAK else ""


def _common_fields(day: Mention, row: Element, title: Candidate, task: ExtractionTask) -> Fields:
    return {
        "title": title.text,
        "url": row_link(day, row, title, task),
        "venue": venue_of(row),
        "price": price_of(row),
        "images": image_of(row, task),
        "status": status_in(row, title.text, _beside(task)),
        "interested": interest_in([row], task.page),
    }


def _beside(task: ExtractionTask) -> frozenset[Element]:
    return frozenset() if task.wants_rows else shown_beside(task.page) | task.page.cached(other_sections)
