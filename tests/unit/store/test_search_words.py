"""Words are found and folded alike however they are written; a word's forms are what it may be asked by."""

import subprocess
import sys

import pytest
import snowballstemmer

from larder.store.search.document import MAX_WORDS, search_document
from larder.store.search.highlight import BEGIN, END, LENGTH, highlight
from larder.store.search.parsed_query import EXACT, PART, ParsedQuery, QueryWord
from larder.store.search.words import LANGUAGES, MAX_LENGTH, fold, forms, is_word, stems, tokens


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Straße", "strasse"),
        ("MÜNCHEN", "munchen"),
        ("café", "cafe"),
        ("cafe\u0301", "cafe"),
        ("Łódź", "lodz"),
        ("m²", "m2"),
        ("½", "12"),
        ("дом", "дом"),
    ],
)
def test_fold(written: str, folded: str) -> None:
    assert fold(written) == folded


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3-kamerwoning, 85 m²!", ["3", "kamerwoning", "3kamerwoning", "85", "m²"]),
        ("e-bike", ["e", "bike", "ebike"]),
        ("villa's", ["villa", "s", "villas"]),
        ("snake_case", ["snake", "case"]),
        ("x" * (MAX_LENGTH + 1), []),
        ("", []),
    ],
)
def test_tokens(text: str, found: list[str]) -> None:
    assert tokens(text) == found


@pytest.mark.parametrize("word", ["woningen", "apartments", "häuser"])
def test_stems_are_those_of_three_languages(word: str) -> None:
    stemmers = [snowballstemmer.stemmer(language) for language in LANGUAGES]
    assert stems(word) == {fold(each.stemWord(one)) for each in stemmers for one in (word, fold(word))}


def test_other_languages_are_not_loaded() -> None:
    asked = "import sys; from larder.store.search.words import stems; stems('houses'); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True
    ).stdout.split()
    assert len([name for name in loaded if name.endswith("_stemmer")]) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("huizen", "huis"),
        ("woningen", "woning"),
        ("häuser", "haus"),
        ("haeuser", "häuser"),
        ("wohnungen", "wohnung"),
        ("bücher", "buch"),
        ("muenchen", "münchen"),
        ("straße", "strasse"),
        ("apartments", "apartment"),
        ("bicycles", "bicycle"),
    ],
)
def test_inflections_share_a_form(one: str, other: str) -> None:
    assert forms(one) & forms(other)


@pytest.mark.parametrize(("one", "other"), [("huis", "huid"), ("wohnung", "wohnen"), ("fiets", "feest")])
def test_different_words_do_not(one: str, other: str) -> None:
    assert not forms(one) & forms(other)


@pytest.mark.parametrize(("token", "answer"), [("huis", True), ("85", False), ("ab", False), ("het", False)])
def test_numbers_and_little_words_are_no_vocabulary(token: str, answer: bool) -> None:
    assert is_word(token) is answer


def test_a_document_has_no_seller_and_is_bounded() -> None:
    made = search_document(
        {"title": "Huis", "seller": "Popescu", "description": " ".join(map(str, range(9_999)))}
    )
    assert "popescu" not in made.words
    assert len(made.description) == MAX_WORDS


def test_a_document_depends_on_its_words_alone() -> None:
    one, other = (
        search_document({"title": "Het Huis"}),
        search_document({"title": "het  huis!", "price_minor": 5}),
    )
    assert one.digest == other.digest != search_document({"title": "huis", "brand": "het"}).digest


HOUSE = ParsedQuery((QueryWord("huis", {"huis": EXACT, "boothuis": PART}, open=True),))


@pytest.mark.parametrize(
    ("content", "marked"),
    [
        ({"title": "Een huis"}, "Een <mark>huis</mark>"),
        ({"title": "HUIS & tuin"}, "<mark>HUIS</mark> &amp; tuin"),
        ({"title": "<b>huis</b>"}, "&lt;b&gt;<mark>huis</mark>&lt;/b&gt;"),
        ({"title": "Te koop", "description": "met boothuis"}, "met <mark>boothuis</mark>"),
        ({"title": "Huisdieren"}, "<mark>Huisdieren</mark>"),
        ({"title": "Niets"}, "Niets"),
        ({"title": f"{BEGIN}huis{END}"}, "<mark>huis</mark>"),
        ({}, ""),
    ],
)
def test_highlight(content: dict[str, str], marked: str) -> None:
    assert highlight(HOUSE, content).replace(BEGIN, "<mark>").replace(END, "</mark>") == marked


def test_a_long_text_is_cut_around_its_first_hit() -> None:
    marked = highlight(HOUSE, {"title": "Te koop", "description": "woord " * 500 + "huis " + "woord " * 500})
    assert f"{BEGIN}huis{END}" in marked
    assert marked.startswith("… ")
    assert marked.endswith(" …")
    assert len(marked) < LENGTH + 20
