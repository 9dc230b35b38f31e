"""Values are said as people say them, and nothing else is changed."""

from typing import Any

import pytest

from larder.web.formatting import display_value, image_urls


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        (True, "yes"),
        (False, "no"),
        ("in_stock", "in stock"),
        ("2026-12-14T16:00:00+01:00", "Mon 14 Dec 2026, 16:00"),
        ("2026-12-14", "Mon 14 Dec 2026"),
        ("2026-99-14", "2026-99-14"),
        ("2026-12-14Tea at noon", "2026-12-14Tea at noon"),
        (92.0, "92"),
        (4.3622, "4.3622"),
        (8760519339887, "8760519339887"),
        ("AB_12_in_stock", "AB_12_in_stock"),
    ],
    ids=str,
)
def test_a_value_is_said_plainly(stored: Any, said: str) -> None:
    assert display_value(stored) == said


def test_images_are_told_by_their_addresses() -> None:
    told = [{"position": 0, "url": "http://a.test/1.png"}, "http://a.test/2.png", {"position": 2}]
    assert image_urls(told) == ["http://a.test/1.png", "http://a.test/2.png"]
    assert image_urls("http://a.test/1.png") == ["http://a.test/1.png"]
    assert image_urls(None) == []
