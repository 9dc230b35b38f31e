"""What runs lost, for people: the figures of a run, and each reason with its next step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from larder.core.model.hint import Hint
from larder.core.model.outcome import DropReason, FailReason, FetchOutcome
from larder.core.policy.trust.loss import EXPECTED, MAX_ITEMS, REMOVED
from larder.sdk.urls import registrable_domain
from larder.store.reads.operators.runs import RunView

_TURNED_AWAY = frozenset({FetchOutcome.BLOCKED, FailReason.BLOCKED_PAGE})


@dataclass(frozen=True, slots=True, kw_only=True)
class LossLine:
    """One reason for a loss, and what can be done about it."""

    says: str
    todo: Hint


def loss_figures(run: RunView) -> str:
    """Rows advertised and seen, items read, stored and left out, pages not read; those that are known."""
    figures = [
        f"{run.advertised} rows advertised" if run.advertised is not None else "",
        f"{run.rows_shown} rows seen" if run.rows_shown else "",
        f"{run.extracted} items read" if run.extracted else "",
        f"{run.stored} stored" if run.stored or run.extracted else "",
        f"{run.items_left_out} left out" if run.items_left_out else "",
        f"{run.pages_not_read} pages not read" if run.pages_not_read else "",
    ]
    return ", ".join(filter(None, figures))


def loss_lines(run: RunView) -> list[LossLine]:
    """Each reason why items were left out or pages were not read, and rows that were not shown."""
    lines = [_left_out_line(reason, left) for reason, left in _ranked(run.left_out)]
    lines += [_not_read_line(reason, left) for reason, left in _ranked(run.not_read)]
    if run.rows_not_shown:
        says = f"{run.rows_not_shown} of {run.advertised} rows that the site advertises were not shown"
        lines.append(LossLine(says=says, todo=Hint(action="run.show", target=str(run.id))))
    return lines


def _ranked(by_reason: Mapping[str, Any] | None) -> Sequence[tuple[str, Mapping[str, Any]]]:
    return sorted((by_reason or {}).items(), key=lambda pair: -pair[1]["items"])


def _left_out_line(reason: str, left: Mapping[str, Any]) -> LossLine:
    details = f" ({left['details']})" if left["details"] else ""
    says = f"{left['items']} items left out: {_label(reason)}{details}"
    todo = Hint() if reason in EXPECTED else Hint(text=f"see how the page is read: larder try {left['page']}")
    return LossLine(says=says, todo=todo if left["page"] else Hint())


def _not_read_line(reason: str, left: Mapping[str, Any]) -> LossLine:
    says = f"{left['items']} pages not read: {_label(reason)} ({left['details']})"
    return LossLine(says=says, todo=_unread_hint(reason, left))


def _unread_hint(reason: str, left: Mapping[str, Any]) -> Hint:
    page, site = left["page"], registrable_domain(left["page"]) or ""
    if reason == DropReason.TERMS and "is blocked" in left["details"]:
        return Hint(action="site.unblock", target=site)
    if reason == DropReason.TERMS:
        return Hint(text="read its terms, then confirm it", action="site.review", target=site)
    if reason == DropReason.BLOCKED_BY_ROBOTS_TXT:
        return Hint(
            text="the site's robots.txt forbids these pages: set details: false to read the index alone"
        )
    if reason == MAX_ITEMS:
        return Hint(text="raise or remove max_items_per_run of the source")
    if reason in _TURNED_AWAY:
        return Hint(text=f"see what the site answers: larder fetch {page}")
    return Hint() if reason in REMOVED else Hint(action="dead_letter.list")


def _label(reason: str) -> str:
    return reason.replace("_", " ")
