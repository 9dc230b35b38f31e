"""What shop systems write is read without a line about any of them."""

from datetime import UTC, datetime

import pytest

from larder.extraction import extract
from tests.unit.extraction.platforms import AGENDAS, SHOPS

NOW = datetime(2026, 2, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize("name", SHOPS)
def test_a_shop_is_read(name: str) -> None:
    shop = SHOPS[name]
    found = extract(shop.html, url="https://corner.example/products/copper-kettle", kind="product")
    assert len(found.items) == 1, found
    item = found.items[0]
    assert {field: item.get(field) for field in shop.expected} == shop.expected


@pytest.mark.parametrize("name", AGENDAS)
def test_an_agenda_is_read(name: str) -> None:
    agenda = AGENDAS[name]
    found = extract(agenda.html, url="https://hall.example/agenda", kind="event", now=NOW)
    told = [(item.get("title"), str(item.get("starts_at"))) for item in found.items]
    lengths = [len(start) for _, start in agenda.expected]
    assert [
        (title, start[:length]) for (title, start), length in zip(told, lengths, strict=False)
    ] == agenda.expected
    assert len(told) == len(agenda.expected)
