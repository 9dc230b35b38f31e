"""Proxies: which one is next, and connections through it."""
