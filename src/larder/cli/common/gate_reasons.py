"""Prints closed gates: the reason of each, and the next step."""

from collections.abc import Sequence
from datetime import datetime

from rich.console import Group
from rich.text import Text

from larder.actions.sources.gate_reasons import SourceGates
from larder.cli.common.output import ago, print_text
from larder.core.policy.scheduling.gates import GateReason
from larder.rendering.hints import sentence


def print_blockers(why: SourceGates, now: datetime) -> None:
    """Print what still keeps a source from running, or from being visible."""
    if why.blocked_by:
        print_text(Text("It does not run yet:", style="yellow"), reason_lines(why.blocked_by, now))
    elif why.waits_for and not any(kind.next_at for kind in why.kinds):
        print_text(Text(f"Not scheduled: {', '.join(why.waits_for)} is not scheduled here.", style="yellow"))
    else:
        print_text(Text(f"It can run: {_next(why, now)}.", style="green"))
    if why.guarded:
        print_text(
            "Its site has a private address, which Larder fetches from only if allowed.",
            Text.assemble(("    → ", "bright_black"), (f"larder site set {why.site} --local", "bold")),
        )
    if why.review_reason:
        print_text(Text(f"Held for review: {why.review_reason}", style="red"))
    if why.hidden:
        print_text(
            "Its records are hidden from public reads.",
            Text.assemble(("    → ", "bright_black"), (f"larder source set {why.source} --public", "bold")),
        )


def _next(why: SourceGates, now: datetime) -> str:
    states = [kind for kind in why.kinds if kind.next_at]
    if any(kind.open_run for kind in states):
        return "a run is in progress"
    soonest = min(states, key=lambda kind: kind.next_at or now)
    if soonest.next_at is None or soonest.next_at <= now:
        return "it starts at the next tick"
    return f"{soonest.kind} is due {ago(soonest.next_at, now)}"


def reason_lines(reasons: Sequence[GateReason], now: datetime) -> Group:
    """One line for each reason, with the next step."""
    return Group(*(_line(reason, now) for reason in reasons))


def _line(reason: GateReason, now: datetime) -> Text:
    until = f" ({ago(reason.until, now)})" if reason.until else ""
    return Text.assemble(
        ("  ✗ ", "red"),
        f"{reason.says}{until}\n",
        ("    → ", "bright_black"),
        (sentence(reason.todo), "bold"),
    )
