"""Every adapter's fixture folders, found by themselves."""

import pytest

from larder import adapters
from larder.core.model.item import Extracted, Failed
from larder.core.model.source import Source
from larder.sdk import SiteAdapter
from larder.sdk.testing import Case, cases, differences
from larder.stages.parse import parse, parse_payload

ALL = [case for adapter in adapters.known() for case in cases(adapter)]


def read(case: Case) -> Extracted | Failed:
    adapter = case.adapter
    if case.rows is not None:
        return parse_payload(list(case.rows), adapter=adapter)
    source = Source(id=1, slug="s", name="S", kind=adapter.kind, site_id=1, adapter=adapter.id, url=case.url)
    return parse(case.page, source=source, adapter=adapter, purpose=case.purpose)


@pytest.mark.parametrize("case", ALL, ids=lambda case: f"{case.adapter.id}-{case.name}")
def test_a_fixture_reads_as_expected(case: Case) -> None:
    assert differences(case.expected, read(case)) == []


@pytest.mark.parametrize("case", ALL, ids=lambda case: f"{case.adapter.id}-{case.name}")
def test_the_same_page_gives_the_same_result(case: Case) -> None:
    assert read(case) == read(case)


@pytest.mark.parametrize("adapter", adapters.known(), ids=lambda adapter: adapter.id)
def test_every_adapter_has_fixtures(adapter: SiteAdapter) -> None:
    names = {case.name for case in cases(adapter)}
    assert len(names) >= 3
    if adapter.domain is not None and adapter.kind == "product":
        assert names >= {"in_stock", "out_of_stock", "tiers", "sale"}
