"""Fetched pages and images: bodies come in and are stored once.

Pages, archives and what retention may delete go out.
"""
