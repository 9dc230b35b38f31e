"""Fixture folders put to the test: each saved page is read by its adapter and compared with the expected."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from larder.core.errors import BadInput
from larder.core.model.hint import Hint
from larder.core.model.item import Extracted, Failed
from larder.core.model.source import Source
from larder.sdk import SiteAdapter
from larder.sdk.testing import Case, cases, differences
from larder.stages.parse import parse, parse_payload


@dataclass(frozen=True, slots=True, kw_only=True)
class FixtureResult:
    """One fixture folder and what was not as expected in it."""

    adapter: str
    case: str
    items: int
    strategy: str
    differences: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """All is as expected."""
        return not self.differences


def read_case(case: Case) -> Extracted | Failed:
    """What the adapter, or the cascade in its place, makes of a saved page."""
    adapter = case.adapter
    if case.rows is not None:
        return parse_payload(list(case.rows), adapter=adapter)
    source = Source(id=1, slug="s", name="S", kind=adapter.kind, site_id=1, adapter=adapter.id, url=case.url)
    return parse(case.page, source=source, adapter=adapter, purpose=case.purpose)


def check_fixtures(adapter: SiteAdapter) -> list[FixtureResult]:
    """Every fixture folder of an adapter."""
    return [_fixture_result(case) for case in cases(adapter)]


def _fixture_result(case: Case) -> FixtureResult:
    found = read_case(case)
    read = found if isinstance(found, Extracted) else None
    return FixtureResult(
        adapter=case.adapter.id,
        case=case.name,
        items=len(read.items) if read else 0,
        strategy=read.strategy if read else "",
        differences=tuple(differences(case.expected, found)),
    )


def adapter_in(folder: Path) -> SiteAdapter:
    """The adapter that lives in a folder of one's own."""
    if not (folder / "adapter.py").is_file():
        hint = Hint(text="create one", action="adapter.new", target=folder.name)
        raise BadInput(f"there is no adapter.py in {folder}", hint=hint)
    with_parent = str(folder.resolve().parent)
    sys.path.insert(0, with_parent)
    try:
        module = import_module(f"{folder.resolve().name}.adapter")
    except (ImportError, SyntaxError, NameError, TypeError, AttributeError) as error:
        said = f"{folder / 'adapter.py'} cannot be loaded ({type(error).__name__}: {error})"
        raise BadInput(said, hint="mend it and try again") from error
    finally:
        sys.path.remove(with_parent)
    found = next(_adapters(vars(module)), None)
    if found is None:
        said = f"{folder / 'adapter.py'} has no class that extends SiteAdapter"
        raise BadInput(said, hint="see docs/reference/adapters.md")
    return found


def _adapters(names: dict[str, object]) -> Iterator[SiteAdapter]:
    for value in names.values():
        if isinstance(value, type) and issubclass(value, SiteAdapter) and value is not SiteAdapter:
            yield value()
