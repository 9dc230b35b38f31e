"""Tests fixture folders: each saved page is read by its adapter and compared with the expected items."""

from dataclasses import dataclass

from larder.core.model.item import Extracted, Failed
from larder.core.model.source import Source
from larder.sdk import SiteAdapter
from larder.sdk.testing import Case, cases, differences
from larder.stages.parse import parse, parse_payload


@dataclass(frozen=True, slots=True, kw_only=True)
class FixtureResult:
    """One fixture folder and its differences."""

    adapter: str
    case: str
    items: int
    strategy: str
    differences: tuple[str, ...] = ()

    @property
    def held(self) -> bool:
        """Whether the page gave the expected values."""
        return not self.differences


def read_case(case: Case) -> Extracted | Failed:
    """The items of a saved page, read by the adapter or the cascade."""
    adapter = case.adapter
    if case.rows is not None:
        return parse_payload(list(case.rows), adapter=adapter)
    source = Source(id=1, slug="s", name="S", kind=adapter.kind, site_id=1, adapter=adapter.id, url=case.url)
    return parse(case.page, source=source, adapter=adapter, purpose=case.purpose)


def check_fixtures(adapter: SiteAdapter) -> list[FixtureResult]:
    """The results of all fixture folders of an adapter."""
    return [_fixture_result(case) for case in cases(adapter)]


def _fixture_result(case: Case) -> FixtureResult:
    found = read_case(case)
    extracted = found if isinstance(found, Extracted) else None
    return FixtureResult(
        adapter=case.adapter.id,
        case=case.name,
        items=len(extracted.items) if extracted else 0,
        strategy=extracted.strategy if extracted else "",
        differences=tuple(differences(case.expected, found)),
    )
