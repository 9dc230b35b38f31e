"""How the reasons of the gates are drawn: what is the matter, and what can be done."""

from collections.abc import Sequence
from datetime import datetime

from rich.console import Group
from rich.text import Text

from larder.actions.blocking import Why
from larder.cli.show import ago, tell
from larder.core.policy.gates import Reason


def draw_blockers(why: Why, now: datetime) -> None:
    """What still keeps a source from running, or from being seen."""
    if why.blocked_by:
        tell(Text("It does not run yet:", style="yellow"), drawn(why.blocked_by, now))
    elif why.waits_for and not any(kind.next_at for kind in why.kinds):
        tell(Text(f"Nothing runs it yet: this version cannot do {', '.join(why.waits_for)}.", style="yellow"))
    else:
        tell(Text("Nothing keeps it from running: the next tick picks it up.", style="green"))
    if why.review_reason:
        tell(Text(f"It was set aside: {why.review_reason}", style="red"))
    if why.hidden:
        tell(
            "Its records are hidden from public reads.",
            Text.assemble(("    → ", "bright_black"), (f"larder source set {why.source} --public", "bold")),
        )


def drawn(reasons: Sequence[Reason], now: datetime) -> Group:
    """A line for each reason, with the way out."""
    return Group(*(_line(reason, now) for reason in reasons))


def _line(reason: Reason, now: datetime) -> Text:
    until = f" ({ago(reason.until, now)})" if reason.until else ""
    return Text.assemble(
        ("  ✗ ", "red"), f"{reason.says}{until}\n", ("    → ", "bright_black"), (reason.todo, "bold")
    )
