"""What is stored beside a value names the code that read it."""

import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from larder import adapters
from larder.sdk.adapter import SiteAdapter
from larder.sdk.revision import adapter_revision, version_of

CODE = """
from larder.sdk import Kind, SiteAdapter

class Mine(SiteAdapter):
    id, version, domain, kind = "mine", "2.0.1", "mine.test", Kind.PRODUCT
"""


Make = Callable[..., SiteAdapter]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Adapters, each from a folder of its own."""

    def make(folder: str, code: str = CODE, *, name: str = "adapter.py", **beside: str) -> SiteAdapter:
        place = tmp_path / folder / name
        for path, text in {
            place: code,
            **{place.parent / each: said for each, said in beside.items()},
        }.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        spec = spec_from_file_location(f"made_{folder}", place)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
        adapter: SiteAdapter = module.Mine()
        return adapter

    return make


def test_it_is_the_version_with_a_digest_of_the_code(made: Make) -> None:
    version, _, digest = adapter_revision(made("a")).partition("+")
    assert version == "2.0.1"
    assert len(digest) == 8
    int(digest, 16)


def test_the_same_code_elsewhere_is_the_same(made: Make) -> None:
    assert adapter_revision(made("a")) == adapter_revision(made("b"))


@pytest.mark.parametrize("file", ["prices.py", "manifest.yaml"])
def test_every_file_that_reads_counts(made: Make, file: str) -> None:
    assert adapter_revision(made("a")) != adapter_revision(made("b", **{file: "x: 1"}))


def test_a_changed_line_under_the_same_version_is_another_revision(made: Make) -> None:
    assert adapter_revision(made("a")) != adapter_revision(made("b", CODE + "# now"))


def test_notes_and_fixtures_read_nothing(made: Make) -> None:
    beside = {"README.md": "notes", "fixtures/page.html": "<p>"}
    assert adapter_revision(made("a")) == adapter_revision(made("b", **beside))


def test_one_among_others_in_a_module_is_told_by_that_module(made: Make) -> None:
    alone = adapter_revision(made("a", name="several.py"))
    assert adapter_revision(made("a", name="several.py", **{"another.py": "x = 1"})) == alone


@pytest.mark.parametrize("adapter", adapters.known(), ids=lambda each: each.id)
def test_those_that_come_with_larder_have_one(adapter: SiteAdapter) -> None:
    assert adapter_revision(adapter).startswith(f"{adapter.version}+")


def test_what_a_source_declares_is_part_of_what_reads_it() -> None:
    listing = adapters.find("listing")
    plain = version_of(listing, {"city": "Utrecht"})
    declared = version_of(listing, {"selectors": {"detail": {"fields": {"title": "h1"}}}})
    other = version_of(listing, {"selectors": {"detail": {"fields": {"title": "h2"}}}})
    assert plain == adapter_revision(listing)
    assert declared.startswith(f"{plain}.")
    assert len({plain, declared, other}) == 3


@pytest.mark.parametrize("params", [None, [], "nonsense", {}])
def test_rows_written_by_hand_have_a_version_too(params: object) -> None:
    listing = adapters.find("listing")
    assert version_of(listing, params) == adapter_revision(listing)
