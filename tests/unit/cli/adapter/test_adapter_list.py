"""`larder adapter list` names every adapter, and those that could not be loaded with the reason."""

from dataclasses import replace

from tests.unit.cli.conftest import Shell


def test_a_broken_adapter_is_listed_with_its_error(larder: Shell) -> None:
    own = replace(larder, env={"LARDER_ADAPTERS_DIR": str(larder.folder / "own")})
    for name in ("corner", "torn"):
        assert own("adapter", "new", name, "--folder", "own").code == 0
    (larder.folder / "own/torn/adapter.py").write_text("class (")
    listed = {each["id"]: each for each in own("adapter", "list", "--json").json}
    assert listed["corner"]["enabled"] is True
    assert listed["corner"]["origin"] == f"folder {larder.folder / 'own'}"
    assert listed["torn"]["enabled"] is False
    assert "SyntaxError" in listed["torn"]["error"]
    shown = own("adapter", "list").out
    assert "not loaded:" in shown
    assert "SyntaxError" in shown


def test_a_source_on_a_site_uses_the_adapter_of_the_folder(larder: Shell) -> None:
    own = replace(larder, env={"LARDER_ADAPTERS_DIR": str(larder.folder)})
    own("adapter", "new", "corner", "--domain", "corner.example")
    assert own("source", "add", "https://corner.example/goods", "--slug", "goods").code == 0
    assert own("source", "show", "goods", "--json").json["fields"]["adapter"] == "corner"
    assert larder("adapter", "list", "--json").json[-1]["id"] == "willhaben"


def test_a_declaration_is_no_package(empty: Shell) -> None:
    error, hint = empty("adapter", "new", "corner", "--package", "--declarative").complaint
    assert error == "--declarative and --package exclude each other"
    assert hint == "give one of them"
