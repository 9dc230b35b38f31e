"""The pages: server-rendered, readable without scripts, with the CLI's own actions behind every button."""

from larder.web.application import pages

__all__ = ["pages"]
