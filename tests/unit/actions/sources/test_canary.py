"""Canaries as an operator sees them, and the acceptance of a version by a person."""

from dataclasses import asdict

import pytest

from larder.actions.sources import canary, gate_reasons
from larder.core.errors import BadInput, Conflict, NotFound
from larder.core.policy.trust.canary import CanaryState, Comparison, DifferenceSample, FieldDiff
from larder.sdk.revision import adapter_revision
from larder.store.operations import canaries
from tests.unit.actions.conftest import Office

SEEN = Comparison(
    pages=3,
    items=9,
    fields=(FieldDiff(field="price_minor", had=9, changed=2),),
    samples=(
        DifferenceSample(
            page=1, url="https://homes.example/1", item="PID:1", field="price_minor", was=1, now=2
        ),
    ),
)


def refused(office: Office) -> None:
    """A source that ran with a version that is no more, and refused the one that is here."""
    office.add()
    office.tick()
    office.ask(canaries.record_run, 1, "0.9.0", now=office.now)
    office.ask(canaries.promote, 1, "0.9.0", None, now=office.now)
    here = adapter_revision(office.how.adapters["listing"])
    said = {**asdict(SEEN), "objections": ["price_minor differs in 2 of 9 items"]}
    office.ask(canaries.reject, 1, here, said, now=office.now)


def test_a_source_that_never_ran_has_none(office: Office) -> None:
    office.add()
    assert office.ask(canary.list_canaries) == []


def test_the_first_version_is_active_at_once(office: Office) -> None:
    office.add()
    office.tick()
    (view,) = office.ask(canary.list_canaries)
    here = adapter_revision(office.how.adapters["listing"])
    assert (view.status, view.active, view.candidate, view.comparison) == (
        CanaryState.PROVEN,
        here,
        None,
        None,
    )


def test_what_speaks_against_a_version_is_shown_as_it_was_found(office: Office) -> None:
    refused(office)
    (view,) = office.ask(canary.list_canaries)
    assert (view.status, view.active) == (CanaryState.REFUSED, "0.9.0")
    assert view.objections == ("price_minor differs in 2 of 9 items",)
    assert view.comparison == SEEN
    assert [each.source for each in office.ask(canary.list_canaries)] == ["homes"]
    assert office.ask(canary.list_canaries, "product") == []
    assert office.ask(canary.list_canaries, "listing", "homes.example") == [view]


def test_a_person_may_accept_it_and_is_remembered(office: Office) -> None:
    refused(office)
    (view,) = office.act(canary.accept, "listing", None, office.how.adapters)
    here = adapter_revision(office.how.adapters["listing"])
    assert (view.status, view.active, view.accepted_by) == (CanaryState.PROVEN, here, "ada")
    assert office.audited()[-1] == ("version accepted", "listing on homes", "ada")
    reasons = office.ask(gate_reasons.why, "homes", office.how, now=office.now).blocked_by
    assert "canary" not in [reason.gate for reason in reasons]


def test_only_what_waits_can_be_accepted(office: Office) -> None:
    office.add()
    office.tick()
    with pytest.raises(Conflict, match="no new version of listing is waiting"):
        office.act(canary.accept, "listing", None, office.how.adapters)
    with pytest.raises(BadInput, match="unknown adapter 'nope'"):
        office.act(canary.accept, "nope", None, office.how.adapters)
    with pytest.raises(NotFound, match="no site"):
        office.act(canary.accept, "listing", "nowhere.example", office.how.adapters)
