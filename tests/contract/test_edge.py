"""What no database can hold is turned away at the edge: the same on both faces and on both databases."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.contract.faces import Faces, opened, stocked

ADDRESSES = (
    "/records/{}", "/images/{}", "/admin/runs/{}", "/admin/runs/{}/pages", "/admin/pages/{}",
    "/admin/dead/{}", "/admin/quarantine/{}", "/api/records/{}", "/api/records/{}/siblings",
    "/api/admin/runs/{}", "/api/admin/entities/{}", "/api/admin/targets/{}",
)  # fmt: skip
NO_NUMBERS = ("0", "-1", "9" * 19, "9" * 23, "9" * 5_000, "²", "१")


@pytest.fixture
async def faces(database_url: str, tmp_path: Path) -> AsyncIterator[Faces]:
    async with opened(database_url, tmp_path, requests_a_minute=0) as found:
        await found.app.do(stocked)
        yield found


async def test_a_number_that_no_row_can_have_leads_nowhere(faces: Faces) -> None:
    asked = [address.format(number) for address in ADDRESSES for number in NO_NUMBERS]
    answered = {path[:60]: (await faces.admin.get(path)).status_code for path in asked}
    assert {path: status for path, status in answered.items() if status != 404} == {}


async def test_the_largest_number_is_looked_for(faces: Faces) -> None:
    for face in ("/records", "/api/records"):
        answered = await faces.anyone.get(f"{face}/{'9' * 18}")
        assert (answered.status_code, "there is no record 999" in answered.text) == (404, True)


@pytest.mark.parametrize("number", ["9" * 19, "1" + "0" * 24, "1" * 5_000])
async def test_a_list_begins_before_no_such_number(faces: Faces, number: str) -> None:
    assert (await faces.admin.get("/admin/runs", params={"before": number})).status_code == 400
    assert (await faces.admin.get("/api/admin/runs", params={"before": number})).status_code == 422
