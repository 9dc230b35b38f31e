"""An address on a site that a source checks pages of; by issue L10, point 17."""

from typing import Any

import pytest

from larder.actions.sources import sources, targets
from larder.actions.sources.spec import SiteSpec, SourceSpec
from larder.core.model.source import Kind
from tests.unit.actions.conftest import Office

URL = "https://homes.example/flat/1"


@pytest.fixture
def watch(office: Office) -> Office:
    office.add(slug="shop", plan="monitor")
    office.tick()
    return office


@pytest.mark.parametrize("given", [{}, {"plan": "monitor"}, {"kind": "listing", "currency": "EUR"}])
def test_l10_17_an_address_of_a_known_shop_becomes_a_target_of_its_source(
    watch: Office, given: dict[str, Any]
) -> None:
    spec = SourceSpec(url=URL, **given)
    added = watch.act(sources.add, spec, watch.how, site=SiteSpec(at_once=3))
    (target,) = watch.ask(targets.list_targets)
    assert (added.slug, added.change, added.target) == ("shop", "target_added", target.id)
    assert (target.url, target.source) == (URL, "shop")
    assert [row.slug for row in watch.ask(sources.list_sources, watch.how, now=watch.now)] == ["shop"]


@pytest.mark.parametrize(
    ("url", "given"),
    [
        pytest.param(URL, {"kind": "listing", "plan": "index"}, id="another plan"),
        pytest.param(URL, {"kind": "listing", "slug": "second"}, id="a name of its own"),
        pytest.param(URL, {"kind": "event"}, id="another kind"),
        pytest.param("https://homes.example/", {"kind": "listing", "plan": "monitor"}, id="the home page"),
        pytest.param("https://other.example/flat/1", {"kind": "listing"}, id="another site"),
    ],
)
def test_l10_17_what_is_to_be_a_source_becomes_one(watch: Office, url: str, given: dict[str, Any]) -> None:
    added = watch.act(sources.add, SourceSpec(url=url, **given), watch.how)
    assert (added.change, added.target) == ("added", None)
    assert watch.ask(targets.list_targets) == []


def test_l10_17_of_two_sources_of_a_site_none_is_guessed(watch: Office) -> None:
    watch.add(slug="other", plan="monitor")
    added = watch.act(sources.add, SourceSpec(url=URL, kind=Kind.LISTING), watch.how)
    assert added.change == "added"
