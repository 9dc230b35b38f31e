"""One server for all faces, in the driver's own event loop: the API at `/api`, the pages at `/`."""

from larder.serve.faces import faces
from larder.serve.server import serving

__all__ = ["faces", "serving"]
