"""Larder keeps a live, trustworthy copy of things that live on other people's websites."""

__version__ = "0.1.0"
