"""The web pages: server-rendered, usable without scripts; every button calls an action of the CLI."""

from larder.web.application import pages

__all__ = ["pages"]
