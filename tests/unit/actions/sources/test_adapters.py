"""Adapters are switched by people, with a name and a reason."""

import pytest
from sqlalchemy import Connection, select

from larder.actions.sources import adapters, gate_reasons
from larder.core.errors import BadInput, Conflict
from larder.store.operations import adapter_health
from larder.store.tables import sites
from tests.unit.actions.conftest import Office


def test_an_adapter_that_is_off_holds_its_sources_back(office: Office) -> None:
    office.add()
    view = office.act(adapters.disable, "listing", "reads nonsense")
    assert [(off.site, off.by, off.why) for off in view.off] == [(None, "ada", "reads nonsense")]
    reasons = office.ask(gate_reasons.why, "homes", office.how, now=office.now).blocked_by
    assert [reason.gate for reason in reasons] == ["adapter_disabled"]
    assert (reasons[0].todo.action, reasons[0].todo.target) == ("adapter.enable", "listing")
    assert not office.tick().opened


def test_enabled_again_it_runs(office: Office) -> None:
    office.add()
    office.act(adapters.disable, "listing")
    office.act(adapters.disable, "listing", "again")
    assert office.act(adapters.enable, "listing").enabled
    assert len(office.tick().opened) == 1
    assert [each[0] for each in office.audited()][1:] == [
        "adapter disabled", "adapter disabled", "adapter enabled",
    ]  # fmt: skip


def test_all_are_listed_with_how_many_use_them(office: Office) -> None:
    office.add()
    used = {view.id: view.sources for view in office.ask(adapters.list_adapters)}
    assert used["listing"] == 1
    assert used["amazon"] == 0


def test_an_unknown_adapter_is_named(office: Office) -> None:
    with pytest.raises(BadInput, match="unknown adapter 'nope'"):
        office.act(adapters.disable, "nope")


# -- site by site ------------------------------------------------------------------------------------------


def test_an_adapter_is_switched_off_on_one_site_alone(office: Office) -> None:
    office.add()
    office.add("https://flats.example/rent")
    view = office.act(adapters.disable, "listing", "reads nonsense", site="homes.example")
    assert [(off.site, off.why) for off in view.off] == [("homes.example", "reads nonsense")]
    held_back = {
        slug: [
            reason.gate
            for reason in office.ask(gate_reasons.why, slug, office.how, now=office.now).blocked_by
        ]
        for slug in ("homes", "flats")
    }
    assert held_back == {"homes": ["adapter_disabled"], "flats": []}


def test_and_on_again_there_with_an_eye_on_its_first_run(office: Office) -> None:
    office.add()
    office.add("https://flats.example/rent")
    for site in ("homes.example", "flats.example"):
        office.act(adapters.disable, "listing", site=site)
    view = office.act(adapters.enable, "listing", site="homes.example")
    assert [off.site for off in view.off] == ["flats.example"]
    home = office.ask(sites_of)["homes.example"]
    health = office.ask(adapter_health.read, "listing", home)
    assert (health.enabled, health.by, health.first_run_flagged) == (True, "ada", True)


def sites_of(conn: Connection) -> dict[str, int]:
    return {row.domain: row.id for row in conn.execute(select(sites))}


def test_without_a_site_it_is_on_again_wherever_it_was_off(office: Office) -> None:
    office.add()
    office.act(adapters.disable, "listing", site="homes.example")
    office.act(adapters.disable, "listing", "everywhere")
    assert office.act(adapters.enable, "listing").enabled


def test_what_is_not_off_cannot_be_switched_on(office: Office) -> None:
    office.add()
    with pytest.raises(Conflict, match="not disabled on homes"):
        office.act(adapters.enable, "listing", site="homes.example")
    with pytest.raises(BadInput, match="no site"):
        office.act(adapters.enable, "listing", site="nowhere.example")


def test_what_a_person_switched_off_is_never_probed(office: Office) -> None:
    office.add(reenables_itself=True)
    office.act(adapters.disable, "listing", site="homes.example")
    office.later(days=30)
    assert not office.tick().opened
