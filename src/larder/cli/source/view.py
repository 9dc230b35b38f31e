"""Prints the results of changes of sources."""

from collections.abc import Mapping
from datetime import UTC, datetime

from rich.text import Text

from larder.actions.sources.catalogue import ImportedCatalogue
from larder.actions.sources.gate_reasons import SourceGates
from larder.actions.sources.removal import FATES, RemovedSource
from larder.actions.sources.sources import SavedSource
from larder.cli.common.gate_reasons import print_blockers
from larder.cli.common.output import print_text
from larder.core.plurals import plural
from larder.rendering.hints import sentence


def draw_added(added: SavedSource) -> None:
    """Print an added source, and what still blocks it."""
    if added.target is not None:
        text = f", which checks single pages of {added.why.site}."
        print_text(Text.assemble(f"Added as target {added.target} of ", (added.slug, "bold"), text))
        own = "For a source of its own, give its plan and slug: --plan index --slug NAME"
        print_text(Text(own, style="bright_black"))
    else:
        print_text(Text.assemble("Added ", (added.slug, "bold"), f" on {added.why.site}."))
    print_blockers(added.why, datetime.now(UTC))


def draw_zone(slug: str, zone: str) -> None:
    """Print the time zone of an agenda's times."""
    if zone != "UTC":
        print_text(Text(f"Times without a zone are read as those of {zone}.", style="bright_black"))
    else:
        print_text(
            Text("Its time zone is not known: times without one are read as UTC."),
            Text.assemble(
                ("    → ", "bright_black"), (f"larder source set {slug} --tz Europe/Amsterdam", "bold")
            ),
        )


def draw_switched(why: SourceGates, verb: str) -> None:
    """Print a changed source."""
    print_text(Text.assemble((why.source, "bold"), f" {verb}."))
    print_blockers(why, datetime.now(UTC))


def draw_import(done: ImportedCatalogue) -> None:
    """Print the result of an import."""
    counts = ", ".join(f"{done.count(change)} {change}" for change in ("added", "changed", "unchanged"))
    print_text(Text(f"{done.catalogue}: {counts}."))
    blocked = {reason.gate: reason for source in done.sources for reason in source.why.blocked_by}
    for reason in blocked.values():
        count = sum(reason.gate in [r.gate for r in source.why.blocked_by] for source in done.sources)
        print_text(
            Text.assemble(("  ✗ ", "red"), f"{count} held back: {reason.says}"),
            Text.assemble(("    → ", "bright_black"), (sentence(reason.todo), "bold")),
        )
    waiting = sorted({kind for source in done.sources for kind in source.why.waits_for})
    if waiting:
        print_text(Text(f"  Not scheduled here: {', '.join(waiting)}.", style="yellow"))


def draw_removed(removed: RemovedSource) -> None:
    """Print the result of a removal."""
    print_text(Text.assemble((removed.slug, "bold"), f" is removed: {FATES[removed.records]}."))
    if removed.erased:
        print_text(f"Erased: {plural(removed.erased, 'record')}.")


def draw_taken_over(fields: Mapping[str, str]) -> None:
    """Print the fields that were taken from the page."""
    for name, value in fields.items():
        print_text(Text(f"Its {name} is {value}, as its page shows; another: larder source set --{name}."))
