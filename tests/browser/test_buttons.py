"""No button without a test that presses it."""

from importlib import import_module
from pathlib import Path

from tests.browser.buttons import offered


def test_every_button_of_every_page_is_pressed_by_some_test() -> None:
    assert offered() - _pressed() == set()


def test_no_test_presses_what_no_page_offers() -> None:
    assert _pressed() - offered() == set()


def _pressed() -> set[str]:
    modules = [
        import_module(f"tests.browser.{path.stem}") for path in Path(__file__).parent.glob("test_*.py")
    ]
    tests = [each for module in modules for name, each in vars(module).items() if name.startswith("test_")]
    marks = [mark for test in tests for mark in getattr(test, "pytestmark", ())]
    return {name for mark in marks if mark.name == "presses" for name in mark.args}
