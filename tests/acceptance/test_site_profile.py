"""A site whose pages mislead: added by its address, its profile learned, read right."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.acceptance.any_site import read_once
from tests.platform_sites import MISLEADING, SHAPES
from tests.platform_sites.server import HOST, ShapeServer, serving
from tests.unit.cli.conftest import Shell

SHOP = MISLEADING[0]
FEW = replace(SHOP, things=SHOP.things[:3])


@pytest.fixture
def shop() -> Iterator[ShapeServer]:
    with serving(SHOP) as server:
        yield server


@pytest.fixture
def larder(tmp_path: Path) -> Shell:
    shell = Shell(folder=tmp_path, env={"LARDER_STAGGER_SECONDS": "0"})
    shell.begin()
    return shell


def _add(larder: Shell, server: ShapeServer, *more: str) -> None:
    added = larder(
        "source", "add", server.address, "--kind", server.shape.kind, "--terms-reviewed", "--local",
        "--slug", "it", *more,
    )  # fmt: skip
    assert added.code == 0, added.err
    _pace(larder)


def _pace(larder: Shell) -> None:
    assert larder("site", "set", HOST, "--spacing", "1ms").code == 0


def _prices(larder: Shell) -> dict[str, int]:
    with sqlite3.connect(larder.data / "larder.db") as rows:
        return dict(rows.execute("SELECT title, price_minor FROM records"))


TRUTH = {thing.title: int((thing.price or 0) * 100) for thing in SHOP.things}


def test_without_a_profile_the_markup_misleads(tmp_path: Path) -> None:
    """Three pages teach none."""
    assert read_once(FEW, tmp_path).prices == 0


def test_a_learned_profile_reads_all_prices_right(larder: Shell, shop: ShapeServer) -> None:
    """Six polite requests, a proven profile, and a run that reads every price as the rows show it."""
    _add(larder, shop)

    learned = larder("source", "learn", "it", "--json").json
    asked = dict(shop.asked)
    run = larder("run", "start", "it", "--json").json

    assert learned["requests"] == 6
    assert {path: times for path, times in asked.items() if times > 1} == {}
    assert sum(asked.values()) == 7  # with robots.txt
    assert learned["profile"]["reading"] == "profile"
    assert {each["field"]: (each["agreed"], each["general"]) for each in learned["profile"]["fields"]} == {
        "title": (5, 5),
        "price": (5, 0),
    }
    assert run["status"] == "completed"
    assert _prices(larder) == TRUTH


def test_values_tell_how_sure_they_are(larder: Shell, shop: ShapeServer) -> None:
    """Without a profile, which a person put aside, the price of a page disputes its row's."""
    _add(larder, shop)
    assert larder("source", "learn", "it").code == 0
    assert larder("source", "learn", "it", "--reading", "general").code == 0
    assert larder("run", "start", "it").code == 0
    disputed = _sureness(larder)

    assert disputed["price_minor"] == "disputed"
    assert disputed["title"] == "agreed"
    assert disputed["sku"] == "stated"
    assert _agreement(larder) == (48, 24)  # title and price of 24 pages; every price differs from its row's
    assert "disputed" in larder("records", "show", "1").out
    why = " ".join(larder("why", "it").out.split())
    assert "price: readings disagree on 24 of 24 records; for example record" in why
    ((field, many),) = [(e["field"], e["records"]) for e in larder("why", "it", "--json").json["disputed"]]
    assert (field, many) == ("price_minor", 24)


def test_with_a_profile_page_and_row_agree(larder: Shell, shop: ShapeServer) -> None:
    _add(larder, shop)
    assert larder("run", "start", "it").code == 0

    assert _sureness(larder)["price_minor"] == "agreed"


def _sureness(larder: Shell) -> dict[str, str]:
    origins = larder("records", "show", "1", "--json").json["origins"]
    return {each["field"]: each["sureness"] for each in origins}


def _agreement(larder: Shell) -> tuple[int, int]:
    with sqlite3.connect(larder.data / "larder.db") as rows:
        compared, agreed = rows.execute("SELECT sum(compared), sum(agreed) FROM drift_batches").fetchone()
    return compared, agreed


def test_a_profile_is_learned_while_a_source_is_added(larder: Shell, shop: ShapeServer) -> None:
    """Within the site's pace, which another source of the site has set before."""
    assert larder("source", "add", shop.address, "--kind", "product", "--local", "--slug", "other").code == 0
    _pace(larder)
    _add(larder, shop, "--learn")

    shown = larder("source", "show", "it", "--json").json["fields"]["params"]

    assert shown["profile"]["reading"] == "profile"
    assert shown["selectors"]["detail"]["fields"]["price"] == {"css": ".incl", "only": True}


def test_l10_12_language_and_currency_are_taken_over_from_the_page_that_is_learned_from(
    larder: Shell,
) -> None:
    with serving(SHAPES["prestashop"]) as shop:
        _pace_of(larder, shop)
        _add(larder, shop, "--learn")
        _add(larder, shop, "--learn", "--slug", "own", "--language", "de")
    taken = larder("source", "show", "it", "--json").json["fields"]
    assert (taken["language"], taken["currency"]) == ("fr", "EUR")
    own = larder("source", "show", "own", "--json").json["fields"]
    assert (own["language"], own["currency"]) == ("de", "EUR")


def _pace_of(larder: Shell, shop: ShapeServer) -> None:
    assert larder("source", "add", shop.address, "--kind", "product", "--local", "--slug", "other").code == 0
    _pace(larder)


def test_pages_of_the_last_run_teach_without_a_request(larder: Shell, shop: ShapeServer) -> None:
    _add(larder, shop)
    assert larder("run", "start", "it").code == 0
    before = sum(shop.asked.values())

    learned = larder("source", "learn", "it", "--json").json

    assert learned["requests"] == 0
    assert learned["details"] == 12
    assert learned["profile"]["proven"]
    assert sum(shop.asked.values()) == before


def test_a_person_chooses_the_reading_and_may_go_back(larder: Shell, shop: ShapeServer) -> None:
    """The choice moves the selectors in and out of the declaration, and asks the site for nothing."""
    _add(larder, shop)
    assert larder("source", "learn", "it").code == 0
    before = sum(shop.asked.values())

    general = larder("source", "learn", "it", "--reading", "general", "--json").json["profile"]
    without = larder("source", "show", "it", "--json").json["fields"]["params"]
    profile = larder("source", "learn", "it", "--reading", "profile", "--json").json["profile"]
    with_it = larder("source", "show", "it", "--json").json["fields"]["params"]

    assert (general["reading"], profile["reading"]) == ("general", "profile")
    assert "selectors" not in without
    assert with_it["selectors"]["detail"] == without["profile"]["selectors"]["detail"]
    assert sum(shop.asked.values()) == before


def test_a_weak_proof_shows_both_readings_and_waits(larder: Shell) -> None:
    """A site with three things proves nothing; both readings are shown, and pages are read generally."""
    with serving(FEW) as server:
        _add(larder, server)
        drawn = larder("source", "learn", "it")
        learned = larder("source", "learn", "it", "--json").json["profile"]
        chosen = larder("source", "learn", "it", "--reading", "profile", "--json").json["profile"]

    assert learned["reading"] == "undecided"
    assert len([each for each in learned["samples"] if each["field"] == "price"]) == 3
    assert "weak" in drawn.out
    assert "larder source learn it --reading profile|general" in drawn.out
    assert chosen["reading"] == "profile"
    assert chosen["samples"] == []


def test_a_trial_shows_the_profile_and_stores_nothing(larder: Shell, shop: ShapeServer) -> None:
    _add(larder, shop)

    tried = larder("try", shop.address, "--kind", "product", "--local", "--learn", "--json").json

    assert tried["trial"]["purpose"] == "index"
    assert tried["learned"]["requests"] == 5
    assert tried["learned"]["profile"]["proven"]
    assert "profile" not in (larder("source", "show", "it", "--json").json["fields"]["params"] or {})


def test_a_site_that_forbids_its_detail_pages_is_asked_no_further(larder: Shell) -> None:
    """robots.txt closes the detail pages: the first refusal ends it, and the source stays as it is."""
    with serving(SHOP) as server:
        server.robots = "User-agent: *\nDisallow: /artikel/\n"
        _add(larder, server)
        learned = larder("source", "learn", "it", "--json")

    assert learned.code == 1
    assert learned.json["stopped"].startswith("robots blocked")
    assert learned.json["profile"] is None
    assert not [path for path in server.asked if path.startswith("/artikel/")]


def test_an_adapter_with_code_of_its_own_has_no_profile(larder: Shell) -> None:
    assert larder("source", "add", "https://www.willhaben.at/iad/immobilien", "--slug", "wh").code == 0

    refused = larder("source", "learn", "wh")

    assert refused.code == 2
    assert "reads its pages by its own code" in refused.err
