"""Serves stored images of records, so that a visitor's browser never contacts the original site.

Only the four formats that are detected from their first bytes are served, under a policy that allows no
scripts.
"""

from fastapi import APIRouter
from fastapi.responses import Response

from larder.core.errors import NotFound
from larder.core.model.image import ImageFormat
from larder.store.reads.stored_bodies import stored_image
from larder.web.context import PublicContext

router = APIRouter()

IMAGE_SECURITY_POLICY = "default-src 'none'; sandbox"


@router.get("/images/{image_id:row}")
async def one(ctx: PublicContext, image_id: int) -> Response:
    """An image of a record that the caller may see."""
    image = await ctx.read(stored_image, image_id, public_only=not ctx.is_admin, now=ctx.now)
    store = ctx.app.blobs()
    try:
        body = await store.get(image.location, image.content_hash) if image else None
    finally:
        await store.close()
    if image is None or body is None or image.format not in set(ImageFormat):
        raise NotFound("image not found")
    headers = {"Content-Security-Policy": IMAGE_SECURITY_POLICY, "Cache-Control": "private, max-age=86400"}
    return Response(body, media_type=f"image/{image.format}", headers=headers)
