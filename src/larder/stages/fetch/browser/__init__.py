"""Fetching with Chromium: a request comes in; the rendered page goes out.

Every connection passes the guard.
"""
