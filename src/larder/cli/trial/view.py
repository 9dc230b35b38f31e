"""Prints a trial: the items first, then how each was read."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from larder.cli.common.output import money, print_text
from larder.core.plurals import plural
from larder.extraction import Attempted, Judged, Trial

SHOWN = 3
ROWS = 12
MAX_CELL = 90
MAX_SNIPPET = 600

_VERDICTS = {"stored": ("✓", "green"), "dropped": ("✗", "red"), "quarantined": ("!", "yellow")}
_STOCK = {"in_stock": "green", "out_of_stock": "red", "backorder": "yellow"}
_COLUMNS = {
    "product": ("title", "price", "availability", "sku"),
    "listing": ("title", "price", "area", "rooms"),
    "event": ("title", "starts_at", "venue"),
}
_HEAD = frozenset({"title", "price", "price_minor", "currency", "availability", "period", "description"})
_REASONS = {
    "blocked_page": "The site refused the request: a captcha, a consent page or a block.",
    "empty_page": "The page has no content; it may need JavaScript.",
    "price_not_found": "No price was found. Declare a selector for it.",
    "date_not_found": "The page names no day. The day of its row in the list counts.",
    "title_not_found": "No title was found. Declare a selector for it.",
    "selector_not_found": "The declared selectors match nothing on this page.",
    "page_structure_changed": "The page has content, but not where it is expected.",
    "missing_required_field": "This field is required.",
    "unknown_availability": "The page does not state the stock, which is never guessed.",
    "oos_no_price": "Sold out without a price: expected, not an error.",
    "no_date": "An event needs a date.",
    "row_not_read": "A row is built like the others, but nothing could be read from it.",
    "ambiguous_price": "Several prices and no rule to choose: sent to quarantine.",
    "zero_price": "A price of 0 is an error.",
    "price_jump": "The last price with its decimal point moved: sent to quarantine until it is read again.",
}


def draw(trial: Trial) -> None:
    """Print the result of `larder try`."""
    print_text(_header(trial))
    if trial.ok:
        print_text(*_items(trial))
    else:
        print_text(_failure(trial))
    if trial.ok and (trial.purpose == "index" or len(trial.items) > 1):
        print_text(_paging(trial))
    if trial.ok:
        print_text(_proposals(trial))
    print_text(_strategies(trial))
    for note in trial.notes:
        print_text(Text(f"note: {note}", style="bright_black"))


def _header(trial: Trial) -> Text:
    many = plural(len(trial.items), "item")
    line = f"{trial.kind} · {trial.purpose} page · adapter {trial.adapter} {trial.version}"
    return Text.assemble(
        "\n", (trial.url or "a page without an address", "bold"), "\n",
        (f"{line} · {trial.bytes / 1024:,.0f} KB · {many}", "bright_black"),
    )  # fmt: skip


def _paging(trial: Trial) -> Text:
    """Print the URL of the next index page and how it was found."""
    if trial.next_page is not None:
        line = f"next page: {trial.next_page.url}, because {trial.next_page.because}"
    elif trial.last:
        line = "next page: none, this is the last one"
    elif trial.last is False:
        line = "next page: there is one, but no address leads to it; declare `next` or `index_url`"
    else:
        line = "next page: the page shows none"
    total = f" · {plural(trial.advertised, 'row')} advertised" if trial.advertised is not None else ""
    return Text(line + total)


def _proposals(trial: Trial) -> Text:
    """Print how a source of this page would be configured, and why."""
    lines = [
        f"{proposal.field}: {proposal.value}, because {proposal.because}" for proposal in trial.proposals
    ]
    return Text("\n".join(lines))


def _failure(trial: Trial) -> Panel:
    reason = Text.assemble((trial.reason, "bold red"), f"  {trial.details}" if trial.details else "")
    return Panel(
        Group(reason, Text(_REASONS.get(trial.reason, ""))), border_style="red", box=box.ROUNDED,
        title="nothing could be read", title_align="left",
    )  # fmt: skip


def _items(trial: Trial) -> Iterator[RenderableType]:
    if not trial.items:
        yield Panel(Text("The page states that it has no items."), border_style="green", box=box.ROUNDED)
    elif len(trial.items) <= SHOWN:
        yield from (_card(item) for item in trial.items)
    else:
        yield _rows(trial)


def _card(item: Judged) -> Panel:
    sign, colour = _VERDICTS[item.verdict]
    parts: list[RenderableType] = [_headline(item.fields), Text(), _fields(item), Text(), _verdict(item)]
    if item.snippet:
        parts += [Text(), _snippet(item)]
    return Panel(
        Group(*parts), border_style=colour, box=box.ROUNDED, padding=(1, 2),
        title=f"[bold {colour}]{sign} {item.verdict}[/]", title_align="left",
    )  # fmt: skip


def _headline(fields: Mapping[str, Any]) -> Text:
    line = Text(str(fields.get("title", "no title")), style="bold")
    if price := _price(fields):
        line.append("\n").append(price, style="bold green")
    if stock := fields.get("availability"):
        line.append("   ● ", style=_STOCK.get(stock, "")).append(str(stock).replace("_", " "))
    if starts_at := fields.get("starts_at"):
        line.append("\n").append(str(starts_at).replace("T", "  "), style="bold cyan")
    return line


def _price(fields: Mapping[str, Any]) -> str:
    price = money(fields.get("price_minor"), fields.get("currency")) or ""
    return f"{price} a {fields['period']}" if price and fields.get("period") else price


def _fields(item: Judged) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bright_black", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(style="bright_black", no_wrap=True)
    for name, value in item.fields.items():
        if name not in _HEAD:
            table.add_row(name, _short(value), item.strategies.get(name, ""))
    for name in ("title", "price", "availability"):
        if name in item.raw:
            table.add_row(f"{name} read as", _short(item.raw[name]), item.strategies.get(name, ""))
    return table


def _verdict(item: Judged) -> Text:
    sign, colour = _VERDICTS[item.verdict]
    if item.verdict == "stored":
        return Text.assemble((f"{sign} valid", f"bold {colour}"), f": would be stored as {item.identity_key}")
    line = f"{item.reason}{f' ({item.details})' if item.details else ''}"
    return Text.assemble(
        (f"{sign} {item.verdict}: {line}", f"bold {colour}"), f"\n  {_REASONS.get(item.reason, '')}".rstrip()
    )


def _snippet(item: Judged) -> RenderableType:
    """The HTML of an item, with the price or the title marked."""
    code = re.sub(r"\s+", " ", item.snippet).strip()[:MAX_SNIPPET]
    marks = [str(item.raw[name]) for name in ("price", "title") if isinstance(item.raw.get(name), str)]
    syntax = Syntax(code, "html", theme="ansi_dark", word_wrap=True, background_color="default")
    text = syntax.highlight(code)
    for mark in marks:
        text.highlight_words([mark], style="bold reverse")
    return Panel(text, title="from", title_align="left", border_style="bright_black", box=box.ROUNDED)


def _rows(trial: Trial) -> Table:
    columns = _COLUMNS[trial.kind]
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
    table.add_column("")
    for name in columns:
        table.add_column(name, overflow="fold")
    for item in trial.items[:ROWS]:
        sign, colour = _VERDICTS[item.verdict]
        table.add_row(Text(sign, style=colour), *(_cell(name, item) for name in columns))
    hidden = len(trial.items) - ROWS
    stored = sum(item.verdict == "stored" for item in trial.items)
    more = f"… and {hidden} more · " if hidden > 0 else ""
    table.caption = f"{more}{stored} of {len(trial.items)} would be stored{_why_not(trial)}"
    return table


def _why_not(trial: Trial) -> str:
    reasons = sorted({item.reason for item in trial.items if item.reason})
    return f" ({', '.join(reasons)})" if reasons else ""


def _cell(name: str, item: Judged) -> str:
    if name == "price":
        return _price(item.fields)
    value = item.fields.get(name, item.fields.get(f"{name}_m2", item.raw.get(name, "")))
    return _short(value).replace("T", " ") if name == "starts_at" else _short(value)


def _strategies(trial: Trial) -> Table:
    columns = _COLUMNS[trial.kind]
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", title_justify="left")
    table.title = "What each strategy found"
    for name in ("", "strategy", "items", "score", *columns):
        table.add_column(name, overflow="ellipsis", no_wrap=name not in columns)
    for attempt in trial.attempts:
        table.add_row(*_attempt(attempt, columns, chosen=_is_taken(attempt, trial)))
    return table


def _is_taken(attempt: Attempted, trial: Trial) -> bool:
    own = next((each for each in trial.attempts if each.items and each.strategy.startswith("adapter")), None)
    return attempt is own if own is not None else attempt.items > 0 and attempt.strategy == trial.strategy


def _attempt(attempt: Attempted, columns: tuple[str, ...], *, chosen: bool) -> Iterator[RenderableType]:
    style = "bold green" if chosen else "" if attempt.items else "bright_black"
    yield Text("▶" if chosen else "", style=style)
    yield Text(attempt.strategy, style=style)
    yield Text(str(attempt.items) if attempt.items else "–", style=style)
    yield Text(f"{attempt.score:.2f}" if attempt.score is not None else "", style=style)
    for name in columns:
        line = attempt.note if name == columns[0] and attempt.note else attempt.fields.get(name, "")
        yield Text(_short(line), style="red" if line is attempt.note and attempt.note else "")


def _short(value: Any) -> str:
    if isinstance(value, list):
        return f"{len(value)}: {_short(value[0])}" if value else ""
    if isinstance(value, dict):
        return _short(value.get("url") or ", ".join(f"{key} {each}" for key, each in value.items()))
    text = " ".join(str(value).split())
    return text if len(text) <= MAX_CELL else f"{text[: MAX_CELL - 1]}…"
