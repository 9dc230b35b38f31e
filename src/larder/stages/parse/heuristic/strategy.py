"""The strategy heuristic: what people put on pages that carry no markup."""

from larder.core.model.item import Item
from larder.core.model.source import Kind
from larder.stages.parse.agenda.events import visible_events
from larder.stages.parse.heuristic.listing import listing
from larder.stages.parse.heuristic.product import product
from larder.stages.parse.index_rows.visible import outside_rows, visible_rows
from larder.stages.parse.strategy_input import Look


def heuristic(look: Look) -> list[Item]:
    """Items from how pages look to a reader."""
    if look.kind is Kind.EVENT:
        return visible_events(look)
    if look.wants_rows:
        return look.page.once(visible_rows) or look.page.once(outside_rows)
    return listing(look) if look.kind is Kind.LISTING else product(look)
