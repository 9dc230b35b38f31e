"""The table of benchmarks: each part can be started, rows are complete, a run goes on where it ended."""

import importlib
import json
from pathlib import Path

import pytest

import bench.__main__ as table
from bench import figures
from bench.figure import Figure
from bench.parts import EVERY, LONG, USUAL, Part

ASKED_FOR = {"name", "ours", "peer", "ratio", "goal", "met", "unit", "rounds"}


def figure(name: str, ratio: float) -> Figure:
    return Figure(name=name, ours=2, peer=1, ratio=ratio, unit="ms", beside="peer", least=3)


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "results.json"
    monkeypatch.setattr(table, "RESULTS", path)
    return path


def test_every_part_is_a_benchmark_with_a_name_of_its_own() -> None:
    names = [part.name for part in EVERY]
    assert len(set(names)) == len(names)
    for module in {part.module for part in EVERY} - {"extract"}:
        assert callable(importlib.import_module(f"bench.{module}").main)


def test_rows_of_a_part_take_the_place_of_those_it_had(results: Path) -> None:
    first, second = EVERY[:2]
    table.keep(second, [figure("b", 1)], "old", 0.5)
    table.keep(first, [figure("a", 1), figure("gone", 1)], "old", 0.5)
    table.keep(first, [figure("a", 4)], "new", 0.5)
    rows = json.loads(results.read_text())
    assert [(row["name"], row["met"], row["source"]) for row in rows] == [
        ("a", True, "new"),
        ("b", False, "old"),
    ]
    assert all(row.keys() >= ASKED_FOR for row in rows)
    assert results.with_suffix(".md").read_text().count("\n") == 2 + len(rows)


def test_what_was_measured_with_this_source_is_not_measured_again(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    def measured(part: Part, options: object) -> list[Figure] | str:
        ran.append(part.name)
        return "not measured: interrupted" if len(ran) == 2 else [figure(part.name, 1)]

    monkeypatch.setattr(table, "measured", measured)
    assert table.main(["ticks", "unchanged"]) == 0
    assert table.main(["ticks", "unchanged"]) == 0
    assert ran == ["unchanged", "ticks", "ticks"]
    assert table.main(["ticks", "--again"]) == 0
    assert ran[3:] == ["ticks"]
    assert {row["part"] for row in json.loads(results.read_text())} == {"ticks", "unchanged"}


def test_long_parts_are_run_only_if_they_are_named() -> None:
    assert table.chosen([]) == list(USUAL)
    assert table.chosen(["long"]) == list(LONG)
    assert [part.name for part in table.chosen(["journey small"])] == ["journey small"]


def test_each_peer_of_a_journey_has_its_rows() -> None:
    cost = {"pages_per_second": 100, "cpu_ms_per_page": 2.0, "rss_mib": 100}
    beside = {"ratio": 3.5, "spread": [3, 4], "cpu_ratio": 3.5, "cpu_spread": [3, 4]}
    found = {"large": {"larder": cost, "scrapy": cost, "crawlee": cost, "rounds": 3,
                       "beside": {"scrapy": beside, "crawlee": beside}}}  # fmt: skip
    goals = {
        (each.name.rpartition(": ")[2], each.beside): (each.goal, each.met) for each in figures.journey(found)
    }
    assert goals["pages a second", "Scrapy"] == ("≥ 4", False)
    assert goals["pages a second", "Crawlee"] == ("≥ 3", True)
    assert goals["CPU a page", "Scrapy"] == ("≥ 3", True)
