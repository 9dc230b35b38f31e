"""How new adapters and their fixtures look to a person."""

from rich.text import Text

from larder.cli.common.output import table, tell
from larder.extraction.fixtures import Checked


def draw_new(paths: list[str]) -> None:
    """What was made, and what to do next."""
    for path in paths:
        tell(Text.assemble(("  + ", "green"), path))
    if len(paths) == 1:
        tell(Text.assemble("Try it:  ", (f"larder try URL-or-FILE --selectors {paths[0]}", "bold")))
        return
    folder = paths[0].rsplit("/", 1)[0]
    tell(Text.assemble("Its fixture reads as expected:  ", (f"larder adapter test {folder}", "bold")))


def draw_checked(checked: list[Checked]) -> None:
    """A line a fixture, and below it what is not as expected."""
    table(
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
        empty="There are no fixtures. Put a page.html and an expected.json into fixtures/<case>/.",
    )
    for each in checked:
        for line in each.differences:
            tell(Text.assemble((f"{each.adapter} {each.case}: ", "red"), line))
    broken = sum(not each.held for each in checked)
    said = f"{len(checked)} fixtures, {'all as expected' if not broken else f'{broken} not as expected'}."
    tell(Text(said, style="red" if broken else "green"))
