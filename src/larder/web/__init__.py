"""The web pages: requests come in; pages rendered on the server go out.

They are usable without scripts; every button calls an action of the CLI.
"""

from larder.web.application import pages

__all__ = ["pages"]
