"""Days as calendars write them: `zo 11 okt '26`, `14 t/m 16 mrt`, `27.09.`, `March 6, 2016`, `2026-10-11`.

A mention has only what the text says; the year is chosen later, when all mentions are known.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from larder.core.lazy_pattern import lazy_pattern
from larder.sdk.calendar_names import any_of
from larder.stages.normalize.dates.words import (
    AND,
    MONTH,
    MONTHS,
    ORDINALS,
    TH,
    UNTIL,
    WEEKDAY,
    WEEKDAYS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DateMention:
    """A day that a text names, as far as it does; `day` (and `last`) if nothing is left open."""

    begin: int
    until: int
    year: int | None = None
    month: int | None = None
    dom: int | None = None
    weekday: int | None = None
    part: str = ""
    """`begin`, `mid` or `end` of a month."""
    day: date | None = None
    last: date | None = None


_PARTS = {
    "begin": "begin anfang early beginning",
    "mid": "half medio midden mitte mid mitten",
    "end": "eind einde ende late end",
}
PARTS = {word: part for part, words in _PARTS.items() for word in words.split()}

_DAY = rf"(?:(?:3[01]|[12]\d|0?[1-9])(?!\d)(?:\s?{TH}(?![^\W\d_]))?\.?|{any_of(ORDINALS)}(?![a-z]))"
_ON = rf"(?:\b(?P<wd>{WEEKDAY})[.,]*\s*(?:(?:de|den|der|the|op|dem|le|el|il|dia|día|d\.)\s+)?)?"
_OF = r"(?:\s*(?:van|of|de|di|del)\s+|\s?/\s?|-|\s*)"
_THEN = r"(?:[\s,.]{0,3}|\s?/\s?|-|\s+(?:de|del)\s+)"
_NO_TIME = (
    rf"(?!\d|[:.,]\d|\s*(?:uur|uhr|u\b|h\b|[ap]\.?m\b|€|%|\.?\s*{MONTH}|t/m|-\s?\d\d?\b|st\b|th\b|e\b|o'))"
)
_YEAR = rf"(?:(?:19|20|21)\d\d(?!\d)|'\d\d(?!\d)|\d\d{_NO_TIME})"
_SPAN = rf"\s*(?:{UNTIL}|{AND}(?=\s))\s*(?:{WEEKDAY}[.,]*\s*)?"
_FULL_YEAR = r"(?:19|20)\d\d"
_PART = rf"(?:(?P<part>{any_of(PARTS)})[\s-]+(?:of\s+|van\s+)?)"

_GLUED = lazy_pattern(r"[^\W\d_]\d")
_GLUED_DAY = lazy_pattern(rf"\b({WEEKDAY})(?=\d)")
_BARRED = lazy_pattern(r"(?<=\d)\s?\|\s?(?=\d\d?(?:$|\s?\|))")
_TIED = lazy_pattern(
    r"(\d\d?([./])\d\d?\2(?:\d{4}|\d\d)?|(?<![\d/])\d\d?/\d\d?)-(?=\d\d?[./]\d\d?(?:[./]|$))"
)
"""`07.12.2026-09.12.2026`, `7/7-11/7/2026`: the dash joins two days."""
_SLASHED = lazy_pattern(rf"\b(\d\d?)((?:/\d\d?)+)/(\d\d?)(?=\s*{MONTH})")
_ANY_MONTH = lazy_pattern(MONTH)
_ANY_NUMBERS = lazy_pattern(r"\d[./-]\s?\d")
_SHORT_YEAR = r"'?\d\d(?!\d|[:.]\d)"
_BY_NAME = tuple(
    lazy_pattern(pattern)
    for pattern in (
        # 20 Dec 12 - 20 Dec 13: two years, not the days from the 12th to the 20th
        rf"{_ON}(?<![\d.,])\b(?P<d>{_DAY}){_OF}(?P<mo>{MONTH}){_THEN}(?P<y>{_SHORT_YEAR})"
        rf"(?=\s*{UNTIL}\s*(?:{WEEKDAY}[.,]*\s*)?{_DAY}{_OF}{MONTH}{_THEN}{_SHORT_YEAR})",
        # 14 t/m 16 mrt 2027; wo 14, do 15 en vr 16 okt
        rf"{_ON}(?<![\d.,])\b(?P<d>{_DAY})(?P<more>(?:\s*,\s*(?:{WEEKDAY}[.]?\s*)?{_DAY})*){_SPAN}(?P<d2>{_DAY}){_OF}(?P<mo>{MONTH})(?:{_THEN}(?P<y>{_YEAR}))?",
        # August 10 - 22, 2012
        rf"{_ON}\b(?P<mo>{MONTH})\s*(?P<d>{_DAY}){_SPAN}(?P<d2>{_DAY})(?!\s*{MONTH}|\d|:)"
        rf"(?:{_THEN}(?P<y>{_YEAR}))?",
        # 2018 March 18
        rf"\b(?P<y>{_FULL_YEAR})(?:\s|[,/.-]\s?)(?P<mo>{MONTH})[\s/.-]*(?P<d>{_DAY})(?!\d)",
        # zo 11 okt '26
        rf"{_ON}(?<![\d.,])\b(?P<d>{_DAY}){_OF}(?P<mo>{MONTH})(?:{_THEN}(?P<y>{_YEAR}))?",
        # Sunday 15, February
        rf"\b(?P<wd>{WEEKDAY})[.,]*\s+(?P<d>{_DAY}),\s?(?P<mo>{MONTH})(?:{_THEN}(?P<y>{_YEAR}))?",
        # Sun, Mar. 6, 2016
        rf"{_ON}\b(?P<mo>{MONTH})\s*(?:the\s+|de\s+)?(?P<d>{_DAY})(?!\d|[:.]\d\d)(?:[\s,]+(?P<y>{_YEAR}))?",
        # eind maart 2027
        rf"{_PART}?(?<!\d)(?<!\d[ .])(?<!\d\. )\b(?P<mo>{MONTH})[\s,/-]*(?P<y>{_FULL_YEAR}|'\d\d)(?!\d)",
        # eind maart
        rf"\b{_PART}(?P<mo>{MONTH})",
    )
)
_PAIR = r"(?P<a>\d\d?)(?P<sep>[./-])(?P<b>\d\d?)"
_BY_NUMBER = tuple(
    lazy_pattern(pattern)
    for pattern in (
        # 2026-10-11
        rf"(?<![\d.])(?P<y>{_FULL_YEAR})(?P<sep>[-/.])(?P<im>\d\d?)(?P=sep)(?P<id>\d\d?)(?!\d)",
        # 16. bis 18.10.2026
        rf"{_ON}(?<![\d.,/])\b(?P<d>{_DAY}){_SPAN}(?P<d2>\d\d?)(?P<sep>[./-])\s?(?P<mn>\d\d?)"
        rf"(?:(?P=sep)\s?(?P<y>{_FULL_YEAR}))?(?!\d)",
        # 14.03. – 16.03.
        rf"{_ON}(?<![\d.,/-]){_PAIR}\.\s*{UNTIL}\s*(?:{WEEKDAY}[.,]*\s*)?(?P<a2>\d\d?)\.(?P<b2>\d\d?)\.?(?![\d.])",
        # 16.10. - 18.10.2026
        rf"{_ON}(?<![\d.,/-]){_PAIR}\.?(?=\s*{UNTIL}\s*(?:{WEEKDAY}[.,]*\s*)?\d\d?[./-]\d\d?[./-])",
        # 11-10-2026, 8/10/2012, 18. 10. 14
        rf"{_ON}(?<![\d.,/-])(?P<a>\d\d?)(?P<sep>[-/.])\s?(?P<b>\d\d?)(?P=sep)\s?"
        rf"(?P<y>{_FULL_YEAR}|'?\d\d)(?!\d|[-/]\d|[.:]\d\d)",
        # Samstag, 17.10.
        rf"\b(?P<wd>{WEEKDAY})[.,]*\s*{_PAIR}\.?(?![\d/]|-\d|\.\d)",
        # 04/2016
        rf"(?<![\d./-])(?P<mn>0?[1-9]|1[0-2])/(?P<y>{_FULL_YEAR})(?!\d|[/.-]\d)",
    )
)
_NO_COUNT = r"(?![\d/]|-\d|\.\d|\s*(?:jaar|years?|jahre|personen|%|€))"
_SHORT_NUMBERS = lazy_pattern(rf"{_ON}(?<![\d.,/-]){_PAIR}{_NO_COUNT}")
_LONG_MONTH = any_of({word: n for word, n in MONTHS.items() if len(word) > 3 or word == "mei"})
_BARE_MONTH = lazy_pattern(
    rf"(?<!\d)(?<!\d[ .])(?<!\d\. )\b(?P<mo>{_LONG_MONTH})\b(?!\s?\d)|^(?:in |im )?(?P<mo2>may|mai)$"
)
_SENTENCE = 40
"""In a longer text, a pair of small numbers, or a month's name alone, is no date."""


def with_spaces(text: str) -> str:
    """`za14mrt`, `14|03`, `7.12.-9.12.` and `13/14/15 maart` with spaces between their parts."""
    if _GLUED.search(text):
        text = _GLUED_DAY.sub(r"\1 ", text)
    if "|" in text and len(text) <= _SENTENCE:
        text = _BARRED.sub("-", text)
    if "-" in text:
        text = _TIED.sub(r"\1 - ", text)
    if "/" in text:
        text = _SLASHED.sub(lambda days: f"{days[1]}{days[2].replace('/', ', ')} en {days[3]}", text)
    return text


def find_mentions(text: str, *, month_first: bool) -> list[DateMention]:
    """The certain days, in the order of the text."""
    mentions: list[DateMention] = []
    for pattern in _patterns_for(text):
        for match in pattern.finditer(text):
            if _is_free(match, mentions):
                mentions.extend(_read(match, month_first=month_first))
    return sorted(mentions, key=lambda mention: mention.begin)


def _patterns_for(text: str) -> Iterator[re.Pattern[str]]:
    """The patterns for a text: most texts name a month or none, and two searches save a dozen."""
    if _ANY_MONTH.search(text):
        yield from _BY_NAME
    if _ANY_NUMBERS.search(text):
        yield from _BY_NUMBER


def find_loose_mentions(text: str, *, month_first: bool) -> list[DateMention]:
    """`27.09`, `8/10`, `maart`: days only if there is nothing surer."""
    brief = len(text) <= _SENTENCE
    numbers = [
        mention
        for match in _SHORT_NUMBERS.finditer(text)
        if brief or match["wd"] or re.search(r"\b(?:op|on|am|vom|vanaf|ab)\s+$", text[: match.start()])
        for mention in _read(match, month_first=month_first)
    ]
    if numbers or not brief:
        return numbers
    return [
        DateMention(begin=m.start(), until=m.end(), month=MONTHS[m["mo"] or m["mo2"]])
        for m in _BARE_MONTH.finditer(text)
    ]


def _is_free(match: re.Match[str], mentions: Iterable[DateMention]) -> bool:
    return all(match.end() <= mention.begin or match.start() >= mention.until for mention in mentions)


def _read(match: re.Match[str], *, month_first: bool) -> Iterator[DateMention]:
    named = match.groupdict()
    mention = _as_written(named, month_first=month_first)
    if mention is None:
        return
    weekday = named.get("wd")
    mention = replace(
        mention,
        begin=match.start(),
        until=match.end(),
        year=int(named["y"].lstrip("'")) if named.get("y") else None,
        weekday=WEEKDAYS[weekday] if weekday else None,
    )
    if named.get("a2"):
        second = _from_numbers(dom=int(named["a2"]), month=int(named["b2"]))
        yield replace(mention, until=match.end("b"))
        if second is not None:
            yield replace(second, begin=match.start("a2"), until=match.end())
    elif named.get("d2"):
        yield replace(mention, until=match.end("more" if "more" in named else "d"))
        yield replace(mention, begin=match.start("d2"), dom=_dom(named["d2"]), weekday=None)
    else:
        yield mention


def _as_written(named: dict[str, str], *, month_first: bool) -> DateMention | None:
    if named.get("mo"):
        dom = _dom(named["d"]) if named.get("d") else None
        part = PARTS.get(named.get("part") or "", "")
        return DateMention(begin=0, until=0, month=MONTHS[named["mo"].rstrip(".")], dom=dom, part=part)
    if named.get("mn"):
        month, dom = int(named["mn"]), _dom(named["d"]) if named.get("d") else None
        return DateMention(begin=0, until=0, month=month, dom=dom) if 1 <= month <= 12 else None
    if named.get("im"):
        return _from_numbers(dom=int(named["id"]), month=int(named["im"]))
    first, second = int(named["a"]), int(named["b"])
    if month_first and named["sep"] != ".":
        first, second = second, first
    return _from_numbers(dom=first, month=second)


def _from_numbers(*, dom: int, month: int) -> DateMention | None:
    """Day and month, exchanged if only that makes a date; None if nothing does."""
    if month > 12 >= dom:
        dom, month = month, dom
    if 1 <= month <= 12 and 1 <= dom <= 31:
        return DateMention(begin=0, until=0, month=month, dom=dom)
    return None


def _dom(text: str) -> int:
    digits = re.match(r"\d+", text)
    return int(digits[0]) if digits else ORDINALS[text.rstrip(".")]
