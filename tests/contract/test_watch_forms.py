"""Watches as an operator sets them by a form: what is written is what is waited for; on both databases."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.contract.faces import Faces, opened, stocked


@pytest.fixture
async def shown(database_url: str, tmp_path: Path) -> AsyncIterator[Faces]:
    async with opened(database_url, tmp_path) as found:
        await found.app.do(stocked)
        yield found


async def _add(shown: Faces, **form: str) -> None:
    answered = await shown.admin.post("/admin/watches/add", data=form)
    assert answered.status_code == 303, answered.text[:300]


async def _listed(shown: Faces) -> str:
    answered = await shown.admin.get("/admin/watches")
    assert answered.status_code == 200, answered.text[:300]
    return answered.text


async def test_a_watch_keeps_its_price_as_written_and_says_when_it_is_of_something_hidden(
    shown: Faces,
) -> None:
    await _add(shown, name="rooms", price_max="1,200")
    told = await _listed(shown)
    assert re.search(r"price max</span>\s*1,200\s", told)
    assert "including hidden sources" not in told
    await _add(shown, name="tea", price_max="JPY 5,000", hidden="1")
    told = await _listed(shown)
    assert re.search(r"price max</span>\s*JPY 5,000\s", told)
    assert told.count("including hidden sources") == 1


async def test_a_watch_on_the_price_of_a_hidden_record_hears_of_it(shown: Faces) -> None:
    await _add(shown, name="home", record="6", falls="10")
    assert "including hidden sources" in await _listed(shown)
