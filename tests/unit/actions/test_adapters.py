"""Adapters are switched by people, with a name and a reason."""

import pytest

from larder.actions import adapters, blocking
from larder.core.errors import BadInput
from tests.unit.actions.conftest import Office


def test_an_adapter_that_is_off_holds_its_sources_back(office: Office) -> None:
    office.add()
    view = office.act(adapters.disable, "listing", "reads nonsense")
    assert [(off.site, off.by, off.why) for off in view.off] == [(None, "ada", "reads nonsense")]
    reasons = office.ask(blocking.why, "homes", office.how, now=office.now).blocked_by
    assert [reason.gate for reason in reasons] == ["adapter_disabled"]
    assert "larder adapter enable listing" in reasons[0].todo
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
    used = {view.id: view.sources for view in office.ask(adapters.every)}
    assert used["listing"] == 1
    assert used["amazon"] == 0


def test_an_unknown_adapter_is_named(office: Office) -> None:
    with pytest.raises(BadInput, match="unknown adapter 'nope'"):
        office.act(adapters.disable, "nope")
