"""Texts are compared without their accents."""

import pytest

from larder.core.accents import without_accents


@pytest.mark.parametrize(
    ("text", "plain"),
    [("Cafe", "Cafe"), ("Café Müller", "Cafe Muller"), ("Łódź", "Łodz"), ("ﬁn", "fin"), ("", "")],
    ids=["plain", "accents", "a letter of its own stays", "ligature", "empty"],
)
def test_accents_are_left_out(text: str, plain: str) -> None:
    assert without_accents(text) == plain
