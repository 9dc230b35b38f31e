"""The ASGI application and its server: the API at `/api`, the pages at `/`."""

from larder.asgi.routing import application
from larder.asgi.server import serving

__all__ = ["application", "serving"]
