"""What a row of an agenda says besides its day: what the event costs, and its picture."""

from turbohtml import Element

from larder.sdk.page import text_of
from larder.sdk.urls import join
from larder.stages.parse.agenda.machine_dates import spaced_text
from larder.stages.parse.agenda.words import may_cost, price_in
from larder.stages.parse.extraction_task import ExtractionTask

MAX_PRICED = 600
MAX_PARTS = 1_500


def price_of(row: Element) -> str:
    """What the row says that its event costs."""
    text = text_of(row)
    return price_in(spaced_text(row, MAX_PARTS)) if len(text) < MAX_PRICED and may_cost(text) else ""


def image_of(row: Element, task: ExtractionTask) -> list[str]:
    """The address of the row's first picture."""
    picture = row.select_one("img[src]")
    url = join(task.page.url, picture.attr("src") or "") if picture is not None else None
    return [url] if url and url.startswith("http") else []
