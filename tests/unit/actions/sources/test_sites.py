"""Terms, limits and blocks sit on the site."""

from typing import Any

import pytest

from larder.actions.operations import runs
from larder.actions.sources import adapters, gate_reasons, sites, sources
from larder.actions.sources.spec import SiteSpec, SourceSpec
from larder.core.errors import BadInput
from larder.core.model.site import Preset
from larder.core.model.source import Kind
from larder.store.reads.operators.sites import LimitOverrides
from tests.unit.actions.conftest import Office


def test_a_review_opens_the_gate_for_every_source_of_the_site(office: Office) -> None:
    office.add(reviewed=False)
    office.act(sites.review, "https://www.homes.example/terms")
    why = office.ask(gate_reasons.why, "homes", office.how, now=office.now)
    assert why.blocked_by == []
    view = office.ask(sites.get_site, "homes.example")
    assert (view.terms_reviewed_by, view.terms_reviewed_at) == ("ada", office.now)


def test_a_source_runs_at_once_when_the_gate_that_held_it_back_opens(office: Office) -> None:
    """It is not left to the next look at closed gates, a minute later."""
    office.add(reviewed=False)
    assert office.tick().held_back == {"homes": ["terms"]}
    office.act(sites.review, "homes.example")
    assert len(office.tick().opened) == 1


def test_only_what_the_opened_gate_held_back_is_tried_again(office: Office) -> None:
    office.add(reviewed=False)
    office.add("https://elsewhere.example/rent", reviewed=False)
    office.tick()
    office.act(sites.review, "homes.example")
    assert office.tick().held_back == {}


@pytest.mark.parametrize(
    ("shut", "open_again"),
    [
        ((sites.block, "homes.example"), (sites.unblock, "homes.example")),
        ((adapters.disable, "listing"), (adapters.enable, "listing")),
        ((sources.disable, "homes"), (sources.enable, "homes")),
    ],
    ids=["site", "adapter", "source"],
)
def test_what_was_switched_off_runs_at_once_when_it_is_on_again(
    office: Office, shut: tuple[Any, ...], open_again: tuple[Any, ...]
) -> None:
    office.add()
    how = [office.how] if shut[0] is sources.disable else []
    office.act(*shut, *how)
    assert office.tick().opened == []
    office.act(*open_again, *how)
    assert len(office.tick().opened) == 1


def test_a_site_can_be_reviewed_before_it_has_sources(office: Office) -> None:
    office.act(sites.review, "early.example")
    assert office.add("https://early.example/", reviewed=False).why.blocked_by == []


def test_blocking_stops_what_is_under_way_and_lets_nothing_start(office: Office) -> None:
    office.add()
    (run_id,) = office.tick().opened
    office.act(sites.block, "homes.example", "they asked us to")
    assert office.ask(runs.show, run_id).run.status == "stopped"
    reasons = office.ask(gate_reasons.why, "homes", office.how, now=office.now).blocked_by
    assert [(reason.gate, reason.todo.action, reason.todo.target) for reason in reasons] == [
        ("terms", "site.unblock", "homes.example")
    ]
    office.act(sites.unblock, "homes.example")
    assert office.ask(gate_reasons.why, "homes", office.how, now=office.now).blocked_by == []


def test_limits_are_set_and_shown_as_they_work(office: Office) -> None:
    office.add()
    spec = SiteSpec(preset=Preset.CLASSIFIEDS, spacing=0.25, at_once=3, local=True)
    view = office.act(sites.change, "homes.example", spec)
    assert (view.preset, view.spacing, view.spacing_max, view.at_once, view.local) == (
        "classifieds", 0.25, 0.25, 3, True,
    )  # fmt: skip
    assert office.audited()[-1] == ("site changed", "homes.example", "ada")


def test_a_limit_that_is_none_any_more_is_that_of_the_preset(office: Office) -> None:
    office.add()
    office.act(sites.change, "homes.example", SiteSpec(spacing=7, spacing_max=9, at_once=3, notes="quiet"))
    kept = office.act(sites.change, "homes.example", SiteSpec(preset=Preset.CLASSIFIEDS))
    assert (kept.spacing, kept.spacing_max, kept.at_once, kept.notes) == (7, 9, 3, "quiet")
    none = SiteSpec(preset=None, spacing=None, spacing_max=None, at_once=None, notes=None)
    view = office.act(sites.change, "homes.example", none)
    assert (view.preset, view.spacing, view.spacing_max, view.at_once) == ("classifieds", 0.5, 2, 2)
    assert (view.chosen, view.notes) == (LimitOverrides(spacing=None, spacing_max=None, at_once=None), None)


def test_whoever_adds_a_source_takes_no_limit_back(office: Office) -> None:
    office.add()
    office.act(sites.change, "homes.example", SiteSpec(spacing=30))
    spec = SourceSpec(url="https://homes.example/buy", kind=Kind.LISTING, slug="buy")
    office.act(sources.add, spec, office.how, site=SiteSpec(spacing=None, at_once=4))
    view = office.ask(sites.get_site, "homes.example")
    assert (view.spacing, view.at_once) == (30, 4)


@pytest.mark.parametrize("given", ["co.uk", "ftp://homes.example", "", "https://"])
def test_what_is_no_site(office: Office, given: str) -> None:
    with pytest.raises(BadInput, match="is not a site"):
        office.act(sites.review, given)


def test_an_unknown_site_is_met_with_a_likely_one(office: Office) -> None:
    office.add()
    with pytest.raises(BadInput) as caught:
        office.ask(sites.get_site, "home.example")
    assert caught.value.hint.text == "did you mean homes.example?"
