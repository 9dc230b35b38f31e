"""Records and runs looked at and put right by hand, after two virtual days on a lively little site."""

import io
import shutil
import sqlite3
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from larder.core.model.run import RunKind
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.virtual import SimWeb, VirtualLarder
from larder.store.database import inline_database
from larder.store.migrations import upgrade
from tests.unit.cli.conftest import Shell

START = datetime(2026, 1, 5, tzinfo=UTC)
KINDS = frozenset({RunKind.DISCOVERY, RunKind.SWEEP, RunKind.VERIFICATION})


@pytest.fixture(scope="module")
def two_days(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lived")
    Shell(folder=folder).begin()
    truth = ClassifiedsTruth(seed=3, start=START, stock=40, price_changes_per_day=0.5, mean_life_days=3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(upgrade, "create", lambda _: None)  # init has made it
        larder = VirtualLarder(
            SimWeb.of([ClassifiedsSite(name="homes.test", classifieds=truth)]),
            start=START,
            database=inline_database(f"sqlite:///{folder / 'larder-data' / 'larder.db'}"),
            kinds=KINDS,
        )
    larder.add_source(
        slug="homes", kind="listing", url="http://homes.test/listings", adapter="listing", currency="EUR"
    )
    larder.run(START + timedelta(days=2, hours=12))
    larder.database._conn.close()
    larder.database._engine.dispose()
    return folder / "larder-data"


@pytest.fixture
def lived(empty: Shell, two_days: Path) -> Shell:
    shutil.copytree(two_days, empty.data)
    return empty


def asked(shell: Shell, sql: str) -> Any:
    with sqlite3.connect(shell.data / "larder.db") as conn:
        return conn.execute(sql).fetchone()


def test_a_record_tells_its_history_and_where_each_value_comes_from(lived: Shell) -> None:
    told = lived("records", "show", "1", "--json").json
    title = next(each for each in told["origins"] if each["field"] == "title")
    assert (title["strategy"], title["pinned_by"]) == ("json-ld", None)
    assert title["run"]
    assert title["observed_at"]
    assert told["proof"]["full_pass"]["certificate"]["missed"]["low"] >= 0
    assert told["proof"]["happened"][-1]["change"] == "new"
    drawn = lived("records", "show", "1").out
    for part in ("Prices", "Where each value comes from", "Last full pass of its index", "pages walked"):
        assert part in drawn


def test_a_gone_record_shows_which_checks_said_so(lived: Shell) -> None:
    (record,) = asked(lived, "SELECT record_id FROM changes WHERE change = 'gone' LIMIT 1")
    told = lived("records", "show", str(record), "--json").json
    against = [
        check for check in told["proof"]["checks"] if check["outcome"] == "strike" and check["settled"]
    ]
    assert (told["evidence"]["verification"], len(against)) == ("gone", 2)
    assert [check["status"] for check in against] == [404, 404]
    assert not told["proof"]["full_pass"]["showed_it"]
    drawn = lived("records", "show", str(record)).out
    assert "not on the index" in drawn
    assert drawn.count("strike") >= 2


def test_images_are_listed_with_what_became_of_them(lived: Shell) -> None:
    with sqlite3.connect(lived.data / "larder.db") as conn:
        conn.execute(
            "INSERT INTO images (record_id, url, position, format, width, height) "
            "VALUES (1, 'http://homes.test/1.png', 0, 'png', 640, 427)"
        )
        conn.execute(
            "INSERT INTO images (record_id, url, position, error) VALUES (1, 'http://homes.test/2', 1, 'cut')"
        )
    told = lived("records", "show", "1", "--json").json["proof"]["images"]
    assert [(image["width"], image["error"]) for image in told] == [(640, None), (None, "cut")]
    assert "640 × 427" in lived("records", "show", "1").out


def test_a_value_is_pinned_as_a_page_would_show_it_and_let_go_again(lived: Shell) -> None:
    before = lived("records", "show", "1", "--json").json["record"]["price_minor"]
    assert lived("records", "pin", "1", "price", "€ 1.250,50").out == (
        "price of record 1 is pinned to €1,250.50\n"
    )
    told = lived("records", "show", "1", "--json").json
    assert told["record"]["price_minor"] == 125050
    assert [(each["field"], each["value"]) for each in told["proof"]["pins"]] == [("price_minor", 125050)]
    assert "pinned by" in lived("records", "show", "1").out
    assert lived("records", "unpin", "1", "price").code == 0
    assert lived("records", "show", "1", "--json").json["record"]["price_minor"] == before


def test_an_erased_record_is_forgotten(lived: Shell) -> None:
    said = lived("records", "erase", "1", "--reason", "asked to", "--yes", "--json")
    assert (said.code, said.json["records"]) == (0, 1)
    assert lived("records", "show", "1").complaint[0] == "there is no record 1"
    by_key_and_address = ("asked to", 2)
    assert asked(lived, "SELECT reason, count(*) FROM tombstones") == by_key_and_address


def test_an_erased_seller_takes_all_records_along(lived: Shell) -> None:
    seller, theirs = asked(lived, "SELECT seller, count(*) FROM records GROUP BY 1 ORDER BY 2 DESC LIMIT 1")
    done = lived("records", "erase", "--seller", seller.upper(), "--reason", "asked to", "--yes", "--json")
    assert done.json["records"] == theirs > 0
    assert asked(lived, f"SELECT count(*) FROM records WHERE seller = '{seller}'") == (0,)


@pytest.mark.parametrize("says", ["n\n", ""])
def test_nothing_is_erased_without_a_yes(lived: Shell, monkeypatch: pytest.MonkeyPatch, says: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(says))
    assert lived("records", "erase", "1", "--reason", "asked to").code == 130
    assert asked(lived, "SELECT count(*) FROM tombstones") == (0,)


def test_a_run_is_voided_and_counts_again(lived: Shell) -> None:
    (run,) = asked(lived, "SELECT max(run_id) FROM observations WHERE field = 'price'")
    before = asked(lived, "SELECT group_concat(price_minor) FROM records")
    assert f"run {run} is void" in lived("run", "void", str(run)).out
    assert asked(lived, "SELECT group_concat(price_minor) FROM records") != before
    assert "its values do not count" in lived("run", "show", str(run)).out
    assert lived("run", "unvoid", str(run)).code == 0
    assert asked(lived, "SELECT group_concat(price_minor) FROM records") == before


def test_a_sweep_shows_its_pages_its_checkpoint_and_what_it_proved(lived: Shell) -> None:
    (run,) = asked(lived, "SELECT max(id) FROM runs WHERE certificate IS NOT NULL")
    told = lived("run", "show", str(run), "--json").json
    assert told["certificate"]["pages"] == 1
    assert {page["purpose"] for page in told["pages"]} <= {"index", "detail"}
    index = next(page for page in told["pages"] if page["purpose"] == "index")
    assert (index["outcome"], index["code"], index["yielded"]) == ("ok", 200, told["certificate"]["rows"])
    assert "checked" in told["checkpoint"]["history"]
    drawn = lived("run", "show", str(run)).out
    assert "Coverage certificate" in drawn
    assert "probably missed" in drawn


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("records", "pin", "1", "wings", "2"), "'2' cannot be read as the wings of a listing"),
        (("records", "pin", "1", "price", "soon"), "'soon' cannot be read as the price of a listing"),
        (("records", "pin", "1", "price", "$ 5"), "record 1 is priced in EUR, not in USD"),
        (("records", "pin", "9999", "title", "x"), "there is no record 9999"),
        (("records", "unpin", "1", "title"), "title of record 1 is not pinned"),
        (("records", "erase", "--reason", "x"), "nothing to erase: RECORD and --seller are missing"),
        (
            ("records", "erase", "1", "--seller", "Bob", "--reason", "x"),
            "nothing to erase: RECORD and --seller are missing",
        ),
        (("run", "void", "9999"), "there is no run 9999"),
        (("run", "unvoid", "1"), "run 1 is not void"),
    ],
)
def test_wrong_use_is_told_in_two_lines(lived: Shell, command: tuple[str, ...], says: str) -> None:
    said = lived(*command)
    assert (said.code, said.complaint[0]) == (2, says)


def test_a_run_that_is_under_way_is_stopped_first(lived: Shell) -> None:
    with sqlite3.connect(lived.data / "larder.db") as conn:
        conn.execute("UPDATE runs SET status = 'running', finished_at = NULL WHERE id = 1")
    assert lived("run", "void", "1").complaint == (
        "run 1 is still running",
        "stop it first: larder run stop 1",
    )
