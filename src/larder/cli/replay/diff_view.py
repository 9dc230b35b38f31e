"""Prints the differences between two readings of the same pages, for canaries and replays."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from larder.actions.formatting import value_text
from larder.actions.sources.canary import CanaryView
from larder.cli.common.output import print_fields, print_table, print_text, status_text
from larder.core.policy.trust.canary import DifferenceSample, FieldDiff

WIDEST = 60


def draw_canaries(views: list[CanaryView]) -> None:
    """Print one line for each source, and the differences of its last canary below it."""
    if not views:
        print_text(Text("It has not run yet; its first version is active at once.", style="italic"))
    for view in views:
        print_text(
            Text.assemble(
                (view.source, "bold"), f" on {view.site}  ", status_text(view.status),
                f"  active {view.active}",
                f"  new {view.candidate}" if view.candidate else "",
                f"  accepted by {view.accepted_by}" if view.accepted_by else "",
            )
        )  # fmt: skip
        for text in view.objections:
            print_text(Text(f"  {text}", style="red"))
        if view.comparison is not None:
            _draw_comparison(view)


def _draw_comparison(view: CanaryView) -> None:
    comparison = view.comparison
    if comparison is None:
        return
    print_fields(
        [
            ("pages read again", comparison.pages),
            ("no longer stored", comparison.without_body or None),
            ("unreadable", comparison.unreadable or None),
            ("items", comparison.items),
            ("vanished", comparison.vanished or None),
            ("appeared", comparison.appeared or None),
            ("prices of 0", comparison.zero_prices or None),
        ]
    )
    draw_fields([diff for diff in comparison.fields if diff.differs])
    draw_samples(comparison.samples)


def draw_fields(fields: Sequence[FieldDiff]) -> None:
    """Print the differences by field."""
    if fields:
        counted = ((Text(f.field, style="bold"), f.changed, f.lost, f.gained) for f in fields)
        print_table(("field", "differs", "lost", "gained"), counted, empty="")


def draw_samples(samples: Sequence[DifferenceSample]) -> None:
    """Print some differing values."""
    if samples:
        rows = ((s.page, s.item, s.field, _short(s.was), _short(s.now)) for s in samples)
        print_table(("page", "item", "field", "was", "now"), rows, empty="")


def _short(value: Any) -> str | None:
    if value is None:
        return None
    text = value_text(value)
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"
