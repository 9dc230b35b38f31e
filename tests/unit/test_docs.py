"""What the documents claim is true, and no file says on which machine it was written."""

import re
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from tests.services import ROOT

OLDEST_PYTHON = "3.11.0"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\(([^)\s]+)\)")
ROW = re.compile(r"^\| (?P<package>[\w.-]+) \| (?P<purpose>[^|]+) \| (?P<reason>[^|]+) \|$", re.MULTILINE)
PACKAGE_HOST = re.compile(r"\b(pypi\.(org|python)|pythonhosted\.org|npmjs\.(com|org)|deb\.debian\.org)")
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(root|work|home/\w+|Users/\w+)/\w")


def normal(requirement: str) -> str:
    """The package's name as indexes spell it, without version, extras and markers."""
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def declared() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = [*project.get("dependency-groups", {}).values()]
    groups += project["project"].get("optional-dependencies", {}).values()
    listed = [*project["project"]["dependencies"], *(line for group in groups for line in group)]
    return sorted({normal(line) for line in listed if isinstance(line, str)})


def tracked() -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    )
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


def mentions(pattern: re.Pattern[str]) -> list[str]:
    """`file:line: text` of every line in the repository that matches."""
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}"
        for path in tracked()
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1)
        if pattern.search(line)
    ]


def test_every_dependency_has_its_reason_and_every_reason_its_dependency() -> None:
    table = (ROOT / "docs/decisions/dependencies.md").read_text()
    packages = [row["package"] for row in ROW.finditer(table) if row["package"] != "package"]
    assert sorted(packages) == [name for name in declared() if name != "larder"]


def locked(name: str) -> list[str]:
    return (ROOT / name).read_text().splitlines()


def test_the_locks_pin_every_dependency() -> None:
    pinned = {normal(line) for line in locked("requirements-dev.lock") if "==" in line}
    assert set(declared()) - pinned - {"larder"} == set()


def test_what_runs_is_what_was_tested() -> None:
    def pins(name: str) -> set[str]:
        return {line.partition(";")[0].strip() for line in locked(name)}

    assert pins("requirements.lock") <= pins("requirements-dev.lock")


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_installs_from_anywhere(name: str) -> None:
    assert [line for line in locked(name) if re.search(r"://|file:|--", line)] == []


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_installs_on_the_oldest_python_we_promise(name: str) -> None:
    lines = locked(name)
    unconditional = [normal(line) for line in lines if line and ";" not in line]
    demands = {name: str(metadata.metadata(name).json.get("requires_python", "")) for name in unconditional}
    assert {name: need for name, need in demands.items() if OLDEST_PYTHON not in SpecifierSet(need)} == {}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    links = [link.partition("#")[0] for link in LINK.findall(document.read_text())]
    relative = [link for link in links if link and "://" not in link and not link.startswith("mailto:")]
    assert [link for link in relative if not (document.parent / link).exists()] == []


@pytest.mark.parametrize(
    "folder", sorted(path.parent for path in ROOT.glob("docs/*/index.md")), ids=lambda p: p.name
)
def test_every_page_can_be_found(folder: Path) -> None:
    listed = set(LINK.findall((folder / "index.md").read_text()))
    assert {page.name for page in folder.glob("*.md")} - listed == {"index.md"}


def test_no_file_names_a_package_host() -> None:
    assert mentions(PACKAGE_HOST) == []


def test_no_file_names_a_path_of_the_machine_it_was_written_on() -> None:
    assert mentions(MACHINE_PATH) == []


@pytest.mark.parametrize("place", ["home/ada", "Users/ada", "root", "work"])
@pytest.mark.parametrize("before", ["", "at ", '"', "=", "("])
def test_machine_paths_are_recognised(before: str, place: str) -> None:
    assert MACHINE_PATH.search(f"{before}/{place}/x")


@pytest.mark.parametrize("text", ["https://example.org/work/7", "src/root/x", "~/work/x", "/usr/lib/x"])
def test_other_paths_are_not(text: str) -> None:
    assert not MACHINE_PATH.search(text)
