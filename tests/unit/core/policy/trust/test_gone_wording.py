import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.policy.trust.gone_wording import MAX_NOTICE_LENGTH, GoneNotice, gone_notice

PROSE = "A lovely house near the park, recently painted, with a garden and a view over the whole valley. " * 3


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        ("Sorry, this listing is no longer available.", GoneNotice.GONE),
        ("SOLD", GoneNotice.GONE),
        ("[Sold] Oak table", GoneNotice.GONE),
        ("Rented!", GoneNotice.GONE),
        ("Verkauft – 3 Zimmer, Altbau", GoneNotice.GONE),
        ("VERMIETET: helle Wohnung", GoneNotice.GONE),
        ("Diese Anzeige ist nicht mehr   verfügbar", GoneNotice.GONE),
        ("Deze advertentie is niet meer beschikbaar", GoneNotice.GONE),
        ("Dit huis is verkocht", GoneNotice.GONE),
        ("Cette annonce n’est plus disponible", GoneNotice.GONE),
        ("404", GoneNotice.NOT_FOUND),
        ("Error 404 - Shop", GoneNotice.NOT_FOUND),
        ("Oops! Page not found", GoneNotice.NOT_FOUND),
        ("Seite nicht gefunden", GoneNotice.NOT_FOUND),
        ("Pagina niet gevonden | Makelaar", GoneNotice.NOT_FOUND),
        pytest.param("Sold by a friendly owner", None, id="a seller, not a sale"),
        pytest.param("Sold out", None, id="out of stock is not gone"),
        pytest.param("Verkauft wird ein Sofa", None, id="for sale, in German"),
        pytest.param("Unsold tickets at the door", None, id="part of a word"),
        pytest.param("404 Main Street", None, id="an address"),
        pytest.param(PROSE + "The shed has been removed.", None, id="prose speaks of other things"),
        pytest.param("", None, id="nothing said"),
    ],
)
def test_what_a_notice_says(piece: str, expected: GoneNotice | None) -> None:
    assert gone_notice([piece]) is expected


def test_gone_weighs_more_than_not_found() -> None:
    assert gone_notice(["Page not found", "This flat has been rented"]) is GoneNotice.GONE


def test_ordinary_pages_say_nothing() -> None:
    assert gone_notice(["Bright flat in the centre", "€ 1,200 a month", PROSE]) is None
    assert gone_notice([]) is None


@given(st.lists(st.text(max_size=2 * MAX_NOTICE_LENGTH)))
def test_no_other_text_hides_a_notice(pieces: list[str]) -> None:
    assert gone_notice([*pieces, "This offer is no longer available"]) is GoneNotice.GONE


@given(st.text("abc ", min_size=1).filter(lambda text: text.strip() != ""))
def test_a_long_piece_is_prose_and_says_nothing(text: str) -> None:
    assert gone_notice([f"{'x' * MAX_NOTICE_LENGTH} {text} no longer available"]) is None
