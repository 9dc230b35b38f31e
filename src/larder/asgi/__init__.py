"""The ASGI application and its server: requests come in; the API (`/api`) or the pages (`/`) answer."""

from larder.asgi.routing import application
from larder.asgi.server import serving

__all__ = ["application", "serving"]
