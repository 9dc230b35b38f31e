"""CSV files for download: the rows of a query, read and sent chunk by chunk."""

from collections.abc import AsyncIterator

from fastapi.responses import Response, StreamingResponse

from larder.actions.dataset import export
from larder.store.reads.query import Query
from larder.web.context import PageContext


async def csv_download(
    ctx: PageContext, query: Query, name: str, *, hidden: bool = False, prices: bool = False
) -> Response:
    """The records of a query, `hidden`: of hidden sources too; `prices`: a line for each price they had."""
    whole = await ctx.read(export.export_query, query, hidden=hidden, now=ctx.now)
    lines = _lines(ctx, whole, hidden=hidden, prices=prices)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(lines, media_type="text/csv; charset=utf-8", headers=headers)


async def _lines(ctx: PageContext, query: Query, *, hidden: bool, prices: bool) -> AsyncIterator[str]:
    names, many = export.PRICE_COLUMNS if prices else export.columns(query.kind), 0
    yield export.csv_header(names)
    left: Query | None = query
    while left is not None:
        found = await ctx.read(export.read_chunk, left, hidden=hidden, prices=prices, now=ctx.now)
        found = export.price_chunk(found) if prices else found
        yield export.chunk_csv_lines(found)
        many, left = many + len(found), found.next
    if not many:
        yield export.csv_note(await _why_empty(ctx, query, hidden=hidden))


async def _why_empty(ctx: PageContext, query: Query, *, hidden: bool) -> str:
    """Why a file is empty; hidden records are mentioned to operators only."""
    if not hidden:
        return "No record matches these filters."
    why = await ctx.read(export.why_empty, query, hidden=True, now=ctx.now)
    return why.text
