"""Makes rows of the lines of one paragraph: `Fri 20 Nov: Okto<br>Sat 21 Nov: Noord<br>…`.

Where a block of text has several lines that begin with a day and say more than when, each becomes an element
with what follows it; of parts between empty lines that name one day each, each part does.
"""

import re
from html import unescape

from larder.sdk.calendar_names import with_full_months
from larder.sdk.page import Page
from larder.stages.parse.agenda.patterns import begins_with_day, short_date, without_when
from larder.stages.parse.agenda.titles.texts import as_title

MIN_ROWS = 3
MIN_NAMED_SHARE = 0.8
MAX_LINE = 300
MAX_SHORT = 80
MAX_BLOCK = 40_000

_BREAK = re.compile(r"<br\b[^>]*>", re.IGNORECASE)
_EDGES = re.compile(
    r"</?(?:p|div|td|th|tr|li|ul|ol|dl|dd|dt|table|tbody|thead|section|article|main|body|header|footer|nav|aside|form"
    r"|blockquote|center|h[1-6]|hr|script|style|textarea|pre)\b[^>]*>",
    re.IGNORECASE,
)
_TAG = re.compile(r"<[^>]*>")


def as_agenda(page: Page) -> Page:
    """The page prepared for an agenda: ambiguous short months written out, dated lines as rows."""
    text = with_lines_as_rows(with_full_months(page.text, page.language))
    if text == page.text:
        return page
    read = Page(page.url, text)
    read.row_shapes = page.row_shapes
    return read


def with_lines_as_rows(html: str) -> str:
    """The same page, with each dated line of a block as an element of its own."""
    if len(_BREAK.findall(html)) < MIN_ROWS - 1:
        return html
    parts, at = [], 0
    for edge in _EDGES.finditer(html):
        parts += [_in_rows(html[at : edge.start()]), edge[0]]
        at = edge.end()
    return "".join([*parts, _in_rows(html[at:])])


def _in_rows(block: str) -> str:
    if len(block) > MAX_BLOCK or len(_BREAK.findall(block)) < MIN_ROWS - 1:
        return block
    lines = _BREAK.split(block)
    shown = [" ".join(unescape(_TAG.sub(" ", line)).split()) for line in lines]
    groups = _groups(shown)
    named = sum(bool(as_title(without_when(" ".join(shown[a:b])))) for a, b in groups)
    if len(groups) < MIN_ROWS or named < MIN_NAMED_SHARE * len(groups):
        return block
    before = "<br>".join(lines[: groups[0][0]])
    return before + "".join(f"<div>{'<br>'.join(lines[begin:end])}</div>" for begin, end in groups)


def _groups(shown: list[str]) -> list[tuple[int, int]]:
    """The lines of each row: between empty lines if each such part has a day, else from day to day."""
    dated = [at for at, line in enumerate(shown) if _begins_with_day(line)]
    parts = _parts(shown)
    if len(parts) >= MIN_ROWS and all(sum(begin <= at < end for at in dated) == 1 for begin, end in parts):
        return parts
    first = next((at for at, line in enumerate(shown) if line), 0)
    return list(zip(dated, [*dated[1:], len(shown)], strict=True)) if dated[:1] == [first] else []


def _parts(shown: list[str]) -> list[tuple[int, int]]:
    """The begin and end of each part between empty lines."""
    found, begin = [], 0
    for at, line in enumerate([*shown, ""]):
        if not line:
            found += [(begin, at)] if at > begin else []
            begin = at + 1
    return found


def _begins_with_day(line: str) -> bool:
    return 0 < len(line) <= MAX_LINE and (
        begins_with_day(line) or bool(short_date(line[:MAX_SHORT], called=False))
    )
