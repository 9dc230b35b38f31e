"""The strategy `heuristic`: reads pages without markup as a person does."""

from larder.core.model.item import Item
from larder.core.model.source import Kind
from larder.stages.parse.agenda.events import visible_events
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.heuristic.listing import listing
from larder.stages.parse.heuristic.product import product
from larder.stages.parse.index_rows.visible import outbound_rows, visible_rows
from larder.stages.parse.rent_periods import with_periods


def heuristic(task: ExtractionTask) -> list[Item]:
    """Items from the visible page."""
    if task.kind is Kind.EVENT:
        return visible_events(task)
    if task.wants_rows:
        rows = task.page.cached(visible_rows) or task.page.cached(outbound_rows)
        return with_periods(rows, task.page) if task.kind is Kind.LISTING else rows
    return listing(task) if task.kind is Kind.LISTING else product(task)
