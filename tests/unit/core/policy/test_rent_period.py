"""What a rent is for, told by the words beside it."""

import pytest

from larder.core.policy.rent_period import rent_period


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("€ 673,59 / Monat", "month"),
        ("€ 450 p.m.", "month"),
        ("€ 1.250,- p/m excl.", "month"),
        ("£1,250pcm", "month"),
        ("£640 pppm", "month"),
        ("1.410€/mes", "month"),
        ("€750 al mese", "month"),
        ("1 234 € / mois CC", "month"),
        ("1 200 €/mês", "month"),
        ("2 400 zł/mies.", "month"),
        ("9 500 kr/mån", "month"),
        ("£300 pw", "week"),
        ("£169pppw", "week"),
        ("$560 / Weekly", "week"),
        ("450 € la semaine", "week"),
        ("$2,400/mo", "month"),
        ("€ 90 per nacht", "night"),
        ("120 € / noche", "night"),
        ("€ 45 per dag", "day"),
        ("£12,000 pa", "year"),
        ("€ 90", None),
        ("9 150 zł/m²", None),
        ("€ 3.200/m2", None),
        ("249 000 € Mesnil", None),
    ],
)
def test_rent_has_a_period(text: str, period: str | None) -> None:
    assert rent_period(text) == period
