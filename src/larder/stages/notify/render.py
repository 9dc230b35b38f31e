"""Renders a message as text, as Slack blocks, or as JSON.

Alerts of one kind are grouped under one heading, so that a hundred failing sources are one item to read. Text
too long for a service is shortened here, never refused there.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from larder.core.plurals import plural
from larder.core.policy.alerting import Severity
from larder.stages.notify import summary
from larder.store.operations.notifications.outbox import Message, Notification

MAX_LINE = 400
SLACK_SECTION = 2_900
SLACK_BLOCKS = 48
SLACK_HEADER = 150
ICONS = {Severity.P1: "🔴", Severity.P2: "🟠", Severity.P3: "🟡", Severity.INFO: "🔵"}


def headline(message: Message) -> str:
    """One line with the subject of the message."""
    alerts = [note for note in message.notes if note.topic == "alert"]
    if not alerts:
        return f"Larder: {', '.join(sorted({note.topic for note in message.notes}))}"
    if len(alerts) == 1:
        only = alerts[0]
        return f"Larder {only.severity}: {_named(only)} {only.payload.get('subject', '')}".rstrip()
    counts = Counter(note.severity for note in alerts)
    by_severity = ", ".join(f"{counts[s]} {s}" for s in Severity if counts[s])
    return f"Larder: {len(alerts)} alerts ({by_severity})"


def text(message: Message) -> str:
    """The message as plain text."""
    return "\n".join(line for heading, lines in _groups(message) for line in (heading, *lines))


def as_json(message: Message) -> dict[str, Any]:
    """The message as JSON, with all its fields."""
    return {
        "id": message.key,
        "channel": message.channel,
        "title": headline(message),
        "text": text(message),
        "notes": [_described(note) for note in message.notes],
    }


def slack(message: Message) -> dict[str, Any]:
    """Blocks for an incoming webhook, within its limits."""
    title = headline(message)
    blocks = [{"type": "header", "text": {"type": "plain_text", "text": _shortened(title, SLACK_HEADER)}}]
    sections = [section for group in _groups(message) for section in _sections(*group)]
    left_out = len(sections) - SLACK_BLOCKS
    blocks += [_markdown(section) for section in sections[:SLACK_BLOCKS]]
    if left_out > 0:
        blocks.append(_markdown(f"_… and {plural(left_out, 'more part')}; see the alerts page_"))
    return {"text": _escaped(title), "blocks": blocks}


def _groups(message: Message) -> Iterator[tuple[str, list[str]]]:
    """Headings, the most urgent first, each with its lines in the order in which they were written."""
    ordered = sorted(
        message.notes, key=lambda note: (-note.severity.weight, note.topic, _named(note), note.id)
    )
    for (severity, topic, name), notes in groupby(ordered, key=lambda n: (n.severity, n.topic, _named(n))):
        if topic == "summary":
            yield from (summary.summary_text(note.payload) for note in notes)
        else:
            yield f"{ICONS[severity]} {severity} {name}", [_line(note) for note in notes]


def _named(note: Notification) -> str:
    return str(note.payload.get("name") or note.topic)


def _line(note: Notification) -> str:
    raw = note.payload
    message, subject = str(raw.get("message") or raw.get("text") or ""), raw.get("subject")
    about = f"{subject}: " if subject and not message.startswith(subject) else ""
    times = (
        f" (seen {plural(raw['times'], 'time')} since {_clock(raw['since'])})"
        if raw.get("times", 1) > 1
        else ""
    )
    return _shortened(f"• {about}{message}", MAX_LINE) + times


def _described(note: Notification) -> dict[str, Any]:
    return {
        "topic": note.topic,
        "severity": note.severity,
        "written_at": note.written_at.isoformat(),
        **note.payload,
    }


def _sections(heading: str, lines: Sequence[str]) -> Iterator[str]:
    """A heading with its lines, split into pieces that fit a block."""
    piece = f"*{_escaped(heading)}*"
    for line in map(_escaped, lines):
        if len(piece) + len(line) + 1 > SLACK_SECTION:
            yield piece
            piece = _shortened(line, SLACK_SECTION)
        else:
            piece = f"{piece}\n{line}"
    yield piece


def _markdown(raw: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": raw}}


def _escaped(raw: str) -> str:
    return raw.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _shortened(raw: str, longest: int) -> str:
    flat = " ".join(raw.split())
    return flat if len(flat) <= longest else flat[: longest - 1] + "…"


def _clock(iso: str) -> str:
    return f"{datetime.fromisoformat(iso):%d %b %H:%M}"


def highest_severity(notes: Iterable[Notification]) -> Severity:
    """The most urgent among them."""
    return max((note.severity for note in notes), key=lambda severity: severity.weight)


def title_and_body(message: Message) -> Mapping[str, str]:
    """Title and text; the reference distinguishes a repeated message from a new one."""
    return {"title": headline(message), "body": f"{text(message)}\n\nref {message.key[:12]}"}
