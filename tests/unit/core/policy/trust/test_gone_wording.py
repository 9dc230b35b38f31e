import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.policy.trust.gone_wording import LONGEST_NOTICE, Said, said

PROSE = "A lovely house near the park, recently painted, with a garden and a view over the whole valley. " * 3


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        ("Sorry, this listing is no longer available.", Said.GONE),
        ("SOLD", Said.GONE),
        ("[Sold] Oak table", Said.GONE),
        ("Rented!", Said.GONE),
        ("Verkauft – 3 Zimmer, Altbau", Said.GONE),
        ("VERMIETET: helle Wohnung", Said.GONE),
        ("Diese Anzeige ist nicht mehr   verfügbar", Said.GONE),
        ("Deze advertentie is niet meer beschikbaar", Said.GONE),
        ("Dit huis is verkocht", Said.GONE),
        ("Cette annonce n’est plus disponible", Said.GONE),
        ("404", Said.NOT_FOUND),
        ("Error 404 - Shop", Said.NOT_FOUND),
        ("Oops! Page not found", Said.NOT_FOUND),
        ("Seite nicht gefunden", Said.NOT_FOUND),
        ("Pagina niet gevonden | Makelaar", Said.NOT_FOUND),
        pytest.param("Sold by a friendly owner", None, id="a seller, not a sale"),
        pytest.param("Sold out", None, id="out of stock is not gone"),
        pytest.param("Verkauft wird ein Sofa", None, id="for sale, in German"),
        pytest.param("Unsold tickets at the door", None, id="part of a word"),
        pytest.param("404 Main Street", None, id="an address"),
        pytest.param(PROSE + "The shed has been removed.", None, id="prose speaks of other things"),
        pytest.param("", None, id="nothing said"),
    ],
)
def test_what_a_notice_says(piece: str, expected: Said | None) -> None:
    assert said([piece]) is expected


def test_gone_weighs_more_than_not_found() -> None:
    assert said(["Page not found", "This flat has been rented"]) is Said.GONE


def test_ordinary_pages_say_nothing() -> None:
    assert said(["Bright flat in the centre", "€ 1,200 a month", PROSE]) is None
    assert said([]) is None


@given(st.lists(st.text(max_size=2 * LONGEST_NOTICE)))
def test_no_other_text_hides_a_notice(pieces: list[str]) -> None:
    assert said([*pieces, "This offer is no longer available"]) is Said.GONE


@given(st.text("abc ", min_size=1).filter(lambda text: text.strip() != ""))
def test_a_long_piece_is_prose_and_says_nothing(text: str) -> None:
    assert said([f"{'x' * LONGEST_NOTICE} {text} no longer available"]) is None
