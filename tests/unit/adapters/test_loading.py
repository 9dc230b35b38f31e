"""Adapters load from packages and from a folder; a broken one is reported and stops no other."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from larder import adapters
from larder.actions.sources.scaffold import AdapterForm, scaffold, write
from larder.adapters.loading import BrokenAdapter, load_folder
from larder.core.errors import BadInput, NotFound
from larder.core.model.source import Kind

BUILT_IN = ("listing", "product", "event", "apartments", "amazon", "sgammo", "willhaben")


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:
    yield
    adapters.load(None)


def make(
    folder: Path, name: str, *, domain: str = "corner.example", form: AdapterForm = AdapterForm.FOLDER
) -> Path:
    write(scaffold(name, kind=Kind.PRODUCT, domain=domain, form=form), folder)
    return folder / name


def broken_in(folder: Path) -> dict[str, str]:
    adapters.load(folder)
    return {each.name: each.error for each in adapters.broken()}


def test_without_a_folder_only_built_in_adapters_are_known() -> None:
    adapters.load(None)
    assert tuple(each.id for each in adapters.known()) == BUILT_IN
    assert {adapters.origin_of(name) for name in BUILT_IN} == {"built in"}


def test_a_folder_of_adapters_is_loaded(tmp_path: Path) -> None:
    make(tmp_path, "corner")
    (tmp_path / "notes").mkdir()
    adapters.load(tmp_path)
    assert [each.id for each in adapters.known()] == [*BUILT_IN, "corner"]
    assert adapters.origin_of("corner") == f"folder {tmp_path}"
    assert adapters.find("corner") is adapters.by_domain("corner.example")
    assert adapters.find("corner").manifest.owner == "you"
    assert adapters.broken() == ()


def test_an_adapter_may_have_the_name_of_a_library(tmp_path: Path) -> None:
    adapters.load(make(tmp_path, "json").parent)
    assert adapters.find("json").domain == "corner.example"
    assert sys.modules["json"].__name__ == "json"


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("class (", "SyntaxError"),
        ("import nothing_of_this_name", "ModuleNotFoundError"),
        ("raise SystemExit(3)", "SystemExit"),
        ("1 / 0", "ZeroDivisionError"),
        ("from larder.sdk import SiteAdapter", "no class that extends SiteAdapter"),
        (
            "from larder.sdk import SiteAdapter\nclass Torn(SiteAdapter):\n    id = 'torn'",
            "Torn does not set version, kind",
        ),
        (
            "from larder.sdk import SiteAdapter\nclass Torn(SiteAdapter):\n"
            "    id, version, kind = 'Torn!', '1', 'product'",
            "Torn.id is Torn!: use lower-case letters",
        ),
        (
            "from larder.sdk import SiteAdapter\nclass Torn(SiteAdapter):\n"
            "    id, version, kind = 'torn', '1', 'boat'",
            "Torn.kind is boat: use one of",
        ),
    ],
)
def test_a_broken_adapter_is_reported_and_the_others_are_loaded(tmp_path: Path, code: str, says: str) -> None:
    make(tmp_path, "corner")
    (make(tmp_path, "torn", domain="torn.example") / "adapter.py").write_text(code)
    broken = broken_in(tmp_path)
    assert broken.keys() == {"torn"}
    assert says in broken["torn"]
    assert [each.id for each in adapters.known()] == [*BUILT_IN, "corner"]
    with pytest.raises(NotFound, match="adapter 'torn' cannot be used"):
        adapters.find("torn")


def test_a_manifest_that_is_missing_is_an_error(tmp_path: Path) -> None:
    (make(tmp_path, "corner") / "manifest.yaml").unlink()
    assert "manifest.yaml is missing" in broken_in(tmp_path)["corner"]
    with pytest.raises(BadInput, match=r"manifest\.yaml is missing"):
        load_folder(tmp_path / "corner")


def test_an_id_belongs_to_the_adapter_that_had_it_first(tmp_path: Path) -> None:
    make(tmp_path, "amazon")
    assert "is taken by another adapter (built in)" in broken_in(tmp_path)["amazon"]
    assert adapters.find("amazon").domain == "amazon.com"


def test_a_domain_is_read_by_the_adapter_that_is_loaded_last(tmp_path: Path) -> None:
    make(tmp_path, "better_amazon", domain="amazon.com")
    adapters.load(tmp_path)
    own = adapters.by_domain("amazon.com")
    assert own is not None
    assert own.id == "better_amazon"


def test_a_folder_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    assert broken_in(tmp_path / "nowhere") == {"nowhere": "the folder does not exist"}
    assert tuple(each.id for each in adapters.known()) == BUILT_IN


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place that Python looks for packages in."""
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def install(packages: Path, name: str, target: str) -> None:
    """What pip leaves of an installed project."""
    about = packages / f"larder_{name}-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: larder-{name}\nVersion: 0.1.0\n")
    (about / "entry_points.txt").write_text(f"[larder.adapters]\n{name} = {target}\n")


def test_installed_packages_are_loaded_and_a_broken_one_is_reported(
    packages: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for path, text in scaffold(
        "quay", kind=Kind.EVENT, domain="quay.example", form=AdapterForm.PACKAGE
    ).items():
        place = packages / path.removeprefix("larder-quay/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    install(packages, "quay", "larder_quay.adapter:Quay")
    install(packages, "ghost", "nothing_of_this_name:Ghost")
    install(packages, "thing", "larder_quay.adapter:Kind")
    adapters.load(tmp_path_factory.mktemp("own"))  # a folder that no other test used: nothing is cached
    assert [each.id for each in adapters.known()] == [*BUILT_IN, "quay"]
    assert adapters.origin_of("quay") == "package larder-quay 0.1.0"
    assert [(each.name, each.origin) for each in adapters.broken()] == [
        ("ghost", "package larder-ghost 0.1.0"),
        ("thing", "package larder-thing 0.1.0"),
    ]
    assert adapters.broken()[1] == BrokenAdapter(
        name="thing",
        origin="package larder-thing 0.1.0",
        error="larder_quay.adapter:Kind is not a class that extends SiteAdapter",
    )
