"""A new adapter passes its own test at once; a fixture that does not read as expected is told."""

import json
import subprocess
import sys

import pytest

from tests.unit.cli.conftest import Shell


@pytest.mark.parametrize("kind", ["product", "listing", "event"])
def test_a_new_adapter_reads_its_fixture(empty: Shell, kind: str) -> None:
    assert empty("adapter", "new", f"corner_{kind}", "--kind", kind, "--domain", "corner.example").code == 0
    (checked,) = empty("adapter", "test", f"corner_{kind}", "--json").json
    assert (checked["adapter"], checked["case"], checked["held"]) == (f"corner_{kind}", "example", True)


def test_its_own_test_passes(empty: Shell) -> None:
    empty("adapter", "new", "corner")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "corner"]
    ran = subprocess.run(command, cwd=empty.folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    assert "1 passed" in ran.stdout


def test_what_is_not_as_expected_is_told(empty: Shell) -> None:
    empty("adapter", "new", "crooked")
    expected = empty.folder / "crooked/fixtures/example/expected.json"
    told = json.loads(expected.read_text())
    told["items"][0]["price"] = "€ 1"
    expected.write_text(json.dumps(told))
    shown = empty("adapter", "test", "crooked")
    assert shown.code == 1
    assert 'price: expected "€ 1", got "€ 24,90"' in shown.out


def test_all_registered_adapters_are_tested(empty: Shell) -> None:
    told = empty("adapter", "test", "--json").json
    assert {"amazon", "willhaben", "sgammo", "apartments"} <= {each["adapter"] for each in told}
    assert all(each["held"] for each in told)


def test_a_declaration_can_be_imported_and_tried_as_it_is(larder: Shell) -> None:
    larder("adapter", "new", "hall", "--kind", "event", "--declarative", "--domain", "hall.example")
    assert larder("source", "import", "hall.yaml", "--json").code == 0
    (larder.folder / "page.html").write_text("<h1>Concert</h1><p class=date>14 March 2027</p>")
    told = larder("try", "page.html", "--selectors", "hall.yaml", "--kind", "event", "--json").json
    assert told["strategy"] == "selectors"
    assert told["items"][0]["fields"]["starts_at"].startswith("2027-03-14")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("new", "Corner Shop"), "invalid adapter name"),
        (("new", "class"), "invalid adapter name"),
        (("test", "nobody"), "unknown adapter 'nobody'"),
        (("test", "."), "there is no adapter.py"),
    ],
)
def test_bad_input_is_two_lines(empty: Shell, command: tuple[str, ...], says: str) -> None:
    answered = empty("adapter", *command)
    error, _ = answered.complaint
    assert answered.code == 2
    assert says in error


def test_nothing_that_exists_is_overwritten(empty: Shell) -> None:
    empty("adapter", "new", "corner")
    (empty.folder / "corner/adapter.py").write_text("x")
    assert "exists already" in empty("adapter", "new", "corner").complaint[0]
    assert (empty.folder / "corner/adapter.py").read_text() == "x"


def test_code_that_cannot_be_loaded_is_named(empty: Shell) -> None:
    empty("adapter", "new", "torn")
    (empty.folder / "torn/adapter.py").write_text("class (")
    assert "cannot be loaded (SyntaxError" in empty("adapter", "test", "torn").complaint[0]
