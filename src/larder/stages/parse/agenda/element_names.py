"""Classifies elements around a date: headings, calendar cells, cards, hidden elements, posts, sidebars."""

import re
from functools import lru_cache
from itertools import islice
from typing import TypeGuard

from turbohtml import Element, Node, Text

from larder.sdk.page import brief_text_of
from larder.stages.parse.agenda.patterns import is_weekday, short_date
from larder.stages.parse.heuristic.page_position import lineage, name_of

MIN_WEEK_COLUMNS = 5
"""Minimum columns of a calendar's row: the working days."""
MAX_CARD = 120
MAX_SHORT = 100
MIN_LISTED, MAX_BESIDE = 3, 24
MAX_CELLS = 12
MAX_HEADER = 40
MIN_CARD_TEXTS = 3
"""Minimum texts in separate elements that make a card."""
HEADINGS = frozenset(
    {"h1", "h2", "h3", "h4", "h5", "h6", "strong", "b", "th", "caption", "legend", "summary", "dt", "button"}
)
_DATE_NAME = re.compile(
    r"date|datum|\bday\b|dag\b|when|calendar|kalender|dtstart|fecha|giorno|jour\b|\btag\b"
)
_SIDEBAR = re.compile(r"(?<![a-z])(?:side-?bar|widget-?area|secondary|right-?col(?:umn)?|extra)(?![a-z])")
PUBLISHED = re.compile(
    r"posted|submitted|(?<!state--)(?<!node--)(?<!is-)publish|publié|publicad|pubblicat|pubdate|byline"
    r"|(?<!\w)updated|modified|datecreated|uploaddate"
    r"|entry-meta|geplaatst"
    r"|veröffentlicht|comment"
)
_HIDDEN = re.compile(
    r"w-condition-invisible|(?:^|\s)(?:hidden|is-hidden|d-none(?!.*\bd-(?:sm|md|lg|xl)-))(?:\s|$)"
)
_NOT_SHOWN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_LISTED_DAY = re.compile(r"(?P<day>\d\d?/\d\d?|\d\d?\.\d\d?\.)\s*(?:[-–—:|•]|$)")
_PANEL = re.compile(r"(?<![a-z])tabs?[-_]*(?:pane|panel|content|item)s?(?![a-z])", re.IGNORECASE)
_OTHER_MONTH = re.compile(r"other-?month|prev-?month|next-?month|outside|padding|no-?day", re.IGNORECASE)
_HEADING_NAME = re.compile(r"month|monat|maand|mois|mese|\bmes\b|head|title|separator", re.IGNORECASE)
_TITLE_NAME = re.compile(
    r"(?<![a-z])(?:event|item|card|entry|post|list\w*|show|film|grid)?[-_]*(?:title|titel|titre|titolo"
    r"|titulo|name|naam"
    r"|heading|headline|summary|artists?|headliner|what)(?![a-z])"
)
_SUBTITLE_NAME = re.compile(
    r"sub-?_?(?:title|titel|head|line)|mini-?title|kicker|badge|label|tags?(?![a-z])|flag|categor|genre"
    r"|\btype|series"
    r"|venue|location|\bloc\b|locatie|place|\broom|zaal|address|organi[sz]|presenter|price|status|\bnote"
    r"|excerpt|description|abstract"
    r"|intro|button|btn|more-?link|read-?more|ticket|support|filter|author|\bcity|country|day-?name"
    r"|date|\btime|when|(?<![a-z])where(?![a-z])|prefix"
    r"|suffix|share|social|series-name|filename|username"
)
_RELATED_NAME = re.compile(
    r"(?<![a-z])(?:relat(?:ed|erad)|recommend|similar|(?:site|page|main|global)-?footer|navbar|navigation"
    r"|mega-?menu|breadcrumb|newsletter|cookie|modal|popup|comment|review|date-?picker|recent-?(?:post"
    r"|news|comment)"
    r"|latest-?news|news-?(?:list|feed|item|teaser))"
)
_WORDS = re.compile(r"[^\W\d_]{3}")
_DAY_NUMBER = re.compile(r"\d{1,2}\.?(?!\d|[.:h]\d|\s?(?:uhr|uur|[ap]\.?m|h)\b)", re.IGNORECASE)
CONTROLS = frozenset({"a", "button", "option", "label", "select", "li"})


def short_day_in(text: str, parent: Element) -> str:
    """The numeric date at the beginning of a text; for `20/11 – Okto` only if siblings begin in that form."""
    if len(text) >= MAX_SHORT:
        return ""
    listed = None if (short := short_date(text, called=False)) else _LISTED_DAY.match(text)
    if listed is None or not isinstance(parent.parent, Element):
        return short
    beside = (each for each in islice(parent.parent.children, MAX_BESIDE) if isinstance(each, Element))
    similar = [each for each in beside if each.tag == parent.tag and _LISTED_DAY.match(each.text.strip())]
    return short_date(listed["day"], called=True) if len(similar) >= MIN_LISTED else ""


def is_hidden_element(element: Element) -> bool:
    """Whether an element is hidden; the panel of a tab is not, as a click shows it."""
    style = element.attr("style")
    return not _is_panel(element) and (
        element.attr("hidden") is not None
        or is_hidden_name(element.attr("class") or "")
        or (style is not None and _NOT_SHOWN.search(style) is not None)
    )


def _is_panel(element: Element) -> bool:
    return element.attr("role") == "tabpanel" or _PANEL.search(element.attr("class") or "") is not None


def is_month_heading(parent: Element, *, dated: bool) -> bool:
    """Whether a month that stands alone is a heading; a link to another month is not."""
    near = [node for node in (parent, *lineage(parent, 2)) if isinstance(node, Element)]
    if any(node.tag in CONTROLS for node in near) or (not dated and _is_among_weekdays(parent)):
        return False
    return dated or any(node.tag in HEADINGS or _HEADING_NAME.search(name_of(node)) for node in near[:2])


def _is_among_weekdays(element: Element) -> bool:
    """Whether it is among weekdays: `mar` between `lun` and `mié` is Tuesday, not March."""
    around = element.parent.children if isinstance(element.parent, Element) else ()
    texts = (
        " ".join(each.text.split()) for each in around[: 4 * MIN_WEEK_COLUMNS] if isinstance(each, Element)
    )
    return sum(is_weekday(text) for text in texts) >= MIN_WEEK_COLUMNS - 1


def is_day_cell(parent: Element) -> bool:
    """Whether a number that stands alone is the day of a calendar's cell."""
    near = [node for node in (parent, *lineage(parent, 3)) if isinstance(node, Element)]
    if cell := next((node for node in near if node.tag == "td"), None):
        return len(cell.parent.children) >= MIN_WEEK_COLUMNS if isinstance(cell.parent, Element) else False
    return any(is_date_name(name_of(node)) for node in near[:2])


def is_day_of_table_row(parent: Element) -> bool:
    """Whether it is the only number in a table's row with words; a calendar's row has several numbers."""
    own = parent.closest("td")
    row = own.parent if own is not None else None
    if not isinstance(row, Element) or row.tag != "tr":
        return False
    texts = [each.text.strip() for each in row.select("td")[:MAX_CELLS] if each is not own]
    words = any(_WORDS.search(text) and not is_weekday(text) for text in texts)
    return words and not any(_DAY_NUMBER.match(text) for text in texts)


def is_cell_of_week(element: Element) -> bool:
    """Whether it is in a table's row in which most cells begin with the number of a day."""
    cell = element.closest("td")
    row = cell.parent if cell is not None else None
    if not isinstance(row, Element) or len(row.children) < MIN_WEEK_COLUMNS:
        return False
    texts = (each.text[:MAX_HEADER].strip() for each in _cells(row)[:MAX_CELLS])
    return sum(_DAY_NUMBER.match(text) is not None for text in texts) >= MIN_WEEK_COLUMNS - 1


def is_other_month(parent: Element) -> bool:
    """Whether a calendar's cell is named as one of the month before or after."""
    near = [node for node in (parent, *lineage(parent, 3)) if isinstance(node, Element)]
    return any(_OTHER_MONTH.search(name_of(node)) for node in near)


def is_in_entry(element: Element) -> bool:
    """Whether it is the footer of an article or section, which is part of it."""
    return element.tag == "footer" and element.closest("article, li, section, main") is not None


@lru_cache(maxsize=8_192)
def is_related_name(name: str) -> bool:
    """Whether it is named as related events, news or a menu."""
    return _RELATED_NAME.search(name.lower()) is not None


@lru_cache(maxsize=8_192)
def is_title_name(name: str) -> bool:
    """Whether an element is named as a title or a name."""
    return _TITLE_NAME.search(name.lower()) is not None and not is_subtitle_name(name)


@lru_cache(maxsize=8_192)
def is_subtitle_name(name: str) -> bool:
    """Whether an element is named as a badge, a venue, a category or a button beside a title."""
    return _SUBTITLE_NAME.search(name.lower()) is not None


@lru_cache(maxsize=8_192)
def is_date_name(name: str) -> bool:
    """Whether an element is named as a date, a day or a calendar."""
    return _DATE_NAME.search(name.lower()) is not None


@lru_cache(maxsize=8_192)
def is_published_name(name: str) -> bool:
    """Whether an element is named as the day of publication."""
    return PUBLISHED.search(name.lower()) is not None


@lru_cache(maxsize=8_192)
def is_hidden_name(name: str) -> bool:
    """Whether an element is named as hidden."""
    return _HIDDEN.search(name) is not None


def is_card_link(link: Element) -> bool:
    """Whether a link contains several texts in separate elements, which are more than a title."""
    texts = (node for node in islice(link.descendants, MAX_CARD) if isinstance(node, Text))
    alone = (node for node in texts if not node.data.isspace() and _is_alone(node, link))
    return next(islice(alone, MIN_CARD_TEXTS - 1, None), None) is not None


def _is_alone(text: Text, link: Element) -> bool:
    holder = text.parent
    return isinstance(holder, Element) and holder is not link and len(holder.children) == 1


def is_alone_in_line(text: Text, row: Element) -> bool:
    """Whether a text is its element's only text, or a line of its own between `<br>`."""
    if _is_alone(text, row):
        return True
    beside = [
        _nearest_sibling(text.previous_sibling, "previous_sibling"),
        _nearest_sibling(text.next_sibling, "next_sibling"),
    ]
    broken = [isinstance(node, Element) and node.tag == "br" for node in beside]
    return any(broken) and all(is_br or node is None for is_br, node in zip(broken, beside, strict=True))


def _nearest_sibling(node: Node | None, direction: str) -> Node | None:
    while isinstance(node, Text) and node.data.isspace():
        node = getattr(node, direction)
    return node


def is_in_sidebar(element: Element, known: dict[Node, bool]) -> bool:
    """Whether it is in a sidebar that is not part of a row; `known` caches the answers by element."""
    passed: list[Node] = []
    inside = False
    for node in filter(_is_element, (element, *lineage(element))):
        if node in known:
            inside = known[node]
            break
        passed.append(node)
        if node.tag == "body":
            break
        if _is_sidebar_name(name_of(node), node.tag):
            around = filter(_is_element, (node, *lineage(node)))
            inside = not any(outer.tag in ("li", "article") for outer in around)
            break
    known.update(dict.fromkeys(passed, inside))
    return inside


def _is_element(node: Node) -> TypeGuard[Element]:
    return isinstance(node, Element)


@lru_cache(maxsize=8_192)
def _is_sidebar_name(name: str, tag: str) -> bool:
    return tag == "aside" or _SIDEBAR.search(name.lower()) is not None


_HEADER_NOUNS = (
    r"events?|meetings?|shows?|films?|movies?|concerts?|performances?|activit(?:y|ies)|programme?|body"
    r"|committee|board|artists?|acts?|veranstaltung(?:en)?|sitzung|gremium|konzert|programm"
    r"|evenement(?:en)?|voorstelling|vergadering|activiteit|événement|spectacle|manifestation|evento"
    r"|espectáculo|actividad|spettacolo|manifestazione|wydarzenie"
)
_HEADER_NAMES = (
    r"names?|titles?|titel|bezeichnung|naam|onderwerp|subject|titre|nom|intitulé|título|nombre|titolo|nome"
    r"|nazwa|tytuł"
)
_TITLE_HEADER = re.compile(
    rf"(?:{_HEADER_NOUNS})(?:[\s/]+(?:{_HEADER_NAMES}))?"
    rf"|(?:{_HEADER_NAMES})(?:\s+(?:of|der|van|de)\s+(?:the\s+)?(?:{_HEADER_NOUNS}))?"
    r"|what|was|wat|quoi|qué|cosa|co",
    re.IGNORECASE,
)
_TYPE_HEADER = re.compile(rf"(?:board )?(?:{_HEADER_NOUNS}) type", re.IGNORECASE)
_PLACE_HEADER = re.compile(
    r"(?:[^\W\d_]+ )?(?:locations?|places?|venues?|where|rooms?|address|ort|raum|saal|plaats|locatie|zaal"
    r"|lieu|salle|lugar|sala|luogo|miejsce)",
    re.IGNORECASE,
)


def title_cells(row: Element) -> list[Element]:
    """The cells of a table's row below headers such as `Meeting name`, then `Meeting type`."""
    columns = _columns(row) if row.tag == "tr" else ()
    named = (cell for header, cell in columns if _is_title_header(header))
    typed = (cell for header, cell in columns if _TYPE_HEADER.fullmatch(header))
    return [*named, *typed]


def place_cells(row: Element) -> frozenset[Element]:
    """The cells of a table's row below a header such as `Location` or `Room`."""
    return frozenset(cell for header, cell in _columns(row) if _PLACE_HEADER.fullmatch(header))


def _columns(row: Element) -> list[tuple[str, Element]]:
    """The cells of a table's row, each with its column's header; none if the table has no headers."""
    table = row.closest("table") if row.tag == "tr" else None
    header = table.select_one("tr") if table is not None else None
    names, cells = (_cells(header), _cells(row)) if header is not None and header is not row else ([], [])
    if len(names) != len(cells):
        return []
    texts = (brief_text_of(cell, MAX_CELLS).strip(" :")[: MAX_HEADER + 1] for cell in names)
    return list(zip(texts, cells, strict=True))


def _cells(row: Element) -> list[Element]:
    return [each for each in row.children if isinstance(each, Element) and each.tag in ("td", "th")]


@lru_cache(maxsize=1_024)
def _is_title_header(text: str) -> bool:
    return len(text) <= MAX_HEADER and _TITLE_HEADER.fullmatch(text) is not None
