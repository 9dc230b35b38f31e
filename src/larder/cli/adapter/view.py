"""Prints new adapters and the results of their fixtures."""

from rich.text import Text

from larder.cli.common.output import print_table, print_text
from larder.core.plurals import plural
from larder.extraction.fixtures import FixtureResult


def draw_scaffold(paths: list[str]) -> None:
    """Print the files that were created, and the next step."""
    for path in paths:
        print_text(Text.assemble(("  + ", "green"), path))
    if len(paths) == 1:
        print_text(Text.assemble("Try it:  ", (f"larder try URL-or-FILE --selectors {paths[0]}", "bold")))
        return
    folder = next(path for path in paths if path.endswith("adapter.py")).rsplit("/", 1)[0]
    print_text(Text.assemble("Test it:  ", (f"larder adapter test {folder}", "bold")))


def draw_fixture_results(checked: list[FixtureResult]) -> None:
    """Print one line for each fixture, and its differences below."""
    print_table(
        ("", "adapter", "fixture", "strategy", "items"),
        (
            (
                Text("✓", style="green") if each.held else Text("✗", style="red"),
                Text(each.adapter, style="bold"),
                each.case,
                each.strategy or None,
                each.items,
            )
            for each in checked
        ),
        empty="No fixtures. Add fixtures/<case>/page.html and fixtures/<case>/expected.json.",
    )
    for result in checked:
        for line in result.differences:
            print_text(Text.assemble((f"{result.adapter} {result.case}: ", "red"), line))
    failed = sum(not each.held for each in checked)
    counted = f"{plural(len(checked), 'fixture')}"
    ended = f"{failed} not as expected" if failed else "as expected"
    print_text(Text(f"{counted}, {ended}.", style="red" if failed else "green"))
