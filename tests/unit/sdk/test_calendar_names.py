"""Short months that are words of other languages count where the language is known."""

import pytest

from larder import adapters
from larder.core.model.item import Extracted
from larder.core.model.job import Purpose
from larder.core.model.source import Kind, Source
from larder.sdk.calendar_names import with_full_months
from larder.sdk.page import Page
from larder.stages.parse import parse


@pytest.mark.parametrize(
    ("language", "text", "full"),
    [
        ("it", "12 set 2026", "12 settembre 2026"),
        ("it", "sab 12 Set. ore 21", "sab 12 settembre. ore 21"),
        ("it", "<b>12</b><i>SET</i>", "<b>12</b><i>settembre</i>"),
        ("it", "10-12 set", "10-12 settembre"),
        ("pt", "3 de out de 2026", "3 de outubro de 2026"),
        ("pt", "3/out, 20h", "3/outubro, 20h"),
        ("pt", "<p>set 2026</p>", "<p>setembro 2026</p>"),
    ],
)
def test_they_are_written_out_in_dates(language: str, text: str, full: str) -> None:
    assert with_full_months(text, language) == full


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "12 set 2026"),
        ("en", "10 out of 10"),
        ("it", "12 set di posate"),
        ("it", "un DJ set fino alle 3"),
        ("it", "sold out"),
        ("it", "3 out 2026"),
        ("pt", "112 set"),
        (None, "12 set 2026"),
    ],
)
def test_elsewhere_they_are_words(language: str | None, text: str) -> None:
    assert with_full_months(text, language) == text


@pytest.mark.parametrize(
    ("language", "word", "month"), [("it", "set", 9), ("pt", "out", 10), ("pt", "set", 9)]
)
def test_an_agenda_of_the_language_is_dated_by_them(language: str, word: str, month: int) -> None:
    found = _read(language, word)
    assert isinstance(found, Extracted)
    assert len(found.items) == 5
    assert all(str(month_name(language, month)) in str(item.fields) for item in found.items)


def test_an_english_page_with_the_same_words_is_not() -> None:
    found = _read("en", "set")
    items = found.items if isinstance(found, Extracted) else ()
    assert not any({"date_text", "starts_at"} & item.fields.keys() for item in items)


def month_name(language: str, month: int) -> str:
    return {("it", 9): "settembre", ("pt", 9): "setembro", ("pt", 10): "outubro"}[language, month]


def _read(language: str, word: str) -> object:
    rows = "".join(
        f"<li class=card><span class=data>{n + 3} {word} 2031</span> "
        f'<a href="/e/{n}"><h3>Ensemble {n} dal vivo</h3></a></li>'
        for n in range(5)
    )
    page = Page("https://teatro.test/agenda", f"<html lang={language}><body><ul>{rows}</ul></body></html>")
    source = Source(
        id=1,
        slug="it",
        name="it",
        kind=Kind.EVENT,
        site_id=1,
        adapter="event",
        url=page.url,
        language=language,
    )
    return parse(page, source=source, adapter=adapters.find("event"), purpose=Purpose.INDEX)
