"""Prints repairs: the old selector, the new one, and the evidence."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import orjson
from rich.text import Text

from larder.cli.common.output import print_fields, print_heading, print_table, print_text
from larder.core.plurals import plural
from larder.store.operations.selector_questions import SelectorQuestion

if TYPE_CHECKING:  # `larder source` prints questions and does not load healing
    from larder.actions.sources.repairs import RepairView, SourceRepairs

_COUNTED = {
    "pages": ("new page", ""),
    "archived": ("archived page", ""),
    "rows": ("item", "read"),
    "recognised": ("known record", "recognised"),
    "agreed": ("value", "as known"),
    "changed": ("value", "changed since"),
}


def draw_healing(view: "SourceRepairs") -> None:
    """Print selectors that stopped matching, repairs, and doubts."""
    if not view.suggested and not view.applied:
        print_text(_none_stopped(view))
    if view.suggested:
        print_heading("Stopped matching")
        _draw(view.suggested)
        _draw_evidence(view.suggested)
    if view.applied:
        print_heading("Repaired")
        _draw(view.applied)
    draw_questions(view.asked)
    _next_steps(view)


def draw_questions(questions: Sequence[SelectorQuestion]) -> None:
    """Print the selectors proposed by a language model, and the outcome of their proof."""
    for question in questions:
        print_heading(f"Asked the language model ({question.part})")
        named = "  ".join(f"{path}: {', '.join(css)}" for path, css in question.selectors.items())
        refused = ", ".join(f"{times} × {reason}" for reason, times in question.refused.items())
        print_fields(
            [
                ("model", f"{question.model}, {question.asked_at[:16].replace('T', ' ')}"),
                ("named", named or "no usable selector"),
                ("refused", refused or None),
                ("proof", question.outcome),
            ]
        )


def _none_stopped(view: "SourceRepairs") -> Text:
    if view.run is None:
        return Text(f"{view.source} has no stored pages of a last run to compare.", style="yellow")
    return Text(f"All selectors of {view.source} still match.", style="green")


def _draw(repairs: Any) -> None:
    print_table(
        ("selector", "was", "is now", "found again", "known", "reads now", "state"),
        (
            (
                Text(repair.field, style="bold"),
                _selector_text(repair.before),
                _selector_text(repair.after),
                repair.agreed or None,
                repair.examples[0][0][:32] if repair.examples else None,
                repair.examples[0][1][:32] if repair.examples else None,
                _state(repair),
            )
            for repair in repairs
        ),
        empty="",
    )


def _draw_evidence(repairs: Any) -> None:
    for part in dict.fromkeys(repair.field.split(".")[0] for repair in repairs):
        first = next(repair for repair in repairs if repair.field.startswith(part))
        counted = ", ".join(
            f"{plural(first.figures[name], one)} {rest}".rstrip()
            for name, (one, rest) in _COUNTED.items()
            if name in first.figures
        )
        if counted:
            print_text(Text(f"{part}: {counted}", style="bright_black"))
        for doubt in first.doubts:
            print_text(Text.assemble(("doubt  ", "yellow"), doubt))


def _next_steps(view: "SourceRepairs") -> None:
    if view.proven:
        print_text(
            Text.assemble("Apply proven repairs:  ", (f"larder adapter heal {view.source} --apply", "bold"))
        )
    elif view.waiting and not view.asked:
        command = f"larder adapter heal {view.source} --ask"
        print_text(Text.assemble("Ask a language model, if one is configured:  ", (command, "bold")))
    if view.applied:
        print_text(Text.assemble("Undo:  ", (f"larder adapter heal {view.source} --take-back", "bold")))


def _selector_text(selector: Any) -> Text | None:
    if selector is None:
        return None
    return Text(selector if isinstance(selector, str) else orjson.dumps(selector).decode())


def _state(repair: "RepairView") -> Text:
    author = " (language model)" if repair.proposed else ""
    if repair.status != "suggested":
        return Text(f"{repair.status}{author}", style="green")
    if repair.proven:
        return Text(f"proven{author}", style="green")
    return Text(f"in doubt{author}", style="yellow")
