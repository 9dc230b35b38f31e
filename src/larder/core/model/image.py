"""An image of a record: how its page describes it, and what its file contains."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

MAX_IMAGES = 10
"""Images fetched for each record, unless its source sets a number."""


class ImageFormat(StrEnum):
    """Allowed formats; none of them can carry scripts."""

    PNG = "png"
    JPEG = "jpeg"
    GIF = "gif"
    WEBP = "webp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image as its page describes it."""

    url: str
    position: int
    type: str | None = None
    alt: str | None = None
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageSize:
    """Format and size, read from the image's bytes."""

    format: ImageFormat
    width: int
    height: int


def images_wanted(params: Mapping[str, Any]) -> int:
    """How many images of each record a source wants: `images: true`, or a number, among its params."""
    declared = params.get("images")
    if isinstance(declared, bool):
        return MAX_IMAGES if declared else 0
    return max(0, declared) if isinstance(declared, int) else 0


def images_of(content: Mapping[str, Any], limit: int) -> list[Image]:
    """The first images of a record."""
    names = set(Image.__dataclass_fields__)
    return [
        Image(**{name: value for name, value in image.items() if name in names})
        for image in (content.get("images") or ())[:limit]
    ]
