"""Serves stored images of records, so that a visitor's browser never contacts the original site.

Only the four formats that are detected from their first bytes are served, under a policy that allows no
scripts.
"""

from collections.abc import Sequence
from datetime import datetime

from fastapi import APIRouter
from fastapi.responses import Response
from sqlalchemy import func, select

from larder.core.errors import NotFound
from larder.core.model.image import Format
from larder.store.database import Connection
from larder.store.reads import public
from larder.store.tables import blobs, images
from larder.web.context import PublicContext

router = APIRouter()

IMAGE_SECURITY_POLICY = "default-src 'none'; sandbox"


def first_images(conn: Connection, record_ids: Sequence[int]) -> dict[int, int]:
    """The first stored image of each record, by its number."""
    if not record_ids:
        return {}
    stored = images.c.record_id.in_(record_ids) & images.c.content_hash.is_not(None)
    least = select(images.c.record_id, func.min(images.c.position).label("position")).where(stored)
    least_of = least.group_by(images.c.record_id).subquery()
    query = select(images.c.record_id, func.min(images.c.id)).join(
        least_of, (images.c.record_id == least_of.c.record_id) & (images.c.position == least_of.c.position)
    )
    found = conn.execute(query.where(images.c.content_hash.is_not(None)).group_by(images.c.record_id))
    return {row[0]: row[1] for row in found}


@router.get("/images/{image_id:row}")
async def one(ctx: PublicContext, image_id: int) -> Response:
    """An image of a record that the caller may see."""
    row = await ctx.look(_stored, image_id, operator=ctx.is_admin, now=ctx.now)
    store = ctx.app.blobs()
    try:
        body = await store.get(row[0], row[1]) if row else None
    finally:
        await store.close()
    if row is None or body is None:
        raise NotFound("image not found")
    headers = {"Content-Security-Policy": IMAGE_SECURITY_POLICY, "Cache-Control": "private, max-age=86400"}
    return Response(body, media_type=f"image/{row[2]}", headers=headers)


def _stored(conn: Connection, image_id: int, *, operator: bool, now: datetime) -> tuple[str, str, str] | None:
    query = select(images.c.record_id, images.c.format, blobs.c.location, blobs.c.content_hash).join(
        blobs, blobs.c.content_hash == images.c.content_hash
    )
    row = conn.execute(query.where(images.c.id == image_id)).one_or_none()
    if row is None or row.format not in set(Format):
        return None
    if not operator and public.by_id(conn, row.record_id, now=now) is None:
        return None
    return row.location, row.content_hash, row.format
