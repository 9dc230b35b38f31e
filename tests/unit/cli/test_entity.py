"""`larder entity`: things that several records are about, looked at and put right by hand."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from larder.core.model.source import Kind
from larder.store.database import inline_database
from tests.proofs.labels import Labelled
from tests.proofs.resolver import fill
from tests.unit.cli.conftest import Shell


def sold(source: str, number: str, title: str) -> Labelled:
    fields = {
        "title": title,
        "brand": "Tygo",
        "price_minor": 9995,
        "currency": "EUR",
        "availability": "in_stock",
    }
    return Labelled(source=source, kind=Kind.PRODUCT, thing=number, number=number, fields=fields)


GOODS = (
    sold("shop-a", "1", "Tygo DX 18-412 cordless drill, body only"),
    sold("shop-b", "2", "Cordless drill Tygo DX 18-412 solo"),
    sold("shop-c", "3", "Tygo lamp"),
)


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shell = Shell(folder=tmp_path_factory.mktemp("stocked"))
    shell.begin()
    folder = shell.data
    database = inline_database(f"sqlite:///{folder / 'larder.db'}")
    database.now(fill, GOODS)
    database._conn.close()
    database._engine.dispose()
    return folder


@pytest.fixture
def shop(empty: Shell, stocked: Path) -> Shell:
    shutil.copytree(stocked, empty.data)
    return empty


def listed(shop: Shell) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = shop("entity", "list", "--json").json
    return found


def test_before_anything_was_resolved_the_list_says_what_to_do(shop: Shell) -> None:
    assert "larder entity resolve" in shop("entity", "list").out
    assert listed(shop) == []


@pytest.mark.parametrize("how", [[], ["--all"]], ids=["what changed", "all"])
def test_resolve_links_and_show_says_why(shop: Shell, how: list[str]) -> None:
    done = shop("entity", "resolve", *how, "--json").json
    assert (done["looked_at"], done["linked"], done["withdrawn"]) == (3, 2, 0)
    (entity,) = listed(shop)
    assert (entity["kind"], entity["records"]) == ("product", 2)
    told = shop("entity", "show", str(entity["id"])).out
    assert "model +0.45 (both 18-412)" in told
    assert "shop-b" in told
    assert "0 linked" in shop("entity", "resolve", *how).out


def test_undo_is_for_good_and_link_by_hand_is_too(shop: Shell) -> None:
    shop("entity", "resolve")
    view = shop("entity", "undo", "2", "--json").json
    assert [link["record_id"] for link in view["undone"]] == [2]
    shop("entity", "resolve", "--all")
    assert listed(shop) == []
    view = shop("entity", "link", "3", "1", "--json").json
    assert {link["record_id"]: link["rule"] for link in view["links"]} == {1: "by hand", 3: "by hand"}
    assert "Removed links" in shop("entity", "show", str(view["entity"]["id"])).out
    shop("entity", "resolve", "--all")
    assert [line["records"] for line in listed(shop)] == [2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "99"], "there is no entity 99"),
        (["undo", "3"], "record 3 belongs to no entity"),
        (["link", "3", "3"], "a record cannot be linked to itself"),
        (["link", "3", "77"], "there is no record 77"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(shop: Shell, words: list[str], said: str) -> None:
    refused = shop("entity", *words)
    assert refused.code != 0
    assert refused.complaint[0] == said
