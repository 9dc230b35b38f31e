"""Draws the demo in a terminal."""

from collections.abc import Sequence
from datetime import timedelta

from rich.align import Align
from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleDimensions, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from larder.actions.dataset.records import PriceChange, RecordLine
from larder.actions.formatting import percent
from larder.cli.common.output import BADGE_COLOURS, ago, money
from larder.cli.demo.snapshot import LATEST_ROWS, MarketSnapshot, Snapshot
from larder.store.reads.counts import SourceCounts

FULL = "━"
WIDE = 112
"""Below this width, addresses move above the table and freshness is left out."""
FRAME = 7
"""Lines of the view besides the sites, the latest prices and new records."""


def render(snapshot: Snapshot, size: ConsoleDimensions) -> RenderableType:
    """Draw the whole view for a terminal of that size."""
    wide = size.width >= WIDE
    sites = len(snapshot.markets)
    tall = size.height >= FRAME + 2 * sites + LATEST_ROWS
    lines_left = max(size.height - FRAME - (2 if tall or not wide else 1) * sites, 6)
    latest = min(LATEST_ROWS, lines_left - 2) if wide else min(LATEST_ROWS, lines_left // 2 - 2)
    return Group(
        _head(snapshot, wide=wide),
        _markets(snapshot, wide=wide, tall=tall),
        _below(snapshot, max(latest, 1), wide=wide),
        _foot(snapshot, wide=wide),
    )


def _head(snapshot: Snapshot, *, wide: bool) -> RenderableType:
    head = Table.grid(expand=True)
    head.add_column()
    head.add_column(justify="right")
    clock = f"{snapshot.site_time:%a %d %b, %H:%M}"
    head.add_row(
        Text.assemble(
            ("Larder", "bold cyan"),
            f"  {len(snapshot.markets)} simulated sites, the real pipeline" if wide else "  a demo",
        ),
        Text.assemble(("site time ", "bright_black"), clock, (f", {_days(snapshot)} later", "bright_black")),
    )
    if wide:
        return head
    return Group(
        head, *(Text(f"  {market.address}", style=f"link {market.address}") for market in snapshot.markets)
    )


def _days(snapshot: Snapshot) -> str:
    return f"{snapshot.passed / timedelta(days=1):.1f} days"


def _markets(snapshot: Snapshot, *, wide: bool, tall: bool) -> RenderableType:
    table = Table(
        expand=True,
        box=SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
        border_style="bright_black",
        header_style="bold",
    )
    table.add_column("site", no_wrap=True)
    table.add_column("known", justify="right", no_wrap=True)
    table.add_column("recall", no_wrap=True)
    table.add_column("prices", justify="right", no_wrap=True)
    if wide:
        table.add_column("freshness", no_wrap=True)
    table.add_column("requests", justify="right", no_wrap=True)
    table.add_column("per s", justify="right", no_wrap=True)
    table.add_column("twice", justify="right", no_wrap=True)
    for market in snapshot.markets:
        table.add_row(*_market(market, wide=wide, tall=tall))
    return table


def _market(each: MarketSnapshot, *, wide: bool, tall: bool) -> list[RenderableType]:
    score, market = each.score, each.market
    read_by = "declared selectors" if market.declared else "detected"
    built = f"{market.kind}s, {market.layout}, {read_by}"
    name = Text(each.address, style=f"link {each.address}")
    if tall:
        name = Text.assemble(name, "\n", (f"  {built}", "bright_black"))
    if each.trouble:
        name = Text.assemble(name, (f"  {each.trouble}", "yellow"))
    cells: list[RenderableType | None] = [
        name if wide else Text(market.slug),
        Text(f"{score.known} of {score.live}"),
        _share(score.recall, 8 if wide else 6),
        Text(percent(score.priced / score.known if score.known else None, 1)),
        _badges(each.badges, 8) if wide else None,
        Text(f"{score.requests:,}"),
        Text.assemble(f"{score.rate:.1f}", (f" of {market.limit}", "bright_black")),
        Text(str(score.doubled), style="green" if not score.doubled else "bold red"),
    ]
    return [cell for cell in cells if cell is not None]


def _share(share: float, width: int) -> Text:
    """A bar and its number."""
    full = round(share * width)
    return Text.assemble((FULL * full, "cyan"), (FULL * (width - full), "grey23"), f" {percent(share, 1):>7}")


def _badges(badges: SourceCounts, width: int) -> Text:
    """Green, yellow, orange and faded bars, as long as their shares."""
    counts = {"green": badges.green, "yellow": badges.yellow, "orange": badges.orange, "faded": badges.faded}
    total = sum(counts.values())
    bar = Text()
    for name, count in counts.items():
        bar.append(
            FULL * (round(count / total * width) if total else 0),
            style=BADGE_COLOURS.get(name, "bright_black"),
        )
    return bar.append(f" {percent(badges.green / total)}" if total else "")


def _below(snapshot: Snapshot, latest: int, *, wide: bool) -> RenderableType:
    prices = _panel("price changes", _prices(snapshot.prices[:latest]), latest)
    newest = _panel("new records", _newest(snapshot, latest), latest)
    if not wide:
        return Group(prices, newest)
    both = Table.grid(expand=True)
    both.add_column(ratio=1)
    both.add_column(ratio=1)
    both.add_row(prices, newest)
    return both


def _panel(title: str, rows: RenderableType, latest: int) -> Panel:
    return Panel(rows, title=title, title_align="left", border_style="bright_black", height=latest + 2)


def _prices(changes: Sequence[PriceChange]) -> RenderableType:
    rows = Table.grid(expand=True, padding=(0, 1))
    rows.add_column(no_wrap=True, ratio=1)
    rows.add_column(no_wrap=True, justify="right")
    for change in changes:
        was, now = (money(amount, change.currency) or "" for amount in (change.was, change.now))
        style = "green" if change.now < change.was else "red"
        rows.add_row(
            Text(change.title, overflow="ellipsis"),
            Text.assemble((f"{was} → ", "bright_black"), (now.rpartition(" ")[2].rjust(5), style)),
        )
    return _filled(rows, len(changes), "none yet")


def _newest(snapshot: Snapshot, latest: int) -> RenderableType:
    rows = Table.grid(expand=True, padding=(0, 1))
    for _ in range(3):
        rows.add_column(no_wrap=True)
    rows.columns[0].ratio, rows.columns[1].justify = 1, "right"
    for line in snapshot.newest[:latest]:
        rows.add_row(*_found(line), Text(ago(line.first_seen_at, snapshot.now) or "", style="bright_black"))
    return _filled(rows, len(snapshot.newest), "nothing yet")


def _found(line: RecordLine) -> tuple[Text, Text]:
    return Text(line.title, overflow="ellipsis"), Text(money(line.price_minor, line.currency) or "–")


def _filled(rows: Table, count: int, empty: str) -> RenderableType:
    return rows if count else Align.center(Text(empty, style="bright_black italic"))


def _foot(snapshot: Snapshot, *, wide: bool) -> RenderableType:
    score = snapshot.everything
    return Text.assemble(
        (f" {score.known:,} of {score.live:,} known ", "bold"),
        (f"({percent(score.recall, 1)})", "bold cyan"),
        f" · {score.requests:,} requests in {snapshot.seconds:.0f} s",
        (f" · {score.gone} gone, not yet detected" if score.gone and wide else "", "bright_black"),
        (" · Ctrl-C stops it", "bright_black"),
    )


def plain_line(snapshot: Snapshot) -> str:
    """The view in one line, without a terminal."""
    score = snapshot.everything
    return (
        f"{snapshot.seconds:5.1f} s, {_days(snapshot)}: "
        f"{score.known} of {score.live} known ({percent(score.recall, 1)}), "
        f"{score.gone} gone, not yet detected, {score.requests} requests ({score.rate:.1f}/s), "
        f"{score.doubled} fetched twice"
    )


def closing_message(snapshot: Snapshot, console: Console) -> None:
    """Print the final figures."""
    score = snapshot.everything
    console.print(
        Text.assemble(
            ("Done. ", "bold green"),
            f"In {snapshot.seconds:.0f} s ({_days(snapshot)} on the sites) Larder found "
            f"{score.known:,} of {score.live:,} records ",
            (f"({percent(score.recall, 1)})", "cyan"),
            f" with {score.requests:,} requests; pages fetched twice: {score.doubled or 'none'}. ",
            f"{snapshot.together.things:,} entities are on several sites.",
        )
    )
