"""Selects the days on a page that are those of its events.

Not those of news, sidebars, other events beside an event's own, sentences, and days on which nothing takes
place: `No public skating on December 26`. Of notices only a sentence that ties the day to its denial counts:
a band may be called `No Doubt`.
"""

import re
from functools import lru_cache
from itertools import islice

from turbohtml import Element, Node, Text

from larder.core.policy.word_search import WordSearch
from larder.sdk.page import Page, brief_text_of, text_of
from larder.stages.parse.agenda.element_names import is_in_entry, is_in_sidebar, is_related_name
from larder.stages.parse.agenda.labels import label_of
from larder.stages.parse.agenda.mentions import Mention, mentions
from larder.stages.parse.agenda.patterns import day_key, days_in, without_days
from larder.stages.parse.agenda.split_ranges import joined_ranges
from larder.stages.parse.agenda.status import is_before_new_day
from larder.stages.parse.heuristic.page_position import MAX_CLIMB, lineage, name_of
from larder.stages.parse.heuristic.sibling_rows import rows_of
from larder.stages.parse.heuristic.sidebar_boxes import (
    news_boxes,
    other_events,
    other_sections,
    sidebar_boxes,
)
from larder.stages.parse.pagination.words import is_step

MAX_ROW = 8_000
MAX_PARTS = 1_500
MIN_EVENTS = 3
"""Minimum rows with titles that make an agenda; other days on it are not events."""
MIN_BELOW_HEADER = 2
MAX_BESIDE = 6
"""Maximum days of a page that is surely no list; with more, a list may be named as a sidebar."""
_POST_TITLE = "h2 a[href], h3 a[href], h4 a[href]"
_WHOLE_PAGE = frozenset({"body", "html"})
"""Named after the page's layout (`body.navbar-fixed`): no name says that all of a page is beside itself."""
_ASIDE_TAGS = frozenset({"nav", "footer"})
MAX_NOTICE = 120
MAX_WORDS = 24
MAX_PAGER = 120

_NO = (
    r"no|geen|keine?n?|pas de(?! deux| trois| quatre)|aucune?|ning[uú]n[ao]?|no hay|no habrá"
    r"|nessun[ao]?|non c['’]è|non ci sono|niente"
)
_CLOSED = r"closed|gesloten|dicht|geschlossen|fermée?s?|relâche|cerrad[oa]s?|chius[oaie]"
_CLOSES = (
    r"close|closes|sluiten|sluit|schließen|schließt|fermons|ferme|ferment|fermera|cerramos|cierra|cerrará"
    r"|chiudiamo|chiude|chiuderà"
)
_BE = (
    r"is|are|be|we['’]re|zijn|wij|we|zijn we|zijn wij|ist|sind|bleibt|bleiben|haben|wir|est|sont|sera|seront"
    r"|está|están|estará|permanecerá|è|sono|siamo|resta|rimane|remains|blijft|sommes|estamos"
)
_ON = (
    r"on|on the|op|am|an|le|les|el|los|il|i|ce|from|van|vom|du|del|dal|until|tot|bis|tussen|between|zwischen"
)
_LEAD = (
    r"(?:(?:there (?:is|are|will be)|er (?:is|zijn)|es gibt|il n['’]y (?:a|aura)"
    r"|sorry|let op|attention|note)\W+)?"
)
_FORMS = (
    rf"{_LEAD}(?:{_NO})\s.{{2,70}}\s(?:{_ON})\s*@",  # no skating on @
    rf"{_LEAD}(?:{_NO})\s(?-i:[a-zß-ÿ])[^-–—|:,]{{2,50}}\s@",  # no skating @: names have capitals
    rf"(?:{_ON})\s+@\W*(?:[\w'’]+\s+){{0,3}}(?:{_NO})\s.{{2,70}}",  # on @ there is no skating
    rf"(?:.{{2,60}}\s(?:{_BE})\s+)?(?:{_CLOSED})(?:\s*:|\s(?:{_ON}))?\s*@.{{0,20}}",  # we are closed on @
    rf"(?:(?:.{{2,60}}\s(?:{_BE})\s+)?(?:{_ON})\s+)?@\W*(?:(?:{_BE})\s+(?:.{{2,40}}\s)?)?(?:{_CLOSED})",
    # on @ we are closed, the museum is on @ closed
    rf"(?:{_LEAD}(?:{_ON})\s+)?@\W*(?:.{{2,40}}\s)?(?:{_CLOSES})(?:\s.{{2,60}})?",  # on @ we close at four
    rf".{{2,60}}\s(?:{_CLOSES})\s(?:.{{2,30}}\s)?(?:{_ON})\s+@",  # the library closes early on @
)
_NOTICE = re.compile("|".join(_FORMS), re.IGNORECASE)
_ANY = WordSearch(_NO, _CLOSED, _CLOSES)
_SENTENCE = re.compile(r"(?<=[^\W\d]{2})[.!;]\s+|\n")


def own_days(page: Page, head: Element | None, near: set[Node], *, rows: bool) -> list[Mention]:
    """The days that the page shows as its own, in document order; `near` contains its headline."""
    found = [
        each for each in page.cached(mentions) if not _is_related_or_news(each.element, near, frozenset())
    ]
    boxes = (page.cached(sidebar_boxes) if rows else shown_beside(page)) - near
    found = [each for each in found if not _is_related_or_news(each.element, near, boxes)] if boxes else found
    found = [each for each in found if not is_notice(each) and not _is_in_pager(each.element)]
    found = found if rows else _without_other_sections(page, found, near)
    found = _below_page_header(found) if rows else found
    found = found if rows else _without_mini_calendar(found)
    fewest = MIN_EVENTS if rows or len(found) > MAX_BESIDE else 1
    found = without_sidebars(_without_news(page, found, near, fewest), fewest)
    if rows:
        found = _without_headline(found, head)
    found = (_first_day_of_posts(found) if rows else []) or _without_prose(found)
    return _without_deadlines(joined_ranges(_without_moved_days(found, rows=rows)), rows=rows)


_LETTER = re.compile(r"[^\W\d_]")
_UNTIL = re.compile(
    r"(?<![^\W\d])(?:until|till?|by|before|bis|tot|vóór|jusqu['’]|avant|até|antes d[eo]|hasta|fino|entro|do"
    r"|senast|senest)"
    r"(?:\s?(?:zum|und mit|en met|le|au|al?|il|el|o|dia|den|d\.|the))*\s*:?\s*$",
    re.IGNORECASE,
)


def _without_deadlines(found: list[Mention], *, rows: bool) -> list[Mention]:
    """Removes deadlines if their row has a day of its own: `Inscrições até 3/12`."""
    ends = [_is_end_alone(each) for each in found]
    if not any(ends) or all(ends):
        return found
    row_of = rows_of([each.element for each in found]) if rows else {}
    dated = {row_of.get(each.element) for each, ends_it in zip(found, ends, strict=True) if not ends_it}
    return [
        each
        for each, ends_it in zip(found, ends, strict=True)
        if not ends_it or row_of.get(each.element) not in dated
    ]


def _is_end_alone(mention: Mention) -> bool:
    """Whether it is a deadline (`Register until 3 May`), and not the end of a range."""
    days = days_in(mention.text)
    before, _, _ = brief_text_of(mention.element, MAX_WORDS).partition(days[0][0] if days else mention.text)
    found = _UNTIL.search((before or _said_before(mention)).rstrip())
    return (
        found is not None and not mention.until and _LETTER.search(found.string[: found.start()]) is not None
    )


def _without_moved_days(found: list[Mention], *, rows: bool) -> list[Mention]:
    """Removes the former days of moved events: those right before the new day, in one row of a list."""
    new = {at for at, each in enumerate(found) if at and is_before_new_day(_said_before(each))}
    if not new:
        return found
    row_of = rows_of([each.element for each in found]) if rows else {}
    moved = {at - 1 for at in new if not rows or row_of[found[at].element] is row_of[found[at - 1].element]}
    return [each for at, each in enumerate(found) if at not in moved]


def _said_before(mention: Mention) -> str:
    """The text right before a day: in its own element, else in the text or label before that."""
    own = brief_text_of(mention.element, MAX_WORDS).partition(mention.text)[0]
    before = mention.element.previous_sibling
    return own or (
        before.data if isinstance(before, Text) and not before.data.isspace() else label_of(mention.element)
    )


def _below_page_header(found: list[Mention]) -> list[Mention]:
    """Removes the days of a page's header, such as a whole festival's, if others are below it."""
    below = [each for each in found if not _is_in_page_header(each.element)]
    return below if len(below) >= MIN_BELOW_HEADER else found


def _is_in_page_header(element: Element) -> bool:
    header = element.closest("header")
    return header is not None and header.closest("main, article, section, li") is None


def shown_beside(page: Page) -> frozenset[Element]:
    """The boxes of other events on an event's own page."""
    return page.cached(sidebar_boxes) | page.cached(other_events)


def _is_in_pager(element: Element) -> bool:
    """Whether all links beside it lead to the next or previous page: `« KW 47 (16.11.) »`."""
    for node in (element, *lineage(element, 1)):
        if not isinstance(node, Element) or node.tag in ("body", "main") or len(node.text) > MAX_PAGER:
            return False
        around = node.closest("a[href]")
        links = [around] if around is not None else node.select("a[href]")[:MAX_BESIDE]
        if links:
            return all(is_step(without_days(text_of(link))) for link in links)
    return False


def _without_other_sections(page: Page, found: list[Mention], near: set[Node]) -> list[Mention]:
    """Removes the days of other events below their heading, if the page has one of its own."""
    others = page.cached(other_sections) - near if len(found) > 1 else frozenset[Node]()
    own = [each for each in found if not _is_related_or_news(each.element, near, others)] if others else found
    return own if any(not each.in_prose for each in own) else found


def _is_related_or_news(element: Element, near: set[Node], boxes: frozenset[Node]) -> bool:
    """Whether it is beside the page's events; an element that contains the headline never is."""
    node: Node | None = element
    for _ in range(MAX_CLIMB + 1):
        if node is None or node in near or not isinstance(node, Element) or node.tag in _WHOLE_PAGE:
            return False
        if node in boxes or (node.tag in _ASIDE_TAGS and not is_in_entry(node)):
            return True
        if is_related_name(name_of(node)):
            return True
        node = node.parent
    return False


def _without_news(page: Page, found: list[Mention], near: set[Node], fewest: int) -> list[Mention]:
    """Removes days in news boxes if enough others are left."""
    boxes = page.cached(news_boxes) - near
    own = [each for each in found if not _is_related_or_news(each.element, near, boxes)] if boxes else found
    return own if len(own) >= fewest else found


def _without_prose(found: list[Mention]) -> list[Mention]:
    """Removes days in sentences; if there are no others, only the first is kept."""
    plain = [mention for mention in found if not mention.in_prose]
    return plain or found[:1]


def _first_day_of_posts(found: list[Mention]) -> list[Mention]:
    """The first day of each post, if all days are in sentences and several posts have linked headings."""
    if not found or not all(mention.in_prose for mention in found):
        return []
    rows = rows_of([mention.element for mention in found])
    first = {row: mention for mention in reversed(found) if _is_post(row := rows[mention.element])}
    return list(reversed(first.values())) if len(first) >= MIN_EVENTS else []


def _is_post(row: Element) -> bool:
    return not is_too_long(row) and row.select_one(_POST_TITLE) is not None


def is_too_long(row: Element) -> bool:
    """Whether an element has more text than a row; reading it repeatedly would be slow."""
    return next(islice(row.descendants, MAX_PARTS, None), None) is not None or len(row.text) > MAX_ROW


def _without_headline(found: list[Mention], head: Element | None) -> list[Mention]:
    """Removes days in a page's headline, which is the period of its list, if others are below it."""
    if head is None:
        return found
    below = [each for each in found if each.element is not head and head not in lineage(each.element, 3)]
    return below if len(below) >= MIN_EVENTS else found


def is_notice(mention: Mention) -> bool:
    """Whether the mention's own sentence says that there is no event on that day."""
    block = mention.element.closest("p, li, h1, h2, h3, h4, h5, h6, td, div") or mention.element
    text = brief_text_of(block, MAX_WORDS)
    if len(text) <= 2 * MAX_NOTICE and any(_states_no_event(each) for each in _SENTENCE.split(text)):
        return True
    lines = (child.data for child in mention.element.children if isinstance(child, Text))
    return any(mention.text in line and _states_no_event(" ".join(line.split())) for line in lines)


@lru_cache(maxsize=2_048)
def _states_no_event(sentence: str) -> bool:
    if len(sentence) > MAX_NOTICE or _ANY.search(sentence) is None:
        return False
    return _NOTICE.fullmatch(_days_masked(sentence).strip(" .!")) is not None


def _days_masked(sentence: str) -> str:
    """A sentence with `@` in place of its days."""
    days = days_in(sentence)
    return f"{sentence[: days[0].start()]}@{sentence[days[-1].end() :]}" if days else sentence


def _without_mini_calendar(found: list[Mention]) -> list[Mention]:
    """Removes the cells of a calendar in a sidebar, if there are other days."""
    known: dict[Node, bool] = {}
    own = [each for each in found if not (each.in_cell and is_in_sidebar(each.element, known))]
    return own or found


def without_sidebars(found: list[Mention], fewest: int) -> list[Mention]:
    """Removes days in sidebars if enough others are left; on an event's page also if the day is the same."""
    known: dict[Node, bool] = {}
    beside = [is_in_sidebar(mention.element, known) for mention in found]
    own = [mention for mention, aside in zip(found, beside, strict=True) if not aside]
    if sum(not mention.in_prose for mention in own) < fewest:
        return found
    days = {day_key(mention.text) for mention in own} if fewest == 1 else set()
    return [
        each
        for each, aside in zip(found, beside, strict=True)
        if not aside or (day_key(each.text) in days and not each.in_cell)
    ]
