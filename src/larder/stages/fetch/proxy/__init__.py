"""Proxies: results of requests come in; the next proxy, and connections through it, go out."""
