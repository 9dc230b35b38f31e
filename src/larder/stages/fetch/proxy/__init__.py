"""Proxies: reports on each come in; the next one to use, and connections through it, go out."""
