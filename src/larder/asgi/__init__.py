"""One server for all faces, in the driver's own event loop: the API at `/api`, the pages at `/`."""

from larder.asgi.routing import application
from larder.asgi.server import serving

__all__ = ["application", "serving"]
