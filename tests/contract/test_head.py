"""HEAD says what GET would say, without its body, and changes nothing."""

from pathlib import Path

import pytest

from tests.contract.faces import opened, stocked

PATHS = ("/", "/records/1", "/records.csv", "/api/records", "/api/records/1", "/api/records/999", "/nothing")


@pytest.mark.parametrize("path", PATHS)
async def test_head_is_get_without_its_body(database_url: str, tmp_path: Path, path: str) -> None:
    async with opened(database_url, tmp_path) as found:
        await found.app.run(stocked)
        asked, told = await found.anyone.head(path), await found.anyone.get(path)
    assert asked.status_code == told.status_code
    assert asked.headers["content-type"] == told.headers["content-type"]
    assert asked.content == b""
    assert told.content


async def test_head_of_what_is_closed_stays_closed(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as found:
        assert (await found.anyone.head("/api/admin/runs")).status_code == 401
