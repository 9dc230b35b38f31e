"""A source is added, looked at, switched, reviewed and changed."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy import insert, select, text, update

from larder.actions.sources import gate_reasons, sources
from larder.actions.sources.spec import SourceSpec
from larder.core.errors import BadInput
from larder.core.model.run import RunKind
from larder.core.model.source import Tier
from larder.core.policy.freshness import sighted
from larder.store.tables import records, schedules
from larder.store.tables import sources as table
from tests.unit.actions.conftest import Office


def fields(office: Office, slug: str) -> Any:
    return office.ask(sources.show, slug, office.how, now=office.now).fields


def gates(office: Office, slug: str) -> list[str]:
    why = office.ask(gate_reasons.why, slug, office.how, now=office.now)
    return [reason.gate for reason in why.blocked_by]


def test_a_reviewed_source_runs_at_the_next_tick(office: Office) -> None:
    added = office.add()
    assert (added.slug, added.change, added.why.state) == ("homes", "added", "ready")
    assert len(office.tick().opened) == 1
    assert office.ask(gate_reasons.why, "homes", office.how, now=office.now).state == "running"


def test_add_says_what_still_blocks_it_and_that_it_is_hidden(office: Office) -> None:
    why = office.add(reviewed=False, needs_review=True).why
    assert [reason.gate for reason in why.blocked_by] == ["needs_review", "terms"]
    todo = why.blocked_by[1].todo
    assert (todo.action, todo.target) == ("site.review", "homes.example")
    assert why.hidden
    assert not office.tick().opened


def test_the_adapter_that_knows_the_site_is_chosen(office: Office) -> None:
    office.add("https://www.willhaben.at/iad/immobilien/mietwohnungen", kind=None)
    assert fields(office, "willhaben")["adapter"] == "willhaben"


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ({"kind": None}, "kind is missing"),
        ({"adapter": "nope"}, "no adapter 'nope'"),
    ],
    ids=["neither kind nor adapter", "unknown adapter"],
)
def test_what_cannot_run_is_not_added(office: Office, said: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        office.add(**said)
    assert office.ask(sources.list_sources, office.how, now=office.now) == []


@pytest.mark.parametrize(
    "said",
    [
        {"url": "homes.example"},
        {"url": "ftp://homes.example/"},
        {"slug": "Not A Slug"},
        {"tz": "Mars/Olympus"},
        {"currency": "euro"},
        {"latitude": 91},
        {"policy": {"discovery_evry": 3}},
        {"policy": {"discovery_every": 0}},
        {"params": {"selectors": {"index": {"fields": {"title": "h2"}}}}},
        {"colour": "red"},
    ],
    ids=lambda said: next(iter(said)),
)
def test_a_spec_with_a_mistake_is_refused(said: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        SourceSpec.model_validate({"url": "https://homes.example/", **said})


def test_slugs_that_nobody_chose_make_way_and_chosen_ones_do_not(office: Office) -> None:
    assert [office.add().slug, office.add().slug] == ["homes", "homes-2"]
    with pytest.raises(BadInput, match="already"):
        office.add(slug="homes")


def test_switching_off_and_on(office: Office) -> None:
    office.add()
    office.act(sources.disable, "homes", office.how)
    assert gates(office, "homes") == ["disabled"]
    office.act(sources.enable, "homes", office.how)
    assert gates(office, "homes") == []
    assert [each[0] for each in office.audited()] == ["source added", "source changed", "source changed"]


def test_switching_on_what_is_on_leaves_no_line(office: Office) -> None:
    office.add()
    office.act(sources.enable, "homes", office.how)
    assert [each[0] for each in office.audited()] == ["source added"]


def test_an_unknown_name_is_met_with_a_likely_one(office: Office) -> None:
    office.add()
    with pytest.raises(BadInput, match="no source 'hones'") as caught:
        office.act(sources.enable, "hones", office.how)
    assert caught.value.hint.text == "did you mean homes?"


def test_a_reviewed_source_may_run(office: Office) -> None:
    office.add(needs_review=True)
    why = office.act(sources.review, "homes", office.how)
    assert why.state == "ready"


def test_a_row_written_by_hand_is_adopted_or_set_aside(office: Office) -> None:
    office.add()
    rows = [
        {"slug": "good", "kind": "listing", "url": "https://homes.example/b", "adapter": "listing"},
        {"slug": "bad", "kind": "listing", "url": "nonsense", "adapter": "listing"},
    ]
    office.ask(lambda conn: conn.execute(insert(table), rows))
    assert len(office.tick().opened) == 2
    assert fields(office, "bad")["review_reason"] == "'nonsense' is not a web address"
    assert gates(office, "bad") == ["needs_review"]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("params", "no json"),
        ("params", "[1]"),
        ("params", '{"stop_after": "soon"}'),
        ("policy", '{"discovery_every": "often"}'),
    ],
)
def test_a_row_that_makes_no_sense_keeps_no_other_from_running(
    office: Office, column: str, value: str
) -> None:
    names = f"slug, kind, url, adapter, {column}"
    row = f"INSERT INTO sources ({names}) VALUES (:slug, 'listing', :url, 'listing', :it)"
    odd = {"slug": "odd", "url": "https://homes.example/odd", "it": value}
    office.add()
    office.ask(lambda conn: conn.execute(text(row), odd))
    assert len(office.tick().opened) == 1
    assert fields(office, "odd")["needs_review"]
    assert fields(office, "odd")["review_reason"]


def test_reviewing_what_is_still_wrong_says_so_and_what_was_mended_runs(office: Office) -> None:
    row = {"slug": "bad", "kind": "listing", "url": "https://homes.example/b", "adapter": "nope"}
    office.ask(lambda conn: conn.execute(insert(table), [row]))
    office.tick()
    with pytest.raises(BadInput, match="still cannot run: there is no adapter 'nope'"):
        office.act(sources.review, "bad", office.how)
    office.ask(
        lambda conn: conn.execute(update(table).where(table.c.slug == "bad").values(adapter="listing"))
    )
    assert [reason.gate for reason in office.act(sources.review, "bad", office.how).blocked_by] == ["terms"]


def test_a_plan_that_nothing_runs_here_says_so(office: Office) -> None:
    office.how = replace(office.how, kinds=frozenset({RunKind.DISCOVERY}))
    why = office.add(plan="monitor").why
    assert why.waits_for == ["monitor"]
    assert why.state == "idle"


def test_changing_the_plan_drops_what_is_no_longer_in_it(office: Office) -> None:
    office.add()
    office.act(sources.set_columns, "homes", {"plan": "monitor"}, office.how)
    kinds = office.ask(lambda conn: conn.scalars(select(schedules.c.kind)).all())
    assert "discovery" not in kinds


@pytest.mark.parametrize("tier", list(Tier))
@pytest.mark.parametrize("age", [timedelta(0), timedelta(hours=7, seconds=13)])
def test_a_change_of_tier_works_out_the_crossings_anew(office: Office, tier: Tier, age: timedelta) -> None:
    office.add(tier="hot" if tier is not Tier.HOT else "cool")
    seen = office.now - age
    row = {
        "source_id": 1, "kind": "listing", "identity_key": "PID:1", "title": "a", "content": {},
        "content_hash": "",
        "base": 100, "rate": 9, "anchored_at": seen, "shown_until": seen, "dead_at": seen,
        "first_seen_at": seen, "last_seen_at": seen, "created_at": seen, "updated_at": seen,
    }  # fmt: skip
    office.ask(lambda conn: conn.execute(insert(records), [row]))
    office.act(sources.set_columns, "homes", {"tier": str(tier)}, office.how)
    found = office.ask(
        lambda conn: conn.execute(select(records.c.rate, records.c.shown_until, records.c.dead_at)).one()
    )
    expected = sighted(seen, found.rate)
    assert (found.shown_until, found.dead_at) == (expected.shown_until, expected.dead_at)


def test_every_source_is_listed_with_its_state(office: Office) -> None:
    office.add(visibility="public")
    office.add("https://other.example/", reviewed=False)
    lines = office.ask(sources.list_sources, office.how, now=office.now)
    assert [(line.slug, line.state, list(line.blocked_by)) for line in lines] == [
        ("homes", "ready", []),
        ("other", "held back", ["terms"]),
    ]


def test_nothing_remains_of_an_add_that_failed(office: Office) -> None:
    office.ask(lambda conn: conn.execute(text("DROP TABLE audit")))
    with pytest.raises(Exception, match="audit"):
        office.add()
    assert office.ask(lambda conn: conn.execute(select(table.c.id)).all()) == []
