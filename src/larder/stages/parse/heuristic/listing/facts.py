"""Reads the facts of a home from visible text: area, rooms, bedrooms and bathrooms.

A fact is a number with its unit (`80 m²`, `3 Zimmer`), a label with its value (`Bedrooms: 3`) or a number in
an element that is named after it. A labelled value is surer than a number with a unit, that one surer than a
mention in a sentence; of equals the first counts, and what is far from the headline only as the last.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from turbohtml import Element, Node

from larder.sdk.page import Page
from larder.stages.parse.amounts import AMOUNT
from larder.stages.parse.heuristic.headline import announced_title, headline
from larder.stages.parse.heuristic.listing.fact import FAR_PENALTY, Fact, exact_area
from larder.stages.parse.heuristic.listing.fact_names import named_field
from larder.stages.parse.heuristic.listing.fact_words import (
    AREA_LABEL,
    BATHS,
    BEDS,
    COUNT_LABELS,
    FEET,
    LIVING,
    METRES,
    OTHER_AREA,
    ROOMS,
    ROOMS_BY_HOME_TYPE,
    SLEEPING_ROOMS,
    with_digits,
)
from larder.stages.parse.heuristic.page_position import lineage
from larder.stages.parse.heuristic.segments import Segment, segments

MAX_FACT_TEXT = 60
"""Maximum characters of a fact; a longer text is a sentence."""
MAX_UNIT_LABEL = 3
"""Maximum characters of a label (`bd`, `ba`, `Zi.`) that is the unit of the number before it."""
MAX_PROSE = 1_500
MAX_COUNT = 40
MAX_LEVELS = 4
BEFORE, BEHIND = 80, 250
"""Maximum texts before and after the headline that are near it."""

LABELLED, TITLED, SHOWN, NAMED, ANNOUNCED, IN_SENTENCE = 0.0, 0.5, 1.0, 1.5, 2.0, 3.0
OTHER_AREA_FIELD = "other_area"
"""Area of the plot, a terrace or a room: kept so that the same number is not read as the home's."""

_COUNT = r"\d{1,2}(?:[.,](?:5|0|25|75)(?!\d))?½?"
_SIZE = r"\d{1,3}(?:[.,' \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?|\d{1,6}(?:[.,]\d{1,2})?"
_BEGINS = r"(?=\d)(?<![\d.,/€$£+-])"
_COUNTED = re.compile(
    rf"{_BEGINS}(?P<count>{_COUNT})[\s\u00a0]*(?:[-–x×][\s]?)?(?:double |large |spacious |grandes? )?"
    rf"(?:(?P<baths>{BATHS})|(?P<beds>{BEDS}|(?P<both>{SLEEPING_ROOMS}))|(?P<rooms>{ROOMS}))(?!\w)",
    re.IGNORECASE,
)
_SIZED = re.compile(
    rf"{_BEGINS}(?P<size>{_SIZE})\s*-?(?:(?P<metres>{METRES})|(?P<feet>{FEET}))", re.IGNORECASE
)
_UNIT_FIRST = re.compile(
    rf"(?<![\w/€.])(?:mq|qm)\.?\s?:?\s?(?P<size>{_SIZE})(?![\d.,]|\s?[€%])", re.IGNORECASE
)
"""Matches `mq 65`, the notation of Italian agents."""
_ONLY_COUNT = re.compile(rf"[:×x\s]*(?P<count>{_COUNT})\s*(?:\([^)]*\))?")
_LABEL_AND_COUNT = re.compile(rf"(?P<label>[^\d:]{{2,40}}?)\s*[:\s]\s*(?P<count>{_COUNT})\s*(?:\([^)]*\))?")
_ROOM_NAME = re.compile(  # `Bedroom 1` describes one of several rooms; it is no count
    r"(?:bed\s?room|bath\s?room|schlafzimmer|badezimmer|slaapkamer|badkamer|chambre|dormitorio|habitación|camera"
    r"|quarto|sypialnia|sovrum|soverom|soveværelse) [1-9](?:\s*\(.*\))?", re.IGNORECASE,
)  # fmt: skip
_ONLY_SIZE = re.compile(rf"[:\s~]*(?:ca\.?\s*)?(?P<size>{_SIZE})")
_ONLY_NUMBER = re.compile(rf"(?:ca\.?\s*|~\s*)?(?:{_SIZE}|{_COUNT})")
_DIGIT = re.compile(r"\d")
_IN_FEET = re.compile(FEET, re.IGNORECASE)
_IN_METRES = re.compile(METRES, re.IGNORECASE)
_ONLY_UNIT = re.compile(rf"(?:{METRES}|{FEET})", re.IGNORECASE)
_TYPES = {
    "pt": re.compile(r"\bT(\d)\b"),
    "fr": re.compile(r"\b[TF](\d)\b"),
    "cs": re.compile(r"\b(\d)\s?\+\s?(?:kk|1)\b"),
    "sk": re.compile(r"\b(\d)\s?\+\s?(?:kk|1)\b"),
}


def facts(page: Page) -> dict[str, str]:
    """The raw fields `area`, `rooms`, `beds` and `baths`, as far as the page has them."""
    found = [*_facts_in_meta(page), *_visible_facts(page)]
    other = {fact.value for fact in found if fact.field == OTHER_AREA_FIELD}
    best: dict[str, Fact] = {}
    for fact in found:
        known = best.get(fact.field)
        if (known is None or fact.doubt < known.doubt) and (fact.value not in other or fact.doubt < LABELLED):
            best[fact.field] = fact
    values = {field: fact.value for field, fact in best.items() if field != OTHER_AREA_FIELD}
    if "area" in values:
        values["area"] = exact_area(values["area"], [fact for fact in found if fact.value not in other])
    return values


def _facts_in_meta(page: Page) -> Iterator[Fact]:
    """The counts in titles and descriptions."""
    shown, _ = page.cached(headline)
    titles = f"{shown} ; {page.cached(announced_title)}"[: MAX_FACT_TEXT * 10]
    yield from numbers_with_units(with_digits(titles), TITLED)
    yield from _rooms_by_home_type(titles, page.language or "")
    meta = page.meta()
    found = f"{meta.get('og:description', '')} ; {meta.get('description', '')}"
    yield from numbers_with_units(found[:MAX_PROSE], ANNOUNCED)


def _rooms_by_home_type(text: str, language: str) -> Iterator[Fact]:
    """The rooms of `Trilocale`, `T3` and `3+kk`; in Portugal `T3` counts bedrooms."""
    lower = text.lower()
    for name, rooms in ROOMS_BY_HOME_TYPE.items():
        if name in lower:
            yield Fact(field="rooms", value=str(rooms), doubt=TITLED)
    if (pattern := _TYPES.get(language)) and (found := pattern.search(text)):
        yield Fact(field="beds" if language == "pt" else "rooms", value=found[1], doubt=TITLED)


def _visible_facts(page: Page) -> Iterator[Fact]:
    language = page.language or ""
    shown = page.cached(segments)
    texts = shown.texts
    taken: set[int] = set()
    telling = [
        at
        for at, text in enumerate(shown.lines)
        if (_may_tell_briefly(text) if len(text) <= MAX_FACT_TEXT else _DIGIT.search(text) is not None)
    ]
    for at in telling:
        segment = texts[at]
        far = FAR_PENALTY * (not -BEFORE <= at - shown.head <= BEHIND)
        typed = _rooms_by_home_type(segment.text, language) if len(segment.text) <= 10 else ()
        for fact in (*_facts_at(texts, at, taken), *typed):
            yield Fact(field=fact.field, value=fact.value, doubt=fact.doubt + far + 1.0 * _is_link(segment))


@lru_cache(maxsize=4_096)
def _may_tell_briefly(text: str) -> bool:
    """Whether a short text may be a fact: a number, a label, or a name that counts rooms; cached."""
    return bool(_DIGIT.search(text) or _label(text.strip(" :").lower())) or "locale" in text.lower()


def _is_link(segment: Segment) -> bool:
    return segment.holder.tag == "a"


def _facts_at(texts: tuple[Segment, ...], at: int, taken: set[int]) -> Iterator[Fact]:
    """The facts in one text, alone or with its neighbours."""
    text = texts[at].text
    if len(text) > MAX_FACT_TEXT:
        yield from numbers_with_units(text[:MAX_PROSE], IN_SENTENCE)
        return
    label = _label(text.strip(" :").lower())
    if label:
        yield from _labelled_fact(texts, at, label, taken)
    if _DIGIT.search(text) is None:
        return
    found = [
        *_label_and_count(text),
        *numbers_with_units(_with_next_text(texts, at), SHOWN, _label_before(texts, at)),
    ]
    yield from found
    if (
        all(fact.field not in COUNT_LABELS for fact in found)
        and _ONLY_COUNT.fullmatch(text)
        and (field := named_field(texts[at].holder))
    ):
        yield Fact(field=field, value=text.strip(" :×x"), doubt=NAMED)


def _label_and_count(text: str) -> Iterator[Fact]:
    """A label and its count in one text: `Zimmer: 4`, `Bagni 2`."""
    found = _LABEL_AND_COUNT.fullmatch(text)
    field = _label(found["label"].strip().lower()) if found else ""
    if found and field in COUNT_LABELS and _is_plausible(found["count"]) and not _ROOM_NAME.fullmatch(text):
        yield Fact(field=field, value=found["count"], doubt=LABELLED)


def _label_before(texts: tuple[Segment, ...], at: int) -> str:
    """The text before, unless it belongs to a count: in `3` `Bedrooms` `80 m²` it is not the area's."""
    text = texts[at - 1].text if at else ""
    if AMOUNT.search(text) or texts[at - 1].holder.tag == "h1" or _COUNTED.match(text):
        return ""  # an amount, `2 bedrooms` or a title such as `Room with balcony` is no label
    return "" if len(text) > MAX_FACT_TEXT or _label(text.strip(" :").lower()) in COUNT_LABELS else text


def _with_next_text(texts: tuple[Segment, ...], at: int) -> str:
    """A number with the text after it: `<b>3</b><span>habs.</span>`."""
    text = texts[at].text
    if _ONLY_NUMBER.fullmatch(text) and at + 1 < len(texts) and len(texts[at + 1].text) <= MAX_FACT_TEXT:
        return f"{text} {texts[at + 1].text}"
    return text


def numbers_with_units(text: str, doubt: float, before: str = "") -> Iterator[Fact]:
    """Numbers with units in a text; `before` is the text before it."""
    if _DIGIT.search(text) is None:
        return
    for found in _COUNTED.finditer(text):
        field = next(name for name in ("baths", "beds", "rooms") if found[name])
        if _is_plausible(found["count"]):
            yield Fact(field=field, value=found["count"], doubt=doubt)
            if found["both"]:
                yield Fact(field="rooms", value=found["count"], doubt=doubt + 0.5)
    for size in _SIZED.finditer(text):
        field, more = _kind_of_area(text, size, before)
        yield Fact(field=field, value=_area(size["size"], bool(size["feet"])), doubt=doubt + more)
    for size in _UNIT_FIRST.finditer(text) if "q" in text else ():
        field, more = _kind_of_area(text, size, before)
        yield Fact(field=field, value=_area(size["size"], False), doubt=doubt + more)


def _kind_of_area(text: str, size: re.Match[str], before: str) -> tuple[str, float]:
    """Whether it is the home's area; an area with a word for living area is surest."""
    close = text[max(0, size.start() - 30) : size.start()]
    after = text[size.end() : size.end() + 25]
    around = (f"{before} {close} {after}" if size.start() < 3 else f"{close} {after}").lower()
    if OTHER_AREA.search(around):
        return OTHER_AREA_FIELD, 0.0
    return "area", -0.9 if LIVING.search(around) else 0.0


def _area(size: str, feet: bool) -> str:
    return f"{size} {'sq ft' if feet else 'm²'}"


def _is_plausible(count: str) -> bool:
    return 0 < float(re.sub(r"\D.*", "", count) or 0) <= MAX_COUNT


@lru_cache(maxsize=8_192)
def _label(text: str) -> str:
    """The field of a label; empty for other texts."""
    if not text or text[0].isdigit():
        return ""
    named = next((field for field, words in COUNT_LABELS.items() if words.fullmatch(text)), "")
    return named or ("area" if AREA_LABEL.fullmatch(text) and not OTHER_AREA.search(text) else "")


def _labelled_fact(texts: tuple[Segment, ...], at: int, field: str, taken: set[int]) -> Iterator[Fact]:
    """A label's value: before or after it, whichever is nearer in the tree."""
    behind = next((i for i in (at + 1, at + 2) if i < len(texts) and _value(texts, i, at, field)), None)
    if behind == at + 2 and len(texts[at + 1].text) > 3:
        behind = None
    before = at - 1 if at and at - 1 not in taken and _ONLY_NUMBER.fullmatch(texts[at - 1].text) else None
    if behind is not None and (before is None or _prefers_behind(texts, before, at, behind)):
        taken.add(behind)
        yield Fact(field=field, value=_value(texts, behind, at, field), doubt=_label_doubt(texts[at].text))
    elif before is not None and (value := _value(texts, before, at, field)):
        yield Fact(field=field, value=value, doubt=SHOWN)


def _label_doubt(label: str) -> float:
    return LABELLED - 0.5 * bool(LIVING.search(label.lower()))


def _value(texts: tuple[Segment, ...], at: int, label: int, field: str) -> str:
    text = texts[at].text
    if len(text) > MAX_FACT_TEXT:
        return ""
    if field != "area":
        found = _ONLY_COUNT.match(text)
        fits = found is not None and (found.end() == len(text) or bool(_COUNTED.match(text.strip(": ×x"))))
        return found["count"] if found and fits and _is_plausible(found["count"]) else ""
    size = _ONLY_SIZE.match(text)
    unit = f"{text[size.end() :]} {texts[at + 1].text if at + 1 < len(texts) else ''}"[:20] if size else ""
    feet = bool(_IN_FEET.match(unit.strip()) or _IN_FEET.search(texts[label].text))
    metres = bool(_IN_METRES.match(unit.strip()) or _IN_METRES.search(texts[label].text))
    return _area(size["size"], feet and not metres) if size and (feet or metres) else ""


def _prefers_behind(texts: tuple[Segment, ...], before: int, label: int, behind: int) -> bool:
    holder = texts[label].holder
    to_last = _steps(holder, texts[before].holder)
    to_next = _steps(holder, texts[behind].holder)
    text = texts[label].text
    if _ONLY_UNIT.fullmatch(text) or (len(text) <= MAX_UNIT_LABEL and holder.tag not in ("dt", "th")):
        return False
    if to_next == to_last and text[0].islower() and not text.endswith(":"):
        return False  # `3` `beds` `2` `baths`: a unit follows its number
    return to_next <= to_last or texts[label].text.endswith(":") or holder.tag in ("dt", "th")


def _steps(element: Element, other: Element) -> int:
    """Levels up from an element to the first container that also contains the other one."""
    path = [element, *lineage(element, MAX_LEVELS)]
    around: set[Node] = {other, *lineage(other, MAX_LEVELS)}
    return next((at for at, node in enumerate(path) if node in around), MAX_LEVELS + 1)
