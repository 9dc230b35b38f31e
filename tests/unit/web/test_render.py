"""Values as pages tell them: times by the deployment's own clock, counts with their nouns, plain words."""

import re
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

from larder.core.plurals import noun, plural
from larder.web.render import FOLDER, environment, label

NOW = datetime(2031, 3, 4, 12, tzinfo=UTC)


def test_a_moment_is_told_from_the_time_of_the_page() -> None:
    page = SimpleNamespace(
        job=1,
        purpose="index",
        number=1,
        url="https://homes.test/",
        status="done",
        attempts=1,
        outcome="ok",
        code=200,
        yielded=30,
        duration_ms=12,
        fetched_at=NOW - timedelta(hours=3),
        error="",
    )
    drawn = environment().get_template("admin/pages_table.html").render(pages=[page], now=NOW)
    assert ">3 h ago</time>" in drawn


def test_the_hour_of_a_clock_says_whose_it_is() -> None:
    drawn = environment().from_string("{{ moment | stamp }}").render(moment=NOW)
    assert drawn == "04 Mar 2031, 12:00 UTC"


def test_a_count_and_its_noun_agree() -> None:
    assert [plural(many, "page") for many in (0, 1, 2, 1_000)] == [
        "0 pages",
        "1 page",
        "2 pages",
        "1,000 pages",
    ]
    assert [noun(many, "batch", "batches") for many in (1, 2)] == ["batch", "batches"]


def test_words_of_machines_are_told_as_people_say_them() -> None:
    assert [label(each) for each in ("in_stock", "robots_blocked")] == [
        "in stock",
        "disallowed by robots.txt",
    ]


def test_every_template_compiles_and_every_filter_that_map_names_exists() -> None:
    found = environment()
    named: set[str] = set()
    for name in found.list_templates():
        found.get_template(name)
        named |= set(re.findall(r'\bmap\("(\w+)"\)', (FOLDER / "templates" / name).read_text()))
    assert named - found.filters.keys() == set()
