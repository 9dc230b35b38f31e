"""Reads pages without markup as they look: a page comes in; its parts and values go out."""
