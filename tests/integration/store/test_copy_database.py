"""All data moves from SQLite to PostgreSQL: whole, once, also when the copy is cut off on the way."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from larder.app import copy_database as moving
from larder.core.errors import BadInput, Unusable
from larder.store.database import Database, open_database
from larder.store.migrations import copy_tables
from larder.store.migrations import upgrade as schema
from tests.acceptance.any_site import read_once
from tests.integration.engine.harness import START
from tests.platform_sites import SHAPES
from tests.unit.cli.conftest import Shell


@pytest.fixture
def filled(tmp_path: Path) -> Shell:
    """A deployment on SQLite that has read a site."""
    read_once(SHAPES["woocommerce"], tmp_path)
    return Shell(folder=tmp_path)


def _url(shell: Shell) -> str:
    return f"sqlite:///{shell.data / 'larder.db'}"


async def _content(database: Database) -> dict[str, list[dict[str, Any]]]:
    return {
        name: await database.read(copy_tables.read_batch, name, None) for name in copy_tables.table_names()
    }


async def _same_content(one: str, other: str) -> bool:
    ours, theirs = open_database(one), open_database(other)
    try:
        return await _content(theirs) == await _content(ours)
    finally:
        await ours.close()
        await theirs.close()


def test_a_copy_has_every_row_and_goes_on_after_it(filled: Shell, fresh_postgres: str) -> None:
    said = filled("db", "copy", fresh_postgres, "--json")
    assert said.code == 0, said.err
    assert said.json["tables"]["records"] == len(SHAPES["woocommerce"].things)
    assert asyncio.run(_same_content(_url(filled), fresh_postgres))
    moved = Shell(folder=filled.folder, env={"LARDER_DATABASE": fresh_postgres})
    assert (
        moved("source", "add", "http://127.0.0.1:9/", "--kind", "product", "--local", "--slug", "next").code
        == 0
    )
    title = SHAPES["woocommerce"].things[0].title
    found = moved("records", "list", "--text", title, "--json")
    assert title in [row["title"] for row in found.json], "the search index was built"


async def test_a_copy_that_was_cut_off_goes_on(
    filled: Shell, fresh_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copy_tables, "BATCH", 7)
    ours, theirs = open_database(_url(filled)), open_database(fresh_postgres)
    await theirs.run(schema.upgrade)
    calls = 0

    def cut_off(_name: str, _done: int, _total: int) -> None:
        nonlocal calls
        calls += 1
        if calls % 9 == 0:
            raise ConnectionError

    cuts = 0
    try:
        while True:
            try:
                copied = await moving.copy_database(ours, theirs, now=START, tell=cut_off)
                break
            except ConnectionError:
                cuts += 1
        assert cuts > 3
        assert copied.tables["records"] == len(SHAPES["woocommerce"].things)
        assert await _content(theirs) == await _content(ours)
    finally:
        await ours.close()
        await theirs.close()


async def test_l11_a_target_is_not_used_until_its_copy_has_ended(filled: Shell, fresh_postgres: str) -> None:
    def cut_off(name: str, _done: int, _total: int) -> None:
        if name == "sources":
            raise ConnectionError

    ours, theirs = open_database(_url(filled)), open_database(fresh_postgres)
    try:
        await theirs.run(schema.upgrade)
        with pytest.raises(ConnectionError):
            await moving.copy_database(ours, theirs, now=START, tell=cut_off)
        with pytest.raises(Unusable, match="target of an unfinished copy"):
            await theirs.run(schema.check)
        await moving.copy_database(ours, theirs, now=START, tell=lambda *_: None)
        await theirs.run(schema.check)
    finally:
        await ours.close()
        await theirs.close()


async def test_a_target_with_data_is_refused(filled: Shell, fresh_postgres: str) -> None:
    ours, theirs = open_database(_url(filled)), open_database(fresh_postgres)
    try:
        await theirs.run(schema.upgrade)
        await moving.copy_database(ours, theirs, now=START, tell=lambda *_: None)
        with pytest.raises(BadInput, match="holds data already"):
            await moving.copy_database(ours, theirs, now=START, tell=lambda *_: None)
    finally:
        await ours.close()
        await theirs.close()
